/**
 * Takes deliveries from the queue's lanes, holds each until it is due and its endpoint's turn has come, and settles it
 * after its attempt: acknowledged when delivered, replaced by the next step when not. While a delivery is in hand, the
 * server is told so; when this process dies, the server gives its deliveries to another within `deliveryAckWaitMs`.
 */
import type { JetStreamClient, JsMsg } from '@nats-io/jetstream';
import type { Clock } from '@parterre/shared/clock';
import {
  deliveriesInHandPerLaneMax,
  deliveriesWaitingPerEndpointMax,
  deliveriesWaitingPerFailingEndpointMax,
  deliveryAckWaitMs,
  deliveryHoldMsMax,
  postsAtOnceMax,
  postsPerEndpointMax,
  postsPerFailingEndpointMax,
} from '@parterre/shared/limits';
import type { Logger } from '@parterre/shared/log';
import { names } from '@parterre/shared/subjects';
import { decodeKept } from '@parterre/shared/wire';
import type { Attempted, Deliver, PutDelivery } from '../deliver.ts';
import { laneConsumer } from '../outbound/queue.ts';
import { type Delivery, deferred } from '../rules/delivery.ts';
import { laneCount } from '../rules/schedule.ts';
import { createTurns } from '../rules/turns.ts';
import { type Pull, type PullSettings, startPull } from './pull.ts';

const MESSAGES_AHEAD = 64;
/** How long a delivery rests that could not be attempted or replaced just now. */
const LATER_MS = 5_000;

export type DeliveryPorts = {
  jetstream: JetStreamClient;
  attempt: Deliver['attempt'];
  put: PutDelivery;
  clock: Clock;
  log: Logger;
};

export type Deliveries = {
  /** Takes no more, puts back what waits, and resolves when the attempts under way are settled. */
  stop(): Promise<void>;
};

/** Works on every lane; the queue must exist. */
export function startDeliveries(ports: DeliveryPorts): Deliveries {
  const { jetstream, clock, log } = ports;
  const turns = createTurns({
    total: postsAtOnceMax,
    perEndpoint: postsPerEndpointMax,
    perFailingEndpoint: postsPerFailingEndpointMax,
    waiting: deliveriesWaitingPerEndpointMax,
    waitingFailing: deliveriesWaitingPerFailingEndpointMax,
  });
  let stopping = false;
  /** Ends the holding of each delivery that is not due yet. */
  const holding = new Set<() => void>();

  /** From taken to settled. */
  async function work(message: JsMsg): Promise<void> {
    const inHand = keepInHand(message, clock);
    try {
      const delivery = decodeKept<Delivery>(message.data);
      const earlyMs = delivery.dueAt - clock.now();
      if (earlyMs > deliveryHoldMsMax) return message.nak(earlyMs);
      if (earlyMs > 0) await hold(earlyMs);
      const turn = await turnOf(delivery.subId);
      if (stopping) {
        if (turn) turns.done(delivery.subId, false);
        return message.nak();
      }
      if (turn) await attemptAndSettle(message, delivery);
      else await replace(message, deferred(delivery, clock.now()));
    } catch (error) {
      log.error({ err: error, sequence: message.seq }, 'delivery could not be handled, will be taken up again');
      message.nak(LATER_MS);
    } finally {
      inHand.end();
    }
  }

  /** Resolves after `heldMs`, or at once when this notifier stops. */
  function hold(heldMs: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = clock.after(heldMs, end);
      holding.add(end);
      function end(): void {
        cancel();
        holding.delete(end);
        resolve();
      }
    });
  }

  /** Resolves with true when it is the endpoint's turn, with false at once when too many wait for it. */
  function turnOf(subId: string): Promise<boolean> {
    return new Promise((resolve) => {
      if (!turns.ask(subId, () => resolve(true))) resolve(false);
    });
  }

  async function attemptAndSettle(message: JsMsg, delivery: Delivery): Promise<void> {
    let attempted: Attempted = { kind: 'later' };
    try {
      attempted = await ports.attempt(delivery);
    } finally {
      const failed = attempted.kind === 'retry' || (attempted.kind === 'over' && attempted.failed);
      turns.done(delivery.subId, failed);
    }
    switch (attempted.kind) {
      case 'delivered':
        return message.ack();
      case 'retry':
        return replace(message, attempted.next);
      case 'over':
        return message.term();
      case 'later':
        return message.nak(LATER_MS);
    }
  }

  /** The next step is in the queue before this one leaves it: a crash between the two repeats, and loses nothing. */
  async function replace(message: JsMsg, next: Delivery): Promise<void> {
    await ports.put(next);
    message.ack();
  }

  const lanes = Array.from({ length: laneCount }, (_, lane) => {
    const consumer = laneConsumer(lane);
    const settings = { jetstream, stream: names.deliveryStream, consumer, clock, log };
    return startLane(settings, work);
  });

  return {
    async stop() {
      stopping = true;
      for (const end of holding) end();
      await Promise.all(lanes.map((lane) => lane.stop()));
    },
  };
}

/** Pulls on while fewer than `deliveriesInHandPerLaneMax` are in hand, each handled on its own. */
function startLane(settings: PullSettings, work: (message: JsMsg) => Promise<void>): Pull {
  const inHand = new Set<Promise<void>>();
  const pull = startPull(settings, MESSAGES_AHEAD, async (message) => {
    const working = work(message).finally(() => inHand.delete(working));
    inHand.add(working);
    if (inHand.size >= deliveriesInHandPerLaneMax) await Promise.race(inHand);
  });
  return {
    async stop() {
      await pull.stop();
      await Promise.all(inHand);
    },
  };
}

/** Tells the server again and again that the message is worked on, until `end`. */
function keepInHand(message: JsMsg, clock: Clock): { end(): void } {
  let cancel = clock.after(deliveryAckWaitMs / 3, again);
  function again(): void {
    message.working();
    cancel = clock.after(deliveryAckWaitMs / 3, again);
  }
  return { end: () => cancel() };
}
