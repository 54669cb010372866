/**
 * Events: create, list, read, change; the operator's views of one event (wire contract 4 and 5.2).
 *
 * States of a change: looked at by the catalog (it alone may refuse) → set by the event's actor, where the actor decides it →
 * written by the catalog → answered. A failure in between leaves the first of these done; repeating the call does the rest.
 */
import type { SettledFacts } from '@parterre/shared/catalog/events';
import { done, type Outcome, refuse } from '@parterre/shared/errors';
import { eventMeta } from '@parterre/shared/event-meta';
import type { z } from 'zod';
import { jsonType, noStore, Prepared } from '../answer.ts';
import { detailOf, inspect, withCounts } from '../event-reads.ts';
import type { KnownEvent } from '../events-cache.ts';
import { operatorObjects } from '../rules/objects.ts';
import { spliceJson } from '../rules/splice-json.ts';
import { eventBody, eventChangesBody } from './bodies-events.ts';
import { type Call, eventRoute, type Route, serverRoute } from './route.ts';
import { ask, callerOf, newCallId, planOf } from './routes-inventory.ts';
import { callIdOf, pageOf, scopeOf } from './scope.ts';

type ChangeCall = Call<'server', z.output<typeof eventChangesBody>, KnownEvent>;

const EVENTS_PER_PAGE = { usual: 100, most: 200 };

export const eventRoutes: Route[] = [
  serverRoute('POST /v1/events', { body: eventBody, status: 201, idempotent: true }, async (call) => {
    const { ports, principal, body } = call;
    const input = { scope: scopeOf(principal), draft: body, ...callIdOf(call) };
    const created = await ports.catalog('events.create', input);
    if (!created.ok) return created;
    const { event, config } = created.value;
    // The catalog's record is durable. If the actor does not answer now, the first command creates the inventory.
    const inventory = await ports.shards.submit(event, callerOf(principal), { type: 'create', config });
    if (!inventory.ok && !inventory.refusal.retryable) return inventory;
    return done({ meta: eventMeta(event) });
  }),
  serverRoute('GET /v1/events', {}, async ({ ports, principal, request: { query } }) => {
    const listed = await ports.catalog('events.list', {
      scope: scopeOf(principal),
      page: pageOf(query, EVENTS_PER_PAGE),
      ...(query.has('externalRef') ? { externalRef: query.get('externalRef')! } : {}),
      ...(query.has('workspaceId') ? { workspaceId: query.get('workspaceId')! } : {}),
    });
    if (!listed.ok) return listed;
    const { events, nextCursor } = listed.value;
    const withoutCounts = query.get('counts') === '0';
    const items = withoutCounts
      ? events.map((event) => eventMeta(event))
      : await withCounts(ports, callerOf(principal), events);
    return done({ events: items, ...(nextCursor === undefined ? {} : { nextCursor }) });
  }),
  eventRoute('GET /v1/events/{key}', {}, async (call) => {
    const { ports, principal, event } = call;
    return detailOf(
      ...(await Promise.all([inspect(ports, scopeOf(principal), event.event.key), ask(call, { type: 'count' })])),
    );
  }),
  eventRoute('PATCH /v1/events/{key}', { body: eventChangesBody, bodyOptional: true }, changeEvent),
  eventRoute('GET /v1/events/{key}/chart', {}, async (call) => {
    const { event } = call.event;
    // The record may still name the chart before; without an answer it is the best there is.
    const counted = await ask(call, { type: 'count' });
    const live = counted.ok ? counted.value : null;
    const document = await call.ports.documents.published(live?.planHash ?? event.planHash);
    if (!document.ok) return document;
    const fields = { event: eventMeta(event, live ?? {}) };
    return done(new Prepared(200, [jsonType, noStore], spliceJson(fields, 'doc', document.value)));
  }),
  eventRoute('GET /v1/events/{key}/objects', {}, async (call) => {
    const view = await ask(call, { type: 'view' });
    if (!view.ok) return view;
    const plan = await planOf(call, view.value.planHash);
    return plan.ok ? done(operatorObjects(plan.value, view.value)) : plan;
  }),
];

async function changeEvent(call: ChangeCall): Promise<Outcome<unknown>> {
  const { ports, principal, body, event } = call;
  if (Object.keys(body).length === 0) return refuse('nothing_to_update', 'Name at least one field to change.');
  const { currency, sectionStates, ...changes } = body;
  const target = { scope: scopeOf(principal), eventKey: event.event.key, changes };
  let settled: { at: number; facts: SettledFacts } | null = null;
  if (currency !== undefined || sectionStates !== undefined) {
    const looked = await ports.catalog('events.update', { ...target, dryRun: true });
    if (!looked.ok) return looked;
    const set = await setInActor(call, looked.value.organisation.currency);
    if (!set.ok) return set;
    settled = set.value;
  }
  const written = await ports.catalog('events.update', { ...target, ...(settled && { settled }) });
  ports.events.drop(target.eventKey);
  return written.ok ? detailOf(written, await ask(call, { type: 'count' })) : written;
}

/** What the event's actor decides of a change: null where nothing of it is told in the event's record. */
async function setInActor(
  call: ChangeCall,
  usualCurrency: string,
): Promise<Outcome<{ at: number; facts: SettledFacts } | null>> {
  const { currency, sectionStates } = call.body;
  if (sectionStates !== undefined) {
    const set = await ask(call, { type: 'set-section-states', callId: newCallId(), sectionStates });
    if (!set.ok) return set;
  }
  if (currency === undefined) return done(null);
  const set = await ask(call, { type: 'configure', callId: newCallId(), currency: currency ?? usualCurrency });
  return set.ok ? done({ at: set.value.at, facts: { currency: set.value.currency } }) : set;
}
