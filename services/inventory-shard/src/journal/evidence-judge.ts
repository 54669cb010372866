/**
 * Compares evidence with the journal (I9). The journal has the part that the evidence names, or an operator has
 * accepted the loss, or the event has lost records. A difference is read again for `lossCertainMs`, since a deposed
 * leader may answer a read. Failure at each await: nobody answers → thrown, and the load is tried again.
 */
import type { JetStreamManager } from '@nats-io/jetstream';
import type { CountedPart } from '@parterre/shared/protocol/catalog/history';
import { isSameLink, type Link } from '@parterre/shared/protocol/journal/links';
import { groupsOf, linkAfter } from '@parterre/shared/protocol/journal/messages';
import { lossCertainMs, retryPauseMs, retryPauseMsMax } from '@parterre/shared/protocol/limits';
import { type Clock, pause } from '@parterre/shared/runtime/clock';
import type { AcceptedLosses } from './accepted-losses.ts';
import type { CountedParts } from './counted-evidence.ts';
import { type Evidence, LostRecords, type Remembered } from './lost-records.ts';
import type { Folded } from './parts-fold.ts';

/** Evidence of this process and of the catalog, and the clock of repeated reads. */
export type LossPorts = { clock: Clock; remembered: Remembered; counted: CountedParts; accepted: AcceptedLosses };

/**
 * True where the journal has the part that the evidence names, false where the operator has accepted the loss. Throws
 * `LostRecords` otherwise.
 */
export type Judge = (eventKey: string, evidence: Evidence) => Promise<boolean>;

export function judgeOf(
  manager: Pick<JetStreamManager, 'streams'>,
  stream: string,
  { clock, accepted }: Pick<LossPorts, 'clock' | 'accepted'>,
): Judge {
  /** The event's link behind its part at this sequence; null where the event has no part there. */
  async function linkAt(eventKey: string, sequence: number): Promise<Link | null> {
    const message = await manager.streams.getMessage(stream, { seq: sequence });
    const part = message && groupsOf(message.subject, message.data).find((group) => group.eventKey === eventKey);
    return part ? linkAfter(part.data) : null;
  }

  return async (eventKey, evidence) => {
    const certainAt = clock.elapsed() + lossCertainMs;
    for (;;) {
      const link = await linkAt(eventKey, evidence.sequence);
      if (link && isSameLink(link, evidence.link)) return true;
      if ((await accepted.upTo(eventKey)) >= evidence.sequence) return false;
      if (clock.elapsed() >= certainAt) throw new LostRecords(eventKey, evidence);
      await pause(clock, retryPauseMs);
    }
  };
}

export function evidenceOf({ sequence, data }: CountedPart): Evidence {
  return { source: 'catalog', sequence, link: linkAfter(data) };
}

/** Reads again, with growing pauses, while the journal seems to have lost records. */
export async function untilCertain<T>(clock: Clock, read: () => Promise<T>): Promise<T> {
  const certainAt = clock.elapsed() + lossCertainMs;
  for (let pauseMs = retryPauseMs; ; pauseMs = Math.min(2 * pauseMs, retryPauseMsMax)) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof LostRecords) || clock.elapsed() >= certainAt) throw error;
    }
    await pause(clock, pauseMs);
  }
}

/** The evidence that a load asks for besides snapshots. */
export function witnessesOf({ remembered, counted }: LossPorts, partition: number, judge: Judge) {
  /** A whole stream is served also while the catalog does not answer. */
  async function askCatalog(eventKey: string): Promise<void> {
    const asked = counted.last(eventKey, partition);
    const last = await (remembered.isShort(partition) ? asked : asked.catch(() => null));
    if (last) await judge(eventKey, evidenceOf(last));
  }

  /** An earlier result is a memory too, noted where the journal lacks its last part. True where the journal has it. */
  async function askMemory(eventKey: string, from?: Folded): Promise<boolean> {
    const memory = remembered.of(eventKey);
    if (memory && !(await judge(eventKey, memory))) remembered.forget(eventKey);
    if (!from) return false;
    const evidence: Evidence = { source: 'memory', sequence: from.state.version, link: from.link };
    try {
      return await judge(eventKey, evidence);
    } catch (error) {
      if (error instanceof LostRecords) remembered.note(eventKey, evidence);
      throw error;
    }
  }

  return { askCatalog, askMemory };
}
