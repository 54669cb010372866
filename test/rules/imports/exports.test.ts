/** Exports of charts: what each format has, and what it says that it lacks. */
import { gzipSync } from 'node:zlib';
import type { ChartDocument } from '@parterre/shared/charts/document';
import { csvOf } from '@parterre/shared/charts/exports/csv';
import { pretixOf } from '@parterre/shared/charts/exports/pretix';
import Ajv from 'ajv';
import { describe, expect, test } from 'vitest';
import { carryOut } from '../../../services/frontdoor/src/chart-files/file-jobs.ts';
import { greatestDistance, imported, placesIn } from '../../support/imports/imported.ts';
import { pretixPlan } from '../../support/imports/pretix-schema.ts';
import { seatsioHall, stadium } from '../../support/imports/seatsio-charts.ts';

const isPretix = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(pretixPlan);

const row = {
  ...({ type: 'row', id: 'r1', label: 'A', origin: { x: 0.4, y: 0.3 }, rotation: 7, curve: 3, seatCount: 3 } as const),
  seatSpacing: 20,
  categoryKey: 'k1',
};

const hall = {
  version: 1,
  name: 'Hall',
  venueType: 'MIXED',
  focalPoint: { x: 0, y: -60 },
  categories: [
    { key: 'k1', label: 'Stalls', color: '#336699', price: 20 },
    { key: 'k2', label: 'Stalls', color: '#663399' },
  ],
  zones: [{ id: 'z', label: 'Near', focalPoint: { x: 1, y: 1 } }],
  backgroundImage: { url: 'https://pictures.example/a.png', x: 0, y: 0 },
  objects: [
    {
      ...row,
      displayLabel: 'Row A',
      overrides: [{ index: 1, displayLabel: 'Box', viewFromSeatUrl: 'https://a.example/1' }],
    },
    { ...row, id: 'r2', label: 'B', origin: { x: 0, y: 40 }, categoryKey: 'k2', entrance: 'North' },
    { type: 'table', id: 't1', label: 'T', center: { x: 200, y: 0 }, shape: 'round', seatCount: 4, categoryKey: 'k1' },
    {
      ...({ type: 'section', id: 's1', label: 'Left', displayLabel: 'Left side', zone: 'z' } as const),
      outline: [
        { x: -20, y: -20 },
        { x: 90, y: -20 },
        { x: 90, y: 20 },
        { x: -20, y: 20 },
      ],
    },
    {
      type: 'shape',
      id: 'd1',
      kind: 'ellipse',
      center: { x: 50, y: -90 },
      width: 81,
      height: 40,
      rotation: 30,
      label: 'Stage',
    },
    { type: 'shape', id: 'd2', center: { x: 0, y: -90 }, width: 20, height: 10, rotation: 90, fill: '#ff0000' },
    { type: 'text', id: 'd3', text: 'Exit', center: { x: 300, y: 0 }, fontSize: 13.6, rotation: 45, color: '#00ff00' },
    { type: 'decorImage', id: 'd4', url: 'https://pictures.example/b.png', x: 0, y: 0 },
  ],
} as unknown as ChartDocument;

const charts: [string, ChartDocument][] = [
  ['with one of each kind', hall],
  ['of seats.io', imported(seatsioHall(21).text).document],
  ['with floors', imported(stadium().text).document],
];

describe.each(charts)('a chart %s', (_, document) => {
  test('is a plan that the schema of pretix takes', () => {
    const plan = JSON.parse(pretixOf(document).text);
    expect([isPretix(plan), isPretix.errors]).toEqual([true, null]);
  });

  test('has the same seats after a way through CSV', () => {
    const sold = new Map([...placesIn(document)].filter(([label]) => csvOf(document).text.includes(label)));
    const { places } = imported(csvOf(document).text, 'csv');
    expect(
      greatestDistance(
        places,
        [...sold].filter(([label]) => places.has(label)),
      ),
    ).toBeLessThan(0.5);
    expect(places.size).toBeGreaterThan(5);
  });
});

test('prices of a chart in minor units have decimals in CSV, and come back the same', () => {
  const fees = [{ name: 'Service', amount: 150 }];
  const [stalls, rear] = hall.categories;
  const document: ChartDocument = {
    ...{ ...hall, priceUnit: 'minor' },
    categories: [
      { ...stalls!, price: 1250, fees, previousPrice: 1500 },
      { ...rear!, price: 2000 },
    ],
  };
  const { text, leftOut } = csvOf(document);
  expect(text).toMatch(/restrictedView,price,priceUnit\r\n.*,12\.50,minor\r\n/);
  expect(leftOut).toEqual(expect.arrayContaining(['1 category with fees', '1 category with a previous price']));
  for (const price of [1250, 1200]) {
    const categories = document.categories.map((each) => ({ ...each, price }));
    const back = imported(csvOf({ ...document, categories }).text, 'csv').document;
    expect([back.priceUnit, ...back.categories.map((each) => each.price)]).toEqual(['minor', price, price]);
  }
});

test('a plan for pretix has the texts, ellipses and turned shapes of the chart', () => {
  const { zones, size } = JSON.parse(pretixOf(hall).text);
  const areas = zones.flatMap((zone: { areas: object[] }) => zone.areas);
  expect(areas.map(({ shape }: { shape: string }) => shape)).toEqual(['ellipse', 'polygon', 'text']);
  const [ellipse, turned, text] = areas;
  expect(ellipse).toMatchObject({ rotation: 30, ellipse: { radius: { x: 40.5, y: 20 } }, text: { text: 'Stage' } });
  expect(text).toMatchObject({ rotation: 45, text: { text: 'Exit', size: 14, color: '#00ff00' } });
  // Turned by a right angle, a box of 20 by 10 is 10 wide and 20 high.
  const xs = turned.polygon.points.map(({ x }: { x: number }) => x);
  expect(Math.max(...xs) - Math.min(...xs)).toBeCloseTo(10);
  expect([size.width, size.height].every(Number.isInteger)).toBe(true);
  const again = imported(pretixOf(hall).text);
  expect(again.report.understood).toMatchObject({ rows: 3, seats: 10, shapes: 2, texts: 2 });
  expect(again.document.objects.find(({ type }) => type === 'text')).toBeDefined();
});

test('a plan for pretix has a guid for each seat, also of a draft whose labels stand twice', () => {
  const { zones } = JSON.parse(pretixOf({ ...hall, objects: [row, { ...row, id: 'r9' }] }).text);
  const guids = zones[0].rows.flatMap(({ seats }: { seats: { seat_guid: string }[] }) =>
    seats.map(({ seat_guid }) => seat_guid),
  );
  expect(guids).toEqual(['A-1', 'A-2', 'A-3', 'A-1 (2)', 'A-2 (2)', 'A-3 (2)']);
});

test('each format names what it lacks', () => {
  expect(pretixOf(hall).leftOut).toEqual([
    '1 form of a table',
    '1 display label of a seat',
    '1 display label of a section',
    '1 view or restricted view from a seat',
    '1 view or entrance of a row, table, area or section',
    '1 outline of a section',
    '1 zone',
    '1 price of a category',
    '2 focal points',
    '2 pictures',
  ]);
  expect(csvOf(hall).leftOut).toEqual([
    '1 form of a table',
    '2 display labels of rows, tables and sections',
    '1 view or entrance of a row, table, area or section',
    '1 outline of a section',
    '1 zone',
    '2 colours of categories',
    '2 focal points',
    '3 shapes and texts',
    '2 pictures',
  ]);
});

test('CSV names categories by their labels, which differ', () => {
  const { document } = imported(csvOf(hall).text, 'csv');
  expect(document.categories.map(({ label }) => label)).toEqual(['Stalls', 'Stalls (k2)']);
});

test.each(['csv', 'pretix'] as const)('a draft of a billion seats is not written as %s', (format) => {
  const endless = { ...hall, objects: [{ ...row, seatCount: 1e9 }] };
  const result = carryOut({ kind: 'export', bytes: gzipSync(JSON.stringify(endless)), format });
  expect(result).toMatchObject({ kind: 'failed', failure: { code: 'too_many_seats' } });
});

test('prices of categories leave as CSV and come back', () => {
  const { document } = imported(csvOf(hall).text);
  expect(document.categories.map(({ price }) => price)).toEqual([20, undefined]);
});

test('a long name is cut between letters', () => {
  const text = JSON.stringify({ ...hall, name: `x${'🎭'.repeat(150)}` });
  const read = carryOut({ kind: 'import', bytes: Buffer.from(text), format: null, name: null });
  expect(read).toMatchObject({ kind: 'imported', name: `x${'🎭'.repeat(99)}` });
});

test('a floor with 130,000 seats is written whole', () => {
  const long = { ...hall, objects: [{ ...row, curve: 0, seatCount: 130_000 }] } as ChartDocument;
  expect(csvOf(long).text.split('\r\n')).toHaveLength(130_002);
});
