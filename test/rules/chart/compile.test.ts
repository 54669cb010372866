import { accessibilityKinds } from '@parterre/shared/charts/accessibility';
import { categorySeats, compilePlan, draftCategorySeats, draftSeatTotal } from '@parterre/shared/charts/compile';
import type { ChartObject, Row } from '@parterre/shared/charts/document';
import { objectIdOf, objectOf, type Plan, ungroupedSection } from '@parterre/shared/charts/plan';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { booth, chart, gaArea, point, rectangle, row, seatCategory, section, table } from '../../support/charts.ts';
import { anyVenue } from '../../support/venues.ts';

const compiled = (...objects: ChartObject[]): Plan => compilePlan(chart(objects), 'hash');
const ids = (plan: Plan) => plan.labels.all().map((_, unit) => objectIdOf(plan, unit));
const kindsOf = (plan: Plan, unit: number) =>
  accessibilityKinds.filter((_, bit) => plan.accessibilityOfUnit[unit]! & (1 << bit));
const sectionIdOf = (plan: Plan, label: string) =>
  plan.sections[objectOf(plan, plan.labels.unitOf(label)!).section]!.id;

const placeOf = ({ x, y, centre }: Plan, unit: number) => point(x[unit]! + centre.x, y[unit]! + centre.y);

describe('a row', () => {
  it('sells its seats by label and number', () => {
    const plan = compiled(row({ seatCount: 3, seatNumbering: { direction: 'rtl', prefix: 'R' } }));
    expect(plan.labels.all()).toEqual(['A-R3', 'A-R2', 'A-R1']);
    expect(ids(plan)).toEqual(['row-a:0', 'row-a:1', 'row-a:2']);
    expect(plan.objects).toEqual([
      {
        id: 'row-a',
        label: 'A',
        name: 'A',
        floor: null,
        sectionName: null,
        entrance: null,
        type: 'row',
        section: 0,
        outlineId: null,
        zoneId: null,
        firstUnit: 0,
        unitCount: 3,
        bookingMode: 'individual',
        capacity: 1,
        minOccupancy: 1,
        maxOccupancy: 1,
        continues: false,
        seatSpacing: 20,
        isRing: false,
      },
    ]);
  });

  it('leaves out skipped seats and keeps their numbers', () => {
    const plan = compiled(row({ seatCount: 4, overrides: [{ index: 1, skip: true }] }));
    expect(plan.labels.all()).toEqual(['A-1', 'A-3', 'A-4']);
    expect([...plan.indexOfUnit]).toEqual([0, 2, 3]);
    expect([0, 1, 2].map((unit) => placeOf(plan, unit).x)).toEqual([0, 40, 60]);
  });

  it('lets overrides rename, move, recategorise and mark a seat', () => {
    const overrides: Row['overrides'] = [
      { index: 0, label: 'Royal' },
      { index: 1, dx: 1, dy: -2 },
      { index: 2, categoryKey: 'box' },
      { index: 3, accessibility: ['companion', 'hearing'], accessible: true },
      { index: 4, accessible: true },
      { index: 6, wheelchairSpaceType: 'removable' },
      { index: 7, accessibility: ['cart'], wheelchairSpaceType: 'fixed' },
      { index: 99, categoryKey: 'box' },
    ];
    const categories = [seatCategory, { ...seatCategory, key: 'box' }];
    const plan = compilePlan(chart([row({ seatCount: 8, rotation: 90, overrides })], { categories }), 'hash');
    expect(plan.labels.all()).toEqual(['Royal', 'A-2', 'A-3', 'A-4', 'A-5', 'A-6', 'A-7', 'A-8']);
    expect(placeOf(plan, 1).x).toBeCloseTo(1, 12);
    expect(placeOf(plan, 1).y).toBeCloseTo(18, 12);
    expect([...plan.categoryOfUnit]).toEqual([0, 0, 1, 0, 0, 0, 0, 0]);
    expect(kindsOf(plan, 3)).toEqual(['companion', 'hearing']);
    expect(kindsOf(plan, 4)).toEqual(['wheelchair']);
    expect(kindsOf(plan, 5)).toEqual([]);
    expect(kindsOf(plan, 6)).toEqual(['wheelchair']);
    expect(kindsOf(plan, 7)).toEqual(['cart']);
  });

  it('without seats for sale is no object of the plan', () => {
    const plan = compiled(row({ seatCount: 1, overrides: [{ index: 0, skip: true }] }), booth());
    expect(plan.objects.map(({ id }) => id)).toEqual(['booth-1']);
  });
});

describe('a table', () => {
  it('sells its chairs one by one', () => {
    const plan = compiled(table({ seatCount: 3, overrides: [{ index: 1, skip: true }] }));
    expect(plan.labels.all()).toEqual(['T1-1', 'T1-3']);
    expect(ids(plan)).toEqual(['table-1:0', 'table-1:2']);
    expect(plan.areaByLabel.size).toBe(0);
  });

  it('sold as a whole is one unit for as many guests as it has chairs', () => {
    const plan = compiled(row(), table({ seatCount: 8, bookAsWhole: true, center: point(3, 4) }));
    const unit = plan.labels.unitOf('T1')!;
    expect(unit).toBe(10);
    expect(objectIdOf(plan, unit)).toBe('table-1');
    expect(objectOf(plan, unit)).toMatchObject({
      bookingMode: 'whole',
      unitCount: 1,
      capacity: 8,
      minOccupancy: 8,
      maxOccupancy: 8,
    });
    expect(placeOf(plan, unit)).toEqual(point(3, 4));
    expect(plan.areaByLabel).toEqual(new Map([['T1', 1]]));
  });

  it.each([
    ['its own bounds', { minOccupancy: 2, maxOccupancy: 6 }, { minOccupancy: 2, maxOccupancy: 6 }],
    ['one guest to all its chairs where it names none', {}, { minOccupancy: 1, maxOccupancy: 8 }],
  ])('of variable occupancy takes %s', (_, bounds, expected) => {
    const plan = compiled(table({ seatCount: 8, bookAsWhole: true, variableOccupancy: true, ...bounds }));
    expect(plan.objects[0]).toMatchObject({ bookingMode: 'variable', capacity: 8, ...expected });
  });
});

it('places keep their distances far from the origin', () => {
  const plan = compiled(row({ origin: point(5_000_000.3, 5_800_000), seatSpacing: 0.5 }));
  expect([...plan.x.slice(1)].map((x, i) => x - plan.x[i]!)).toEqual(Array(9).fill(0.5));
  expect(placeOf(plan, 0).x).toBeCloseTo(5_000_000.3, 5);
});

it.each([
  ['a round table', {}, true],
  ['an open arc', { seatArc: 270 }, false],
  ['a rectangular table', { shape: 'rect' as const }, false],
  ['a round table without its first chair', { overrides: [{ index: 0, skip: true }] }, false],
  ['two chairs', { seatCount: 2 }, false],
])('the first and the last chair: %s', (_, more, isRing) => {
  expect(compiled(table({ seatCount: 6, ...more })).objects[0]).toMatchObject({ isRing });
});

it('a booth is one unit, known by its label', () => {
  const plan = compiled(booth({ center: point(9, 8) }));
  expect(plan.labels.all()).toEqual(['B1']);
  expect(ids(plan)).toEqual(['booth-1:0']);
  expect(placeOf(plan, 0)).toEqual(point(9, 8));
});

describe('a GA area', () => {
  it('is a run of places found under its own label', () => {
    const plan = compiled(row({ seatCount: 2 }), gaArea({ capacity: 3 }));
    const area = plan.objects[plan.areaByLabel.get('Lawn')!]!;
    expect(area).toMatchObject({ id: 'lawn', firstUnit: 2, unitCount: 3, bookingMode: 'individual', capacity: 1 });
    expect(plan.labels.all().slice(2)).toEqual(['__sl_ga__lawn__1', '__sl_ga__lawn__2', '__sl_ga__lawn__3']);
    expect(ids(plan).slice(2)).toEqual(['lawn', 'lawn', 'lawn']);
    expect([...plan.indexOfUnit.slice(2)]).toEqual([0, 1, 2]);
    expect(placeOf(plan, 2)).toEqual(point(50, 50));
  });
});

describe('sections', () => {
  it('hold an object by the mean of its seats, in document order, ungrouped last', () => {
    const plan = compiled(
      row({ origin: point(0, 50), seatCount: 10 }),
      section({ zone: 'z' }),
      row({ id: 'row-b', label: 'B', origin: point(20, 50) }),
      section({ id: 'empty', label: 'Empty', outline: rectangle(900, 900, 10, 10) }),
    );
    expect(plan.sections).toEqual([
      { id: 'west', label: 'West', zoneId: 'z' },
      { id: 'empty', label: 'Empty', zoneId: null },
      { id: ungroupedSection, label: 'Ungrouped', zoneId: null },
    ]);
    expect(plan.objects.map(({ section, zoneId }) => [section, zoneId])).toEqual([
      [0, 'z'],
      [2, null],
    ]);
  });

  it('do not count skipped seats in the middle of a row', () => {
    const overrides = [8, 9].map((index) => ({ index, skip: true }));
    const plan = compiled(section(), row({ origin: point(20, 0), overrides }));
    expect(sectionIdOf(plan, 'A-1')).toBe('west');
  });

  it('that share a logicalSectionId are one, each part keeping its zone', () => {
    const plan = compiled(
      section({ id: 'left', label: 'Circle', logicalSectionId: 'circle', zone: 'z1' }),
      section({ id: 'right', logicalSectionId: 'circle', zone: 'z2', outline: rectangle(200, 0, 100, 100) }),
      booth({ center: point(50, 50) }),
      booth({ id: 'booth-2', label: 'B2', center: point(250, 50) }),
    );
    expect(plan.sections.map(({ id, label }) => [id, label])).toEqual([
      ['circle', 'Circle'],
      [ungroupedSection, 'Ungrouped'],
    ]);
    expect([...plan.scopeIds].sort()).toEqual([ungroupedSection, 'circle', 'left', 'right']);
    expect(plan.objects.map(({ section, zoneId }) => [section, zoneId])).toEqual([
      [0, 'z1'],
      [0, 'z2'],
    ]);
  });

  it('hold whole tables and areas by their centre', () => {
    const plan = compiled(section(), table({ bookAsWhole: true, center: point(100, 100) }), gaArea());
    expect([sectionIdOf(plan, 'T1'), sectionIdOf(plan, '__sl_ga__lawn__1')]).toEqual(['west', 'west']);
  });
});

describe('a venue with floors', () => {
  const ground = { id: 'ground', name: 'Ground', focalPoint: point(1, 1), objects: [section(), row({ seatCount: 2 })] };
  const upper = {
    id: 'upper',
    name: 'Upper',
    focalPoint: point(2, 2),
    objects: [
      row({ id: 'row-b', label: 'B', seatCount: 2 }),
      section({ id: 'up', outline: rectangle(-5, -5, 99, 99) }),
    ],
  };
  const plan = compilePlan(chart(ground.objects, { floors: [ground, upper] }), 'hash');

  it('sells floor by floor, and the mirror of the first floor not again', () => {
    expect(plan.labels.all()).toEqual(['A-1', 'A-2', 'B-1', 'B-2']);
    expect(plan.floorFocalPoints).toEqual([point(1, 1), point(2, 2)]);
  });

  it('looks for sections on the object’s own floor', () => {
    expect([sectionIdOf(plan, 'A-1'), sectionIdOf(plan, 'B-1')]).toEqual(['west', 'up']);
  });
});

it('a plan carries name, hash, categories and zones of its document', () => {
  const zones = [
    { id: 'z', label: 'Zone', color: '#fff', focalPoint: point(3, 3) },
    { id: 'y', label: 'Other' },
  ];
  const plan = compilePlan(chart([row()], { zones, focalPoint: point(7, 7) }), 'hash');
  expect(plan).toMatchObject({ hash: 'hash', name: 'Test hall', categories: [seatCategory], focalPoint: point(7, 7) });
  expect(plan.zones).toEqual([
    { id: 'z', label: 'Zone', focalPoint: point(3, 3) },
    { id: 'y', label: 'Other', focalPoint: null },
  ]);
  expect(plan.floorFocalPoints).toEqual([null]);
});

describe('the seats of categories', () => {
  const categories = ['seat', 'box', 'house', 'unused'].map((key) => ({ ...seatCategory, key }));
  categories[2] = { ...categories[2]!, notForSale: true };
  const document = chart(
    [
      row({
        seatCount: 5,
        overrides: [
          { index: 0, skip: true, categoryKey: 'box' },
          { index: 1, categoryKey: 'box' },
          { index: 2, categoryKey: 'house' },
          { index: 70, skip: true },
        ],
      }),
      table({ seatCount: 6, bookAsWhole: true, categoryKey: 'box' }),
      table({ id: 'table-2', label: 'T2', seatCount: 4, variableOccupancy: true, maxOccupancy: 3 }),
      booth({ categoryKey: 'box' }),
      gaArea({ capacity: 10 }),
    ],
    { categories },
  );

  it('counts seats, booths, whole tables by capacity and GA places, with 0 for categories that are not sold', () => {
    expect(categorySeats(compilePlan(document, 'hash'))).toEqual({
      seat: 2 + 4 + 10,
      box: 1 + 6 + 1,
      house: 0,
      unused: 0,
    });
  });

  it('is the same of the draft', () => {
    expect(draftCategorySeats(document)).toEqual(categorySeats(compilePlan(document, 'hash')));
    expect(draftSeatTotal(document)).toBe(compilePlan(document, 'hash').unitCount);
  });

  it('is counted for a draft that could not be published', () => {
    const draft = chart([row({ seatCount: 2_000_000_000 }), row({ seatCount: 5, categoryKey: 'gone' })]);
    expect(draftSeatTotal(draft)).toBe(2_000_000_005);
    expect(draftCategorySeats(draft)).toEqual({ seat: 2_000_000_000 });
  });

  it('is empty for an empty draft', () => {
    expect(draftSeatTotal(chart([]))).toBe(0);
    expect(draftCategorySeats(chart([]))).toEqual({ seat: 0 });
  });
});

it('units and labels of any plan stand one for one, and every unit lies in its object', () => {
  fc.assert(
    fc.property(anyVenue(), (document) => {
      const plan = compilePlan(document, 'hash');
      expect(plan.unitCount).toBe(plan.labels.length);
      expect(draftSeatTotal(document)).toBe(plan.unitCount);
      expect(draftCategorySeats(document)).toEqual(categorySeats(plan));
      const seatIds = new Set<string>();
      for (let unit = 0; unit < plan.unitCount; unit++) {
        const object = objectOf(plan, unit);
        expect(plan.labels.unitOf(plan.labels.at(unit))).toBe(unit);
        expect(unit - object.firstUnit).toBeGreaterThanOrEqual(0);
        expect(unit - object.firstUnit).toBeLessThan(object.unitCount);
        seatIds.add(`${object.id}:${plan.indexOfUnit[unit]!}`);
      }
      expect(seatIds.size).toBe(plan.unitCount);
    }),
    { numRuns: 60 },
  );
});
