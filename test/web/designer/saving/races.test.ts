/** Edits, looks, kept drafts and renewals that come while a request is under way. */
import { beforeEach, describe, expect, test } from 'vitest';
import { booth, chart, ended, first, lost, openDesk, renamed, stale } from './desk.ts';

let desk: ReturnType<typeof openDesk>;
beforeEach(() => {
  desk = openDesk();
});

const busy = { ok: false as const, status: 503, problem: { code: 'unavailable' } };
/** What an earlier page left behind: another name of `a`, and a new booth. */
const found = {
  base: { updatedAt: 1, document: first },
  document: chart(booth('a', 'OLD'), booth('b', 'B'), booth('n', 'N')),
};

describe('a look', () => {
  test('that hangs holds no edit up: the page tells it, saves it, and drops the late answer', async () => {
    void desk.saving.look();
    desk.edit(renamed('X'));
    expect(desk.saving.state).toBe('dirty');
    await desk.pass(1_500);
    expect(desk.saves.map(({ doc }) => doc)).toEqual([renamed('X')]);
    expect(desk.looks[0]!.signal?.aborted).toBe(true);
    await desk.answer(desk.saved(2));
    await desk.theirs(renamed('T'), 7);
    expect([desk.saving.state, desk.labels()[0], desk.saving.base.updatedAt]).toEqual(['saved', 'X', 2]);
    void desk.saving.look();
    expect(desk.looks.length).toBe(1);
  });

  test('that brings the changes of others is no edit of this page', async () => {
    void desk.saving.look();
    await desk.theirs(renamed('T'), 5);
    expect([desk.labels()[0], new Set(desk.states)]).toEqual(['T', new Set(['saved'])]);
  });

  test('ends after two minutes, and the next one asks again', async () => {
    void desk.saving.look();
    await desk.pass(120_000);
    expect(desk.looks[0]!.signal?.aborted).toBe(true);
    await desk.looked(lost);
    void desk.saving.look();
    expect(desk.looks.length).toBe(1);
  });
});

describe('a kept draft', () => {
  let forgotten = 0;
  beforeEach(() => {
    forgotten = 0;
  });
  const keep = () => desk.saving.takeOver(found, () => forgotten++);

  test('in conflict waits for the save under way, and the page’s own edit is mine', async () => {
    desk.edit(renamed('NEW'));
    await desk.pass(1_500);
    keep();
    expect([desk.saving.state, desk.labels()]).toEqual(['saving', ['NEW', 'B']]);
    await desk.answer(busy);
    await desk.pass(1_000);
    expect([desk.saving.state, desk.saves[1]!.doc]).toEqual(['saving', renamed('NEW')]);
    await desk.answer(desk.saved(2));
    expect([desk.saving.state, desk.labels(), forgotten]).toEqual(['conflict', ['NEW', 'B', 'N'], 0]);
    expect(desk.saving.conflicts[0]!.conflict).toMatchObject({ mine: { label: 'NEW' }, theirs: { label: 'OLD' } });
    await desk.pass(60_000);
    desk.saving.resume();
    expect(desk.saves.length).toBe(2);
    desk.saving.choose(0, 'mine');
    desk.saving.settleConflicts();
    await desk.settle();
    expect([desk.saves[2]!.expectedUpdatedAt, desk.labels(), forgotten]).toEqual([2, ['NEW', 'B', 'N'], 1]);
  });

  test('that fits is part of the page at once, also without a connection', async () => {
    desk.edit(chart(booth('a', 'A'), booth('b', 'Z')));
    await desk.pass(1_500);
    await desk.answer(lost);
    keep();
    await desk.settle();
    expect([desk.saving.state, desk.labels(), forgotten]).toEqual(['offline', ['OLD', 'Z', 'N'], 1]);
    expect(desk.kept.at(-1)!.document).toEqual(chart(booth('a', 'OLD'), booth('b', 'Z'), booth('n', 'N')));
  });

  test('waits until the conflicts of another are chosen', async () => {
    desk.edit(renamed('X'));
    keep();
    desk.saving.takeOver({ ...found, document: chart(booth('a', 'OLDER'), booth('b', 'B')) }, () => forgotten++);
    expect(desk.saving.conflicts.map(({ conflict }) => conflict.theirs?.label)).toEqual(['OLD']);
    desk.saving.choose(0, 'theirs');
    desk.saving.settleConflicts();
    expect(desk.saving.conflicts.map(({ conflict }) => conflict.theirs?.label)).toEqual(['OLDER']);
  });

  test('is forgotten only when this browser or the server has its changes', async () => {
    desk.keepsNothing();
    keep();
    await desk.settle();
    expect([desk.labels(), forgotten]).toEqual([['OLD', 'B', 'N'], 0]);
    await desk.pass(1_500);
    await desk.answer(desk.saved(2));
    expect(forgotten).toBe(1);
  });

  test('of a page that had saved an earlier form of a new object makes no second one', async () => {
    void desk.saving.look();
    await desk.theirs(chart(booth('a', 'A'), booth('b', 'B'), booth('n', 'First')), 5);
    keep();
    expect([desk.saving.state, desk.labels()]).toEqual(['conflict', ['OLD', 'B', 'First']]);
    desk.saving.choose(0, 'theirs');
    desk.saving.settleConflicts();
    expect(desk.labels()).toEqual(['OLD', 'B', 'N']);
  });
});

test('a call to save is answered while the server is away', async () => {
  desk.edit(renamed('X'));
  const saved = desk.saving.save();
  await desk.answer(busy);
  expect([await saved, desk.saving.state]).toEqual([false, 'offline']);
});

test('a session that ends after a lost answer repeats this save under its key before anything newer', async () => {
  desk.edit(renamed('X'));
  await desk.pass(1_500);
  await desk.answer(lost);
  desk.edit(renamed('Y'));
  await desk.pass(1_000);
  await desk.answer(ended);
  expect(desk.saving.state).toBe('ended');
  desk.saving.renewed();
  expect(desk.saves.map(({ key, doc }) => [key, doc.objects[0]!.label])).toEqual(Array(3).fill(['key-1', 'X']));
  await desk.answer(desk.saved(2));
  await desk.pass(1_500);
  expect(desk.saves.at(-1)).toMatchObject({ expectedUpdatedAt: 2, doc: renamed('Y') });
});

test('an ended session stays ended when its edits are undone', async () => {
  desk.edit(renamed('X'));
  await desk.pass(1_500);
  await desk.answer(ended);
  desk.edit(first);
  expect([desk.saving.state, desk.drops()]).toEqual(['ended', 1]);
  desk.saving.renewed();
  expect([desk.saving.state, desk.saves.length]).toEqual(['saved', 1]);
});

test('a chart of another person that the page cannot take is told as a refusal, and the own changes stay', async () => {
  const desk = openDesk();
  desk.edit(renamed('Mine'));
  await desk.pass(1_500);
  await desk.answer(stale);
  const problem = { code: 'chart_too_large', message: 'The chart has 900,000 places.' };
  await desk.looked({ ok: false, status: 413, problem });
  expect([desk.saving.state, desk.saving.problem]).toEqual(['refused', problem]);
  expect([desk.labels(), desk.kept.length, desk.drops()]).toEqual([['Mine', 'B'], 1, 0]);
});

test('a chart of another person that the page cannot take is fetched once, and told until a smaller one comes', async () => {
  const problem = { code: 'chart_too_large', message: 'The chart has 600,000 places.', updatedAt: 5 };
  void desk.saving.look();
  expect(desk.looks[0]!.since).toBe(1);
  await desk.looked({ ok: false, status: 413, problem });
  expect([desk.saving.state, desk.saving.problem]).toEqual(['refused', problem]);
  void desk.saving.look();
  expect(desk.looks[0]!.since).toBe(5);
  await desk.looked({ ok: true, value: null });
  expect([desk.saving.state, await desk.saving.save()]).toEqual(['refused', false]);
  desk.edit(renamed('X'));
  await desk.pass(1_500);
  await desk.answer(stale);
  expect(desk.looks[0]!.since).toBe(5);
  await desk.looked({ ok: true, value: null });
  expect([desk.saving.state, desk.saving.problem, desk.labels()]).toEqual(['refused', problem, ['X', 'B']]);
  desk.edit(first);
  expect(desk.saving.state).toBe('refused');
  void desk.saving.look();
  await desk.theirs(chart(booth('a', 'A'), booth('b', 'Z')), 6);
  expect([desk.saving.state, desk.saving.problem, desk.labels()]).toEqual(['saved', null, ['A', 'Z']]);
  void desk.saving.look();
  expect(desk.looks[0]!.since).toBe(6);
});

test('a stale save without a newer chart tries again later, and not at once', async () => {
  desk.edit(renamed('X'));
  await desk.pass(1_500);
  await desk.answer(stale);
  await desk.looked({ ok: true, value: null });
  expect([desk.saving.state, desk.saves.length]).toEqual(['offline', 1]);
  await desk.pass(1_000);
  expect(desk.saves.length).toBe(2);
});

test('a new name of the chart is saved with it, and no name that the server would refuse', async () => {
  const under = (name: string) => ({ ...first, name });
  desk.edit(renamed('X'));
  await desk.pass(1_500);
  expect(desk.saves[0]).not.toHaveProperty('name');
  await desk.answer(desk.saved(2));
  for (const [name, sent] of [
    ['Large hall', 'Large hall'],
    ['  ', undefined],
    ['x'.repeat(201), undefined],
  ] as const) {
    desk.edit(under(name));
    await desk.pass(1_500);
    expect(desk.saves.at(-1)!.name).toBe(sent);
    await desk.answer(desk.saved(desk.saves.length + 2));
  }
});
