/**
 * The client of the catalog: one NATS request an operation, an `Outcome` back, never an exception. The time that the
 * caller still waits travels with the request, so that the catalog begins no long work for a caller that has left.
 *
 * A hung catalog is not dead: NATS still delivers to a process that is stopped. So a question goes to one catalog that
 * is heard (catalogs-heard.ts). While none is heard, it goes to any catalog, by the queue group of NATS.
 *
 * States of a question: asked → answered, or asked → asked again → answered. The awaits and their failures:
 * - The answer of the asked catalog. The catalog sends neither answer nor beat for `catalogSilenceMs`, and another
 *   catalog is heard → a copy goes to the other, if the operation may be repeated (catalog-repeats.ts). A slow catalog
 *   sends beats, so load makes no copies. Nobody listens under the catalog's id → the next catalog is asked, since
 *   nobody has received the question. No answer before the deadline → `catalog_unavailable`.
 * - An operation that may not be repeated first awaits a word of the catalog that it is there (`catalogHereMs`). No
 *   word
 *   → the next catalog. A catalog that stops between its word and the question (less than a millisecond) costs the
 *   caller the deadline. The caller hears that the outcome is unknown.
 *
 * The caller of a failed request gets `catalog_unavailable`. The log gets the cause, under the name of the operation:
 * as a warning when one catalog of those that are heard gave no answer, as an error for a bug. Silence of all catalogs
 * is logged twice only (`AnswerLog`): at its beginning, and at its end with the number of failed requests.
 */
import { errors, headers, type MsgHdrs } from '@nats-io/transport-node';
import type { AuditedBy } from '../protocol/catalog/accounts.ts';
import type { CatalogInput, CatalogOperation, CatalogOutput } from '../protocol/catalog-api.ts';
import { repeatOfOperation } from '../protocol/catalog-repeats.ts';
import { Fault, type Outcome, refuse } from '../protocol/errors.ts';
import {
  catalogCopiesMax,
  catalogDeadlineMs,
  catalogHereMs,
  catalogLookMs,
  catalogSilenceMs,
  catalogSilenceTellMs,
  natsPayloadBytesMin,
  natsPayloadSlackBytes,
} from '../protocol/limits.ts';
import { parseStored, type StoredForm } from '../protocol/stored.ts';
import { subjects } from '../protocol/subjects.ts';
import { decode, encode } from '../protocol/wire.ts';
import { CatalogsHeard } from './catalogs-heard.ts';
import { type Clock, systemClock } from './clock.ts';
import type { Logger } from './log.ts';
import { isSilence, type NatsConnection } from './nats.ts';
import { traceHeader, tracing } from './tracing.ts';
import { unheard } from './unheard.ts';

/**
 * `deadlineAt` is the time of the answer at the latest, in `Clock.elapsed`. [`catalogDeadlineMs` from now] `by` is the
 * caller of an operation that the audit tells.
 */
export type CatalogClient = <O extends CatalogOperation>(
  operation: O,
  input: CatalogInput<O>,
  deadlineAt?: number,
  by?: AuditedBy,
) => Promise<Outcome<CatalogOutput<O>>>;

/** Milliseconds, because two machines share no clock: the catalog counts them from the arrival of the request. */
const WAIT_MS_HEADER = 'Parterre-Wait-Ms';
/** The caller of an audited operation, as JSON. */
const CALLER_HEADER = 'Parterre-Caller';

const silent = 'The catalog';
/** Nothing was sent, or no catalog received it. */
const notAsked = unheard('catalog_unavailable', silent, 'harmless');

/** One copy of a question. `catalog` is null for a copy that any catalog may take. */
type Copy = { catalog: string | null; sentAt: number };

/**
 * Refused with `catalog_unavailable` when no catalog answers before the deadline, and with `payload_too_large` when the
 * server takes no message of this size: a document that hardly compresses.
 */
export function createCatalogClient(nats: NatsConnection, log: Logger, clock: Clock = systemClock): CatalogClient {
  const catalogs = new CatalogsHeard(clock).follow(nats);
  const answers = new AnswerLog(clock, log);
  const questions = new Questions(clock, () => {
    if (!catalogs.hears(noCatalogs)) answers.missing();
  });

  return async (operation, input, deadlineAt, by) => {
    const endsAt = deadlineAt ?? clock.elapsed() + catalogDeadlineMs;
    if (endsAt <= clock.elapsed()) return notAsked;
    const payload = encode(input);
    const room = (nats.info?.max_payload ?? natsPayloadBytesMin) - natsPayloadSlackBytes;
    if (payload.length > room) {
      return refuse('payload_too_large', `This server takes at most ${room} bytes after compression. Send less.`);
    }
    const repeat = repeatOfOperation(operation, input);
    const asking = new Asking({ nats, clock, catalogs, questions }, operation, payload, endsAt, by);
    try {
      const outcome = await asking.ask(repeat === 'harmless');
      answers.came();
      return outcome;
    } catch (error) {
      const fault = new Fault(`ask the catalog for ${operation}`, error);
      if (!isSilence(error)) log.error({ err: fault }, 'the answer of the catalog could not be read');
      else if (catalogs.hears(noCatalogs)) log.warn({ err: fault }, 'a catalog did not answer in time');
      else answers.failed(fault);
      return isNobody(error) ? notAsked : unheard('catalog_unavailable', silent, repeat);
    }
  };
}

const noCatalogs: ReadonlySet<string> = new Set();

/**
 * The lines of the log about catalogs that do not answer. States: answering → silent, at the first request that fails,
 * or that waits for `catalogSilenceTellMs` while no catalog is heard → answering, at the next answer.
 */
class AnswerLog {
  readonly #clock: Clock;
  readonly #log: Logger;
  #silentSince: number | null = null;
  #failed = 0;

  constructor(clock: Clock, log: Logger) {
    this.#clock = clock;
    this.#log = log;
  }

  missing(facts: { err?: Fault } = {}): void {
    if (this.#silentSince !== null) return;
    this.#silentSince = this.#clock.elapsed();
    this.#log.warn(facts, 'no catalog answers: kept answers serve on, and other requests fail');
  }

  failed(err: Fault): void {
    this.#failed++;
    this.missing({ err });
  }

  came(): void {
    if (this.#silentSince === null) return;
    const silentMs = Math.round(this.#clock.elapsed() - this.#silentSince);
    this.#log.info({ silentMs, failedRequests: this.#failed }, 'the catalogs answer again');
    this.#silentSince = null;
    this.#failed = 0;
  }
}

function isNobody(error: unknown): boolean {
  return error instanceof errors.RequestError && error.isNoResponders();
}

/** The questions without an answer, and the one timer that looks at them. */
class Questions {
  readonly #clock: Clock;
  readonly #open = new Set<Asking>();
  readonly #onLate: () => void;
  #lookDue = false;

  /** `onLate` is called while a question waits for longer than `catalogSilenceTellMs`. */
  constructor(clock: Clock, onLate: () => void) {
    this.#clock = clock;
    this.#onLate = onLate;
  }

  add(question: Asking): void {
    this.#open.add(question);
    this.#arm();
  }

  delete(question: Asking): void {
    this.#open.delete(question);
  }

  #arm(): void {
    if (this.#lookDue || this.#open.size === 0) return;
    this.#lookDue = true;
    this.#clock.after(catalogLookMs, () => {
      this.#lookDue = false;
      const lateSince = this.#clock.elapsed() - catalogSilenceTellMs;
      let isLate = false;
      for (const question of this.#open) {
        isLate ||= question.askedAt <= lateSince;
        question.look();
      }
      if (isLate) this.#onLate();
      this.#arm();
    });
  }
}

type AskingPorts = { nats: NatsConnection; clock: Clock; catalogs: CatalogsHeard; questions: Questions };

/** One question to the catalogs, with its copies: see the states in the header. */
class Asking {
  readonly #ports: AskingPorts;
  readonly #operation: string;
  readonly #payload: Uint8Array;
  readonly #endsAt: number;
  readonly #by: AuditedBy | undefined;
  readonly #asked = new Set<string>();
  readonly askedAt: number;
  readonly #out = new Set<Copy>();
  #last: Copy | null = null;
  #copies = 0;
  /** The catalog that has just said that it is there. */
  #chosen: string | null = null;
  #resolve: (outcome: Outcome<never>) => void = () => {};
  #reject: (error: unknown) => void = () => {};
  /** Of the request that asks. */
  readonly #trace = tracing?.current()?.traceparent;

  constructor(ports: AskingPorts, operation: string, payload: Uint8Array, endsAt: number, by: AuditedBy | undefined) {
    this.#ports = ports;
    this.askedAt = ports.clock.elapsed();
    this.#operation = operation;
    this.#payload = payload;
    this.#endsAt = endsAt;
    this.#by = by;
  }

  async ask(mayRepeat: boolean): Promise<Outcome<never>> {
    const { questions } = this.#ports;
    if (!mayRepeat) await this.#passOverSilent();
    try {
      return await new Promise<Outcome<never>>((resolve, reject) => {
        this.#resolve = resolve;
        this.#reject = reject;
        if (mayRepeat) questions.add(this);
        this.#send();
      });
    } finally {
      questions.delete(this);
    }
  }

  /** Sends another copy if the catalog of the last copy has been silent since, and another catalog is heard. */
  look(): void {
    const { clock, catalogs } = this.#ports;
    const { catalog, sentAt } = this.#last!;
    if (this.#copies >= catalogCopiesMax || clock.elapsed() < sentAt + catalogSilenceMs) return;
    if (catalog !== null && catalogs.wasHeardSince(catalog, sentAt)) return;
    if (catalogs.hears(this.#asked)) this.#send();
  }

  /**
   * Finds a catalog that answers now, since this question gets no second copy. A catalog that gives no answer counts as
   * asked.
   */
  async #passOverSilent(): Promise<void> {
    const { nats, clock, catalogs } = this.#ports;
    for (;;) {
      const catalog = catalogs.choose(this.#asked);
      if (catalog === null) return;
      const leftMs = Math.ceil(this.#endsAt - clock.elapsed());
      try {
        const timeout = Math.max(1, Math.min(leftMs, catalogHereMs));
        await nats.request(subjects.catalogHere(catalog), undefined, { timeout });
        this.#chosen = catalog;
        return;
      } catch (error) {
        this.#asked.add(catalog);
        if (isNobody(error)) catalogs.forget(catalog);
        else if (!isSilence(error)) throw error;
      }
    }
  }

  #send(): void {
    const { nats, clock, catalogs } = this.#ports;
    const timeout = Math.ceil(this.#endsAt - clock.elapsed());
    const catalog = this.#chosen ?? catalogs.choose(this.#asked);
    this.#chosen = null;
    const copy: Copy = { catalog, sentAt: clock.elapsed() };
    if (catalog !== null) this.#asked.add(catalog);
    this.#last = copy;
    this.#copies++;
    this.#out.add(copy);
    const subject =
      catalog === null ? subjects.catalog(this.#operation) : subjects.oneCatalog(catalog, this.#operation);
    nats
      .request(subject, this.#payload, {
        timeout: Math.max(1, timeout),
        headers: headersOf(timeout, this.#by, this.#trace),
      })
      .then(
        ({ data }) => this.#onAnswer(copy, data),
        (error) => this.#onFailure(copy, error),
      );
  }

  /** A success counts from any copy. A refusal counts from the last copy only: a later copy may have succeeded. */
  #onAnswer(copy: Copy, data: Uint8Array): void {
    try {
      const outcome = decode<Outcome<never>>(data);
      if (outcome.ok || copy === this.#last) this.#resolve(outcome);
      else this.#out.delete(copy);
    } catch (error) {
      this.#onFailure(copy, error);
    }
  }

  #onFailure(copy: Copy, error: unknown): void {
    this.#out.delete(copy);
    if (this.#out.size > 0) return;
    if (copy.catalog === null || !isNobody(error)) {
      this.#reject(error);
      return;
    }
    // Nobody received this copy: the catalog has ended.
    this.#ports.catalogs.forget(copy.catalog);
    this.#send();
  }
}

function headersOf(timeoutMs: number, by: AuditedBy | undefined, trace: string | undefined): MsgHdrs {
  const sent = headers();
  sent.set(WAIT_MS_HEADER, String(timeoutMs));
  if (by) sent.set(CALLER_HEADER, JSON.stringify(by));
  if (trace !== undefined) sent.set(traceHeader, trace);
  return sent;
}

/** The caller of a received request, whose operation the audit tells; null for a call without one. */
export function callerOf(received: MsgHdrs | undefined): AuditedBy | null {
  const text = received?.get(CALLER_HEADER);
  return text ? parseStored<AuditedBy>('read the caller of a request', text, callerForm) : null;
}

const callerForm: StoredForm<AuditedBy> = {
  entryId: 'text',
  kind: 'text',
  id: 'text or null',
  organisationId: 'text or null',
  address: 'text',
  requestId: 'text',
};

/** When the caller of a received request stops waiting, in `Clock.elapsed` of the receiver. */
export function deadlineOf(received: MsgHdrs | undefined, clock: Clock): number {
  const waitMs = Number(received?.get(WAIT_MS_HEADER) || catalogDeadlineMs);
  return clock.elapsed() + (Number.isFinite(waitMs) ? waitMs : catalogDeadlineMs);
}
