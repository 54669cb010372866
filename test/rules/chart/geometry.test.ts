import { chairPositions, seatPositions } from '@parterre/shared/charts/geometry';
import { pointInOutline, sectionFinder } from '@parterre/shared/charts/membership';
import type { Point } from '@parterre/shared/charts/plan';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { point, rectangle, row, section, table } from '../../support/charts.ts';

const rounded = (points: Point[]) =>
  points.map(({ x, y }) => [Math.round(x * 100) / 100 + 0, Math.round(y * 100) / 100 + 0]);
const distance = (a: Point, b: Point) => Math.hypot(b.x - a.x, b.y - a.y);

describe('seats of a straight row', () => {
  it('stand a spacing apart, from the origin to the right', () => {
    expect(rounded(seatPositions(row({ origin: point(5, 7), seatCount: 3 })))).toEqual([
      [5, 7],
      [25, 7],
      [45, 7],
    ]);
  });

  it('turn clockwise about the first seat', () => {
    expect(rounded(seatPositions(row({ origin: point(5, 7), seatCount: 3, rotation: 90 })))).toEqual([
      [5, 7],
      [5, 27],
      [5, 47],
    ]);
  });

  it('stand at the origin when there is one, however it is curved', () => {
    expect(seatPositions(row({ origin: point(5, 7), seatCount: 1, curve: 40 }))).toEqual([point(5, 7)]);
  });
});

describe('seats of a curved row', () => {
  it('keep their spacing and lie on a circle above the first seat', () => {
    const curved = row({ seatCount: 7, curve: 60, seatSpacing: 20 });
    const seats = seatPositions(curved);
    const radius = 20 / (2 * Math.sin((10 * Math.PI) / 180 / 2));
    expect(seats[0]).toEqual(point(0, 0));
    for (let i = 1; i < seats.length; i++) expect(distance(seats[i - 1]!, seats[i]!)).toBeCloseTo(20, 9);
    for (const seat of seats) expect(distance(seat, point(0, -radius))).toBeCloseTo(radius, 9);
    expect(seats[6]!.x).toBeCloseTo(radius * Math.sin(Math.PI / 3), 9);
  });

  it('follow the formula for a negative sweep, which runs to the left', () => {
    const seats = seatPositions(row({ seatCount: 3, curve: -60 }));
    const radius = 20 / (2 * Math.sin(Math.PI / 12));
    expect(seats[1]!.x).toBeCloseTo(-radius * Math.sin(Math.PI / 6), 9);
    expect(seats[1]!.y).toBeCloseTo(-radius + radius * Math.cos(Math.PI / 6), 9);
  });

  it('turn about the first seat', () => {
    const flat = seatPositions(row({ seatCount: 5, curve: 40 }));
    const turned = seatPositions(row({ seatCount: 5, curve: 40, rotation: 180, origin: point(100, 100) }));
    expect(rounded(turned)).toEqual(rounded(flat.map(({ x, y }) => point(100 - x, 100 - y))));
  });
});

describe('seats of a row on a cubic path', () => {
  it('divide a straight path evenly, both ends taken', () => {
    const path = { start: point(0, 0), control1: point(0, 0), control2: point(90, 0), end: point(90, 0) };
    const seats = seatPositions(row({ seatCount: 4, path }));
    expect(rounded(seats)).toEqual([
      [0, 0],
      [30, 0],
      [60, 0],
      [90, 0],
    ]);
  });

  it('stand at equal distances along a bend', () => {
    const path = { start: point(0, 0), control1: point(0, 300), control2: point(600, 300), end: point(600, 0) };
    const seats = seatPositions(row({ seatCount: 41, path }));
    const gaps = seats.slice(1).map((seat, i) => distance(seats[i]!, seat));
    expect(Math.max(...gaps) / Math.min(...gaps)).toBeLessThan(1.01);
    expect(rounded([seats[0]!, seats[20]!, seats[40]!])).toEqual([
      [0, 0],
      [300, 225],
      [600, 0],
    ]);
  });

  it('stand in the middle when there is one', () => {
    const path = { start: point(0, 0), control1: point(20, 0), control2: point(70, 0), end: point(90, 0) };
    expect(rounded(seatPositions(row({ seatCount: 1, path })))).toEqual([[45, 0]]);
  });

  it('share a place when the path has no length', () => {
    const path = { start: point(1, 2), control1: point(1, 2), control2: point(1, 2), end: point(1, 2) };
    expect(seatPositions(row({ seatCount: 2, path }))).toEqual([point(1, 2), point(1, 2)]);
  });
});

describe('chairs of a round table', () => {
  it('stand 16 outside the edge, clockwise from the rotation', () => {
    expect(rounded(chairPositions(table()))).toEqual([
      [56, 0],
      [0, 56],
      [-56, 0],
      [0, -56],
    ]);
    expect(rounded(chairPositions(table({ rotation: 90, radius: 84, seatCount: 2 })))).toEqual([
      [0, 100],
      [0, -100],
    ]);
  });

  it('leave a gap centred on the rotation when they take only an arc', () => {
    const chairs = chairPositions(table({ seatArc: 180, seatCount: 3, rotation: 0 }));
    expect(rounded(chairs)).toEqual([
      [0, 56],
      [-56, 0],
      [0, -56],
    ]);
  });
});

describe('chairs of a rectangular table', () => {
  const rect = { shape: 'rect', width: 80, height: 50 } as const;

  it('are dealt to top and bottom in turn, then numbered side by side', () => {
    const chairs = chairPositions(table({ ...rect, seatCount: 5 }));
    const third = 80 / 3;
    expect(rounded(chairs)).toEqual(
      rounded([point(-third, -41), point(0, -41), point(third, -41), point(-20, 41), point(20, 41)]),
    );
  });

  it('are dealt to the sides the table names, in the order top, bottom, left, right', () => {
    const chairs = chairPositions(table({ ...rect, seatCount: 3, sides: ['right', 'left'] }));
    expect(rounded(chairs)).toEqual([
      [-56, -12.5],
      [-56, 12.5],
      [56, 0],
    ]);
  });

  it('stand as counted by side', () => {
    const seatCountsBySide = { top: 0, bottom: 1, left: 1, right: 1 };
    const chairs = chairPositions(table({ ...rect, seatCount: 3, seatCountsBySide }));
    expect(rounded(chairs)).toEqual([
      [0, 41],
      [-56, 0],
      [56, 0],
    ]);
  });

  it('are always as many as the table seats', () => {
    const counts = fc.record({ top: fc.nat(5), bottom: fc.nat(5), left: fc.nat(5), right: fc.nat(5) });
    const sides = fc.subarray(['top', 'bottom', 'left', 'right'] as ('top' | 'bottom' | 'left' | 'right')[]);
    fc.assert(
      fc.property(fc.nat(20), counts, sides, (seatCount, seatCountsBySide, chosen) => {
        expect(chairPositions(table({ ...rect, seatCount, seatCountsBySide, sides: chosen }))).toHaveLength(seatCount);
      }),
    );
  });

  it('turn with the table', () => {
    const chairs = chairPositions(table({ ...rect, seatCount: 2, rotation: 90, center: point(100, 0) }));
    expect(rounded(chairs)).toEqual([
      [141, 0],
      [59, 0],
    ]);
  });
});

describe('a point in an outline', () => {
  const square = rectangle(0, 0, 100, 100);
  const notched = [point(0, 0), point(100, 0), point(100, 100), point(50, 40), point(0, 100)];
  it.each([
    ['in the middle', square, point(50, 50), true],
    ['outside', square, point(101, 50), false],
    ['on an edge', square, point(100, 50), true],
    ['on the upper edge', square, point(50, 0), true],
    ['on a corner', square, point(0, 100), true],
    ['in line with an edge, beyond it', square, point(150, 100), false],
    ['level with a corner, inside', notched, point(50, 39), true],
    ['in a notch', notched, point(50, 60), false],
    ['level with the notch, inside', notched, point(20, 40), true],
    ['on a slanting edge', notched, point(75, 70), true],
    ['of no area, on it', [point(0, 0), point(10, 0), point(5, 0)], point(7, 0), true],
  ] as const)('%s', (_, outline, at, expected) => {
    expect(pointInOutline(at, outline)).toBe(expected);
    expect(pointInOutline(at, outline.toReversed())).toBe(expected);
  });
});

describe('the section at a centre', () => {
  it('is the first whose outline holds it', () => {
    const find = sectionFinder([section(), section({ id: 'over', outline: rectangle(50, 0, 100, 100) })]);
    expect([
      find(point(20, 20)),
      find(point(75, 20)),
      find(point(100, 50)),
      find(point(120, 20)),
      find(point(151, 0)),
    ]).toEqual([0, 0, 0, 1, -1]);
  });

  it('is not a section with a hole there, the edge of the hole included', () => {
    const find = sectionFinder([section({ holes: [rectangle(40, 40, 20, 20)] })]);
    expect([find(point(50, 50)), find(point(40, 50)), find(point(39, 50))]).toEqual([-1, -1, 0]);
  });

  it('is a section even where the hole of another lies', () => {
    const find = sectionFinder([section({ holes: [rectangle(40, 40, 20, 20)] }), section({ id: 'inner' })]);
    expect(find(point(50, 50))).toBe(1);
  });
});
