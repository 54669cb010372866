/**
 * Waits until a new cluster of NATS servers takes streams of several copies. Its members first have to find each other
 * and elect a leader. A service that starts earlier would be refused. The check makes such a stream, because no other
 * check is certain.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { jetstreamManager, StorageType } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { natsAddresses } from '../../shared/src/runtime/nats-access.ts';

const readyMsMax = 60_000;
const betweenTriesMs = 100;
const tryMs = 2_000;
const probe = { name: 'READINESS', subjects: ['readiness'], storage: StorageType.Memory };

/** The addresses may carry credentials, which need the right to make streams. */
export async function jetStreamReady(urls: string[], copies: number): Promise<void> {
  const { servers, credentials } = natsAddresses(urls.join(','));
  const nats = await connect({ servers, maxReconnectAttempts: -1, ...(credentials && { authenticator: credentials }) });
  try {
    const manager = await jetstreamManager(nats, { checkAPI: false, timeout: tryMs });
    const since = performance.now();
    for (;;) {
      try {
        await manager.streams.add({ ...probe, num_replicas: copies });
        await manager.streams.delete(probe.name);
        return;
      } catch (error) {
        if (performance.now() - since > readyMsMax) {
          throw new Error(`the NATS servers took no stream of ${copies} copies: ${(error as Error).message}`);
        }
        await pause(betweenTriesMs);
      }
    }
  } finally {
    await nats.close();
  }
}
