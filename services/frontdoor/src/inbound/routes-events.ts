/** Events: create, list, read, close, reopen; the operator's views of one event (wire contract 4 and 5.2). */
import type { EventRecord } from '@parterre/shared/catalog/events';
import { done, type Outcome } from '@parterre/shared/errors';
import { eventMeta } from '@parterre/shared/event-meta';
import type { EventMove } from '@parterre/shared/records';
import { jsonType, noStore, Prepared } from '../answer.ts';
import type { KnownEvent } from '../events-cache.ts';
import { operatorObjects } from '../rules/objects.ts';
import { reopenGate } from '../rules/reopen-gate.ts';
import { spliceJson } from '../rules/splice-json.ts';
import { eventBody } from './bodies-events.ts';
import { type Call, eventRoute, type Route, serverRoute } from './route.ts';
import { ask, callerOf, newCallId, planOf } from './routes-inventory.ts';
import { callIdOf, pageOf, scopeOf } from './scope.ts';

type EventCall = Call<'server', unknown, KnownEvent>;

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
  serverRoute('GET /v1/events', {}, async (call) => {
    const { query } = call.request;
    const listed = await call.ports.catalog('events.list', {
      scope: scopeOf(call.principal),
      page: pageOf(query, EVENTS_PER_PAGE),
      ...(query.has('externalRef') ? { externalRef: query.get('externalRef')! } : {}),
      ...(query.has('workspaceId') ? { workspaceId: query.get('workspaceId')! } : {}),
    });
    if (!listed.ok) return listed;
    const { events, nextCursor } = listed.value;
    const items =
      query.get('counts') === '0' ? events.map((event) => eventMeta(event)) : await withCounts(call, events);
    return done({ events: items, ...(nextCursor === undefined ? {} : { nextCursor }) });
  }),
  eventRoute('GET /v1/events/{key}', {}, async (call) => {
    const counted = await ask(call, { type: 'count' });
    if (!counted.ok) return counted;
    const { counts, holdTtlMs, sectionStates } = counted.value;
    const chartUpdate = { behind: false, canAutoUpdate: false };
    return done({
      meta: eventMeta(call.event.event, counted.value),
      counts,
      holdTtlMs,
      chartUpdate,
      sectionStates,
    });
  }),
  eventRoute('POST /v1/events/{key}/close', {}, (call) => move(call, 'close')),
  eventRoute('POST /v1/events/{key}/reopen', {}, (call) => {
    const gate = reopenGate(call.event.event, call.ports.clock.now());
    return gate.ok ? move(call, 'reopen') : gate;
  }),
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

/** Counts of a page, asked in one go. An actor that does not answer leaves its event without them. */
function withCounts(call: Call<'server', unknown, null>, events: EventRecord[]) {
  return Promise.all(
    events.map(async (event) => {
      const counted = await call.ports.shards.submit(event, callerOf(call.principal), { type: 'count' });
      if (!counted.ok) return eventMeta(event);
      return { ...eventMeta(event, counted.value), counts: counted.value.counts };
    }),
  );
}

async function move(call: EventCall, step: EventMove): Promise<Outcome<unknown>> {
  const { event } = call.event;
  const answer = await ask(call, { type: 'move', callId: newCallId(), move: step });
  if (!answer.ok) return answer;
  call.ports.events.drop(event.key);
  return done({ ok: true, meta: eventMeta(event, answer.value) });
}
