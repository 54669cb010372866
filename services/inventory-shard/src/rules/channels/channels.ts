/**
 * Channels in an event's state: which there are, and to which each unit is assigned. An assignment says who may select a unit,
 * never whether it is free, and moves nothing that is in checkout or sold. What is assigned to none is of public sale.
 */
import type { Plan } from '@parterre/shared/chart/plan';
import { done, type Outcome, refuse } from '@parterre/shared/errors';
import { type Channel, type JournalRecord, type Line, unitStatus } from '@parterre/shared/records';
import { bytesOfValue } from '../packed/weight.ts';
import { isPriced } from '../pricing/price-overrides.ts';
import { isShort, noteCall } from '../state/calls.ts';
import type { EventState } from '../state/state.ts';

export type Channels = {
  /** In the order in which they were made, archived ones too. */
  readonly byId: Map<string, Channel>;
  /** The same order: the n-th of them is the number n in `of`. */
  readonly ids: string[];
  /** By unit; 0 is public sale. Null while nothing is assigned. */
  of: Uint16Array | null;
  /** Units that are assigned. */
  assigned: number;
  /** Grows whenever somebody may select other units than before. */
  version: number;
  /** What `byId` takes in memory, see weight.ts. */
  bytes: number;
};

export const publicSale = 0;

export function noChannels(): Channels {
  return { byId: new Map(), ids: [], of: null, assigned: 0, version: 0, bytes: 0 };
}

/** `of` has its units' numbers, and `list` the channels in their order. */
export function channelsFrom(list: readonly Channel[], of: Uint16Array | null, version: number): Channels {
  const channels = { ...noChannels(), of, version };
  for (const channel of list) addChannel(channels, channel);
  for (const number of of ?? []) if (number !== publicSale) channels.assigned++;
  return channels;
}

/** Whether there is such a channel that is not archived. */
export function isLive(channel: Channel | undefined): boolean {
  return channel !== undefined && channel.state !== 'archived';
}

/** The number in `of` of a channel, or null's: public sale. */
export function numberOf({ ids }: Channels, channelId: string | null): number {
  return channelId === null ? publicSale : ids.indexOf(channelId) + 1;
}

/** The channel of this number, null for public sale. */
export function channelNumbered({ ids, byId }: Channels, number: number): Channel | null {
  return number === publicSale ? null : byId.get(ids[number - 1]!)!;
}

export function channelNamed({ channels }: EventState, id: string): Outcome<Channel> {
  const channel = channels.byId.get(id);
  return channel ? done(channel) : refuse('not_found', 'This event has no such channel.');
}

type ChannelRecord = JournalRecord & {
  type: 'channel-created' | 'channel-changed' | 'channel-state-set' | 'channels-assigned' | 'channel-archived';
};

/** Part of the fold. */
export function foldChannels(state: EventState, record: ChannelRecord, at: number): void {
  const { channels } = state;
  switch (record.type) {
    case 'channel-created':
      addChannel(channels, record.channel);
      noteChannelCall(state, record.callId, record.channel.id);
      break;
    case 'channel-changed':
      changeChannel(channels, record.channelId, { ...record.change, updatedAt: at });
      noteChannelCall(state, record.callId, record.channelId);
      break;
    case 'channel-state-set':
      changeChannel(channels, record.channelId, { state: record.state, updatedAt: at });
      channels.version = record.version;
      noteChannelCall(state, record.callId, record.channelId);
      break;
    case 'channels-assigned':
      foldAssignment(state, record);
      break;
    case 'channel-archived':
      foldArchive(state, record, at);
      break;
  }
}

function addChannel(channels: Channels, channel: Channel): void {
  channels.byId.set(channel.id, channel);
  channels.ids.push(channel.id);
  channels.bytes += bytesOfValue(channel);
}

/** Replaced and never changed in place: frozen snapshots and remembered answers share it. */
function changeChannel(channels: Channels, id: string, change: Partial<Channel>): void {
  const before = channels.byId.get(id)!;
  const channel = { ...before, ...change };
  channels.byId.set(id, channel);
  channels.bytes += bytesOfValue(channel) - bytesOfValue(before);
}

function foldAssignment(state: EventState, record: ChannelRecord & { type: 'channels-assigned' }): void {
  const { callId, units, version, requested, buckets } = record;
  assign(state, units, record.channelId);
  state.channels.version = version;
  const answer = { assignmentVersion: version, requested, applied: units.length, buckets };
  noteCall(state, callId, { units: null, answer: isShort(answer) ? answer : shortened(answer) });
}

/** Of a long answer the numbers are remembered, and not which labels they are about. */
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
  changeChannel(channels, channelId, archivedTo(destination, at));
  channels.version = version;
  noteChannelCall(state, callId, channelId, { assignmentVersion: version, moved: movedAmong(state, units) });
}

export function archivedTo(destination: string | null, at: number) {
  const archiveDestination = destination ?? 'public';
  return { state: 'archived', archiveDestination, updatedAt: at, archivedAt: at } as const;
}

/** What units of an archived channel are, none of which is held. */
export function movedAmong({ statuses }: EventState, units: readonly number[]) {
  const moved = { free: 0, blocked: 0, booked: 0, units: units.length };
  for (const unit of units) {
    if (statuses[unit] === unitStatus.free) moved.free++;
    else if (statuses[unit] === unitStatus.blocked) moved.blocked++;
    else moved.booked++;
  }
  return moved;
}

/** A call that was answered with a channel. One that is long is not kept: a repetition is answered with what it is then. */
function noteChannelCall(state: EventState, callId: string, channelId: string, more: object = {}): void {
  const answer = { channel: state.channels.byId.get(channelId)!, ...more };
  noteCall(state, callId, { units: null, answer: isShort(answer) ? answer : { channelId, ...more } });
}

/** What a call that was noted here is answered with when it is repeated. */
export function firstChannelAnswer({ channels }: EventState, kept: object): object {
  if (!('channelId' in kept)) return kept;
  const { channelId, ...more } = kept;
  return { channel: channels.byId.get(channelId as string)!, ...more };
}

function assign(state: EventState, units: readonly number[], channelId: string | null): void {
  const { channels, plan } = state;
  if (units.length === 0) return;
  const number = numberOf(channels, channelId);
  const of = channels.of ?? new Uint16Array(plan.unitCount);
  for (const unit of units) {
    if (of[unit] !== publicSale) channels.assigned--;
    if (number !== publicSale) channels.assigned++;
    of[unit] = number;
  }
  channels.of = channels.assigned === 0 ? null : of;
}

/**
 * Part of the fold, for another chart: a unit takes its channel with it, what is new is of public sale, and prices of what the chart
 * has not any more are gone.
 */
export function replanChannels(state: EventState, plan: Plan, placeOf: (unit: number) => number, at: number): void {
  const { channels } = state;
  for (const { id, priceOverrides, pricingVersion } of channels.byId.values()) {
    const kept = priceOverrides.filter((each) => isPriced(plan, each));
    if (kept.length === priceOverrides.length) continue;
    changeChannel(channels, id, { priceOverrides: kept, pricingVersion: pricingVersion + 1, updatedAt: at });
  }
  const { of: before, assigned } = channels;
  if (before === null) return;
  const of = new Uint16Array(plan.unitCount);
  channels.assigned = 0;
  for (let unit = 0; unit < before.length; unit++) {
    const place = before[unit] === publicSale ? -1 : placeOf(unit);
    if (place < 0) continue;
    of[place] = before[unit]!;
    channels.assigned++;
  }
  channels.of = channels.assigned === 0 ? null : of;
  if (channels.assigned < assigned) channels.version++;
}

/** What is told of a channel's sales is told under the name that the caller gives it just now, whatever it is called later. */
export function externalRefsOf(
  { channels: { byId } }: EventState,
  lines: readonly Line[],
): Record<string, string> | null {
  if (byId.size === 0) return null;
  let refs: Record<string, string> | null = null;
  let last: string | undefined;
  for (const { channelId } of lines) {
    if (channelId === undefined || channelId === last) continue;
    last = channelId;
    const externalRef = byId.get(channelId)?.externalRef;
    if (externalRef == null) continue;
    refs ??= {};
    refs[channelId] = externalRef;
  }
  return refs;
}
