/** A theatre: curved stalls between aisles that widen towards the back, and a balcony behind them. Pure. */
import { radians } from './arcs.ts';
import { apronStage } from './decor.ts';
import { SEAT } from './rows.ts';
import { defineTemplate } from './template.ts';
import { aisle, farOf, tier, wingsOf } from './tiers.ts';

const sweep = 84;
const stageGap = 70;
const crossAisle = 74;

export const theatre = defineTemplate({
  id: 'theatre',
  name: 'Theatre with balcony',
  description: 'Curved stalls between aisles before a stage, and a balcony behind them.',
  sizes: {
    rows: { label: 'Rows of the stalls', min: 4, max: 40, default: 12 },
    seatsPerRow: { label: 'Seats in the front row', min: 12, max: 80, default: 22 },
    balconyRows: { label: 'Rows of the balcony', min: 2, max: 20, default: 5 },
  },
  draw({ rows, seatsPerRow, balconyRows }) {
    // Three wings at the front, with two aisles.
    const near = ((seatsPerRow - 3) * SEAT + 2 * aisle) / radians(sweep);
    const balconyNear = farOf({ near, rows }) + crossAisle;
    const wings = wingsOf(sweep, balconyNear);
    const middle = Math.floor(wings.length / 2);
    const premiumWings = Math.floor(wings.length / 5);
    const premiumRows = Math.ceil(rows / 3);
    const rearRows = Math.floor(rows / 4);
    const categoryOf = (row: number, wing: number) => {
      if (row >= rows - rearRows) return 'rear-stalls';
      return row < premiumRows && Math.abs(wing - middle) <= premiumWings ? 'premium' : 'stalls';
    };
    const stalls = { label: 'Stalls', zone: 'stalls', near, rows, wings, categoryOf, accessibleRow: rows - 1 };
    const balcony = { label: 'Balcony', zone: 'balcony', near: balconyNear, rows: balconyRows, wings };
    const front = near - stageGap;
    return {
      focalPoint: { x: 0, y: Math.round(front) },
      categories: [
        { key: 'premium', label: 'Premium stalls', color: '#a4243b', price: 85 },
        { key: 'stalls', label: 'Stalls', color: '#c07a1f', price: 65 },
        { key: 'rear-stalls', label: 'Rear stalls', color: '#4f8a5b', price: 45 },
        { key: 'balcony', label: 'Balcony', color: '#3f6fb5', price: 30 },
      ],
      zones: [
        { id: 'stalls', label: 'Stalls' },
        { id: 'balcony', label: 'Balcony' },
      ],
      objects: [
        apronStage({ x: 0, y: 0 }, front, sweep * 0.72, Math.max(90, front * 0.28)),
        ...tier(stalls),
        ...tier({ ...balcony, categoryOf: () => 'balcony', accessibleRow: null }),
      ],
    };
  },
});
