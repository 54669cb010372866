/**
 * The backlogs: found wherever they come from, and drained each at its endpoint's own speed, in order, by every notifier that
 * knows of them. That is also how a notifier's work is taken over: its backlogs are there for all to find.
 *
 * States of a backlog here: unknown → standing, from when this notifier puts something there, or finds that something is there →
 * ending, when the last of it has been read → unknown, when nothing of it is left in the stream, at nobody. While it stands,
 * what is new goes behind it; when it ends, what is new waits in line behind the last of it, so that a steady stream of
 * deliveries does not go through the backlog for ever. What two notifiers have in hand may overtake each other.
 *
 * Only so many are drained at once. While others wait to be, one that has had its time gives its place back and goes to
 * their end, so that however many endpoints hang each backlog is drained in its turn. Their bytes share one bound.
 *
 * A message has the deliveries of one journal message; each waits for its turn, and the message is acknowledged when all are
 * settled. A few are read at a time, and more only where they are worked off at once: what is read is this notifier's, and
 * others that drain the same backlog are to have their share. At each await: reading fails → it is read on after a pause; a delivery
 * cannot be settled → its message comes again, and receivers get the others of it twice; this process dies → its messages are given to
 * another notifier within `deliveryAckWaitMs`.
 */
import { type Clock, pauseUnless } from '@parterre/shared/clock';
import type { Logger } from '@parterre/shared/log';
import {
  backlogBatchBytesMax,
  backlogInHandMax,
  backlogLookMs,
  backlogSliceMs,
  backlogsBytesMax,
  backlogsDrainedMax,
  journalBatchMax,
} from '@parterre/shared/webhook-limits';
import { createInHand, type InHand } from '../streams/unsettled.ts';
import type { Dispatch } from './dispatch.ts';
import type { Queue, QueueMessage, QueueReader } from './queues.ts';
import type { Delivery } from './rules/delivery.ts';

/** How long a message rests whose deliveries could not be settled just now, and the backlog after so many in a row. */
const LATER_MS = 5_000;
const UNSETTLED_MAX = 16;
const READ_AGAIN_MS = 1_000;
/** So few messages, with none behind them, are the end of a backlog, though others may just be coming. */
const LAST_FEW = 16;
/** Messages read together of an endpoint that is slow or fails, and how soon a batch must have its turns for a larger one. */
const BATCH_MIN = 16;
const QUICK_MS = 500;

export type BacklogPorts = {
  queue: Pick<Queue, 'openBacklog' | 'backlogs'>;
  sendWaiting: Dispatch['sendWaiting'];
  clock: Clock;
  log: Logger;
};

export type Backlogs = {
  has(subId: string): boolean;
  note(subId: string): void;
  /** Begins to look for backlogs; the queue must exist. */
  start(): void;
  /** Resolves when what is in hand is settled or given back. Stops when the dispatch has been stopped. */
  stop(): Promise<void>;
};

type Drain = {
  stands: boolean;
  noted: boolean;
  since: number;
  givesBack: boolean;
  /** Messages in a row that could not be settled. */
  unsettled: number;
  bounds: { messages: number; bytes: number };
  stopping: AbortSignal;
  /** Whether it is to read no more: this notifier stops, or it has had its time and another waits for its place. */
  isOver(): boolean;
  ended: Promise<void>;
};

export function createBacklogs(ports: BacklogPorts, drainedMax = backlogsDrainedMax): Backlogs {
  const { queue, clock, log } = ports;
  const drains = new Map<string, Drain>();
  /** Standing backlogs that nobody drains here, those that have waited longest first. */
  const waiting = new Set<string>();
  const stop = new AbortController();
  const stopping = stop.signal;
  /** Drains that are about to end in favour of one that waits. */
  let givingBack = 0;
  let looking: Promise<void> = Promise.resolve();
  const bounds = {
    messages: backlogInHandMax,
    /** Half of a drain's share is what it has just read, half what it has in hand. */
    get bytes() {
      return Math.min(backlogBatchBytesMax, Math.floor(backlogsBytesMax / 2 / drains.size));
    },
  };

  function note(subId: string): void {
    const known = drains.get(subId);
    if (known) {
      known.stands = true;
      known.noted = true;
    } else if (!stopping.aborted) {
      waiting.add(subId);
      drainNext();
    }
  }

  function drainNext(): void {
    for (const subId of waiting) {
      if (stopping.aborted || drains.size >= drainedMax) return;
      waiting.delete(subId);
      const since = clock.elapsed();
      const state = { stands: true, noted: true, since, givesBack: false, unsettled: 0, ended: Promise.resolve() };
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
        const standing = await queue.backlogs();
        for (const subId of waiting) if (!standing.has(subId)) waiting.delete(subId);
        for (const [subId, count] of standing) if (count > 0 && !drains.has(subId)) note(subId);
      } catch (error) {
        log.warn({ err: error }, 'backlogs cannot be looked for just now');
      }
      await pauseUnless(stopping, clock, backlogLookMs);
    }
  }

  return {
    has: (subId) => drains.get(subId)?.stands ?? waiting.has(subId),
    note,
    start() {
      looking = look();
    },
    async stop() {
      stop.abort();
      await Promise.all([looking, ...[...drains.values()].map(({ ended }) => ended)]);
    },
  };
}

/** Drains on through whatever keeps it from reading, until nothing is left or its time is over. Never rejects. */
async function run(ports: BacklogPorts, subId: string, drain: Drain): Promise<void> {
  const { queue, clock, log } = ports;
  const { stopping } = drain;
  while (!drain.isOver()) {
    try {
      const reader = await queue.openBacklog(subId);
      return await drainWith(ports, subId, drain, reader);
    } catch (error) {
      if (stopping.aborted) return;
      log.warn({ err: error, subId }, 'a backlog cannot be read just now');
      await pauseUnless(stopping, clock, READ_AGAIN_MS);
    }
  }
}

async function drainWith(
  ports: BacklogPorts,
  subId: string,
  drain: Drain,
  reader: QueueReader<Delivery[]>,
): Promise<void> {
  const { queue, clock } = ports;
  const { stopping, bounds } = drain;
  const inHand = createInHand(clock, bounds);
  stopping.addEventListener('abort', inHand.stop);
  let most = BATCH_MIN;
  try {
    while (!drain.isOver()) {
      await inHand.room();
      if (hasToRest(drain)) {
        await pauseUnless(stopping, clock, LATER_MS);
        drain.unsettled = 0;
      }
      const messages = await reader.next(stopping, { messages: most, bytes: bounds.bytes });
      const readAt = clock.elapsed();
      await workAll(ports, messages, inHand, drain);
      const isQuick = clock.elapsed() - readAt < QUICK_MS;
      most = isQuick ? Math.min(most * 2, journalBatchMax) : BATCH_MIN;
      drain.stands = (messages.at(-1)?.pending ?? 0) > 0 || messages.length > LAST_FEW;
      if (messages.length > 0) continue;
      drain.noted = false;
      const left = (await queue.backlogs(subId)).get(subId) ?? 0;
      // What was noted meanwhile may have come behind the count.
      if (left === 0 && !drain.noted) return;
    }
  } finally {
    stopping.removeEventListener('abort', inHand.stop);
    await inHand.empty();
  }
}

function hasToRest({ unsettled }: Drain): boolean {
  return unsettled >= UNSETTLED_MAX;
}

/** Resolves when the last of them has its turn; those that have none in this drain's time, or before it rests, go back. */
async function workAll(
  ports: BacklogPorts,
  messages: QueueMessage<Delivery[]>[],
  inHand: InHand,
  drain: Drain,
): Promise<void> {
  const batch = messages.map((message) => ({ message, letGo: inHand.take(message, message.bytes) }));
  for (const { message, letGo } of batch) {
    if (!drain.isOver() && !hasToRest(drain)) await work(ports, message, letGo, drain);
    else {
      message.again(drain.isOver() ? 0 : LATER_MS);
      letGo();
    }
  }
}

/** Resolves when its last delivery has its turn; what follows goes on by itself. */
async function work(
  ports: BacklogPorts,
  message: QueueMessage<Delivery[]>,
  letGo: () => void,
  drain: Drain,
): Promise<void> {
  const { stopping } = drain;
  const ends: Promise<void>[] = [];
  try {
    for (const delivery of message.value) {
      const { settled } = await ports.sendWaiting(delivery);
      // Looked at below, with all others of the message.
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
    drain.unsettled = failed ? drain.unsettled + 1 : 0;
    if (drain.unsettled === 1 && !stopping.aborted) {
      ports.log.warn({ err: failed?.reason }, 'a part of a backlog comes again');
    }
    letGo();
  });
}
