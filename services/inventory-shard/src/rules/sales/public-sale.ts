/**
 * The bounds of public sale: one visitor with a page's publishable key cannot hold the house.
 *
 * Bound callers are those with a `visitor`: a call with a publishable key, and a session that such a key opened. A
 * session that a back end minted has a `maxQuantity` of its own (session-use.ts). Keys and counters are not bound.
 *
 * The bounds, each a number of places (guests of a table, places of an area) or null for none:
 * - `maxPerHold`: the places of one hold.
 * - `maxHeldPerSession`: the places in all active holds of a session. A key alone is shared by all buyers of a shop, so
 *   its calls have no session to count.
 * - `maxHeldPerAddress`: the places in all active holds from an address, where the front door knows the address.
 * The event's value goes before the organisation's, which goes before the default. Each bound is taken by itself.
 *
 * States of a visitor in an event: unknown → has holds (places count) ⇄ has more or fewer → has none, and its places
 * are remembered for `heldAgainMs` → unknown. Counts follow from the active holds. A hold that is released, expires or
 * is booked, and a part of it, gives its places back. The mailbox decides one command after another, so holds that wait
 * together cannot pass a bound together.
 *
 * Only a new hold is refused (`public_limit`). A repeated call gets its first answer before this room is asked. A hold
 * that replaces another one counts without the places of the other one, and is never refused with no more places than
 * the other one had: a bound that was lowered takes no places away.
 *
 * A bound caller's `ttlMs` never exceeds the event's hold TTL. The longest time of a hold runs from the first hold of
 * the same session or address over any of the same places, until `heldAgainMs` have passed without a hold of them. The
 * new hold carries on the creation of the first one, as a replacing hold does, so renewals end at the same hour. When
 * the hour is over, the new hold is refused with the reason `hold_time`. Other visitors may have the places at once.
 *
 * Nothing is awaited. docs/seat-squatting.md tells how much a visitor can still do.
 */
import type { Caller, Visitor } from '@parterre/shared/protocol/commands';
import { refuse } from '@parterre/shared/protocol/errors';
import { heldAgainMs, publicSaleDefaults } from '@parterre/shared/protocol/limits';
import { holdTtlMsMax } from '@parterre/shared/protocol/page-limits';
import type { EventConfig, Line, PublicSale } from '@parterre/shared/protocol/records';
import { MINUTE_MS } from '@parterre/shared/runtime/units';
import {
  type EventState,
  type Hold,
  heldLines,
  noVisitors,
  quantityOfLines,
  type ReadState,
  unitsOfLines,
} from '../state/state.ts';

type Refused = ReturnType<typeof refuse>;

/** The names under which a hold of this caller counts. */
export function visitorsOf({ config }: ReadState, { visitor, actor }: Caller): readonly string[] {
  if (visitor === undefined) return noVisitors;
  const visitors: string[] = [];
  if (visitor.isSession) visitors.push(actor!);
  if (visitor.address !== undefined && boundOf(config, visitor, 'maxHeldPerAddress') !== null) {
    visitors.push(visitor.address);
  }
  return visitors;
}

/** The time at which the hold of these lines began. `replaced` is the hold that these lines replace. */
export function beginningOf(
  state: ReadState,
  caller: Caller,
  lines: readonly Line[],
  now: number,
  replaced?: Readonly<Hold>,
): number {
  const createdAt = replaced?.createdAt ?? now;
  if (caller.visitor === undefined) return createdAt;
  const { visitors, plan } = state;
  return Math.min(createdAt, visitors.firstHeldAt(visitorsOf(state, caller), plan, unitsOfLines(lines), now));
}

/**
 * The refusal of lines beyond the bounds of public sale; null if the caller may hold them until `expiresAt`. `beganAt`
 * is of `beginningOf`.
 */
export function beyondPublicSale(
  state: ReadState,
  caller: Caller,
  lines: readonly Line[],
  { beganAt, expiresAt, now }: { beganAt: number; expiresAt: number; now: number },
  replaced?: Readonly<Hold>,
): Refused | null {
  if (caller.visitor === undefined) return null;
  if (beganAt < now) {
    const leftMs = Math.max(beganAt + holdTtlMsMax - now, 0);
    // A part of an operation has the end of all parts, which this event does not choose.
    if (leftMs === 0 || now + leftMs < expiresAt) return hourIsOver(leftMs);
  }
  const asked = quantityOfLines(lines);
  let tightest: Bound | null = null;
  for (const bound of boundsOf(state, caller, caller.visitor, replaced)) {
    if (tightest === null || bound.left < tightest.left) tightest = bound;
  }
  return tightest === null || asked <= tightest.left ? null : overBound(tightest, asked);
}

/** A bound in force, and the places that it leaves for one more hold. */
type Bound = { field: keyof PublicSale; limit: number; left: number };

function boundsOf(state: ReadState, caller: Caller, visitor: Visitor, replaced?: Readonly<Hold>): Bound[] {
  const { config, visitors } = state;
  const ofReplaced = replaced === undefined ? 0 : quantityOfLines(heldLines(state, replaced));
  const bounds: Bound[] = [];
  const perHold = boundOf(config, visitor, 'maxPerHold');
  if (perHold !== null) bounds.push({ field: 'maxPerHold', limit: perHold, left: Math.max(perHold, ofReplaced) });
  const count = (field: keyof PublicSale, name: string): void => {
    const limit = boundOf(config, visitor, field);
    if (limit === null) return;
    // A lowered bound may lie under the places that are held.
    const givenBack = replaced?.visitors.includes(name) ? ofReplaced : 0;
    bounds.push({ field, limit, left: Math.max(limit - visitors.heldBy(name) + givenBack, givenBack) });
  };
  if (visitor.isSession) count('maxHeldPerSession', caller.actor!);
  if (visitor.address !== undefined) count('maxHeldPerAddress', visitor.address);
  return bounds;
}

/** Null for no bound. */
function boundOf({ publicSale }: EventConfig, { bounds }: Visitor, field: keyof PublicSale): number | null {
  const own = publicSale?.[field];
  if (own !== undefined) return own;
  const organisations = bounds?.[field];
  return organisations === undefined ? publicSaleDefaults[field] : organisations;
}

const reasonOf = {
  maxPerHold: 'max_per_hold',
  maxHeldPerSession: 'max_held_per_session',
  maxHeldPerAddress: 'max_held_per_address',
} as const;

function overBound({ field, limit, left }: Bound, asked: number): Refused {
  const per = { maxPerHold: 'in one hold', maxHeldPerSession: 'at one time', maxHeldPerAddress: 'from one address' };
  const why =
    `A buyer may hold ${limit} places ${per[field]}, and ${left} are left. The call asks for ${asked}. ` +
    'Ask for fewer, or book or release the places that are held.';
  return refuse('public_limit', why, { reason: reasonOf[field], details: { limit, left } });
}

/** Here `limit` and `left` are milliseconds. */
function hourIsOver(left: number): Refused {
  const why =
    `A buyer may hold the same places for ${holdTtlMsMax / MINUTE_MS} minutes, with pauses. ` +
    `Choose other places, or hold these again after a pause of ${heldAgainMs / MINUTE_MS} minutes.`;
  return refuse('public_limit', why, { reason: 'hold_time', details: { limit: holdTtlMsMax, left } });
}

/** For folds: a hold was made. */
export function countVisit({ visitors }: EventState, hold: Readonly<Hold>): void {
  if (hold.visitors.length > 0) visitors.changeHeld(hold.visitors, quantityOfLines(hold.lines));
}

/** For folds: runs before a hold loses these units. */
export function countVisitLess(state: EventState, hold: Readonly<Hold>, units: readonly number[]): void {
  if (hold.visitors.length === 0) return;
  const gone = new Set(units);
  const lines = hold.lines.filter(({ unit }) => gone.has(unit));
  state.visitors.changeHeld(hold.visitors, -quantityOfLines(lines));
}

/** For folds: runs before a hold gives these units back. */
export function noteGivenUp(state: EventState, hold: Readonly<Hold>, units: readonly number[], at: number): void {
  if (hold.visitors.length === 0) return;
  countVisitLess(state, hold, units);
  state.visitors.giveUp(hold.visitors, state.plan, units, hold.createdAt, at);
}
