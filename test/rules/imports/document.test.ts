/** Imports of chart documents: the export of a chart comes back as it was. */
import { chartDocument } from '@parterre/shared/charts/document';
import { importChart } from '@parterre/shared/charts/imports/imports';
import { expect, test } from 'vitest';
import { faultOf, imported } from '../../support/imports/imported.ts';
import { seatsioHall, stadium } from '../../support/imports/seatsio-charts.ts';

const hall = {
  version: 1,
  name: 'Hall',
  venueType: 'SIMPLE',
  focalPoint: { x: 0, y: -60 },
  categories: [{ key: 'k1', label: 'Stalls', color: '#336699', price: 20, tiers: [] }],
  objects: [
    {
      type: 'row',
      id: 'r1',
      label: 'A',
      origin: { x: 0, y: 0 },
      rotation: 0,
      curve: 0,
      seatCount: 3,
      seatSpacing: 20,
      categoryKey: 'k1',
      ownField: { of: ['a client'] },
    },
  ],
  theme: 'dark',
};

test.each([
  ['with fields of its own', hall],
  ['of a hall', imported(seatsioHall(21).text).document],
  ['with floors', imported(stadium().text).document],
  ['without objects', { ...hall, objects: [] }],
])('a document %s comes back as it was', (_, document) => {
  expect(chartDocument.safeParse(document).success).toBe(true);
  const text = JSON.stringify(document);
  for (const format of [null, 'document'] as const) {
    const again = imported(text, format);
    expect(JSON.stringify(again.document)).toBe(text);
    expect(again.report).toMatchObject({ format: 'document', version: '1', scale: 1, notes: [] });
  }
});

test('its report counts its objects, and lists what stands in the way of publishing', () => {
  const { report } = imported(JSON.stringify({ ...hall, categories: [] }));
  expect(report.understood).toMatchObject({ rows: 1, seats: 3, categories: 0 });
  expect(report.publishIssues).toEqual([expect.objectContaining({ objectId: 'r1' })]);
});

test('a name of the caller replaces the name in the document', () => {
  const outcome = importChart(Buffer.from(JSON.stringify(hall)), { format: null, name: 'Studio' });
  expect(outcome).toMatchObject({ kind: 'imported', document: { name: 'Studio' } });
});

test('a document with a fault names it; one with too many places makes none of them', () => {
  const [row] = hall.objects;
  const broken = JSON.stringify({ ...hall, objects: [{ ...row, seatCount: -1, seatSpacing: 'wide' }] });
  expect(faultOf(broken)).toMatchObject({
    code: 'broken_document',
    message: expect.stringMatching(/objects\.r1\.seatCount.*1 further fault\./),
  });
  const endless = JSON.stringify({ ...hall, objects: [{ ...row, seatCount: 1e9 }] });
  expect(faultOf(endless)).toMatchObject({ code: 'too_many_seats', message: expect.stringContaining('1000000000') });
  expect(faultOf('{"version": 1, "objects": {}}', 'document').code).toBe('unknown_format');
});

test('a category with 130,000 tiers of one id has its issues', () => {
  const tiers = Array.from({ length: 130_000 }, () => ({ id: 't', name: '', price: 1 }));
  const [category] = hall.categories;
  const { report } = imported(JSON.stringify({ ...hall, categories: [{ ...category, tiers }] }));
  expect(report.publishIssues[0]).toMatchObject({ path: 'categories.k1.tiers.t' });
});

test('a document that no save would take is refused, and its fault has a place', () => {
  const nested = (levels: number): unknown => (levels === 0 ? [] : { in: nested(levels - 1) });
  const [row] = hall.objects;
  const withRow = (fields: object) => JSON.stringify({ ...hall, objects: [{ ...row, ...fields }] });
  for (const [text, fault] of [
    [withRow({ displayLabel: '\ud800' }), 'objects.r1.displayLabel: The text has half of a character'],
    [withRow({ own: { '\udc00': 1 } }), 'objects.r1.own: A name of a field has half'],
    [JSON.stringify({ ...hall, theme: nested(63) }), 'theme.in.in.'],
    [`{"version":1,"categories":[],"objects":[],"x":${'['.repeat(1e5)}${']'.repeat(1e5)}}`, 'at most 64 levels'],
  ] as const) {
    expect(faultOf(text)).toMatchObject({ code: 'broken_document', message: expect.stringContaining(fault) });
  }
  imported(JSON.stringify({ ...hall, theme: nested(62) }));
});

test('prices, fees and texts with decimals make a document that counts in minor units, and a note tells it', () => {
  const [stalls] = hall.categories;
  const fees = [{ name: 'Service', amount: 1.5 }];
  const tiers = [{ id: 'a', name: 'Adult', price: '12,50', previousPrice: '15' }];
  const categories = [
    { ...stalls, fees, tiers: [] },
    { ...stalls, key: 'k2', label: 'Rear', tiers },
  ];
  const { document, report } = imported(JSON.stringify({ ...hall, categories }));
  expect(document).toMatchObject({
    priceUnit: 'minor',
    categories: [
      { price: 2000, fees: [{ amount: 150 }] },
      { price: 2000, tiers: [{ price: 1250, previousPrice: 1500 }] },
    ],
  });
  expect(report.notes).toMatchObject([{ kind: 'changed', code: 'prices_in_minor_units', source: 'category "Stalls"' }]);
  // A document in minor units is taken as it is. Publishing tells its decimals.
  const minor = imported(JSON.stringify({ ...hall, priceUnit: 'minor', categories: [{ ...stalls, price: 12.5 }] }));
  expect(minor.document.categories[0]!.price).toBe(12.5);
  expect(minor.report).toMatchObject({ notes: [], publishIssues: [{ path: 'categories.k1.price' }] });
});

const seat = { label: '1', x: 0, y: 0, categoryKey: '1' };
const rows = [{ label: 'A', seats: [seat, { ...seat, label: '2', x: 20 }] }];
const pretixSeat = { seat_number: '1', position: { x: 0, y: 0 }, category: 'Front' };
const pretixRows = [{ row_number: 'A', position: { x: 0, y: 0 }, seats: [pretixSeat] }];

test.each([
  [
    'seats.io chart',
    JSON.stringify({
      ...{ name: 'House', version: '19', subChart: { width: 100, height: 100, rows } },
      categories: { list: [{ key: 1, label: 'Front', color: '#336699', price: '12.50' }] },
    }),
  ],
  [
    'pretix plan',
    JSON.stringify({
      ...{ name: 'House', zones: [{ name: 'Z', position: { x: 0, y: 0 }, rows: pretixRows }] },
      categories: [{ name: 'Front', color: '#336699', price: 12.5 }],
    }),
  ],
  [
    'drawing',
    '<svg xmlns="http://www.w3.org/2000/svg"><g data-category="Front" data-price="12,50"><circle data-row="A" data-seat="1" cx="0" cy="0" r="8"/></g></svg>',
  ],
])('a %s with a price of decimals makes a chart that counts in minor units', (_, text) => {
  const { document, report } = imported(text);
  expect([document.priceUnit, document.categories.map(({ label, price }) => [label, price])]).toEqual([
    'minor',
    [['Front', 1250]],
  ]);
  expect(report.notes.map(({ code }) => code)).toContain('prices_in_minor_units');
});
