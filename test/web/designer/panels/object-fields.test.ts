/** The fields of the inspector change one property of each object, and keep the rest of it. */
import type { ChartObject, Row, Table } from '@parterre/shared/charts/document';
import { placesOf } from '@parterre/shared/charts/places';
import { describe, expect, test } from 'vitest';
import { fieldsOf } from '../../../../web/designer/panels/object-fields.ts';
import { point as at, chart, gaArea, row, section, table } from '../../../support/charts.ts';

const seats = (object: ChartObject) => fieldsOf(object).find(({ name }) => name === 'seatCount')!;
const written = (object: ChartObject, count: number) => seats(object).write(object, count) as Row;
const labels = (object: ChartObject) => placesOf(object as Row).map(({ label }) => label);
const six = (more: Partial<Row>) => row({ seatCount: 6, ...more });

describe('the number of seats', () => {
  test.each<[what: string, row: Row]>([
    ['from left to right', six({})],
    ['from right to left', six({ seatNumbering: { direction: 'rtl' } })],
    ['from the middle', six({ seatNumbering: { direction: 'center' } })],
    ['to a number', six({ seatNumbering: { direction: 'ltr', endAt: 20 } })],
    ['along a bow', six({ curve: 50, seatNumbering: { direction: 'rtl', scheme: 'odd' } })],
  ])('leaves seats their places and labels in a row that counts %s', (_, before) => {
    for (const count of [0, 3, 9]) {
      const after = written(before, count);
      const common = Math.min(count, 6);
      expect(after.seatCount).toBe(count);
      expect(labels(after).slice(0, common)).toEqual(labels(before).slice(0, common));
      expect(new Set(labels(after)).size).toBe(count);
      const away = placesOf(after).map(({ x, y }, at) => {
        const old = placesOf(before)[at] ?? { x, y };
        return Math.hypot(x - old.x, y - old.y);
      });
      expect(Math.max(...away)).toBeLessThan(0.01);
    }
    expect(written(before, 6)).toBe(before);
  });

  test.each<[what: string, row: Row]>([
    ['a bow', six({ curve: 50 })],
    ['a path', six({ path: { start: at(0, 0), control1: at(60, 90), control2: at(140, 90), end: at(200, 0) } })],
  ])('brings %s back after a single seat, and after none', (_, before) => {
    for (const few of [1, 0]) expect(written(written(before, few), 6)).toEqual(before);
  });

  test('of a table goes around it', () => {
    expect((written(table(), 3) as unknown as Table).seatCount).toBe(3);
  });

  test('has the same bound as the keys', () => {
    for (const object of [row(), table()]) expect(seats(object)).toMatchObject({ min: 0, max: 2_000 });
  });
});

test('the rotation of rows and tables turns the seats beside their places along', () => {
  const overrides = [
    { index: 0, dx: 0, dy: -10 },
    { index: 1, label: 'Z' },
  ];
  for (const object of [row({ overrides }), table({ overrides })]) {
    const field = fieldsOf(object).find(({ name }) => name === 'rotation')!;
    const turned = field.write(object, (object.rotation ?? 0) + 90) as Row;
    expect(turned.overrides).toEqual([{ index: 0, dx: 10, dy: 0 }, overrides[1]]);
    expect(field.write(object, object.rotation)).toEqual(object);
  }
});

describe('X and Y', () => {
  const hall = chart([
    section(),
    row({ origin: at(10, 20), seatCount: 3 }),
    gaArea(),
    { type: 'shape', id: 'bar', kind: 'rect', center: at(300, 10), width: 80, height: 20 } as never,
    { type: 'shape', id: 'wall', points: [at(0, 0), at(10, 0), at(10, 30)] } as never,
    { type: 'text', id: 'exit', label: 'Exit', center: at(5, 6) } as never,
    {
      type: 'decorImage',
      id: 'logo',
      url: 'https://a.example/b.png',
      center: at(0, 0),
      width: 20,
      height: 20,
    } as never,
    row({ id: 'path', path: { start: at(0, 0), control1: at(60, 90), control2: at(140, 90), end: at(200, 0) } }),
  ]);

  test.each(hall.objects.filter(({ type }) => type !== 'row').map((each) => [each.id, each] as const))(
    'of %s are those of its middle',
    (_, object) => {
      const [x, y] = ['x', 'y'].map((axis) => fieldsOf(object).find(({ name }) => name === axis)!);
      const moved = y!.write(x!.write(object, 500), -40);
      expect([x!.read(moved), y!.read(moved)]).toEqual([500, -40]);
      expect(moved.id).toBe(object.id);
    },
  );

  test('of a section move its rows along', () => {
    const x = fieldsOf(hall.objects[0]!).find(({ name }) => name === 'x')!;
    const before = x.read(hall.objects[0]!) as number;
    const [west, inside, , bar] = x.edit!('west', before + 100)(hall).objects;
    expect(x.read(west!)).toBe(before + 100);
    expect(inside).toMatchObject({ origin: at(110, 20) });
    expect(bar).toBe(hall.objects[3]);
  });
});
