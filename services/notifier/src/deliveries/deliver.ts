/**
 * The flow of the notifier. The journal is the queue of first attempts:
 *
 *   journal → `fanOut` (fan-out.ts): group → occurrences → one delivery for each subscription that matches
 *   delivery → (a slot, see dispatch.ts) → `attempt`: subscription → sign → post
 *   attempted → `settle`: the attempt is reported to the history, and a retry is queued where one is due
 *
 * States of a delivery: fanned out → under way → delivered | in its retry queue | over. A new delivery and a due retry
 * may also wait in their backlog.
 *
 * Every step may be repeated after any failure: ids are functions of the input (I5). A delivery is settled only when
 * its retry is queued, or refused by a full queue and told as a loss (losses.ts), and its attempt is reported. A
 * history that cannot be written or read stops no delivery (recorder.ts). A receiver may get a delivery twice, with the
 * same `webhook-id`. At each await: the subscription is unknown before the post, as the catalog is away → nothing has
 * happened, `later`; the post fails → the failure is an attempt; the queue fails after the post → `settle` throws, the
 * caller keeps the delivery, and it is posted again. A retry that was queued twice, or whose delivery a manual retry
 * has made meanwhile, is detected before its post (`isDue`).
 */
import type { AttemptReport, RetryState } from '@parterre/shared/protocol/catalog/deliveries';
import type { SigningSub } from '@parterre/shared/protocol/catalog/webhooks';
import type { CatalogClient } from '@parterre/shared/runtime/catalog-client';
import type { Clock } from '@parterre/shared/runtime/clock';
import type { Logger } from '@parterre/shared/runtime/log';
import { Durations } from '@parterre/shared/runtime/measures';
import { type Span, type Tracing, traceHeader, tracing } from '@parterre/shared/runtime/tracing';
import type { Directory } from '../catalog/directory.ts';
import type { Post } from '../endpoints/post.ts';
import type { PostResult } from '../endpoints/rules/post-result.ts';
import { liveSecrets, signatureHeaders } from '../endpoints/rules/signature.ts';
import { hearsOf, matchesEvent, matchesEveryEvent } from '../occurrences/rules/matching.ts';
import type { Losses } from './losses.ts';
import type { Put } from './queues.ts';
import { type Delivery, isStillDue, type Retry, retryOf } from './rules/delivery.ts';
import { whyFull } from './rules/loss.ts';
import type { FullReason } from './rules/queue-ledger.ts';
import { attemptsMax, type Verdict, verdictOf } from './rules/schedule.ts';

export type DeliverPorts = {
  directory: Directory;
  catalog: CatalogClient;
  /**
   * Makes the body of a delivery that does not carry its body. Null when the body cannot be made any more. Throws when
   * the body cannot be made now.
   */
  bodyOf(delivery: Delivery): Promise<string | null>;
  /** See `Queues.putRetry`. */
  putRetry(retry: Retry): Promise<Put>;
  losses: Pick<Losses, 'note'>;
  /** Resolves when the history has the report, or cannot take it now. */
  record(report: AttemptReport): Promise<void>;
  post: Post;
  clock: Clock;
  /** 0 to 1, drawn anew for each retry. */
  jitter: () => number;
  log: Logger;
};

const attemptBoundsMs = [10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000];

/** The attempts since the start, for the metrics. */
export class Attempts {
  readonly results: Record<Verdict['kind'], number> = { delivered: 0, retry: 0, exhausted: 0, gone: 0 };
  readonly seconds = new Durations(attemptBoundsMs);
}

export type Attempted =
  /** The delivery with the body that was sent. */
  | { kind: 'posted'; delivery: Delivery; result: PostResult; verdict: Verdict; at: number }
  /** Not posted, and not to be posted. */
  | { kind: 'dropped'; delivery: Delivery; why: string }
  /** Not posted: a manual retry has delivered it meanwhile, or another copy of this retry was attempted. */
  | { kind: 'over' }
  /** Not posted: the catalog or the journal is away. */
  | { kind: 'later' };

export type Deliver = {
  attempt(delivery: Delivery): Promise<Attempted>;
  /** Resolves when the history has the attempt and the retry, where one is due, is queued. */
  settle(attempted: Exclude<Attempted, { kind: 'later' }>): Promise<void>;
  /**
   * A full queue has no room for the delivery. The first ones of a loss are reported to the history, where a manual
   * retry is possible. Nothing waits for this report.
   */
  lose(delivery: Delivery, reason: FullReason): void;
  attempts: Attempts;
};

export function createDeliver(ports: DeliverPorts): Deliver {
  const { directory, clock, log } = ports;
  const attempts = new Attempts();

  async function attempt(delivery: Delivery): Promise<Attempted> {
    const subs = await directory.subscriptions(delivery.organisationId, delivery.mode);
    if (!subs.ok) return { kind: 'later' };
    const sub = subs.value.find((each) => each.id === delivery.subId);
    const wanted = sub ? await stillWanted(sub, delivery) : false;
    if (wanted === null) return { kind: 'later' };
    if (!sub || !wanted) return { kind: 'dropped', delivery, why: notWanted };
    if (!(await isDue(ports, delivery))) return { kind: 'over' };
    let { body } = delivery;
    try {
      body ??= await ports.bodyOf(delivery);
    } catch (error) {
      log.warn({ err: error, deliveryId: delivery.deliveryId }, 'the body of a delivery cannot be made now');
      return { kind: 'later' };
    }
    if (body === null)
      return { kind: 'dropped', delivery, why: 'The data of this delivery is no longer in the journal.' };
    const now = clock.now();
    const headers = signatureHeaders({ id: delivery.occurrenceId, atMs: now, body }, liveSecrets(sub.secrets, now));
    const span = tracing !== null && delivery.trace !== undefined ? beginDelivery(tracing, delivery) : null;
    if (span) headers[traceHeader] = span.traceparent;
    const result = await ports.post(sub.url, headers, body);
    if (span) endDelivery(span, result);
    const at = clock.now();
    const attempt = delivery.attempts + 1 - (delivery.recovery?.from ?? 0);
    const verdict = verdictOf(result, attempt, at, ports.jitter());
    attempts.seconds.note(Math.max(0, at - now));
    attempts.results[verdict.kind]++;
    const sent = delivery.body === null ? { ...delivery, body } : delivery;
    return { kind: 'posted', delivery: sent, result, verdict, at };
  }

  /** Whether the subscription matches the delivery now; null where the catalog is away. */
  async function stillWanted(sub: SigningSub, { name, eventKey, season }: Delivery): Promise<boolean | null> {
    if (!hearsOf(sub, name)) return false;
    if (matchesEveryEvent(sub)) return true;
    if (season) return matchesEvent(sub, season);
    const event = await directory.event(eventKey);
    if (event.ok) return matchesEvent(sub, event.value);
    return event.refusal.code === 'not_found' ? false : null;
  }

  async function settle(attempted: Exclude<Attempted, { kind: 'later' }>): Promise<void> {
    if (attempted.kind === 'over') return;
    if (attempted.kind === 'dropped') return drop(attempted.delivery, attempted.why);
    const { delivery, result, verdict, at } = attempted;
    logFailure(log, attempted);
    const isExtra = delivery.recovery?.from === null;
    const retry = verdict.kind === 'retry' && !isExtra ? retryOf(delivery, verdict.delayMs, at) : null;
    const attempt = delivery.attempts + 1;
    const report = reportOf(delivery, attempt, at, result, stateAfter[verdict.kind], retry?.dueAt ?? null);
    if (isExtra) besideSchedule(report, verdict);
    const put = retry ? await ports.putRetry(retry) : 'queued';
    if (put !== 'queued') {
      ports.losses.note(delivery, put);
      report.errorMessage = whyFull[put];
      report.retryState = 'none';
      report.nextAttemptAt = null;
    }
    await ports.record(report);
  }

  function drop(delivery: Delivery, why: string): Promise<void> {
    const nothing: PostResult = { kind: 'failed', error: why };
    return ports.record(reportOf(delivery, delivery.attempts, clock.now(), nothing, 'none', null));
  }

  function lose(delivery: Delivery, reason: FullReason): void {
    if (ports.losses.note(delivery, reason)) void drop(delivery, whyFull[reason]);
  }

  return { attempt, settle, lose, attempts };
}

/**
 * A first attempt is always due, unless it is a recovery's: nobody else has the delivery. A history that cannot be
 * read stops no retry. The receiver may then get a delivery again that a manual retry has brought.
 */
async function isDue({ catalog }: Pick<DeliverPorts, 'catalog'>, delivery: Delivery): Promise<boolean> {
  const { subId, deliveryId, attempts, recovery } = delivery;
  if (attempts === 0 && !recovery) return true;
  const answer = await catalog('deliveries.get', { subId, deliveryId });
  return answer.ok ? isStillDue(answer.value.kept, delivery) : true;
}

/** The schedule of the delivery stands, unless this attempt has delivered it. */
function besideSchedule(report: AttemptReport, verdict: Verdict): void {
  report.manual = true;
  report.retryState = verdict.kind === 'delivered' ? 'delivered' : 'none';
}

const notWanted = 'The subscription is paused, or no longer includes this delivery.';

const stateAfter = {
  delivered: 'delivered',
  retry: 'scheduled',
  exhausted: 'exhausted',
  gone: 'none',
} as const satisfies Record<Verdict['kind'], RetryState>;

/** The report, field by field: there is one for every attempt, and spreads are slow. */
function reportOf(
  delivery: Delivery,
  attempt: number,
  at: number,
  result: PostResult,
  retryState: RetryState,
  nextAttemptAt: number | null,
): AttemptReport {
  const isAnswered = result.kind === 'answered';
  const report: AttemptReport = {
    deliveryId: delivery.deliveryId,
    subId: delivery.subId,
    organisationId: delivery.organisationId,
    eventKey: delivery.eventKey,
    occurrenceId: delivery.occurrenceId,
    event: delivery.name,
    ref: delivery.ref,
    place: delivery.place,
    body: delivery.body,
    order: delivery.order,
    attempt,
    manual: false,
    at,
    status: isAnswered ? result.status : 0,
    responseBody: isAnswered ? result.responseBody : null,
    errorMessage: isAnswered ? null : result.error,
    retryState,
    nextAttemptAt,
  };
  if (delivery.season) report.season = delivery.season;
  return report;
}

function logFailure(log: Logger, { delivery, result, verdict }: Extract<Attempted, { kind: 'posted' }>): void {
  if (verdict.kind === 'delivered') return;
  const { occurrenceId, subId, attempts } = delivery;
  const facts = { occurrenceId, subId, attempt: attempts + 1, attemptsMax, ...withoutWords(result) };
  switch (verdict.kind) {
    case 'retry':
      log.info({ ...facts, delayMs: verdict.delayMs }, 'delivery failed, a retry follows');
      break;
    case 'exhausted':
      log.warn(facts, 'delivery failed on its last attempt');
      break;
    case 'gone':
      log.warn(facts, 'the receiver answered 410, no retry follows');
  }
}

/** The receiver gets the context of this span. Its address stays out of the trace. */
function beginDelivery(
  tracing: Tracing,
  { trace, name, eventKey, subId, deliveryId, attempts }: Delivery,
): Span | null {
  return tracing.begin(`webhook ${name}`, 'client', trace!, {
    'parterre.event': eventKey,
    'parterre.webhook': subId,
    'parterre.delivery': deliveryId,
    'parterre.attempt': attempts + 1,
  });
}

function endDelivery(span: Span, result: PostResult): void {
  if (result.kind === 'failed') span.end(undefined, result.error);
  else
    span.end({ 'http.response.status_code': result.status }, result.status >= 300 ? String(result.status) : undefined);
}

/** The result as a log line tells it, without the receiver's words. */
function withoutWords(result: PostResult): { status: number } | { error: string } {
  return result.kind === 'answered' ? { status: result.status } : { error: result.error };
}
