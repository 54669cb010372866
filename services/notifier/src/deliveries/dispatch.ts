/**
 * Where a delivery goes next: to its endpoint at once, into its endpoint's line for a moment, or into its subscription's
 * backlog. One place for what comes from the journal, from a lane and from a backlog, so that the bounds of an endpoint
 * hold for all of it.
 *
 * States of a delivery here: asked for a turn → under way → settled; or turned away → in the backlog, or told to the history as
 * failed where too many wait there already. An endpoint that hangs is known by its first failure or by a line that does not
 * move for `endpointWaitMsMax`; from then on what is for it goes into its backlog at once, and holds nothing of the journal.
 * Where endpoints keep up and there is just much to do, the journal waits (`room`): that costs less than a backlog.
 *
 * Every promise here rejects when it is not known that the delivery is settled or queued, and whoever handed it over keeps
 * it: the journal message is read again, the queue's message comes again. What is settled of a journal message that is read
 * again is remembered here, so that one queue that is full or away brings nothing twice to those that are well. With this
 * notifier's end all that wait are turned away so, in favour of another one.
 */
import { type Clock, pause } from '@parterre/shared/clock';
import { Fault } from '@parterre/shared/errors';
import {
  deliveriesInLineMax,
  deliveriesWaitingPerEndpointMax,
  endpointsRememberedMax,
  endpointWaitMsMax,
  postsAtOnceMax,
  postsPerEndpointAtFirst,
  postsPerEndpointMax,
  postsToFailingEndpointsMax,
} from '@parterre/shared/webhook-limits';
import { type Attempted, type Deliver, tooManyWait } from './deliver.ts';
import { type Delivery, piecesOf, type Retry } from './rules/delivery.ts';
import { createSettledBefore } from './rules/settled-deliveries.ts';
import { createTurns, type TurnLimits } from './rules/slots.ts';

const TURN_AWAY_EVERY_MS = 100;
const turnLimits: TurnLimits = {
  total: postsAtOnceMax,
  perEndpoint: postsPerEndpointMax,
  perEndpointAtFirst: postsPerEndpointAtFirst,
  failing: postsToFailingEndpointsMax,
  waitMsMax: endpointWaitMsMax,
  waiting: deliveriesWaitingPerEndpointMax,
  remembered: endpointsRememberedMax,
};

export type DispatchPorts = {
  deliver: Pick<Deliver, 'attempt' | 'settle' | 'drop'>;
  backlogs: {
    /** Whether something waits behind this subscription's endpoint, as far as this notifier knows. */
    has(subId: string): boolean;
    /** Something does now. */
    note(subId: string): void;
  };
  /** Resolves with false when too many wait for this subscription already; throws when it is not known. */
  putBehind(subId: string, piece: Delivery[]): Promise<boolean>;
  clock: Clock;
};

export type Dispatch = {
  /** Of one journal message, in order. */
  send(deliveries: readonly Delivery[]): Promise<void>;
  /** From its lane, when it is due. */
  sendAgain(retry: Retry): Promise<void>;
  /** From a backlog: resolves when it has its turn, with the promise of its end. */
  sendWaiting(delivery: Delivery): Promise<{ settled: Promise<void> }>;
  /** Turns away all that wait for a turn, now and from now on. */
  stop(): void;
  /** What is still posted has come to nothing: its end is not this notifier's to tell any more. */
  abandon(): void;
  /** Resolves when few enough wait in line, at all endpoints together, or when this notifier stops. */
  room(): Promise<void>;
};

export function createDispatch(ports: DispatchPorts): Dispatch {
  const { deliver, backlogs, clock } = ports;
  const turns = createTurns(turnLimits);
  const settledBefore = createSettledBefore();
  let stopping = false;
  let abandoned = false;
  const onRoom: (() => void)[] = [];
  const isStopping = (): boolean => stopping;
  void turnAwayLate();

  async function turnAwayLate(): Promise<void> {
    while (!stopping) {
      await pause(clock, TURN_AWAY_EVERY_MS);
      turns.turnAwayLate(clock.elapsed());
      sayRoom();
    }
  }

  function sayRoom(): void {
    if (onRoom.length === 0 || (!stopping && turns.waiting() >= deliveriesInLineMax)) return;
    for (const each of onRoom.splice(0)) each();
  }

  async function room(): Promise<void> {
    while (!stopping && turns.waiting() >= deliveriesInLineMax) await new Promise<void>((go) => onRoom.push(go));
  }

  async function send(deliveries: readonly Delivery[]): Promise<void> {
    const ends: { deliveryId: string; end: Promise<void> }[] = [];
    for (const [subId, own] of bySubscription(settledBefore.without(deliveries))) {
      const behind = gatherBehind(ports, subId, isStopping);
      for (const delivery of own) ends.push({ deliveryId: delivery.deliveryId, end: sendOrWait(delivery, behind) });
    }
    // All have ended before the message is given back: one that is read again meanwhile would be posted twice at once.
    const all = await Promise.allSettled(ends.map(({ end }) => end));
    const failed = all.find((each) => each.status === 'rejected');
    if (!failed) return settledBefore.forget(deliveries);
    const ids = ends.filter((_, index) => all[index]!.status === 'fulfilled').map(({ deliveryId }) => deliveryId);
    settledBefore.remember(deliveries, ids);
    throw failed.reason;
  }

  function sendOrWait(delivery: Delivery, behind: (delivery: Delivery) => Promise<void>): Promise<void> {
    const { subId } = delivery;
    if (stopping) return Promise.reject(stopped());
    if (backlogs.has(subId)) return behind(delivery);
    return new Promise((resolve, reject) => {
      const goBehind = () => void behind(delivery).then(resolve, reject);
      const start = () => void post(delivery).then(resolve, reject);
      if (!turns.ask(subId, start, goBehind, clock.elapsed())) goBehind();
    });
  }

  function sendAgain(retry: Retry): Promise<void> {
    const { dueAt: _dueAt, lane: _lane, ...delivery } = retry;
    return sendOrWait(delivery, gatherBehind(ports, delivery.subId, isStopping));
  }

  function sendWaiting(delivery: Delivery): Promise<{ settled: Promise<void> }> {
    return new Promise((resolve, reject) => {
      if (stopping) return reject(stopped());
      const start = () => resolve({ settled: post(delivery) });
      turns.wait(delivery.subId, start, () => reject(stopped()), clock.elapsed());
    });
  }

  /** Has its turn, which ends with the post: what follows is no work of its endpoint. */
  async function post(delivery: Delivery): Promise<void> {
    let attempted: Attempted = { kind: 'later' };
    try {
      attempted = await deliver.attempt(delivery);
    } finally {
      const isPosted = attempted.kind === 'posted';
      const failed = attempted.kind === 'posted' && attempted.verdict.kind !== 'delivered';
      turns.done(delivery.subId, isPosted ? { failed } : null);
      sayRoom();
    }
    if (abandoned) throw stopped();
    if (attempted.kind === 'later') throw new Fault(`attempt ${delivery.deliveryId}: the catalog is away`);
    await deliver.settle(attempted);
  }

  return {
    send,
    sendAgain,
    sendWaiting,
    stop() {
      stopping = true;
      turns.turnAwayAll();
      sayRoom();
    },
    abandon() {
      abandoned = true;
    },
    room,
  };
}

/** Puts together what of one journal message is turned away in the same moment. */
function gatherBehind(
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
    await putAllBehind(ports, subId, all);
  }

  return (delivery) => {
    // Said before it is put: what comes after this one must not overtake it.
    if (!stopping()) ports.backlogs.note(subId);
    gathered.push(delivery);
    put ??= putGathered();
    return put;
  };
}

async function putAllBehind(
  { deliver, backlogs, putBehind }: DispatchPorts,
  subId: string,
  deliveries: Delivery[],
): Promise<void> {
  for (const piece of piecesOf(deliveries)) {
    if (await putBehind(subId, piece)) continue;
    await Promise.all(piece.map((delivery) => deliver.drop(delivery, tooManyWait)));
  }
  backlogs.note(subId);
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
