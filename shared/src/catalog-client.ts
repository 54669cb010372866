/** How services ask the catalog: one NATS request an operation, an `Outcome` back, never an exception. */
import type { CatalogInput, CatalogOperation, CatalogOutput } from './catalog-api.ts';
import { type Outcome, refuse } from './errors.ts';
import { catalogDeadlineMs } from './limits.ts';
import type { NatsConnection } from './nats.ts';
import { subjects } from './subjects.ts';
import { decode, encode } from './wire.ts';

export type CatalogClient = <O extends CatalogOperation>(
  operation: O,
  input: CatalogInput<O>,
) => Promise<Outcome<CatalogOutput<O>>>;

/** Refused with `catalog_unavailable` (retryable) when no catalog answers within `catalogDeadlineMs`. */
export function createCatalogClient(nats: NatsConnection): CatalogClient {
  return async (operation, input) => {
    try {
      const message = await nats.request(subjects.catalog(operation), encode(input), { timeout: catalogDeadlineMs });
      return decode(message.data);
    } catch (error) {
      const cause = error instanceof Error ? error.message : String(error);
      return refuse('catalog_unavailable', `The catalog did not answer ${operation} (${cause}). Try again.`, {
        retryable: true,
      });
    }
  };
}
