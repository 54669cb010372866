/**
 * Makes durable consumers or updates them. An older server updates a consumer that is made again; a newer server
 * refuses. No server changes the beginning of a consumer, so a known consumer keeps its own.
 */
import {
  type ConsumerConfig,
  type ConsumerInfo,
  DeliverPolicy,
  JetStreamApiCodes,
  JetStreamApiError,
  type JetStreamManager,
} from '@nats-io/jetstream';

/** The code of "consumer already exists" with other settings. */
const ALREADY_EXISTS = 10148;

export async function ensureConsumer(
  manager: JetStreamManager,
  stream: string,
  config: Partial<ConsumerConfig> & { durable_name: string },
): Promise<ConsumerInfo> {
  try {
    return await manager.consumers.add(stream, config);
  } catch (error) {
    if (!(error instanceof JetStreamApiError) || error.code !== ALREADY_EXISTS) throw error;
    return manager.consumers.update(stream, config.durable_name, config);
  }
}

/** The first message of a new consumer: this sequence, or the first message since this time (epoch ms). */
export type ConsumerBeginning = { sequence: number } | { since: number };

/**
 * The same for a consumer that begins at `beginning` when it is made. Resolves with `made` where it did not exist.
 * Failure at an await: another notifier makes the consumer meanwhile, with another beginning → the server refuses this
 * one, and the caller's next try finds the other.
 */
export async function ensureConsumerFrom(
  manager: JetStreamManager,
  stream: string,
  config: Partial<ConsumerConfig> & { durable_name: string },
  beginning: ConsumerBeginning,
): Promise<{ made: boolean }> {
  const known = await findConsumer(manager, stream, config.durable_name);
  await ensureConsumer(manager, stream, { ...config, ...(known ? beginningOf(known.config) : asConfig(beginning)) });
  return { made: known === null };
}

/** Null where the stream has no such consumer. */
export async function findConsumer(
  manager: JetStreamManager,
  stream: string,
  name: string,
): Promise<ConsumerInfo | null> {
  try {
    return await manager.consumers.info(stream, name);
  } catch (error) {
    if (error instanceof JetStreamApiError && error.code === JetStreamApiCodes.ConsumerNotFound) return null;
    throw error;
  }
}

type Beginning = Pick<ConsumerConfig, 'deliver_policy'> &
  Partial<Pick<ConsumerConfig, 'opt_start_seq' | 'opt_start_time'>>;

function beginningOf({ deliver_policy, opt_start_seq, opt_start_time }: ConsumerConfig): Beginning {
  return {
    deliver_policy,
    ...(opt_start_seq !== undefined && { opt_start_seq }),
    ...(opt_start_time !== undefined && { opt_start_time }),
  };
}

function asConfig(beginning: ConsumerBeginning): Beginning {
  if ('sequence' in beginning) {
    return { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: beginning.sequence };
  }
  // biome-ignore lint/style/noRestrictedGlobals: writes a given time.
  const opt_start_time = new Date(beginning.since).toISOString();
  return { deliver_policy: DeliverPolicy.StartTime, opt_start_time };
}
