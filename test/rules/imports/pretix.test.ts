/** Imports of pretix seating plans, in both of their versions. The plans are written here in the form of pretix. */
import { expect, test } from 'vitest';
import { codesOf, greatestDistance, imported } from '../../support/imports/imported.ts';

const seat = (number: number, x: number, category = 'Stalls') => ({
  seat_guid: `s-${number}-${x}`,
  seat_number: String(number),
  position: { x, y: 0 },
  category,
});

const row = (label: string, y: number) => ({
  row_number: label,
  row_number_position: 'both',
  seat_label: 'Seat %s',
  position: { x: 5, y },
  seats: [1, 2, 3, 4].map((n) => seat(n, n * 25)),
});

const plan = (areas: object[]) =>
  JSON.stringify({
    name: 'House',
    size: { width: 1000, height: 800 },
    categories: [
      { name: 'Stalls', color: '#336699' },
      { name: 'Balcony', color: 'red' },
    ],
    zones: [
      { name: 'Ground floor', position: { x: 100, y: 200 }, rows: [row('1', 0), row('2', 30)], areas },
      { name: 'Upper floor', zone_id: 'up', position: { x: 100, y: 500 }, rows: [row('1', 0)] },
    ],
  });

test.each([
  [
    'newer',
    {
      shape: 'rectangle',
      color: '#cccccc',
      border_color: '#000000',
      rotation: 0,
      position: { x: 0, y: -100 },
      rectangle: { width: 200, height: 60 },
      text: { text: 'Stage', position: { x: 100, y: 30 }, color: '#000000', size: 16 },
    },
  ],
  [
    'older',
    {
      width: 200,
      height: 60,
      position: { x: 0, y: -100 },
      rotation: 0,
      text: 'Stage',
      color: '#cccccc',
      border_color: '#000000',
    },
  ],
])('a plan of the %s version keeps its seats where zone, row and seat put them', (_, area) => {
  const { document, report, places } = imported(plan([area]));
  expect([report.format, report.publishIssues]).toEqual(['pretix', []]);
  expect(report.understood).toMatchObject({ rows: 3, seats: 12, sections: 2, shapes: 1, texts: 1, categories: 2 });
  // Row 1 stands in both zones, so the zone comes first.
  const wanted: [string, { x: number; y: number }][] = [
    ['Ground floor-1-1', { x: 130, y: 200 }],
    ['Ground floor-2-4', { x: 205, y: 230 }],
    ['Upper floor-1-2', { x: 155, y: 500 }],
  ];
  expect(greatestDistance(places, wanted)).toBeLessThan(0.5);
  expect(codesOf(report)).toEqual(
    expect.arrayContaining(['section_in_labels', 'not_in_the_format', 'no_focal_point', 'seat_guids']),
  );
  const stage = document.objects.find(({ type }) => type === 'shape') as unknown as {
    points: { x: number; y: number }[];
  };
  expect(stage.points[0]).toEqual({ x: 100, y: 100 });
  expect(stage.points[2]).toEqual({ x: 300, y: 160 });
  expect(JSON.stringify(document)).toContain('Seat 3');
  expect(document.objects.find(({ type }) => type === 'text')).toMatchObject({
    text: 'Stage',
    center: { x: 200, y: 130 },
    fontSize: 16,
  });
});

test('all shapes of the newer version become decoration', () => {
  const at = { position: { x: 10, y: 10 }, rotation: 90, color: '#ffffff', border_color: '#000000' };
  const areas = [
    {
      ...at,
      shape: 'polygon',
      polygon: {
        points: [
          { x: 0, y: 0 },
          { x: 10, y: 0 },
          { x: 10, y: 10 },
        ],
      },
    },
    { ...at, shape: 'ellipse', ellipse: { radius: { x: 20, y: 10 } } },
    { ...at, shape: 'circle', circle: { radius: 5 } },
    { ...at, shape: 'text', text: { text: 'Exit', position: { x: 0, y: 0 }, color: '#000000', size: 12 } },
  ];
  const { document, report } = imported(plan(areas));
  expect(report.understood).toMatchObject({ shapes: 3, texts: 1 });
  const [polygon] = document.objects as unknown as { points: { x: number; y: number }[] }[];
  expect(polygon!.points[1]).toEqual({ x: 110, y: 220 });
});

test('a seat of an unknown category, and a seat without a position, are told', () => {
  const zones = [
    {
      position: { x: 0, y: 0 },
      rows: [{ row_number: 'A', seats: [seat(1, 0, 'Gone'), { ...seat(2, 20), position: null }] }],
    },
  ];
  const { report, places } = imported(
    JSON.stringify({ name: 'X', zones, categories: [{ name: 'Stalls', color: '#123456' }] }),
  );
  expect([...places.keys()]).toEqual(['A-1']);
  expect(codesOf(report)).toEqual(expect.arrayContaining(['unknown_category', 'seat_without_position']));
});

test('an area is what its shape names, whatever else it has; its text turns with it', () => {
  const at = { position: { x: 0, y: 0 }, rotation: 90, rectangle: { width: 10, height: 10 }, circle: { radius: 3 } };
  const words = { position: { x: 40, y: 0 }, color: '#112233', size: 12 };
  const areas = [
    { ...at, shape: 'circle', text: { ...words, text: 'Pillar' } },
    { ...at, shape: 'text', text: { ...words, text: 'Exit' } },
    { ...at, shape: 'star' },
  ];
  const { document, report } = imported(plan(areas));
  expect(report.understood).toMatchObject({ shapes: 1, texts: 2 });
  const [circle, pillar] = document.objects as unknown as Record<string, unknown>[];
  expect(circle).toMatchObject({ kind: 'ellipse', width: 6, height: 6 });
  expect(pillar).toMatchObject({ text: 'Pillar', center: { x: 100, y: 240 }, rotation: 90, fontSize: 12 });
  expect(report.notes.find(({ code }) => code === 'shape')!.message).toContain('"star"');
});

test('the name of an only zone, guids, starts of booking and a second category of one name are told', () => {
  const seats = [
    { ...seat(1, 0), start_direction: '<>' },
    { ...seat(2, 20), seat_guid: 'A-2' },
    { ...seat(3, 40), seat_number: undefined },
  ];
  const zones = [{ name: 'Parkett', position: { x: 0, y: 0 }, rows: [{ row_number: ' A', seats, colour: 'red' }] }];
  const categories = [{ name: 'Stalls', color: '#123456' }, { name: 'Stalls' }, { color: '#123456' }];
  const { report } = imported(JSON.stringify({ name: 'X', zones, categories }));
  const told = new Map(report.notes.map(({ code, message }) => [code, message]));
  expect(told.get('zone_name')).toContain('"Parkett"');
  expect(told.get('seat_guids')).toContain('2 seats');
  expect(told.get('start_direction')).toContain('1 seat.');
  expect(told.get('category_twice')).toContain('"Stalls"');
  expect([...told.keys()]).toEqual(
    expect.arrayContaining(['seat_without_number', 'category_without_name', 'label_cleaned', 'unknown_field']),
  );
});

test('colours with a name are read, and others are told', () => {
  const colours = ['red', 'RebeccaPurple', '#ABC', 'rgb(1, 2, 3)', 'taste of blue'];
  const categories = colours.map((color, i) => ({ name: `C${i}`, color }));
  const zones = [{ position: { x: 0, y: 0 }, rows: [{ row_number: 'A', seats: [seat(1, 0, 'C0')] }] }];
  const { document, report } = imported(JSON.stringify({ name: 'X', zones, categories }));
  expect(document.categories.slice(0, 4).map(({ color }) => color)).toEqual([
    '#ff0000',
    '#663399',
    '#aabbcc',
    '#010203',
  ]);
  expect(report.notes.find(({ code }) => code === 'colour_chosen')!.message).toMatch(/^1 category has no colour/);
});

test('a zone inside of the outline of another keeps its seats', () => {
  const line = (label: string, x: number, y: number) => ({
    row_number: label,
    position: { x, y },
    seats: [1, 2, 3].map((n) => seat(n, n * 20)),
  });
  const zones = [
    {
      name: 'Ring',
      position: { x: 0, y: 0 },
      rows: [line('1', 0, 0), line('2', 300, 0), line('3', 0, 300), line('4', 300, 300)],
    },
    { name: 'Pit', position: { x: 150, y: 150 }, rows: [line('5', 0, 0), line('6', 0, 25)] },
  ];
  const { document, report } = imported(JSON.stringify({ name: 'X', zones, categories: [{ name: 'Stalls' }] }));
  expect(codesOf(report)).not.toContain('outside_its_section');
  const sections = document.objects.filter(({ type }) => type === 'section');
  expect(sections.map(({ label }) => label)).toEqual(['Pit', 'Ring']);
});

test('rows and seats without numbers get numbers that are free, and a box gets its own name', () => {
  const nameless = { position: { x: 0, y: 0 }, seats: [{ ...seat(1, 0), seat_number: undefined }, seat(2, 20)] };
  const numbered = { row_number: '1', position: { x: 0, y: 40 }, seats: [seat(1, 0)] };
  const zones = [
    { name: 'Box 7', position: { x: 0, y: 0 }, rows: [nameless] },
    { name: 'Stalls', position: { x: 0, y: 200 }, rows: [nameless, numbered] },
  ];
  const { places, report } = imported(JSON.stringify({ name: 'X', zones, categories: [{ name: 'Stalls' }] }));
  expect([...places.keys()].sort()).toEqual(['1-1', '2-1', '2-2', 'Box 7-1', 'Box 7-2']);
  expect(codesOf(report)).toEqual(expect.arrayContaining(['no_label', 'seat_without_number']));
});
