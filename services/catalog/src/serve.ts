/**
 * The flow of the catalog: `catalog.<operation>` or `catalogs.<id>.<operation>` → decode → the operation → `Outcome`.
 * The caller always gets an answer: a retryable refusal past `operationsAtOnceMax` (I8), `catalog_unavailable` while
 * the store is away or its disk is full, and `internal_error` after a bug, which is logged here.
 *
 * The catalog sends a beat every `catalogBeatMs` while it serves and its store can be reached. Callers address catalogs
 * that they hear, so a catalog without its store, a draining one and a stopped process get no new questions.
 */

import type { CatalogBeat } from '@parterre/shared/protocol/beat';
import type { AuditedBy } from '@parterre/shared/protocol/catalog/accounts';
import type { CatalogOperation } from '@parterre/shared/protocol/catalog-api';
import { repeatOfOperation } from '@parterre/shared/protocol/catalog-repeats';
import { type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { newId } from '@parterre/shared/protocol/ids';
import { catalogBeatMs } from '@parterre/shared/protocol/limits';
import { names, subjects } from '@parterre/shared/protocol/subjects';
import { decode, encode } from '@parterre/shared/protocol/wire';
import { callerOf, deadlineOf } from '@parterre/shared/runtime/catalog-client';
import type { Clock } from '@parterre/shared/runtime/clock';
import type { Logger } from '@parterre/shared/runtime/log';
import type { MessageHeaders, NatsConnection } from '@parterre/shared/runtime/nats';
import { type Span, type Tracing, traceHeader, tracing } from '@parterre/shared/runtime/tracing';
import { unheard } from '@parterre/shared/runtime/unheard';
import { SECOND_MS } from '@parterre/shared/runtime/units';
import type { OperationTable } from './store/operations.ts';
import { operationsAtOnceMax } from './store/rules/bounds.ts';

type Perform = (input: unknown, deadlineAt: number, by: AuditedBy | null) => Promise<Outcome<unknown>>;
type Message = { subject: string; data: Uint8Array; headers?: MessageHeaders; respond(payload: Uint8Array): boolean };

export type Serving = {
  id: string;
  /** Takes no more requests and answers those under way. */
  drain(): Promise<void>;
};

/** The catalog that serves. */
export type Self = {
  id: string;
  reachesStore(): boolean;
  /** Whether an error of an operation only tells that the store is away. */
  isAway(error: unknown): boolean;
  beat(): CatalogBeat;
};

export function newSelf(): Self {
  return { id: newId('cat'), reachesStore: () => true, isAway: () => false, beat: () => ({ announced: 0 }) };
}

/** Called for every operation that ended, for metrics. */
export type Observe = (operation: string, outcome: 'ok' | 'refused' | 'failed', seconds: number) => void;

export function serve(
  nats: NatsConnection,
  operations: OperationTable,
  clock: Clock,
  log: Logger,
  observe: Observe,
  self = newSelf(),
): Serving {
  const underWay = new Set<Promise<void>>();
  const { id } = self;
  const own = subjects.oneCatalog(id, '');
  const subscriptions = [
    nats.subscribe(subjects.catalogAll, {
      queue: names.catalogQueue,
      callback: (error, message) => take(error, message, subjects.catalog('')),
    }),
    nats.subscribe(subjects.oneCatalogAll(id), {
      callback: (error, message) => {
        if (message?.subject === subjects.catalogHere(id)) message.respond();
        else take(error, message, own);
      },
    }),
  ];
  let cancelBeat = clock.after(0, beat);
  let awayTellAt = Number.NEGATIVE_INFINITY;

  function beat(): void {
    if (self.reachesStore() && !nats.isClosed()) nats.publish(subjects.catalogBeat(id), encode(self.beat()));
    cancelBeat = clock.after(catalogBeatMs, beat);
  }

  /** The store may be away for every request: one line a second is enough. */
  function onAway(error: unknown, operation: string): void {
    if (clock.elapsed() < awayTellAt) return;
    awayTellAt = clock.elapsed() + SECOND_MS;
    log.warn({ err: error, operation }, 'the store does not carry out operations');
  }

  function take(error: Error | null, message: Message, prefix: string): void {
    if (error) {
      log.error({ err: error }, 'the catalog subscription failed');
      return;
    }
    if (underWay.size >= operationsAtOnceMax) {
      message.respond(encode(refuse('overloaded', 'The catalog is busy. Try again.', { retryable: true })));
      return;
    }
    const answering = answer(message, message.subject.slice(prefix.length)).finally(() => underWay.delete(answering));
    underWay.add(answering);
  }

  async function answer(message: Message, operation: string): Promise<void> {
    const startedAt = performance.now();
    const span = tracing === null ? null : beginOperation(tracing, operation, message);
    const run = () => perform({ operations, clock, log, self, onAway }, operation, message);
    const [outcome, kind] = await (span ? tracing!.inside(span, run) : run());
    span?.end({ 'parterre.outcome': kind }, kind === 'failed' ? kind : undefined);
    observe(operation, kind, (performance.now() - startedAt) / 1000);
    try {
      message.respond(encode(outcome));
    } catch (error) {
      // An answer above the server's max_payload cannot be sent. The caller must not wait for its deadline.
      log.error({ err: error, operation }, 'the answer could not be sent');
      message.respond(encode(internalError));
    }
  }

  return {
    id,
    async drain() {
      cancelBeat();
      await Promise.all(subscriptions.map((subscription) => subscription.drain()));
      await Promise.all(underWay);
    },
  };
}

/** Null for a question of a request that is not traced. */
function beginOperation(tracing: Tracing, operation: string, { headers }: Message): Span | null {
  const parent = headers?.get(traceHeader);
  return parent ? tracing.begin(`catalog ${operation}`, 'server', parent) : null;
}

type PerformPorts = {
  operations: OperationTable;
  clock: Clock;
  log: Logger;
  self: Pick<Self, 'isAway'>;
  onAway(error: unknown, operation: string): void;
};

/** The outcome of an operation, and how it ended for the metrics. Never throws. */
async function perform(
  { operations, clock, log, self, onAway }: PerformPorts,
  operation: string,
  { data, headers }: Message,
): Promise<[Outcome<unknown>, 'ok' | 'refused' | 'failed']> {
  if (!Object.hasOwn(operations, operation)) return [olderPart, 'refused'];
  const name = operation as CatalogOperation;
  let input: never | null = null;
  try {
    input = decode<never>(data);
    const outcome = await (operations[name] as Perform)(input, deadlineOf(headers, clock), callerOf(headers));
    return [outcome, outcome.ok ? 'ok' : 'refused'];
  } catch (error) {
    if (input !== null && self.isAway(error)) {
      onAway(error, operation);
      return [unheard('catalog_unavailable', 'The store of the catalog', repeatOfOperation(name, input)), 'failed'];
    }
    log.error({ err: error, operation }, 'an operation failed');
    return [internalError, 'failed'];
  }
}

const olderPart = refuse(
  'not_found',
  'This part of the server is older than the part that asked it. Update every service to one version.',
);

const internalError = refuse('internal_error', 'The server has a fault. The fault is in the log of the catalog.');
