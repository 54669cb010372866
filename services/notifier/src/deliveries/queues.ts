/**
 * The queues: two work-queue streams (queue-streams.ts), which lose a message when it is settled.
 *
 *   DELIVERIES  `deliveries.<queue>.<subId>.<organisationId>.<KiB>`: one message for each retry. A retry queue has the
 *               retries of one pause of the schedule, with a consumer of its own, so a million retries that are due in
 *               hours never stand before others. A subscription has only a few retries in a queue that it shares.
 *   BACKLOG     `backlog.<name>.<organisationId>.<KiB>`: a queue of one subscription. Its backlog, under its own id,
 *   has
 *               one message for the deliveries of one journal message without a free slot. Its own part of a retry
 *               queue, `<subId>-<queue>`, has its further retries. Each name has a consumer of its own, made with the
 *               first message and gone when long idle. None stands before another.
 *
 * States of a put: refused by the ledger (rules/queue-ledger.ts) → full, and nothing was sent; or sent → stored, or
 * refused by the stream's own bound → full, or unknown. Failure at the await of a put: the server does not answer, or
 * its storage is full → the put throws. The caller keeps the delivery, and puts it again. The put counts in the ledger
 * until the next count. Failure at the await of a count: the ledger keeps its earlier counts, and the caller hears the
 * error.
 *
 * The server drops a message id that it has seen within `deliveryDuplicateWindowMs`. A message that is queued twice
 * within this time is stored once (I5). An unreadable message is logged and dropped; the others stay. The server names
 * its bounds in the words of an error alone (tried on 2.9.10 and 2.15.1).
 */
import { JetStreamApiError, type JetStreamClient, type JetStreamManager } from '@nats-io/jetstream';
import type { WebhookBacklog } from '@parterre/shared/protocol/catalog/webhooks';
import { names, subjects } from '@parterre/shared/protocol/subjects';
import { accountFullShare } from '@parterre/shared/protocol/webhook-limits';
import { encodeKept } from '@parterre/shared/protocol/wire';
import { createQueueReaders, type QueueReaders, type ReaderPorts } from './queue-readers.ts';
import {
  asStored,
  backlogIdOf,
  type Delivery,
  type Retry,
  readDeliveries,
  readRetry,
  retryIdOf,
} from './rules/delivery.ts';
import { createQueueLedger, type FullReason, type QueueLedger } from './rules/queue-ledger.ts';
import {
  backlogNameOf,
  kibOf,
  ownRetriesName,
  type Queue,
  type QueueName,
  queueSubjectOf,
} from './rules/queue-subjects.ts';
import { retryQueueCount } from './rules/schedule.ts';

const PUT_DEADLINE_MS = 5_000;
const streamOf = { retries: names.deliveryStream, backlogs: names.backlogStream } as const;
const allOf = { retries: subjects.allRetries, backlogs: subjects.allBacklogs } as const;

/** A full queue takes nothing more, for this reason. */
export type Put = 'queued' | FullReason;

export type Queues = QueueReaders & {
  /**
   * Resolves once the retry is stored, or is refused. Throws where the outcome is unknown. Putting the same retry twice
   * is harmless.
   */
  putRetry(retry: Retry): Promise<Put>;
  /** The same for deliveries of one subscription that fit into one message. */
  putBacklog(subId: string, piece: Delivery[]): Promise<Put>;
  /** Counts the queues anew. Resolves with the number of messages, read ones included, of each backlog. */
  count(): Promise<Map<string, number>>;
  /** The same number for one backlog. */
  backlogSize(name: string): Promise<number>;
  /** The waiting deliveries of the subscription, as they are now. */
  waiting(subId: string): Promise<WebhookBacklog>;
  /** Bytes of each stream, and their bounds. */
  amounts: QueueLedger['amounts'];
  /**
   * The storage of the account, as of the last count; null before it. `limit`: of the account, else of all servers
   * together; 0 where nobody tells either.
   */
  storage(): { used: number; limit: number } | null;
  hasBacklog: QueueLedger['hasBacklog'];
};

/** `natsStorageBytes`: of all servers together; 0 where nobody names it. */
export type QueuePorts = ReaderPorts & { jetstream: JetStreamClient; natsStorageBytes: number };

/** The streams must exist. */
async function countQueue(
  manager: QueuePorts['manager'],
  ledger: ReturnType<typeof createQueueLedger>,
  queue: QueueName,
): Promise<Record<string, number>> {
  ledger.begin(queue);
  const { state, config } = await manager.streams.info(streamOf[queue], { subjects_filter: allOf[queue] });
  const bytesMax = config.max_bytes > 0 ? config.max_bytes : Number.POSITIVE_INFINITY;
  const found = state.subjects ?? {};
  ledger.count(queue, { subjects: found, bytes: state.bytes, bytesMax });
  return found;
}

export function createQueues({ jetstream, natsStorageBytes, ...ports }: QueuePorts): Queues {
  const { manager } = ports;
  const ledger = createQueueLedger();
  let account: { used: number; limit: number } | null = null;

  async function put(
    to: Queue,
    { subId, organisationId }: Delivery,
    value: unknown[] | Retry,
    msgID: string,
  ): Promise<Put> {
    const data = encodeKept(value);
    const posts = Array.isArray(value) ? value.length : 1;
    const place = { ...to, subId, organisationId, kib: kibOf(data.length), posts };
    const refusal = ledger.refusal(place);
    if (refusal !== null) return refusal;
    ledger.add(place);
    try {
      await jetstream.publish(queueSubjectOf(place), data, { msgID, timeout: PUT_DEADLINE_MS });
      return 'queued';
    } catch (error) {
      const reason = fullReasonOf(error);
      if (reason === null) throw error;
      return reason;
    }
  }

  async function countStorage(): Promise<void> {
    const { storage, limits } = await manager.getAccountInfo();
    account = { used: storage, limit: limits.max_storage > 0 ? limits.max_storage : natsStorageBytes };
    ledger.setStorageShort(account.limit > 0 && storage > account.limit * accountFullShare);
  }

  const count = async (): Promise<Map<string, number>> => {
    await countStorage();
    await countQueue(manager, ledger, 'retries');
    return sizesOf(await countQueue(manager, ledger, 'backlogs'));
  };

  const countedNow = together(count);
  return {
    ...createQueueReaders(ports),

    putRetry(retry) {
      const { retryQueue, subId } = retry;
      const kept = asStored(retry);
      if (ledger.isCrowded(retryQueue, subId)) {
        return put({ queue: 'backlogs', name: ownRetriesName(subId, retryQueue) }, retry, [kept], retryIdOf(retry));
      }
      return put({ queue: 'retries', retryQueue }, retry, kept, retryIdOf(retry));
    },

    putBacklog(subId, piece) {
      return put({ queue: 'backlogs', name: subId }, piece[0]!, piece.map(asStored), backlogIdOf(piece));
    },

    count,

    async backlogSize(name) {
      const { state } = await manager.streams.info(names.backlogStream, { subjects_filter: subjects.backlogOf(name) });
      return sizesOf(state.subjects ?? {}).get(name) ?? 0;
    },

    async waiting(subId) {
      await countedNow();
      const amount = ledger.waiting(subId);
      return { ...amount, oldestAt: amount.count === 0 ? null : await oldestOf(manager, subId) };
    },

    amounts: ledger.amounts,
    storage: () => account,
    hasBacklog: ledger.hasBacklog,
  };
}

/** Callers that come while a run is under way share it. */
function together(run: () => Promise<unknown>): () => Promise<unknown> {
  let underWay: Promise<unknown> | null = null;
  return () => {
    underWay ??= run().finally(() => {
      underWay = null;
    });
    return underWay;
  };
}

/** When the delivery that waits longest was made (epoch ms), by the first message of each queue. */
async function oldestOf(manager: JetStreamManager, subId: string): Promise<number | null> {
  const own = Array.from({ length: retryQueueCount }, (_, queue) => ownRetriesName(subId, queue));
  const first = await Promise.all([
    firstOrder(manager, names.deliveryStream, subjects.retriesOf(subId)),
    ...[subId, ...own].map((name) => firstOrder(manager, names.backlogStream, subjects.backlogOf(name))),
  ]);
  const orders = first.filter((order) => order !== null);
  return orders.length === 0 ? null : Math.floor(Math.min(...orders) / 1_000);
}

async function firstOrder(manager: JetStreamManager, stream: string, subject: string): Promise<number | null> {
  try {
    const asked = { seq: 1, next_by_subj: subject } as unknown as { seq: number };
    const message = await manager.streams.getMessage(stream, asked);
    if (!message) return null;
    const value = stream === names.deliveryStream ? [readRetry(message.data)] : readDeliveries(message.data);
    return value[0]?.order ?? null;
  } catch {
    // No message waits there, or the server does not answer: the number and the bytes are known all the same.
    return null;
  }
}

function sizesOf(found: Record<string, number>): Map<string, number> {
  const sizes = new Map<string, number>();
  for (const [subject, messages] of Object.entries(found)) {
    const name = backlogNameOf(subject);
    if (name !== null) sizes.set(name, (sizes.get(name) ?? 0) + messages);
  }
  return sizes;
}

/** The bound of a stream that refused a message; null for any other error. */
function fullReasonOf(error: unknown): FullReason | null {
  if (!(error instanceof JetStreamApiError)) return null;
  if (error.message.includes('maximum messages per subject exceeded')) return 'subscription';
  return /maximum (bytes|messages) exceeded/.test(error.message) ? 'deployment' : null;
}
