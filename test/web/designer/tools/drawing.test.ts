/** Each drawing tool by its points: the objects that clicks, drags and Enter at the keyboard's cursor make. */
import { describe, expect, test } from 'vitest';
import type { ChartObject, Row, Table } from '../../../../shared/src/charts/document.ts';
import { chairsBySide } from '../../../../shared/src/charts/geometry.ts';
import { placesOf } from '../../../../shared/src/charts/places.ts';
import { publishIssues } from '../../../../shared/src/charts/publish-issues.ts';
import { fieldsOf } from '../../../../web/designer/panels/object-fields.ts';
import type { Settings } from '../../../../web/designer/tools/settings.ts';
import type { ToolName } from '../../../../web/designer/tools/tool.ts';
import { chart, point, rectangle, row, section } from '../../../support/charts.ts';
import { type At, benchOf } from './bench.ts';

const corners = [
  [0, 0],
  [100, 0],
  [100, 60],
  [0, 0],
] as const;
const triangle = [point(0, 0), point(100, 0), point(100, 60)];
const box = [corners[0], corners[2]] as const;
const inBox = { center: point(50, 30), width: 100, height: 60, rotation: 0 };
const usual = { rotation: 0, curve: 0, seatSpacing: 24, categoryKey: 'seat' };

type Case = [ToolName, readonly At[], object, Partial<Settings>?];

const cases: Case[] = [
  ['seat', [[10, 20]], { ...usual, type: 'row', label: 'A', origin: point(10, 20), seatCount: 1 }],
  ['row', [corners[0], [72, 0]], { ...usual, type: 'row', label: 'A', origin: point(0, 0), seatCount: 4 }],
  ['row', [corners[0], [0, 48]], { ...usual, type: 'row', origin: point(0, 0), rotation: 90, seatCount: 3 }],
  [
    'path',
    [corners[0], [50, -40], [100, -40], [150, 0]],
    {
      ...usual,
      type: 'row',
      origin: point(0, 0),
      seatCount: 8,
      path: { start: point(0, 0), control1: point(50, -40), control2: point(100, -40), end: point(150, 0) },
    },
  ],
  ['section', box, { type: 'section', label: 'Section 1', outline: rectangle(0, 0, 100, 60) }],
  ['outline', corners, { type: 'section', label: 'Section 1', outline: triangle }],
  ['round', [[50, 30]], { type: 'table', label: 'Table 1', shape: 'round', center: point(50, 30), radius: 40 }],
  ['rect', [[50, 30]], { type: 'table', shape: 'rect', center: point(50, 30), width: 120, height: 50, seatCount: 8 }],
  ['booth', [[50, 30]], { type: 'booth', label: 'Booth 1', center: point(50, 30), width: 80, height: 80 }],
  ['area', box, { type: 'gaArea', label: 'Area 1', points: rectangle(0, 0, 100, 60), capacity: 30 }, { capacity: 30 }],
  ['polygon', corners, { type: 'gaArea', label: 'Area 1', points: triangle, capacity: 100, categoryKey: 'seat' }],
  ['text', [[5, 6]], { type: 'text', label: 'Bar', center: point(5, 6), fontSize: 24 }, { text: ' Bar ' }],
  ['shape', [[50, 30]], { type: 'shape', kind: 'rect', center: point(50, 30), width: 240, height: 80 }],
  ['ellipse', [[50, 30]], { type: 'shape', kind: 'ellipse', center: point(50, 30), width: 160, height: 160 }],
  [
    'image',
    [[50, 30]],
    { type: 'decorImage', url: 'https://a.example/b.png', center: point(50, 30), width: 200, height: 120, opacity: 1 },
    { address: 'https://a.example/b.png' },
  ],
];

describe.each(['click', 'enter'] as const)('by %s', (way) => {
  test.each(cases)(
    '%s of %j',
    (name: ToolName, points: readonly At[], wanted: object, settings: Partial<Settings> = {}) => {
      const { objects, editor, ...hands } = benchOf(chart([]), settings);
      for (const at of points) hands[way](name, at);
      expect(objects()).toMatchObject([wanted]);
      expect([...editor.selection.objects]).toEqual([objects()[0]!.id]);
      expect(publishIssues({ ...editor.document, objects: [...objects(), row({ id: 'z', label: 'Z' })] })).toEqual([]);
    },
  );

  test('a curved row goes through its points, above or below', () => {
    for (const height of [-50, 50]) {
      const { objects, ...hands } = benchOf(chart([]));
      for (const at of [
        [0, 0],
        [100, 0],
        [50, height],
      ] as const)
        hands[way]('curve', at);
      const seats = placesOf(objects()[0] as Row);
      expect(seats).toHaveLength(8);
      for (const { x, y } of seats) expect(Math.hypot(x - 50, y)).toBeCloseTo(50);
      for (const { y } of seats) expect(y * height).toBeGreaterThan(-1e-6);
    }
  });

  test('a hole belongs to the section that holds its first point', () => {
    const { objects, said, ...hands } = benchOf(chart([section()]));
    const hole = [
      [10, 10],
      [40, 10],
      [40, 40],
    ] as const;
    for (const at of [...hole, hole[0]]) hands[way]('hole', at);
    expect(objects()).toEqual([section({ holes: [hole.map(([x, y]) => point(x, y))] })]);
    for (const [x, y] of [...hole, hole[0]]) hands[way]('hole', [x + 500, y]);
    expect(said.at(-1)).toBe('A hole begins within a section or an area.');
    expect(objects()).toHaveLength(1);
  });
});

test.each([
  ['round', { shape: 'round', center: point(0, 0), radius: 117 }],
  ['rect', { shape: 'rect', ...inBox }],
  ['booth', { type: 'booth', ...inBox }],
  ['shape', { type: 'shape', kind: 'rect', ...inBox }],
  ['ellipse', { type: 'shape', kind: 'ellipse', ...inBox }],
  ['image', { type: 'decorImage', ...inBox }],
  ['section', { outline: rectangle(0, 0, 100, 60) }],
] as const)('a drag of %s gives it a size', (name, wanted) => {
  const { objects, drag } = benchOf(chart([]), { address: 'data:image/png;base64,AA==' });
  drag(name, corners[0], corners[2]);
  expect(objects()).toMatchObject([wanted]);
});

test('an image without a picture says so', () => {
  const { objects, said, click } = benchOf(chart([]));
  click('image', [0, 0]);
  expect(said.at(-1)).toMatch(/^Choose a picture first/);
  expect(objects()).toEqual([]);
});

describe('with Shift', () => {
  const drawn = (name: ToolName, points: readonly At[], way: 'click' | 'enter' | 'drag' = 'click') => {
    const { objects, holdShift, ...hands } = benchOf(chart([section()]));
    holdShift();
    if (way === 'drag') hands.drag(name, points[0]!, points[1]!);
    else for (const at of points) hands[way](name, at);
    return objects().at(-1)!;
  };

  test.each(['click', 'enter', 'drag'] as const)('a row keeps to steps of 15°, by %s', (way) => {
    const turned = (to: At) => (drawn('row', [[10, 20], to], way) as Row).rotation;
    expect([turned([110, 25]), turned([110, 40]), turned([110, 70]), turned([13, -80]), turned([-90, 18])]).toEqual([
      0, 15, 30, -90, 180,
    ]);
  });

  test('the corners of an outline stand level and upright, and the first point closes it', () => {
    const corners: At[] = [
      [0, 0],
      [100, 4],
      [97, 60],
      [10, 59.5],
      [1, 1],
    ];
    const outline = [point(0, 0), point(100, 0), point(100, 60), point(10, 60)];
    expect(drawn('outline', corners)).toMatchObject({ outline });
    expect(drawn('polygon', corners)).toMatchObject({ points: outline });
    expect(drawn('hole', corners)).toMatchObject({ holes: [outline] });
  });

  test('the bow of a row and the corners of a box stand where the pointer is', () => {
    const plain = benchOf(chart([]));
    for (const at of [
      [0, 0],
      [100, 0],
      [40, -37],
    ] as const)
      plain.click('curve', at);
    expect(
      placesOf(
        drawn('curve', [
          [0, 0],
          [100, 5],
          [40, -37],
        ]) as Row,
      ),
    ).toEqual(placesOf(plain.objects()[0] as Row));
    expect(
      drawn('area', [
        [0, 0],
        [100, 60],
      ]),
    ).toMatchObject({ points: rectangle(0, 0, 100, 60) });
  });
});

test.each([
  ['the letters that the chart leaves out', 'ABCDEFGHJKLMNPR', 'S'],
  ['no letter that a person took away', 'ABDE', 'C'],
])('new rows leave out %s', (_, letters, next) => {
  const rows = [...letters].map((label, at) => row({ id: `r${at}`, label, origin: point(0, 40 * at) }));
  const { click, objects } = benchOf(chart(rows));
  click('seat', [900, 900]);
  expect(objects().at(-1)).toMatchObject({ label: next });
});

test('a table is called as a person wants, and has its chairs on the sides that are chosen', () => {
  const { click, objects } = benchOf(chart([]), { tableName: ' Box ' });
  click('rect', [0, 0]);
  click('rect', [300, 0]);
  expect(objects().map(({ label }) => label)).toEqual(['Box 1', 'Box 2']);
  const sides = fieldsOf(objects()[0]!).find(({ name }) => name === 'sides')!;
  expect(sides.read(objects()[0]!)).toBe('top,bottom');
  const facing = sides.write(objects()[0]!, 'bottom,left,right');
  expect(chairsBySide(facing as Table)).toEqual({ top: 0, bottom: 3, left: 3, right: 2 });
  expect(sides.write(facing, sides.read(objects()[0]!))).toEqual(objects()[0]);
});

test('the first places of a chart without categories bring a category', () => {
  const { editor, click, objects } = benchOf(chart([], { categories: [] }));
  click('shape', [900, 900]);
  expect(editor.document.categories).toEqual([]);
  click('seat', [0, 0]);
  click('seat', [50, 0]);
  expect(editor.document.categories).toMatchObject([{ key: 'standard', label: 'Standard' }]);
  expect(objects().map(({ categoryKey }) => categoryKey)).toEqual([undefined, 'standard', 'standard']);
  const restricted = benchOf(chart([], { categories: [] }), {}, { has: (name) => name !== 'categories' });
  restricted.click('seat', [0, 0]);
  expect(restricted.editor.document.categories).toEqual([]);
  expect(restricted.objects()).toHaveLength(1);
});

describe('a block', () => {
  const piecesOf = (objects: readonly ChartObject[], label: string) =>
    objects.filter((each): each is Row => each.type === 'row' && each.label === label);

  test('fills its box with straight rows, every second one aside', () => {
    const { objects, click } = benchOf(chart([]), { stagger: 12 });
    for (const at of [corners[0], [96, 64]] as const) click('block', at);
    expect(objects()).toMatchObject([
      { ...usual, label: 'A', origin: point(0, 0), seatCount: 5 },
      { ...usual, label: 'B', origin: point(12, 32), seatCount: 5 },
      { ...usual, label: 'C', origin: point(0, 64), seatCount: 5 },
    ]);
  });

  test('that curves has its aisles in the same directions in all rows, by the seats of its middle row', () => {
    const { objects, click } = benchOf(chart([]), { radius: 200, stagger: 12, aisleEvery: 5, aisleWidth: 30 });
    for (const at of [corners[0], [210, 320]] as const) click('block', at);
    const counts = (label: string) => piecesOf(objects(), label).map(({ seatCount }) => seatCount);
    expect([counts('A'), counts('K')]).toEqual([
      [2, 2, 2],
      [7, 7, 7],
    ]);
    const seats = piecesOf(objects(), 'K').flatMap(placesOf);
    for (const { x, y } of seats) expect(Math.hypot(x - 105, y + 200)).toBeCloseTo(520, 1);
    expect(seats.at(-1)!.label).toBe('K-21');
  });

  test('above 50,000 seats is too large', () => {
    const tiny = { seatSpacing: 4, rowSpacing: 4 };
    const { objects, said, click } = benchOf(chart([]), tiny);
    for (const at of [corners[0], [2_000, 800]] as const) click('block', at);
    expect(said.at(-1)).toBe('This is too large. A row has at most 500 seats, a block 50,000.');
    expect(objects()).toEqual([]);
    // Rows that grow are counted as they are, not as the first.
    const growing = benchOf(chart([]), { ...tiny, radius: 100 });
    for (const at of [corners[0], [800, 796]] as const) growing.click('block', at);
    expect(growing.said.at(-1)).toMatch(/too large/);
  });
});

test('points that are too near to each other make nothing, and a curve that is too long says so', () => {
  const { objects, said, click } = benchOf(chart([]), { seatSpacing: 4 });
  for (const at of [corners[0], [0.5, 0.5]] as const) click('section', at);
  expect(said.at(-1)).toMatch(/too small/);
  for (const at of [corners[0], [3_000, 0], [1_500, 900]] as const) click('curve', at);
  expect(said.at(-1)).toMatch(/too large/);
  expect(objects()).toEqual([]);
});

test('a session has the tools of its features alone', () => {
  const without = (...names: string[]) => benchOf(chart([]), {}, { has: (name) => !names.includes(name) }).toolNames();
  const all = without();
  expect(all).toHaveLength(24);
  expect(all.filter((name) => !without('rows').includes(name))).toEqual([
    'seat',
    'row',
    'curve',
    'path',
    'block',
    'aisle',
  ]);
  expect(all.filter((name) => !without('sections').includes(name))).toEqual(['section', 'outline']);
  expect(all.filter((name) => !without('sections', 'areas').includes(name))).toContain('hole');
  expect(without('painting', 'accessibility', 'views', 'categories')).not.toContain('paint');
  expect(benchOf(chart([]), {}, { authority: 'read-only' }).toolNames()).toEqual(['select', 'pan']);
});
