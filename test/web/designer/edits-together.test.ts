/** Edits of one person beside the changes of another, and objects that come from the clipboard. */
import { expect, test } from 'vitest';
import { clipOf } from '../../../web/designer/edits/copies.ts';
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
