/** Small chart documents for tests. Every default is valid; a test names only the fields that it is about. */
import type {
  Booth,
  Category,
  ChartDocument,
  ChartObject,
  GaArea,
  Row,
  Section,
  Table,
} from '@parterre/shared/charts/document';
import type { Point } from '@parterre/shared/charts/plan';

export const point = (x: number, y: number): Point => ({ x, y });

/** Corners of an upright rectangle, clockwise from its top left. */
export const rectangle = (x: number, y: number, width: number, height: number): Point[] => [
  point(x, y),
  point(x + width, y),
  point(x + width, y + height),
  point(x, y + height),
];

export const seatCategory: Category = { key: 'seat', label: 'Seat', color: '#336699', price: 20 };

export function chart(objects: ChartObject[], more: Partial<ChartDocument> = {}): ChartDocument {
  return {
    version: 1,
    name: 'Test hall',
    venueType: 'MIXED',
    focalPoint: point(0, 0),
    categories: [seatCategory],
    objects,
    ...more,
  };
}

/** Ten seats, 20 units apart, from (0, 0) to the right. */
export function row(more: Partial<Row> = {}): Row {
  return {
    type: 'row',
    id: 'row-a',
    label: 'A',
    origin: point(0, 0),
    rotation: 0,
    curve: 0,
    seatCount: 10,
    seatSpacing: 20,
    categoryKey: 'seat',
    ...more,
  };
}

/** A round table of four chairs at (0, 0). */
export function table(more: Partial<Table> = {}): Table {
  return {
    type: 'table',
    id: 'table-1',
    label: 'T1',
    center: point(0, 0),
    shape: 'round',
    seatCount: 4,
    rotation: 0,
    categoryKey: 'seat',
    ...more,
  };
}

export function booth(more: Partial<Booth> = {}): Booth {
  return {
    type: 'booth',
    id: 'booth-1',
    label: 'B1',
    center: point(0, 0),
    width: 40,
    height: 40,
    rotation: 0,
    categoryKey: 'seat',
    ...more,
  };
}

/** Three places in a square of 100 by 100 from (0, 0). */
export function gaArea(more: Partial<GaArea> = {}): GaArea {
  return {
    type: 'gaArea',
    id: 'lawn',
    label: 'Lawn',
    points: rectangle(0, 0, 100, 100),
    capacity: 3,
    categoryKey: 'seat',
    ...more,
  };
}

/** A square of 100 by 100 from (0, 0). */
export function section(more: Partial<Section> = {}): Section {
  return { type: 'section', id: 'west', label: 'West', outline: rectangle(0, 0, 100, 100), ...more };
}
