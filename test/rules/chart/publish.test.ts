import { compilePlan } from '@parterre/shared/charts/compile';
import { type ChartDocument, type ChartObject, checkStructure } from '@parterre/shared/charts/document';
import { publishIssues, publishWarnings, refusingMissingPrices } from '@parterre/shared/charts/publish-issues';
import { describe, expect, it } from 'vitest';
import { booth, chart, gaArea, point, rectangle, row, seatCategory, section, table } from '../../support/charts.ts';

/** The highest price is 100 times as much in minor units. */
const inMinor = { priceUnit: 'minor' as const };
const withFees = (fees: { name: string; amount: number }[], more: object = {}) =>
  chart([row()], { categories: [{ ...seatCategory, price: 20, fees, ...more }] });
const fee = { name: 'Service', amount: 2 };
const paths = (document: ChartDocument) => publishIssues(document).map(({ path }) => path);
const priced = (price: number) => chart([row()], { categories: [{ ...seatCategory, price }] });
const tiered = (...tiers: { id: string; name: string; price: number }[]) =>
  chart([row()], { categories: [{ ...seatCategory, tiers }] });
const adult = { id: 'adult', name: 'Adult', price: 20 };
const twoPoints = [point(0, 0), point(1, 1)];
const far = point(500, 500);
const long = 'x'.repeat(129);

describe('publishing accepts', () => {
  it.each([
    ['a row', chart([row()])],
    ['every kind of object', chart([row(), table(), booth(), gaArea(), section(), { type: 'shape', kind: 'rect' }])],
    ['rows that share a label and no seat', chart([row(), row({ id: 'row-a2', seatLabelStart: 11 })])],
    ['a price of nothing', priced(0)],
    ['the highest price', priced(10_000_000)],
    ['the highest price in minor units', { ...priced(1_000_000_000), ...inMinor }],
    ['fees on top that are more than the price', withFees([fee, { name: 'Levy', amount: 30 }])],
    ['fees that are the price', withFees([{ ...fee, amount: 20 }], { allIn: true, previousPrice: 25 })],
    ['different tiers of one price', tiered(adult, { ...adult, id: 'child' })],
    [
      'equal tiers of different categories',
      chart([row()], { categories: ['seat', 'box'].map((key) => ({ ...seatCategory, key, tiers: [adult] })) }),
    ],
    ['the largest table', chart([table({ bookAsWhole: true, seatCount: 1_000 })])],
    ['the largest GA area', chart([gaArea({ capacity: 100_000 })])],
    [
      'the largest venue',
      chart([100_000, 100_000, 50_000].map((capacity, i) => gaArea({ id: `ga-${i}`, label: `${i}`, capacity }))),
    ],
    ['a label as long as calls take', chart([booth({ label: 'b'.repeat(512) })])],
    ['a GA area whose id is 50 characters of Chinese', chart([gaArea({ id: '區'.repeat(50) })])],
    ['a row labelled like a table', chart([row({ label: 'T1' }), table({ bookAsWhole: true })])],
    ['sections without objects', chart([section(), row({ origin: far })])],
    ['fields it does not know', chart([row({ commercial: { restrictedView: true } })], { theme: { dark: true } })],
  ] as [string, ChartDocument][])('%s', (_, document) => {
    expect(publishIssues(document)).toEqual([]);
    expect(compilePlan(document, 'hash').unitCount).toBeGreaterThan(0);
  });
});

it('a category that sells places and has no price is a warning, and the published document refuses to sell them', () => {
  const bare = { label: 'S', color: '#fff' };
  const priced = [
    { key: 'free', ...bare, price: 0 },
    { key: 'tiered', ...bare, tiers: [adult] },
  ];
  const others = [
    { key: 'house', ...bare, notForSale: true },
    { key: 'unused', ...bare },
  ];
  const unpriced = chart([row(), gaArea({ categoryKey: 'free' })], {
    categories: [{ key: 'seat', ...bare }, ...priced, ...others],
  });
  expect(publishIssues(unpriced)).toEqual([]);
  expect(publishWarnings(unpriced)).toMatchObject([{ code: 'missing_price', path: 'categories.seat.price' }]);
  expect(compilePlan(refusingMissingPrices(unpriced), 'hash').refusesMissingPrices).toBe(true);
  expect(compilePlan(unpriced, 'hash').refusesMissingPrices).toBe(false);
  const whole = chart([row({ categoryKey: 'free' })], { categories: priced });
  expect(publishWarnings(whole)).toEqual([]);
  expect(refusingMissingPrices(whole)).toBe(whole);
});

const companionOf = (label: string, kind = 'companion') =>
  row({
    overrides: [
      { index: 0, accessibility: ['wheelchair'] },
      { index: 1, accessibility: [kind as 'companion'], companionOf: label },
    ],
  });

it.each([
  ['a wheelchair place', companionOf('A-1'), []],
  ['no place', companionOf('Z-1'), ['The chart has no wheelchair place Z-1.']],
  ['an ordinary place', companionOf('A-3'), ['The chart has no wheelchair place A-3.']],
  [
    'a place from no companion place',
    companionOf('A-1', 'hearing'),
    [expect.stringContaining('Only a companion place')],
  ],
])('a companion place may name %s', (_, drawn, messages) => {
  const issues = publishIssues(chart([drawn]));
  expect(issues.map(({ message }) => message)).toEqual(messages);
  for (const { path, objectId } of issues) {
    expect([path, objectId]).toEqual(['objects.row-a.overrides.1.companionOf', 'row-a']);
  }
});

describe('publishing refuses, naming the place', () => {
  const cases: [string, ChartDocument, string[]][] = [
    ['a price above the highest in minor units', { ...priced(1_000_000_001), ...inMinor }, ['categories.seat.price']],
    ['a negative fee', withFees([{ ...fee, amount: -1 }]), ['categories.seat.fees.0.amount']],
    ['a fee of 1.50', withFees([fee, { name: 'Levy', amount: 1.5 }]), ['categories.seat.fees.1.amount']],
    ['a fee without a name', withFees([{ ...fee, name: ' ' }]), ['categories.seat.fees.0.name']],
    ['a fee with a long name', withFees([{ ...fee, name: long }]), ['categories.seat.fees.0.name']],
    ['two fees of one name', withFees([fee, fee]), ['categories.seat.fees.1.name']],
    [
      'more than ten fees',
      withFees(Array.from({ length: 11 }, (_, i) => ({ name: `${i}`, amount: 1 }))),
      ['categories.seat.fees'],
    ],
    ['fees inside a lower price', withFees([{ ...fee, amount: 21 }], { allIn: true }), ['categories.seat.price']],
    ['a previous price of 12.50', withFees([], { previousPrice: 12.5 }), ['categories.seat.previousPrice']],
    [
      "a category's fees inside the lower price of a tier",
      withFees([fee], { allIn: true, tiers: [{ ...adult, price: 1 }] }),
      ['categories.seat.tiers.adult.price'],
    ],
    ['a label of two rows', chart([row(), row({ id: 'row-b' })]), ['objects.row-b.label']],
    [
      'a label given twice in a row',
      chart([row({ overrides: [{ index: 0, label: 'A-2' }] })]),
      ['objects.row-a.label'],
    ],
    ['a booth labelled like a seat', chart([row(), booth({ label: 'A-3' })]), ['objects.booth-1.label']],
    ['two areas of one label', chart([gaArea(), gaArea({ id: 'lawn-2' })]), ['objects.lawn-2.label']],
    ['an area labelled like a booth', chart([booth(), gaArea({ label: 'B1' })]), ['objects.lawn.label']],
    [
      'GA places claimed by two areas',
      chart([
        gaArea(),
        gaArea({ id: 'b', label: 'B', inventorySegments: [{ sourceAreaId: 'lawn', startIndex: 2, count: 3 }] }),
      ]),
      ['objects.b.label'],
    ],
    ['a row of an unknown category', chart([row({ categoryKey: 'gone' })]), ['objects.row-a.categoryKey']],
    ['a table of an unknown category', chart([table({ categoryKey: 'gone' })]), ['objects.table-1.categoryKey']],
    ['a booth of an unknown category', chart([booth({ categoryKey: 'gone' })]), ['objects.booth-1.categoryKey']],
    ['an area of an unknown category', chart([gaArea({ categoryKey: 'gone' })]), ['objects.lawn.categoryKey']],
    [
      'a seat of an unknown category',
      chart([
        row({
          overrides: [
            { index: 0, dx: 1 },
            { index: 4, categoryKey: 'gone' },
          ],
        }),
      ]),
      ['objects.row-a.overrides.1.categoryKey'],
    ],
    ['an unknown zone', chart([row(), section({ zone: 'gone' })]), ['objects.west.zone']],
    ['a venue without objects', chart([]), ['objects']],
    ['a venue that sells nothing', chart([section(), row({ seatCount: 0 }), gaArea({ capacity: 0 })]), ['objects']],
    [
      'a venue with nothing for sale',
      chart([row()], { categories: [{ ...seatCategory, notForSale: true }] }),
      ['objects'],
    ],
    ['too many places', chart([row({ seatCount: 250_001 })]), ['objects']],
    ['a table of 1,001 chairs', chart([table({ bookAsWhole: true, seatCount: 1_001 })]), ['objects.table-1.seatCount']],
    ['a GA area with too many places', chart([gaArea({ capacity: 100_001 })]), ['objects.lawn.capacity']],
    [
      'segments that do not add up',
      chart([gaArea({ inventorySegments: [{ sourceAreaId: 'lawn', startIndex: 0, count: 2 }] })]),
      ['objects.lawn.inventorySegments'],
    ],
    ['a section of two points', chart([row(), section({ outline: twoPoints })]), ['objects.west.outline']],
    ['a GA area of two points', chart([gaArea({ points: twoPoints })]), ['objects.lawn.points']],
    [
      'a hole of two points',
      chart([row(), section({ holes: [rectangle(1, 1, 2, 2), twoPoints] })]),
      ['objects.west.holes.1'],
    ],
    ['a hole of two points in an area', chart([gaArea({ holes: [twoPoints] })]), ['objects.lawn.holes.0']],
    ['an infinite number in a field of the chart', chart([row(), section({ rake: Infinity })]), ['objects.west.rake']],
    [
      'an infinite corner',
      chart([row(), section({ outline: [...twoPoints, point(0, Infinity)] })]),
      ['objects.west.outline.2.y'],
    ],
    ['a focal point that is no number', chart([row()], { focalPoint: point(Number.NaN, 0) }), ['focalPoint.x']],
    ['a seat too far away to have a position', chart([row({ seatCount: 2, seatSpacing: 1e39 })]), ['objects.row-a']],
    ['tiers with equal ids', tiered(adult, adult), ['categories.seat.tiers.adult']],
    ['a price that is no integer', priced(9.5), ['categories.seat.price']],
    ['a negative price', priced(-1), ['categories.seat.price']],
    ['a price too high', priced(10_000_001), ['categories.seat.price']],
    ['a tier’s price that is no integer', tiered({ ...adult, price: 0.5 }), ['categories.seat.tiers.adult.price']],
    ['categories with equal keys', chart([row()], { categories: [seatCategory, seatCategory] }), ['categories.seat']],
    ['zones with equal ids', chart([row()], { zones: [1, 2].map(() => ({ id: 'z', label: 'Z' })) }), ['zones.z']],
    ['a booth no call could name', chart([booth({ label: 'b'.repeat(513) })]), ['objects.booth-1.label']],
    ['a row with a seat no call could name', chart([row({ label: 'r'.repeat(510) })]), ['objects.row-a.label']],
    ['a GA area no call could name', chart([gaArea({ label: 'g'.repeat(513) })]), ['objects.lawn.label']],
    [
      'a GA area whose places no call could name',
      chart([gaArea({ id: '區'.repeat(60) })]),
      [`objects.${'區'.repeat(60)}.id`],
    ],
    [
      'places no call could name, with the id of an area they came from',
      chart([gaArea({ inventorySegments: [{ sourceAreaId: '區'.repeat(60), startIndex: 0, count: 3 }] })]),
      ['objects.lawn.id'],
    ],
    ['an object no call could name', chart([row({ id: long })]), [`objects.${long}.id`]],
    [
      'sections no call could name',
      chart([row(), section({ id: long, logicalSectionId: long })]),
      [`objects.${long}.id`, `objects.${long}.logicalSectionId`],
    ],
    ['a tier no call could name', tiered({ ...adult, id: long }), [`categories.seat.tiers.${long}.id`]],
    [
      'a category no call could name',
      chart([row()], { categories: [seatCategory, { ...seatCategory, key: long }] }),
      [`categories.${long}.key`],
    ],
    ['a zone no call could name', chart([row()], { zones: [{ id: long, label: 'Z' }] }), [`zones.${long}.id`]],
    ['objects with equal ids', chart([row(), row({ label: 'B' })]), ['objects.row-a.id']],
    [
      'a variable table no party fits',
      chart([table({ variableOccupancy: true, minOccupancy: 5 })]),
      ['objects.table-1.minOccupancy'],
    ],
  ];
  it.each(cases)('%s', (_, document, expected) => {
    expect(paths(document)).toEqual(expected);
  });

  it('a number that was infinite before it was stored as JSON', () => {
    const stored = JSON.parse(JSON.stringify(chart([row({ origin: point(0, Infinity) })])));
    expect(paths(stored)).toEqual(['objects.row-a.origin.y']);
  });

  it('an object of a floor, by floor and id', () => {
    const floor = (id: string, objects: ChartObject[]) => ({ id, name: id, focalPoint: point(0, 0), objects });
    const floors = [floor('ground', [row()]), floor('upper', [row({ id: 'row-u' })])];
    expect(paths(chart([row()], { floors }))).toEqual(['floors.upper.objects.row-u.label']);
  });

  it('everything at once', () => {
    const document = chart(
      [
        row({ categoryKey: 'gone' }),
        row({ id: 'row-b', rotation: 10 }),
        section({ zone: 'gone', outline: twoPoints }),
        gaArea({ capacity: 100_001, points: twoPoints }),
      ],
      { categories: [{ ...seatCategory, price: 1.5, tiers: [adult, adult] }], focalPoint: point(Infinity, 0) },
    );
    expect(paths(document)).toEqual([
      'focalPoint.x',
      'categories.seat.price',
      'categories.seat.tiers.adult',
      'objects.row-a.categoryKey',
      'objects.west.outline',
      'objects.west.zone',
      'objects.lawn.points',
      'objects.lawn.capacity',
      'objects.row-b.label',
    ]);
  });

  it('the id of the object that an issue is about', () => {
    const floor = { id: 'f', name: 'F', focalPoint: point(0, 0), objects: [section({ rake: Infinity })] };
    const ids = (document: ChartDocument) => publishIssues(document).map(({ objectId }) => objectId);
    expect(ids(chart([row(), row({ label: 'B', categoryKey: 'gone' })]))).toEqual(['row-a', 'row-a']);
    expect(ids(chart([row(), section({ outline: [point(0, 0), point(Infinity, 0)] })]))).toEqual(['west', 'west']);
    expect(ids(chart([], { floors: [floor] }))).toEqual(['west', undefined]);
    expect(ids(priced(-1))).toEqual([undefined]);
    const broken = JSON.parse(JSON.stringify(chart([row({ origin: point(0, Infinity) })])));
    expect(ids(broken)).toEqual(['row-a']);
  });

  it('shared labels once for two objects, however many', () => {
    expect(publishIssues(chart([row(), row({ id: 'row-b' })]))).toEqual([
      {
        path: 'objects.row-b.label',
        message: 'Duplicate label: A-1 (and 9 more) is already a label of row A.',
        objectId: 'row-b',
      },
    ]);
  });
});

describe('labels that look the same', () => {
  it.each([
    ['a space at the end', 'A ', true],
    ['a space at the start', ' A', true],
    ['a no-break space', 'A\u00a0', true],
    ['a space without a width', 'A\u200b', true],
    ['a mark of direction', '\u200eA', true],
    ['a soft hyphen', 'A\u00ad', true],
    ['a Cyrillic letter', '\u0410', true],
    ['a Greek letter', '\u0391', true],
    ['a wide letter', '\uff21', true],
    ['a small letter', 'a', false],
    ['an accent', 'Á', false],
    ['another letter', 'Б', false],
  ])('%s beside A: %s', (_, label, areAlike) => {
    const issues = publishIssues(chart([row({ seatCount: 3 }), row({ id: 'row-b', label, seatCount: 3 })]));
    expect(issues.map(({ path, objectId }) => [path, objectId])).toEqual(
      areAlike ? [['objects.row-b.label', 'row-b']] : [],
    );
    if (areAlike)
      expect(issues[0]!.message).toMatch(
        /^Labels that look the same: .* \(and 2 more\) looks like A-1, a label of row A\./,
      );
  });

  it('are one issue beside equal labels, and spaces inside a label count', () => {
    const document = chart([
      row({ seatCount: 3, overrides: [{ index: 1, label: 'A- 1' }] }),
      booth({ label: 'Box 11' }),
      booth({ id: 'c', label: 'Box 1 1' }),
    ]);
    expect(publishIssues(document).map(({ message }) => message)).toEqual([
      'Labels that look the same: “A- 1” (U+0020) looks like A-1, another place of row A. Nobody could tell the tickets apart.',
    ]);
    expect(paths(chart([booth({ label: 'Loge 1' }), booth({ id: 'c', label: 'Loge  1' })]))).toEqual([
      'objects.c.label',
    ]);
    expect(paths(chart([booth({ label: 'é' }), booth({ id: 'c', label: 'e\u0301' })]))).toEqual(['objects.c.label']);
  });

  it('say that a seat has no category, and that a row has a label twice', () => {
    const messages = (document: ChartDocument) => publishIssues(document).map(({ message }) => message);
    expect(messages(chart([row({ categoryKey: '' })]))).toEqual(['It has no category.']);
    expect(messages(chart([row({ overrides: [{ index: 0, label: 'A-2' }] })]))).toEqual([
      'Duplicate label: A-2 is already a label of another place of row A.',
    ]);
  });
});

describe('saving a draft', () => {
  it('accepts what may not be published yet', () => {
    const draft = chart([row({ categoryKey: '', seatCount: 0 }), section({ outline: [] })], {
      categories: [],
      zones: [],
    });
    expect(checkStructure(draft)).toEqual([]);
    expect(checkStructure(priced(-4.5))).toEqual([]);
    expect(checkStructure(chart([row({ origin: point(0, Infinity) })]))).toEqual([]);
  });

  const valid = chart([row()]);
  it.each([
    ['what is no object', null, ['']],
    ['another version', { ...valid, version: 2 }, ['version']],
    ['a missing list of objects', { ...valid, objects: undefined }, ['objects']],
    ['an unknown venue type', { ...valid, venueType: 'HUGE' }, ['venueType']],
    ['an unknown kind of object', { ...valid, objects: [{ type: 'balloon', id: 'b' }] }, ['objects.b.type']],
    [
      'a row without seats to count',
      { ...valid, objects: [{ ...row(), seatCount: undefined }] },
      ['objects.row-a.seatCount'],
    ],
    ['part of a seat', { ...valid, objects: [row({ seatCount: 1.5 })] }, ['objects.row-a.seatCount']],
    ['a text for a number', { ...valid, objects: [{ ...row(), seatSpacing: '20' }] }, ['objects.row-a.seatSpacing']],
    ['an object without id', { ...valid, objects: [row(), { ...row(), id: undefined }] }, ['objects.1.id']],
    ['an empty label', { ...valid, objects: [row({ label: '' })] }, ['objects.row-a.label']],
    ['half a surrogate pair', { ...valid, objects: [gaArea({ id: 'x\ud800' })] }, ['objects.x\ud800.id']],
    [
      'an unknown numbering scheme',
      { ...valid, objects: [{ ...row(), seatNumbering: { direction: 'ltr', scheme: 'runes' } }] },
      ['objects.row-a.seatNumbering.scheme'],
    ],
    [
      'an unknown accessibility',
      { ...valid, objects: [{ ...row(), overrides: [{ index: 0, accessibility: ['tall'] }] }] },
      ['objects.row-a.overrides.0.accessibility.0'],
    ],
    ['two faults', { ...valid, name: 7, focalPoint: { x: 1 } }, ['name', 'focalPoint.y']],
  ] as [string, unknown, string[]][])('refuses %s', (_, value, expected) => {
    expect(checkStructure(value).map(({ path }) => path)).toEqual(expected);
  });
});
