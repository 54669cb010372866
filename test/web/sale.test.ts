/**
 * The picker's sale against a server that loses answers, and a tab's hold over a reload: nothing is held twice, and no
 * hold is resumed by another buyer.
 */
import { expect, test, vi } from 'vitest';
import { demoTheatre } from '../../scripts/generate-charts.mjs';
import type { ChartDocument } from '../../shared/src/chart/document.ts';
import { wordsOf } from '../../web/src/messages/words.ts';
import { hallOf } from '../../web/src/rules/hall.ts';
import { noStatuses, takeDelta, takeSnapshot } from '../../web/src/rules/statuses.ts';
import type { Api } from '../../web/src/sale/api.ts';
import { eventCounter } from '../../web/src/sale/counter.ts';
import { keptHold } from '../../web/src/sale/kept-hold.ts';
import { regain } from '../../web/src/sale/regain.ts';
import { Sale } from '../../web/src/sale/sale.ts';
import { keptIn } from './kept-in.ts';

type Body = { selections?: { label: string; quantity?: number }[]; replaceHoldId?: string; holdId?: string };
type Call = { action: string; key: string | undefined; body: Body };

const hall = hallOf(demoTheatre() as ChartDocument);
const lost = { ok: false as const, status: 0, problem: { code: 'no_answer' } };

/** Holds by Idempotency-Key, as the server does. While `loses` is true, the answer is lost. */
function openSale() {
  const calls: Call[] = [];
  const server = {
    loses: false,
    extends: 0,
    taken: [] as string[],
    answers: new Map<string, object>(),
    named: new Map<string, { holdId: string; labels: string[] }>(),
  };
  const call = async (_: string, action: string, { key, body }: { key?: string; body?: Body } = {}) => {
    calls.push({ action, key, body: body! });
    const given = server.answers.get(action);
    if (given) return given;
    if (action === 'extend') {
      return { ok: true as const, value: { expiresAt: Date.now() + 60_000, extends: ++server.extends } };
    }
    if (action !== 'hold') return { ok: false as const, status: 404, problem: { code: 'hold_not_found' } };
    const labels = body!.selections!.map(({ label }) => label);
    const conflicts = labels.filter((label) => server.taken.includes(label));
    if (conflicts.length > 0) {
      const problem = { code: 'conflict', conflicts: conflicts.map((label) => ({ label, status: 'held' })) };
      return server.loses ? lost : { ok: false as const, status: 409, problem };
    }
    const hold = server.named.get(key!) ?? { holdId: `hld_${server.named.size + 1}`, labels };
    server.named.set(key!, hold);
    return server.loses ? lost : { ok: true as const, value: { ...hold, expiresAt: Date.now() + 60_000, items: [] } };
  };
  const statuses = noStatuses(hall);
  takeSnapshot(statuses, hall, {
    ...{ type: 'snapshot', snapshotVersion: 1, default: 'free', seats: {}, hidden: [], closed: [] },
    ga: { standing: { free: 20 } },
  });
  const nothing = (): void => {};
  const sale = new Sale({
    counter: eventCounter({ call } as unknown as Api),
    words: () => wordsOf('en'),
    hall: () => hall,
    statuses: () => statuses,
    kept: keptHold(null, 'ev', { publicKey: 'pk_test_1' }),
    maxSelection: 10,
    isClosed: () => false,
    now: Date.now,
    total: () => null,
    lackingOf: () => [],
    events: {
      ...{ changed: nothing, selectionChanged: nothing, held: nothing, holdEnded: nothing, bought: nothing },
      ...{ problem: nothing, outdated: nothing, say: nothing },
    },
  });
  const hears = (version: number, changes: Record<string, string>) => {
    const list = Object.entries(changes).map(([label, status]) => ({ label, status }));
    takeDelta(statuses, hall, { type: 'delta', snapshotVersion: version, changes: list });
    sale.heard((label) => changes[label]);
  };
  const choose = (label: string) => sale.choice.toggle(hall.spotOf.get(label)!);
  return { sale, server, calls, hears, choose, chosen: () => [...sale.state.selection.keys()] };
}

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
  expect(sale.choice.undo()).toMatchObject({ gone: ['A-1'] });
  expect(chosen()).toEqual(['A-2']);
});

test('the places of a hold that ran out are held again, as far as they are free', async () => {
  const { sale, server, choose, hears } = openSale();
  choose('A-1');
  choose('A-2');
  await sale.hold();
  server.answers.set('hold/resume', { ok: false, status: 404, problem: { code: 'hold_not_found', status: 'expired' } });
  sale.tick(Date.now() + 120_000);
  await vi.waitFor(() => expect(sale.state.lost?.size).toBe(2));
  hears(2, { 'A-2': 'held' });
  expect(await regain(sale, wordsOf('en'))).toBe(true);
  expect(sale.state.hold?.labels).toEqual(['A-1']);
  expect(sale.state.notice?.text).toMatch(/^A-2 was just taken/);
  expect(sale.state.lost).toBe(null);
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
