/**
 * Reads the retry queues and dispatches each retry when it is due.
 *
 * Fairness: a subscription has at most about `retriesAmongOthersMax` retries in a queue that it shares, and its further
 * retries wait in a queue of their own (queues.ts). So a due retry never waits behind more than so many of each other
 * subscription.
 *
 * States of a retry: in its queue → given back until it is nearly due, or unsettled here → due → dispatched: attempted,
 * or in its backlog → acknowledged. A retry that cannot be settled now goes back, and so do the unsettled retries of a
 * notifier that stops. When this process dies, the server gives its retries to another notifier within
 * `deliveryAckWaitMs`.
 */

import {
  retriesUnsettledPerQueueBytesMax,
  retriesUnsettledPerQueueMax,
  retryWaitMsMax,
} from '@parterre/shared/protocol/webhook-limits';
import type { Clock } from '@parterre/shared/runtime/clock';
import type { Logger } from '@parterre/shared/runtime/log';
import { keepReading, type Reading } from '../streams/keep-reading.ts';
import { createUnsettled, type Unsettled } from '../streams/unsettled.ts';
import type { Dispatch } from './dispatch.ts';
import type { QueueMessage } from './queue-readers.ts';
import type { Queues } from './queues.ts';
import type { Retry } from './rules/delivery.ts';
import { retryQueueCount } from './rules/schedule.ts';

/** How long a retry that could not be settled now rests. */
const LATER_MS = 5_000;

export type RetryQueuePorts = {
  queues: Pick<Queues, 'openRetryQueue'>;
  dispatch: Pick<Dispatch, 'dispatchRetry'>;
  clock: Clock;
  log: Logger;
};

/** Reads every retry queue; the streams must exist. `stop` resolves once the dispatch has stopped too. */
export function readRetryQueues(ports: RetryQueuePorts): Reading {
  const readings = Array.from({ length: retryQueueCount }, (_, number) => readRetryQueue(ports, number));
  return {
    async stop() {
      await Promise.all(readings.map((reading) => reading.stop()));
    },
  };
}

function readRetryQueue(ports: RetryQueuePorts, number: number): Reading {
  const { queues, clock } = ports;
  const bounds = { messages: retriesUnsettledPerQueueMax, bytes: retriesUnsettledPerQueueBytesMax };
  const unsettled = createUnsettled(clock, bounds);
  const timers = createTimers(clock);
  const reading = keepReading(ports, { retryQueue: number }, async (stopping) => {
    const reader = await queues.openRetryQueue(number);
    while (!stopping.aborted) {
      await unsettled.room();
      for (const message of await reader.next(stopping)) {
        if (stopping.aborted) message.again(0);
        else void settleRetry(ports, message, unsettled, timers);
      }
    }
  });
  return {
    async stop() {
      unsettled.stop();
      timers.end();
      await reading.stop();
      await unsettled.empty();
    },
  };
}

/** From read to settled; never rejects. */
async function settleRetry(
  ports: RetryQueuePorts,
  message: QueueMessage<Retry>,
  unsettled: Unsettled,
  timers: Timers,
): Promise<void> {
  const { dispatch, clock, log } = ports;
  const earlyMs = message.value.dueAt - clock.now();
  if (earlyMs > retryWaitMsMax) return message.again(earlyMs);
  const remove = unsettled.add(message, message.bytes);
  try {
    if (earlyMs > 0) await timers.wait(earlyMs);
    if (timers.ended()) return message.again(0);
    await dispatch.dispatchRetry(message.value);
    message.ack();
  } catch (error) {
    const { deliveryId, subId } = message.value;
    if (!timers.ended()) log.warn({ err: error, deliveryId, subId }, 'a retry was not settled and comes again');
    message.again(timers.ended() ? 0 : LATER_MS);
  } finally {
    remove();
  }
}

type Timers = ReturnType<typeof createTimers>;

/** Timers that a stop ends at once. */
function createTimers(clock: Clock) {
  const waits = new Set<() => void>();
  let over = false;
  return {
    wait(ms: number): Promise<void> {
      return new Promise((resolve) => {
        const cancel = clock.after(ms, finish);
        waits.add(finish);
        function finish(): void {
          cancel();
          waits.delete(finish);
          resolve();
        }
      });
    },
    ended: () => over,
    end(): void {
      over = true;
      for (const finish of waits) finish();
    },
  };
}
