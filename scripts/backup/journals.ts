/**
 * A journal in the backup: segments that only grow in number. A run reads from the message behind the last segment on.
 * Before that it compares the last message of the backup with the journal's: in another history (a restored or an
 * exchanged stream, another deployment) that message differs, and the run is refused. The owner of an epoch and its
 * time stand in the message, so two histories do not share it by chance.
 *
 * States of a segment: `.part` → finished and noted. A note is saved before the next segment begins, so a run that was
 * killed repeats one segment at most. A segment that is missing or has another length is taken again, with all behind
 * it.
 */
import { mkdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Segment } from './backup-folder.ts';
import {
  hashOfMessage,
  type JetStreams,
  journalMessages,
  type MessageRow,
  messageAt,
  messageOf,
  rowOf,
  type StoredMessage,
} from './messages.ts';
import { RecordWriter, readRecords } from './record-file.ts';
import { Refused } from './refused.ts';

/** A lost connection repeats at most this much. */
const segmentBytesMax = 32 * 1024 * 1024;

/** The segments up to the first that is not there in its length. */
export function intactSegments(folder: string, segments: readonly Segment[]): Segment[] {
  const end = segments.findIndex(({ file, bytes }) => sizeOf(join(folder, file)) !== bytes);
  return end === -1 ? [...segments] : segments.slice(0, end);
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? -1;
}

/** Throws a `Refused` when the journal is not the one that the segments were taken from. */
export async function checkHistory(
  { manager }: JetStreams,
  folder: string,
  stream: string,
  segments: readonly Segment[],
): Promise<void> {
  const end = segments.at(-1);
  if (end === undefined) return;
  const message = await messageAt(manager, stream, { seq: end.last });
  if (message !== null && hashOfMessage(message) === end.ending) return;
  throw new Refused(
    `${folder} has ${stream} up to message ${end.last}, and the running ${stream} has ${message === null ? 'no' : 'another'} ` +
      'message there. The journal has lost records, or this is the backup of another deployment or of a time before a ' +
      'restore. Keep this backup, and back up into a new folder.',
  );
}

/** What a copy reports: `noted` after each segment, `passed` after each message. */
export type CopyReport = { noted(segment: Segment): Promise<void>; passed(sequence: number): void };

/** Copies the messages from `from` to `to` into new segments. */
export async function copyJournal(
  streams: JetStreams,
  folder: string,
  span: { stream: string; from: number; to: number },
  report: CopyReport,
): Promise<void> {
  const { stream, from, to } = span;
  const messages = journalMessages(streams, stream, from, to);
  try {
    for (let first = from; first <= to; ) {
      const segment = await writeSegment(folder, stream, messages, { first, to }, report.passed);
      await report.noted(segment);
      first = segment.last + 1;
    }
  } finally {
    // Ends the consumer.
    await messages.return(undefined);
  }
}

async function writeSegment(
  folder: string,
  stream: string,
  messages: AsyncGenerator<StoredMessage>,
  { first, to }: { first: number; to: number },
  passed: (sequence: number) => void,
): Promise<Segment> {
  const file = join('journals', stream, String(first).padStart(16, '0'));
  mkdirSync(dirname(join(folder, file)), { recursive: true, mode: 0o700 });
  const writer = await RecordWriter.create(folder, file);
  try {
    for (let bytes = 0; ; ) {
      const { value: message, done } = await messages.next();
      if (done) throw new Refused(`${stream} ended before message ${to}.`);
      await writer.add(rowOf(message));
      passed(message.sequence);
      bytes += message.data.length;
      if (message.sequence < to && bytes < segmentBytesMax) continue;
      return { ...(await writer.end()), first, last: message.sequence, ending: hashOfMessage(message) };
    }
  } catch (error) {
    await writer.abandon();
    throw error;
  }
}

/** The messages of the segments from the sequence `from` on. */
export async function* messagesInSegments(
  folder: string,
  segments: readonly Segment[],
  from: number,
): AsyncGenerator<StoredMessage> {
  for (const { file, last } of segments) {
    if (last < from) continue;
    for await (const row of readRecords<MessageRow>(folder, file)) if (row[0] >= from) yield messageOf(row);
  }
}
