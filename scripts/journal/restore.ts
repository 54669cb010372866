/**
 * `npx parterre journal restore`: asks the owner of a partition to write lost records again, as far as snapshots and
 * the catalog prove them (partition/restoration.ts). Without `--write` the owner only tells what it would write.
 *
 * A halted partition is opened first, as `journal accept` does it. Its events stay halted until each is restored.
 *
 * Failure at each await: as with `journal accept`. An event whose restoration stopped halts, and the same command goes
 * on with it.
 */
import type { LossToRestore, RestoredLoss } from '../../shared/src/protocol/loss-acceptance.ts';
import type { ClusterLayout } from '../../shared/src/runtime/cluster-layout.ts';
import type { Connected } from '../backup/deployment.ts';
import type { Say } from '../backup/progress.ts';
import {
  askOwner,
  type Decided,
  decideEach,
  highestKnown,
  noAnswer,
  noteBreaks,
  openPartition,
  placeOf,
} from './accept.ts';
import { readEvidence } from './evidence.ts';
import { breaksOf } from './verify.ts';

/** One event as a line of the answer. `bookings` and `conflicts` are lists of their own. */
export type RestoredEvent = { event: string } & Omit<RestoredLoss, 'bookings' | 'conflicts'>;

export type Restored = {
  restored: RestoredEvent[];
  bookings: { event: string; bookingRef: string; labels: string }[];
  conflicts: { event: string; label: string; bookingRef: string; is: string }[];
  refused: Decided<never>['refused'];
};

type Word = Pick<LossToRestore, 'reason' | 'givesUp' | 'isDryRun'>;

export async function restoreEvent(
  connected: Connected,
  layout: ClusterLayout,
  { eventKey, partition, ...word }: Word & { eventKey: string; partition: number | null },
  say: Say,
): Promise<Restored> {
  const place = partition ?? (await placeOf(connected, layout, eventKey));
  const above = await highestKnown(connected, layout, await readEvidence(connected, layout), place, say);
  const restored = await restoreAt(connected, place, { eventKey, above, ...word }, say);
  if (!word.isDryRun) await noteBreaks(connected, await breaksOf(connected, layout, place));
  return answerOf({ done: [restored], refused: [] });
}

export async function restorePartition(
  connected: Connected,
  layout: ClusterLayout,
  { partition, ...word }: Word & { partition: number },
  say: Say,
): Promise<Restored> {
  const above = word.isDryRun ? 0 : await openPartition(connected, layout, { partition, reason: word.reason }, say);
  const restore = (eventKey: string) => restoreAt(connected, partition, { eventKey, above, ...word }, say);
  return answerOf(await decideEach(connected, layout, partition, say, restore, word.isDryRun));
}

type Told = { event: string; told: RestoredLoss };

async function restoreAt(connected: Connected, partition: number, loss: LossToRestore, say: Say): Promise<Told> {
  const news = await askOwner(connected, partition, loss, say);
  if (!('restored' in news)) throw noAnswer(partition);
  return { event: loss.eventKey, told: news.restored };
}

function answerOf({ done, refused }: Decided<Told>): Restored {
  const answer: Restored = { restored: [], bookings: [], conflicts: [], refused };
  for (const { event, told } of done) {
    const { bookings, conflicts, ...figures } = told;
    answer.restored.push({ event, ...figures });
    for (const { bookingRef, labels } of bookings) {
      answer.bookings.push({ event, bookingRef, labels: labels.join(' ') });
    }
    for (const conflict of conflicts) answer.conflicts.push({ event, ...conflict });
  }
  return answer;
}
