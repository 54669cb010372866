/** Edits of one person beside the changes of another, and objects that come from the clipboard. */
import type { Row } from '@parterre/shared/charts/document';
import { seatPositions } from '@parterre/shared/charts/geometry';
import type { Point } from '@parterre/shared/charts/plan';
import { describe, expect, test } from 'vitest';
import { clipOf } from '../../../web/designer/edits/copies.ts';
import { bent, type Handle } from '../../../web/designer/tools/handles.ts';
import { bendObject } from '../../../web/designer/tools/transforms.ts';
import { booth, chart, point, row, section } from '../../support/charts.ts';

test('a drag of a corner changes the shape alone, whatever somebody else changed since it began', () => {
  const pressed = section();
  const outline = [point(0, 0), point(50, 0), point(50, 90)];
  const renamed = chart([section({ label: 'East', displayLabel: 'The east' })]);
  expect(bendObject(pressed, { ...pressed, outline })(renamed)).toEqual(
    chart([section({ label: 'East', displayLabel: 'The east', outline })]),
  );
  const line = row({ path: { kind: 'arc' } as never });
  const { path: _, ...straight } = line;
  expect(bendObject(line, straight as never)(chart([row({ ...line, label: 'B' })]))).toEqual(
    chart([row({ label: 'B' })]),
  );
  expect(bendObject(pressed, { ...pressed, outline })(chart([row()]))).toEqual(chart([row()]));
});

describe('a handle of a row takes along the seats beside its line', () => {
  const line = row({
    seatCount: 5,
    seatSpacing: 20,
    overrides: [
      { index: 2, dx: 0, dy: -10 },
      { index: 4, label: 'Z' },
    ],
  });
  const dragged = (before: Row, kind: 'end' | 'bend', ...ways: Point[]) =>
    ways.reduce(
      (document, to) => {
        const handle = { kind, isLast: true, at: point(80, 0) } as Handle;
        return bendObject(before, bent(before, handle, to))(document);
      },
      chart([before]),
    ).objects[0] as Row;
  test('at its end', () => {
    expect(dragged(line, 'end', point(0, 80)).overrides).toEqual([
      { index: 2, dx: 10, dy: 0 },
      { index: 4, label: 'Z' },
    ]);
  });

  test('at its bow', () => {
    const tilted = { ...line, overrides: [{ index: 1, dx: 0, dy: -10 }] };
    const bow = dragged(tilted, 'bend', point(40, -30));
    const [first, , third] = seatPositions(bow);
    const [offset] = bow.overrides!;
    expect(Math.hypot(offset!.dx!, offset!.dy!)).toBeCloseTo(10);
    expect(offset!.dx! * (third!.x - first!.x) + offset!.dy! * (third!.y - first!.y)).toBeCloseTo(0);
    expect(offset!.dx!).toBeLessThan(-1);
  });

  test('through many steps of a drag, and back', () => {
    const circle = Array.from({ length: 73 }, (_, at) =>
      point(80 * Math.cos(at * 5 * (Math.PI / 180)), 80 * Math.sin(at * 5 * (Math.PI / 180))),
    );
    const { dx, dy } = dragged(line, 'end', ...circle).overrides![0]!;
    expect([dx, dy]).toEqual([expect.closeTo(0, 3), expect.closeTo(-10, 3)]);
  });

  test('and leaves what somebody else wrote to the seats since', () => {
    const after = bent(line, { kind: 'end', isLast: true, at: point(80, 0) }, point(0, 80));
    const theirs = row({
      ...line,
      overrides: [
        { index: 2, dx: 0, dy: -10, label: 'X' },
        { index: 3, skip: true },
      ],
    });
    expect((bendObject(line, after)(chart([theirs])).objects[0] as Row).overrides).toEqual([
      { index: 2, dx: 10, dy: 0, label: 'X' },
      { index: 3, skip: true },
    ]);
  });
});

test('the clipboard gives whole objects of a chart, or nothing', () => {
  const clip = { kind: 'parterre-objects', objects: [row(), booth()], categories: [], zones: [] };
  expect(clipOf(JSON.stringify(clip))).toEqual(clip);
  for (const objects of [
    [{ type: 'zzz' }],
    [null],
    'row',
    [{ ...row(), seatCount: 'many' }],
    [{ ...booth(), id: undefined }],
    undefined,
  ]) {
    expect(clipOf(JSON.stringify({ ...clip, objects }))).toBeNull();
  }
  expect(clipOf(JSON.stringify({ ...clip, categories: [null] }))).toBeNull();
  expect(
    clipOf(JSON.stringify({ ...clip, objects: [{ ...booth(), width: 7e7 }] }).replace('70000000', '1e999')),
  ).toBeNull();
  expect(clipOf('a text of another program')).toBeNull();
});
