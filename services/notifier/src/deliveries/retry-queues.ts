/**
 * Takes retries from their lanes, and hands each on when it is due.
 *
 * States of a retry: in its lane → put back until it is nearly due, or in hand → due → handed on: attempted, or behind its
 * subscription's backlog → acknowledged. What cannot be done just now, and what is in hand when this notifier stops, goes
 * back; when this process dies, the server gives its retries to another within `deliveryAckWaitMs`.
 */
import type { Clock } from '@parterre/shared/clock';
import type { Logger } from '@parterre/shared/log';
import {
  deliveriesInHandPerLaneBytesMax,
  deliveriesInHandPerLaneMax,
  deliveryHoldMsMax,
} from '@parterre/shared/webhook-limits';
import { keepReading, type Reading } from '../streams/keep-reading.ts';
import { createInHand, type InHand } from '../streams/unsettled.ts';
import type { Dispatch } from './dispatch.ts';
import type { Queue, QueueMessage } from './queues.ts';
import type { Retry } from './rules/delivery.ts';
import { laneCount } from './rules/schedule.ts';

/** How long a retry rests that could not be attempted or replaced just now. */
const LATER_MS = 5_000;

export type LanePorts = {
  queue: Pick<Queue, 'openLane'>;
  dispatch: Pick<Dispatch, 'sendAgain'>;
  clock: Clock;
  log: Logger;
};

/** Works on every lane; the queue must exist. Stops when the dispatch has been stopped. */
export function readLanes(ports: LanePorts): Reading {
  const lanes = Array.from({ length: laneCount }, (_, lane) => readLane(ports, lane));
  return {
    async stop() {
      await Promise.all(lanes.map((lane) => lane.stop()));
    },
  };
}

function readLane(ports: LanePorts, lane: number): Reading {
  const { queue, clock } = ports;
  const bounds = { messages: deliveriesInHandPerLaneMax, bytes: deliveriesInHandPerLaneBytesMax };
  const inHand = createInHand(clock, bounds);
  const held = createHeld(clock);
  const reading = keepReading(ports, { lane }, async (stopping) => {
    const reader = await queue.openLane(lane);
    while (!stopping.aborted) {
      await inHand.room();
      for (const message of await reader.next(stopping)) {
        if (stopping.aborted) message.again(0);
        else void work(ports, message, inHand, held);
      }
    }
  });
  return {
    async stop() {
      inHand.stop();
      held.end();
      await reading.stop();
      await inHand.empty();
    },
  };
}

/** From taken to settled; never rejects. */
async function work(ports: LanePorts, message: QueueMessage<Retry>, inHand: InHand, held: Held): Promise<void> {
  const { dispatch, clock, log } = ports;
  const earlyMs = message.value.dueAt - clock.now();
  if (earlyMs > deliveryHoldMsMax) return message.again(earlyMs);
  const letGo = inHand.take(message, message.bytes);
  try {
    if (earlyMs > 0) await held.until(earlyMs);
    if (held.ended()) return message.again(0);
    await dispatch.sendAgain(message.value);
    message.ack();
  } catch (error) {
    const { deliveryId, subId } = message.value;
    if (!held.ended()) log.warn({ err: error, deliveryId, subId }, 'a retry will be taken up again');
    message.again(held.ended() ? 0 : LATER_MS);
  } finally {
    letGo();
  }
}

type Held = ReturnType<typeof createHeld>;

/** Waits that a stop ends at once. */
function createHeld(clock: Clock) {
  const waits = new Set<() => void>();
  let over = false;
  return {
    until(ms: number): Promise<void> {
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
