/** The small house of a fresh installation. */
import { arcOutline, arcRow, rowLetters, stageShape } from './rings.mjs';

const demoStage = { x: 500, y: 60 };

/** The stage as the first three rows, the next three and the last two see it. */
const views = [1.1, 0.8, 0.55].map((size) => {
  const heads = Array.from({ length: 7 }, (_, head) => `<circle cx="${10 + 24 * head}" cy="${92 - 8 * size}" r="9"/>`);
  const stage = [
    '<path fill="#f3d9a4" d="M-70-34H70v52H-70z"/>',
    '<path fill="#8c2f39" d="M-78-38h24v56h-24zM54-38h24v56H54z"/>',
    '<path fill="#a8394a" d="M-78-38H78v10q-78 16-156 0z"/>',
    '<path fill="#5a3d2b" d="M-80 18H80v7H-80z"/>',
  ];
  const drawing = `<rect width="160" height="90" fill="#1d1620"/><g transform="translate(80 44) scale(${size})">${stage.join('')}</g><g fill="#0c080f">${heads.join('')}</g>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="960" height="540" viewBox="0 0 160 90">${drawing}</svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
});

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
        viewFromSeatUrl: views[Math.floor(row / 3)],
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
