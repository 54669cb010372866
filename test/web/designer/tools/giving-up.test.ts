/** A drag that is given up: by the tool that selects and by the brush. */
import { expect, test } from 'vitest';
import { chart, row } from '../../../support/charts.ts';
import { benchOf } from './bench.ts';

test.each(['select', 'paint'] as const)('a drag of %s that is given up leaves no step, and no part of it', (name) => {
  const { editor, tools, bench } = benchOf(chart([row(), row({ id: 'b', label: 'B' })]));
  Object.assign(bench, { painting: () => ({ kind: 'category', key: 'vip' }) });
  const pointed = (x: number) => ({
    at: { x, y: 0 },
    reach: 2,
    isMore: false,
    isToggle: false,
    isFree: true,
    clicks: 1,
  });
  const before = editor.document.objects;
  const rename = (to: string) => editor.replace({ ...editor.document, name: to });
  const dragged = tools.get(name)!.press(pointed(0))!;
  for (const x of [20, 40]) {
    dragged.move(pointed(x));
    expect(editor.document.objects).not.toEqual(before);
    rename(`Hall ${x}`);
  }
  dragged.cancel();
  expect([editor.document.objects, editor.document.name]).toEqual([before, 'Hall 40']);
  expect([editor.canUndo, editor.canRedo]).toEqual([false, false]);
});
