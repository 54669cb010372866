/** The quantity of an access session, in all of its holds and bookings together. */
import type { Caller, Command } from '@parterre/shared/protocol/commands';
import { expect, test } from 'vitest';
import { cut, newActor } from '../../../../services/inventory-shard/src/partition/actor.ts';
import { countHeld } from '../../../../services/inventory-shard/src/rules/sales/session-use.ts';
import {
  sessionsCountedMax,
  sessionsForgottenAtOnce,
  sessionUseKeepMs,
} from '../../../../services/inventory-shard/src/rules/state/bounds.ts';
import type { Hold } from '../../../../services/inventory-shard/src/rules/state/holder.ts';
import { capture, fromSnapshot, toSnapshot } from '../../../../services/inventory-shard/src/rules/turn/snapshot.ts';
import { book, buyer, callId, hold, house, MINUTE, server, smallPlan } from '../../../support/inventory/house.ts';
import { testSeed } from '../../../support/runner/seed.ts';

const session = (maxQuantity: number | null, id = 's1'): Caller => ({ ...buyer, session: { id, maxQuantity } });
const four = session(4);
const release = (holdId: string, ...labels: string[]) =>
  ({ type: 'release', holdId, callId: callId(), ...(labels.length > 0 && { labels }) }) as const;

const usedBy = (event: ReturnType<typeof house>, id = 's1') => event.state.sessionUse.get(id)?.used ?? 0;

test('holds of one session count together, up to the quantity and no further', () => {
  const event = house();
  event.ok(hold('h1', 'A-1', 'A-2'), four);
  event.ok(hold('h2', 'A-3'), four);
  expect(event.refused(hold('h3', 'A-4', 'A-5'), four)).toMatchObject({
    code: 'max_quantity_exceeded',
    message: 'This session may have 4 in total and has 3. The call asks for 2 more. Ask for fewer.',
    details: { maxQuantity: 4, used: 3 },
  });
  expect(event.refused({ type: 'hold-best', holdId: 'h3', query: { qty: 2 } }, four).code).toBe(
    'max_quantity_exceeded',
  );
  event.ok({ type: 'hold-best', holdId: 'h3', query: { qty: 1 } }, four);
  expect(event.refused(hold('h4', 'A-8'), four).code).toBe('max_quantity_exceeded');
  event.ok(hold('h4', 'A-8'), session(4, 'another'));
});

test('a conflict comes before the quantity, and a repeated hold counts once', () => {
  const event = house();
  event.ok(hold('taken', 'A-1'), server);
  expect(event.refused(hold('h', 'A-1', 'A-2'), session(1)).code).toBe('conflict');
  event.ok(hold('h', 'A-2'), session(1));
  event.ok(hold('h', 'A-2'), session(1));
  expect(usedBy(event)).toBe(1);
});

test('guests of a whole table and places of an area count one by one', () => {
  const event = house();
  event.ok({ type: 'hold', holdId: 'h', selections: [{ label: 'T1' }] }, session(6));
  expect(usedBy(event)).toBe(4);
  const standing = (quantity: number): Command => ({
    type: 'hold',
    holdId: callId(),
    selections: [{ label: 'Standing', quantity }],
  });
  expect(event.refused(standing(3), session(6)).details).toEqual({ maxQuantity: 6, used: 4 });
  event.ok(standing(2), session(6));
});

test('released and expired units are given back; booked and unbooked ones are not', () => {
  const event = house();
  event.ok(hold('h1', 'A-1', 'A-2', 'A-3', 'A-4'), four);
  event.ok(release('h1', 'A-1'), four);
  expect(usedBy(event)).toBe(3);
  event.ok(book('h1', 'ref', ['A-2']));
  expect(usedBy(event)).toBe(3);
  event.pass(15 * MINUTE);
  event.ok({ type: 'count' });
  expect(usedBy(event)).toBe(1);
  event.ok({ type: 'unbook', callId: callId(), bookingRef: 'ref' });
  expect(usedBy(event)).toBe(1);
  event.ok(hold('h2', 'A-1', 'A-2', 'A-3'), four);
  event.ok(release('h2'), four);
  expect(usedBy(event)).toBe(1);
});

test('a replacing hold counts instead of the replaced one', () => {
  const event = house();
  event.ok(hold('h1', 'A-1', 'A-2', 'A-3', 'A-4'), four);
  event.ok({ ...hold('h2', 'A-3', 'A-4', 'A-5', 'A-6'), replaceHoldId: 'h1' }, four);
  expect(usedBy(event)).toBe(4);
  const replaced = { ...hold('h3', 'B-1', 'B-2', 'B-3', 'B-4', 'B-5'), replaceHoldId: 'h2' };
  expect(event.refused(replaced, four).details).toEqual({ maxQuantity: 4, used: 0 });
  // A replaced hold of another session gives nothing to this one.
  event.ok({ ...hold('h4', 'A-3'), replaceHoldId: 'h2' }, session(1, 's2'));
  expect([usedBy(event), usedBy(event, 's2')]).toEqual([0, 1]);
});

test('a session without a quantity is counted and not limited: it may get a quantity later', () => {
  const event = house();
  event.ok(hold('h1', 'A-1', 'A-2', 'A-3', 'A-4', 'A-5'), session(null));
  expect(usedBy(event)).toBe(5);
  expect(event.refused(hold('h2', 'A-6'), four).details).toEqual({ maxQuantity: 4, used: 5 });
  event.ok(hold('h2', 'A-6'), session(null));
});

test('two holds that wait for one group do not both pass', () => {
  const event = house();
  const actor = newActor('test-night');
  actor.phase = 'ready';
  actor.state = event.state;
  for (const [id, label] of ['A-1', 'A-2', 'A-3'].entries()) {
    const envelope = { id, eventKey: 'test-night', caller: session(2), command: hold(`h${id}`, label) };
    actor.mailbox.push({ envelope, replyTo: 'test.1', receivedAt: 0 });
  }
  const { records, replies } = cut(actor, event.now(), 0, () => false);
  expect(records).toHaveLength(2);
  expect(replies.map(({ reply }) => reply.kind)).toEqual(['ok', 'ok', 'refused']);
});

test('a snapshot and the journal keep the counts', () => {
  const event = house();
  event.ok(hold('h1', 'A-1', 'A-2'), four);
  event.ok(book('h1', 'ref'));
  event.ok(hold('h2', 'A-3'), four);
  const resumed = fromSnapshot(structuredClone(toSnapshot(capture(event.state))), smallPlan);
  expect([...resumed.sessionUse]).toEqual([['s1', { used: 3, at: event.now() }]]);
  expect(resumed.holds.get('h2')!.sessionId).toBe('s1');
});

test('a session is forgotten a day after its last change, and earlier if there are too many', () => {
  const event = house();
  event.ok(hold('h1', 'A-1'), four);
  event.ok(book('h1', 'ref'));
  event.pass(sessionUseKeepMs - 1);
  event.ok(hold('h2', 'A-2'), session(4, 's2'));
  expect(usedBy(event)).toBe(1);
  event.pass(1);
  event.ok(hold('h3', 'A-3'), session(4, 's2'));
  expect(usedBy(event)).toBe(0);
  const { state } = event;
  const lines = [{ unit: 0, price: 1 }];
  for (let i = 0; i < sessionsCountedMax; i++) countHeld(state, { sessionId: `n${i}`, lines } as Hold, state.at);
  expect(state.sessionUse.size).toBe(sessionsCountedMax);
  expect(state.sessionUse.has('s2')).toBe(false);
});

test('sessions are forgotten in the order of their last changes, as a walk from the front would', () => {
  const seed = testSeed;
  let random = seed;
  const upTo = (count: number): number => {
    random = (random * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.trunc((random / 2 ** 31) * count);
  };
  const { state } = house();
  const model = new Map<string, { used: number; at: number }>();
  let at = 0;
  for (let change = 0; change < 5_000; change++) {
    // Now and then a day passes, and each change makes a few sessions forgotten.
    at += upTo(500) === 0 ? sessionUseKeepMs : upTo(sessionUseKeepMs / 20);
    const id = `s${upTo(40)}`;
    countHeld(state, { sessionId: id, lines: [{ unit: 1 }] } as unknown as Hold, at);
    const known = model.get(id);
    model.delete(id);
    model.set(id, { used: (known && known.at + sessionUseKeepMs > at ? known.used : 0) + 1, at });
    for (const [oldest, use] of [...model].slice(0, sessionsForgottenAtOnce)) {
      if (use.at + sessionUseKeepMs > at) break;
      model.delete(oldest);
    }
    expect([...state.sessionUse], `seed ${seed}, change ${change}`).toEqual([...model]);
  }
});
