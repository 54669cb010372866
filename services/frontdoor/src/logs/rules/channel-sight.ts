/**
 * The facts that a manage session sees only with `event:channels:view`: the channels of an event, their units, and the
 * overrides that took units of a channel. The channel of a hold or a booking is no secret: sellers need it. Pure.
 */
import { isOfChannels, type JournalEntry } from '@parterre/shared/protocol/catalog/history';
import type { Capability } from '@parterre/shared/protocol/catalog/scope';
import type { JournalRecord } from '@parterre/shared/protocol/records';

/** `capabilities` belong to a manage session. A key or a dashboard session has no list, and sees all. */
type Asker = { kind: string } & { capabilities?: readonly Capability[] };

export function seesChannels({ capabilities }: Asker): boolean {
  return capabilities === undefined || capabilities.includes('event:channels:view');
}

/** The part of a page of the log that the asker may see. It may be shorter, or empty. */
export function entriesFor(asker: Asker, entries: readonly JournalEntry[]): readonly JournalEntry[] {
  return seesChannels(asker) ? entries : withoutChannels(entries);
}

export function withoutChannels(entries: readonly JournalEntry[]): JournalEntry[] {
  return entries.flatMap((entry) => {
    const record = recordWithoutChannels(entry.record);
    return record === null ? [] : [record === entry.record ? entry : { ...entry, record }];
  });
}

/** Null for a record of channels only. */
function recordWithoutChannels(record: JournalRecord): JournalRecord | null {
  if (isOfChannels(record)) return null;
  switch (record.type) {
    case 'held':
    case 'booked':
    case 'exchanged':
    case 'exchanged-with':
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
