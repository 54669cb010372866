/** Holding, extending, releasing, and the fields that a hold shows. */
import type { Caller, Command } from '@parterre/shared/protocol/commands';
import { isHiddenFromBuyers } from './availability.ts';
import { guestsOf, isFor, noteUse, reachOf, tooMany } from './channels.ts';
import { endHold, free } from './endings.ts';
import { beforeOwnStart, notOnSale } from './sale-times.ts';
import { choose, labelsOf, named, placesAmong, take } from './selecting.ts';
import {
  conflictOver,
  DAY,
  done,
  type Hold,
  holdNamed,
  itemsOf,
  leftBehind,
  MINUTE,
  ownedBy,
  type Prediction,
  refused,
  unchanged,
  type World,
} from './world.ts';

export function hold(world: World, command: Command & { type: 'hold' }, caller: Caller): Prediction {
  const known = holdNamed(world, command.holdId);
  if (known) {
    const isSame = known.fingerprint === (command.fingerprint ?? null);
    return isSame ? unchanged(heldAnswer(world, known)) : refused('conflict', { reason: 'idempotency_key_reused' });
  }
  const closed = notOnSale(world, caller);
  if (closed) return { ok: false, refused: [closed] };
  const replaced = world.holds.find(
    (each) => each.id === command.replaceHoldId && each.status === 'active' && isFor(world, caller, each),
  );
  const has = replaced ? ownedBy(world, `hold ${replaced.id}`) : [];
  const mine = replaced?.claims.filter(({ label }) => has.includes(label)) ?? [];
  const chosen = choose(world, command.selections, { caller, mine });
  if ('refused' in chosen) return { ok: false, refused: chosen.refused };
  const given = replaced?.session === caller.session?.id ? mine : [];
  const excess = [...tooMany(world, caller, chosen.claims, given), ...beforeOwnStart(world, caller, chosen.claims)];
  if (excess.length > 0) return { ok: false, refused: excess };
  const soldOutSince = world.releases.map(({ soldOutAt }) => soldOutAt);
  if (replaced) endHold(world, replaced, 'released');
  const started = startHold(world, command, caller, chosen.claims, replaced && isHelper(caller) ? replaced : undefined);
  if (replaced) carryOn(started, replaced);
  // A replacement is one step: a ticket release that is sold out before and after it stays sold out since its old time.
  for (const [i, release] of world.releases.entries()) {
    if (release.soldOutAt !== null) release.soldOutAt = soldOutSince[i] ?? release.soldOutAt;
  }
  return done(heldAnswer(world, started));
}

/** A hold in place of another ends within an hour of the first hold of the chain, and has the chain's renewals. */
function carryOn(started: Hold, replaced: Hold): void {
  started.createdAt = replaced.createdAt;
  started.extends = replaced.extends;
  started.expiresAt = Math.min(started.expiresAt, replaced.createdAt + 60 * MINUTE);
  started.firstExpiresAt = started.expiresAt;
}

/** Whether the caller changes a buyer's hold without taking it over. */
function isHelper({ source, reach, override }: Caller): boolean {
  return source !== 'buyer' && !reach && !override;
}

type NewHold = { holdId: string; ttlMs?: number; fingerprint?: string };

export function startHold(
  world: World,
  command: NewHold,
  caller: Caller,
  claims: Hold['claims'],
  of: Pick<Hold, 'reach' | 'session' | 'buyerRef'> = {
    reach: reachOf(caller),
    session: caller.session?.id ?? null,
    buyerRef: null,
  },
): Hold {
  const { holdId: id, ttlMs, fingerprint = null } = command;
  const started: Hold = {
    id,
    status: 'active',
    createdAt: world.now,
    expiresAt: world.now + windowOf(world, ttlMs),
    endedAt: null,
    extends: 0,
    bookingRef: null,
    accessSource: caller.accessSource,
    fingerprint,
    claims,
    reach: of.reach,
    session: of.session,
    buyerRef: caller.buyerRef ?? of.buyerRef,
    currency: world.currency,
    extendedBy: [],
    releases: {},
    released: [],
    expired: [],
    booked: [],
    bookedUnder: [],
    firstExpiresAt: world.now + windowOf(world, ttlMs),
  };
  world.holds.push(started);
  noteUse(world, started.session, guestsOf(claims));
  take(world, claims, 'held', `hold ${id}`);
  return started;
}

/** The TTL of the call, otherwise of the event, otherwise 15 minutes, at most an hour. */
function windowOf({ holdTtlMs }: World, ttlMs: number | undefined): number {
  return Math.min(ttlMs ?? holdTtlMs ?? 15 * MINUTE, 60 * MINUTE);
}

/** The answer to the call that made the hold. */
export function heldAnswer(world: World, { id, firstExpiresAt, claims, currency }: Hold): object {
  const items = itemsOf(world, claims, currency);
  return { holdId: id, expiresAt: firstExpiresAt, items, labels: labelsOf(claims), currency };
}

/** The items of an active hold: its seats. Of an ended hold: its booked seats, otherwise the seats that it had. */
function shownItems(world: World, hold: Hold): object[] {
  const has = ownedBy(world, `hold ${hold.id}`);
  const left = [...hold.released, ...hold.expired];
  const isShown = (label: string): boolean => (hold.status === 'active' ? has.includes(label) : !left.includes(label));
  const shown = hold.claims.filter(({ label }) => isShown(label));
  return itemsOf(world, shown, hold.currency);
}

export function extend(world: World, command: Command & { type: 'extend' }, caller: Caller): Prediction {
  const found = holdNamed(world, command.holdId);
  const cannot = (reason: string): Prediction =>
    refused('cannot_extend', { reason, ...(reason !== 'not_found' && { status: found!.status }) });
  if (!found || !isFor(world, caller, found))
    return caller.source === 'buyer' ? refused('hold_not_found') : cannot('not_found');
  const answer = (): object => {
    const { id: holdId, expiresAt, extends: renewals } = found;
    return { holdId, expiresAt, extends: renewals, items: shownItems(world, found) };
  };
  if (found.extendedBy.includes(command.callId)) return unchanged(answer());
  if (found.status === 'expired') return cannot('expired');
  if (found.status !== 'active') return cannot('not_active');
  if (found.extends === 3) return cannot('extend_limit');
  const asked = Math.min(world.now + windowOf(world, command.ttlMs), found.createdAt + 60 * MINUTE);
  if (asked <= found.expiresAt) return unchanged(answer());
  found.expiresAt = asked;
  found.extends++;
  found.extendedBy.push(command.callId);
  return done(answer());
}

export function release(world: World, command: Command & { type: 'release' }, caller: Caller): Prediction {
  const found = holdNamed(world, command.holdId);
  if (!found || !isFor(world, caller, found)) return refused('hold_not_found');
  const before = found.releases[command.callId];
  if (before) return unchanged({ released: before });
  const has = ownedBy(world, `hold ${found.id}`);
  let labels = has;
  if (command.labels) {
    // A buyer learns of no hidden seat that is missing from a listing.
    const isHidden = (label: string): boolean => caller.source === 'buyer' && isHiddenFromBuyers(world, label);
    const asked = named(world, command.labels, placesAmong(world, has));
    if ('refused' in asked) return { ok: false, refused: asked.refused };
    labels = asked.labels.filter((label) => has.includes(label));
    const left = leftBehind(world, labels);
    const shown = left.filter((label) => !isHidden(label));
    if (left.length > 0) return conflictOver(world, shown, 'resale_listing_whole');
  }
  if (labels.length === 0) return unchanged({ released: [] });
  found.releases[command.callId] = labels;
  if (labels.length === has.length) {
    endHold(world, found, 'released');
  } else {
    noteUse(world, found.session, -guestsOf(found.claims.filter(({ label }) => labels.includes(label))));
    free(world, labels);
    found.released.push(...labels);
  }
  return done({ released: labels });
}

export function inspect(world: World, { holdId }: Command & { type: 'inspect-hold' }, caller?: Caller): Prediction {
  const found = holdNamed(world, holdId);
  if (!found || isLongOver(world, found) || (caller && !isFor(world, caller, found))) return refused('hold_not_found');
  const { status, expiresAt, bookingRef, accessSource, currency, extends: renewals } = found;
  const shown = { holdId, status, items: shownItems(world, found), expiresAt, currency, extends: renewals };
  const { buyerRef } = found;
  return unchanged({ ...shown, bookingRef, accessSource, ...(buyerRef !== null && { buyerRef }) });
}

/** Ended holds stay readable for a day. The rules do not define the results of other calls on older holds. */
export function isLongOver(world: World, { endedAt }: Hold): boolean {
  return endedAt !== null && endedAt + DAY <= world.now;
}
