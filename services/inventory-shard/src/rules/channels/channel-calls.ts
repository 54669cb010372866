/**
 * Calls that create, change, pause, resume and archive a channel. A name is unique among the channels that are not
 * archived. A channel's prices name categories and tiers of the chart, and a category with tiers is priced tier by
 * tier.
 */
import type { Caller, ChannelDraft, Command } from '@parterre/shared/protocol/commands';
import { done, type Outcome, type Refusal, refuse } from '@parterre/shared/protocol/errors';
import { channelsPerEventMax } from '@parterre/shared/protocol/limits';
import { type Channel, unitStatus } from '@parterre/shared/protocol/records';
import { checkOverrides } from '../pricing/pricing.ts';
import { byOf, channelNumberOf, type Decision, isInCheckout, isLive, type ReadState } from '../state/state.ts';
import { archivedTo, channelNamed, movedAmong } from './channel-folds.ts';

type Refused = { ok: false; refusal: Refusal };

export function createChannel(
  state: ReadState,
  { callId, channel: draft, reason }: Command & { type: 'create-channel' },
  caller: Caller,
  now: number,
): Decision<'create-channel'> {
  if (state.channels.byId.size >= channelsPerEventMax) {
    return refuse(
      'conflict',
      `An event has at most ${channelsPerEventMax} channels, archived ones included. Use one of them.`,
      {
        reason: 'channel_limit',
      },
    );
  }
  if (isNameTaken(state, draft.name)) return nameTaken(draft.name);
  const priceOverrides = checkOverrides(state, draft.priceOverrides);
  if (!priceOverrides.ok) return priceOverrides;
  const channel: Channel = {
    ...draft,
    state: 'active',
    archiveDestination: null,
    priceOverrides: priceOverrides.value,
    pricingVersion: 1,
    createdAt: now,
    updatedAt: now,
    archivedAt: null,
  };
  return {
    ok: true,
    records: [{ type: 'channel-created', callId, channel, reason, by: byOf(caller) }],
    answer: { channel },
  };
}

export function changeChannel(
  state: ReadState,
  { callId, channelId, change: draft, expectedPricingVersion, reason }: Command & { type: 'change-channel' },
  caller: Caller,
  now: number,
): Decision<'change-channel'> {
  const known = openChannel(state, channelId);
  if (!known.ok) return known;
  const { pricingVersion, priceOverrides: before } = known.value;
  if (expectedPricingVersion !== undefined && expectedPricingVersion !== pricingVersion) {
    return refuse(
      'channel_pricing_conflict',
      'The prices of this channel have changed. Read the channel again ' +
        'and repeat the call with its pricingVersion.',
      {
        details: { pricingVersion },
      },
    );
  }
  const { priceOverrides: drafts, ...plain } = draft;
  if (plain.name !== undefined && isNameTaken(state, plain.name, channelId)) return nameTaken(plain.name);
  const prices = drafts && checkOverrides(state, drafts);
  if (prices && !prices.ok) return prices;
  const isNews = prices !== undefined && JSON.stringify(prices.value) !== JSON.stringify(before);
  const change: Partial<ChannelDraft> & { pricingVersion?: number } = isNews
    ? { ...plain, priceOverrides: prices.value, pricingVersion: pricingVersion + 1 }
    : plain;
  return {
    ok: true,
    records: [{ type: 'channel-changed', callId, channelId, change, reason, by: byOf(caller) }],
    answer: { channel: { ...known.value, ...change, updatedAt: now } },
  };
}

/** A call that changes nothing is journaled too: otherwise a late copy of the call would undo a later change. */
export function setChannelState(
  state: ReadState,
  { callId, channelId, state: turned, reason }: Command & { type: 'set-channel-state' },
  caller: Caller,
  now: number,
): Decision<'set-channel-state'> {
  const known = openChannel(state, channelId);
  if (!known.ok) return known;
  const version = state.channels.version + (known.value.state === turned ? 0 : 1);
  return {
    ok: true,
    records: [{ type: 'channel-state-set', callId, channelId, state: turned, version, reason, by: byOf(caller) }],
    answer: { channel: { ...known.value, state: turned, updatedAt: now } },
  };
}

/**
 * Moves all units of the channel to the destination, booked units included. Refused while a unit of the channel is in
 * checkout.
 */
export function archiveChannel(
  state: ReadState,
  { callId, channelId, destination, reason }: Command & { type: 'archive-channel' },
  caller: Caller,
  now: number,
): Decision<'archive-channel'> {
  const known = channelNamed(state, channelId);
  if (!known.ok) return known;
  const channel = known.value;
  if (channel.state === 'archived') return archivedBefore(state, channel, destination);
  const target = destination === channelId ? noTarget(channelId) : targetOf(state, destination);
  if (!target.ok) return target;
  const units = unitsOf(state, channelId);
  const held = units.filter((unit) => state.statuses[unit] === unitStatus.held || isInCheckout(state, unit));
  if (held.length > 0) return blockedByHolds(state, held, now);
  const version = state.channels.version + 1;
  return {
    ok: true,
    records: [{ type: 'channel-archived', callId, channelId, destination, units, version, reason, by: byOf(caller) }],
    answer: {
      channel: { ...channel, ...archivedTo(destination, now) },
      assignmentVersion: version,
      moved: movedAmong(state, units),
    },
  };
}

function archivedBefore(state: ReadState, channel: Channel, destination: string | null): Decision<'archive-channel'> {
  if (channel.archiveDestination !== (destination ?? 'public')) return isArchived;
  const answer = { channel, assignmentVersion: state.channels.version, moved: movedAmong(state, []) };
  return { ok: true, records: [], answer };
}

function blockedByHolds(state: ReadState, held: readonly number[], now: number): Refused {
  const slots = new Set(held.map((unit) => state.listingOf.get(unit)?.heldBy ?? state.slotOf[unit]!));
  let latestHoldExpiresAt = now;
  for (const { slot, expiresAt } of state.holds.active.values()) {
    if (slots.has(slot)) latestHoldExpiresAt = Math.max(latestHoldExpiresAt, expiresAt);
  }
  const retryAfterMs = latestHoldExpiresAt - now;
  const message = 'Seats of this channel are in checkout. Try again when their holds have ended.';
  return refuse('channel_archive_blocked_by_holds', message, {
    details: { details: { heldUnits: held.length, latestHoldExpiresAt, retryAfterMs } },
  });
}

/** Checks that units may be assigned to this channel. Null is public sale. */
export function targetOf(state: ReadState, channelId: string | null): Outcome<null> {
  const isTarget = channelId === null || isLive(state.channels.byId.get(channelId));
  return isTarget ? done(null) : noTarget(channelId);
}

function noTarget(channelId: string): Refused {
  return refuse(
    'invalid_channel_scope',
    'The event has no live channel with this id. Name a channel that is not archived, or null for public sale.',
    {
      details: { channelIds: [channelId] },
    },
  );
}

function unitsOf({ channels }: ReadState, channelId: string): number[] {
  const units: number[] = [];
  const number = channelNumberOf(channels, channelId);
  for (const [unit, each] of channels.of?.entries() ?? []) if (each === number) units.push(unit);
  return units;
}

const isArchived = refuse(
  'conflict',
  'This channel is archived, and an archived channel cannot change. Create a new channel.',
  {
    reason: 'channel_archived',
  },
);

function openChannel(state: ReadState, channelId: string): Outcome<Channel> {
  const known = channelNamed(state, channelId);
  return known.ok && !isLive(known.value) ? isArchived : known;
}

function isNameTaken({ channels }: ReadState, name: string, but?: string): boolean {
  const wanted = plainName(name);
  for (const channel of channels.byId.values()) {
    if (channel.id !== but && isLive(channel) && plainName(channel.name) === wanted) return true;
  }
  return false;
}

function plainName(name: string): string {
  return name.trim().toLowerCase();
}

function nameTaken(name: string): Refused {
  return refuse('channel_name_taken', `Another channel of this event has the name "${name}". Choose another name.`);
}
