/**
 * Decides which units a caller may select. A unit that is assigned to a channel is sold to callers whose reach has the
 * channel, and by an operator's override. Any other unit is public sale. A paused channel sells nothing except by
 * override.
 *
 * A reach becomes a pool: a table by channel number, so that one look-up tests a unit. While nothing is assigned there
 * is no pool and nothing to look up. Pools are an index over `channels` and are rebuilt when the channels change.
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

/**
 * A caller's access to the units of a channel. `paused`: the caller would have access if the channel were not paused.
 */
const access = { none: 0, granted: 1, paused: 2 } as const;

export type Pool = {
  /** Equal for callers who may select the same units. */
  key: string;
  /** By channel number, 0 for public sale: a value of `access`. */
  accessTo: Uint8Array;
  of: Uint16Array | null;
  /** By object: 1 if some of its units are in the pool. Null before the first look-up. */
  objects: Uint8Array | null;
};

/** The pools of one assignment of the event's units. The last used pool comes last. */
export type Pools = { version: number; channelCount: number; of: Uint16Array | null; byKey: Map<string, Pool> };

/** Every unit: channels exclude nothing. */
const everyUnit: Outcome<Pool | null> = done(null);

const publicOnly: Reach = { channelIds: [], includePublic: true };

/**
 * The units that a caller may name. Channels that a server or operator names must exist in the event. A session may
 * outlive its channels.
 */
export function poolOf(state: EventState, caller: Caller): Outcome<Pool | null> {
  const { reach, override, source } = caller;
  const { channels } = state;
  if (reach === undefined) return override || channels.of === null ? everyUnit : done(pooled(state, publicOnly));
  const gone = reach.channelIds.filter((id) => !isLive(channels.byId.get(id)));
  if (source !== 'buyer') {
    if (gone.length > 0) return invalidScope(gone);
    if (override) return everyUnit;
  } else if (!reach.includePublic && gone.length === reach.channelIds.length) {
    return refuse('channel_access_denied', 'Every channel of this session was archived. Open a new session.');
  }
  return done(pooled(state, reach));
}

/**
 * The units among which the event chooses for a caller. A server or operator who names channels gets seats of those
 * channels only.
 */
export function choosingPoolOf(state: EventState, caller: Caller): Outcome<Pool | null> {
  const pool = poolOf(state, caller);
  return pool.ok && !caller.override && choosesAmongChannels(caller)
    ? done(pooled(state, { ...caller.reach!, includePublic: false }))
    : pool;
}

/** The caller without the override. An override is used only for units that the caller cannot get otherwise. */
export function withoutOverride({ override: _, ...caller }: Caller): Caller {
  return caller;
}

/** The pools from which an area's places are taken, in this order, for a caller with this pool. */
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
  const why = 'The event has no live channel with one of these ids. Name channels of the event that are not archived.';
  return refuse('invalid_channel_scope', why, { details: { channelIds } });
}

/** Null for every unit. */
function pooled(state: EventState, reach: Reach): Pool | null {
  const { channels } = state;
  if (channels.of === null && reach.includePublic) return null;
  return poolNamed(state, keyOf(reach) ?? '', () => accessTable(channels, reach));
}

/** The units that only an override gives to a caller of this reach. */
function outsideOf(state: EventState, reach: Reach): Pool {
  const invert = (each: number): number => (each === access.granted ? access.none : access.granted);
  return poolNamed(state, `!${keyOf(reach) ?? ''}`, () => accessTable(state.channels, reach).map(invert));
}

/** Past `poolsKept` pools, the least recently used pool makes room. */
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

/** An upper estimate that is cheap to compute. */
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

/** See `Pool.objects`. Computed once for each assignment of units. */
export function objectsOf({ plan }: EventState, pool: Pool): Uint8Array {
  if (pool.objects) return pool.objects;
  pool.objects = new Uint8Array(plan.objects.length);
  for (let unit = 0; unit < plan.unitCount; unit++) {
    if (isIn(pool, unit)) pool.objects[plan.objectOfUnit[unit]!] = 1;
  }
  return pool.objects;
}

/** Whether only a pause keeps the unit from the caller. */
export function isPausedIn(pool: Pool, unit: number): boolean {
  return accessOf(pool, unit) === access.paused;
}

function accessOf({ accessTo, of }: Pool, unit: number): number {
  return accessTo[of === null ? 0 : of[unit]!]!;
}

/**
 * The refusal for a caller whose channels have nothing to sell, or null if channels are not the reason: all of the
 * channels are paused, or (for a buyer) none of their units is free. O(units), for a call that is refused in any case.
 */
export function nothingLeftOf(state: EventState, caller: Caller): ReturnType<typeof refuse> | null {
  const { channels } = state;
  const { source, reach, override } = caller;
  if (!reach || override || (source === 'buyer' && reach.includePublic)) return null;
  const live = reach.channelIds.map((id) => channels.byId.get(id)).filter(isLive);
  if (live.length > 0 && live.every((channel) => channel!.state === 'paused')) return paused();
  const isExhausted = source === 'buyer' && !hasFree(state, pooled(state, reach));
  return isExhausted ? refuse('allocation_exhausted', 'No seat of this allocation is left.') : null;
}

function hasFree({ statuses, plan }: EventState, pool: Pool | null): boolean {
  for (let unit = 0; unit < statuses.length; unit++) {
    if (statuses[unit] === unitStatus.free && isIn(pool, unit) && !categoryOf(plan, unit).notForSale) return true;
  }
  return false;
}

export function paused(labels?: string[]): ReturnType<typeof refuse> {
  const why = 'Sales through this channel are paused. Try again after the organiser has resumed them.';
  return refuse('channel_paused', why, labels ? { details: { labels } } : {});
}

/** The channel that a unit is assigned to, undefined for public sale. */
export function channelOf({ channels: { of, ids, byId } }: EventState, unit: number): Channel | undefined {
  const number = of === null ? 0 : of[unit]!;
  return number === 0 ? undefined : byId.get(ids[number - 1]!);
}

/** A key that is equal for reaches of the same channels. Null for public sale only. */
export function keyOf(reach: Reach | undefined): string | null {
  if (reach === undefined || (reach.includePublic && reach.channelIds.length === 0)) return null;
  const { channelIds, includePublic } = reach;
  const ids = channelIds.length > 1 ? [...new Set(channelIds)].sort() : channelIds;
  return `${includePublic ? '+' : '-'}${ids.join(' ')}`;
}

/**
 * The hold, if the caller may change it: a buyer with the reach that the hold was made with, a server or an operator.
 */
export function holdFor(state: EventState, holdId: string, caller: Caller, now: number): Readonly<Hold> | undefined {
  const hold = knownHold(state, holdId, now);
  const isHis = hold && (caller.source !== 'buyer' || isMadeWith(state.channels, hold.reach, caller.reach));
  return isHis ? hold : undefined;
}

/** Writes the attribution of these lines into a record. */
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

/** The units that the caller got only by an override, with the override's reason. Undefined if there are none. */
export function overriddenOf(state: EventState, caller: Caller, units: readonly number[]): Grant['overridden'] {
  const { override, reach = publicOnly } = caller;
  if (!override || state.channels.of === null) return undefined;
  const own = pooled(state, reach);
  const others = units.filter((unit) => channelOf(state, unit) !== undefined && !isIn(own, unit));
  return others.length > 0 ? { units: others, reason: override.reason } : undefined;
}

/**
 * Part of the fold. Notes the access source of each line whose source differs from its booking's, so that the sale
 * keeps its source for good.
 */
export function attributed(known: Booking, { lines, accessSource }: JournalRecord & { type: 'booked' }): Line[] {
  if (accessSource === known.accessSource) return lines;
  return lines.map((line) =>
    line.channelId === undefined || line.accessSource !== undefined ? line : { ...line, accessSource },
  );
}
