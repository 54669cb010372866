/**
 * What front doors ask of the notifiers: a test, and a stored delivery once more. Any notifier answers. Each is one post, made while
 * the asker waits, through the same poster and signed like every other; neither begins a chain of attempts or waits behind one.
 *
 *   test: subscription → room → ping, `testSendMs` at most → what came of it; nothing is recorded
 *   retry: subscription and delivery → room → its body, from the history or made again → post → recorded → the delivery as it then stands
 *
 * Failure at an await: the catalog or the journal is away → a refusal, nothing was posted. The catalog is away after the post → the recorder
 * tells it later, and the asker is told that it was sent. This notifier dies → the asker's deadline; a retry may have been
 * posted and not recorded, and posting it again is harmless: its occurrence id is the same.
 */
import type { AttemptReport, Delivery, KeptDelivery } from '@parterre/shared/catalog/deliveries';
import type { Scope } from '@parterre/shared/catalog/scope';
import type { SigningSub } from '@parterre/shared/catalog/webhooks';
import type { CatalogClient } from '@parterre/shared/catalog-client';
import type { Clock } from '@parterre/shared/clock';
import { done, type Outcome, refuse } from '@parterre/shared/errors';
import { newId } from '@parterre/shared/ids';
import type { Logger } from '@parterre/shared/log';
import type { NatsConnection } from '@parterre/shared/nats';
import type { NotifierOperation, NotifierOperations } from '@parterre/shared/notifier-api';
import { names, subjects } from '@parterre/shared/subjects';
import { postTimeoutMs, testSendMs } from '@parterre/shared/webhook-limits';
import { decode, encode } from '@parterre/shared/wire';
import type { Post } from '../deliveries/deliver.ts';
import { isDelivered, type PostResult } from '../deliveries/rules/schedule.ts';
import { liveSecrets, signatureHeaders } from '../endpoints/rules/signature.ts';
import type { BodyOf } from '../occurrences/body-source.ts';
import { pingBody } from '../occurrences/rules/occurrences.ts';
import { createHandPosts } from './rules/manual-posts.ts';

export type CallPorts = {
  nats: NatsConnection;
  catalog: CatalogClient;
  post: Post;
  /** The body of a delivery that is kept without it; null when it is not to be had any more. Throws when it is not just now. */
  bodyOf: BodyOf;
  /** For what the catalog could not be told at once. */
  record(report: AttemptReport): Promise<void>;
  clock: Clock;
  log: Logger;
};

export type Calls = {
  /** Takes no more and resolves when those under way are answered. */
  stop(): Promise<void>;
};

type Operations = {
  [O in NotifierOperation]: (input: NotifierOperations[O][0]) => Promise<Outcome<NotifierOperations[O][1]>>;
};
type Posted = { result: PostResult; at: number; durationMs: number };

export function answerCalls(ports: CallPorts): Calls {
  const { nats, log } = ports;
  const operations = createCalls(ports);
  const underWay = new Set<Promise<void>>();
  const subscription = nats.subscribe(subjects.notifierAll, {
    queue: names.notifierQueue,
    callback(error, message) {
      if (error) return log.error({ err: error }, 'the subscription to calls failed');
      const answering = answer(message.subject.slice(subjects.notifier('').length), message.data)
        .then((outcome) => void message.respond(encode(outcome)))
        .catch((cause: unknown) => log.error({ err: cause }, 'a call could not be answered'))
        .finally(() => underWay.delete(answering));
      underWay.add(answering);
    },
  });

  async function answer(operation: string, data: Uint8Array): Promise<Outcome<unknown>> {
    if (!Object.hasOwn(operations, operation)) return refuse('not_found', `Notifiers have no operation ${operation}.`);
    try {
      const perform = operations[operation as NotifierOperation] as (input: unknown) => Promise<Outcome<unknown>>;
      return await perform(decode(data));
    } catch (error) {
      log.error({ err: error, operation }, 'a call failed');
      return refuse('internal_error', `The notifier failed at ${operation}.`);
    }
  }

  return {
    async stop() {
      if (!nats.isClosed()) await subscription.drain();
      await Promise.all(underWay);
    },
  };
}

function createCalls({ catalog, post, bodyOf, record, clock, log }: CallPorts): Operations {
  const room = createHandPosts();

  return {
    async test({ scope, id }) {
      const found = await catalog('webhooks.signing', { scope, id });
      if (!found.ok) return found;
      const { sub, mode } = found.value;
      const occurrenceId = newId('occ');
      const { workspaceId } = sub;
      const livemode = mode !== 'test';
      const body = pingBody({ id: occurrenceId, at: clock.now(), livemode, workspaceId });
      const posted = await postByHand(scope, sub, occurrenceId, async () => done(body), testSendMs);
      if (!posted.ok) return posted;
      const { result, durationMs } = posted.value;
      return done({ test: { delivered: isDelivered(result), occurrenceId, durationMs, ...seen(result) } });
    },

    async retry({ scope, id, deliveryId }) {
      const asked = { scope, subId: id, deliveryId };
      const [sub, stored] = await Promise.all([
        catalog('webhooks.signing', { scope, id }),
        catalog('deliveries.get', asked),
      ]);
      if (!sub.ok) return sub;
      if (!stored.ok) return stored;
      const { kept, delivery } = stored.value;
      const posted = await postByHand(scope, sub.value.sub, kept.occurrenceId, () => keptBody(kept), postTimeoutMs);
      if (!posted.ok) return posted;
      const told = await tell(manualReport(kept, delivery, posted.value));
      if (!told.ok) return told;
      const after = await catalog('deliveries.get', asked);
      return after.ok ? done({ delivery: after.value.delivery }) : after;
    },
  };

  async function postByHand(
    { organisationId }: Scope,
    sub: SigningSub,
    occurrenceId: string,
    makeBody: () => Promise<Outcome<string>>,
    timeoutMs: number,
  ): Promise<Outcome<Posted>> {
    const wait = room.begin(organisationId, sub.url, clock.now());
    if (wait > 0) {
      const message = 'Too much is posted to this receiver by hand just now. Try again later.';
      return refuse('overloaded', message, {
        retryable: true,
        details: { retryAfterSeconds: Math.ceil(wait / 1_000) },
      });
    }
    try {
      const body = await makeBody();
      if (!body.ok) return body;
      const now = clock.now();
      const signed = { id: occurrenceId, atMs: now, body: body.value };
      const startedAt = clock.elapsed();
      const result = await post(
        sub.url,
        signatureHeaders(signed, liveSecrets(sub.secrets, now)),
        body.value,
        timeoutMs,
      );
      return done({ result, at: clock.now(), durationMs: Math.round(clock.elapsed() - startedAt) });
    } finally {
      room.end(organisationId, sub.url);
    }
  }

  async function keptBody({ body, place, event: name, eventKey, deliveryId }: KeptDelivery): Promise<Outcome<string>> {
    if (body !== null) return done(body);
    try {
      const made = await bodyOf({ place, name, eventKey });
      return made === null ? refuse('not_found', 'What this delivery told of is not known any more.') : done(made);
    } catch (error) {
      log.warn({ err: error, deliveryId }, 'the body of a delivery cannot be made just now');
      return refuse('overloaded', 'What this delivery tells of cannot be read just now. Try again.', {
        retryable: true,
      });
    }
  }

  async function tell(report: AttemptReport): Promise<Outcome<unknown>> {
    const told = await catalog('deliveries.record', { reports: [report] });
    if (told.ok) return told;
    void record(report);
    const said = report.status === 0 ? report.errorMessage : `The receiver answered ${report.status}.`;
    return refuse('catalog_unavailable', `It was sent, and the history will say so later. ${said}`);
  }
}

/** `retryState` says whether this attempt has delivered it; an attempt by hand says nothing else of the schedule. */
function manualReport(kept: KeptDelivery, { attempt }: Delivery, { result, at }: Posted): AttemptReport {
  const retryState = isDelivered(result) ? 'delivered' : 'none';
  return { ...kept, attempt: attempt + 1, manual: true, at, ...seen(result), retryState, nextAttemptAt: null };
}

function seen(result: PostResult): Pick<AttemptReport, 'status' | 'responseBody' | 'errorMessage'> {
  if (result.kind === 'failed') return { status: 0, responseBody: null, errorMessage: result.error };
  return { status: result.status, responseBody: result.responseBody, errorMessage: null };
}
