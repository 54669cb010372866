/**
 * The flow of the notifier. The journal is the queue of first attempts:
 *
 *   journal → `fanOut` (make-out.ts): group → occurrences → one delivery for each subscription that hears of it
 *   delivery → (its turn, see dispatch.ts) → `attempt`: subscription → sign → post
 *   attempted → `settle`: the history is told, and where another attempt is due it is queued
 *
 * States of a delivery: made out → under way → delivered | due again (in its lane) | over. From made out and from due again it may
 * wait in the backlog of its subscription.
 *
 * Everything may be repeated after any failure: ids are functions of what is handled (I5). Nothing is settled before what
 * follows from it is queued and told, so nothing is lost; a receiver may get a delivery twice, with the same
 * `webhook-id`. At each await: the catalog is away before the post → nothing has happened, `later`; the post fails → that is an
 * attempt; queue or history fail after the post → `settle` throws, and whoever handed the delivery over keeps it, so
 * that it is posted again. A retry that was queued twice, or delivered by hand meanwhile, is found out when its turn comes (`isDue`).
 */
import type { AttemptReport, RetryState } from '@parterre/shared/catalog/deliveries';
import type { SigningSub } from '@parterre/shared/catalog/webhooks';
import type { CatalogClient } from '@parterre/shared/catalog-client';
import type { Clock } from '@parterre/shared/clock';
import type { Logger } from '@parterre/shared/log';
import type { Directory } from '../catalog/directory.ts';
import type { Post } from '../endpoints/post.ts';
import type { PostResult } from '../endpoints/rules/post-result.ts';
import { liveSecrets, signatureHeaders } from '../endpoints/rules/signature.ts';
import { matchesEvent, matchesEveryEvent } from '../occurrences/rules/matching.ts';
import { type Delivery, isStillDue, type Retry, retryOf } from './rules/delivery.ts';
import { attemptsMax, type Verdict, verdictOf } from './rules/schedule.ts';

export type DeliverPorts = {
  directory: Directory;
  catalog: CatalogClient;
  /** The body of a delivery that does not carry it; null when it is not to be had any more. Throws when it is not just now. */
  bodyOf(delivery: Delivery): Promise<string | null>;
  /**
   * Resolves once the queue has it for good, or with false when too many of its subscription wait there; throws when that is
   * not known. Putting the same step twice is harmless.
   */
  putRetry(retry: Retry): Promise<boolean>;
  /** Resolves when the history has it. */
  record(report: AttemptReport): Promise<void>;
  post: Post;
  clock: Clock;
  /** 0 to 1, drawn anew for each retry. */
  jitter: () => number;
  log: Logger;
};

/** What the history says of a delivery that its queue has no room for. */
export const tooManyWait = 'Too many deliveries wait for this endpoint.';

export type Attempted =
  /** The delivery with the body that was sent. */
  | { kind: 'posted'; delivery: Delivery; result: PostResult; verdict: Verdict; at: number }
  /** Not posted, and not to be: why. */
  | { kind: 'dropped'; delivery: Delivery; why: string }
  /** Not posted: it was delivered by hand meanwhile, or another copy of this retry was tried. */
  | { kind: 'over' }
  /** Not posted: something needed is away. */
  | { kind: 'later' };

export type Deliver = {
  attempt(delivery: Delivery): Promise<Attempted>;
  /** Resolves when the history has been told, and another attempt is queued where one is due. */
  settle(attempted: Exclude<Attempted, { kind: 'later' }>): Promise<void>;
  /** Tells the history that the delivery is not made; it can be retryOf by hand. */
  drop(delivery: Delivery, why: string): Promise<void>;
};

export function createDeliver(ports: DeliverPorts): Deliver {
  const { directory, clock, log } = ports;

  async function attempt(delivery: Delivery): Promise<Attempted> {
    const subs = await directory.subscriptions(delivery.organisationId, delivery.mode);
    if (!subs.ok) return { kind: 'later' };
    const sub = subs.value.find((each) => each.id === delivery.subId);
    const wanted = sub ? await stillWanted(sub, delivery) : false;
    if (wanted === null) return { kind: 'later' };
    if (!sub || !wanted) return { kind: 'dropped', delivery, why: notWanted };
    const due = await isDue(delivery);
    if (!due) return { kind: due === null ? 'later' : 'over' };
    let { body } = delivery;
    try {
      body ??= await ports.bodyOf(delivery);
    } catch (error) {
      log.warn({ err: error, deliveryId: delivery.deliveryId }, 'the body of a delivery cannot be made just now');
      return { kind: 'later' };
    }
    if (body === null) return { kind: 'dropped', delivery, why: 'What it tells of is not in the journal any more.' };
    const now = clock.now();
    const headers = signatureHeaders({ id: delivery.occurrenceId, atMs: now, body }, liveSecrets(sub.secrets, now));
    const result = await ports.post(sub.url, headers, body);
    const at = clock.now();
    const verdict = verdictOf(result, delivery.attempts + 1, at, ports.jitter());
    const sent = delivery.body === null ? { ...delivery, body } : delivery;
    return { kind: 'posted', delivery: sent, result, verdict, at };
  }

  /** Whether the subscription, as it is now, hears of this; null where it cannot be known just now. */
  async function stillWanted(sub: SigningSub, { name, eventKey }: Delivery): Promise<boolean | null> {
    if (!sub.events.includes(name)) return false;
    if (matchesEveryEvent(sub)) return true;
    const event = await directory.event(eventKey);
    if (event.ok) return matchesEvent(sub, event.value);
    return event.refusal.code === 'not_found' ? false : null;
  }

  /** Null where it cannot be known just now. Nobody but its queue has had a first attempt. */
  async function isDue({ subId, deliveryId, attempts }: Delivery): Promise<boolean | null> {
    if (attempts === 0) return true;
    const answer = await ports.catalog('deliveries.get', { subId, deliveryId });
    if (answer.ok) return isStillDue(answer.value.kept, { attempts });
    return answer.refusal.code === 'not_found' ? true : null;
  }

  async function settle(attempted: Exclude<Attempted, { kind: 'later' }>): Promise<void> {
    if (attempted.kind === 'over') return;
    if (attempted.kind === 'dropped') return drop(attempted.delivery, attempted.why);
    const { delivery, result, verdict, at } = attempted;
    say(log, attempted);
    const retry = verdict.kind === 'retry' ? retryOf(delivery, verdict.delayMs, at) : null;
    const attempt = delivery.attempts + 1;
    const report = reportOf(delivery, attempt, at, result, stateAfter[verdict.kind], retry?.dueAt ?? null);
    if (retry && !(await ports.putRetry(retry))) {
      report.errorMessage = tooManyWait;
      report.retryState = 'none';
      report.nextAttemptAt = null;
    }
    await ports.record(report);
  }

  function drop(delivery: Delivery, why: string): Promise<void> {
    const nothing: PostResult = { kind: 'failed', error: why };
    return ports.record(reportOf(delivery, delivery.attempts, clock.now(), nothing, 'none', null));
  }

  return { attempt, settle, drop };
}

const notWanted = 'The subscription is paused, or does not hear of this any more.';

const stateAfter = {
  delivered: 'delivered',
  retry: 'scheduled',
  exhausted: 'exhausted',
  gone: 'none',
} as const satisfies Record<Verdict['kind'], RetryState>;

/** What the history is told, field by field, as there is one for every attempt. */
function reportOf(
  delivery: Delivery,
  attempt: number,
  at: number,
  result: PostResult,
  retryState: RetryState,
  nextAttemptAt: number | null,
): AttemptReport {
  const isAnswered = result.kind === 'answered';
  return {
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
}

function say(log: Logger, { delivery, result, verdict }: Extract<Attempted, { kind: 'posted' }>): void {
  if (verdict.kind === 'delivered') return;
  const { occurrenceId, subId, attempts } = delivery;
  const facts = { occurrenceId, subId, attempt: attempts + 1, attemptsMax, ...brief(result) };
  switch (verdict.kind) {
    case 'retry':
      log.info({ ...facts, delayMs: verdict.delayMs }, 'delivery failed, will be tried again');
      break;
    case 'exhausted':
      log.warn(facts, 'delivery failed for the last time');
      break;
    case 'gone':
      log.warn(facts, 'the receiver answered 410, not tried again');
  }
}

/** What a log line says of a result; never the receiver's words. */
function brief(result: PostResult): { status: number } | { error: string } {
  return result.kind === 'answered' ? { status: result.status } : { error: result.error };
}
