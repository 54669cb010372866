/** How services ask the catalog: one NATS request an operation, an `Outcome` back, never an exception. */
import type { CatalogInput, CatalogOperation, CatalogOutput } from './catalog-api.ts';
import { type Outcome, refuse } from './errors.ts';
import { catalogDeadlineMs, natsPayloadBytesMin, natsPayloadSlackBytes } from './limits.ts';
import type { NatsConnection } from './nats.ts';
import { subjects } from './subjects.ts';
import { decode, encode } from './wire.ts';

export type CatalogClient = <O extends CatalogOperation>(
  operation: O,
  input: CatalogInput<O>,
) => Promise<Outcome<CatalogOutput<O>>>;

/**
 * Refused with `catalog_unavailable` (retryable) when no catalog answers within `catalogDeadlineMs`, and with
 * `payload_too_large` when the server takes no message of this size: a document that hardly shrinks.
 */
export function createCatalogClient(nats: NatsConnection): CatalogClient {
  return async (operation, input) => {
    const payload = encode(input);
    const room = (nats.info?.max_payload ?? natsPayloadBytesMin) - natsPayloadSlackBytes;
    if (payload.length > room) {
      return refuse('payload_too_large', `This deployment takes at most ${room} bytes, compressed.`);
    }
    try {
      const message = await nats.request(subjects.catalog(operation), payload, { timeout: catalogDeadlineMs });
      return decode(message.data);
    } catch (error) {
      const cause = error instanceof Error ? error.message : String(error);
      return refuse('catalog_unavailable', `The catalog did not answer ${operation} (${cause}). Try again.`, {
        retryable: true,
      });
    }
  };
}
