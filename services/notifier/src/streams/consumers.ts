/**
 * Makes durable consumers or updates them. An older server updates a consumer that is made again; a newer server
 * refuses.
 */
import { type ConsumerConfig, type ConsumerInfo, JetStreamApiError, type JetStreamManager } from '@nats-io/jetstream';

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
