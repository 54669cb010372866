/**
 * Asks a notifier: one NATS request, answered by an `Outcome`. Never throws. The log gets the cause of a failed
 * request: as a warning when no notifier answers, as an error for every other cause, which is a bug.
 */
import { Fault, type Outcome } from '@parterre/shared/protocol/errors';
import type { NotifierOperation, NotifierOperations } from '@parterre/shared/protocol/notifier-api';
import { subjects } from '@parterre/shared/protocol/subjects';
import { backlogsDeadlineMs, manualRetryDeadlineMs, testDeadlineMs } from '@parterre/shared/protocol/webhook-limits';
import { decode, encode } from '@parterre/shared/protocol/wire';
import type { Clock } from '@parterre/shared/runtime/clock';
import type { Logger } from '@parterre/shared/runtime/log';
import { isSilence, type NatsConnection } from '@parterre/shared/runtime/nats';
import { unheard } from '@parterre/shared/runtime/unheard';

export type NotifierClient = <O extends NotifierOperation>(
  operation: O,
  input: NotifierOperations[O][0],
  deadlineAt: number,
) => Promise<Outcome<NotifierOperations[O][1]>>;

/** A notifier has no more time than this, even if the request has. */
const answerMsMax: Record<NotifierOperation, number> = {
  test: testDeadlineMs,
  retry: manualRetryDeadlineMs,
  backlogs: backlogsDeadlineMs,
};
const silent = unheard('shard_unavailable', 'The notifier', 'harmless');

/**
 * If no notifier answers by the deadline: `shard_unavailable`, retryable. A repetition does no harm. A receiver
 * recognises a delivery by its occurrence, and a test by the test flag in its body.
 */
export function createNotifierClient(nats: NatsConnection, log: Logger, clock: Clock): NotifierClient {
  return async (operation, input, deadlineAt) => {
    const timeout = Math.min(answerMsMax[operation], Math.ceil(deadlineAt - clock.elapsed()));
    if (timeout <= 0) return silent;
    try {
      const message = await nats.request(subjects.notifier(operation), encode(input), { timeout });
      return decode(message.data);
    } catch (error) {
      const fault = new Fault(`ask the notifier for ${operation}`, error);
      if (isSilence(error)) log.warn({ err: fault }, 'no notifier answered');
      else log.error({ err: fault }, 'the answer of the notifier could not be read');
      return silent;
    }
  };
}
