/** Saving keeps every edit: pauses, lost answers, other people, refusals and ended sessions, with a server of the test. */
import type { ChartDocument } from '@parterre/shared/chart/document';
import { beforeEach, expect, test } from 'vitest';
import { Editor } from '../../../web/designer/document/editor.ts';
import { mergeDocuments } from '../../../web/designer/document/merge.ts';
import { withSide } from '../../../web/designer/document/merge-choice.ts';
import { Saving } from '../../../web/designer/saving/saving.ts';
import type { Answer, OpenChart } from '../../../web/designer/session/calls.ts';

type Saved = { meta: { updatedAt: number } };
type Save = { doc: ChartDocument; expectedUpdatedAt: number; key: string; answer(answer: Answer<Saved>): void };

const booth = (id: string, label: string) => ({
  ...{ type: 'booth' as const, id, label, center: { x: 0, y: 0 } },
  ...{ width: 10, height: 10, categoryKey: 'c' },
});
const chart = (...objects: ReturnType<typeof booth>[]): ChartDocument => ({
  ...{ version: 1, name: 'Hall', venueType: 'SIMPLE', focalPoint: { x: 0, y: 0 } },
  ...{ categories: [{ key: 'c', label: 'C', color: '#000' }], objects },
});
const first = chart(booth('a', 'A'), booth('b', 'B'));

const lost = { ok: false as const, status: 0, problem: { code: 'no_answer' } };
const stale = { ok: false as const, status: 409, problem: { code: 'conflict', reason: 'stale_chart' } };
const ended = { ok: false as const, status: 401, problem: { code: 'unauthorized' } };

function open() {
  const editor = new Editor(first);
  let now = 1_000_000;
  let keys = 0;
  const timers = new Map<object, { at: number; run: () => void }>();
  const saves: Save[] = [];
  const looks: ((answer: Answer<OpenChart | null>) => void)[] = [];
  const kept: { base: number; document: ChartDocument }[] = [];
  let dropped = 0;
  const saving: Saving = new Saving(
    {
      chartId: 'cht_1',
      server: {
        save: (_, { doc, expectedUpdatedAt }, key) =>
          new Promise((resolve) => saves.push({ doc, expectedUpdatedAt, key, answer: resolve as Save['answer'] })),
        news: () => new Promise((resolve) => looks.push(resolve)),
      },
      draft: {
        isKept: true,
        keep: ({ base, document }) => void kept.push({ base: base.updatedAt, document }),
        drop: () => void dropped++,
      },
      document: () => editor.document,
      replace: (next) => editor.replace(next),
      merge: mergeDocuments,
      withSide,
      now: () => now,
      after(ms, run) {
        const timer = {};
        timers.set(timer, { at: now + ms, run });
        return () => timers.delete(timer);
      },
      newKey: () => `key-${++keys}`,
      changed() {},
    },
    { updatedAt: 1, document: first },
  );

  editor.subscribe(({ isDocument }) => isDocument && saving.edited());

  async function settle(): Promise<void> {
    for (let turn = 0; turn < 5; turn++) await Promise.resolve();
  }

  return {
    saving,
    edit: (next: ChartDocument) => editor.apply(() => next, 'conflict.title'),
    saves,
    kept,
    drops: () => dropped,
    /** Unread news: the people, and what they changed. */
    news: () =>
      saving.news.entries.map(({ people, changes }) => [
        people.join('+'),
        ...changes.map(({ id, how }) => `${id} ${how}`),
      ]),
    labels: () => editor.document.objects.map((object) => (object as { label: string }).label),
    async pass(ms: number): Promise<void> {
      now += ms;
      for (const [timer, { at, run }] of timers) {
        if (at > now) continue;
        timers.delete(timer);
        run();
      }
      await settle();
    },
    async answer(answer: Answer<Saved>): Promise<void> {
      saves.at(-1)!.answer(answer);
      await settle();
    },
    async theirs(doc: ChartDocument, updatedAt: number, by: string | null = 'Ann'): Promise<void> {
      looks.shift()!({
        ok: true,
        value: { meta: { updatedAt } as OpenChart['meta'], doc, saves: [{ at: updatedAt, by }] },
      });
      await settle();
    },
    async lookFails(): Promise<void> {
      looks.shift()!(lost);
      await settle();
    },
    saved: (updatedAt: number): Answer<Saved> => ({ ok: true, value: { meta: { updatedAt } } }),
    settle,
  };
}

let desk: ReturnType<typeof open>;
beforeEach(() => {
  desk = open();
});
const renamed = (label: string) => chart(booth('a', label), booth('b', 'B'));

test('an edit is kept at once, saved after a pause, and forgotten by the browser once the server has it', async () => {
  desk.edit(renamed('X'));
  expect([desk.saving.state, desk.kept.length, desk.saves.length]).toEqual(['dirty', 1, 0]);
  await desk.pass(1_500);
  expect([desk.saving.state, desk.saves[0]!.expectedUpdatedAt]).toEqual(['saving', 1]);
  await desk.answer(desk.saved(2));
  expect([desk.saving.state, desk.saving.base.updatedAt, desk.drops()]).toEqual(['saved', 2, 1]);
});

test('edits without a pause are saved after ten seconds', async () => {
  for (let second = 0; second < 10; second++) {
    desk.edit(renamed(`X${second}`));
    await desk.pass(1_000);
  }
  expect(desk.saves.length).toBe(1);
});

test('one save is under way at a time, and edits meanwhile are saved next over its marker', async () => {
  desk.edit(renamed('X'));
  await desk.pass(1_500);
  desk.edit(renamed('Y'));
  await desk.pass(60_000);
  expect(desk.saves.length).toBe(1);
  await desk.answer(desk.saved(2));
  expect(desk.saving.state).toBe('dirty');
  await desk.pass(1_500);
  expect([desk.saves[1]!.expectedUpdatedAt, desk.saves[1]!.doc]).toEqual([2, renamed('Y')]);
  expect(desk.saves[1]!.key).not.toBe(desk.saves[0]!.key);
});

test('a save without an answer is repeated as it was before anything newer is sent', async () => {
  desk.edit(renamed('X'));
  await desk.pass(1_500);
  await desk.answer(lost);
  expect(desk.saving.state).toBe('offline');
  desk.edit(renamed('Y'));
  await desk.pass(1_000);
  const [one, two] = desk.saves;
  expect([two!.key, two!.doc, two!.expectedUpdatedAt]).toEqual([one!.key, one!.doc, one!.expectedUpdatedAt]);
  await desk.answer(lost);
  await desk.pass(1_000);
  expect(desk.saves.length).toBe(2);
  desk.saving.resume();
  await desk.answer(desk.saved(2));
  await desk.pass(1_500);
  expect(desk.saves.at(-1)!.doc).toEqual(renamed('Y'));
  await desk.answer(desk.saved(3));
  expect(desk.saving.state).toBe('saved');
});

test('changes of somebody else to other objects are merged, told, and saved together with mine', async () => {
  desk.edit(renamed('X'));
  await desk.pass(1_500);
  await desk.answer(stale);
  await desk.theirs(chart(booth('a', 'A'), booth('b', 'Z'), booth('c', 'C')), 7);
  expect(desk.labels()).toEqual(['X', 'Z', 'C']);
  expect(desk.news()).toEqual([['Ann', 'b changed', 'c added']]);
  expect([desk.saves.length, desk.saves[1]!.expectedUpdatedAt]).toEqual([2, 7]);
  await desk.answer(desk.saved(8));
  expect(desk.saving.state).toBe('saved');
});

test('an edit that comes while their changes are fetched is part of the merge', async () => {
  desk.edit(renamed('X'));
  await desk.pass(1_500);
  await desk.answer(stale);
  desk.edit(chart(booth('a', 'X'), booth('b', 'B'), booth('d', 'D')));
  await desk.theirs(chart(booth('a', 'A'), booth('b', 'Z')), 7);
  expect(desk.labels()).toEqual(['X', 'Z', 'D']);
});

test('nothing is saved while two people differ, and each choice counts', async () => {
  for (const [choice, label] of [
    ['mine', 'X'],
    ['theirs', 'T'],
  ] as const) {
    desk = open();
    desk.edit(renamed('X'));
    await desk.pass(1_500);
    await desk.answer(stale);
    await desk.theirs(renamed('T'), 7);
    expect([desk.saving.state, desk.saving.conflicts.length, desk.labels()[0]]).toEqual(['conflict', 1, 'X']);
    // The draft still knows the state before both, so that another page finds the same conflict.
    expect(desk.kept.at(-1)!.base).toBe(1);
    await desk.pass(60_000);
    expect([desk.saves.length, await desk.saving.save()]).toEqual([1, false]);
    desk.saving.choose(0, choice);
    desk.saving.settleConflicts();
    expect([desk.labels()[0], desk.saves[1]!.expectedUpdatedAt]).toEqual([label, 7]);
    await desk.answer(desk.saved(8));
    expect(desk.saving.state).toBe('saved');
  }
});

test('an object that I deleted and they changed stays until I choose', async () => {
  desk.edit(chart(booth('b', 'B')));
  await desk.pass(1_500);
  await desk.answer(stale);
  await desk.theirs(renamed('T'), 7);
  expect(desk.labels()).toContain('T');
  desk.saving.choose(0, 'mine');
  desk.saving.settleConflicts();
  expect(desk.labels()).toEqual(['B']);
});

test('a look takes over what somebody else saved, without a save of my own', async () => {
  void desk.saving.look();
  await desk.theirs(renamed('T'), 5, null);
  expect([desk.saving.state, desk.labels()[0], desk.saving.base.updatedAt]).toEqual(['saved', 'T', 5]);
  await desk.pass(60_000);
  expect(desk.saves.length).toBe(0);
  desk.saving.dismissNews();
  expect(desk.news()).toEqual([]);
});

test('unread news stays when more comes, and a conflict names the people of the other side', async () => {
  void desk.saving.look();
  await desk.theirs(renamed('T'), 5);
  void desk.saving.look();
  await desk.theirs(chart(booth('a', 'T'), booth('b', 'Z')), 6, 'Ben');
  expect(desk.news()).toEqual([
    ['Ann', 'a changed'],
    ['Ben', 'b changed'],
  ]);
  desk.edit(renamed('X'));
  void desk.saving.look();
  await desk.theirs(chart(booth('a', 'U'), booth('b', 'Z')), 8, 'Cat');
  expect(desk.saving.conflicts).toMatchObject([{ people: ['Cat'], conflict: { fields: ['label'] } }]);
});

test('labels that only a merge brings together are told', async () => {
  desk.edit(renamed('Z'));
  void desk.saving.look();
  await desk.theirs(chart(booth('a', 'A'), booth('b', 'Z')), 5);
  expect(desk.saving.news.collisions).toEqual([{ label: 'Z', objectIds: ['a', 'b'] }]);
  desk.saving.dismissNews();
  expect(desk.saving.news.collisions).toEqual([]);
});

test('a draft in conflict names the people who saved since it was made', async () => {
  void desk.saving.look();
  await desk.theirs(renamed('T'), 5, 'Ben');
  desk.saving.takeOver({ base: { updatedAt: 1, document: first }, document: renamed('X') }, () => {});
  expect(desk.saving.conflicts).toMatchObject([{ people: ['Ben'] }]);
});

test('a call to save during a look is answered', async () => {
  void desk.saving.look();
  const saved = desk.saving.save();
  await desk.lookFails();
  expect(await saved).toBe(true);
});

test('a refused document stays, its reason is told, and the next edit tries again', async () => {
  desk.edit(renamed('X'));
  const saved = desk.saving.save();
  await desk.answer({ ok: false, status: 409, problem: { code: 'conflict', reason: 'safe_mode', labels: ['A'] } });
  expect([await saved, desk.saving.state, desk.saving.problem?.labels]).toEqual([false, 'refused', ['A']]);
  expect([desk.labels()[0], desk.drops()]).toEqual(['X', 0]);
  desk.edit(renamed('Y'));
  await desk.pass(1_500);
  expect(desk.saves.length).toBe(2);
  // Undone up to the saved state, nothing is left to save.
  await desk.answer({ ok: false, status: 413, problem: { code: 'payload_too_large' } });
  desk.edit(first);
  expect([desk.saving.state, desk.saving.problem]).toEqual(['saved', null]);
});

test('an ended session keeps its draft, sends nothing, and goes on with a fresh token', async () => {
  desk.edit(renamed('X'));
  await desk.pass(1_500);
  await desk.answer(ended);
  expect(desk.saving.state).toBe('ended');
  desk.edit(renamed('Y'));
  await desk.pass(60_000);
  expect([desk.saves.length, desk.kept.at(-1)!.document, desk.drops()]).toEqual([1, renamed('Y'), 0]);
  desk.saving.resume();
  expect(desk.saves[1]!.doc).toEqual(renamed('Y'));
  await desk.answer(desk.saved(2));
  expect(desk.saving.state).toBe('saved');
});

test('a draft of an earlier page is merged over the present chart, and forgotten when it is part of the page', async () => {
  let forgotten = 0;
  void desk.saving.look();
  await desk.theirs(chart(booth('a', 'A'), booth('b', 'Z')), 5);
  desk.saving.takeOver({ base: { updatedAt: 1, document: first }, document: renamed('X') }, () => forgotten++);
  expect([desk.labels(), forgotten, desk.saving.state]).toEqual([['X', 'Z'], 1, 'dirty']);
  expect(desk.kept.at(-1)).toMatchObject({ base: 5 });
  await desk.pass(1_500);
  expect(desk.saves[0]!.expectedUpdatedAt).toBe(5);
});

test('a draft that the server had received before its page ended is no change', async () => {
  let forgotten = 0;
  void desk.saving.look();
  await desk.theirs(renamed('X'), 5);
  desk.saving.takeOver({ base: { updatedAt: 1, document: first }, document: renamed('X') }, () => forgotten++);
  expect([desk.saving.state, forgotten, desk.saving.conflicts]).toEqual(['saved', 1, []]);
});

test('a draft in conflict is kept until its choices are made', async () => {
  let forgotten = 0;
  void desk.saving.look();
  await desk.theirs(renamed('T'), 5);
  desk.saving.takeOver({ base: { updatedAt: 1, document: first }, document: renamed('X') }, () => forgotten++);
  expect([desk.saving.state, forgotten]).toEqual(['conflict', 0]);
  desk.saving.choose(0, 'mine');
  desk.saving.settleConflicts();
  expect([desk.labels()[0], forgotten, desk.saves[0]!.expectedUpdatedAt]).toEqual(['X', 1, 5]);
});
