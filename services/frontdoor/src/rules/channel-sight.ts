/**
 * What a manage session is told with `event:channels:view` only: which channels an event has, what they are given and who reached into one by
 * an override. The channel that a hold or a booking was made in is no secret: whoever sells needs it. Pure.
 */

import type { JournalEntry } from '@parterre/shared/catalog/history';
import type { Capability } from '@parterre/shared/catalog/scope';
import type { JournalRecord } from '@parterre/shared/records';

/** `capabilities` are a manage session's; a key or a dashboard session has none, and needs none. */
type Asker = { kind: string } & { capabilities?: readonly Capability[] };

export function seesChannels({ capabilities }: Asker): boolean {
  return capabilities === undefined || capabilities.includes('event:channels:view');
}

/** Of a page of the log what the asker is told; it may be shorter, or empty. */
export function entriesFor(asker: Asker, entries: readonly JournalEntry[]): readonly JournalEntry[] {
  return seesChannels(asker) ? entries : withoutChannels(entries);
}

export function withoutChannels(entries: readonly JournalEntry[]): JournalEntry[] {
  return entries.flatMap((entry) => {
    const record = recordWithoutChannels(entry.record);
    return record === null ? [] : [record === entry.record ? entry : { ...entry, record }];
  });
}

/** Null for what was done to channels and nothing else. */
function recordWithoutChannels(record: JournalRecord): JournalRecord | null {
  switch (record.type) {
    case 'channel-created':
    case 'channel-changed':
    case 'channel-state-set':
    case 'channels-assigned':
    case 'channel-archived':
      return null;
    case 'held': {
      const { overridden: _, ...rest } = record;
      return rest;
    }
    case 'booked': {
      const { overridden: _, ...rest } = record;
      return rest;
    }
    case 'chart-updated': {
      const { droppedAssignments: _, droppedPrices: __, ...rest } = record;
      return rest;
    }
    default:
      return record;
  }
}
