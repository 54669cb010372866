/** A publish is of the state that its preview showed, and that the page shows. */
import { beforeEach, expect, test } from 'vitest';
import { Publisher } from '../../../../web/designer/saving/publishing.ts';
import type { Answer, Preview, Published } from '../../../../web/designer/session/calls.ts';
import { lost, stale } from './desk.ts';

function openPress() {
  const previews: ((answer: Answer<Preview>) => void)[] = [];
  const publishes: { expected: number; answer: (answer: Answer<Published>) => void }[] = [];
  const told: Published[] = [];
  let shown = 5;
  let onServer = 5;
  let isSaved = true;
  const publisher = new Publisher({
    chartId: 'cht_1',
    server: {
      preview: () => new Promise((resolve) => previews.push(resolve)),
      publish: (_, expected) => new Promise((answer) => publishes.push({ expected, answer })),
    },
    save: () => Promise.resolve(isSaved),
    async look() {
      shown = onServer;
    },
    updatedAt: () => shown,
    newKey: () => 'key',
    published: (published) => told.push(published),
    changed() {},
  });
  const settle = async () => {
    for (let turn = 0; turn < 8; turn++) await Promise.resolve();
  };
  return {
    publisher,
    publishes,
    told,
    somebodySaves: (updatedAt: number) => {
      onServer = updatedAt;
    },
    cannotSave: () => {
      isSaved = false;
    },
    shows: () => shown,
    async preview(): Promise<void> {
      const meta = { updatedAt: onServer } as Preview['meta'];
      previews.shift()!({ ok: true, value: { meta, isNew: true, issues: [], events: [], truncated: false } });
      await settle();
    },
    async previewFails(): Promise<void> {
      previews.shift()!(lost);
      await settle();
    },
    async answer(answer: Answer<Published>): Promise<void> {
      publishes.at(-1)!.answer(answer);
      await settle();
    },
    settle,
    asked: () => previews.length,
  };
}

let press: ReturnType<typeof openPress>;
beforeEach(() => {
  press = openPress();
});
const published = {
  ok: true as const,
  value: { meta: {}, events: { refreshed: [], needsUpdate: [] } } as unknown as Published,
};

test('a publish names the state of its preview', async () => {
  void press.publisher.open();
  await press.settle();
  await press.preview();
  expect(press.publisher.state).toMatchObject({ step: 'previewed', isAnew: false });
  void press.publisher.confirm();
  expect(press.publishes[0]!.expected).toBe(5);
  await press.answer(published);
  expect([press.publisher.state.step, press.told.length]).toEqual(['published', 1]);
});

test('a preview of changes that the page does not show waits until it shows them', async () => {
  void press.publisher.open();
  await press.settle();
  press.somebodySaves(6);
  await press.preview();
  expect([press.publisher.state.step, press.shows(), press.asked()]).toEqual(['looking', 6, 1]);
  await press.preview();
  expect(press.publisher.state.step).toBe('previewed');
});

test('a chart that was changed since the preview is not published, but previewed anew', async () => {
  void press.publisher.open();
  await press.settle();
  await press.preview();
  void press.publisher.confirm();
  press.somebodySaves(6);
  await press.answer(stale);
  await press.preview();
  await press.preview();
  expect(press.publisher.state).toMatchObject({ step: 'previewed', isAnew: true, preview: { meta: { updatedAt: 6 } } });
  expect([press.told, press.publishes.length]).toEqual([[], 1]);
});

test('a dialog that was closed stays closed when its preview arrives, and the next one is its own', async () => {
  void press.publisher.open();
  await press.settle();
  press.publisher.close();
  void press.publisher.open();
  await press.settle();
  await press.previewFails();
  expect(press.publisher.state.step).toBe('looking');
  await press.preview();
  expect(press.publisher.state.step).toBe('previewed');
  press.publisher.close();
  void press.publisher.open();
  await press.settle();
  press.publisher.close();
  await press.preview();
  expect(press.publisher.state.step).toBe('closed');
});

test('what cannot be saved is not published', async () => {
  press.cannotSave();
  await press.publisher.open();
  expect(press.publisher.state).toEqual({ step: 'failed', why: 'not saved' });
});

test('a preview gives up where somebody saves all the time', async () => {
  void press.publisher.open();
  await press.settle();
  for (let marker = 6; press.asked() > 0; marker++) {
    press.somebodySaves(marker);
    await press.preview();
  }
  expect(press.publisher.state).toMatchObject({ step: 'failed', why: { reason: 'stale_chart' } });
});
