/** A classroom: desks in rows before a screen, with an aisle in the middle. Pure. */
import type { ChartObject, Override, Row } from '../document.ts';
import { box } from './decor.ts';
import { accessiblePair, rowName, SEAT } from './rows.ts';
import { defineTemplate } from './template.ts';

const seatStep = SEAT * 1.5;
const betweenDesks = 18;
const deskDepth = 26;
const rowPitch = 84;
const aisle = 76;

export const classroom = defineTemplate({
  id: 'classroom',
  name: 'Classroom',
  description: 'Desks in rows before a screen, with an aisle in the middle.',
  sizes: {
    rows: { label: 'Rows', min: 2, max: 40, default: 7 },
    desksPerRow: { label: 'Desks in a row', min: 2, max: 20, default: 6 },
    seatsPerDesk: { label: 'Seats at a desk', min: 1, max: 6, default: 2 },
  },
  draw({ rows, desksPerRow, seatsPerDesk }) {
    const deskWidth = seatsPerDesk * seatStep;
    const step = deskWidth + betweenDesks;
    const leftDesks = Math.ceil(desksPerRow / 2);
    const width = desksPerRow * step - betweenDesks + aisle - betweenDesks;
    const xOf = (desk: number) => desk * step + (desk < leftDesks ? 0 : aisle - betweenDesks) - width / 2;
    const placed = Array.from({ length: rows }, (_, row) =>
      Array.from({ length: desksPerRow }, (_, desk) =>
        deskAt(
          { x: xOf(desk), y: row * rowPitch },
          { row, desk, leftDesks, seatsPerDesk, deskWidth, rows, desksPerRow },
        ),
      ).flat(),
    ).flat();
    const isSeat = ({ type }: ChartObject) => type === 'row';
    return {
      focalPoint: { x: 0, y: -190 },
      categories: [
        { key: 'front', label: 'Front rows', color: '#3d7ea6', price: 40 },
        { key: 'seats', label: 'Seats', color: '#6a994e', price: 30 },
      ],
      objects: [
        box(
          'screen',
          { x: 0, y: -200, width: Math.min(width * 0.6, 520), height: 20 },
          { label: 'Screen', role: 'stage' },
        ),
        box(
          'lectern',
          { x: Math.min(width * 0.3, 260), y: -140, width: 90, height: 40 },
          { fill: '#8a6f52', label: 'Lectern' },
        ),
        ...placed.filter((object) => !isSeat(object)),
        ...placed.filter(isSeat),
      ],
    };
  },
});

type Desk = {
  row: number;
  desk: number;
  leftDesks: number;
  seatsPerDesk: number;
  deskWidth: number;
  rows: number;
  desksPerRow: number;
};

/** The seats of the desks on one side of the aisle are pieces of one row, so that best available takes neighbours. */
function deskAt({ x, y }: { x: number; y: number }, made: Desk): ChartObject[] {
  const { row, desk, leftDesks, seatsPerDesk, deskWidth, rows, desksPerRow } = made;
  const name = rowName(row);
  const isStart = desk === 0;
  const isAfterAisle = desk === leftDesks;
  const seats: Row = {
    type: 'row',
    id: `row-${name}-${desk + 1}`.toLowerCase(),
    label: name,
    origin: { x: x + seatStep / 2, y },
    rotation: 0,
    curve: 0,
    seatCount: seatsPerDesk,
    seatSpacing: seatStep,
    seatLabelStart: 1 + desk * seatsPerDesk,
    categoryKey: row < Math.ceil(rows / 3) ? 'front' : 'seats',
    segmentedRow: {
      kind: 'segmented-row-v1',
      groupId: `row-${name}`.toLowerCase(),
      componentIndex: desk,
      componentCount: desksPerRow,
      boundaryBefore: isStart ? 'start' : isAfterAisle ? 'gap' : 'continuous',
      displayLabel: name,
    },
    ...(row === rows - 1 ? accessibleAt(made) : {}),
  };
  const top = { x: x + deskWidth / 2, y: y - 32, width: deskWidth, height: deskDepth };
  return [box(`desk-${name}-${desk + 1}`.toLowerCase(), top, { fill: '#c8b08f' }), seats];
}

/** The part of a pair at the start of the row that sits at this desk. The pair stays on one side of the aisle. */
function accessibleAt({ desk, leftDesks, seatsPerDesk }: Desk): { overrides?: Override[] } {
  const overrides = accessiblePair.overrides
    .map((place) => ({ ...place, index: place.index - desk * seatsPerDesk }))
    .filter(({ index }) => index >= 0 && index < seatsPerDesk);
  return desk < leftDesks && overrides.length > 0 ? { overrides } : {};
}
