/**
 * Reads what the journal still has of an event that is halted, and judges all evidence of it anew, for the operator's
 * decision. Failure at each await: thrown, except that a silent catalog is no evidence.
 */
import { names, subjects } from '@parterre/shared/protocol/subjects';
import { evidenceOf, type Judge, type LossPorts } from './evidence-judge.ts';
import type { SalvagedEvent } from './lost-history.ts';
import { type Evidence, LostRecords } from './lost-records.ts';
import { foldParts, lastOf, type PartsSource, unfinished } from './parts-fold.ts';
import type { SnapshotStore } from './snapshots/snapshots.ts';

export function salvageOf(
  source: PartsSource,
  snapshots: SnapshotStore,
  { remembered, counted }: LossPorts,
  judge: Judge,
): (eventKey: string) => Promise<SalvagedEvent> {
  const { manager, partition, shared } = source;
  const stream = names.journalStream(partition);
  return async (eventKey) => {
    const lost: Evidence[] = [];
    const lostTo: number[] = [];
    const weigh = async (evidence: Evidence): Promise<void> => {
      lostTo.push(evidence.sequence);
      await judge(eventKey, evidence).catch((error) => {
        if (!(error instanceof LostRecords)) throw error;
        lost.push(evidence);
      });
    };
    const memory = remembered.of(eventKey);
    const last = await counted.last(eventKey, partition).catch(() => null);
    const weighed = Promise.all([memory && weigh(memory), last && weigh(evidenceOf(last))]);
    const stored = await snapshots.load(eventKey, {
      judge: ({ sequence, link }) => weigh({ source: 'snapshot', sequence, link }).then(() => true),
      willNeed: () => {},
    });
    await weighed;
    const subject = subjects.journal(partition, eventKey);
    const [ownLast, behind] = await Promise.all([lastOf(manager, stream, subject), shared?.of(eventKey) ?? []]);
    const fold = await foldParts(source, eventKey, null, { ownLast, behind });
    if (fold.gap) lost.push(fold.gap.evidence);
    if (fold.left > 0) lost.push(unfinished(eventKey, fold.origin).evidence);
    const { state, link, origin, passedOver } = fold;
    return { state, link, origin, lost, passedOver, stored, lostTo: Math.max(ownLast, behind.at(-1) ?? 0, ...lostTo) };
  };
}
