/**
 * Who may select which units (wire contract 5 to 7). What is assigned to a channel is private: it is sold to whoever's reach has the
 * channel, and by an operator's override; the rest is of public sale. A paused channel sells nothing but by override.
 *
 * A reach becomes a pool: a table by a channel's number, so that a unit is tested by one look-up. While nothing is assigned there is
 * no pool and nothing to look up. Pools are an index over `channels`, made anew when these say something else.
 */
import { categoryOf } from '@parterre/shared/chart/plan';
import type { Caller } from '@parterre/shared/commands';
import { done, type Outcome, refuse } from '@parterre/shared/errors';
import {
  type Channel,
  type Grant,
  type JournalRecord,
  type Line,
  type Reach,
  unitStatus,
} from '@parterre/shared/records';
import { type Channels, isLive } from '../channels/channels.ts';
import { poolsKept } from '../state/bounds.ts';
import { type Booking, type EventState, type Hold, knownHold } from '../state/state.ts';
import { isMadeWith } from './hold-reach.ts';

/** What a caller may do with the units of a channel; `paused` are those that he could have if it were not. */
const access = { none: 0, granted: 1, paused: 2 } as const;

export type Pool = {
  /** The same for callers who may select the same. */
  key: string;
  /** By a channel's number, 0 for public sale: one of `access`. */
  accessTo: Uint8Array;
  of: Uint16Array | null;
  /** By object, 1 where some of its units are in the pool; null before it is looked up. */
  objects: Uint8Array | null;
};

/** Those of one allocation, the one that was asked for last behind the others. */
export type Pools = { version: number; channelCount: number; of: Uint16Array | null; byKey: Map<string, Pool> };

/** Of every unit, as far as channels go. */
const everyUnit: Outcome<Pool | null> = done(null);

const publicOnly: Reach = { channelIds: [], includePublic: true };

/** The units that a caller may name. A server or operator has channels of the event named; a session may outlive its channels. */
export function poolOf(state: EventState, caller: Caller): Outcome<Pool | null> {
  const { reach, override, source } = caller;
  const { channels } = state;
  if (reach === undefined) return override || channels.of === null ? everyUnit : done(pooled(state, publicOnly));
  const gone = reach.channelIds.filter((id) => !isLive(channels.byId.get(id)));
  if (source !== 'buyer') {
    if (gone.length > 0) return invalidScope(gone);
    if (override) return everyUnit;
  } else if (!reach.includePublic && gone.length === reach.channelIds.length) {
    return refuse('channel_access_denied', 'None of the channels of this session sells here any more.');
  }
  return done(pooled(state, reach));
}

/** The units among which the event chooses for a caller: a server or operator who names channels wants seats of these. */
export function choosingPoolOf(state: EventState, caller: Caller): Outcome<Pool | null> {
  const pool = poolOf(state, caller);
  return pool.ok && !caller.override && choosesAmongChannels(caller)
    ? done(pooled(state, { ...caller.reach!, includePublic: false }))
    : pool;
}

/** What a caller who overrides could have without it; an override is for what is not to be had otherwise. */
export function withoutOverride({ override: _, ...caller }: Caller): Caller {
  return caller;
}

/** The pools that an area's places are taken from, one after the other, by a caller who has this one. */
export function poolsForPlaces(state: EventState, caller: Caller, pool: Pool | null): readonly (Pool | null)[] {
  const isNarrow = choosesAmongChannels(caller);
  if (caller.source === 'buyer' || state.channels.of === null || !(isNarrow || caller.override)) return [pool];
  const { channelIds, includePublic } = caller.reach ?? publicOnly;
  const pools = isNarrow ? [pooled(state, { channelIds, includePublic: false })] : [];
  if (includePublic) pools.push(pooled(state, publicOnly));
  if (caller.override) pools.push(outsideOf(state, { channelIds, includePublic }));
  return pools;
}

function choosesAmongChannels({ source, reach }: Caller): boolean {
  return source !== 'buyer' && reach !== undefined && reach.channelIds.length > 0;
}

function invalidScope(channelIds: readonly string[]): Outcome<never> {
  const why = 'The event has no such channels, or has archived them.';
  return refuse('invalid_channel_scope', why, { details: { channelIds } });
}

/** Null: every unit. */
function pooled(state: EventState, reach: Reach): Pool | null {
  const { channels } = state;
  if (channels.of === null && reach.includePublic) return null;
  return poolNamed(state, keyOf(reach) ?? '', () => accessTable(channels, reach));
}

/** The units that only an override gives, beside what somebody of this reach may have. */
function outsideOf(state: EventState, reach: Reach): Pool {
  const invert = (each: number): number => (each === access.granted ? access.none : access.granted);
  return poolNamed(state, `!${keyOf(reach) ?? ''}`, () => accessTable(state.channels, reach).map(invert));
}

/** One that was not asked for the longest gives way to another. */
function poolNamed(state: EventState, key: string, accessTo: () => Uint8Array): Pool {
  const { byKey } = poolsOf(state);
  let pool = byKey.get(key);
  if (pool) byKey.delete(key);
  else if (byKey.size === poolsKept) byKey.delete(byKey.keys().next().value!);
  pool ??= { key, accessTo: accessTo(), of: state.channels.of, objects: null };
  byKey.set(key, pool);
  return pool;
}

function poolsOf(state: EventState): Pools {
  const { version, ids, of } = state.channels;
  const { pools } = state;
  if (pools && pools.version === version && pools.of === of && pools.channelCount === ids.length) return pools;
  state.pools = { version, channelCount: ids.length, of, byKey: new Map() };
  return state.pools;
}

/** At most; counted so that it costs nothing to ask. */
export function bytesOfPools({ pools, plan }: EventState): number {
  return pools === null ? 0 : pools.byKey.size * (plan.objects.length + pools.channelCount);
}

function accessTable({ ids, byId }: Channels, { channelIds, includePublic }: Reach): Uint8Array {
  const reached = new Set(channelIds);
  const table = new Uint8Array(1 + ids.length);
  table[0] = includePublic ? access.granted : access.none;
  for (const [i, id] of ids.entries()) {
    if (reached.has(id)) table[i + 1] = byId.get(id)!.state === 'paused' ? access.paused : access.granted;
  }
  return table;
}

export function isIn(pool: Pool | null, unit: number): boolean {
  return pool === null || accessOf(pool, unit) === access.granted;
}

/** See `Pool`; worked out once for each allocation. */
export function objectsOf({ plan }: EventState, pool: Pool): Uint8Array {
  if (pool.objects) return pool.objects;
  pool.objects = new Uint8Array(plan.objects.length);
  for (let unit = 0; unit < plan.unitCount; unit++) {
    if (isIn(pool, unit)) pool.objects[plan.objectOfUnit[unit]!] = 1;
  }
  return pool.objects;
}

/** Whether only a pause keeps the caller from this unit. */
export function isPausedIn(pool: Pool, unit: number): boolean {
  return accessOf(pool, unit) === access.paused;
}

function accessOf({ accessTo, of }: Pool, unit: number): number {
  return accessTo[of === null ? 0 : of[unit]!]!;
}

/**
 * Why channels alone have nothing for a caller, where that is to be told him: they are all paused, or, to a buyer, nothing of them is
 * free. O(units), for a call that is refused in any case.
 */
export function nothingLeftOf(state: EventState, caller: Caller): ReturnType<typeof refuse> | null {
  const { channels } = state;
  const { source, reach, override } = caller;
  if (!reach || override || (source === 'buyer' && reach.includePublic)) return null;
  const live = reach.channelIds.map((id) => channels.byId.get(id)).filter(isLive);
  if (live.length > 0 && live.every((channel) => channel!.state === 'paused')) return paused();
  const isExhausted = source === 'buyer' && !hasFree(state, pooled(state, reach));
  return isExhausted ? refuse('allocation_exhausted', 'Nothing is left of what is sold here.') : null;
}

function hasFree({ statuses, plan }: EventState, pool: Pool | null): boolean {
  for (let unit = 0; unit < statuses.length; unit++) {
    if (statuses[unit] === unitStatus.free && isIn(pool, unit) && !categoryOf(plan, unit).notForSale) return true;
  }
  return false;
}

export function paused(labels?: string[]): ReturnType<typeof refuse> {
  const why = 'Sales through this channel are paused.';
  return refuse('channel_paused', why, labels ? { details: { labels } } : {});
}

/** Of whom a unit is, or would be sold in whose name; undefined: public sale. */
export function channelOf({ channels: { of, ids, byId } }: EventState, unit: number): Channel | undefined {
  const number = of === null ? 0 : of[unit]!;
  return number === 0 ? undefined : byId.get(ids[number - 1]!);
}

/** The same for reaches of the same channels, null for public sale only. */
export function keyOf(reach: Reach | undefined): string | null {
  if (reach === undefined || (reach.includePublic && reach.channelIds.length === 0)) return null;
  const { channelIds, includePublic } = reach;
  const ids = channelIds.length > 1 ? [...new Set(channelIds)].sort() : channelIds;
  return `${includePublic ? '+' : '-'}${ids.join(' ')}`;
}

/** The hold, for whoever may do something with it: a buyer of the reach that it was made with, and those who run the event. */
export function holdFor(state: EventState, holdId: string, caller: Caller, now: number): Readonly<Hold> | undefined {
  const hold = knownHold(state, holdId, now);
  const isHis = hold && (caller.source !== 'buyer' || isMadeWith(state.channels, hold.reach, caller.reach));
  return isHis ? hold : undefined;
}

/** What a record says of the right by which these lines were had. */
export function noteGrant(
  state: EventState,
  record: JournalRecord & { type: 'held' | 'booked' },
  caller: Caller,
  lines: readonly Line[],
): void {
  const { reach, session, partnerRef, buyerRef } = caller;
  if (record.type === 'held' && reach && keyOf(reach) !== null) record.reach = reach;
  if (session) record.sessionId = session.id;
  if (partnerRef !== undefined) record.partnerRef = partnerRef;
  if (buyerRef !== undefined) record.buyerRef = buyerRef;
  const overridden = overriddenOf(
    state,
    caller,
    lines.map(({ unit }) => unit),
  );
  if (overridden) record.overridden = overridden;
}

/** What of these units the caller could not have had without his override, and why he has it. */
export function overriddenOf(state: EventState, caller: Caller, units: readonly number[]): Grant['overridden'] {
  const { override, reach = publicOnly } = caller;
  if (!override || state.channels.of === null) return undefined;
  const own = pooled(state, reach);
  const others = units.filter((unit) => channelOf(state, unit) !== undefined && !isIn(own, unit));
  return others.length > 0 ? { units: others, reason: override.reason } : undefined;
}

/** Part of the fold. By what right each line was had, where that is not the booking's: what was sold in one call is told as that for good. */
export function attributed(known: Booking, { lines, accessSource }: JournalRecord & { type: 'booked' }): Line[] {
  if (accessSource === known.accessSource) return lines;
  return lines.map((line) =>
    line.channelId === undefined || line.accessSource !== undefined ? line : { ...line, accessSource },
  );
}
