/** Durable consumers, made or brought up to date: an older server changes one that is made again, a newer one refuses that. */
import { type ConsumerConfig, type ConsumerInfo, JetStreamApiError, type JetStreamManager } from '@nats-io/jetstream';

/** `consumer already exists`, with other settings. */
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
