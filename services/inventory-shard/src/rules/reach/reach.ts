/**
 * Opens the room of reach: the units that a caller may select. A unit that is assigned to a channel is sold to callers
 * whose reach has the channel, and by an operator's override. Any other unit is public sale. A paused channel sells
 * nothing except by override. A reach becomes a mask; see masks.ts.
 */
import { categoryOf } from '@parterre/shared/charts/plan';
import type { Caller } from '@parterre/shared/protocol/commands';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { unitStatus } from '@parterre/shared/protocol/records';
import { type Hold, isLive, knownHold, type ReadState } from '../state/state.ts';
import { isMadeWith } from './hold-reach.ts';
import { isIn, maskFor, outsideOf, publicOnly, type ReachMask } from './masks.ts';

/** Every unit: channels exclude nothing. */
const everyUnit: Outcome<ReachMask | null> = done(null);

/**
 * The units that a caller may name. Channels that a server or operator names must exist in the event. A session may
 * outlive its channels.
 */
export function maskOf(state: ReadState, caller: Caller): Outcome<ReachMask | null> {
  const { reach, override, source } = caller;
  const { channels } = state;
  if (reach === undefined) return override || channels.of === null ? everyUnit : done(maskFor(state, publicOnly));
  const gone = reach.channelIds.filter((id) => !isLive(channels.byId.get(id)));
  if (source !== 'buyer') {
    if (gone.length > 0) return noSuchChannels(gone);
    if (override) return everyUnit;
  } else if (!reach.includePublic && gone.length === reach.channelIds.length) {
    const why = gone.length > 0 ? 'Every channel of this session was archived.' : 'This session has no channel here.';
    return refuse('channel_access_denied', `${why} Open a new session.`);
  }
  return done(maskFor(state, reach));
}

/**
 * The units among which the event chooses for a caller. A server or operator who names channels gets seats of those
 * channels only.
 */
export function choosingMaskOf(state: ReadState, caller: Caller): Outcome<ReachMask | null> {
  const mask = maskOf(state, caller);
  return mask.ok && !caller.override && choosesAmongChannels(caller)
    ? done(maskFor(state, { ...caller.reach!, includePublic: false }))
    : mask;
}

/** The masks from which an area's places are taken, in this order, for a caller with this mask. */
export function masksForPlaces(
  state: ReadState,
  caller: Caller,
  mask: ReachMask | null,
): readonly (ReachMask | null)[] {
  const isNarrow = choosesAmongChannels(caller);
  if (caller.source === 'buyer' || state.channels.of === null || !(isNarrow || caller.override)) return [mask];
  const { channelIds, includePublic } = caller.reach ?? publicOnly;
  const masks = isNarrow ? [maskFor(state, { channelIds, includePublic: false })] : [];
  if (includePublic) masks.push(maskFor(state, publicOnly));
  if (caller.override) masks.push(outsideOf(state, { channelIds, includePublic }));
  return masks;
}

function choosesAmongChannels({ source, reach }: Caller): boolean {
  return source !== 'buyer' && reach !== undefined && reach.channelIds.length > 0;
}

function noSuchChannels(channelIds: readonly string[]): Outcome<never> {
  const why = 'The event has no live channel with one of these ids. Name channels of the event that are not archived.';
  return refuse('invalid_channel_scope', why, { details: { channelIds } });
}

/**
 * The refusal for a caller whose channels have nothing to sell, or null if channels are not the reason: all of the
 * channels are paused, or (for a buyer) none of their units is free. O(units), for a call that is refused in any case.
 */
export function nothingLeftOf(state: ReadState, caller: Caller): ReturnType<typeof refuse> | null {
  const { channels } = state;
  const { source, reach, override } = caller;
  if (!reach || override || (source === 'buyer' && reach.includePublic)) return null;
  const live = reach.channelIds.map((id) => channels.byId.get(id)).filter(isLive);
  if (live.length > 0 && live.every((channel) => channel!.state === 'paused')) return paused();
  const isExhausted = source === 'buyer' && !hasFree(state, maskFor(state, reach));
  return isExhausted
    ? refuse(
        'allocation_exhausted',
        'No seat of this allocation is left. Choose seats of public sale, or ask the organiser.',
      )
    : null;
}

function hasFree({ statuses, plan }: ReadState, mask: ReachMask | null): boolean {
  for (let unit = 0; unit < statuses.length; unit++) {
    if (statuses[unit] === unitStatus.free && isIn(mask, unit) && !categoryOf(plan, unit).notForSale) return true;
  }
  return false;
}

export function paused(labels?: string[]): ReturnType<typeof refuse> {
  const why = 'Sales through this channel are paused. Try again after the organiser has resumed them.';
  return refuse('channel_paused', why, labels ? { details: { labels } } : {});
}

/**
 * The hold, if the caller may change it: a buyer with the reach that the hold was made with, a server or an operator.
 */
export function holdFor(state: ReadState, holdId: string, caller: Caller, now: number): Readonly<Hold> | undefined {
  const hold = knownHold(state, holdId, now);
  const mayChange = hold && (caller.source !== 'buyer' || isMadeWith(state.channels, hold.reach, caller.reach));
  return mayChange ? hold : undefined;
}
