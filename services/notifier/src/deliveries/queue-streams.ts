/**
 * The streams of the queues and their share of NATS's storage. Each stream has a bound of bytes, so webhooks never take
 * the room of a journal. The server reserves the bound when it makes the stream.
 *
 * States of a stream: missing → made with its bound; or known → updated to its bound. A stream that is
 * past a lower bound keeps its messages, and takes no more until it is drained. Failure at an await: the server has
 * not so much storage → half is tried, down to 1 MB, and the log says how much webhooks get; any other error, or no
 * storage at all → thrown, and the caller tries again.
 */
import {
  DiscardPolicy,
  JetStreamApiCodes,
  JetStreamApiError,
  type JetStreamManager,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { names, subjects } from '@parterre/shared/protocol/subjects';
import {
  backlogMessagesMax,
  deliveryDuplicateWindowMs,
  deliveryKeepMs,
  queuesShareOfAccountMax,
  retriesPerSubscriptionMax,
} from '@parterre/shared/protocol/webhook-limits';
import type { Logger } from '@parterre/shared/runtime/log';
import { MIB } from '@parterre/shared/runtime/units';

/** The server or the account has not so much storage. */
const noStorageCodes: readonly number[] = [10047, 10023, 10002];
/** No server of the cluster suits, for a reason that only the words tell. */
const NO_PEERS = 10005;

export type QueueStreamPorts = { manager: JetStreamManager; log: Logger };

/**
 * Makes the streams, or updates the bounds of existing ones. The replicas of an existing stream stay as they are.
 * `mb` is the bound of both streams together.
 */
export async function ensureQueues({ manager, log }: QueueStreamPorts, replicas: number, mb: number): Promise<void> {
  const granted = await grantedMb(manager, mb);
  let given = granted;
  for (const stream of [retryStream, backlogStream]) given = await ensureWithin(manager, stream, replicas, given);
  const facts = { askedMb: mb, givenMb: given };
  if (given === mb) return log.info(facts, 'the queues of webhooks have their part of the storage of NATS');
  log.error(
    facts,
    `NATS has no ${mb} MB for the queues of webhooks beside the journals: webhooks get ${given} MB. Give NATS more ` +
      'storage (max_file_store, or the limit of the account), or lower PARTERRE_WEBHOOK_QUEUES_MB',
  );
}

/** The asked bound, or a part of the account's storage where the account has a limit. */
async function grantedMb(manager: JetStreamManager, mb: number): Promise<number> {
  const { limits } = await manager.getAccountInfo();
  if (limits.max_storage <= 0) return mb;
  return Math.min(mb, Math.max(1, Math.floor((limits.max_storage * queuesShareOfAccountMax) / MIB)));
}

type QueueStream = Partial<StreamConfig> & { name: string };

const shared = {
  discard: DiscardPolicy.New,
  max_age: nanos(deliveryKeepMs),
  duplicate_window: nanos(deliveryDuplicateWindowMs),
  discard_new_per_subject: true,
};
const retryStream: QueueStream = {
  ...shared,
  name: names.deliveryStream,
  subjects: [subjects.allRetries],
  max_msgs_per_subject: retriesPerSubscriptionMax,
};
const backlogStream: QueueStream = {
  ...shared,
  name: names.backlogStream,
  subjects: [subjects.allBacklogs],
  max_msgs_per_subject: backlogMessagesMax,
};

/** Resolves with the MB for both streams together for which the server has room. */
async function ensureWithin(
  manager: JetStreamManager,
  stream: QueueStream,
  replicas: number,
  mb: number,
): Promise<number> {
  for (let tried = mb; ; tried = Math.floor(tried / 2)) {
    try {
      await ensureStream(manager, { ...stream, max_bytes: (tried * MIB) / 2 }, replicas);
      return tried;
    } catch (error) {
      if (!isWithoutStorage(error) || tried <= 1) throw error;
    }
  }
}

async function ensureStream(manager: JetStreamManager, stream: QueueStream, replicas: number): Promise<void> {
  const { name, ...bounds } = stream;
  if (await exists(manager, name)) await manager.streams.update(name, bounds);
  else {
    const fixed = { retention: RetentionPolicy.Workqueue, storage: StorageType.File, num_replicas: replicas };
    await manager.streams.add({ name, ...fixed, ...bounds });
  }
}

async function exists(manager: JetStreamManager, name: string): Promise<boolean> {
  try {
    await manager.streams.info(name);
    return true;
  } catch (error) {
    if (error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound) return false;
    throw error;
  }
}

function isWithoutStorage(error: unknown): boolean {
  if (!(error instanceof JetStreamApiError)) return false;
  return noStorageCodes.includes(error.code) || (error.code === NO_PEERS && error.message.includes('storage'));
}
