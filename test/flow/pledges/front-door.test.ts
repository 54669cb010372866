/** A front door refuses holds of sold units by itself while their owner pledges that the refusals stand. */
import type { Caller, Command, Stand } from '@parterre/shared/protocol/commands';
import { type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { requestDeadlineMs, standingRefusalsMax } from '@parterre/shared/protocol/limits';
import { beforeEach, expect, test } from 'vitest';
import { caller, event, shardClientOnFake } from '../../support/frontdoor/shard-client-on-fake.ts';

const ms = 40;
const stands: Stand = [ms, 1, 1];
const buyer: Caller = { source: 'buyer', actor: 'key_2', accessSource: 'public' };

type Hold = Command & { type: 'hold' };
const holdOf = (label: string, more: Partial<Hold> = {}): Hold => ({
  type: 'hold',
  holdId: `h${++holds}`,
  selections: [{ label }],
  ...more,
});
const soldOf = (label: string) =>
  refuse('conflict', 'Sold.', { details: { conflicts: [{ label, status: 'booked' }] } });

let fake: ReturnType<typeof shardClientOnFake>;
let holds = 0;
beforeEach(() => {
  fake = shardClientOnFake();
});

/** The outcome if the front door answers at once, else the id of the command that it sends. */
function ask(hold: Hold, by = caller, key = event.key): Outcome<unknown> | number {
  const refused = fake.client.refusalOf({ ...event, key }, by, hold);
  if (refused) return refused;
  fake.client.send({ ...event, key }, by, hold, fake.clock.elapsed() + requestDeadlineMs, () => {});
  fake.endTurn();
  return fake.sent.at(-1)!.envelopes.at(-1)!.id;
}

/** The owner refuses the label with this pledge. */
function learn(label: string, pledge: Stand, by = caller, key = event.key, afterMs = 0): void {
  const id = ask(holdOf(label), by, key) as number;
  fake.clock.advance(afterMs);
  fake.answer({ id, kind: 'refused', refusal: soldOf(label).refusal, stands: pledge });
}

test('A known unit is refused at once until the pledge ends, counted from the question', () => {
  learn('A-1', stands, caller, event.key, 10);
  fake.clock.advance(9);
  expect(ask(holdOf('A-1'))).toEqual(soldOf('A-1'));
  fake.clock.advance(21);
  expect(ask(holdOf('A-1'))).toEqual(expect.any(Number));
  expect(fake.client.refusedHere()).toBe(1);
});

test('A pledge that came too late is ignored', () => {
  learn('A-1', stands, caller, event.key, ms);
  expect(ask(holdOf('A-1'))).toEqual(expect.any(Number));
});

test('A late answer from before a change leaves what is known', () => {
  const late = ask(holdOf('A-1')) as number;
  fake.clock.advance(ms);
  learn('A-2', [ms, 1, 2]);
  fake.answer({ id: late, kind: 'refused', refusal: soldOf('A-1').refusal, stands });
  expect(ask(holdOf('A-2'))).toEqual(soldOf('A-2'));
});

test('The owner is asked for other units, events, sources, and holds that name more than a label', () => {
  learn('A-1', stands);
  const asked = [
    ask(holdOf('A-2')),
    ask(holdOf('A-1'), caller, 'c'),
    ask(holdOf('A-1'), buyer),
    ask(holdOf('A-1', { replaceHoldId: 'hld_1' })),
    ask(holdOf('A-1', { fingerprint: 'by the caller' })),
    ask(holdOf('A-1', { selections: [{ label: 'A-1' }, { label: 'A-2' }] })),
    ask(holdOf('A-1', { selections: [{ label: 'A-1', tierId: 'child' }] })),
    ask(holdOf('A-1', { selections: [{ label: 'A-1', quantity: 2 }] })),
    ask(holdOf('A-1', { selections: [{ label: 'A-1', times: 2 }] })),
    ask(holdOf('A-1'), { ...caller, reach: { channelIds: ['c1'], includePublic: true } }),
    ask(holdOf('A-1'), { ...caller, override: { reason: 'a guest' } }),
    ask(holdOf('A-1'), { ...caller, session: { id: 'ses_1', maxQuantity: 2 } }),
  ];
  expect(asked.filter((each) => typeof each !== 'number')).toEqual([]);
  expect(ask(holdOf('A-1', { ttlMs: 60_000 }), { ...caller, actor: 'key_9' })).toEqual(soldOf('A-1'));
});

test('A pledge under the same number keeps all known units, also behind a gap', () => {
  learn('A-1', stands);
  fake.clock.advance(10 * ms);
  learn('A-2', stands);
  expect(ask(holdOf('A-1'))).toEqual(soldOf('A-1'));
});

test.each([
  ['another number of changes', [ms, 1, 2] as Stand],
  ['another epoch', [ms, 2, 1] as Stand],
])('Under %s all known units are forgotten', (_, pledge) => {
  learn('A-1', stands);
  fake.clock.advance(ms);
  learn('A-2', pledge);
  expect(ask(holdOf('A-1'))).toEqual(expect.any(Number));
  expect(ask(holdOf('A-2'))).toEqual(soldOf('A-2'));
});

test('In the second half of a pledge one hold asks the owner, and its answer renews the pledge', () => {
  learn('A-1', stands);
  fake.clock.advance(ms / 2);
  const id = ask(holdOf('A-1')) as number;
  expect(id).toEqual(expect.any(Number));
  expect(ask(holdOf('A-1'))).toEqual(soldOf('A-1'));
  fake.answer({ id, kind: 'refused', refusal: soldOf('A-1').refusal, stands });
  fake.clock.advance(ms / 2 - 1);
  expect(ask(holdOf('A-1'))).toEqual(soldOf('A-1'));
});

test('A success is no reason to refuse: a unit that is free again is held by its next caller', () => {
  learn('A-1', stands);
  fake.clock.advance(ms);
  const id = ask(holdOf('A-1')) as number;
  fake.answer({ id, kind: 'ok', value: {} });
  expect(fake.client.refusedHere()).toBe(0);
});

test('Past the bound everything is forgotten', () => {
  for (let n = 0; n < standingRefusalsMax - 1; n++) learn(`A-${n}`, stands);
  expect(ask(holdOf('A-0'))).toEqual(soldOf('A-0'));
  learn('B-1', stands);
  expect(ask(holdOf('A-0'))).toEqual(expect.any(Number));
});
