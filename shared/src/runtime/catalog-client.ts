/**
 * The client of the catalog: one NATS request an operation, an `Outcome` back, never an exception. The time that the
 * caller still waits travels with the request, so that the catalog begins no long work for a caller that has left.
 *
 * The caller of a failed request gets `catalog_unavailable`. The log gets the cause, under the name of the operation:
 * as a warning when the catalog is silent or the link to NATS is gone, as an error for every other cause, which is a
 * bug.
 */
import { errors, headers, type MsgHdrs } from '@nats-io/transport-node';
import type { CatalogInput, CatalogOperation, CatalogOutput } from '../protocol/catalog-api.ts';
import { repeatOfOperation } from '../protocol/catalog-repeats.ts';
import { Fault, type Outcome, refuse } from '../protocol/errors.ts';
import { catalogDeadlineMs, natsPayloadBytesMin, natsPayloadSlackBytes } from '../protocol/limits.ts';
import { subjects } from '../protocol/subjects.ts';
import { decode, encode } from '../protocol/wire.ts';
import { type Clock, systemClock } from './clock.ts';
import type { Logger } from './log.ts';
import { isSilence, type NatsConnection } from './nats.ts';
import { unheard } from './unheard.ts';

/** `deadlineAt` is the time of the answer at the latest, in `Clock.elapsed`. [`catalogDeadlineMs` from now] */
export type CatalogClient = <O extends CatalogOperation>(
  operation: O,
  input: CatalogInput<O>,
  deadlineAt?: number,
) => Promise<Outcome<CatalogOutput<O>>>;

/** Milliseconds, because two machines share no clock: the catalog counts them from the arrival of the request. */
const WAIT_MS_HEADER = 'Parterre-Wait-Ms';

const silent = 'The catalog';
/** Nothing was sent, or no catalog received it. */
const notAsked = unheard('catalog_unavailable', silent, 'harmless');

/**
 * Refused with `catalog_unavailable` when no catalog answers before the deadline, and with `payload_too_large` when the
 * server takes no message of this size: a document that hardly compresses.
 */
export function createCatalogClient(nats: NatsConnection, log: Logger, clock: Clock = systemClock): CatalogClient {
  return async (operation, input, deadlineAt) => {
    const timeout = deadlineAt === undefined ? catalogDeadlineMs : Math.ceil(deadlineAt - clock.elapsed());
    if (timeout <= 0) return notAsked;
    const payload = encode(input);
    const room = (nats.info?.max_payload ?? natsPayloadBytesMin) - natsPayloadSlackBytes;
    if (payload.length > room) {
      return refuse('payload_too_large', `This server takes at most ${room} bytes after compression. Send less.`);
    }
    try {
      const message = await nats.request(subjects.catalog(operation), payload, {
        timeout,
        headers: waitOf(timeout),
      });
      return decode(message.data);
    } catch (error) {
      if (error instanceof errors.RequestError && error.isNoResponders()) {
        log.warn({ operation }, 'no catalog listens');
        return notAsked;
      }
      const fault = new Fault(`ask the catalog for ${operation}`, error);
      if (isSilence(error)) log.warn({ err: fault }, 'the catalog did not answer');
      else log.error({ err: fault }, 'the answer of the catalog could not be read');
      return unheard('catalog_unavailable', silent, repeatOfOperation(operation, input));
    }
  };
}

function waitOf(timeoutMs: number): MsgHdrs {
  const sent = headers();
  sent.set(WAIT_MS_HEADER, String(timeoutMs));
  return sent;
}

/** When the caller of a received request stops waiting, in `Clock.elapsed` of the receiver. */
export function deadlineOf(received: MsgHdrs | undefined, clock: Clock): number {
  const waitMs = Number(received?.get(WAIT_MS_HEADER) || catalogDeadlineMs);
  return clock.elapsed() + (Number.isFinite(waitMs) ? waitMs : catalogDeadlineMs);
}
