/**
 * Charts: drafts, publishing, archive, and new charts from templates of venues. Documents travel to and from the
 * catalog gzipped. They are never parsed on the way out.
 */

import { draftSeatTotal } from '@parterre/shared/charts/compile';
import type { ChartDocument } from '@parterre/shared/charts/document';
import { droppedScopes } from '@parterre/shared/charts/scopes';
import { drawTemplate, type Template, templates, usualSizes } from '@parterre/shared/charts/templates/templates';
import type { Answers } from '@parterre/shared/protocol/answers';
import type { ChartMeta } from '@parterre/shared/protocol/catalog/charts';
import type { CatalogOutput } from '@parterre/shared/protocol/catalog-api';
import type { Caller, Command } from '@parterre/shared/protocol/commands';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import {
  chartBodyBytesMax,
  chartRefreshDeadlineMs,
  chartRefreshOfEventMs,
  documentNestingMax,
  listCountsDeadlineMs,
  panoramaSeatsMax,
  panoramasMax,
  panoramaUrlLengthMax,
  previewedEventsMax,
  previewedLabelsMax,
  publishDeadlineMs,
  staleSaveMsMax,
} from '@parterre/shared/protocol/limits';
import { z } from 'zod';
import { budgets, callIdOf, type Judged, scopeOf } from '../admission/admission.ts';
import { hasEtag, preparedJson, spliceJson, unchanged } from '../answers/answers.ts';
import { packDocument } from '../caches/caches.ts';
import { standIn } from '../openapi/openapi.ts';
import { callerOf, inTime, newCallId } from './calls/ask.ts';
import type { Ports } from './calls/ports.ts';
import { cursor, isOne, limit, namedIn, pageOf, text as textOfQuery } from './calls/query.ts';
import { type Call, editorRoute, serverRoute, type WithPath } from './calls/route.ts';
import {
  chartMeta,
  count,
  epochMs,
  externalRef,
  id,
  idOf,
  issue,
  mode,
  name,
  nextCursor,
  ok,
  optional,
  panorama,
  priceUnit,
  saves,
  text,
} from './records.ts';

const listChartsAnswer = z.object({ charts: z.array(chartMeta), nextCursor });

const chartsQuery = z.object({
  limit: limit({ usual: 100, most: 200 }),
  cursor,
  externalRef: textOfQuery('Only charts with this externalRef.'),
  workspaceId: textOfQuery('Only charts of this workspace.'),
  archived: isOne('1 lists archived charts instead of the others.'),
});

const listCharts = serverRoute(
  'GET /v1/charts',
  {
    budget: budgets.serverCalls,
    answer: listChartsAnswer,
    query: chartsQuery,
    description: {
      operationId: 'listCharts',
      tag: 'Charts',
      summary: 'The charts in scope',
      description: 'A limit out of range is clamped. An unreadable cursor starts from the beginning.',
      examples: [
        { summary: 'The first page' },
        { summary: 'Two of a workspace', query: { workspaceId: standIn.workspace, limit: '2' } },
        { summary: 'The archive', query: { archived: '1' } },
      ],
    },
  },
  ({ ports, principal, query }) =>
    ports.catalog('charts.list', {
      scope: scopeOf(principal),
      page: pageOf(query),
      archived: query.archived,
      ...namedIn(query),
    }),
);

const meta = z.object({ meta: chartMeta });

/** Any object. The catalog checks its structure with the schema that the description refers to. */
export const chartDocument = z
  .custom<object>(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    'Must be a chart document, which is an object.',
  )
  .refine(
    (document) => !nestsDeeper(document, documentNestingMax),
    `Must nest at most ${documentNestingMax} levels deep.`,
  )
  .meta({ $ref: '#/components/schemas/ChartDocument' });

function nestsDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((child) => nestsDeeper(child, depth - 1));
}

const chartBody = z.object({
  name,
  doc: optional(chartDocument),
  priceUnit: optional(priceUnit.describe('Of `doc`, which need not name it again.')),
  externalRef: optional(externalRef.nullable()),
  workspaceId: optional(id),
});

/**
 * The chart of the examples: two rows of seats to hold and book, a row that is not sold, a standing area and a table.
 */
export const exampleHall = {
  version: 1,
  name: 'Small hall',
  venueType: 'MIXED',
  focalPoint: { x: 190, y: -40 },
  categories: [
    { key: 'stalls', label: 'Stalls', color: '#336699', price: 20 },
    {
      key: 'balcony',
      label: 'Balcony',
      color: '#993366',
      tiers: [
        { id: 'adult', name: 'Adult', price: 30 },
        { id: 'child', name: 'Child', price: 15 },
        { id: 'loop', name: 'Hearing loop', price: 15, applicability: { seatLabels: ['B-19', 'B-20'] } },
        { id: 'companion', name: 'Companion', price: 0, restriction: 'companion' },
      ],
    },
    { key: 'house', label: 'House seats', color: '#999999', price: 0, notForSale: true },
  ],
  objects: [
    row('row-a', 'A', 0, 'stalls'),
    row('row-b', 'B', 30, 'balcony'),
    row('row-c', 'C', -30, 'house'),
    {
      type: 'gaArea',
      id: 'floor',
      label: 'Floor',
      points: [
        { x: 0, y: 60 },
        { x: 380, y: 60 },
        { x: 380, y: 160 },
        { x: 0, y: 160 },
      ],
      capacity: 30,
      categoryKey: 'stalls',
    },
    {
      type: 'table',
      id: 'table-1',
      label: 'T1',
      center: { x: 500, y: 400 },
      shape: 'round',
      seatCount: 6,
      rotation: 0,
      categoryKey: 'stalls',
    },
  ],
};

function row(id: string, label: string, y: number, categoryKey: string) {
  return { type: 'row', id, label, origin: { x: 0, y }, seatCount: 20, seatSpacing: 20, categoryKey };
}

const createChart = serverRoute(
  'POST /v1/charts',
  {
    budget: budgets.serverCalls,
    answer: meta,
    body: chartBody,
    idempotent: true,
    status: 201,
    bodyBytesMax: chartBodyBytesMax,
    documentField: 'doc',
    description: {
      operationId: 'createChart',
      tag: 'Charts',
      summary: 'Create a chart, as a draft',
      description:
        'Saving a draft checks its structure; publishing checks its meaning. Without `doc` the draft is empty.',
      refusals: ['workspace_not_found_or_disabled'],
      examples: [
        { summary: 'A small hall', body: { name: 'Small hall', doc: exampleHall } },
        { summary: 'An empty chart', body: { name: 'Studio', externalRef: 'venue-12' } },
        { summary: 'With prices such as 12.50', body: { name: 'Studio', priceUnit: 'minor' } },
        { summary: 'Without a name', body: {}, answers: 'invalid_request' },
        {
          summary: 'In an unknown workspace',
          body: { name: 'Studio', workspaceId: 'ws_0' },
          answers: 'workspace_not_found_or_disabled',
        },
      ],
    },
  },
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
);

const getChartAnswer = z.object({
  meta: chartMeta,
  categorySeats: z.record(z.string(), count),
  saves: optional(saves).describe('With `saves=1`: the last ten saves of the document, the newest last.'),
  doc: chartDocument,
});

const chartQuery = z.object({
  saves: isOne('1 adds `saves`: the last saves of the document, each with the person of its designer session.'),
});

const unknownChart = {
  summary: 'An unknown chart',
  path: { id: 'cht_0' },
  answers: 'chart_not_found',
} as const;

const getChartRoute = editorRoute(
  'GET /v1/charts/{id}',
  {
    budget: budgets.serverCalls,
    answer: getChartAnswer,
    query: chartQuery,
    authority: 'read-only',
    description: {
      operationId: 'getChart',
      tag: 'Charts',
      summary: 'A chart with its document',
      description:
        '`categorySeats` counts the places that each category sells: seats, booths, whole tables by capacity, and ' +
        'places of areas.',
      headers: ['ETag'],
      refusals: ['chart_not_found'],
      examples: [{ summary: 'The chart' }, unknownChart],
    },
  },
  getChart,
);

/**
 * The ETag is the chart's last-update marker, which never repeats. The front door asks the catalog for the marker
 * first, and does not fetch a document that the reader or its own cache already has.
 */
async function getChart(call: Call<'editor', unknown, null, z.output<typeof chartQuery>> & WithPath<'id'>) {
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

function target(call: Call<'server' | 'editor', unknown, null> & WithPath<'id'>) {
  return { scope: scopeOf(call.principal), chartId: call.path.id };
}

function etagOf({ updatedAt }: ChartMeta): string {
  return `"${updatedAt}"`;
}

const chartUpdateBody = z
  .object({
    doc: optional(chartDocument),
    expectedUpdatedAt: optional(z.int()),
    name: optional(name),
    externalRef: optional(externalRef.nullable()),
  })
  .refine((body) => body.doc === undefined || body.expectedUpdatedAt !== undefined, {
    message: 'A document needs expectedUpdatedAt, the updatedAt of the version that it was made from.',
    path: ['expectedUpdatedAt'],
  })
  .refine((body) => body.doc !== undefined || body.name !== undefined || body.externalRef !== undefined, {
    message: 'Send doc, name or externalRef.',
    path: ['doc'],
  });

const tooLarge = refuse('payload_too_large', 'The chart is too large for this designer session. Draw fewer objects.');

/** Platforms find their charts by it, so a person with one chart must not take the reference of another. */
const notDrawn = refuse('forbidden', 'A designer session cannot change externalRef. Change it with a secret key.');

const updateChart = editorRoute(
  'PUT /v1/charts/{id}',
  {
    budget: budgets.serverCalls,
    answer: meta,
    authority: 'edit',
    body: chartUpdateBody,
    idempotent: true,
    bodyBytesMax: chartBodyBytesMax,
    documentField: 'doc',
    judgeFields: staleSave,
    description: {
      operationId: 'updateChart',
      tag: 'Charts',
      summary: "Replace a chart's document, or change its name or externalRef",
      description:
        'A document needs the `updatedAt` of the version that it was made from; if the draft has changed since, the ' +
        'answer is 409, and `savedSince` tells who saved. In a designer session in safe mode, a document that changes the identity of units of the ' +
        'published version is refused (409 with reason `safe_mode` and `labels`). A label must stay on its seat. A ' +
        'seat may be removed only with allowDeletingObjects. The capacity of an area, or the number of guests of a ' +
        'table that is sold as a whole, may change only with allowEditingAreaCapacity; such a table may lose chairs ' +
        'only with both options. A chart that was never published may change freely. A designer session cannot change ' +
        'externalRef (403).',
      refusals: ['chart_not_found', 'conflict'],
      examples: [
        {
          summary: 'A new document',
          path: { id: standIn.draftChart },
          body: { doc: exampleHall, expectedUpdatedAt: standIn.chartVersion },
        },
        { summary: 'Another name', body: { name: 'Large hall' } },
        {
          summary: 'From an outdated document',
          body: { doc: exampleHall, expectedUpdatedAt: 1 },
          answers: 'conflict',
        },
        { ...unknownChart, body: { name: 'Large hall' } },
        { summary: 'A document without expectedUpdatedAt', body: { doc: exampleHall }, answers: 'invalid_request' },
      ],
    },
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
);

/**
 * The refusal of a large save over a state that is not the chart's any more. Another refusal, or none in time, is left
 * to the save itself.
 */
async function staleSave({ ports, principal, request, path, fields }: Judged<Ports, 'editor'>) {
  const { expectedUpdatedAt } = fields;
  if (typeof expectedUpdatedAt !== 'number') return null;
  const asked = { scope: scopeOf(principal), chartId: path.id!, expectedUpdatedAt };
  const soon = Math.min(request.deadlineAt, ports.clock.elapsed() + staleSaveMsMax);
  const fresh = await ports.catalog('charts.meta', asked, soon);
  return fresh.ok || fresh.refusal.code !== 'conflict' ? null : fresh;
}

type EditorCall = Call<'editor', unknown, null>;

function isTooLarge({ principal, request }: EditorCall): boolean {
  return principal.kind === 'designer' && request.body.length > (principal.saveBytesMax ?? Number.POSITIVE_INFINITY);
}

/** The safe mode of a designer session; empty without safe mode. */
function safeModeOf({ principal }: EditorCall) {
  return principal.kind === 'designer' && principal.safe ? { safe: principal.safe } : {};
}

function personOf({ principal }: EditorCall) {
  return principal.kind === 'designer' && principal.person ? { person: principal.person } : {};
}

const deleteChartAnswer = z.object({ ok });

const deleteChart = serverRoute(
  'DELETE /v1/charts/{id}',
  {
    budget: budgets.serverCalls,
    answer: deleteChartAnswer,
    idempotent: true,
    description: {
      operationId: 'deleteChart',
      tag: 'Charts',
      summary: 'Delete a chart that no event uses',
      description:
        'The chart with its draft and all published versions. A chart that an event uses is answered 409 ' +
        '`chart_in_use`: archive it instead.',
      refusals: ['chart_not_found', 'chart_in_use', 'conflict'],
      examples: [
        { summary: 'An unused chart', path: { id: standIn.unusedChart } },
        { summary: 'A chart with an event', answers: 'chart_in_use' },
        unknownChart,
      ],
    },
  },
  (call) => call.ports.catalog('charts.delete', target(call)),
);

const duplicateBody = z.object({
  name: optional(name),
  externalRef: optional(externalRef.nullable()),
  workspaceId: optional(id),
});

const duplicateChart = serverRoute(
  'POST /v1/charts/{id}/duplicate',
  {
    budget: budgets.serverCalls,
    answer: meta,
    body: duplicateBody,
    idempotent: true,
    bodyOptional: true,
    description: {
      operationId: 'duplicateChart',
      tag: 'Charts',
      summary: 'Copy a chart as a new draft',
      description: 'An absent externalRef is inherited, null clears it, a value replaces it.',
      refusals: ['chart_not_found', 'workspace_not_found_or_disabled'],
      examples: [
        { summary: 'Unchanged' },
        { summary: 'Under another name', body: { name: 'Small hall, without the balcony', externalRef: null } },
        unknownChart,
      ],
    },
  },
  (call) => call.ports.catalog('charts.duplicate', { ...target(call), ...call.body, ...callIdOf(call) }),
);

const publishWarnings = z
  .array(z.object({ code: z.literal('missing_price'), path: z.string(), message: z.string() }))
  .describe('Faults that do not keep the chart from being published: categories that sell places and have no price.');

const publishChartAnswer = z.object({
  meta: chartMeta,
  events: z.object({ refreshed: z.array(z.string()), needsUpdate: z.array(z.string()) }),
  warnings: publishWarnings,
});

const publishBody = z.object({
  expectedUpdatedAt: optional(
    z.int().describe('The `updatedAt` of the state to publish, as a preview tells it. Another state is not published.'),
  ),
});

/** The caller of the publish, its tenant, and the deadline of its request in `Clock.elapsed`. */
type Publisher = { caller: Caller; organisationId: string; deadlineAt: number };

type Published = Pick<CatalogOutput<'charts.publish'>, 'version' | 'behind'> & { chartId: string };

const publishChartRoute = editorRoute(
  'POST /v1/charts/{id}/publish',
  {
    budget: budgets.serverCalls,
    answer: publishChartAnswer,
    authority: 'publish',
    idempotent: true,
    deadlineMs: publishDeadlineMs,
    body: publishBody,
    bodyOptional: true,
    description: {
      operationId: 'publishChart',
      tag: 'Charts',
      summary: 'Publish the draft',
      description:
        'A published version never changes and is named by its SHA-256. `refreshed` lists the events that moved to it. ' +
        '`needsUpdate` lists the events that wait for update-chart: some of their units are held, booked, blocked or ' +
        'assigned to a channel, or they hide, close or have a rule for a section or zone that this version lacks. ' +
        "Both lists have events of the key's mode, in a designer session of the mode of the key that minted it; a " +
        'dashboard session gets both modes. Events of the other mode ' +
        'stay behind until update-chart, or until the chart is published with a key of their mode. Publishing an ' +
        'unchanged draft again makes no version, and refreshes the events that are behind. A designer session in ' +
        'safe mode publishes only changes that it may save. With `expectedUpdatedAt`, a draft that was changed since is ' +
        'not published (409 with reason `stale_chart`).',
      refusals: ['chart_not_found', 'invalid_chart', 'conflict'],
      examples: [
        { summary: 'Publish it', path: { id: standIn.unusedChart } },
        {
          summary: 'Another state than the one that was looked at',
          path: { id: standIn.unusedChart },
          body: { expectedUpdatedAt: 1 },
          answers: 'conflict',
        },
        { summary: 'A draft that sells nothing', path: { id: standIn.draftChart }, answers: 'invalid_chart' },
        unknownChart,
      ],
    },
  },
  publishChart,
);

async function publishChart(call: Call<'editor', z.output<typeof publishBody>, null> & WithPath<'id'>) {
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
  const events = await refreshEvents(call.ports, publisher, newCallId, {
    ...published.value,
    chartId: call.path.id,
  });
  const { meta, warnings = [] } = published.value;
  return done({ meta, events, warnings });
}

/**
 * After a publish, each event on an older version takes the new version by itself if none of its units is held, booked,
 * blocked or assigned to a channel.
 *
 * States of an event: waiting → asked → refreshed, or needing an update. An event needs an update if its actor refuses,
 * if its owner does not answer in time, or if it was not asked before the publish had to answer. A front door asks only
 * a few events at once, for all publishes together: more commands would only wait for each other at the owners, ahead
 * of sales. Organisations take turns, so the many events of one chart delay another organisation's publish by little.
 * An actor whose answer is lost may still move its event. The publish then names the event as needing an update, and
 * update-chart answers `updated: false`.
 */
export async function refreshEvents(
  { shards, events, clock, chartRefreshes }: Ports,
  { caller, organisationId, deadlineAt: requestEndsAt }: Publisher,
  newCallId: () => string,
  { version, behind, chartId }: Published,
): Promise<{ refreshed: string[]; needsUpdate: string[] }> {
  const deadlineAt = Math.min(requestEndsAt, clock.elapsed() + chartRefreshDeadlineMs);
  const refreshed = new Set<string>();
  async function refresh(event: Published['behind'][number]): Promise<void> {
    const now = clock.elapsed();
    if (now >= deadlineAt) return;
    // An event that has left the chart meanwhile does not follow.
    const named = { ...version, chartId, fromChart: chartId, onlyIfIdle: true } as const;
    const command = { type: 'update-chart', callId: newCallId(), ...named } as const;
    const refreshBy = Math.min(deadlineAt, now + chartRefreshOfEventMs);
    const answer = await shards.submit({ ...event, organisationId }, caller, command, refreshBy);
    if (!answer.ok) return;
    events.drop(event.key);
    refreshed.add(event.key);
  }
  await Promise.all(behind.map((event) => chartRefreshes(organisationId, () => refresh(event))));
  const keys = behind.map(({ key }) => key);
  return {
    refreshed: keys.filter((key) => refreshed.has(key)),
    needsUpdate: keys.filter((key) => !refreshed.has(key)),
  };
}

const previewPublishAnswer = z.object({
  meta: chartMeta,
  isNew: z.boolean().describe('False if the draft is the published version: a publish makes no version.'),
  issues: z.array(issue).describe('The faults for which a publish is refused.'),
  warnings: publishWarnings,
  events: z.array(
    z.object({
      key: text,
      name: text,
      mode,
      status: z.enum(['active', 'closed']),
      outcome: z
        .enum(['refresh', 'needsUpdate', 'current', 'unknown'])
        .describe(
          '`refresh`: the event takes the version by itself. `needsUpdate`: the event waits for update-chart. ' +
            '`current`: the event has this chart. `unknown`: the event did not answer in time.',
        ),
      reasons: z
        .array(z.enum(['in_use', 'channels', 'own_chart', 'scopes_would_drop', 'locked']))
        .describe(
          'Why the event does not follow by itself: units are held, booked or blocked; units are assigned to channels; ' +
            'the event has a chart of its own; it hides, closes or has a rule for a section or zone that the draft ' +
            'lacks; a group or season sells it.',
        ),
      vanishing: z
        .object({
          count,
          labels: z.array(text).max(previewedLabelsMax),
          taken: z
            .array(text)
            .describe('Those of `labels` that are held, booked or reserved: update-chart is refused.'),
        })
        .nullable()
        .describe('The units of the event that the draft lacks. Null where the charts were not compared.'),
    }),
  ),
  truncated: z.boolean().describe(`True if the chart has more than ${previewedEventsMax} events.`),
});

type Preview = CatalogOutput<'charts.preview-publish'>;

type Listed = Preview['events'][number];

type Ask = <C extends Command>(event: Listed, command: C) => Promise<Outcome<Answers[C['type']]>>;

type Reason = 'in_use' | 'channels' | 'own_chart' | 'scopes_would_drop' | 'locked';

const taken = new Set(['held', 'booked', 'reserved']);

const previewPublishRoute = editorRoute(
  'GET /v1/charts/{id}/publish-preview',
  {
    budget: budgets.serverCalls,
    answer: previewPublishAnswer,
    authority: 'publish',
    description: {
      operationId: 'previewPublish',
      tag: 'Charts',
      summary: 'What a publish would do',
      description:
        "The faults of the draft, and the chart's events that are not archived, with what the publish would do to each. It " +
        "changes nothing. The list has events of the key's mode, as the answer of a publish has.",
      refusals: ['chart_not_found'],
      examples: [{ summary: 'Of a chart with an event' }, unknownChart],
    },
  },
  previewPublish,
);

/**
 * The effects of a publish of the draft on the events that use the chart. The catalog gives the draft's faults and the
 * units that each event's chart would lose; the actors give the counts that decide. A preview reads alone: a publish
 * decides again.
 *
 * States of an event: listed → counted → (idle) asked for its locks, or (units vanish) asked for those units → told. If
 * an answer does not come in time, the event is told as unknown, and delays no other event.
 */
async function previewPublish(call: Call<'editor', unknown, null> & WithPath<'id'>) {
  const { ports, principal, request, path } = call;
  const looked = await ports.catalog('charts.preview-publish', {
    scope: scopeOf(principal),
    chartId: path.id,
  });
  if (!looked.ok) return looked;
  const deadlineAt = Math.min(request.deadlineAt, ports.clock.elapsed() + listCountsDeadlineMs);
  const ask: Ask = (event, command) =>
    ports.shards.submit(
      { ...event, organisationId: principal.organisationId },
      callerOf(principal),
      command,
      deadlineAt,
    );
  const { meta, isNew, issues, warnings = [], truncated } = looked.value;
  const told = await Promise.all(looked.value.events.map((event) => eventOf(event, looked.value, ask)));
  return done({ meta, isNew, issues, warnings, events: told.filter((event) => event !== null), truncated });
}

async function eventOf(event: Listed, preview: Preview, ask: Ask) {
  const { key, name, mode } = event;
  const known = { key, name, mode, status: event.status === 'closed' ? ('closed' as const) : ('active' as const) };
  const counted = await ask(event, { type: 'count' });
  if (!counted.ok) return { ...known, outcome: 'unknown' as const, reasons: [], vanishing: null };
  const { planHash } = counted.value;
  if (counted.value.status === 'deleted' || counted.value.status === 'archived') return null;
  if (planHash === preview.hash) return { ...known, outcome: 'current' as const, reasons: [], vanishing: null };
  const reasons = reasonsOf(counted.value, preview.scopeIds);
  if (reasons.length === 0) {
    const looked = await ask(event, { type: 'inspect-locks' });
    if (!looked.ok) return { ...known, outcome: 'unknown' as const, reasons, vanishing: null };
    if (looked.value.locks.length > 0) reasons.push('locked');
  }
  const outcome = reasons.length === 0 ? ('refresh' as const) : ('needsUpdate' as const);
  return { ...known, outcome, reasons, vanishing: await vanishingOf(event, preview.vanishing[planHash], ask) };
}

/** The reasons for which the event does not follow a publish by itself. */
function reasonsOf(counted: Answers['count'], scopeIds: readonly string[]): Reason[] {
  const { held, booked, blocked } = counted.counts;
  const plan = { scopeIds: new Set(scopeIds) };
  return [
    ...(held + booked + blocked > 0 ? (['in_use'] as const) : []),
    ...((counted.privateUnits ?? 0) > 0 ? (['channels'] as const) : []),
    ...(counted.adjusted ? (['own_chart'] as const) : []),
    ...(droppedScopes(plan, counted.ruledScopes ?? [], counted.sectionStates).length > 0
      ? (['scopes_would_drop'] as const)
      : []),
  ];
}

async function vanishingOf(event: Listed, vanishing: Preview['vanishing'][string] | undefined, ask: Ask) {
  if (!vanishing) return null;
  if (vanishing.count === 0) return { ...vanishing, taken: [] };
  const selections = vanishing.labels.map((label) => ({ label }));
  const looked = await ask(event, { type: 'inspect-units', selections });
  const units = looked.ok ? looked.value.units : [];
  return { ...vanishing, taken: units.filter(({ status }) => taken.has(status ?? '')).map(({ label }) => label) };
}

const archiveChart = serverRoute(
  'POST /v1/charts/{id}/archive',
  {
    budget: budgets.serverCalls,
    answer: meta,
    idempotent: true,
    description: {
      operationId: 'archiveChart',
      tag: 'Charts',
      summary: 'Archive a chart',
      description:
        'The chart leaves the usual list, and no new event can use it. Its events go on. A repeat changes ' +
        'nothing.',
      refusals: ['chart_not_found', 'conflict'],
      examples: [{ summary: 'Archive it', path: { id: standIn.unusedChart } }, unknownChart],
    },
  },
  (call) => call.ports.catalog('charts.archive', target(call)),
);

const unarchiveChart = serverRoute(
  'POST /v1/charts/{id}/unarchive',
  {
    budget: budgets.serverCalls,
    answer: meta,
    idempotent: true,
    description: {
      operationId: 'unarchiveChart',
      tag: 'Charts',
      summary: 'Take a chart out of the archive',
      description:
        'The chart is in the usual list again, with its draft and its published version. A repeat changes ' +
        'nothing.',
      refusals: ['chart_not_found', 'conflict'],
      examples: [{ summary: 'Unarchive it', path: { id: standIn.archivedChart } }, unknownChart],
    },
  },
  (call) => call.ports.catalog('charts.unarchive', target(call)),
);

const addPanoramasAnswer = z.object({
  manifest: z.object({
    id: z.string(),
    chartId: idOf('cht'),
    version: z.int().min(1),
    panoramas: z.array(panorama),
    createdAt: epochMs,
  }),
});

/** The longest seat id: an object's id, a colon and an index. */
const SEAT_ID_LENGTH_MAX = 256;

const chartPanorama = z
  .object({
    id,
    url: z.url({ protocol: /^https$/, error: 'Must be an https address.' }).max(panoramaUrlLengthMax),
    rowId: optional(id),
    sectionId: optional(id),
    seatIds: optional(z.array(z.string().min(1).max(SEAT_ID_LENGTH_MAX)).min(1).max(panoramaSeatsMax)),
  })
  .refine(({ rowId, sectionId, seatIds }) => [rowId, sectionId, seatIds].filter((each) => each).length <= 1, {
    message: 'Name only one of a row, a section or seats.',
  });

const panoramasBody = z.object({ panoramas: z.array(chartPanorama).min(1).max(panoramasMax) });

const addPanoramas = serverRoute(
  'POST /v1/charts/{id}/panorama-manifests',
  {
    answer: addPanoramasAnswer,
    body: panoramasBody,
    status: 201,
    budget: budgets.panoramaManifests,
    description: {
      operationId: 'addPanoramas',
      tag: 'Charts',
      summary: 'Set the addresses of the views from seats',
      description:
        "Each call makes the next version of the chart's manifest. A panorama belongs to a row, a section or seats " +
        '(`{objectId}:{index}`) of the draft, or to no place in particular.',
      refusals: ['chart_not_found', 'conflict'],
      examples: [
        {
          summary: 'Of a row and of two seats',
          path: { id: standIn.unusedChart },
          body: {
            panoramas: [
              { id: 'row-a', url: 'https://panoramas.example/row-a.jpg', rowId: 'row-a' },
              { id: 'aisle', url: 'https://panoramas.example/aisle.jpg', seatIds: ['row-b:0', 'row-b:1'] },
            ],
          },
        },
        {
          summary: 'Of a row that the chart lacks',
          path: { id: standIn.unusedChart },
          body: { panoramas: [{ id: 'row-z', url: 'https://panoramas.example/row-z.jpg', rowId: 'row-z' }] },
          answers: 'invalid_request',
        },
        {
          ...unknownChart,
          body: { panoramas: [{ id: 'row-a', url: 'https://panoramas.example/row-a.jpg' }] },
        },
      ],
    },
  },
  (call) => call.ports.catalog('charts.add-panoramas', { ...target(call), panoramas: call.body.panoramas }),
);

const size = z.object({
  name: z.string().describe('The name of the size in `sizes` of a new chart.'),
  label: z.string().describe('A name for people, in English.'),
  min: count,
  max: count,
  default: count.describe('The size where a new chart names none.'),
});

export const listTemplatesAnswer = z.object({
  templates: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      description: z.string(),
      sizes: z.array(size),
      seatTotal: count.describe('The units of a chart in usual sizes. A table that is sold as a whole is one unit.'),
    }),
  ),
});

const listTemplatesRoute = serverRoute(
  'GET /v1/templates',
  {
    budget: budgets.serverCalls,
    answer: listTemplatesAnswer,
    description: {
      operationId: 'listTemplates',
      tag: 'Charts',
      summary: 'Venues to start from',
      description: 'Each template draws a kind of venue in sizes of your choice.',
      examples: [{ summary: 'All templates' }],
    },
  },
  () => done(listTemplates()),
);

type TemplateAnswer = ReturnType<typeof tell>;

function tell(template: Template) {
  const { id, name, description, sizes } = template;
  return { id, name, description, sizes: [...sizes], seatTotal: draftSeatTotal(template.draw(usualSizes(template))) };
}

/** Made at the first request: the usual charts are drawn to be counted. */
let told: { templates: TemplateAnswer[] } | null = null;

/** Templates as the API tells them and draws them. */
export function listTemplates(): { templates: TemplateAnswer[] } {
  told ??= { templates: templates.map(tell) };
  return told;
}

/** Any values: the template itself checks them, so that an answer lists every fault. */
export const sizes = z
  .record(z.string(), z.unknown())
  .describe('Whole numbers by the names of sizes. A size that is not named is usual.')
  .meta({ additionalProperties: { type: 'integer' } });

const instantiateBody = z.object({
  sizes: optional(sizes),
  name: optional(name),
  workspaceId: optional(id),
  externalRef: optional(externalRef.nullable()),
});

const instantiateTemplate = serverRoute(
  'POST /v1/templates/{id}/instantiate',
  {
    budget: budgets.serverCalls,
    answer: meta,
    body: instantiateBody,
    bodyOptional: true,
    idempotent: true,
    status: 201,
    description: {
      operationId: 'instantiateTemplate',
      tag: 'Charts',
      summary: 'Create a chart from a template, as a draft',
      description:
        'The draft can be published as it is, and changed like any other chart. Without `name` the chart has the name of ' +
        'the template. The document remembers the template and its sizes in `template`.',
      refusals: ['not_found', 'workspace_not_found_or_disabled'],
      examples: [
        { summary: 'A theatre in usual sizes', path: { id: 'theatre' } },
        {
          summary: 'A large cabaret',
          path: { id: 'cabaret' },
          body: { sizes: { tables: 60, seatsPerTable: 6 }, name: 'Winter garden', externalRef: 'venue-14' },
        },
        {
          summary: 'Sizes that the template does not have',
          path: { id: 'theatre' },
          body: { sizes: { rows: 1_000, tables: 4 } },
          answers: 'invalid_request',
        },
        { summary: 'An unknown template', path: { id: 'moon-base' }, answers: 'not_found' },
        {
          summary: 'In an unknown workspace',
          path: { id: 'theatre' },
          body: { workspaceId: 'ws_0' },
          answers: 'workspace_not_found_or_disabled',
        },
      ],
    },
  },
  async (call) => {
    const { sizes, name, ...named } = call.body;
    const drawn = drawNamed(call.path.id, sizes, name);
    if (!drawn.ok) return drawn;
    return call.ports.catalog('charts.create', {
      scope: scopeOf(call.principal),
      ...named,
      name: drawn.value.name,
      doc: await packDocument(drawn.value),
      ...callIdOf(call),
    });
  },
);

const unknownTemplate = refuse('not_found', 'There is no such template. GET /v1/templates lists them.');

/** The chart of a template, under the template's name if it gets none. */
export function drawNamed(
  templateId: string,
  sizes: Readonly<Record<string, unknown>> = {},
  name?: string,
): Outcome<ChartDocument> {
  const template = templates.find(({ id }) => id === templateId);
  if (!template) return unknownTemplate;
  const drawn = drawTemplate(template, sizes);
  if ('document' in drawn) return done({ ...drawn.document, name: name ?? template.name });
  const { issues } = drawn;
  return refuse('invalid_request', 'The template cannot be drawn in these sizes.', { details: { issues } });
}

export const chartsRoutes = [
  listCharts,
  createChart,
  getChartRoute,
  updateChart,
  deleteChart,
  duplicateChart,
  publishChartRoute,
  previewPublishRoute,
  archiveChart,
  unarchiveChart,
  addPanoramas,
];

export const templatesRoutes = [listTemplatesRoute, instantiateTemplate];
