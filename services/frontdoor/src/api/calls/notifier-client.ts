/** Asks a notifier: one NATS request, answered by an `Outcome`. Never throws. */
import { type Outcome, refuse } from '@parterre/shared/errors';
import type { NatsConnection } from '@parterre/shared/nats';
import type { NotifierOperation, NotifierOperations } from '@parterre/shared/notifier-api';
import { subjects } from '@parterre/shared/subjects';
import { manualRetryDeadlineMs, testDeadlineMs } from '@parterre/shared/webhook-limits';
import { decode, encode } from '@parterre/shared/wire';

export type NotifierClient = <O extends NotifierOperation>(
  operation: O,
  input: NotifierOperations[O][0],
) => Promise<Outcome<NotifierOperations[O][1]>>;

const deadlines: Record<NotifierOperation, number> = { test: testDeadlineMs, retry: manualRetryDeadlineMs };

/**
 * If no notifier answers within the deadline: `shard_unavailable`, retryable. A repetition does no harm. A receiver
 * recognises a delivery by its occurrence, and a test by the test flag in its body.
 */
export function createNotifierClient(nats: NatsConnection): NotifierClient {
  return async (operation, input) => {
    try {
      const timeout = deadlines[operation];
      const message = await nats.request(subjects.notifier(operation), encode(input), { timeout });
      return decode(message.data);
    } catch (error) {
      const cause = error instanceof Error ? error.message : String(error);
      return refuse('shard_unavailable', `No notifier answered ${operation} (${cause}). Try again.`, {
        retryable: true,
      });
    }
  };
}
