/**
 * A concert arena: a stage at one end, rows of chairs on the floor, and two tiers of stands around three sides. Pure.
 */
import type { ChartObject } from '../document.ts';
import { box } from './decor.ts';
import { accessibleEnds, blockOutline, PITCH, SEAT, section, straightRows } from './rows.ts';
import { type CompassPoint, type Ground, halfOf, stands } from './stands.ts';
import { defineTemplate } from './template.ts';

const corner = 230;
const tierGap = 96;
/** From the chairs on the floor to the stands, and between the blocks. */
const walkway = 110;
const aisle = 76;
const around: readonly CompassPoint[] = ['east', 'south-east', 'south', 'south-west', 'west'];

export const arena = defineTemplate({
  id: 'arena',
  name: 'Arena',
  description: 'A stage with a runway, chairs on the floor, and two tiers of stands around three sides.',
  sizes: {
    lowerRows: { label: 'Rows of the lower tier', min: 3, max: 25, default: 9 },
    upperRows: { label: 'Rows of the upper tier', min: 3, max: 25, default: 7 },
    seatsPerRow: { label: 'Seats in a row of a section', min: 10, max: 24, default: 13 },
    sideSections: { label: 'Sections along each side', min: 2, max: 6, default: 4 },
  },
  draw({ lowerRows, upperRows, seatsPerRow, sideSections }) {
    const ground: Ground = { across: 3, along: sideSections, seatsPerRow, corner };
    const half = halfOf(ground);
    const lower = stands(ground, {
      places: around,
      number: 100,
      away: 0,
      rows: lowerRows,
      categoryOf: (_, row) => (row < Math.ceil(lowerRows / 2) ? 'lower-front' : 'lower'),
      accessibleRow: lowerRows - 1,
    });
    const upper = stands(ground, {
      places: around,
      number: 200,
      away: (lowerRows - 1) * PITCH + tierGap,
      rows: upperRows,
      categoryOf: () => 'upper',
      accessibleRow: null,
    });
    const stage = { x: 0, y: -half.y - 40, width: half.x * 1.5, height: 220 };
    const front = stage.y + stage.height / 2;
    const back = half.y + corner - walkway;
    return {
      focalPoint: { x: 0, y: Math.round(front) },
      categories: [
        { key: 'floor-front', label: 'Floor, front', color: '#8e3b8a', price: 120 },
        { key: 'floor', label: 'Floor', color: '#c2416b', price: 95 },
        { key: 'lower-front', label: 'Lower tier, front', color: '#e08e45', price: 85 },
        { key: 'lower', label: 'Lower tier', color: '#2a9d8f', price: 65 },
        { key: 'upper', label: 'Upper tier', color: '#4470b0', price: 40 },
      ],
      zones: [
        { id: 'floor', label: 'Floor' },
        { id: 'east', label: 'East' },
        { id: 'south', label: 'South' },
        { id: 'west', label: 'West' },
      ],
      objects: [
        box('stage', stage, { label: 'Stage', role: 'stage' }),
        ...runway(front),
        ...floorBlocks({ front: front + 40, back, halfWidth: half.x + corner - walkway }),
        ...lower,
        ...upper,
      ],
    };
  },
});

const runwayLength = 190;

/** From the stage into the hall, with a small round stage at its end. */
function runway(front: number): ChartObject[] {
  const radius = 62;
  return [
    box('runway', { x: 0, y: front + runwayLength / 2 - 10, width: 56, height: runwayLength }, { role: 'stage' }),
    box(
      'round-stage',
      { x: 0, y: front + runwayLength, width: 2 * radius, height: 2 * radius },
      { kind: 'ellipse', role: 'stage' },
    ),
  ];
}

type Floor = { front: number; back: number; halfWidth: number };

/** Six blocks of chairs, A to F, with the sound desk between the front and the back blocks. */
function floorBlocks({ front, back, halfWidth }: Floor): ChartObject[] {
  const seatCount = Math.max(4, Math.floor((2 * halfWidth - 2 * aisle) / 3 / SEAT));
  const width = (seatCount - 1) * SEAT;
  const rowsOf = (from: number, to: number) => Math.max(2, Math.floor((to - from) / PITCH) + 1);
  const middle = (front + back) / 2;
  const desk = { x: 0, y: middle, width: 150, height: 56 };
  const halves = [
    { starts: [front, front + runwayLength + 60, front], end: middle - walkway / 2 - 20 },
    { starts: [1, 1, 1].map(() => middle + walkway / 2 + 40), end: back },
  ];
  const blocks = halves.flatMap(({ starts, end }, at) =>
    starts.flatMap((start, column) => {
      const label = 'ABCDEF'[at * 3 + column]!;
      const rows = rowsOf(start, end);
      // Blocks of one half end in one line.
      const first = end - (rows - 1) * PITCH;
      const block = { middle: { x: (column - 1) * (width + aisle), y: first }, degrees: 90, rows, seatCount };
      const seats = straightRows(block, (row) => ({
        id: `floor-${label}-${row + 1}`.toLowerCase(),
        label: `${label}-${row + 1}`,
        categoryKey: at === 0 ? 'floor-front' : 'floor',
        ...(at === 1 && row === rows - 1 ? accessibleEnds(seatCount) : {}),
      }));
      const outline = blockOutline(block, 22);
      return [
        section(`floor-${label}`.toLowerCase(), label, outline, { zone: 'floor', displayLabel: `Floor ${label}` }),
        ...seats,
      ];
    }),
  );
  return [box('sound', desk, { label: 'Sound', fill: '#5d6470' }), ...blocks];
}
