/**
 * The cut: the moment of the catalog's view, and a last sequence for each journal. Everything else in a backup follows
 * from two rules.
 *
 * 1. No evidence is ahead of the journal. Snapshots, the notifier's place and the queues are copied before the cut, and
 *    the catalog's view (with the projections' positions) begins before the last sequences of the cut are read.
 * 2. The catalog is not behind the journal in a matter that both decide. A lock, a reservation, a part of an operation
 *    over several events stands in the journal because a document asked for it. Behind an older catalog nobody would
 *    end it. And a journal whose cut has the effect of an operation without its cause (in another partition) has half
 *    a season sold.
 *
 *      last sequences a → the view begins → last sequences b → the messages from a to b are plain → the cut is b
 *
 * The catalog's view sees the journal as it was at some moment between a and b. So b is not behind any position in the
 * view (rule 1). A plain message is of one event and asked for by no document: a hold, a sale, a release. If only plain
 * messages stand between a and b, no message at or before b needs a document or a message that is missing (rule 2): it
 * stands at or before a, and its cause is older. Otherwise the cut is tried again. The view is begun anew, which costs
 * nothing, as none of it was read yet. The window lasts some milliseconds.
 *
 * Failure at each await: an error of the server → thrown, the view is ended. Without a plain window in `cutMsMax` the
 * run is refused, and what it has copied of the journals stays.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { StoreView, ViewedStore } from '../../services/catalog/src/store/store-copies.ts';
import { groupsOf, readGroup } from '../../shared/src/protocol/journal/messages.ts';
import type { JournalRecord } from '../../shared/src/protocol/records.ts';
import { type JetStreams, messageAt, streamInfo } from './messages.ts';
import { Refused } from './refused.ts';

export type Lasts = Record<string, number>;

/** `tries`: the windows that were looked at. */
export type Cut = { at: string; view: StoreView; lasts: Lasts; tries: number };

const cutMsMax = 60_000;
const betweenTriesMs = 50;
/** More messages in a window count as not plain: reading them would take longer than another try. */
const windowMessagesMax = 200;

/** The records of one event that no document of the catalog and no other event asks for. */
const plainRecords: ReadonlySet<JournalRecord['type']> = new Set([
  'held',
  'extended',
  'released',
  'hold-kept',
  'expired',
  'booked',
  'unbooked',
  'exchanged',
  'blocked',
  'unblocked',
  'revealed',
  'sold-out',
  'resale-listed',
  'resale-removed',
  'clock-set',
  'accepted',
] satisfies JournalRecord['type'][]);

/** The last sequence of each journal; 0 for a stream that is empty or not there yet. */
export async function lastSequences({ manager }: JetStreams, journals: readonly string[]): Promise<Lasts> {
  const last = async (stream: string) => {
    return [stream, (await streamInfo(manager, stream))?.state.last_seq ?? 0] as const;
  };
  return Object.fromEntries(await Promise.all(journals.map(last)));
}

/** `copied`: the last copied sequences. An answer of a server that is behind them is asked for again. */
export async function takeCut(
  streams: JetStreams,
  journals: readonly string[],
  store: ViewedStore,
  copied: Lasts,
): Promise<Cut> {
  const until = performance.now() + cutMsMax;
  for (let tries = 1; performance.now() < until; tries++) {
    const before = await lastSequences(streams, journals);
    const view = await store.begin();
    try {
      const at = new Date().toISOString();
      const lasts = await lastSequences(streams, journals);
      const isBehind = journals.some((stream) => lasts[stream]! < Math.max(before[stream]!, copied[stream] ?? 0));
      if (!isBehind && (await isPlain(streams, before, lasts))) return { at, view, lasts, tries };
    } catch (error) {
      await view.end();
      throw error;
    }
    await view.end();
    await pause(betweenTriesMs);
  }
  throw new Refused(
    `For ${cutMsMax / 1000} s no moment was found without an operation of a group, a season or a setting under way. ` +
      'Run the command again at a quieter time: what it has copied stays.',
  );
}

async function isPlain({ manager }: JetStreams, before: Lasts, after: Lasts): Promise<boolean> {
  const windows = Object.entries(after).map(([stream, last]) => ({ stream, from: before[stream]! + 1, to: last }));
  if (windows.some(({ from, to }) => to - from >= windowMessagesMax)) return false;
  const asked = windows.flatMap(({ stream, from, to }) =>
    Array.from({ length: to - from + 1 }, (_, index) => messageAt(manager, stream, { seq: from + index })),
  );
  const messages = await Promise.all(asked);
  return messages.every((message) => message !== null && holdsPlainRecords(message));
}

/** An epoch record has no groups, and is plain. */
export function holdsPlainRecords({ subject, data }: { subject: string; data: Uint8Array }): boolean {
  return groupsOf(subject, data).every((group) => readGroup(group.data).records.every(isPlainRecord));
}

function isPlainRecord(record: JournalRecord): boolean {
  return plainRecords.has(record.type) && !('operation' in record && record.operation !== undefined);
}
