/** A cabaret: round tables in arcs that open towards the stage, and raised rows behind them. Pure. */
import type { Table } from '../document.ts';
import { polar, radians, round, sweepOf } from './arcs.ts';
import { apronStage, box } from './decor.ts';
import { accessiblePair } from './rows.ts';
import { defineTemplate } from './template.ts';
import { farOf, tier, wingsOf } from './tiers.ts';

const centre = { x: 0, y: 0 };
const sweep = 132;
/** The part of a table that has chairs; the gap looks at the stage. */
const seatArc = 250;
const chairsReach = 26;
const chairStep = 26;
const betweenTables = 20;
const stageRadius = 190;

export const cabaret = defineTemplate({
  id: 'cabaret',
  name: 'Cabaret',
  description: 'Round tables that open towards the stage, the first ones sold as a whole, and raised rows at the back.',
  sizes: {
    tables: { label: 'Tables', min: 6, max: 300, default: 32 },
    seatsPerTable: { label: 'Chairs at a table', min: 2, max: 10, default: 4 },
    raisedRows: { label: 'Raised rows', min: 0, max: 10, default: 2 },
  },
  draw({ tables, seatsPerTable, raisedRows }) {
    const radius = Math.max(26, (chairStep * (seatsPerTable - 1)) / radians(seatArc) - 16);
    const pitch = 2 * (radius + chairsReach) + betweenTables;
    const first = stageRadius + 70 + pitch / 2;
    const rings = ringsOf(tables, first, pitch);
    const floor = rings.flatMap((ring, index) =>
      ringOfTables(ring, index, { radius, seatsPerTable, pitch, isLast: index === rings.length - 1 }),
    );
    const last = first + (rings.length - 1) * pitch;
    const near = last + pitch / 2 + 60;
    const raised = { label: 'Raised', near, rows: raisedRows, wings: wingsOf(sweep * 0.75, near), accessibleRow: 0 };
    const barY = (raisedRows > 0 ? farOf(raised) : near) + 90;
    return {
      focalPoint: { x: 0, y: stageRadius },
      categories: [
        { key: 'front', label: 'Front tables', color: '#b5446e', price: 70 },
        { key: 'tables', label: 'Tables', color: '#c07a1f', price: 55 },
        ...(raisedRows > 0 ? [{ key: 'raised', label: 'Raised rows', color: '#3f7cac', price: 35 }] : []),
      ],
      objects: [
        apronStage(centre, stageRadius, 116, 70),
        ...floor,
        ...(raisedRows > 0 ? tier({ ...raised, categoryOf: () => 'raised' }) : []),
        box('bar', { x: 0, y: barY, width: 360, height: 50 }, { label: 'Bar', fill: '#7b6652' }),
      ],
    };
  },
});

type Ring = { radius: number; count: number; firstNumber: number };

/** Full rings but for the last, which takes the rest. */
function ringsOf(tables: number, first: number, pitch: number): Ring[] {
  const rings: Ring[] = [];
  for (let placed = 0, radius = first; placed < tables; radius += pitch) {
    const room = Math.floor((radius * radians(sweep)) / pitch) + 1;
    const count = Math.min(room, tables - placed);
    rings.push({ radius, count, firstNumber: placed + 1 });
    placed += count;
  }
  return rings;
}

type Form = { radius: number; seatsPerTable: number; pitch: number; isLast: boolean };

function ringOfTables(ring: Ring, index: number, { radius, seatsPerTable, pitch, isLast }: Form): Table[] {
  const room = Math.floor((ring.radius * radians(sweep)) / pitch);
  const step = ring.count > room ? sweep / ring.count : sweepOf(pitch, ring.radius);
  return Array.from({ length: ring.count }, (_, at) => {
    // From left to right, as the audience sees it.
    const degrees = 90 - (at - (ring.count - 1) / 2) * step;
    const label = `T${ring.firstNumber + at}`;
    // The last ring has tables that are sold by the chair, though it may be the first one too.
    const isFront = index === 0 && !(isLast && (at === 0 || at === ring.count - 1));
    return {
      type: 'table' as const,
      id: `table-${ring.firstNumber + at}`,
      label,
      center: polar(centre, ring.radius, degrees),
      shape: 'round' as const,
      radius: round(radius),
      seatCount: seatsPerTable,
      seatArc,
      rotation: round(degrees + 180),
      categoryKey: isFront ? 'front' : 'tables',
      ...(isFront ? { bookAsWhole: true } : at === 0 && isLast ? accessiblePair : {}),
    };
  });
}
