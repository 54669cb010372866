/** Seats of rows, blocks of rows, and areas: what stays keeps its place and its label. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ChartDocument, GaArea, Row } from '../../../shared/src/charts/document.ts';
import { seatPositions } from '../../../shared/src/charts/geometry.ts';
import { type Place, placesOf } from '../../../shared/src/charts/places.ts';
import { publishIssues } from '../../../shared/src/charts/publish-issues.ts';
import { selectionOf } from '../../../web/designer/document/selection.ts';
import { mergeAreas, setCapacity, splitArea } from '../../../web/designer/edits/areas.ts';
import { hullOf, outlineAround } from '../../../web/designer/edits/outlines.ts';
import { type Block, rowsOf } from '../../../web/designer/edits/rows/blocks.ts';
import {
  addSeats,
  joinRows,
  partRows,
  skipSeats,
  splitRow,
  withSeatCount,
} from '../../../web/designer/edits/rows/rows.ts';
import { mirror } from '../../../web/designer/edits/transform.ts';
import { chart, gaArea, point, rectangle, row } from '../../support/charts.ts';
import { numberingSchemes } from '../../support/venues.ts';

const path = { start: point(0, 0), control1: point(60, 90), control2: point(140, 90), end: point(200, 0) };

function anyRow(): fc.Arbitrary<Row> {
  return fc
    .record({
      seatCount: fc.integer({ min: 1, max: 25 }),
      curve: fc.integer({ min: -90, max: 90 }),
      rotation: fc.integer({ min: -180, max: 180 }),
      seatLabelStart: fc.integer({ min: 1, max: 9 }),
      overrides: fc.array(fc.record({ index: fc.nat(24), skip: fc.boolean() }), { maxLength: 3 }),
      seatNumbering: fc.record(
        {
          scheme: fc.constantFrom(...numberingSchemes),
          direction: fc.constantFrom('ltr', 'rtl', 'center'),
          endAt: fc.constant(80),
          countSkipped: fc.boolean(),
        },
        { requiredKeys: ['scheme', 'direction'] },
      ),
    })
    .map((each) => row(each as Partial<Row>));
}

const byLabel = (places: readonly Place[]) => new Map(places.map((place) => [place.label, place]));
const seatsOf = (document: ChartDocument) => document.objects.flatMap((object) => placesOf(object as Row));

function expectKept(before: readonly Place[], after: readonly Place[], off = 0.01): void {
  const now = byLabel(after);
  expect(now.size).toBe(after.length);
  for (const { label, x, y, categoryKey } of before) {
    expect(now.get(label), label).toMatchObject({ categoryKey });
    expect(Math.hypot(now.get(label)!.x - x, now.get(label)!.y - y)).toBeLessThan(off);
  }
}

describe('rows', () => {
  test('get more seats at an end, and the others stay as they are', () => {
    fc.assert(
      fc.property(anyRow(), fc.constantFrom('start', 'end'), fc.integer({ min: 1, max: 6 }), (each, end, count) => {
        const hall = chart([each]);
        const longer = addSeats(new Set(['row-a']), end as 'start', count)(hall);
        expect((longer.objects[0] as Row).seatCount).toBe(each.seatCount + count);
        expectKept(seatsOf(hall), seatsOf(longer));
        expect(seatsOf(longer)).toHaveLength(seatsOf(hall).length + count);
        const back = addSeats(new Set(['row-a']), end as 'start', -count)(longer);
        expectKept(seatsOf(back), seatsOf(hall));
        expectKept(seatsOf(hall), seatsOf(back));
      }),
    );
  });

  test('count on from their numbers without entries for single seats', () => {
    const hall = chart([row({ seatLabelStart: 5, seatNumbering: { direction: 'rtl' } })]);
    const longer = addSeats(new Set(['row-a']), 'end', 3)(hall).objects[0] as Row;
    expect(longer).toEqual(row({ seatLabelStart: 2, seatCount: 13, seatNumbering: { direction: 'rtl' } }));
    const shorter = addSeats(new Set(['row-a']), 'start', -4)(chart([row()])).objects[0];
    expect(shorter).toEqual(row({ seatCount: 6, seatLabelStart: 5, origin: point(80, 0) }));
  });

  test('keep their bow and their path, however few seats they have in between', () => {
    const bowed = row({ seatCount: 6, curve: 50 });
    const winding = row({ seatCount: 12, path });
    const apart = (each: Row) => new Set(seatPositions(each).map(({ x, y }) => `${Math.round(x)} ${Math.round(y)}`));
    for (const end of ['start', 'end'] as const) {
      const keys = (each: Row, ...counts: number[]) =>
        counts.reduce((hall, by) => addSeats(new Set(['row-a']), end, by)(hall), chart([each])).objects[0] as Row;
      for (const counts of [[-5, 5], [-5, 1, 4], [-2, -3, 5], Array(5).fill(-1).concat(Array(5).fill(1))]) {
        const back = keys(bowed, ...counts);
        expect(back.curve).toBeCloseTo(50, 2);
        expectKept(placesOf(bowed), placesOf(back));
      }
      expect(keys(winding, -11, 11).path).toEqual(path);
      expect(apart(keys(winding, ...Array(11).fill(-1), 11)).size).toBe(12);
    }
  });

  test.each(['keep', 'flip'] as const)('of one seat bow the other way in a mirror (%s)', (labels) => {
    const mirrored = (each: Row) =>
      mirror(selectionOf(['row-a']), 'across', { labels, about: point(0, 0) })(chart([each])).objects[0] as Row;
    const bowed = row({ seatCount: 6, curve: 50, rotation: 20 });
    const grown = withSeatCount(mirrored(withSeatCount(bowed, 1)), 6, labels === 'keep' ? 'start' : 'end');
    const rounded = (each: Row) => seatPositions(each).map(({ x, y }) => [Math.round(x), Math.round(y)]);
    expect(rounded(grown)).toEqual(rounded(mirrored(bowed)));
  });

  test('that have more seats than the bound keep them', () => {
    const long = chart([row({ seatCount: 2_500 })]);
    expect(addSeats(new Set(['row-a']), 'end', 1)(long)).toEqual(long);
    expect(addSeats(new Set(['row-a']), 'end', -1)(long).objects[0]).toMatchObject({ seatCount: 2_499 });
  });

  test('are split into two, and joined again', () => {
    fc.assert(
      fc.property(anyRow(), fc.integer({ min: 1, max: 24 }), (each, at) => {
        const hall = chart([each]);
        const { edit, selection } = splitRow(hall, 'row-a', at);
        const parts = edit(hall);
        if (at >= each.seatCount) {
          expect(parts).toBe(hall);
          return;
        }
        expect(parts.objects).toHaveLength(2);
        expectKept(seatsOf(hall), seatsOf(parts));
        const joined = joinRows(parts, selection.objects).edit(parts);
        expectKept(seatsOf(hall), seatsOf(joined), 0.7);
        expect(seatsOf(joined)).toHaveLength(seatsOf(hall).length);
      }),
    );
  });

  test('in a line become one object, with the labels and categories of both', () => {
    const other = row({ id: 'b', label: 'B', origin: point(200, 0), seatCount: 2, categoryKey: 'vip' });
    const hall = chart([row(), other]);
    const [joined, ...more] = joinRows(hall, new Set(['row-a', 'b'])).edit(hall).objects as Row[];
    expect(more).toEqual([]);
    expect(joined).toMatchObject({ id: 'row-a', seatCount: 12 });
    expectKept(seatsOf(hall), placesOf(joined!));
  });

  test('that turn away become pieces of one row, and can be parted', () => {
    const other = row({ id: 'b', label: 'A', seatLabelStart: 11, origin: point(210, 5), rotation: 30 });
    const hall = chart([row(), row({ id: 'c', label: 'C', origin: point(0, 90) }), other]);
    const joined = joinRows(hall, new Set(['row-a', 'b'])).edit(hall);
    const pieces = joined.objects as Row[];
    expect(
      pieces.map(({ id, segmentedRow }) => [id, segmentedRow?.componentIndex, segmentedRow?.boundaryBefore]),
    ).toEqual([
      ['row-a', 0, 'start'],
      ['b', 1, 'continuous'],
      ['c', undefined, undefined],
    ]);
    expect(publishIssues(joined)).toEqual([]);
    const { edit } = splitRow(joined, 'row-a', 4);
    expect((edit(joined).objects as Row[]).slice(0, 3).map(({ segmentedRow }) => segmentedRow!.componentIndex)).toEqual(
      [0, 1, 2],
    );
    expect(partRows(new Set(['b']))(joined).objects).toEqual([row(), other, hall.objects[1]]);
  });

  test('along a path are split along the path', () => {
    const hall = chart([row({ path, seatCount: 15 })]);
    const parts = splitRow(hall, 'row-a', 6).edit(hall);
    expectKept(seatsOf(hall), seatsOf(parts), 0.5);
  });

  test('skip seats, and get them back', () => {
    const hall = chart([row()]);
    const seats = selectionOf([], [{ objectId: 'row-a', index: 3 }]).seats;
    const skipped = skipSeats(seats, true)(hall);
    expect(seatsOf(skipped).map(({ label }) => label)).not.toContain('A-4');
    expect(skipSeats(seats, false)(skipped)).toEqual(hall);
  });
});

describe('blocks of rows', () => {
  const block: Block = {
    origin: point(0, 0),
    rowCount: 4,
    seatCount: 10,
    seatSpacing: 20,
    rowSpacing: 30,
    categoryKey: 'seat',
    labelOf: (at) => 'ABCDEFGH'[at]!,
  };
  const made = (more: Partial<Block>) => rowsOf(chart([]), { ...block, ...more });

  test('publish as they come, and have each number once', () => {
    for (const seatNumbering of numberingSchemes.flatMap((scheme) =>
      (['ltr', 'rtl', 'center'] as const).map((direction) => ({ scheme, direction })),
    )) {
      for (const radius of [null, 200]) {
        const rows = made({ radius, grows: true, aisleEvery: 3, aisleWidth: 40, seatNumbering });
        const document = chart(rows);
        expect(publishIssues(document)).toEqual([]);
        for (const label of 'ABCD') {
          const pieces = rows.filter((each) => each.label === label);
          const seatCount = pieces.reduce((sum, each) => sum + each.seatCount, 0);
          const whole = placesOf(row({ label, seatCount, seatNumbering }));
          expect(pieces.flatMap(placesOf).map((seat) => seat.label)).toEqual(whole.map((seat) => seat.label));
        }
      }
    }
  });

  test('have gaps at aisles, between pieces of one row', () => {
    const rows = made({ aisleEvery: 4, aisleWidth: 50, rowCount: 1 });
    expect(rows.map(({ segmentedRow, seatCount }) => [segmentedRow!.boundaryBefore, seatCount])).toEqual([
      ['start', 4],
      ['gap', 4],
      ['gap', 2],
    ]);
    const seats = rows.flatMap(placesOf);
    expect(seats[4]!.x - seats[3]!.x).toBe(70);
    expect(seats.map(({ label }) => label)).toEqual(Array.from({ length: 10 }, (_, i) => `A-${i + 1}`));
  });

  test('stagger every second row', () => {
    expect(made({ stagger: 10 }).map(({ origin }) => origin)).toEqual([
      point(0, 0),
      point(10, 30),
      point(0, 60),
      point(10, 90),
    ]);
  });

  test('curve around a middle above them, with more seats or wider ones further out', () => {
    for (const rotation of [0, 70]) {
      const middle = { x: 200 * Math.sin((rotation * Math.PI) / 180), y: -200 * Math.cos((rotation * Math.PI) / 180) };
      for (const grows of [true, false]) {
        const rows = made({ radius: 200, rotation, grows, aisleEvery: 5, aisleWidth: 30 });
        const labels = new Set(rows.map(({ label }) => label));
        for (const [at, label] of [...labels].entries()) {
          const seats = rows.filter((each) => each.label === label).flatMap(placesOf);
          for (const { x, y } of seats) expect(Math.hypot(x - middle.x, y - middle.y)).toBeCloseTo(200 + at * 30, 3);
          expect(seats.length > 10).toBe(grows && at > 1);
        }
      }
    }
  });

  test('that grow keep their aisles straight, and have even counts where these are wanted', () => {
    for (const aisleEvery of [0, 6, 9]) {
      for (const keepsEven of [true, false]) {
        const rows = made({
          origin: point(0, 300),
          radius: 300,
          grows: true,
          seatCount: 23,
          rowCount: 8,
          aisleEvery,
          keepsEven,
          aisleWidth: 30,
        });
        const byRow = [...'ABCDEFGH'].map((label) => rows.filter((each) => each.label === label));
        const counts = byRow.map((pieces) => pieces.reduce((sum, { seatCount }) => sum + seatCount, 0));
        const areEven = counts.every((count) => count % 2 === 0);
        if (keepsEven || aisleEvery === 0) expect(areEven).toBe(keepsEven);
        if (aisleEvery === 0) continue;
        // Every row has the same number of parts, none of one seat, and the gaps lie in the same directions.
        expect(new Set(byRow.map(({ length }) => length)).size).toBe(1);
        expect(Math.min(...rows.map(({ seatCount }) => seatCount))).toBeGreaterThan(1);
        for (let aisle = 1; aisle < byRow[0]!.length; aisle++) {
          const middles = byRow.map((pieces, at) => {
            const [left, right] = [placesOf(pieces[aisle - 1]!).at(-1)!, placesOf(pieces[aisle]!)[0]!];
            const gap = Math.hypot(right.x - left.x, right.y - left.y);
            expect(gap).toBeGreaterThan(49);
            expect(gap).toBeLessThan(keepsEven ? 81 : 71);
            return Math.atan2((left.x + right.x) / 2, (left.y + right.y) / 2) * (300 + at * 30);
          });
          const angles = middles.map((middle, at) => middle / (300 + at * 30));
          // Seats fill their parts up to a spacing, so a gap leans by a quarter of it at most.
          for (const [at, angle] of angles.entries())
            expect(Math.abs(angle - angles[0]!) * (300 + at * 30)).toBeLessThan(11);
        }
      }
    }
  });

  test('are bounded', () => {
    expect(made({ rowCount: 501 })).toEqual([]);
    expect(made({ seatCount: 50_000 })).toEqual([]);
    expect(made({ rowCount: 500, seatCount: 60, radius: 10, grows: true })).toEqual([]);
    expect(made({ seatSpacing: Number.NaN })).toEqual([]);
  });
});

describe('areas', () => {
  const labelsOf = (document: ChartDocument) =>
    document.objects.flatMap((object) => placesOf(object as GaArea).map(({ label }) => label)).sort();
  const hall = chart([gaArea({ capacity: 40, holes: [rectangle(10, 10, 10, 10)] })]);

  test('are split with their ground, and their places keep their labels', () => {
    const { edit, selection } = splitArea(hall, 'lawn', point(25, -10), point(25, 200));
    const split = edit(hall);
    const areas = split.objects as GaArea[];
    expect(areas.map(({ capacity }) => capacity).sort()).toEqual([10, 30]);
    expect(labelsOf(split)).toEqual(labelsOf(hall));
    expect(publishIssues(split)).toEqual([]);
    const merged = mergeAreas(split, selection.objects).edit(split);
    expect(merged.objects).toHaveLength(1);
    expect(labelsOf(merged)).toEqual(labelsOf(hall));
    expect((merged.objects[0] as GaArea).points).toHaveLength(4);
  });

  test('are not split by a line beside them', () => {
    const { edit } = splitArea(hall, 'lawn', point(300, 0), point(300, 9));
    expect(edit(hall)).toBe(hall);
  });

  test('get more places with labels that no place had', () => {
    const split = splitArea(hall, 'lawn', point(25, -10), point(25, 200)).edit(hall);
    for (const capacity of [0, 5, 35, 90]) {
      const resized = setCapacity('lawn', capacity)(split);
      expect(publishIssues(resized)).toEqual([]);
      expect((resized.objects[0] as GaArea).capacity).toBe(capacity);
    }
    expect(setCapacity('lawn', 60)(hall).objects).toEqual([{ ...hall.objects[0], capacity: 60 }]);
  });
});

test('an outline around rows holds all their seats', () => {
  const outline = outlineAround([row({ rotation: 30 }), row({ id: 'b', origin: point(50, 80), curve: 40 })])!;
  expect(hullOf(outline)).toEqual(outline);
  expect(outlineAround([])).toBeNull();
});
