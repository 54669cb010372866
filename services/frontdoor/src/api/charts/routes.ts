/** Charts. Documents travel to and from the catalog gzipped. They are never parsed on the way out. */
import type { ChartMeta } from '@parterre/shared/catalog/charts';
import { done, refuse } from '@parterre/shared/errors';
import { chartBodyBytesMax, publishDeadlineMs, staleSaveMsMax } from '@parterre/shared/limits';
import type { z } from 'zod';
import { budgets, callIdOf, type Judged, scopeOf } from '../../admission/admission.ts';
import { hasEtag, preparedJson, spliceJson, unchanged } from '../../answers/answers.ts';
import { packDocument } from '../../caches/caches.ts';
import {
  type Call,
  callerOf,
  editorRoute,
  inTime,
  namedIn,
  newCallId,
  type Ports,
  pageOf,
  serverRoute,
} from '../calls/calls.ts';
import {
  addPanoramasAnswer,
  deleteChartAnswer,
  getChartAnswer,
  listChartsAnswer,
  meta,
  previewPublishAnswer,
  publishChartAnswer,
} from './answers.ts';
import { chartBody, chartUpdateBody, duplicateBody, panoramasBody, publishBody } from './bodies.ts';
import { previewPublish } from './preview-publish.ts';
import { chartQuery, chartsQuery } from './queries.ts';
import { refreshEvents } from './refresh-events.ts';

const counted = { budget: budgets.serverCalls };

type EditorCall = Call<'editor', unknown, null>;

const documentBytes = { bodyBytesMax: chartBodyBytesMax, documentField: 'doc' };

export const chartRoutes = [
  serverRoute(
    'GET /v1/charts',
    { ...counted, answer: listChartsAnswer, query: chartsQuery },
    ({ ports, principal, query }) =>
      ports.catalog('charts.list', {
        scope: scopeOf(principal),
        page: pageOf(query),
        archived: query.archived,
        ...namedIn(query),
      }),
  ),
  serverRoute(
    'POST /v1/charts',
    { ...counted, answer: meta, body: chartBody, idempotent: true, status: 201, ...documentBytes },
    async (call) => {
      const { doc, ...named } = call.body;
      const packed = doc === undefined ? {} : { doc: await packDocument(doc) };
      return call.ports.catalog('charts.create', {
        scope: scopeOf(call.principal),
        ...named,
        ...packed,
        ...callIdOf(call),
      });
    },
  ),
  editorRoute(
    'GET /v1/charts/{id}',
    { ...counted, answer: getChartAnswer, query: chartQuery, authority: 'read-only' },
    getChart,
  ),
  editorRoute(
    'PUT /v1/charts/{id}',
    {
      ...counted,
      answer: meta,
      authority: 'edit',
      body: chartUpdateBody,
      idempotent: true,
      ...documentBytes,
      judgeFields: staleSave,
    },
    async (call) => {
      const { doc, ...changed } = call.body;
      if (isTooLarge(call)) return tooLarge;
      if (call.principal.kind === 'designer' && changed.externalRef !== undefined) return notDrawn;
      const packed = doc === undefined ? {} : { doc: await packDocument(doc) };
      return call.ports.catalog('charts.update', {
        ...target(call),
        ...changed,
        ...packed,
        ...callIdOf(call),
        ...safeModeOf(call),
        ...personOf(call),
      });
    },
  ),
  serverRoute('DELETE /v1/charts/{id}', { ...counted, answer: deleteChartAnswer, idempotent: true }, (call) =>
    call.ports.catalog('charts.delete', target(call)),
  ),
  serverRoute(
    'POST /v1/charts/{id}/duplicate',
    { ...counted, answer: meta, body: duplicateBody, idempotent: true, bodyOptional: true },
    (call) => call.ports.catalog('charts.duplicate', { ...target(call), ...call.body, ...callIdOf(call) }),
  ),
  editorRoute(
    'POST /v1/charts/{id}/publish',
    {
      ...counted,
      ...{ answer: publishChartAnswer, authority: 'publish', idempotent: true, deadlineMs: publishDeadlineMs },
      ...{ body: publishBody, bodyOptional: true },
    },
    publishChart,
  ),
  editorRoute(
    'GET /v1/charts/{id}/publish-preview',
    { ...counted, answer: previewPublishAnswer, authority: 'publish' },
    previewPublish,
  ),
  serverRoute('POST /v1/charts/{id}/archive', { ...counted, answer: meta, idempotent: true }, (call) =>
    call.ports.catalog('charts.archive', target(call)),
  ),
  serverRoute('POST /v1/charts/{id}/unarchive', { ...counted, answer: meta, idempotent: true }, (call) =>
    call.ports.catalog('charts.unarchive', target(call)),
  ),
  serverRoute(
    'POST /v1/charts/{id}/panorama-manifests',
    { answer: addPanoramasAnswer, body: panoramasBody, status: 201, budget: budgets.panoramaManifests },
    (call) => call.ports.catalog('charts.add-panoramas', { ...target(call), panoramas: call.body.panoramas }),
  ),
];

/**
 * The refusal of a large save over a state that is not the chart's any more. Another refusal, or none in time, is left to
 * the save itself.
 */
async function staleSave({ ports, principal, request, fields }: Judged<Ports, 'editor'>) {
  const { expectedUpdatedAt } = fields;
  if (typeof expectedUpdatedAt !== 'number') return null;
  const asked = { scope: scopeOf(principal), chartId: request.params[0]!, expectedUpdatedAt };
  const soon = Math.min(request.deadlineAt, ports.clock.elapsed() + staleSaveMsMax);
  const fresh = await ports.catalog('charts.meta', asked, soon);
  return fresh.ok || fresh.refusal.code !== 'conflict' ? null : fresh;
}

function target(call: Call<'server' | 'editor', unknown, null>) {
  return { scope: scopeOf(call.principal), chartId: call.request.params[0]! };
}

/** The safe mode of a designer session; empty without safe mode. */
function safeModeOf({ principal }: EditorCall) {
  return principal.kind === 'designer' && principal.safe ? { safe: principal.safe } : {};
}

function isTooLarge({ principal, request }: EditorCall): boolean {
  return principal.kind === 'designer' && request.body.length > (principal.saveBytesMax ?? Number.POSITIVE_INFINITY);
}

const tooLarge = refuse('payload_too_large', 'The chart is too large for this designer session. Draw fewer objects.');

/** Platforms find their charts by it, so a person with one chart must not take the reference of another. */
const notDrawn = refuse('forbidden', 'A designer session cannot change externalRef. Change it with a secret key.');

function personOf({ principal }: EditorCall) {
  return principal.kind === 'designer' && principal.person ? { person: principal.person } : {};
}

async function publishChart(call: Call<'editor', z.output<typeof publishBody>, null>) {
  const published = await call.ports.catalog('charts.publish', {
    ...target(call),
    ...call.body,
    ...safeModeOf(call),
    askedAt: call.ports.clock.now(),
  });
  if (!published.ok) return published;
  const publisher = {
    caller: callerOf(call.principal),
    organisationId: call.principal.organisationId,
    deadlineAt: call.request.deadlineAt,
  };
  const events = await refreshEvents(call.ports, publisher, newCallId, published.value);
  return done({ meta: published.value.meta, events });
}

/**
 * The ETag is the chart's last-update marker, which never repeats. The front door asks the catalog for the marker
 * first, and does not fetch a document that the reader or its own cache already has.
 */
async function getChart(call: Call<'editor', unknown, null, z.output<typeof chartQuery>>) {
  const { ports, request } = call;
  const known = await ports.catalog('charts.meta', target(call));
  if (!known.ok) return known;
  const etag = etagOf(known.value.meta);
  if (hasEtag(request.ifNoneMatch, etag)) return done(unchanged([['ETag', etag]]));
  const draft = await inTime(call, ports.documents.draft(scopeOf(call.principal), known.value.meta));
  if (!draft.ok) return draft;
  const { meta, categorySeats, document } = draft.value;
  const saves = call.query.saves ? { saves: known.value.saves } : {};
  const body = spliceJson({ meta, categorySeats, ...saves }, { doc: document });
  return done(preparedJson(body, [['ETag', etagOf(meta)]]));
}

function etagOf({ updatedAt }: ChartMeta): string {
  return `"${updatedAt}"`;
}
