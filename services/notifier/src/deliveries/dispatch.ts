/**
 * Dispatch gives a delivery a slot at its endpoint, lets it wait for a slot for a moment, or puts it into its backlog.
 * Deliveries from the journal, from retry queues and from backlogs all pass here, so the bounds of an endpoint hold for
 * all of them. An endpoint is the receiver of one subscription.
 *
 * States of a delivery here: waiting for a slot → under way → settled; or rejected → in the backlog; or lost, where the
 * backlog is full. Only the owner of a full backlog loses deliveries: the journal goes on for all others. Dispatch
 * recognises a hanging endpoint by its first failure, or by deliveries that wait for a slot longer than
 * `slotWaitMsMax`. From then on its deliveries go into its backlog at once and hold back nothing of the journal. If
 * endpoints keep up and there is merely much work, the journal waits (`room`). This costs less than a backlog.
 *
 * Every promise here rejects when it is unknown whether the delivery is settled or queued. The caller then keeps the
 * delivery: the journal message is read again, or the queue's message comes again. Dispatch remembers the settled
 * deliveries of such a journal message. While a queue is full or away, healthy receivers therefore get nothing twice.
 * When this notifier stops, all waiting deliveries are rejected in the same way, and another notifier takes them.
 */

import { Fault } from '@parterre/shared/protocol/errors';
import {
  deliveriesWaitingForSlotMax,
  deliveriesWaitingPerEndpointMax,
  endpointsRememberedMax,
  slotsForFailingEndpointsMax,
  slotsMax,
  slotsPerEndpointAtFirst,
  slotsPerEndpointMax,
  slotWaitMsMax,
} from '@parterre/shared/protocol/webhook-limits';
import { type Clock, pause } from '@parterre/shared/runtime/clock';
import type { Attempted, Deliver } from './deliver.ts';
import type { Put } from './queues.ts';
import { type Delivery, piecesOf, type Retry } from './rules/delivery.ts';
import { createSettledDeliveries } from './rules/settled-deliveries.ts';
import { createSlots, type SlotLimits } from './rules/slots.ts';

const REJECT_LATE_EVERY_MS = 100;
const slotLimits: SlotLimits = {
  total: slotsMax,
  perEndpoint: slotsPerEndpointMax,
  perEndpointAtFirst: slotsPerEndpointAtFirst,
  failing: slotsForFailingEndpointsMax,
  waitMsMax: slotWaitMsMax,
  waiting: deliveriesWaitingPerEndpointMax,
  remembered: endpointsRememberedMax,
};

export type DispatchPorts = {
  deliver: Pick<Deliver, 'attempt' | 'settle' | 'lose'>;
  backlogs: {
    /** Whether the subscription has a backlog, as far as this notifier knows. */
    has(subId: string): boolean;
    /** The subscription has a backlog now. */
    note(subId: string): void;
    /** The subscription has no backlog, although it was noted. */
    unnote(subId: string): void;
  };
  /** Whether the queues have deliveries of the subscription. */
  hasBacklog(subId: string): boolean;
  /** See `Queues.putBacklog`. */
  putBacklog(subId: string, piece: Delivery[]): Promise<Put>;
  clock: Clock;
};

export type Dispatch = {
  /** The deliveries of one journal message, in order. */
  dispatchNew(deliveries: readonly Delivery[]): Promise<void>;
  /** A due retry. */
  dispatchRetry(retry: Retry): Promise<void>;
  /** A delivery from a backlog. Resolves when the delivery has a slot, with the promise of its end. */
  dispatchWaiting(delivery: Delivery): Promise<{ settled: Promise<void> }>;
  /** Rejects all deliveries that wait for a slot, now and from now on. */
  stop(): void;
  /** Attempts that are still under way count as unsettled from now on. Another notifier repeats them. */
  abandon(): void;
  /** Resolves when few enough deliveries wait for slots, at all endpoints together, or when this notifier stops. */
  room(): Promise<void>;
};

export function createDispatch(ports: DispatchPorts): Dispatch {
  const { deliver, backlogs, clock } = ports;
  const slots = createSlots(slotLimits);
  const settledDeliveries = createSettledDeliveries();
  const inTurn = createTurns();
  let stopping = false;
  let abandoned = false;
  const isStopping = (): boolean => stopping;
  const { room, announceRoom } = createRoom(() => stopping || slots.waiting() < deliveriesWaitingForSlotMax);
  void rejectLate();

  async function rejectLate(): Promise<void> {
    while (!stopping) {
      await pause(clock, REJECT_LATE_EVERY_MS);
      slots.rejectLate(clock.elapsed());
      announceRoom();
    }
  }

  async function dispatchNew(deliveries: readonly Delivery[]): Promise<void> {
    const ends: { deliveryId: string; end: Promise<void> }[] = [];
    for (const [subId, own] of bySubscription(settledDeliveries.without(deliveries))) {
      const toBacklog = gatherForBacklog(ports, subId, isStopping);
      for (const delivery of own) ends.push({ deliveryId: delivery.deliveryId, end: dispatchOne(delivery, toBacklog) });
    }
    // Every delivery ends before the message is given back. A message that is read again earlier would be posted twice
    // at once.
    const all = await Promise.allSettled(ends.map(({ end }) => end));
    const failed = all.find((each) => each.status === 'rejected');
    if (!failed) return settledDeliveries.forget(deliveries);
    const ids = ends.filter((_, index) => all[index]!.status === 'fulfilled').map(({ deliveryId }) => deliveryId);
    settledDeliveries.remember(deliveries, ids);
    throw failed.reason;
  }

  function dispatchOne(delivery: Delivery, toBacklog: (delivery: Delivery) => Promise<void>): Promise<void> {
    const { subId } = delivery;
    if (stopping) return Promise.reject(stopped());
    if (backlogs.has(subId)) return toBacklog(delivery);
    return new Promise((resolve, reject) => {
      const putAside = () => void toBacklog(delivery).then(resolve, reject);
      const start = () => void attempt(delivery).then(resolve, reject);
      if (!slots.tryAcquire(subId, start, putAside, clock.elapsed())) putAside();
    });
  }

  function dispatchRetry(retry: Retry): Promise<void> {
    const { dueAt: _dueAt, retryQueue: _retryQueue, ...delivery } = retry;
    return dispatchOne(delivery, gatherForBacklog(ports, delivery.subId, isStopping));
  }

  function dispatchWaiting(delivery: Delivery): Promise<{ settled: Promise<void> }> {
    return new Promise((resolve, reject) => {
      if (stopping) return reject(stopped());
      const start = () => resolve({ settled: attempt(delivery) });
      slots.acquire(delivery.subId, start, () => reject(stopped()), clock.elapsed());
    });
  }

  const attempt = (delivery: Delivery): Promise<void> => inTurn(delivery.deliveryId, () => attemptAlone(delivery));

  /** Holds a slot until the post ends. Settling is no work of the endpoint, so it needs no slot. */
  async function attemptAlone(delivery: Delivery): Promise<void> {
    let attempted: Attempted = { kind: 'later' };
    try {
      attempted = await deliver.attempt(delivery);
    } finally {
      const isPosted = attempted.kind === 'posted';
      const failed = attempted.kind === 'posted' && attempted.verdict.kind !== 'delivered';
      slots.free(delivery.subId, isPosted ? { failed } : null);
      announceRoom();
    }
    if (abandoned) throw stopped();
    if (attempted.kind === 'later') throw new Fault(`attempt ${delivery.deliveryId}: the catalog is away`);
    await deliver.settle(attempted);
  }

  return {
    dispatchNew,
    dispatchRetry,
    dispatchWaiting,
    stop() {
      stopping = true;
      slots.rejectAll();
      announceRoom();
    },
    abandon() {
      abandoned = true;
    },
    room,
  };
}

/** Callers that wait until there is room, as `announceRoom` finds. */
function createRoom(hasRoom: () => boolean) {
  const onRoom: (() => void)[] = [];
  return {
    announceRoom(): void {
      if (onRoom.length === 0 || !hasRoom()) return;
      for (const each of onRoom.splice(0)) each();
    },
    async room(): Promise<void> {
      while (!hasRoom()) await new Promise<void>((go) => onRoom.push(go));
    },
  };
}

/**
 * Attempts of one delivery come one after the other. The history then tells the next copy of the attempt before, and a
 * delivery that has arrived is not posted again. Slots and unsettled messages bound the number of names.
 */
function createTurns() {
  const ends = new Map<string, Promise<void>>();
  return (name: string, run: () => Promise<void>): Promise<void> => {
    const end = ends.get(name)?.then(run) ?? run();
    const ended = end.then(forget, forget);
    function forget(): void {
      if (ends.get(name) === ended) ends.delete(name);
    }
    ends.set(name, ended);
    return end;
  };
}

/** Stores together the deliveries of one journal message that are rejected at the same moment. */
function gatherForBacklog(
  ports: DispatchPorts,
  subId: string,
  stopping: () => boolean,
): (delivery: Delivery) => Promise<void> {
  let gathered: Delivery[] = [];
  let put: Promise<void> | null = null;

  async function putGathered(): Promise<void> {
    await Promise.resolve();
    const all = gathered;
    gathered = [];
    put = null;
    if (stopping()) throw stopped();
    await putAll(ports, subId, all);
  }

  return (delivery) => {
    // The backlog is noted before the delivery is stored: later deliveries must not overtake this one.
    if (!stopping()) ports.backlogs.note(subId);
    gathered.push(delivery);
    put ??= putGathered();
    return put;
  };
}

/**
 * Puts deliveries into their subscription's backlog. If none of them could be stored (other subscriptions have filled
 * the stream), the backlog is empty, and the subscription's next delivery goes to a slot at once. Otherwise a healthy
 * receiver that was slow for a moment would lose delivery after delivery to a backlog that stores nothing.
 */
async function putAll(
  { deliver, backlogs, putBacklog, hasBacklog }: DispatchPorts,
  subId: string,
  deliveries: Delivery[],
): Promise<void> {
  for (const piece of piecesOf(deliveries)) {
    const put = await putBacklog(subId, piece);
    if (put !== 'queued') for (const delivery of piece) deliver.lose(delivery, put);
  }
  if (hasBacklog(subId)) backlogs.note(subId);
  else backlogs.unnote(subId);
}

function stopped(): Fault {
  return new Fault('deliver: this notifier stops');
}

function bySubscription(deliveries: readonly Delivery[]): Map<string, Delivery[]> {
  const all = new Map<string, Delivery[]>();
  for (const delivery of deliveries) {
    const own = all.get(delivery.subId);
    if (own) own.push(delivery);
    else all.set(delivery.subId, [delivery]);
  }
  return all;
}
