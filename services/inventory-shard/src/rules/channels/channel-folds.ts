/**
 * Folds the records of channels, and the replan of channels for another chart. An assignment decides which callers may
 * select a unit, never whether the unit is free. It leaves the lines of holds and bookings unchanged. A unit without an
 * assignment is public sale.
 */
import type { Plan } from '@parterre/shared/charts/plan';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { type Channel, type JournalRecord, unitStatus } from '@parterre/shared/protocol/records';
import { type Steps, weightOf } from '../packed/packed.ts';
import { isPriced } from '../pricing/pricing.ts';
import {
  addChannel,
  type Channels,
  channelNumberOf,
  type EventState,
  type Folds,
  isShort,
  noteCall,
  publicSale,
  type ReadState,
} from '../state/state.ts';

const assignmentsPerStep = 500;

export function channelNamed({ channels }: ReadState, id: string): Outcome<Channel> {
  const channel = channels.byId.get(id);
  return channel
    ? done(channel)
    : refuse('not_found', 'The event has no channel with this id. GET its channels to read their ids.');
}

type ChannelRecord = JournalRecord & {
  type: 'channel-created' | 'channel-changed' | 'channel-state-set' | 'channels-assigned' | 'channel-archived';
};

export const channelFolds: Folds<ChannelRecord['type']> = {
  'channel-created'(state, { callId, channel }) {
    addChannel(state.channels, channel);
    noteChannelCall(state, callId, channel.id);
  },
  'channel-changed'(state, { callId, channelId, change }, at) {
    replaceChannel(state.channels, channelId, { ...change, updatedAt: at });
    noteChannelCall(state, callId, channelId);
  },
  'channel-state-set'(state, record, at) {
    replaceChannel(state.channels, record.channelId, { state: record.state, updatedAt: at });
    state.channels.version = record.version;
    noteChannelCall(state, record.callId, record.channelId);
  },
  'channels-assigned': foldAssignment,
  'channel-archived': foldArchive,
};

/** Channels are replaced, never changed in place: frozen snapshots and remembered answers share them. */
function replaceChannel(channels: Channels, id: string, change: Partial<Channel>): void {
  const before = channels.byId.get(id)!;
  const channel = { ...before, ...change };
  channels.byId.set(id, channel);
  channels.bytes += weightOf(channel) - weightOf(before);
}

function foldAssignment(state: EventState, record: ChannelRecord & { type: 'channels-assigned' }): void {
  const { callId, units, version, requested, buckets } = record;
  assign(state, units, record.channelId);
  state.channels.version = version;
  const answer = { assignmentVersion: version, requested, applied: units.length, buckets };
  noteCall(state, callId, { units: null, answer: isShort(answer) ? answer : shortened(answer) });
}

/** A long answer is remembered with its counts and without its labels. */
function shortened<T extends Pick<ChannelRecord & { type: 'channels-assigned' }, 'buckets'>>(answer: T): T {
  const { movedFromOtherChannel, skippedHeld, skippedBooked, notFound, ...rest } = answer.buckets;
  const withoutLabels = ({ count }: { count: number }) => ({ count, labels: [], truncated: count > 0 });
  return {
    ...answer,
    buckets: {
      ...rest,
      movedFromOtherChannel: { count: movedFromOtherChannel.count, channels: [] },
      skippedHeld: withoutLabels(skippedHeld),
      skippedBooked: withoutLabels(skippedBooked),
      notFound: withoutLabels(notFound),
    },
  };
}

function foldArchive(state: EventState, record: ChannelRecord & { type: 'channel-archived' }, at: number): void {
  const { callId, channelId, destination, units, version } = record;
  const { channels } = state;
  assign(state, units, destination);
  replaceChannel(channels, channelId, archivedTo(destination, at));
  channels.version = version;
  noteChannelCall(state, callId, channelId, { assignmentVersion: version, moved: movedAmong(state, units) });
}

export function archivedTo(destination: string | null, at: number) {
  const archiveDestination = destination ?? 'public';
  return { state: 'archived', archiveDestination, updatedAt: at, archivedAt: at } as const;
}

/** The units of an archived channel by status. None of them is held. */
export function movedAmong({ statuses }: ReadState, units: readonly number[]) {
  const moved = { free: 0, blocked: 0, booked: 0, units: units.length };
  for (const unit of units) {
    if (statuses[unit] === unitStatus.free) moved.free++;
    else if (statuses[unit] === unitStatus.blocked) moved.blocked++;
    else moved.booked++;
  }
  return moved;
}

/**
 * Remembers a call that was answered with a channel. A long channel is not remembered: a repetition gets the channel as
 * it is then.
 */
function noteChannelCall(state: EventState, callId: string, channelId: string, more: object = {}): void {
  const answer = { channel: state.channels.byId.get(channelId)!, ...more };
  noteCall(state, callId, { units: null, answer: isShort(answer) ? answer : { channelId, ...more } });
}

/** The answer to a repetition of a remembered call. */
export function firstChannelAnswer({ channels }: ReadState, kept: object): object {
  if (!('channelId' in kept)) return kept;
  const { channelId, ...more } = kept;
  return { channel: channels.byId.get(channelId as string)!, ...more };
}

function assign(state: EventState, units: readonly number[], channelId: string | null): void {
  const { channels, plan } = state;
  if (units.length === 0) return;
  const number = channelNumberOf(channels, channelId);
  const of = channels.of ?? new Uint16Array(plan.unitCount);
  for (const unit of units) {
    if (of[unit] !== publicSale) channels.assigned--;
    if (number !== publicSale) channels.assigned++;
    of[unit] = number;
  }
  channels.of = channels.assigned === 0 ? null : of;
}

/**
 * For a state on a new plan. Each unit keeps its channel, new units are public sale, and prices for missing categories
 * and tiers are dropped. The state's channels are replaced, not changed: the state before shares them.
 */
export function* replanChannels(
  state: EventState,
  plan: Plan,
  placeOf: (unit: number) => number,
  at: number,
): Steps<void> {
  const channels = { ...state.channels, byId: new Map(state.channels.byId) };
  state.channels = channels;
  for (const { id, priceOverrides, pricingVersion } of channels.byId.values()) {
    const kept = priceOverrides.filter((each) => isPriced(plan, each));
    if (kept.length === priceOverrides.length) continue;
    replaceChannel(channels, id, { priceOverrides: kept, pricingVersion: pricingVersion + 1, updatedAt: at });
  }
  const { of: before, assigned } = channels;
  if (before === null) return;
  const of = new Uint16Array(plan.unitCount);
  channels.assigned = 0;
  for (let unit = 0, left = assigned; left > 0; unit++) {
    if (before[unit] === publicSale) continue;
    if (--left % assignmentsPerStep === 0) yield;
    const place = placeOf(unit);
    if (place < 0) continue;
    of[place] = before[unit]!;
    channels.assigned++;
  }
  channels.of = channels.assigned === 0 ? null : of;
  if (channels.assigned < assigned) channels.version++;
}
