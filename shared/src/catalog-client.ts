/** The client of the catalog: one NATS request an operation, an `Outcome` back, never an exception. */
import { errors } from '@nats-io/transport-node';
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

/** Operations that make something new on each call, unless the caller named the call. */
const makesAnew: ReadonlySet<CatalogOperation> = new Set<CatalogOperation>([
  'organisations.create',
  'organisations.add-credits',
  'users.create',
  'keys.create',
  'workspaces.create',
  'charts.create',
  'charts.duplicate',
  'charts.add-panoramas',
  'events.create',
  'webhooks.create',
  'webhooks.rotate-secret',
]);

/** A request that no catalog received has no effect, so it may be repeated. */
function mayRepeat(operation: CatalogOperation, input: object, error: unknown): boolean {
  if (!makesAnew.has(operation) || ('callId' in input && input.callId !== undefined)) return true;
  return error instanceof errors.RequestError && error.isNoResponders();
}

/**
 * Refused with `catalog_unavailable` when no catalog answers within `catalogDeadlineMs` (retryable when a repetition is
 * safe), and with `payload_too_large` when the server takes no message of this size: a document that hardly compresses.
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
      if (mayRepeat(operation, input, error)) {
        return refuse('catalog_unavailable', `The catalog did not answer ${operation} (${cause}). Try again.`, {
          retryable: true,
        });
      }
      const message = `The catalog did not answer ${operation} in time, and may have done it. Look before you repeat it.`;
      return refuse('catalog_unavailable', message);
    }
  };
}
