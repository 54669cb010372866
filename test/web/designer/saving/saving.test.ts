/**
 * Saving keeps every edit: pauses, lost answers, other people, refusals and ended sessions, with a server of the test.
 */
import type { ChartDocument } from '@parterre/shared/charts/document';
import { beforeEach, expect, test } from 'vitest';
import type { Drafts } from '../../../../web/designer/saving/drafts.ts';
import { Offers } from '../../../../web/designer/saving/offers.ts';
import { booth, chart, ended, first, lost, openDesk, renamed, stale } from './desk.ts';

let desk: ReturnType<typeof openDesk>;
beforeEach(() => {
  desk = openDesk();
});

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
    desk = openDesk();
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
  await desk.looked(lost);
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
  expect(desk.saving.state).toBe('ended');
  desk.saving.renewed();
  expect(desk.saves[1]!.doc).toEqual(renamed('Y'));
  await desk.answer(desk.saved(2));
  expect(desk.saving.state).toBe('saved');
});

test('a draft of an earlier page is merged over the present chart, and forgotten when it is part of the page', async () => {
  let forgotten = 0;
  void desk.saving.look();
  await desk.theirs(chart(booth('a', 'A'), booth('b', 'Z')), 5);
  desk.saving.takeOver({ base: { updatedAt: 1, document: first }, document: renamed('X') }, () => forgotten++);
  await desk.settle();
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
  await desk.settle();
  expect([desk.saving.state, forgotten, desk.saving.conflicts]).toEqual(['saved', 1, []]);
});

test('a kept draft is offered only if the chart lacks a change of it', async () => {
  const draft = (name: string, document: ChartDocument) => ({
    base: { updatedAt: 1, document: first },
    document,
    name,
    at: 1,
  });
  const forgotten: string[] = [];
  const found = [draft('saved', renamed('X')), draft('unsaved', renamed('Y')), draft('unchanged', first)];
  const drafts = {
    found: async () => found,
    forget: async (name: string) => void forgotten.push(name),
  } as unknown as Drafts;
  void desk.saving.look();
  await desk.theirs(renamed('X'), 5);
  const offers = new Offers(drafts, () => {});
  await offers.look(desk.saving);
  expect([offers.next?.name, forgotten]).toEqual(['unsaved', ['saved', 'unchanged']]);
  await offers.drop();
  expect([offers.next, forgotten.at(-1)]).toEqual([null, 'unsaved']);
});

test('a draft in conflict is kept until its choices are made', async () => {
  let forgotten = 0;
  void desk.saving.look();
  await desk.theirs(renamed('T'), 5);
  desk.saving.takeOver({ base: { updatedAt: 1, document: first }, document: renamed('X') }, () => forgotten++);
  expect([desk.saving.state, forgotten, desk.labels()[0]]).toEqual(['conflict', 0, 'T']);
  desk.saving.choose(0, 'theirs');
  desk.saving.settleConflicts();
  await desk.settle();
  expect([desk.labels()[0], forgotten, desk.saves[0]!.expectedUpdatedAt]).toEqual(['X', 1, 5]);
});
