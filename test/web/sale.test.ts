/**
 * The picker's sale against a server that loses answers, and a tab's hold over a reload: nothing is held twice, and no
 * hold is resumed by another buyer.
 */
import { expect, test, vi } from 'vitest';
import { createChoosing } from '../../web/src/choosing.ts';
import { wordsOf } from '../../web/src/messages/words.ts';
import * as partyRule from '../../web/src/rules/party.ts';
import { patiently } from '../../web/src/sale/calls.ts';
import type { House } from '../../web/src/sale/house.ts';
import { keptHold } from '../../web/src/sale/kept-hold.ts';
import { regain } from '../../web/src/sale/regain.ts';
import { keptIn } from './kept-in.ts';
import { expire, openSale } from './sale/open-sale.ts';

test('a hold with a lost answer is repeated under its name, and places of an area are not held twice', async () => {
  const { sale, server, calls } = openSale();
  sale.choice.setArea('standing', 2);
  server.loses = true;
  expect(await sale.hold()).toBe(false);
  server.loses = false;
  expect(await sale.hold()).toBe(true);
  expect(calls[1]).toEqual(calls[0]);
  expect(server.named.size).toBe(1);
  expect(sale.state.hold?.holdId).toBe('hld_1');
  sale.choice.setArea('standing', 3);
  await sale.hold();
  expect(calls[2]!.key).not.toBe(calls[0]!.key);
});

test('a hold in place of another has the renewals of the other', async () => {
  const { sale, choose } = openSale();
  choose('A-1');
  await sale.hold();
  await sale.extend();
  choose('A-2');
  expect(await sale.hold()).toBe(true);
  expect(sale.state.hold).toMatchObject({ holdId: 'hld_2', extends: 1 });
});

test('a place that turns held meanwhile may belong to this hold: it stays chosen, and another choice replaces that hold', async () => {
  const { sale, server, calls, hears, choose, chosen } = openSale();
  choose('A-1');
  server.loses = true;
  await sale.hold();
  hears(2, { 'A-1': 'held' });
  expect(chosen()).toEqual(['A-1']);
  server.loses = false;
  choose('A-2');
  expect(await sale.hold()).toBe(true);
  expect(calls[1]).toEqual(calls[0]);
  expect(calls[2]!.body).toMatchObject({ selections: [{ label: 'A-1' }, { label: 'A-2' }], replaceHoldId: 'hld_1' });
  expect([sale.state.hold?.holdId, ...chosen()]).toEqual(['hld_2', 'A-1', 'A-2']);
});

test('a hold whose replacement was not heard of has not ended', async () => {
  const { sale, server, hears, choose } = openSale();
  choose('A-1');
  await sale.hold();
  choose('A-1');
  choose('B-1');
  server.loses = true;
  await sale.hold();
  server.loses = false;
  hears(3, { 'A-1': 'free', 'B-1': 'held' });
  await expect.poll(() => sale.state.hold?.holdId).toBe('hld_2');
  expect([...sale.state.held.keys()]).toEqual(['B-1']);
});

test('a choice that is refused on repetition is dropped, and the next hold has a name of its own', async () => {
  const { sale, server, calls, choose, chosen } = openSale();
  choose('A-1');
  choose('A-2');
  server.taken = ['A-1'];
  server.loses = true;
  await sale.hold();
  server.loses = false;
  expect(await sale.hold()).toBe(false);
  expect(chosen()).toEqual(['A-2']);
  expect(await sale.hold()).toBe(true);
  expect(calls[2]!.key).not.toBe(calls[0]!.key);
});

test('a call that may have been carried out is not repeated: the hold is read again', async () => {
  const { sale, server, calls, choose } = openSale();
  choose('A-1');
  await sale.hold();
  const problem = { code: 'shard_unavailable', outcome: 'unknown' };
  const expiresAt = Date.now() + 900_000;
  server.answers.set('extend', { ok: false, status: 503, problem });
  const read = { holdId: 'hld_1', labels: ['A-1'], items: [], expiresAt };
  server.answers.set('hold/resume', { ok: true, value: read });
  expect(await sale.extend()).toBe(false);
  await expect.poll(() => sale.state.hold?.expiresAt).toBe(expiresAt);
  expect(calls.map(({ action }) => action)).toEqual(['hold', 'extend', 'hold/resume']);
});

test('a tab’s hold is found again by the same kind of access, and by no other', () => {
  const items = new Map<string, string>();
  const storage = keptIn(items);
  const token = async () => 'bse_1';
  const ways = [
    keptHold(storage, 'ev', { publicKey: 'pk_test_aaaaaaaa' }),
    keptHold(storage, 'ev', { publicKey: 'pk_test_bbbbbbbb' }),
    keptHold(storage, 'other', { publicKey: 'pk_test_aaaaaaaa' }),
    keptHold(storage, 'ev', { capability: 'bal_aaaaaaaa' }),
    keptHold(storage, 'ev', { token }, 'ada'),
    keptHold(storage, 'ev', { token }, 'ben'),
  ];
  for (const [index, way] of ways.entries()) {
    way.set(`hld_${index}`, index);
    const found = ways.map((each) => each.get()?.holdId ?? null);
    expect(found).toEqual(ways.map((_, other) => (other === index ? `hld_${index}` : null)));
    expect(way.get()?.extends).toBe(index);
    way.drop();
  }
  ways[4]!.set('hld_x', 0);
  expect(keptHold(storage, 'ev', { token }, 'ada').get()?.holdId).toBe('hld_x');
});

test('a removed seat comes back until the next change, unless it was taken meanwhile', () => {
  const { sale, choose, chosen, hears } = openSale();
  choose('A-1');
  choose('A-2');
  sale.choice.remove('A-1');
  expect(chosen()).toEqual(['A-2']);
  sale.choice.undo();
  expect(chosen()).toEqual(['A-2', 'A-1']);
  expect(sale.choice.removed()).toEqual([]);
  sale.choice.clear();
  hears(2, { 'A-1': 'held' });
  sale.choice.undo();
  expect(chosen()).toEqual(['A-2']);
  expect(sale.state.notice?.text).toBe('Row A, seat 1 was just taken by somebody else.');
});

test('a removed seat that was taken meanwhile is named, and not offered again', () => {
  const { sale, said, choose, hears } = openSale();
  choose('A-1');
  sale.choice.remove('A-1');
  hears(2, { 'A-1': 'not_for_sale' });
  sale.choice.undo();
  expect([sale.state.notice?.text, sale.choice.removed()]).toEqual(['Row A, seat 1 is no longer on sale.', []]);
  expect(said).toEqual(['Row A, seat 1 is no longer on sale.']);
});

test('the places of a hold that ran out are held again, as far as the server has them free', async () => {
  const { sale, server, said, choose, hears } = openSale();
  choose('A-1');
  choose('A-2');
  choose('A-3');
  await sale.hold();
  await expire({ sale, server });
  expect(sale.state.lost?.size).toBe(3);
  // The map still shows the ended hold, and one place has another buyer.
  hears(2, { 'A-1': 'held', 'A-2': 'held', 'A-3': 'booked' });
  server.taken = ['A-2'];
  expect(await regain(sale, wordsOf('en'))).toBe(true);
  expect(sale.state.hold?.labels).toEqual(['A-1']);
  expect(sale.state.notice?.text).toBe('Row A, seat 2 and Row A, seat 3 were just taken by somebody else.');
  expect(said.at(-1)).toBe(sale.state.notice?.text);
  expect(sale.state.lost).toBe(null);
});

test('the offer of places that ran out stays until the server has decided', async () => {
  const { sale, server, choose, chosen, hears } = openSale();
  choose('A-1');
  await sale.hold();
  await expire({ sale, server });
  server.answers.set('hold', { ok: false, status: 429, problem: { code: 'rate_limited', retryAfterSeconds: 5 } });
  hears(2, { 'A-1': 'held' });
  expect(await regain(sale, wordsOf('en'))).toBe(false);
  expect(sale.state.notice?.code).toBe('rate_limited');
  expect([chosen(), [...sale.state.lost!.keys()]]).toEqual([['A-1'], ['A-1']]);
  server.answers.delete('hold');
  server.taken = ['A-1'];
  expect(await regain(sale, wordsOf('en'))).toBe(false);
  expect([chosen(), sale.state.lost, sale.state.notice?.code]).toEqual([[], null, 'conflict']);
});

test('places that were chosen during a call stay chosen, and places that were removed stay removed', async () => {
  const { sale, server, choose, chosen } = openSale();
  choose('A-1');
  choose('A-2');
  server.meanwhile = () => {
    choose('A-3');
    sale.choice.remove('A-1');
  };
  expect(await sale.hold()).toBe(true);
  expect(chosen()).toEqual(['A-2', 'A-3']);
  expect([...sale.state.held.keys()]).toEqual(['A-1', 'A-2']);
  expect(sale.choice.removed()).toMatchObject([{ label: 'A-1' }]);
});

/** are held. The buyer has given A-2 up, and chosen B-1. */
async function openHeld() {
  const opened = openSale();
  for (const label of ['A-1', 'A-2']) opened.choose(label);
  await opened.sale.hold();
  for (const label of ['A-2', 'B-1']) opened.choose(label);
  return opened;
}

test('a hold that is read again after a refusal keeps the refusal, pending places and places given up', async () => {
  const { sale, server, chosen } = await openHeld();
  const item = { objectId: 'row', objectType: 'seat', tierId: 'adult', unitPrice: 60, currency: 'EUR' };
  const items = ['A-1', 'A-2'].map((label) => ({ ...item, label }));
  const expiresAt = Date.now() + 900_000;
  server.answers.set('extend', { ok: false, status: 503, problem: { code: 'shard_unavailable', outcome: 'unknown' } });
  const found = { holdId: 'hld_1', labels: ['A-1', 'A-2'], items, expiresAt };
  server.answers.set('hold/resume', { ok: true, value: found });
  await sale.extend();
  await expect.poll(() => sale.state.hold?.expiresAt).toBe(expiresAt);
  expect(chosen()).toEqual(['A-1', 'B-1']);
  expect([...sale.state.held.keys()]).toEqual(['A-1', 'A-2']);
  expect(sale.state.notice?.code).toBe('shard_unavailable');
});

test('a hold that runs out leaves pending places chosen, and offers the held ones that were not given up', async () => {
  const { sale, server, chosen } = await openHeld();
  await expire({ sale, server });
  expect([chosen(), [...sale.state.lost!.keys()]]).toEqual([['B-1'], ['A-1']]);
  expect(await regain(sale, wordsOf('en'))).toBe(true);
  expect(sale.state.hold?.labels).toEqual(['B-1', 'A-1']);
});

test('an area has as many places as are free at each press, and those of the hold', async () => {
  const { sale, server, hears } = openSale();
  const places = () => sale.state.selection.get('Standing')?.quantity;
  hears(2, {}, 2);
  sale.choice.setArea('standing', 3);
  expect(places()).toBe(2);
  hears(3, {}, 4);
  sale.choice.setArea('standing', 3);
  expect(places()).toBe(3);
  await sale.hold();
  const item = { label: '__sl_ga__standing__1', objectId: 'standing', objectType: 'ga', tierId: null };
  const items = [{ ...item, unitPrice: 15, currency: 'EUR', quantity: 3 }];
  const found = { holdId: 'hld_1', labels: [], items, expiresAt: Date.now() + 60_000 };
  server.answers.set('hold/resume', { ok: true, value: found });
  sale.tick(Date.now() + 120_000);
  await expect.poll(() => sale.state.busy).toBe(null);
  hears(4, {}, 1);
  sale.choice.setQuantity('Standing', 9);
  expect(places()).toBe(4);
});

test('a place that cannot be chosen is described, also beside an older refusal', () => {
  const { sale, page, said, hears, choose } = openSale();
  const choosing = createChoosing({
    sale,
    words: () => wordsOf('en'),
    say: (text: string) => void said.push(text),
    house: () => ({ ...page, lackingOf: () => [] }) as unknown as House,
    describe: () => ['Row A, seat 2', 'sold'],
  });
  choose('A-1');
  hears(2, { 'A-1': 'held', 'A-2': 'booked' });
  choosing.choose(page.hall.spotOf.get('A-2')!);
  expect(said).toEqual(['Row A, seat 1 was just taken by somebody else.', 'Row A, seat 2, sold']);
});

test('one press takes a party around a seat; the next press moves it, and it is taken back whole', () => {
  const { sale, page, said, hears, chosen, choose } = openSale();
  const choosing = createChoosing({
    sale,
    words: () => wordsOf('en'),
    say: (text: string) => void said.push(text),
    house: () => ({ ...page, lackingOf: () => [] }) as unknown as House,
    describe: () => [],
  });
  const press = (label: string) => choosing.choose(page.hall.spotOf.get(label)!);
  choose('F-1');
  sale.choice.party.setSize(4, partyRule);
  press('A-5');
  expect(chosen()).toEqual(['F-1', 'A-3', 'A-4', 'A-5', 'A-6']);
  expect(said.at(-1)).toMatch(/^Together: Row A, seat 3, .*Row A, seat 6. 5 chosen\.$/);
  press('B-1');
  expect(chosen()).toEqual(['F-1', 'B-1', 'B-2', 'B-3', 'B-4']);
  sale.choice.party.undo();
  expect([chosen(), sale.choice.party.isTaken()]).toEqual([['F-1'], false]);
  // A table, a booth and an area have no neighbours, and a seat that is taken is described.
  hears(2, { 'C-2': 'booked', 'C-5': 'booked', 'C-8': 'booked', 'C-11': 'booked' });
  sale.choice.party.setSize(9, partyRule);
  press('C-3');
  expect(chosen()).toEqual(['F-1']);
  expect(said.at(-1)).toMatch(/^This row has no 9 seats together/);
  sale.choice.party.setSize(1, partyRule);
  press('C-3');
  expect(chosen()).toEqual(['F-1', 'C-3']);
});

test('choices of best seats hold nothing, and one of them becomes the choice', async () => {
  const { sale, server, calls, chosen, choose } = openSale();
  const item = (label: string) => ({
    label,
    objectId: 'row',
    objectType: 'seat',
    tierId: null,
    unitPrice: 60,
    currency: 'EUR',
  });
  const alternatives = [{ items: [item('A-1'), item('A-2')] }, { items: [item('B-1'), item('B-2')] }];
  server.answers.set('best-available', { ok: true, value: { alternatives } });
  const choices = await sale.alternatives({ qty: 2 }, 3);
  expect(calls).toMatchObject([{ action: 'best-available', body: { qty: 2, alternatives: 3 } }]);
  expect(choices.map((each) => [...each.keys()])).toEqual([
    ['A-1', 'A-2'],
    ['B-1', 'B-2'],
  ]);
  expect([sale.state.hold, ...chosen()]).toEqual([null]);
  choose('C-1');
  sale.choice.add(choices[1]!);
  expect(chosen()).toEqual(['C-1', 'B-1', 'B-2']);
  server.answers.set('best-available', { ok: false, status: 409, problem: { code: 'conflict' } });
  expect(await sale.alternatives({ qty: 2 }, 3)).toEqual([]);
  expect(sale.state.notice?.text).toMatch(/^No places like these/);
});

test('the refusal of best seats says so once, to eye and ear', async () => {
  const { sale, server, said } = openSale();
  server.answers.set('best-available', { ok: false, status: 409, problem: { code: 'conflict' } });
  expect(await sale.holdBest({ qty: 2 })).toBe(false);
  const text = 'No places like these are free together. Ask for fewer, or for another price.';
  expect([sale.state.notice?.text, ...said]).toEqual([text, text]);
});

test('a hold that the server says was booked is bought, and one that was released in another window says so', async () => {
  for (const status of ['booked', 'released'] as const) {
    const { sale, server, choose, hears } = openSale();
    choose('A-1');
    await sale.hold();
    server.answers.set('hold/resume', { ok: false, status: 404, problem: { code: 'hold_not_found', status } });
    hears(2, { 'A-1': status === 'booked' ? 'booked' : 'free' });
    await vi.waitFor(() => expect(sale.state.hold).toBe(null));
    expect(sale.state.bought !== null).toBe(status === 'booked');
    expect([sale.state.lost, sale.state.notice?.text]).toEqual([
      null,
      status === 'booked' ? undefined : 'You released these places in another window.',
    ]);
  }
});

test('a hold that its buyer releases can be held again', async () => {
  const { sale, server, choose } = openSale();
  choose('A-1');
  await sale.hold();
  choose('A-2');
  server.answers.set('release', { ok: true, value: {} });
  expect(await sale.release()).toBe(true);
  expect([[...sale.state.lost!.keys()], [...sale.state.selection.keys()]]).toEqual([['A-1'], ['A-2']]);
  expect(await regain(sale, wordsOf('en'))).toBe(true);
  expect([sale.state.hold?.labels, sale.state.lost]).toEqual([['A-2', 'A-1'], null]);
});

test('a hold without an answer asks to be pressed again once the connection is back', async () => {
  const { sale, server, said, choose } = openSale();
  sale.connected();
  expect(said).toEqual([]);
  choose('A-1');
  server.answers.set('hold', { ok: false, status: 0, problem: { code: 'no_answer' } });
  await sale.hold();
  expect(sale.state.notice?.text).toBe('There is no connection just now. Try again.');
  server.answers.delete('hold');
  sale.connected();
  const text = 'The connection is back. Press “Hold it for me” again.';
  expect([sale.state.notice?.text, said.at(-1)]).toEqual([text, text]);
  expect([await sale.hold(), sale.state.notice]).toEqual([true, null]);
});

test('a changed price is shown and not paid silently: nothing is held until the buyer holds again', async () => {
  const { sale, server, calls, choose } = openSale();
  choose('A-1');
  const item = { label: 'A-1', objectId: 'row', objectType: 'seat', tierId: 'adult', unitPrice: 70, currency: 'EUR' };
  const problem = { code: 'price_changed', items: [item], total: 70 };
  server.answers.set('hold', { ok: false, status: 409, problem });
  expect(await sale.hold()).toBe(false);
  expect([sale.state.hold, sale.state.quote]).toEqual([null, [item]]);
  server.answers.delete('hold');
  expect(await sale.hold()).toBe(true);
  expect(sale.state.quote).toBe(null);
  expect(calls.filter(({ action }) => action === 'hold')).toHaveLength(2);
});

test('a hold that comes a moment before the start is sent again under its name, and a longer wait is told', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'Date'] });
  try {
    const { sale, server, calls, said, choose } = openSale();
    choose('A-1');
    const early = (opensAt: number) => ({ ok: false, status: 409, problem: { code: 'sales_not_started', opensAt } });
    server.answers.set('hold', early(Date.now() + 300));
    const holding = sale.hold();
    await vi.advanceTimersByTimeAsync(300);
    expect([calls.length, sale.state.busy]).toEqual([1, 'hold']);
    server.answers.delete('hold');
    await vi.advanceTimersByTimeAsync(100);
    expect(await holding).toBe(true);
    expect([calls.length, calls[1]!.key]).toEqual([2, calls[0]!.key]);
    choose('A-2');
    server.answers.set('hold', early(Date.now() + 60_000));
    expect(await sale.hold()).toBe(false);
    expect([calls.length, said.at(-1)]).toEqual([3, 'The sale has not begun yet.']);
  } finally {
    vi.useRealTimers();
  }
});

test('a hold in place of another that is answered unknown twice waits for the buyer', async () => {
  const { sale, server, calls, choose } = openSale();
  choose('A-1');
  await sale.hold();
  choose('A-2');
  server.answers.set('hold', { ok: false, status: 503, problem: { code: 'shard_unavailable', outcome: 'unknown' } });
  await sale.hold();
  await expect.poll(() => calls.filter(({ action }) => action === 'hold').length).toBe(3);
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
  expect([calls.length, sale.state.busy, sale.state.hold?.labels]).toEqual([3, null, ['A-1']]);
  server.answers.delete('hold');
  await sale.hold();
  expect(calls.slice(1).map(({ key }) => key)).toEqual([calls[1]!.key, calls[1]!.key, calls[1]!.key]);
  expect(sale.state.hold?.labels).toEqual(['A-1', 'A-2']);
});

test('places of an ended hold that no longer fit beside the choice are not held in part', async () => {
  const { sale, server, calls, choose, chosen } = openSale();
  for (const label of ['A-1', 'A-2', 'A-3']) choose(label);
  await sale.hold();
  await expire({ sale, server });
  const others = ['A-1', ...[1, 2, 3, 4, 5, 6, 7, 8].map((number) => `B-${number}`)];
  for (const label of others) choose(label);
  expect(await regain(sale, wordsOf('en'))).toBe(false);
  expect(calls.filter(({ action }) => action === 'hold')).toHaveLength(1);
  expect(chosen()).toEqual(others);
  expect([...sale.state.lost!.keys()]).toEqual(['A-1', 'A-2', 'A-3']);
});

test('a quote of changed prices goes with a place that another takes', async () => {
  const { sale, server, choose, hears } = openSale();
  choose('A-1');
  choose('A-2');
  server.answers.set('hold', { ok: false, status: 409, problem: { code: 'price_changed', items: [] } });
  await sale.hold();
  expect(sale.state.quote).toEqual([]);
  hears(2, { 'A-2': 'held' });
  expect([sale.state.quote, [...sale.state.selection.keys()]]).toEqual([null, ['A-1']]);
});

test.each([
  ['a lost answer', 0, {}, [300, 900, 2_000]],
  ['a busy server that names a pause', 503, { retryable: true, retryAfterSeconds: 2 }, [2_000, 2_000, 2_000]],
  ['a longer pause than is left', 503, { retryable: true, retryAfterSeconds: 30 }, []],
  ['a refusal for good', 409, {}, []],
] as const)('%s is followed by tries at random times', async (_name, status, told, least) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
  const random = vi.spyOn(Math, 'random').mockReturnValue(0.5);
  const sentAt: number[] = [];
  const answer = { ok: false, status, problem: { code: 'overloaded', ...told } } as const;
  const last = patiently(async () => {
    sentAt.push(performance.now());
    return answer;
  });
  // A page that another file of this worker left may set its timers for ever.
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await last).toBe(answer);
  expect(sentAt.slice(1).map((at, n) => at - sentAt[n]!)).toEqual(least.map((ms) => ms * 1.25));
  random.mockRestore();
  vi.useRealTimers();
});
