/**
 * The catalog's position in a journal, as evidence (I9): the last message that it has counted, by sequence and link. A
 * new owner asks for it behind its fence. An owner whose process died takes its memory with it, and snapshots come
 * late, so often nothing else knows of the last sales.
 *
 * Failure at the await: no catalog listens or answers → asked again for `countedAnswerMsMax`, then the owner goes on
 * without this evidence. A catalog that is down holds a takeover up for so long. Meanwhile commands wait.
 */
import { linkFromText } from '@parterre/shared/protocol/journal/links';
import { countedAnswerMsMax, retryPauseMs } from '@parterre/shared/protocol/limits';
import { names } from '@parterre/shared/protocol/subjects';
import type { CatalogClient } from '@parterre/shared/runtime/catalog-client';
import { type Clock, pause } from '@parterre/shared/runtime/clock';
import type { Logger } from '@parterre/shared/runtime/log';
import type { HistoryPosition } from './appends.ts';

export type CountedPorts = { catalog: CatalogClient; clock: Clock; log: Logger };

/** Null where the catalog has counted nothing of the partition's stream, or does not answer. Never rejects. */
export async function countedPosition(
  { catalog, clock, log }: CountedPorts,
  partition: number,
): Promise<HistoryPosition | null> {
  const stream = names.journalStream(partition);
  const endsAt = clock.elapsed() + countedAnswerMsMax;
  while (clock.elapsed() < endsAt) {
    const answer = await catalog('projections.position', { stream }, endsAt);
    if (answer.ok) return positionOf(answer.value);
    await pause(clock, retryPauseMs);
  }
  log.warn({ stream }, 'the catalog does not tell what it has counted: the journal is served without this comparison');
  return null;
}

function positionOf(counted: { seq: number; link: string } | null): HistoryPosition | null {
  const link = counted && linkFromText(counted.link);
  return counted && link ? { sequence: counted.seq, link } : null;
}
