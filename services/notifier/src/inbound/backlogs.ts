/**
 * The backlogs: found wherever they come from, and drained each at its endpoint's own speed, in order, by every notifier that
 * knows of them. That is also how a notifier's work is taken over: its backlogs are there for all to find.
 *
 * States of a backlog here: unknown → standing, from when this notifier puts something there, or finds that something is there →
 * ending, when the last of it has been read → unknown, when nothing of it is left in the stream, at nobody. While it stands,
 * what is new goes behind it; when it ends, what is new waits in line behind the last of it, so that a steady stream of
 * deliveries does not go through the backlog for ever. What two notifiers have in hand may overtake each other.
 *
 * A message has the deliveries of one journal message; each waits for its turn, and the message is acknowledged when all are
 * settled. At each await: reading fails → it is read on after a pause; a delivery cannot be settled → its message comes
 * again, and receivers get the others of it twice; this process dies → its messages are given to another notifier within
 * `deliveryAckWaitMs`.
 */
import { type Clock, pauseUnless } from '@parterre/shared/clock';
import { backlogBatchBytesMax, backlogInHandMax, backlogLookMs, backlogsDrainedMax } from '@parterre/shared/limits';
import type { Logger } from '@parterre/shared/log';
import type { Dispatch } from '../dispatch.ts';
import type { Queue, QueueMessage, QueueReader } from '../outbound/queue.ts';
import type { Delivery } from '../rules/delivery.ts';
import { createInHand, type InHand } from './in-hand.ts';

/** How long a message rests whose deliveries could not be settled just now. */
const LATER_MS = 5_000;
const READ_AGAIN_MS = 1_000;
/** So few messages, with none behind them, are the end of a backlog, though others may just be coming. */
const LAST_FEW = 16;

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

type Drain = { stands: boolean; noted: boolean; stopping: AbortController; ended: Promise<void> };

export function createBacklogs(ports: BacklogPorts): Backlogs {
  const { queue, clock, log } = ports;
  const drains = new Map<string, Drain>();
  const stopping = new AbortController();
  let looking: Promise<void> = Promise.resolve();

  function note(subId: string): void {
    const known = drains.get(subId);
    if (known) {
      known.stands = true;
      known.noted = true;
      return;
    }
    if (stopping.signal.aborted || drains.size >= backlogsDrainedMax) return;
    const drain: Drain = { stands: true, noted: true, stopping: new AbortController(), ended: Promise.resolve() };
    drains.set(subId, drain);
    drain.ended = run(subId, drain).finally(() => drains.delete(subId));
  }

  /** Drains on through whatever keeps it from reading, until nothing is left. Never rejects. */
  async function run(subId: string, drain: Drain): Promise<void> {
    const stopping = drain.stopping.signal;
    while (!stopping.aborted) {
      try {
        const reader = await queue.openBacklog(subId);
        return await drainWith(subId, drain, reader);
      } catch (error) {
        if (stopping.aborted) return;
        log.warn({ err: error, subId }, 'a backlog cannot be read just now');
        await pauseUnless(stopping, clock, READ_AGAIN_MS);
      }
    }
  }

  async function drainWith(subId: string, drain: Drain, reader: QueueReader<Delivery[]>): Promise<void> {
    const stopping = drain.stopping.signal;
    const inHand = createInHand(clock, { messages: backlogInHandMax, bytes: backlogBatchBytesMax });
    stopping.addEventListener('abort', inHand.stop);
    try {
      while (!stopping.aborted) {
        await inHand.room();
        const messages = await reader.next(stopping);
        for (const message of messages) await work(message, inHand);
        drain.stands = (messages.at(-1)?.pending ?? 0) > 0 || messages.length > LAST_FEW;
        if (messages.length > 0) continue;
        drain.noted = false;
        const left = (await queue.backlogs(subId)).get(subId) ?? 0;
        // What was noted meanwhile may have come behind the count.
        if (left === 0 && !drain.noted) return;
      }
    } finally {
      await inHand.empty();
    }
  }

  /** Resolves when its last delivery has its turn; what follows goes on by itself. */
  async function work(message: QueueMessage<Delivery[]>, inHand: InHand): Promise<void> {
    const letGo = inHand.take(message, message.bytes);
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
      else message.again(stopping.signal.aborted ? 0 : LATER_MS);
      if (failed && !stopping.signal.aborted) log.warn({ err: failed.reason }, 'a part of a backlog comes again');
      letGo();
    });
  }

  async function look(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        for (const [subId, count] of await queue.backlogs()) if (count > 0 && !drains.has(subId)) note(subId);
      } catch (error) {
        log.warn({ err: error }, 'backlogs cannot be looked for just now');
      }
      await pauseUnless(stopping.signal, clock, backlogLookMs);
    }
  }

  return {
    has: (subId) => drains.get(subId)?.stands ?? false,
    note,
    start() {
      looking = look();
    },
    async stop() {
      stopping.abort();
      for (const drain of drains.values()) drain.stopping.abort();
      await Promise.all([looking, ...[...drains.values()].map(({ ended }) => ended)]);
    },
  };
}
