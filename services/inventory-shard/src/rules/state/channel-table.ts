/** The table of an event's channels, and the look-ups in it. */
import type { Channel } from '@parterre/shared/protocol/records';
import { weightOf } from '../packed/packed.ts';
import type { Channels, ReadState } from './event-state.ts';

type ReadChannels = ReadState['channels'];

/** The number of public sale in `of`. */
export const publicSale = 0;

export function noChannels(): Channels {
  return { byId: new Map(), ids: [], of: null, assigned: 0, version: 0, bytes: 0 };
}

/** `of` has the channel number of each unit; `list` has the channels in their order. */
export function channelsFrom(list: readonly Channel[], of: Uint16Array | null, version: number): Channels {
  const channels = { ...noChannels(), of, version };
  for (const channel of list) addChannel(channels, channel);
  for (const number of of ?? []) if (number !== publicSale) channels.assigned++;
  return channels;
}

/** For folds. */
export function addChannel(channels: Channels, channel: Channel): void {
  channels.byId.set(channel.id, channel);
  channels.ids.push(channel.id);
  channels.bytes += weightOf(channel);
}

/** Whether the channel exists and is not archived. */
export function isLive(channel: Channel | undefined): boolean {
  return channel !== undefined && channel.state !== 'archived';
}

/** The number of a channel in `of`; `publicSale` for null. */
export function channelNumberOf({ ids }: ReadChannels, channelId: string | null): number {
  return channelId === null ? publicSale : ids.indexOf(channelId) + 1;
}

/** The channel of this number, null for public sale. */
export function channelNumbered({ ids, byId }: ReadChannels, number: number): Channel | null {
  return number === publicSale ? null : byId.get(ids[number - 1]!)!;
}

/** The channel that the unit is assigned to; undefined for public sale. */
export function channelOf({ channels: { of, ids, byId } }: ReadState, unit: number): Channel | undefined {
  const number = of === null ? publicSale : of[unit]!;
  return number === publicSale ? undefined : byId.get(ids[number - 1]!);
}
