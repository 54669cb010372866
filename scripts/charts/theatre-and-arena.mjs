/** The mixed venue: 20,000 places of every kind, with the numbering and exceptions of real halls. */
import { block, polar, stageShape } from './rings.mjs';

const theatrePlaces = 20_000;
const theatreCategories = [
  {
    key: 'stalls',
    label: 'Stalls',
    color: '#8c2f39',
    tiers: [
      { id: 'adult', name: 'Adult', price: 80 },
      { id: 'child', name: 'Child', price: 40 },
      { id: 'companion', name: 'Companion', price: 0, restriction: 'companion' },
      { id: 'wheelchair', name: 'Wheelchair', price: 60, applicability: { accessibility: ['wheelchair'] } },
    ],
  },
  { key: 'balcony', label: 'Balcony', color: '#3d5a80', price: 45 },
  { key: 'cabaret', label: 'Cabaret', color: '#b08d57', price: 95 },
  { key: 'booth', label: 'Booth', color: '#5f4b66', price: 400 },
  { key: 'arena', label: 'Arena', color: '#33658a', price: 55 },
  { key: 'standing', label: 'Standing', color: '#55a630', price: 30 },
  { key: 'production', label: 'Production', color: '#444444', notForSale: true },
];

/** A theatre (stalls, balcony, cabaret tables, booths) beside an arena with a standing floor. */
export function theatreAndArena() {
  const seated = [...theatreSeats(), ...cabaretTables(), ...booths(), ...arenaSeats()];
  const standing = {
    type: 'gaArea',
    id: 'floor',
    label: 'Floor',
    points: [
      polar(arenaCentre, 900, 225),
      polar(arenaCentre, 900, 315),
      polar(arenaCentre, 900, 45),
      polar(arenaCentre, 900, 135),
    ],
    categoryKey: 'standing',
    capacity: theatrePlaces - placesIn(seated),
  };
  return {
    version: 1,
    name: 'Theatre and arena',
    venueType: 'MIXED',
    focalPoint: theatreStage,
    categories: theatreCategories,
    zones: [
      { id: 'theatre', label: 'Theatre', focalPoint: theatreStage },
      { id: 'arena', label: 'Arena', focalPoint: arenaCentre },
    ],
    objects: [stageShape(theatreStage), ...seated, standing],
  };
}

const theatreStage = { x: 0, y: 0 };
const arenaCentre = { x: 12_000, y: 2_000 };

/**
 * Seat numbers: house left counts towards the middle, house right away from the middle, the middle from its centre seat
 * outward.
 */
function theatreSeats() {
  const wings = [
    { id: 'left', label: 'L', degrees: 125, seatCount: 20, direction: 'rtl' },
    { id: 'centre', label: 'C', degrees: 90, seatCount: 30, direction: 'center' },
    { id: 'right', label: 'R', degrees: 55, seatCount: 20, direction: 'ltr' },
  ];
  const levels = [
    { id: 'stalls', label: 'S', near: 700, rows: 26 },
    { id: 'balcony', label: 'B', near: 1_700, rows: 14 },
  ];
  return levels.flatMap(({ id, label, near, rows }) =>
    wings.flatMap((wing) =>
      block({
        id: `${id}-${wing.id}`,
        label: label + wing.label,
        zone: 'theatre',
        centre: theatreStage,
        near,
        rows,
        pitch: 30,
        degrees: wing.degrees,
        sweep: 28,
        seatCount: wing.seatCount,
        categoryKey: id,
        extra: (row) => ({ seatNumbering: { direction: wing.direction }, ...theatreOverrides(row, rows) }),
      }),
    ),
  );
}

/** The last row has wheelchair places with companions beside them; in the fifth a pillar takes a seat and moves one. */
function theatreOverrides(row, rows) {
  if (row === rows - 1) {
    return {
      overrides: [
        { index: 0, accessibility: ['wheelchair'] },
        { index: 1, accessibility: ['companion'] },
        { index: 8, accessible: true },
        { index: 9, accessibility: ['companion'] },
        { index: 12, accessibility: ['hearing', 'plus-size'] },
      ],
    };
  }
  if (row === 4)
    return {
      overrides: [
        { index: 5, skip: true },
        { index: 6, dx: 4, dy: -3 },
      ],
    };
  return row === 0 ? { overrides: [{ index: 2, categoryKey: 'production' }] } : {};
}

/** A hundred tables in ten lines: sold by chair, as a whole, for a number of guests, and long tables by chair. */
function cabaretTables() {
  return Array.from({ length: 100 }, (_, index) => {
    const table = {
      type: 'table',
      id: `table-${index + 1}`,
      label: `T${index + 1}`,
      center: { x: -4_000 + (index % 10) * 160, y: Math.floor(index / 10) * 160 },
      rotation: 0,
      categoryKey: 'cabaret',
    };
    if (index % 10 === 9) return { ...table, shape: 'rect', seatCount: 6, sides: ['top', 'bottom', 'left'] };
    if (index % 10 === 8) {
      return { ...table, shape: 'round', seatCount: 10, variableOccupancy: true, minOccupancy: 4, maxOccupancy: 10 };
    }
    if (index % 3 === 0) return { ...table, shape: 'round', seatCount: 8, bookAsWhole: true };
    return { ...table, shape: 'round', seatCount: 8, seatArc: 300 };
  });
}

function booths() {
  return Array.from({ length: 30 }, (_, index) => ({
    type: 'booth',
    id: `booth-${index + 1}`,
    label: `Booth ${index + 1}`,
    center: { x: -4_400, y: index * 60 },
    width: 80,
    height: 50,
    rotation: 0,
    categoryKey: 'booth',
  }));
}

function arenaSeats() {
  return Array.from({ length: 30 }, (_, index) =>
    block({
      id: `arena-${index + 1}`,
      label: `A${index + 1}`,
      zone: 'arena',
      centre: arenaCentre,
      near: 2_500,
      rows: 20,
      pitch: 26,
      degrees: index * 12,
      sweep: 10.5,
      seatCount: 25,
      categoryKey: 'arena',
      extra: (row) => (row % 2 === 1 ? { seatNumbering: { direction: 'ltr', scheme: 'odd' } } : {}),
    }),
  ).flat();
}

/** Units of objects other than areas, to fill the house to an exact number. */
function placesIn(objects) {
  return objects.reduce((sum, object) => {
    if (object.type === 'section') return sum;
    if (object.type === 'booth' || object.bookAsWhole || object.variableOccupancy) return sum + 1;
    return sum + object.seatCount - (object.overrides ?? []).filter(({ skip }) => skip).length;
  }, 0);
}
