/**
 * Counts the attempts to deliver occurrences of seasons, from the notifiers' reports. Each attempt is a document whose
 * id follows from the delivery and the attempt, so a repeated report counts once. The history of a subscription forgets
 * its oldest deliveries; the season keeps its numbers.
 *
 * Failure at each await: the store fails → the call of the notifier fails, and it reports again.
 */
import type { AttemptReport } from '@parterre/shared/protocol/catalog/deliveries';
import { done, refuse } from '@parterre/shared/protocol/errors';
import { change } from '../store/operations.ts';
import type { SeasonAttempt } from '../store/rules/season-records.ts';
import { seasonAttempts, seasonOutbox } from '../store/season-collections.ts';
import type { Store, Write } from '../store/store.ts';
import { isAttempt } from './rules/delivery-row.ts';

export async function noteOutboxAttempts(store: Store, reports: readonly AttemptReport[]): Promise<void> {
  const attempts = new Map<string, Write<SeasonAttempt>>();
  const delivered = new Map<string, number>();
  for (const report of reports) {
    if (!report.season || !isAttempt(report)) continue;
    const { deliveryId, occurrenceId, subId, attempt, manual, at } = report;
    const succeeded = report.retryState === 'delivered';
    const id = manual ? `${deliveryId} by hand ${at}` : `${deliveryId} ${attempt}`;
    const value = { seasonKey: report.season.key, occurrenceId, subId, delivered: succeeded, at };
    attempts.set(id, { collection: seasonAttempts, id, version: null, value });
    if (succeeded) delivered.set(occurrenceId, Math.min(delivered.get(occurrenceId) ?? at, at));
  }
  if (attempts.size === 0) return;
  await store.writeMany([...attempts.values()]);
  for (const [occurrenceId, at] of delivered) await noteDelivered(store, occurrenceId, at);
}

async function noteDelivered(store: Store, occurrenceId: string, at: number): Promise<void> {
  const gone = () => refuse('not_found', 'The outbox has no such occurrence.');
  await change(store, seasonOutbox, occurrenceId, gone, (occurrence) => {
    if (occurrence.deliveredAt !== null && occurrence.deliveredAt <= at) return done(occurrence);
    return done({ ...occurrence, deliveredAt: at, delivered: true });
  });
}
