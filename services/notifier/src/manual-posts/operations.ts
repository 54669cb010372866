/**
 * Manual posts: a test of a subscription, and a retry of a delivery that a person asks for. Each is one post. The
 * caller waits for the result. A manual post uses the same poster and the same signatures as every attempt. It starts
 * no retries, and waits behind no retry.
 *
 *   test: subscription → bound → ping, `testSendMs` at most → result; nothing is recorded
 *   retry: subscription and delivery → bound → body, stored or made again → post → recorded → the delivery afterwards
 *
 * Failure at an await: the catalog or the journal is away → a refusal, nothing was posted. The catalog is away after
 * the post → the recorder reports the attempt later, and the caller hears that the delivery was sent. This notifier
 * dies → the caller's deadline passes; a retry may be posted and not recorded. Another retry is harmless, since the
 * occurrence id is the same.
 */
import type { AttemptReport, Delivery, KeptDelivery } from '@parterre/shared/protocol/catalog/deliveries';
import type { Scope } from '@parterre/shared/protocol/catalog/scope';
import type { SigningSub } from '@parterre/shared/protocol/catalog/webhooks';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { newId } from '@parterre/shared/protocol/ids';
import type { NotifierOperation, NotifierOperations } from '@parterre/shared/protocol/notifier-api';
import { pingBody } from '@parterre/shared/protocol/occurrences/occurrences';
import { postTimeoutMs, testSendMs } from '@parterre/shared/protocol/webhook-limits';
import type { CatalogClient } from '@parterre/shared/runtime/catalog-client';
import type { Clock } from '@parterre/shared/runtime/clock';
import type { Logger } from '@parterre/shared/runtime/log';
import type { Queues } from '../deliveries/queues.ts';
import type { Post } from '../endpoints/post.ts';
import { isDelivered, type PostResult } from '../endpoints/rules/post-result.ts';
import { liveSecrets, signatureHeaders } from '../endpoints/rules/signature.ts';
import type { BodyOf } from '../occurrences/body-source.ts';
import { createManualPosts } from './rules/manual-posts.ts';

export type OperationPorts = {
  catalog: CatalogClient;
  post: Post;
  /**
   * Makes a body that is not stored. Null when the body cannot be made any more. Throws when the body cannot be made
   * now.
   */
  bodyOf: BodyOf;
  /** See `Queues.waiting`. */
  waiting: Queues['waiting'];
  /** For reports that the catalog did not take at once. */
  record(report: AttemptReport): Promise<void>;
  clock: Clock;
  log: Logger;
};

type Operations = {
  [O in NotifierOperation]: (input: NotifierOperations[O][0]) => Promise<Outcome<NotifierOperations[O][1]>>;
};
type Posted = { result: PostResult; at: number; durationMs: number };

export function createManualOperations(ports: OperationPorts): Operations {
  const { catalog, clock } = ports;
  const postManually = createPostManually(ports);

  return {
    async test({ scope, id }) {
      const found = await catalog('webhooks.signing', { scope, id });
      if (!found.ok) return found;
      const { sub, mode } = found.value;
      const occurrenceId = newId('occ');
      const { workspaceId } = sub;
      const livemode = mode !== 'test';
      const body = pingBody({ id: occurrenceId, at: clock.now(), livemode, workspaceId });
      const posted = await postManually(scope, sub, occurrenceId, async () => done(body), testSendMs);
      if (!posted.ok) return posted;
      const { result, durationMs } = posted.value;
      return done({ test: { delivered: isDelivered(result), occurrenceId, durationMs, ...resultFields(result) } });
    },

    async backlogs({ subIds }) {
      return done({ backlogs: await Promise.all(subIds.map(ports.waiting)) });
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
      const makeBody = () => storedBody(ports, kept);
      const posted = await postManually(scope, sub.value.sub, kept.occurrenceId, makeBody, postTimeoutMs);
      if (!posted.ok) return posted;
      const reported = await report(ports, manualReport(kept, delivery, posted.value));
      if (!reported.ok) return reported;
      const after = await catalog('deliveries.get', asked);
      return after.ok ? done({ delivery: after.value.delivery }) : after;
    },
  };
}

function createPostManually({ post, clock }: Pick<OperationPorts, 'post' | 'clock'>) {
  const manualPosts = createManualPosts();

  return async (
    { organisationId }: Scope,
    sub: SigningSub,
    occurrenceId: string,
    makeBody: () => Promise<Outcome<string>>,
    timeoutMs: number,
  ): Promise<Outcome<Posted>> => {
    const waitMs = manualPosts.begin(organisationId, sub.url, clock.now());
    if (waitMs > 0) {
      return refuse('overloaded', 'Too many manual posts go to this receiver now. Try again later.', {
        retryable: true,
        details: { retryAfterSeconds: Math.ceil(waitMs / 1_000) },
      });
    }
    try {
      const body = await makeBody();
      if (!body.ok) return body;
      const now = clock.now();
      const headers = signatureHeaders(
        { id: occurrenceId, atMs: now, body: body.value },
        liveSecrets(sub.secrets, now),
      );
      const startedAt = clock.elapsed();
      const result = await post(sub.url, headers, body.value, timeoutMs);
      return done({ result, at: clock.now(), durationMs: Math.round(clock.elapsed() - startedAt) });
    } finally {
      manualPosts.end(organisationId, sub.url);
    }
  };
}

async function storedBody(
  { bodyOf, log }: Pick<OperationPorts, 'bodyOf' | 'log'>,
  { body, place, event: name, eventKey, deliveryId, occurrenceId }: KeptDelivery,
): Promise<Outcome<string>> {
  if (body !== null) return done(body);
  try {
    const made = await bodyOf({ place, name, eventKey, occurrenceId });
    return made === null ? refuse('not_found', "This delivery's data is no longer available.") : done(made);
  } catch (error) {
    log.warn({ err: error, deliveryId }, 'the body of a delivery cannot be made now');
    return refuse('overloaded', "This delivery's data cannot be read now. Try again.", { retryable: true });
  }
}

async function report(
  { catalog, record }: Pick<OperationPorts, 'catalog' | 'record'>,
  attempt: AttemptReport,
): Promise<Outcome<unknown>> {
  const recorded = await catalog('deliveries.record', { reports: [attempt] });
  if (recorded.ok) return recorded;
  void record(attempt);
  const result = attempt.status === 0 ? attempt.errorMessage : `The receiver answered ${attempt.status}.`;
  return refuse('catalog_unavailable', `The delivery was sent. Its history will show the attempt later. ${result}`);
}

/** `retryState` says whether this attempt has delivered. A manual attempt says nothing else about the schedule. */
function manualReport(kept: KeptDelivery, { attempt }: Delivery, { result, at }: Posted): AttemptReport {
  const retryState = isDelivered(result) ? 'delivered' : 'none';
  return { ...kept, attempt: attempt + 1, manual: true, at, ...resultFields(result), retryState, nextAttemptAt: null };
}

function resultFields(result: PostResult): Pick<AttemptReport, 'status' | 'responseBody' | 'errorMessage'> {
  if (result.kind === 'failed') return { status: 0, responseBody: null, errorMessage: result.error };
  return { status: result.status, responseBody: result.responseBody, errorMessage: null };
}
