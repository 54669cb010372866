/**
 * What a manage session is told with `event:channels:view` only: which channels an event has, what they are given and who reached into one by
 * an override. The channel that a hold or a booking was made in is no secret: whoever sells needs it. Pure.
 */
import { isOfChannels, type JournalEntry } from '@parterre/shared/catalog/history';
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
  if (isOfChannels(record)) return null;
  switch (record.type) {
    case 'held':
    case 'booked':
    case 'blocked': {
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
