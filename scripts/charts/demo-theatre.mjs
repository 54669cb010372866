/** The small house of a fresh installation. */
import { arcOutline, arcRow, rowLetters, stageShape } from './rings.mjs';

const demoStage = { x: 500, y: 60 };

/** Eight rows A to H on both sides of an aisle, a table, a booth and a standing area. */
export function demoTheatre() {
  // Rows lie on circles around a point far behind the stage, which gives them a slight curve.
  const centre = { x: demoStage.x, y: -700 };
  const rows = Array.from({ length: 8 }, (_, row) =>
    [10, -10].map((side) =>
      arcRow(centre, 920 + row * 34, 90 + side, 12, {
        id: `row-${rowLetters[row].toLowerCase()}-${side > 0 ? 'left' : 'right'}`,
        label: rowLetters[row],
        seatCount: 6,
        seatLabelStart: side > 0 ? 1 : 7,
        categoryKey: row < 3 ? 'premium' : 'standard',
        ...(row === 7 && side > 0
          ? {
              overrides: [
                { index: 0, accessibility: ['wheelchair'] },
                { index: 1, accessibility: ['companion'] },
              ],
            }
          : {}),
      }),
    ),
  ).flat();
  const stalls = arcOutline(centre, 890, 1_200, 90, 36);
  return {
    version: 1,
    name: 'Demo theatre',
    venueType: 'MIXED',
    focalPoint: demoStage,
    categories: [
      {
        key: 'premium',
        label: 'Premium',
        color: '#8c2f39',
        tiers: [
          { id: 'adult', name: 'Adult', price: 60 },
          { id: 'child', name: 'Child', price: 30 },
        ],
      },
      {
        key: 'standard',
        label: 'Standard',
        color: '#2d5f9a',
        tiers: [
          { id: 'adult', name: 'Adult', price: 40 },
          { id: 'child', name: 'Child', price: 20 },
        ],
      },
      { key: 'standing', label: 'Standing', color: '#55803a', price: 15 },
    ],
    zones: [{ id: 'stalls', label: 'Stalls', focalPoint: demoStage }],
    objects: [
      stageShape(demoStage),
      { type: 'section', id: 'stalls', label: 'Stalls', outline: stalls, zone: 'stalls' },
      ...rows,
      { ...demoPlace('table', 'table-1', 'Table 1', 110), shape: 'round', seatCount: 6, bookAsWhole: true },
      { ...demoPlace('booth', 'booth-1', 'Booth 1', 890), width: 80, height: 50 },
      {
        type: 'gaArea',
        id: 'standing',
        label: 'Standing',
        points: [
          { x: 300, y: 540 },
          { x: 700, y: 540 },
          { x: 700, y: 620 },
          { x: 300, y: 620 },
        ],
        capacity: 20,
        categoryKey: 'standing',
      },
    ],
  };
}

const demoPlace = (type, id, label, x) => ({
  type,
  id,
  label,
  center: { x, y: 160 },
  rotation: 0,
  categoryKey: 'premium',
});
