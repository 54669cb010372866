/**
 * Finds backlogs and drains each at the speed of its endpoint, in order. Every notifier that knows a backlog drains it.
 * When a notifier dies, the others take over its work in the same way: they find its backlogs.
 *
 * States of a backlog here: unknown → present, when this notifier puts a delivery there or finds deliveries there →
 * ending, when the last delivery has been read → unknown, when the stream has no message of the backlog left, not even
 * a message that a notifier works on. New deliveries go into a backlog while it is present. While the backlog is
 * ending, new deliveries wait for a slot behind its last delivery. A steady stream of deliveries therefore leaves the
 * backlog again. Deliveries that two notifiers work on may overtake each other.
 *
 * A notifier drains a bounded number of backlogs at once. While other backlogs wait, a drain that has had its time
 * gives its place back, and its backlog waits behind them. Each backlog therefore gets its time, however many endpoints
 * hang. The drained backlogs share one bound of bytes.
 *
 * A subscription's own part of a retry queue (queues.ts) is drained in the same way. Its messages have one retry each.
 * A retry waits here for the last seconds until it is due. A retry that is due later goes back to the server until
 * then. New deliveries do not wait behind these retries: `has` asks for the backlog alone.
 *
 * A message has the deliveries of one journal message. Each delivery waits for a slot, and the message is acknowledged
 * when all are settled. A drain reads few messages at a time, and more only where the messages get slots at once: a
 * notifier keeps the messages that it has read, and other notifiers must get their share. At each await: reading fails
 * → reading goes on after a pause; a delivery cannot be settled → its message comes again, and receivers get its other
 * deliveries twice; this process dies → another notifier gets its messages within `deliveryAckWaitMs`.
 */

import {
  backlogBatchBytesMax,
  backlogLookMs,
  backlogSliceMs,
  backlogsBytesMax,
  backlogsDrainedMax,
  backlogUnsettledMax,
  journalBatchMax,
  retryWaitMsMax,
} from '@parterre/shared/protocol/webhook-limits';
import { type Clock, pauseUnless } from '@parterre/shared/runtime/clock';
import type { Logger } from '@parterre/shared/runtime/log';
import { createUnsettled, type Unsettled } from '../streams/unsettled.ts';
import type { Dispatch } from './dispatch.ts';
import type { QueueMessage, QueueReader } from './queue-readers.ts';
import type { Queues } from './queues.ts';
import type { Delivery, Retry } from './rules/delivery.ts';

/** How long a message that could not be settled rests. After this many failures in a row the backlog rests as long. */
const LATER_MS = 5_000;
const FAILURES_IN_ROW_MAX = 16;
const READ_AGAIN_MS = 1_000;
/** At most this many messages, with none behind them, count as the end of a backlog, although more may be coming. */
const LAST_FEW = 16;
/**
 * Messages in a batch of a slow or failing endpoint. If a batch gets its slots within `QUICK_MS`, the next batch is
 * larger.
 */
const BATCH_MIN = 16;
const QUICK_MS = 500;

export type BacklogPorts = {
  queues: Pick<Queues, 'openBacklog' | 'count' | 'backlogSize'>;
  dispatchWaiting: Dispatch['dispatchWaiting'];
  clock: Clock;
  log: Logger;
};

export type Backlogs = {
  /** Whether the subscription has a backlog, as far as this notifier knows. */
  has(subId: string): boolean;
  /** The subscription has a backlog now. */
  note(subId: string): void;
  /** A full queue refused the delivery that was noted, and the subscription has no other in a backlog. */
  unnote(subId: string): void;
  /** Begins to look for backlogs; the streams must exist. */
  start(): void;
  /** Resolves when every message is settled or given back, once the dispatch has stopped too. */
  stop(): Promise<void>;
};

/** The draining of one backlog. */
type Drain = {
  isPresent: boolean;
  /** Deliveries may have been added since the stream was last counted. */
  noted: boolean;
  since: number;
  givesBack: boolean;
  /** Messages in a row that could not be settled. */
  failuresInRow: number;
  bounds: { messages: number; bytes: number };
  stopping: AbortSignal;
  /**
   * Whether the drain reads no more: this notifier stops, or the drain's time is over and another waits for its place.
   */
  isOver(): boolean;
  ended: Promise<void>;
};

export function createBacklogs(ports: BacklogPorts, drainedMax = backlogsDrainedMax): Backlogs {
  const { queues, clock, log } = ports;
  const drains = new Map<string, Drain>();
  /** Present backlogs that this notifier does not drain, in the order of their waiting. */
  const waiting = new Set<string>();
  const stop = new AbortController();
  const stopping = stop.signal;
  /** Drains that are about to end in favour of a waiting backlog. */
  let givingBack = 0;
  let looking: Promise<void> = Promise.resolve();
  const bounds = {
    messages: backlogUnsettledMax,
    /** Half of a drain's share is for the messages that it has just read, half for its unsettled messages. */
    get bytes() {
      return Math.min(backlogBatchBytesMax, Math.floor(backlogsBytesMax / 2 / drains.size));
    },
  };

  function note(subId: string): void {
    const known = drains.get(subId);
    if (known) {
      known.isPresent = true;
      known.noted = true;
    } else if (!stopping.aborted) {
      waiting.add(subId);
      drainNext();
    }
  }

  function unnote(subId: string): void {
    const known = drains.get(subId);
    if (known) known.isPresent = false;
    else waiting.delete(subId);
  }

  function drainNext(): void {
    for (const subId of waiting) {
      if (stopping.aborted || drains.size >= drainedMax) return;
      waiting.delete(subId);
      const since = clock.elapsed();
      const state = {
        isPresent: true,
        noted: true,
        since,
        givesBack: false,
        failuresInRow: 0,
        ended: Promise.resolve(),
      };
      const drain: Drain = { ...state, bounds, stopping, isOver: () => isOver(drain) };
      drains.set(subId, drain);
      drain.ended = run(ports, subId, drain).finally(() => ended(subId, drain));
    }
  }

  function ended(subId: string, drain: Drain): void {
    drains.delete(subId);
    if (drain.givesBack) {
      givingBack -= 1;
      waiting.add(subId);
    }
    drainNext();
  }

  function isOver(drain: Drain): boolean {
    if (stopping.aborted || drain.givesBack) return true;
    const isLate = clock.elapsed() - drain.since >= backlogSliceMs;
    if (!isLate || waiting.size <= givingBack) return false;
    drain.givesBack = true;
    givingBack += 1;
    return true;
  }

  async function look(): Promise<void> {
    while (!stopping.aborted) {
      try {
        const present = await queues.count();
        for (const subId of waiting) if (!present.has(subId)) waiting.delete(subId);
        for (const [subId, size] of present) if (size > 0 && !drains.has(subId)) note(subId);
      } catch (error) {
        log.warn({ err: error }, 'the backlogs cannot be listed now');
      }
      await pauseUnless(stopping, clock, backlogLookMs);
    }
  }

  return {
    has: (subId) => drains.get(subId)?.isPresent ?? waiting.has(subId),
    note,
    unnote,
    start() {
      looking = look();
    },
    async stop() {
      stop.abort();
      await Promise.all([looking, ...[...drains.values()].map(({ ended }) => ended)]);
    },
  };
}

/** Drains through every failure to read, until the backlog is empty or the drain's time is over. Never rejects. */
async function run(ports: BacklogPorts, subId: string, drain: Drain): Promise<void> {
  const { queues, clock, log } = ports;
  const { stopping } = drain;
  while (!drain.isOver()) {
    try {
      const reader = await queues.openBacklog(subId);
      return await drainWith(ports, subId, drain, reader);
    } catch (error) {
      if (stopping.aborted) return;
      log.warn({ err: error, subId }, 'a backlog cannot be read now');
      await pauseUnless(stopping, clock, READ_AGAIN_MS);
    }
  }
}

async function drainWith(
  ports: BacklogPorts,
  subId: string,
  drain: Drain,
  reader: QueueReader<(Delivery | Retry)[]>,
): Promise<void> {
  const { queues, clock } = ports;
  const { stopping, bounds } = drain;
  const unsettled = createUnsettled(clock, bounds);
  stopping.addEventListener('abort', unsettled.stop);
  let most = BATCH_MIN;
  try {
    while (!drain.isOver()) {
      await unsettled.room();
      if (hasToRest(drain)) {
        await pauseUnless(stopping, clock, LATER_MS);
        drain.failuresInRow = 0;
      }
      const messages = await reader.next(stopping, { messages: most, bytes: bounds.bytes });
      const readAt = clock.elapsed();
      await drainBatch(ports, messages, unsettled, drain);
      const isQuick = clock.elapsed() - readAt < QUICK_MS;
      most = isQuick ? Math.min(most * 2, journalBatchMax) : BATCH_MIN;
      drain.isPresent = (messages.at(-1)?.pending ?? 0) > 0 || messages.length > LAST_FEW;
      if (messages.length > 0) continue;
      drain.noted = false;
      const left = await queues.backlogSize(subId);
      // A delivery that was noted during the count may not be in it.
      if (left === 0 && !drain.noted) return;
    }
  } finally {
    stopping.removeEventListener('abort', unsettled.stop);
    await unsettled.empty();
  }
}

function hasToRest({ failuresInRow }: Drain): boolean {
  return failuresInRow >= FAILURES_IN_ROW_MAX;
}

/** Resolves when the last message has its slots. Messages that get no slots before the drain ends or rests go back. */
async function drainBatch(
  ports: BacklogPorts,
  messages: QueueMessage<(Delivery | Retry)[]>[],
  unsettled: Unsettled,
  drain: Drain,
): Promise<void> {
  const batch = messages.map((message) => ({ message, remove: unsettled.add(message, message.bytes) }));
  for (const { message, remove } of batch) {
    if (!drain.isOver() && !hasToRest(drain)) await drainMessage(ports, message, remove, drain);
    else {
      message.again(drain.isOver() ? 0 : LATER_MS);
      remove();
    }
  }
}

/** Resolves when the last delivery of the message has a slot. Settling goes on by itself. */
async function drainMessage(
  ports: BacklogPorts,
  message: QueueMessage<(Delivery | Retry)[]>,
  remove: () => void,
  drain: Drain,
): Promise<void> {
  const { stopping } = drain;
  const ends: Promise<void>[] = [];
  const earlyMs = dueAtOf(message.value) - ports.clock.now();
  if (earlyMs > retryWaitMsMax) {
    message.again(earlyMs);
    return remove();
  }
  try {
    if (earlyMs > 0) await pauseUnless(stopping, ports.clock, earlyMs);
    for (const delivery of message.value) {
      const { settled } = await ports.dispatchWaiting(delivery);
      // `Promise.allSettled` below handles the rejection together with those of the other deliveries.
      settled.catch(() => {});
      ends.push(settled);
    }
  } catch (error) {
    ends.push(Promise.reject(error));
  }
  void Promise.allSettled(ends).then((all) => {
    const failed = all.find((end) => end.status === 'rejected');
    if (!failed) message.ack();
    else message.again(stopping.aborted ? 0 : LATER_MS);
    drain.failuresInRow = failed ? drain.failuresInRow + 1 : 0;
    if (drain.failuresInRow === 1 && !stopping.aborted) {
      ports.log.warn({ err: failed?.reason }, 'a message of a backlog was not settled and comes again');
    }
    remove();
  });
}

/** The time before which no delivery of the message is posted, epoch ms. */
function dueAtOf([first]: (Delivery | Retry)[]): number {
  return first !== undefined && 'dueAt' in first ? first.dueAt : 0;
}
