/** Hold, extend, release, book, unbook, block, unblock and what is read of them (wire contract 5). */

import type { Plan } from '@parterre/shared/chart/plan';
import type { Answers, Caller, Command, Selection } from '@parterre/shared/commands';
import { done, type Outcome, refuse } from '@parterre/shared/errors';
import { eventMeta } from '@parterre/shared/event-meta';
import { derivedId, newId, randomText, sha256 } from '@parterre/shared/ids';
import { bulkBodyBytesMax } from '@parterre/shared/limits';
import { type KnownEvent, unknownEvent } from '../events-cache.ts';
import type { ServerPrincipal } from '../principals.ts';
import { budgets } from '../rules/budget.ts';
import { canonicalJson } from '../rules/canonical.ts';
import {
  blockBody,
  bookBody,
  extendBody,
  holdBody,
  holdTtlBody,
  releaseBody,
  unblockBody,
  unbookBody,
} from './bodies-inventory.ts';
import { type Call, eventRoute, type Route } from './route.ts';

type EventCall<Body> = Call<'server', Body, KnownEvent>;

const CALL_ID_LENGTH = 16;
const serverHolds = { budget: budgets.serverHolds };
const bulk = { bodyBytesMax: bulkBodyBytesMax };

export const inventoryRoutes: Route[] = [
  eventRoute('POST /v1/events/{key}/hold', { body: holdBody, ...serverHolds }, async (call) => {
    const { body, event } = call;
    const answer = await ask(call, {
      type: 'hold',
      ...holdName(call),
      selections: selectionsOf(body),
      ...(body.ttlMs === undefined ? {} : { ttlMs: body.ttlMs }),
      ...(body.replaceHoldId === undefined ? {} : { replaceHoldId: body.replaceHoldId }),
    });
    if (!answer.ok) return answer;
    const { holdId, expiresAt, items, labels, currency } = answer.value;
    return done({ ok: true, holdId, expiresAt, items, labels, currency: currency ?? event.event.currency });
  }),
  eventRoute('POST /v1/events/{key}/extend', { body: extendBody, ...serverHolds }, async (call) => {
    const { holdId, ttlMs } = call.body;
    const answer = await ask(call, {
      type: 'extend',
      holdId,
      callId: newCallId(),
      ...(ttlMs === undefined ? {} : { ttlMs }),
    });
    if (!answer.ok) return answer;
    const { expiresAt, extends: renewals, items } = answer.value;
    return done({ ok: true, holdId: answer.value.holdId, expiresAt, extends: renewals, items });
  }),
  eventRoute('POST /v1/events/{key}/release', { body: releaseBody }, async (call) => {
    const { holdId, labels } = call.body;
    const answer = await ask(call, {
      type: 'release',
      holdId,
      callId: newCallId(),
      ...(labels === undefined ? {} : { labels }),
    });
    return answer.ok ? done({ ok: true, released: answer.value.released }) : answer;
  }),
  eventRoute('POST /v1/events/{key}/book', { body: bookBody }, async (call) => {
    const { holdId, labels, bookingRef } = call.body;
    const callId = newCallId();
    const answer =
      holdId === undefined
        ? await ask(call, { type: 'book-direct', callId, bookingRef, selections: selectionsOf(call.body) })
        : await ask(call, { type: 'book', callId, bookingRef, holdId, ...(labels === undefined ? {} : { labels }) });
    return answer.ok ? done({ ok: true, booked: answer.value.booked }) : answer;
  }),
  eventRoute('POST /v1/events/{key}/unbook', { body: unbookBody }, async (call) => {
    const { bookingRef, labels } = call.body;
    const answer = await ask(call, {
      type: 'unbook',
      callId: newCallId(),
      bookingRef,
      ...(labels === undefined ? {} : { labels }),
    });
    return answer.ok ? done({ ok: true, unbooked: answer.value.unbooked }) : answer;
  }),
  eventRoute('POST /v1/events/{key}/block', { body: blockBody, ...bulk }, async (call) => {
    const { labels, releaseAt, reason } = call.body;
    const answer = await ask(call, {
      type: 'block',
      callId: newCallId(),
      labels,
      releaseAt: releaseAt ?? null,
      reason: reason ?? null,
    });
    return answer.ok ? done({ ok: true, blocked: answer.value.blocked }) : answer;
  }),
  eventRoute('POST /v1/events/{key}/unblock', { body: unblockBody, ...bulk }, async (call) => {
    const answer = await ask(call, { type: 'unblock', callId: newCallId(), labels: call.body.labels });
    return answer.ok ? done({ ok: true, unblocked: answer.value.unblocked }) : answer;
  }),
  eventRoute('POST /v1/events/{key}/unblock-all', {}, async (call) => {
    const answer = await ask(call, { type: 'unblock', callId: newCallId(), labels: null });
    return answer.ok ? done({ ok: true, freed: answer.value.unblocked }) : answer;
  }),
  eventRoute('GET /v1/events/{key}/hold-ttl', {}, async (call) => {
    const answer = await ask(call, { type: 'count' });
    return answer.ok ? done({ holdTtlMs: answer.value.holdTtlMs }) : answer;
  }),
  eventRoute('POST /v1/events/{key}/hold-ttl', { body: holdTtlBody }, async (call) => {
    const answer = await ask(call, { type: 'set-hold-ttl', callId: newCallId(), holdTtlMs: call.body.holdTtlMs });
    return answer.ok ? done({ ok: true, holdTtlMs: answer.value.holdTtlMs }) : answer;
  }),
  eventRoute('GET /v1/events/{key}/holds/{holdId}', {}, async (call) => {
    const answer = await ask(call, { type: 'inspect-hold', holdId: call.request.params[1]! });
    if (!answer.ok) return answer;
    const { key, mode, externalRef, workspaceId } = call.event.event;
    const owner = { eventKey: key, mode, externalRef, workspaceId };
    return done({ ...answer.value, ...owner, buyerRef: null, partnerRef: null });
  }),
  eventRoute('GET /v1/events/{key}/report', {}, async (call) => {
    const { event } = call.event;
    const answer = await ask(call, { type: 'report' });
    if (!answer.ok) return answer;
    const { planHash, ...inventory } = answer.value;
    const plan = await planOf(call, planHash);
    if (!plan.ok) return plan;
    const report = { ...inventory, byChannel: [], byRelease: [] };
    const categories = plan.value.categories.map(({ key, label, color, price }) => ({
      key,
      label,
      color,
      price: price ?? 0,
    }));
    const { booked, free, held, not_for_sale: blocked } = answer.value.byStatus;
    return done({ report, event: eventMeta(event, { counts: { free, held, booked, blocked } }), categories });
  }),
];

/** Asks the event's actor in the name of the key that calls. */
export async function ask<C extends Command>(
  call: EventCall<unknown>,
  command: C,
): Promise<Outcome<Answers[C['type']]>> {
  const answer = await call.ports.shards.submit(call.event.event, callerOf(call.principal), command);
  // A deleted event is as one that never was, also where a cache has not heard of it yet.
  return !answer.ok && answer.refusal.details?.status === 'deleted' ? unknownEvent : answer;
}

/** The plan that the event's actor named; a catalog that cannot give it is worth another try. */
export async function planOf({ ports, request }: EventCall<unknown>, hash: string): Promise<Outcome<Plan>> {
  try {
    return done(await ports.plans(hash));
  } catch (error) {
    ports.onFault(error, request.requestId);
    return refuse('catalog_unavailable', 'The chart cannot be read just now. Try again.', { retryable: true });
  }
}

export function callerOf(principal: ServerPrincipal): Caller {
  return principal.kind === 'dashboard'
    ? { source: 'operator', actor: principal.userId, accessSource: 'public' }
    : { source: 'server', actor: principal.keyId, accessSource: 'public' };
}

function selectionsOf(body: { labels?: string[]; selections?: Selection[] }): Selection[] {
  return body.selections ?? (body.labels ?? []).map((label) => ({ label }));
}

/** An Idempotency-Key names the hold, so that a repeat finds the first one and its answer in the actor's own state (I5). */
function holdName(call: EventCall<unknown>): { holdId: string; fingerprint?: string } {
  const { idempotencyKey } = call.request;
  if (idempotencyKey === '') return { holdId: newId('hld') };
  const { organisationId, mode, key } = call.event.event;
  return {
    holdId: derivedId('hld', organisationId, mode, key, idempotencyKey),
    fingerprint: sha256(canonicalJson(call.body)),
  };
}

/** Names one call for as long as the front door keeps asking. */
export function newCallId(): string {
  return randomText(CALL_ID_LENGTH);
}
