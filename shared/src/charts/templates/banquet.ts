/** A banquet: round tables in a grid around a dance floor, before a stage. Pure. */
import type { ChartObject, Table } from '../document.ts';
import { radians, round } from './arcs.ts';
import { box } from './decor.ts';
import { accessiblePair } from './rows.ts';
import { defineTemplate } from './template.ts';

const chairStep = 25;
const chairsReach = 26;
const betweenTables = 46;

export const banquet = defineTemplate({
  id: 'banquet',
  name: 'Banquet',
  description: 'Round tables around a dance floor. The tables beside the dance floor are sold as a whole.',
  sizes: {
    tables: { label: 'Tables', min: 4, max: 400, default: 30 },
    seatsPerTable: { label: 'Chairs at a table', min: 4, max: 14, default: 8 },
  },
  draw({ tables, seatsPerTable }) {
    const radius = Math.max(36, (chairStep * seatsPerTable) / radians(360) - 16);
    const cell = 2 * (radius + chairsReach) + betweenTables;
    const grid = gridOf(tables);
    const floorWidth = grid.danceColumns * cell - betweenTables;
    const danceHeight = grid.danceRows * cell - betweenTables;
    const stageHeight = 110;
    const placed = cellsOf(tables, grid).map(({ column, row, isBeside }, index) => {
      const isLast = index === tables - 1;
      const center = { x: round((column - (grid.columns - 1) / 2) * cell), y: round(row * cell) };
      // The last table has the wheelchair place. Its chairs are sold one by one, wherever it stands.
      return tableAt(center, index + 1, { radius, seatsPerTable, isWhole: isBeside && !isLast, isLast });
    });
    const dance = { x: 0, y: ((grid.danceRows - 1) / 2) * cell, width: floorWidth, height: danceHeight };
    const stageY = -cell / 2 - stageHeight / 2 + betweenTables / 2 - 30;
    return {
      focalPoint: { x: 0, y: round(stageY) },
      categories: [
        { key: 'gala', label: 'Gala tables', color: '#b0893f', price: 160 },
        { key: 'tables', label: 'Tables', color: '#4f7f78', price: 110 },
      ],
      objects: [
        box('stage', { x: 0, y: stageY, width: floorWidth, height: stageHeight }, { label: 'Stage', role: 'stage' }),
        ...danceFloor(dance),
        ...placed,
      ],
    };
  },
});

type Grid = { columns: number; danceColumns: number; danceRows: number };
type Cell = { column: number; row: number; isBeside: boolean };

/** The dance floor lies in the middle: its columns and the hall's are both even or both odd. */
function gridOf(tables: number): Grid {
  const columns = Math.max(4, Math.ceil(Math.sqrt(tables * 1.9)));
  const third = Math.max(2, Math.round(columns / 3));
  const danceColumns = (columns - third) % 2 === 0 ? third : third + 1;
  return { columns, danceColumns, danceRows: Math.max(1, Math.ceil(danceColumns / 2)) };
}

/** Row by row from the stage; the last row is centred. */
function cellsOf(tables: number, { columns, danceColumns, danceRows }: Grid): Cell[] {
  const cells: Cell[] = [];
  const free = (columns - danceColumns) / 2;
  for (let row = 0; cells.length < tables; row++) {
    const isOpen = (column: number) => row >= danceRows || column < free || column >= columns - free;
    const open = Array.from({ length: columns }, (_, column) => column).filter(isOpen);
    const left = tables - cells.length;
    const isLast = left < open.length && row >= danceRows;
    const taken = isLast ? open.slice(0, left).map((column) => column + (columns - left) / 2) : open.slice(0, left);
    for (const column of taken) {
      const across = column >= free - 1 && column <= columns - free;
      cells.push({ column, row, isBeside: row <= danceRows && across });
    }
  }
  return cells;
}

type Form = { radius: number; seatsPerTable: number; isWhole: boolean; isLast: boolean };

function tableAt(center: Table['center'], number: number, { radius, seatsPerTable, isWhole, isLast }: Form): Table {
  return {
    type: 'table',
    id: `table-${number}`,
    label: `T${number}`,
    center,
    shape: 'round',
    radius: round(radius),
    seatCount: seatsPerTable,
    rotation: round(-90 - 180 / seatsPerTable),
    categoryKey: isWhole ? 'gala' : 'tables',
    ...(isWhole ? { bookAsWhole: true } : {}),
    ...(isLast ? accessiblePair : {}),
  };
}

function danceFloor(floor: { x: number; y: number; width: number; height: number }): ChartObject[] {
  const { x, y, width, height } = floor;
  return [
    box('dance-floor-edge', { x, y, width, height }, { fill: '#8a6a45' }),
    box('dance-floor', { x, y, width: width - 12, height: height - 12 }, { label: 'Dance floor', fill: '#c9a77c' }),
  ];
}
