/** A standing club: three areas of general admission, tables along the walls, a platform for wheelchairs. Pure. */
import type { GaArea, Row, Table } from '../document.ts';
import type { Point } from '../plan.ts';
import { box, text } from './decor.ts';
import { SEAT } from './rows.ts';
import { defineTemplate } from './template.ts';

const tableStep = 124;
const width = 900;
const frontDepth = 170;

export const club = defineTemplate({
  id: 'club',
  name: 'Standing club',
  description:
    'Standing room in front of the stage, on the floor and on the gallery, with tables for two to six guests along the walls.',
  sizes: {
    capacity: { label: 'Standing places', min: 50, max: 50_000, default: 900 },
    tables: { label: 'Tables', min: 0, max: 40, default: 8 },
  },
  draw({ capacity, tables }) {
    const onSide = Math.ceil(tables / 2);
    const floorDepth = Math.max(360, onSide * tableStep - frontDepth + 30);
    const front = Math.floor(capacity * 0.2);
    const gallery = Math.floor(capacity * 0.25);
    const half = width / 2;
    const floorTop = frontDepth + 24;
    const floorEnd = floorTop + floorDepth;
    return {
      focalPoint: { x: 0, y: -40 },
      categories: [
        { key: 'front', label: 'Front of stage', color: '#c2416b', price: 55 },
        { key: 'floor', label: 'Floor', color: '#7a5cad', price: 38 },
        { key: 'gallery', label: 'Gallery', color: '#2f8f9d', price: 32 },
        ...(tables > 0 ? [{ key: 'tables', label: 'Tables', color: '#c07a1f', price: 90 }] : []),
        { key: 'platform', label: 'Accessible platform', color: '#4c7a34', price: 38 },
      ],
      objects: [
        box('stage', { x: 0, y: -100, width: 620, height: 120 }, { label: 'Stage', role: 'stage' }),
        area('front', 'Front of stage', front, [
          { x: -half + 130, y: 0 },
          { x: half - 130, y: 0 },
          { x: half - 40, y: frontDepth },
          { x: -half + 40, y: frontDepth },
        ]),
        {
          ...area('floor', 'Floor', capacity - front - gallery, rectangle(-half + 30, floorTop, half - 30, floorEnd)),
          holes: [rectangle(-165, floorEnd - 110, 165, floorEnd - 34)],
        },
        box('sound', { x: 0, y: floorEnd - 72, width: 300, height: 46 }, { label: 'Sound', fill: '#5d6470' }),
        area('gallery', 'Gallery', gallery, rectangle(-half - 90, floorEnd + 112, half + 90, floorEnd + 280)),
        box('bar', { x: half - 190, y: floorEnd + 55, width: 320, height: 50 }, { label: 'Bar', fill: '#7b6652' }),
        text('platform-text', 'Accessible platform', { x: -half + 170, y: floorEnd + 76 }, 20),
        platform(-half + 86, floorEnd + 44),
        ...sideTables(tables, half + 40),
      ],
    };
  },
});

function area(id: string, label: string, capacity: number, points: Point[]): GaArea {
  return { type: 'gaArea', id, label, capacity, points, categoryKey: id };
}

function rectangle(left: number, top: number, right: number, bottom: number): Point[] {
  return [
    { x: left, y: top },
    { x: right, y: top },
    { x: right, y: bottom },
    { x: left, y: bottom },
  ];
}

/** Wheelchair places with companions beside them, in turn. */
function platform(x: number, y: number): Row {
  const pairs = 4;
  return {
    type: 'row',
    id: 'platform',
    label: 'Platform-A',
    origin: { x, y },
    rotation: 0,
    curve: 0,
    seatCount: pairs * 2,
    seatSpacing: SEAT,
    categoryKey: 'platform',
    overrides: Array.from({ length: pairs * 2 }, (_, index) => ({
      index,
      accessibility: [index % 2 === 0 ? ('wheelchair' as const) : ('companion' as const)],
    })),
  };
}

/** In turn on the left and on the right. */
function sideTables(tables: number, away: number): Table[] {
  return Array.from({ length: tables }, (_, index) => ({
    type: 'table' as const,
    id: `table-${index + 1}`,
    label: `T${index + 1}`,
    center: { x: (index % 2 === 0 ? -1 : 1) * away, y: 60 + Math.floor(index / 2) * tableStep },
    shape: 'round' as const,
    radius: 32,
    seatCount: 6,
    rotation: 30,
    categoryKey: 'tables',
    variableOccupancy: true,
    minOccupancy: 2,
    maxOccupancy: 6,
  }));
}
