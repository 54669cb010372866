/** A stadium: tiers of stands all around a pitch. Pure. */
import type { ChartObject } from '../document.ts';
import { box, text } from './decor.ts';
import { PITCH } from './rows.ts';
import { type CompassPoint, type Ground, halfOf, places, stands } from './stands.ts';
import { defineTemplate } from './template.ts';

const corner = 190;
const tierGap = 90;
/** From the pitch to the first row. */
const track = 90;
const tiers = [
  { key: 'lower', label: 'Lower tier', colours: ['#a83246', '#cf6a45'], prices: [95, 70] },
  { key: 'middle', label: 'Middle tier', colours: ['#3f7d58', '#8f9a38'], prices: [75, 55] },
  { key: 'upper', label: 'Upper tier', colours: ['#2c5d8a', '#5590bd'], prices: [45, 30] },
] as const;
/** The tiers of a stadium with so many. */
const chosen = [[0], [0, 2], [0, 1, 2]] as const;

export const stadium = defineTemplate({
  id: 'stadium',
  name: 'Stadium bowl',
  description: 'Tiers of stands all around a pitch, with a zone for each side.',
  sizes: {
    tiers: { label: 'Tiers', min: 1, max: 3, default: 2 },
    rowsPerTier: { label: 'Rows of a tier', min: 4, max: 35, default: 14 },
    seatsPerRow: { label: 'Seats in a row of a section', min: 8, max: 30, default: 18 },
  },
  draw({ tiers: count, rowsPerTier, seatsPerRow }) {
    const ground: Ground = { across: 5, along: 3, seatsPerRow, corner };
    const half = halfOf(ground);
    const own = chosen[count - 1]!.map((index) => tiers[index]!);
    const depth = (rowsPerTier - 1) * PITCH + tierGap;
    const rings = own.flatMap(({ key }, index) =>
      stands(ground, {
        number: (index + 1) * 100,
        away: index * depth,
        rows: rowsPerTier,
        places,
        categoryOf: (place) => (isLong(place) ? `${key}-side` : `${key}-end`),
        accessibleRow: index === 0 ? rowsPerTier - 1 : null,
      }),
    );
    const edge = { x: half.x + corner + own.length * depth, y: half.y + corner + own.length * depth };
    const width = 2 * (half.x + corner - track);
    const height = 2 * (half.y + corner - track);
    return {
      focalPoint: { x: 0, y: 0 },
      categories: own.flatMap(({ key, label, colours, prices }) => [
        { key: `${key}-side`, label: `${label}, side`, color: colours[0], price: prices[0] },
        { key: `${key}-end`, label: `${label}, end`, color: colours[1], price: prices[1] },
      ]),
      zones: [
        { id: 'north', label: 'North stand' },
        { id: 'east', label: 'East stand' },
        { id: 'south', label: 'South stand' },
        { id: 'west', label: 'West stand' },
      ],
      objects: [...pitch(width, height), ...rings, ...gates(edge)],
    };
  },
});

const isLong = (place: CompassPoint): boolean => place === 'north' || place === 'south';

const grass = '#4f9153';
const line = '#e8f1e6';
const stroke = 5;

/** Lines are shapes that a slightly smaller shape of grass covers. */
function pitch(width: number, height: number): ChartObject[] {
  const area = { width: width * 0.15, height: height * 0.56 };
  const goal = { width: width * 0.055, height: height * 0.27 };
  const field = { width: width - 50, height: height - 50 };
  const round = Math.min(field.width, field.height) * 0.28;
  const marked = (
    id: string,
    x: number,
    size: { width: number; height: number },
    kind: 'rect' | 'ellipse' = 'rect',
  ) => [
    box(`${id}-line`, { x, y: 0, ...size }, { fill: line, kind }),
    box(id, { x, y: 0, width: size.width - 2 * stroke, height: size.height - 2 * stroke }, { fill: grass, kind }),
  ];
  const atEnd = (id: string, side: number, size: { width: number; height: number }) =>
    marked(id, side * (field.width / 2 - size.width / 2), size);
  return [
    box('pitch', { x: 0, y: 0, width, height }, { fill: grass, role: 'field' }),
    ...marked('field', 0, field),
    ...marked('centre-circle', 0, { width: round, height: round }, 'ellipse'),
    box('halfway', { x: 0, y: 0, width: stroke, height: field.height }, { fill: line }),
    ...[-1, 1].flatMap((side) => {
      const name = side < 0 ? 'west' : 'east';
      return [...atEnd(`${name}-area`, side, area), ...atEnd(`${name}-goal-area`, side, goal)];
    }),
  ];
}

function gates({ x, y }: { x: number; y: number }): ChartObject[] {
  const size = 70;
  return [
    text('gate-a', 'Gate A', { x: 0, y: -y }, size),
    text('gate-b', 'Gate B', { x: x + 90, y: 0 }, size),
    text('gate-c', 'Gate C', { x: 0, y }, size),
    text('gate-d', 'Gate D', { x: -x - 90, y: 0 }, size),
  ];
}
