/** Events: create, list, read and change them, and an operator's views of one event. */
import { done } from '@parterre/shared/errors';
import { eventMeta } from '@parterre/shared/event-meta';
import { budgets, scopeOf } from '../../admission/admission.ts';
import { preparedJson, spliceJson } from '../../answers/answers.ts';
import { operatorObjects as objectsJson } from '../../pictures/pictures.ts';
import { ask, callerOf, eventRoute, inTime, namedIn, pageOf, planOf, serverRoute } from '../calls/calls.ts';
import { operatorObjects } from '../records/records.ts';
import { createEventAnswer, eventDetail, getEventChartAnswer, listEventsAnswer } from './answers.ts';
import { eventBody, eventChangesBody } from './bodies.ts';
import { changeEvent } from './change-event.ts';
import { createEvent } from './create-event.ts';
import { detailOf, inspect, withCounts } from './event-reads.ts';
import { eventsQuery } from './queries.ts';

const counted = { budget: budgets.serverCalls };

export const eventRoutes = [
  serverRoute(
    'POST /v1/events',
    { ...counted, answer: createEventAnswer, body: eventBody, status: 201, idempotent: true },
    async (call) => {
      const created = await createEvent(call, call.principal, call.body, call.callId);
      return created.ok ? done({ meta: eventMeta(created.value) }) : created;
    },
  ),
  serverRoute(
    'GET /v1/events',
    { ...counted, answer: listEventsAnswer, query: eventsQuery },
    async ({ ports, principal, query, request }) => {
      const listed = await ports.catalog('events.list', {
        scope: scopeOf(principal),
        page: pageOf(query),
        ...namedIn(query),
      });
      if (!listed.ok) return listed;
      const { events, nextCursor } = listed.value;
      const items = query.counts
        ? await withCounts(ports, callerOf(principal), events, request.deadlineAt)
        : events.map((event) => eventMeta(event));
      return done({ events: items, ...(nextCursor === undefined ? {} : { nextCursor }) });
    },
  ),
  eventRoute('GET /v1/events/{key}', { ...counted, answer: eventDetail, capability: 'event:view' }, async (call) => {
    const { ports, principal, event } = call;
    const [inspected, counted] = await Promise.all([
      inspect(ports, scopeOf(principal), event.event.key),
      ask(call, { type: 'count' }),
    ]);
    return detailOf(inspected, counted, (hash) => planOf(call, hash));
  }),
  eventRoute(
    'PATCH /v1/events/{key}',
    { ...counted, answer: eventDetail, capability: 'event:block', body: eventChangesBody, bodyOptional: true },
    changeEvent,
  ),
  eventRoute(
    'GET /v1/events/{key}/chart',
    { ...counted, answer: getEventChartAnswer, capability: 'event:view' },
    async (call) => {
      const { event } = call.event;
      // The catalog's record may still name the previous chart. The record counts only if the actor does not answer.
      const counted = await ask(call, { type: 'count' });
      const live = counted.ok ? counted.value : null;
      const document = await inTime(call, call.ports.documents.published(live?.planHash ?? event.planHash));
      if (!document.ok) return document;
      const fields = { event: eventMeta(event, live ?? {}) };
      return done(preparedJson(spliceJson(fields, { doc: document.value })));
    },
  ),
  eventRoute(
    'GET /v1/events/{key}/objects',
    { ...counted, answer: operatorObjects, capability: 'event:view' },
    async (call) => {
      const view = await ask(call, { type: 'view' });
      if (!view.ok) return view;
      const plan = await planOf(call, view.value.planHash);
      if (!plan.ok) return plan;
      return done(preparedJson(objectsJson(plan.value, view.value)));
    },
  ),
];
