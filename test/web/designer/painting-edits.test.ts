/** Painting keeps documents small, and painting back gives the document as it was. */
import { accessibilityKinds } from '@parterre/shared/charts/accessibility';
import type { ChartDocument, ChartObject, Row } from '@parterre/shared/charts/document';
import { draftCategorySeats, draftSeatTotal, hasSeats, isSeller, placesOf } from '@parterre/shared/charts/places';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { countsOf } from '../../../web/designer/painting/counts.ts';
import { overrideOf } from '../../../web/designer/painting/overrides.ts';
import { kindsOf, type PlacePaint, paint, paintedObject } from '../../../web/designer/painting/painting.ts';
import { booth, chart, gaArea, row, section, table } from '../../support/charts.ts';
import { anyVenue } from '../../support/venues.ts';

const none = { objects: new Set<string>(), seats: new Map<string, Set<number>>() };
const whole = (...ids: string[]) => ({ ...none, objects: new Set(ids) });
const seats = (id: string, ...indexes: number[]) => ({ ...none, seats: new Map([[id, new Set(indexes)]]) });
const category = (key: string): PlacePaint => ({ kind: 'category', key });
const rowOf = ({ objects }: ChartDocument) => objects[0] as Row;

describe('a category', () => {
  test('is an entry of the seats that differ from their row, and of no others', () => {
    const first = paint(seats('row-a', 2, 1), category('vip'))(chart([row()]));
    expect(rowOf(first)).toEqual({ ...row(), overrides: [1, 2].map((index) => ({ index, categoryKey: 'vip' })) });
    const back = paint(seats('row-a', 1, 2), category('seat'))(first);
    expect(back).toEqual(chart([row()]));
  });

  test('of all seats becomes the category of the row', () => {
    const overrides = [
      { index: 3, skip: true },
      { index: 4, categoryKey: 'old', label: 'Z' },
    ];
    const after = paint(seats('row-a', 0, 1, 2, 4), category('vip'))(chart([row({ seatCount: 5, overrides })]));
    expect(rowOf(after)).toEqual({
      ...row({ seatCount: 5, categoryKey: 'vip' }),
      overrides: [
        { index: 3, skip: true },
        { index: 4, label: 'Z' },
      ],
    });
    expect(after).toEqual(paint(whole('row-a'), category('vip'))(chart([row({ seatCount: 5, overrides })])));
  });

  test('goes to booths, areas and whole tables, and to nothing that is not sold', () => {
    const document = chart([booth(), gaArea(), table({ bookAsWhole: true }), section()]);
    const ids = document.objects.map(({ id }) => id as string);
    const after = paint(whole(...ids), category('vip'))(document);
    expect(after.objects.map((object) => ('categoryKey' in object ? object.categoryKey : null))).toEqual([
      'vip',
      'vip',
      'vip',
      null,
    ]);
    expect(after.objects[3]).toBe(document.objects[3]);
  });

  test('leaves missing seats, other objects and the whole document alone where it changes nothing', () => {
    const document = chart([row({ overrides: [{ index: 0, skip: true }] }), booth()]);
    expect(paint(seats('row-a', 0), category('vip'))(document)).toBe(document);
    expect(paint(seats('row-a', 77), category('vip'))(document)).toBe(document);
    expect(paint(whole('row-a', 'booth-1'), category('seat'))(document)).toBe(document);
    expect(paint(none, category('vip'))(document)).toBe(document);
  });

  test('follows the last of several entries for one seat, and leaves one', () => {
    const overrides = [
      { index: 1, categoryKey: 'a' },
      { index: 1, categoryKey: 'b', label: 'Z' },
    ];
    const after = rowOf(paint(seats('row-a', 1), category('seat'))(chart([row({ overrides })])));
    expect(after.overrides).toEqual([{ index: 1, label: 'Z' }]);
  });
});

describe('accessibility', () => {
  const on = (accessibility: (typeof accessibilityKinds)[number], isOn = true): PlacePaint => ({
    kind: 'accessibility',
    accessibility,
    isOn,
  });
  const painted = (override: object, what: PlacePaint) =>
    rowOf(paint(seats('row-a', 1), what)(chart([row({ overrides: [{ index: 1, ...override }] })]))).overrides?.[0];

  test('adds and takes kinds, in their order', () => {
    expect(painted({ accessibility: ['hearing'] }, on('wheelchair'))).toEqual({
      index: 1,
      accessibility: ['wheelchair', 'hearing'],
    });
    expect(painted({ accessibility: ['hearing'] }, on('hearing', false))).toBeUndefined();
    expect(painted({ accessible: true }, on('wheelchair', false))).toBeUndefined();
    expect(painted({ wheelchairSpaceType: 'fixed', label: 'W' }, on('wheelchair', false))).toEqual({
      index: 1,
      label: 'W',
    });
  });

  test('keeps the older fields while they tell the truth', () => {
    const both = painted({ accessible: true }, on('cart'));
    expect(both).toEqual({ index: 1, accessible: true, accessibility: ['wheelchair', 'cart'] });
    expect(painted(both!, on('cart', false))).toEqual({ index: 1, accessible: true });
    expect(painted({ accessible: true }, on('wheelchair'))).toEqual({ index: 1, accessible: true });
  });
});

describe('views', () => {
  const view = (url: string | null): PlacePaint => ({ kind: 'view', url });

  test('of a whole row stand in the row, and of a part in its seats', () => {
    const all = paint(whole('row-a'), view('/a.jpg'))(chart([row({ seatCount: 3 })]));
    expect(rowOf(all)).toEqual({ ...row({ seatCount: 3 }), viewFromSeatUrl: '/a.jpg' });
    const one = paint(seats('row-a', 1), view('/b.jpg'))(all);
    expect(rowOf(one).overrides).toEqual([{ index: 1, viewFromSeatUrl: '/b.jpg' }]);
    expect(paint(seats('row-a', 1), view('/a.jpg'))(one)).toEqual(all);
  });

  test('leave single seats of a row, whose other seats keep theirs', () => {
    const all = paint(whole('row-a'), view('/a.jpg'))(chart([row({ seatCount: 3 })]));
    const after = paint(seats('row-a', 0), view(null))(all);
    expect(rowOf(after)).toEqual({
      ...row({ seatCount: 3 }),
      overrides: [1, 2].map((index) => ({ index, viewFromSeatUrl: '/a.jpg' })),
    });
    expect(paint(whole('row-a'), view(null))(after)).toEqual(chart([row({ seatCount: 3 })]));
  });

  test('that are restricted are painted alike', () => {
    const restricted = (isOn: boolean): PlacePaint => ({ kind: 'restrictedView', isOn });
    const some = paint(seats('row-a', 4), restricted(true))(chart([row(), booth()]));
    expect(rowOf(some).overrides).toEqual([{ index: 4, restrictedView: true }]);
    expect(countsOf(some).restricted).toBe(1);
    expect(paint(whole('row-a'), restricted(false))(some)).toEqual(chart([row(), booth()]));
    expect(countsOf(paint(whole('booth-1', 'row-a'), restricted(true))(some)).restricted).toBe(11);
  });
});

const anyWhat: fc.Arbitrary<PlacePaint> = fc.oneof(
  fc.constantFrom('seat', 'vip', 'far').map(category),
  fc.record({
    kind: fc.constant('accessibility' as const),
    accessibility: fc.constantFrom(...accessibilityKinds),
    isOn: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('view' as const), url: fc.constantFrom('/a', '/b', null) }),
  fc.record({ kind: fc.constant('restrictedView' as const), isOn: fc.boolean() }),
  fc.record({ kind: fc.constant('way' as const), way: fc.constantFrom('stepFree', 'lift'), isOn: fc.boolean() }),
);
const anyTargets = fc
  .record({
    objects: fc.array(fc.nat(11), { maxLength: 4 }),
    seats: fc.array(fc.tuple(fc.nat(11), fc.array(fc.nat(25), { maxLength: 20 })), { maxLength: 6 }),
  })
  .map(({ objects, seats }) => ({
    objects: new Set(objects.map((at) => `object-${at}`)),
    seats: new Map(seats.map(([at, indexes]) => [`object-${at}`, new Set(indexes)])),
  }));

/** Everything that painting may change, by seat id. */
function seatsIn(document: ChartDocument): Map<string, string> {
  const seen = new Map<string, string>();
  for (const object of document.objects.filter(isSeller)) {
    const own = object as { viewFromSeatUrl?: unknown; restrictedView?: unknown };
    for (const { index, label, categoryKey, accessibility, x, y } of placesOf(object)) {
      const seat = hasSeats(object) ? overrideOf(object, index) : { index };
      const view = seat.viewFromSeatUrl ?? own.viewFromSeatUrl;
      const restricted = seat.restrictedView ?? own.restrictedView;
      const ways = { stepFree: seat.stepFree ?? object.stepFree, lift: seat.lift ?? object.lift };
      const told = { label, categoryKey, accessibility, x, y, view, restricted, ...ways };
      seen.set(`${object.id}:${index}`, JSON.stringify(told));
    }
  }
  return seen;
}

function isMinimal(object: ChartObject): boolean {
  if (!hasSeats(object)) return true;
  const own = object as unknown as Record<string, unknown>;
  return (object.overrides ?? []).every((override) => {
    const fields = override as Record<string, unknown>;
    const repeats = ['categoryKey', 'viewFromSeatUrl', 'restrictedView', 'stepFree', 'lift'].some(
      (name) => fields[name] !== undefined && fields[name] === own[name],
    );
    return !repeats && Object.keys(override).length > 1;
  });
}

describe('any painting', () => {
  /** Venues by strokes of a brush, so that seats differ already. */
  const painted = fc
    .tuple(anyVenue(), fc.array(fc.tuple(anyTargets, anyWhat), { maxLength: 4 }))
    .map(([venue, strokes]) => strokes.reduce((document, [targets, what]) => paint(targets, what)(document), venue));

  test('changes its seats alone, as it says, and is done when it is done again', () => {
    fc.assert(
      fc.property(painted, anyTargets, anyWhat, (document, targets, what) => {
        const after = paint(targets, what)(document);
        const before = seatsIn(document);
        const now = seatsIn(after);
        expect([...now.keys()]).toEqual([...before.keys()]);
        for (const object of document.objects.filter(isSeller)) {
          const chosen = targets.seats.get(object.id);
          for (const { index } of placesOf(object)) {
            const id = `${object.id}:${index}`;
            const isTarget =
              targets.objects.has(object.id) || (chosen !== undefined && (!hasSeats(object) || chosen.has(index)));
            if (!isTarget) expect(now.get(id)).toBe(before.get(id));
            else if (what.kind === 'category') expect(JSON.parse(now.get(id)!).categoryKey).toBe(what.key);
            else if (what.kind === 'view') expect(JSON.parse(now.get(id)!).view ?? null).toBe(what.url);
            else if (what.kind === 'restrictedView') {
              expect(JSON.parse(now.get(id)!).restricted === true).toBe(what.isOn);
            } else if (what.kind === 'way') {
              expect(JSON.parse(now.get(id)!)[what.way] === true).toBe(what.isOn);
            } else if (hasSeats(object)) {
              const its = after.objects.find((each) => each.id === object.id) as Row;
              expect(kindsOf(overrideOf(its, index)).includes(what.accessibility)).toBe(what.isOn);
            }
          }
        }
        expect(paint(targets, what)(after)).toBe(after);
      }),
    );
  });

  test('and painting back is the same document', () => {
    fc.assert(
      fc.property(
        anyVenue().map(minimal),
        anyTargets,
        fc.constantFrom('vip', 'far').map(category),
        (venue, targets, what) => {
          expect(paint(targets, category('seat'))(paint(targets, what)(venue))).toEqual(venue);
        },
      ),
    );
  });

  test('leaves no entry that repeats its row, and no empty one', () => {
    fc.assert(
      fc.property(painted, anyTargets, anyWhat, (document, targets, what) => {
        const start = { ...document, objects: document.objects.map((object) => (isMinimal(object) ? object : row())) };
        for (const object of start.objects) {
          const its = targets.seats.get(object.id as string) ?? null;
          expect(isMinimal(paintedObject(object, its, what))).toBe(true);
        }
      }),
    );
  });

  test('is counted as the server counts, object by object', () => {
    fc.assert(
      fc.property(painted, anyTargets, anyWhat, (document, targets, what) => {
        const keys = ['seat', 'vip', 'far'].map((key) => ({ key, label: key, color: '#000000' }));
        const after = paint(targets, what)({ ...document, categories: keys });
        const { categories, units, kinds } = countsOf(after);
        const server = Object.fromEntries(keys.map(({ key }) => [key, categories.get(key) ?? 0]));
        expect(server).toEqual(draftCategorySeats(after));
        expect(units).toBe(draftSeatTotal(after));
        for (const [bit, kind] of accessibilityKinds.entries()) {
          const places = after.objects.filter(isSeller).flatMap((object) => placesOf(object));
          expect(kinds[kind]).toBe(places.filter(({ accessibility }) => accessibility & (1 << bit)).length);
        }
      }),
    );
  });
});

/** Without an empty list of entries, and with one entry for a seat. */
function minimal(venue: ChartDocument): ChartDocument {
  const objects = venue.objects.map((object) => {
    const { overrides = [], ...rest } = object as Row;
    const last = overrides.filter(({ index }, at) => overrides.findLastIndex((each) => each.index === index) === at);
    return (last.length > 0 ? { ...rest, overrides: last } : rest) as ChartObject;
  });
  return { ...venue, objects };
}
