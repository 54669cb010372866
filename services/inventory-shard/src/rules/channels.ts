/**
 * Channels in an event's state: which there are, and to which each unit is assigned. An assignment says who may select a unit,
 * never whether it is free, and moves nothing that is in checkout or sold. What is assigned to none is of public sale.
 */
import type { Channel, JournalRecord } from '@parterre/shared/records';
import { noteCall } from './calls.ts';
import type { EventState } from './state.ts';

export type Channels = {
  /** In the order in which they were made, archived ones too. */
  readonly byId: Map<string, Channel>;
  /** The same order: the n-th of them is the number n in `of`. */
  readonly ids: string[];
  /** By unit; 0 is public sale. Null while nothing was ever assigned. */
  of: Uint16Array | null;
  /** Grows whenever somebody may select other units than before. */
  version: number;
};

const publicSale = 0;

export function noChannels(): Channels {
  return { byId: new Map(), ids: [], of: null, version: 0 };
}

/** The number in `of` of a channel, or null's: public sale. */
function numberOf({ ids }: Channels, channelId: string | null): number {
  return channelId === null ? publicSale : ids.indexOf(channelId) + 1;
}

type ChannelRecord = JournalRecord & {
  type: 'channel-created' | 'channel-changed' | 'channel-state-set' | 'channels-assigned' | 'channel-archived';
};

/** Part of the fold. */
export function foldChannels(state: EventState, record: ChannelRecord, at: number): void {
  const { channels } = state;
  switch (record.type) {
    case 'channel-created':
      channels.byId.set(record.channel.id, record.channel);
      channels.ids.push(record.channel.id);
      break;
    case 'channel-changed':
      changeChannel(channels, record.channelId, { ...record.change, updatedAt: at });
      break;
    case 'channel-state-set':
      changeChannel(channels, record.channelId, { state: record.state, updatedAt: at });
      channels.version = record.version;
      break;
    case 'channels-assigned':
      assign(state, record.units, record.channelId);
      channels.version = record.version;
      break;
    case 'channel-archived':
      assign(state, record.units, record.destination);
      changeChannel(channels, record.channelId, {
        state: 'archived',
        archiveDestination: record.destination ?? 'public',
        updatedAt: at,
        archivedAt: at,
      });
      channels.version = record.version;
      break;
  }
  noteCall(state, record.callId, { units: null, answer: { version: channels.version } });
}

function changeChannel({ byId }: Channels, id: string, change: Partial<Channel>): void {
  byId.set(id, { ...byId.get(id)!, ...change });
}

function assign({ channels, plan }: EventState, units: readonly number[], channelId: string | null): void {
  channels.of ??= new Uint16Array(plan.unitCount);
  const number = numberOf(channels, channelId);
  for (const unit of units) channels.of[unit] = number;
}
