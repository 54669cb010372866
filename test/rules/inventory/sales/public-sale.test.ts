/**
 * The bounds of public sale: places that one visitor may hold, and the time for which they may hold the same places.
 */
import type { Caller, Command, Visitor } from '@parterre/shared/protocol/commands';
import { heldAgainMs, heldAgainPlacesMax } from '@parterre/shared/protocol/limits';
import { internalIdOf } from '@parterre/shared/protocol/operations/operation';
import type { PublicSale } from '@parterre/shared/protocol/records';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cut, newActor } from '../../../../services/inventory-shard/src/partition/actor.ts';
import { newState, Visitors } from '../../../../services/inventory-shard/src/rules/state/state.ts';
import { apply } from '../../../../services/inventory-shard/src/rules/turn/apply.ts';
import { capture, fromSnapshot, toSnapshot } from '../../../../services/inventory-shard/src/rules/turn/snapshot.ts';
import {
  book,
  buyer,
  callId,
  eventConfig,
  hold,
  house,
  MINUTE,
  movedPlan,
  server,
  smallPlan,
} from '../../../support/inventory/house.ts';

type House = ReturnType<typeof house>;

const HOUR = 60 * MINUTE;
/** Bounds that the small house can reach. */
const small: PublicSale = { maxPerHold: 3, maxHeldPerSession: 4, maxHeldPerAddress: 6 };

const page = (more: Visitor = {}): Caller => ({
  ...buyer,
  actor: 'key_page',
  visitor: { bounds: small, ...more },
});
const session = (id: string, more: Visitor = {}): Caller => ({
  ...buyer,
  actor: id,
  visitor: { isSession: true, bounds: small, ...more },
});
const one = session('ses_1');
const home = { address: 'network-1' };

const release = (holdId: string, ...labels: string[]): Command & { type: 'release' } => ({
  type: 'release',
  holdId,
  callId: callId(),
  ...(labels.length > 0 && { labels }),
});
const extend = (holdId: string, ttlMs?: number): Command & { type: 'extend' } => ({
  type: 'extend',
  holdId,
  callId: callId(),
  ...(ttlMs !== undefined && { ttlMs }),
});
const set = (publicSale: PublicSale | null): Command & { type: 'configure' } => ({
  type: 'configure',
  callId: callId(),
  publicSale,
});
const ends = (event: House, holdId: string): number => event.ok({ type: 'inspect-hold', holdId }).expiresAt;

function restored({ state }: House) {
  return fromSnapshot(structuredClone(toSnapshot(capture(state))), state.plan);
}

describe('places', () => {
  test('one hold has at most maxPerHold, also by a key alone, and also by the best seats', () => {
    const event = house();
    expect(event.refused(hold('h', 'A-1', 'A-2', 'A-3', 'A-4'), page())).toMatchObject({
      code: 'public_limit',
      reason: 'max_per_hold',
      details: { limit: 3, left: 3 },
      message:
        'A buyer may hold 3 places in one hold, and 3 are left. The call asks for 4. ' +
        'Ask for fewer, or book or release the places that are held.',
    });
    expect(event.refused({ type: 'hold-best', holdId: 'h', query: { qty: 4 } }, page()).code).toBe('public_limit');
    event.ok({ type: 'hold-best', holdId: 'h', query: { qty: 3 } }, page());
    event.ok(hold('h2', 'B-1', 'B-2', 'B-3'), page());
  });

  test('the holds of a session count together, and another session still buys', () => {
    const event = house();
    event.ok(hold('h1', 'A-1', 'A-2', 'A-3'), one);
    expect(event.refused(hold('h2', 'A-4', 'A-5'), one)).toMatchObject({
      code: 'public_limit',
      reason: 'max_held_per_session',
      details: { limit: 4, left: 1 },
    });
    event.ok(hold('h2', 'A-4'), one);
    expect(event.refused(hold('h3', 'A-5'), one).details).toEqual({ limit: 4, left: 0 });
    event.ok(hold('h3', 'A-5'), session('ses_2'));
  });

  test('the holds from an address count together, whatever session or key they come by', () => {
    const event = house();
    event.ok(hold('h1', 'A-1', 'A-2', 'A-3'), session('ses_1', home));
    event.ok(hold('h2', 'B-1', 'B-2'), page(home));
    expect(event.refused(hold('h3', 'B-3', 'B-4'), session('ses_2', home))).toMatchObject({
      reason: 'max_held_per_address',
      details: { limit: 6, left: 1 },
    });
    event.ok(hold('h3', 'B-3', 'B-4'), session('ses_2', { address: 'network-2' }));
    // A shop behind a proxy that names no addresses.
    event.ok(hold('h4', 'B-5', 'B-6', 'B-7'), session('ses_3'));
  });

  test('guests of a whole table and places of an area count one by one', () => {
    const event = house();
    const standing = (quantity: number): Command => ({
      type: 'hold',
      holdId: callId(),
      selections: [{ label: 'Standing', quantity }],
    });
    expect(event.refused(hold('h', 'T1'), one).details).toEqual({ limit: 3, left: 3 });
    expect(event.refused(standing(4), one).code).toBe('public_limit');
    event.ok(standing(3), one);
    expect(event.refused(standing(2), one).details).toEqual({ limit: 4, left: 1 });
  });

  test('places that are released, that expire and that are booked are given back', () => {
    const event = house();
    event.ok(hold('h1', 'A-1', 'A-2', 'A-3'), one);
    event.ok(hold('h2', 'A-4'), one);
    event.ok(release('h1', 'A-1'), one);
    event.ok(hold('h3', 'B-1'), one);
    event.ok(book('h1', 'order', ['A-2', 'A-3']));
    event.ok(hold('h4', 'B-2', 'B-3'), one);
    expect(event.refused(hold('h5', 'B-4'), one).code).toBe('public_limit');
    event.pass(15 * MINUTE);
    event.ok(hold('h5', 'C-1', 'C-2', 'C-3'), one);
    expect(event.state.visitors.heldBy('ses_1')).toBe(3);
  });

  test('a replacing hold counts instead of the replaced one', () => {
    const event = house();
    event.ok(hold('h1', 'A-1', 'A-2', 'A-3'), one);
    event.ok({ ...hold('h2', 'A-3', 'A-4', 'A-5'), replaceHoldId: 'h1' }, one);
    expect(event.state.visitors.heldBy('ses_1')).toBe(3);
    // The hold of another session gives this session nothing.
    event.ok(hold('h3', 'B-1', 'B-2'), session('ses_2'));
    expect(event.refused({ ...hold('h4', 'B-1', 'B-2'), replaceHoldId: 'h3' }, one).details).toEqual({
      limit: 4,
      left: 1,
    });
  });

  test('a lowered bound refuses new holds alone: a repetition, a renewal and a replacement of no more places go on', () => {
    const event = house();
    const first = event.ok(hold('h1', 'A-1', 'A-2', 'A-3'), one);
    event.ok(set({ maxPerHold: 1, maxHeldPerSession: 1 }));
    expect(event.ok(hold('h1', 'A-1', 'A-2', 'A-3'), one)).toEqual(first);
    event.ok(extend('h1'), one);
    event.ok({ ...hold('h2', 'B-1', 'B-2', 'B-3'), replaceHoldId: 'h1' }, one);
    expect(event.refused({ ...hold('h3', 'C-1', 'C-2', 'C-3', 'C-4'), replaceHoldId: 'h2' }, one)).toMatchObject({
      code: 'public_limit',
      details: { limit: 1, left: 3 },
    });
    expect(event.refused(hold('h3', 'C-1'), one).details).toEqual({ limit: 1, left: 0 });
  });

  test('holds that wait for one group do not pass a bound together', () => {
    const event = house();
    const actor = newActor('test-night');
    actor.phase = 'ready';
    actor.state = event.state;
    for (const [id, label] of ['A-1', 'A-2', 'A-3', 'A-4', 'A-5', 'A-6'].entries()) {
      const envelope = { id, eventKey: 'test-night', caller: one, command: hold(`h${id}`, label) };
      actor.mailbox.push({ envelope, replyTo: 'test.1', receivedAt: 0 });
    }
    const { replies } = cut(actor, event.now(), 0, () => false);
    expect(replies.map(({ reply }) => reply.kind)).toEqual(['ok', 'ok', 'ok', 'ok', 'refused', 'refused']);
  });

  test('a server, and a session that a back end minted, are not bound', () => {
    const event = house();
    event.ok(hold('h1', 'A-1', 'A-2', 'A-3', 'A-4', 'A-5'), server);
    const minted: Caller = { ...buyer, actor: 'ses_m', session: { id: 'ses_m', maxQuantity: 8 } };
    event.ok({ ...hold('h2', 'B-1', 'B-2', 'B-3', 'B-4', 'B-5'), ttlMs: HOUR }, minted);
    expect(ends(event, 'h2')).toBe(event.now() + HOUR);
    expect(event.journal.filter((record) => 'visitors' in record)).toEqual([]);
  });
});

describe('the bounds in force', () => {
  const asked = (publicSale: PublicSale | null, bounds: PublicSale | undefined, count: number, more: Visitor = {}) => {
    const event = house('platform');
    if (publicSale) event.ok(set(publicSale));
    const caller: Caller = { ...buyer, actor: 's', visitor: { isSession: true, ...more, ...(bounds && { bounds }) } };
    const labels = Array.from({ length: count }, (_, n) => `${'ABC'[Math.floor(n / 8)]}-${(n % 8) + 1}`);
    return event.tries(hold('h', ...labels), caller);
  };

  test.each<[string, PublicSale | null, PublicSale | undefined, number, boolean]>([
    ['without any, the default holds', null, undefined, 16, true],
    ["the organisation's counts", null, { maxPerHold: 5 }, 6, false],
    ["the event's goes before the organisation's", { maxPerHold: 9 }, { maxPerHold: 5 }, 6, true],
    ["a bound that the event leaves out is the organisation's", { maxPerHold: 9 }, { maxHeldPerSession: 5 }, 6, false],
    ['null is no bound', { maxPerHold: null, maxHeldPerSession: null }, { maxPerHold: 5 }, 16, true],
    ['null of the organisation is no bound', null, { maxPerHold: null }, 16, true],
  ])('%s', (_, publicSale, bounds, count, isHeld) => {
    expect(asked(publicSale, bounds, count)).toBe(isHeld);
  });

  test('the default is 50 places in a hold and in a session, and 500 from an address', () => {
    const event = house();
    const { visitors } = event.state;
    const known: Caller = { ...buyer, actor: 'ses_1', visitor: { isSession: true, ...home } };
    visitors.changeHeld(['ses_1'], 48);
    expect(event.refused(hold('h', 'A-1', 'A-2', 'A-3'), known).details).toEqual({ limit: 50, left: 2 });
    visitors.changeHeld(['ses_1'], -48);
    visitors.changeHeld(['network-1'], 499);
    expect(event.refused(hold('h', 'A-1', 'A-2'), known).details).toEqual({ limit: 500, left: 1 });
  });

  test('the address of a caller is journaled only where addresses count', () => {
    const event = house();
    event.ok(set({ maxHeldPerAddress: null }));
    event.ok(hold('h1', 'A-1'), session('ses_1', home));
    event.ok(hold('h2', 'A-2'), page(home));
    event.ok(set(null));
    event.ok(hold('h3', 'A-3'), session('ses_1', home));
    const held = event.journal.flatMap((record) => (record.type === 'held' ? [record.visitors] : []));
    expect(held).toEqual([['ses_1'], undefined, ['ses_1', 'network-1']]);
  });

  test('a change is answered, counted and repeated whole, beside other settings', () => {
    const event = house();
    const both = { ...set({ maxPerHold: 8 }), selectionRules: { preventOrphans: true } } as const;
    const answer = event.ok(both);
    expect(answer).toMatchObject({ publicSale: { maxPerHold: 8 }, selectionRules: { preventOrphans: true } });
    expect(event.ok(both)).toEqual(answer);
    expect(event.ok({ type: 'count' }).publicSale).toEqual({ maxPerHold: 8 });
    event.ok(set(null));
    expect(event.ok({ type: 'count' })).not.toHaveProperty('publicSale');
    expect(event.journal.map(({ type }) => type)).toEqual(['event-configured', 'public-sale-set', 'public-sale-set']);
  });
});

describe('time', () => {
  test("a visitor's ttlMs never exceeds the event's, in a hold and in a renewal", () => {
    const event = house();
    event.ok({ ...hold('h1', 'A-1'), ttlMs: HOUR }, page());
    expect(ends(event, 'h1')).toBe(event.now() + 15 * MINUTE);
    event.ok({ ...hold('h2', 'A-2'), ttlMs: MINUTE }, one);
    expect(ends(event, 'h2')).toBe(event.now() + MINUTE);
    event.ok({ type: 'set-hold-ttl', callId: callId(), holdTtlMs: 5 * MINUTE });
    event.ok(extend('h2', HOUR), one);
    expect(ends(event, 'h2')).toBe(event.now() + 5 * MINUTE);
    event.ok({ type: 'hold-best', holdId: 'h3', query: { qty: 1 }, ttlMs: HOUR }, one);
    expect(ends(event, 'h3')).toBe(event.now() + 5 * MINUTE);
  });

  /** Holds, and releases or loses the places again, until an hour is over. Returns the last time of a hold. */
  function holdOn(event: House, caller: Caller, labels: string[], end: (holdId: string) => void): number {
    let until = 0;
    for (let n = 0; n < 6; n++) {
      const held = event.ok(hold(`h${n}`, ...labels), caller);
      until = held.expiresAt;
      event.pass(Math.min(14 * MINUTE, until - event.now() - 1));
      end(`h${n}`);
    }
    return until;
  }

  test('release and hold again at once gives no new hour, to a session and to an address', () => {
    for (const caller of [one, page(home)]) {
      const event = house();
      const began = event.now();
      expect(holdOn(event, caller, ['A-1', 'A-2'], (holdId) => event.ok(release(holdId), caller))).toBe(began + HOUR);
      event.pass(1);
      expect(event.refused(hold('over', 'A-2', 'A-3'), caller)).toMatchObject({
        code: 'public_limit',
        reason: 'hold_time',
        details: { limit: HOUR, left: 0 },
      });
      event.ok(hold('else', 'A-3'), caller);
      event.ok(hold('other', 'A-1', 'A-2'), session('ses_2'));
    }
  });

  test('a hold that expires and is taken again ends in the same hour, and so do its renewals', () => {
    const event = house();
    const began = event.now();
    for (let n = 0; n < 3; n++) {
      event.ok(hold(`h${n}`, 'A-1'), one);
      event.pass(16 * MINUTE);
    }
    event.ok(hold('h3', 'A-1'), one);
    event.pass(10 * MINUTE);
    event.ok(extend('h3'), one);
    expect(ends(event, 'h3')).toBe(began + HOUR);
  });

  test('fifteen minutes without a hold end the memory', () => {
    for (const [pause, isAnew] of [
      [heldAgainMs - 1, false],
      [heldAgainMs, true],
    ] as const) {
      const event = house();
      event.ok(hold('h1', 'A-1'), one);
      event.pass(14 * MINUTE);
      event.ok(release('h1'), one);
      event.pass(pause);
      event.ok(hold('h2', 'A-1'), one);
      const { createdAt } = event.state.holds.get('h2')!;
      expect(createdAt === event.now()).toBe(isAnew);
    }
  });

  test('the place of an area is any place of the area, and a released part of a hold is remembered', () => {
    const event = house();
    const began = event.now();
    const standing = (holdId: string, quantity: number): Command => ({
      type: 'hold',
      holdId,
      selections: [{ label: 'Standing', quantity }],
    });
    event.ok(standing('h1', 2), one);
    event.ok(release('h1', smallPlan.labels.at(event.state.holds.get('h1')!.lines[0]!.unit)), one);
    event.pass(MINUTE);
    event.ok(standing('taken', 5), server);
    event.ok(standing('h2', 1), one);
    expect(event.state.holds.get('h2')!.createdAt).toBe(began);
  });

  test('a swapped place is remembered, and a refused swap leaves the hold as it is', () => {
    const event = house();
    event.ok(hold('h1', 'A-1'), one);
    event.pass(14 * MINUTE);
    event.ok({ ...hold('h2', 'A-2'), replaceHoldId: 'h1' }, one);
    event.ok(release('h2'), one);
    event.ok(hold('h3', 'A-1'), one);
    expect(event.state.holds.get('h3')!.createdAt).toBe(event.now() - 14 * MINUTE);
  });

  test('a part of an operation counts and ends in the hour as a hold does', () => {
    const event = house();
    const owner = { kind: 'group', key: 'pg_1' } as const;
    const actsUntil = event.now() + 3 * HOUR;
    event.ok({ type: 'lock', owner, lockId: 'l', actsUntil: event.now() + MINUTE });
    const part = (operationId: string, ...labels: string[]): Command & { type: 'hold-part' } => ({
      type: 'hold-part',
      selections: labels.map((label) => ({ label })),
      actsUntil,
      fingerprint: labels.join(),
      head: { id: internalIdOf(owner, operationId), owner, operationId, eventKeys: ['test-night'] },
      expiresAt: event.now() + 15 * MINUTE,
    });
    const member: Caller = { ...one, session: { id: 'ses_1', maxQuantity: null } };
    expect(event.refused(part('pghop_1', 'A-1', 'A-2', 'A-3', 'A-4'), member).code).toBe('public_limit');
    event.ok(part('pghop_2', 'A-1', 'A-2'), member);
    expect(event.refused(part('pghop_3', 'A-3', 'A-4', 'A-5'), member).details).toEqual({ limit: 4, left: 2 });
    event.ok({ type: 'release-part', id: internalIdOf(owner, 'pghop_2') }, member);
    for (let n = 0; n < 4; n++) {
      event.ok(part(`pghop_a${n}`, 'A-1'), member);
      event.pass(14 * MINUTE);
      event.ok({ type: 'release-part', id: internalIdOf(owner, `pghop_a${n}`) }, member);
    }
    expect(event.refused(part('pghop_9', 'A-1'), member)).toMatchObject({
      code: 'public_limit',
      reason: 'hold_time',
      details: { limit: HOUR, left: 4 * MINUTE },
    });
  });

  test('a clock that is set back makes the remembered places void', () => {
    const event = house();
    event.ok(hold('h1', 'A-1'), one);
    event.ok(hold('h2', 'A-2'), one);
    event.ok(release('h1'), one);
    const { state } = event;
    apply(state, { type: 'clock-set', from: state.at, by: { source: 'timer', actor: null } }, state.at - HOUR);
    expect([state.visitors.size, state.visitors.heldBy('ses_1')]).toEqual([0, 1]);
  });
});

describe('the state', () => {
  test('a snapshot keeps the counts and the remembered places, and a change of chart does', () => {
    const event = house();
    event.ok(hold('h1', 'A-1', 'A-2', 'A-3'), session('ses_1', home));
    event.ok(release('h1', 'A-1', 'A-2'), one);
    const isSame = (): void => {
      const { visitors } = restored(event);
      expect(visitors.places()).toEqual(event.state.visitors.places());
      expect(['ses_1', 'network-1'].map((name) => visitors.heldBy(name))).toEqual([1, 1]);
    };
    isSame();
    event.ok(release('h1'), one);
    event.ok(hold('h2', 'A-1'), session('ses_1', home));
    event.pass(MINUTE);
    const { createdAt } = event.state.holds.get('h2')!;
    event.ok({
      type: 'update-chart',
      acknowledgeMoved: true,
      reason: 'A new chart',
      callId: callId(),
      planHash: movedPlan.hash,
      chartVersion: 2,
    });
    isSame();
    event.ok(release('h2'), one);
    event.ok(hold('h3', 'A-1'), session('ses_1', home));
    expect(event.state.holds.get('h3')!.createdAt).toBe(createdAt);
  });

  test('past the bound the places that were given up first are forgotten', () => {
    const visitors = new Visitors();
    for (let n = 0; n <= heldAgainPlacesMax; n++) visitors.giveUp([`s${n}`], smallPlan, [0], 1, 2);
    expect(visitors.size).toBe(heldAgainPlacesMax);
    expect(visitors.firstHeldAt(['s0'], smallPlan, [0], 3)).toBe(3);
    expect(visitors.firstHeldAt(['s1'], smallPlan, [0], 3)).toBe(1);
    for (let n = 0; n < heldAgainPlacesMax / 4; n++)
      visitors.giveUp(['later'], smallPlan, [n % 20], 3, 2 + heldAgainMs);
    expect(visitors.size).toBe(20);
  });

  const step = fc.record({
    of: fc.constantFrom('ses_1', 'ses_2', 'key'),
    from: fc.constantFrom(undefined, 'network-1', 'network-2'),
    what: fc.constantFrom('hold', 'hold', 'hold', 'replace', 'release', 'part', 'book', 'pass'),
    first: fc.nat(20),
    count: fc.integer({ min: 1, max: 4 }),
    nth: fc.nat(30),
  });

  test('no history passes a bound or an hour, and the fold of its journal gives the same visitors', () => {
    const labels = ['A', 'B', 'C'].flatMap((row) => Array.from({ length: 8 }, (_, n) => `${row}-${n + 1}`));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const event = house();
        for (const [n, { of, from, what, first, count, nth }] of steps.entries()) {
          const more = from === undefined ? {} : { address: from };
          const caller = of === 'key' ? page(more) : session(of, more);
          const wanted = labels.slice(first, first + count);
          const some = [...event.state.holds.active.keys()][nth % Math.max(event.state.holds.active.size, 1)] ?? 'none';
          if (what === 'pass') event.pass(count * 4 * MINUTE);
          else if (what === 'release') event.tries(release(some), caller);
          else if (what === 'part') event.tries(release(some, ...wanted), caller);
          else if (what === 'book') event.tries(book(some, `order-${n}`, count > 2 ? wanted : undefined));
          else event.tries({ ...hold(`h${n}`, ...wanted), ...(what === 'replace' && { replaceHoldId: some }) }, caller);
          const held = new Map<string, number>();
          for (const { visitors, lines, slot, createdAt, expiresAt } of event.state.holds.active.values()) {
            const places = lines.filter(({ unit }) => event.state.slotOf[unit] === slot).length;
            for (const visitor of visitors) held.set(visitor, (held.get(visitor) ?? 0) + places);
            expect(expiresAt).toBeLessThanOrEqual(createdAt + HOUR);
          }
          for (const visitor of ['ses_1', 'ses_2', 'network-1', 'network-2']) {
            expect(event.state.visitors.heldBy(visitor)).toBe(held.get(visitor) ?? 0);
            expect(held.get(visitor) ?? 0).toBeLessThanOrEqual(visitor.startsWith('ses') ? 4 : 6);
          }
        }
        const folded = newState(eventConfig(), smallPlan);
        for (const [n, record] of event.journal.entries()) apply(folded, record, event.times[n]!);
        expect(folded.visitors).toEqual(event.state.visitors);
        expect(folded.visitors.places()).toEqual(event.state.visitors.places());
        expect(restored(event).visitors.places()).toEqual(event.state.visitors.places());
      }),
    );
  });
});
