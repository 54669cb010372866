/**
 * What the messages of a span hold: the groups of one event, or the shared commits. Nothing of a commit is decoded here
 * except the keys of its events.
 */
import { groupsOf } from '@parterre/shared/journal/messages';
import { nearbyMessages } from './bounds.ts';
import type { JournalReader, Span } from './journal-reader.ts';
import type { SharedCommit } from './shared-parts.ts';

type Reader = Pick<JournalReader, 'read'>;

/** A group of one event, encoded, at its sequence. */
export type PlacedData = { sequence: number; data: Uint8Array };

/** The groups of one event in a span of its own subject or of the shared subject. */
export async function* groupsOfEvent(reader: Reader, span: Span, eventKey: string): AsyncGenerator<PlacedData> {
  for await (const messages of reader.read(span)) {
    for (const { subject, seq, data } of messages) {
      if (seq > span.last) return;
      for (const group of groupsOf(subject, data)) {
        if (group.eventKey === eventKey) yield { sequence: seq, data: group.data };
      }
    }
  }
}

/**
 * Reads the shared parts of one event forwards. A read that begins near the end of the last read goes on there, since
 * many commits are read in the time that a new consumer takes.
 */
export class SharedReading {
  readonly #open: (from: number) => Promise<AsyncGenerator<PlacedData>>;
  #parts: AsyncGenerator<PlacedData> | null = null;
  #at = 0;

  /** `lastOf` gives the last sequence of a subject. */
  constructor(
    reader: Reader,
    stream: string,
    subject: string,
    eventKey: string,
    lastOf: (subject: string) => Promise<number>,
  ) {
    this.#open = async (from) =>
      groupsOfEvent(reader, { stream, subject, from, last: await lastOf(subject) }, eventKey);
  }

  /** The parts from the sequence `from` to the event's part at `last`. */
  async *read(from: number, last: number): AsyncGenerator<PlacedData> {
    if (from > this.#at + nearbyMessages) await this.end();
    if (this.#parts === null) {
      this.#parts = await this.#open(from);
      this.#at = from - 1;
    }
    while (this.#at < last) {
      const { done, value } = await this.#parts.next();
      if (done) return;
      this.#at = value.sequence;
      if (value.sequence >= from) yield value;
    }
  }

  async end(): Promise<void> {
    await this.#parts?.return(undefined);
    this.#parts = null;
  }
}

/** The commits in a span of the shared subject up to the sequence `to`, in order. */
export async function sharedCommitsIn(reader: Reader, span: Span, to: number): Promise<SharedCommit[]> {
  const commits: SharedCommit[] = [];
  for await (const messages of reader.read(span)) {
    for (const { subject, seq, data } of messages) {
      if (seq > to) return commits;
      const eventKeys = groupsOf(subject, data).map(({ eventKey }) => eventKey);
      commits.push({ sequence: seq, eventKeys, bytes: data.length });
    }
  }
  return commits;
}
