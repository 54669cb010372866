/**
 * The flow of the notifier, in two halves with the queue between them:
 *
 *   journal → `hear`: group → occurrences → one delivery for each subscription that wants it → queue
 *   queue → `attempt`: delivery → subscription → sign → post → delivered, due again, or over
 *
 * Both may be repeated after any failure: occurrence ids and message ids are functions of what is handled (I5). Nothing
 * is settled before what follows from it is in the queue, so nothing is lost; a receiver may get a delivery twice, with
 * the same `webhook-id`.
 */
import type { EventRecord } from '@parterre/shared/catalog/events';
import type { SigningSub } from '@parterre/shared/catalog/webhooks';
import type { Clock } from '@parterre/shared/clock';
import type { Outcome, Refusal } from '@parterre/shared/errors';
import { enqueuesAtOnceMax } from '@parterre/shared/limits';
import type { Logger } from '@parterre/shared/log';
import type { PlanSource } from '@parterre/shared/plans';
import type { Group, Mode } from '@parterre/shared/records';
import { decodeKept } from '@parterre/shared/wire';
import { type Delivery, firstDelivery, retried } from './rules/delivery.ts';
import { hearsOf } from './rules/hearing.ts';
import { namesOf, needsPlan, type Occurrence, occurrencesOf, type Place } from './rules/occurrences.ts';
import { attemptsMax, type PostResult, verdictOf } from './rules/schedule.ts';
import { liveSecrets, signatureHeaders } from './rules/signature.ts';

/** What the notifier asks the catalog, cached. */
export type Directory = {
  event(eventKey: string): Promise<Outcome<EventRecord>>;
  /** Of all its workspaces. */
  subscriptions(organisationId: string, mode: Mode): Promise<Outcome<SigningSub[]>>;
};

/** Resolves once the queue has it for good; throws when that is not known. Putting the same delivery twice is harmless. */
export type PutDelivery = (delivery: Delivery) => Promise<void>;

/** Never throws: whatever goes wrong on the way to a receiver is a result. */
export type Post = (
  url: string,
  headers: Record<string, string>,
  body: string,
  timeoutMs?: number,
) => Promise<PostResult>;

export type DeliverPorts = {
  directory: Directory;
  plans: PlanSource;
  put: PutDelivery;
  post: Post;
  clock: Clock;
  /** 0 to 1, drawn anew for each retry. */
  jitter: () => number;
  log: Logger;
};

/** A journal message, its group still encoded. */
export type JournalEntry = Place & { eventKey: string; data: Uint8Array };

/** `later`: something needed is away just now. `unknown`: the catalog has no such event. */
export type Heard = { kind: 'done' } | { kind: 'later'; why: string } | { kind: 'unknown'; why: string };

export type Attempted =
  | { kind: 'delivered' }
  /** Attempted and failed; `next` is to be queued in its place. */
  | { kind: 'retry'; next: Delivery }
  /** Attempted and failed for the last time, or the receiver is gone, or nobody is subscribed any more. */
  | { kind: 'over'; failed: boolean }
  /** Not attempted: the catalog is away. */
  | { kind: 'later' };

export type Deliver = {
  hear(entry: JournalEntry): Promise<Heard>;
  attempt(delivery: Delivery): Promise<Attempted>;
};

export function createDeliver(ports: DeliverPorts): Deliver {
  const { directory, clock, log } = ports;

  async function hear(entry: JournalEntry): Promise<Heard> {
    const event = await directory.event(entry.eventKey);
    if (!event.ok) return notHeard(event.refusal);
    const { organisationId, mode } = event.value;
    const subs = await directory.subscriptions(organisationId, mode);
    if (!subs.ok) return notHeard(subs.refusal);
    const hearing = subs.value.filter((sub) => hearsOf(sub, event.value));
    // Most events have nobody to tell, and their groups need not be decoded.
    if (hearing.length === 0) return { kind: 'done' };
    const group = decodeKept<Group>(entry.data);
    const names: Set<string> = namesOf(group);
    const wanting = hearing.filter((sub) => sub.events.some((name) => names.has(name)));
    if (wanting.length === 0) return { kind: 'done' };
    try {
      const wanted = new Set(wanting.flatMap((sub) => sub.events.filter((name) => names.has(name))));
      const plan = needsPlan(wanted) ? await ports.plans(group.plan) : null;
      const occurrences = occurrencesOf(group, entry, event.value, plan, wanted);
      await putAll(deliveriesOf(occurrences, wanting, event.value));
      return { kind: 'done' };
    } catch (error) {
      log.warn({ err: error, eventKey: entry.eventKey }, 'journal message put off');
      return { kind: 'later', why: error instanceof Error ? error.message : String(error) };
    }
  }

  function deliveriesOf(occurrences: Occurrence[], subs: SigningSub[], event: EventRecord): Delivery[] {
    const { organisationId, mode } = event;
    const now = clock.now();
    return occurrences.flatMap((occurrence) =>
      subs
        .filter((sub) => sub.events.includes(occurrence.name))
        .map((sub) => firstDelivery(occurrence, { subId: sub.id, organisationId, mode }, now)),
    );
  }

  async function putAll(deliveries: Delivery[]): Promise<void> {
    for (let from = 0; from < deliveries.length; from += enqueuesAtOnceMax) {
      await Promise.all(deliveries.slice(from, from + enqueuesAtOnceMax).map(ports.put));
    }
  }

  async function attempt(delivery: Delivery): Promise<Attempted> {
    const subs = await directory.subscriptions(delivery.organisationId, delivery.mode);
    if (!subs.ok) return { kind: 'later' };
    const sub = subs.value.find((each) => each.id === delivery.subId);
    if (!sub) return { kind: 'over', failed: false };
    const { occurrenceId: id, body } = delivery;
    const now = clock.now();
    const headers = signatureHeaders({ id, atMs: now, body }, liveSecrets(sub.secrets, now));
    const result = await ports.post(sub.url, headers, body);
    return judge(delivery, result);
  }

  function judge(delivery: Delivery, result: PostResult): Attempted {
    const { occurrenceId, subId, attempts } = delivery;
    const now = clock.now();
    const verdict = verdictOf(result, attempts + 1, now, ports.jitter());
    const facts = { occurrenceId, subId, attempt: attempts + 1, attemptsMax, ...brief(result) };
    switch (verdict.kind) {
      case 'delivered':
        log.debug(facts, 'delivered');
        return { kind: 'delivered' };
      case 'retry':
        log.info({ ...facts, delayMs: verdict.delayMs }, 'delivery failed, will be tried again');
        return { kind: 'retry', next: retried(delivery, verdict.delayMs, now) };
      case 'exhausted':
        log.warn(facts, 'delivery failed for the last time');
        return { kind: 'over', failed: true };
      case 'gone':
        log.warn(facts, 'the receiver answered 410, not tried again');
        return { kind: 'over', failed: true };
    }
  }

  return { hear, attempt };
}

function notHeard(refusal: Refusal): Heard {
  return { kind: refusal.retryable ? 'later' : 'unknown', why: refusal.message };
}

/** What a log line says of a result; never the receiver's words. */
function brief(result: PostResult): { status: number } | { error: string } {
  return result.kind === 'answered' ? { status: result.status } : { error: result.error };
}
