/**
 * Charts: drafts, saved only over the state they were made from, and published versions, which never change. A chart
 * belongs to an organisation and has no mode. Lookups give 404 for another organisation's charts.
 */
import type { ChartMeta, Scope } from '@parterre/shared/catalog-api';
import { draftCategorySeats, draftSeatTotal, publishIssues } from '@parterre/shared/chart/compile';
import type { ChartDocument } from '@parterre/shared/chart/document';
import { done, Fault, type Outcome, refuse } from '@parterre/shared/errors';
import { newId, sha256 } from '@parterre/shared/ids';
import { charts, events, projections } from '../collections.ts';
import type { Store, Stored } from '../outbound/store.ts';
import { draftReadAttemptsMax, eventsNamedByPublishMax, pageLimitMax } from '../rules/bounds.ts';
import { changed, checkMarker, checkNotArchived, metaOf, published } from '../rules/chart-state.ts';
import { clampLimit, decodeCursor, encodeCursor, type Position } from '../rules/paging.ts';
import type { ChartRecord, EventDocument } from '../rules/records.ts';
import { emptyDraft, keepDraft, openDraft, textOf } from './chart-documents.ts';
import { change, type OperationTable, type Ports } from './operations.ts';
import { activeWorkspace } from './organisations.ts';

type ChartOperation =
  | 'charts.list'
  | 'charts.create'
  | 'charts.get'
  | 'charts.update'
  | 'charts.duplicate'
  | 'charts.publish'
  | 'charts.archive'
  | 'charts.unarchive'
  | 'charts.delete'
  | 'plans.get';

type ChartPorts = Pick<Ports, 'store' | 'clock'>;

export function createChartOperations(ports: ChartPorts): OperationTable<ChartOperation> {
  const { store } = ports;
  return {
    async 'charts.list'({ scope, page, externalRef, workspaceId, archived = false }) {
      const index = listIndex(workspaceId, externalRef);
      const equal = [scope.organisationId, archived, workspaceId, externalRef].filter((value) => value !== undefined);
      const after = decodeCursor(page.cursor);
      const limit = clampLimit(page.limit);
      const found = await store.page(charts, { index, equal, limit, after, descending: true });
      const metas = found.documents.map(({ id, value }) => metaOf(id, value));
      return done({ charts: metas, ...(found.next && { nextCursor: encodeCursor(found.next) }) });
    },

    async 'charts.create'({ scope, name, doc, externalRef = null, workspaceId }) {
      const workspace = await activeWorkspace(store, scope, workspaceId);
      if (!workspace.ok) return workspace;
      const draft = doc ? await openDraft(doc) : done(await emptyDraft(name));
      if (!draft.ok) return draft;
      const { document, bytes } = draft.value;
      const fields = { workspaceId: workspace.value.id, name, externalRef, seatTotal: draftSeatTotal(document) };
      return done({ meta: await insertChart(ports, scope, fields, bytes) });
    },

    async 'charts.get'({ scope, chartId }) {
      const read = await readChart(store, scope, chartId);
      if (!read.ok) return read;
      const { chart, bytes } = read.value;
      const document = JSON.parse(await textOf(bytes)) as ChartDocument;
      return done({ meta: metaOf(chartId, chart.value), doc: bytes, categorySeats: draftCategorySeats(document) });
    },

    async 'charts.duplicate'({ scope, chartId, externalRef, name, workspaceId }) {
      const read = await readChart(store, scope, chartId);
      if (!read.ok) return read;
      const source = read.value.chart.value;
      const workspace = await activeWorkspace(store, scope, workspaceId ?? source.workspaceId);
      if (!workspace.ok) return workspace;
      const fields = {
        workspaceId: workspace.value.id,
        name: name ?? `${source.name} (copy)`,
        externalRef: externalRef === undefined ? source.externalRef : externalRef,
        seatTotal: source.seatTotal,
      };
      return done({ meta: await insertChart(ports, scope, fields, read.value.bytes) });
    },

    'charts.update': (input) => updateChart(ports, input),
    'charts.publish': ({ scope, chartId }) => publishChart(ports, scope, chartId),
    'charts.archive': ({ scope, chartId }) => setArchived(ports, scope, chartId, true),
    'charts.unarchive': ({ scope, chartId }) => setArchived(ports, scope, chartId, false),
    'charts.delete': ({ scope, chartId }) => deleteChart(ports, scope, chartId),

    async 'plans.get'({ hash }) {
      const doc = await store.getBlob(hash);
      return doc ? done({ doc }) : refuse('not_found', 'There is no such published chart.');
    },
  };
}

/** The chart, if it is the organisation's. */
export async function findChart(store: Store, scope: Scope, chartId: string): Promise<Outcome<Stored<ChartRecord>>> {
  const chart = await store.get(charts, chartId);
  return chart?.value.organisationId === scope.organisationId ? done(chart) : chartUnknown();
}

export function chartUnknown(): Outcome<never> {
  return refuse('chart_not_found', 'There is no such chart.');
}

export function listIndex(workspaceId: string | undefined, externalRef: string | undefined): string {
  if (workspaceId === undefined) return externalRef === undefined ? 'all' : 'byRef';
  return externalRef === undefined ? 'byWorkspace' : 'byWorkspaceAndRef';
}

type NewChart = Pick<ChartRecord, 'workspaceId' | 'name' | 'externalRef' | 'seatTotal'>;

async function insertChart(
  { store, clock }: ChartPorts,
  scope: Scope,
  fields: NewChart,
  bytes: Uint8Array,
): Promise<ChartMeta> {
  const [id, now] = [newId('cht'), clock.now()];
  const chart: ChartRecord = {
    organisationId: scope.organisationId,
    ...fields,
    archived: false,
    deleting: false,
    draft: await keepDraft(store, bytes),
    published: null,
    createdAt: now,
    updatedAt: now,
  };
  if ((await store.insert(charts, id, chart)) === 'duplicate') throw new Fault(`insert chart ${id}: the id is taken`);
  return metaOf(id, chart);
}

/** A chart and its draft's bytes. A draft that is gone has been replaced since the chart was read. */
async function readChart(
  store: Store,
  scope: Scope,
  chartId: string,
): Promise<Outcome<{ chart: Stored<ChartRecord>; bytes: Uint8Array }>> {
  for (let attempt = 0; attempt < draftReadAttemptsMax; attempt++) {
    const chart = await findChart(store, scope, chartId);
    if (!chart.ok) return chart;
    const bytes = await store.getBlob(chart.value.value.draft);
    if (bytes) return done({ chart: chart.value, bytes });
  }
  throw new Fault(`read the draft of chart ${chartId}`);
}

/** Changes a chart of the organisation; anybody else's is unknown. */
function changeChart(
  { store }: ChartPorts,
  scope: Scope,
  chartId: string,
  decide: (chart: ChartRecord) => Outcome<ChartRecord> | Promise<Outcome<ChartRecord>>,
): Promise<Outcome<Stored<ChartRecord>>> {
  return change(store, charts, chartId, chartUnknown, (chart) =>
    chart.organisationId === scope.organisationId ? decide(chart) : chartUnknown(),
  );
}

type ChartUpdate = {
  scope: Scope;
  chartId: string;
  doc?: Uint8Array;
  expectedUpdatedAt?: number;
  name?: string;
  externalRef?: string | null;
};

async function updateChart(ports: ChartPorts, update: ChartUpdate): Promise<Outcome<{ meta: ChartMeta }>> {
  const { store, clock } = ports;
  const { scope, chartId, doc, expectedUpdatedAt, name, externalRef } = update;
  if (doc && expectedUpdatedAt === undefined) {
    return refuse('invalid_request', 'A document needs the updatedAt it was made from.', {
      details: { issues: [{ path: 'expectedUpdatedAt', message: 'Required with doc.' }] },
    });
  }
  const known = await findChart(store, scope, chartId);
  if (!known.ok) return known;
  const opened = doc ? await openDraft(doc) : null;
  if (opened && !opened.ok) return opened;
  const draft = opened && (await keepDraft(store, opened.value.bytes));
  const seatTotal = opened && draftSeatTotal(opened.value.document);

  let replaced = '';
  const written = await changeChart(ports, scope, chartId, (chart) => {
    const permitted = allOf(chart, checkNotArchived, (each) => checkMarker(each, expectedUpdatedAt));
    if (!permitted.ok) return permitted;
    replaced = chart.draft;
    const document = draft !== null && seatTotal !== null ? { draft, seatTotal } : {};
    const details = { ...(name !== undefined && { name }), ...(externalRef !== undefined && { externalRef }) };
    return done(changed(chart, { ...document, ...details }, clock.now()));
  });
  // Exactly one of the two drafts is named by the chart from now on; the other one is garbage.
  if (draft) await store.deleteBlob(written.ok ? replaced : draft);
  return written.ok ? done({ meta: metaOf(chartId, written.value.value) }) : written;
}

function allOf(chart: ChartRecord, ...checks: ((chart: ChartRecord) => Outcome<ChartRecord>)[]): Outcome<ChartRecord> {
  for (const check of checks) {
    const outcome = check(chart);
    if (!outcome.ok) return outcome;
  }
  return done(chart);
}

async function publishChart(
  ports: ChartPorts,
  scope: Scope,
  chartId: string,
): Promise<Outcome<{ meta: ChartMeta; events: { refreshed: string[]; needsUpdate: string[] } }>> {
  const { store, clock } = ports;
  const written = await changeChart(ports, scope, chartId, async (chart) => {
    const permitted = checkNotArchived(chart);
    if (!permitted.ok) return permitted;
    const bytes = await store.getBlob(chart.draft);
    if (!bytes) {
      const now = await store.get(charts, chartId);
      if (now?.value.draft === chart.draft) throw new Fault(`read the draft of chart ${chartId}`);
      // The draft was replaced meanwhile: the write of this same record is refused as stale, and all is decided again.
      return done({ ...chart });
    }
    const text = await textOf(bytes);
    const document = JSON.parse(text) as ChartDocument;
    const issues = publishIssues(document);
    if (issues.length > 0) {
      return refuse('invalid_chart', 'The chart cannot be published as it is.', { details: { issues } });
    }
    const hash = sha256(text);
    await store.putBlob(hash, bytes);
    return done(published(chart, { hash, name: chart.name, seatTotal: draftSeatTotal(document) }, clock.now()));
  });
  if (!written.ok) return written;
  const chart = written.value.value;
  const needsUpdate = await eventsBehind(store, chartId, chart.published?.hash ?? '');
  return done({ meta: metaOf(chartId, chart), events: { refreshed: [], needsUpdate } });
}

/** Keys of the chart's mutable events that are pinned to another version than `hash`. */
async function eventsBehind(store: Store, chartId: string, hash: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const event of undeletedEvents(store, chartId)) {
    if (event.status !== 'archived' && event.value.planHash !== hash) keys.push(event.id);
    if (keys.length === eventsNamedByPublishMax) break;
  }
  return keys;
}

/** The chart's events but the deleted ones, page by page. */
async function* undeletedEvents(
  store: Store,
  chartId: string,
): AsyncGenerator<Stored<EventDocument> & { status: EventDocument['status'] }> {
  let after: Position | undefined;
  do {
    const page = await store.page(events, { index: 'byChart', equal: [chartId], limit: pageLimitMax, after });
    const ids = page.documents.map(({ id }) => id);
    const known = new Map((await store.getMany(projections, ids)).map(({ id, value }) => [id, value]));
    for (const event of page.documents) {
      const status = known.get(event.id)?.status ?? event.value.status;
      if (status !== 'deleted') yield { ...event, status };
    }
    after = page.next ?? undefined;
  } while (after);
}

async function setArchived(
  ports: ChartPorts,
  scope: Scope,
  chartId: string,
  archived: boolean,
): Promise<Outcome<{ meta: ChartMeta }>> {
  const written = await changeChart(ports, scope, chartId, (chart) =>
    done(chart.archived === archived ? chart : changed(chart, { archived }, ports.clock.now())),
  );
  return written.ok ? done({ meta: metaOf(chartId, written.value.value) }) : written;
}

/**
 * Two steps, so that an event created meanwhile is never left without its chart: the chart is marked, then its events
 * are looked for; events.create inserts, then looks for the mark. At least one of the two sees the other. A chart
 * whose delete stopped half-way is deleted by the next try, or freed of the mark by any other write.
 */
async function deleteChart(ports: ChartPorts, scope: Scope, chartId: string): Promise<Outcome<{ ok: true }>> {
  const { store } = ports;
  const marked = await changeChart(ports, scope, chartId, (chart) => done({ ...chart, deleting: true }));
  if (!marked.ok) return marked;
  const inUse = () => refuse('chart_in_use', 'An event uses the chart.');
  const { done: unused } = await undeletedEvents(store, chartId).next();
  if (!unused) {
    await store.replace(charts, chartId, marked.value.version, { ...marked.value.value, deleting: false });
    return inUse();
  }
  const removed = await store.delete(charts, chartId, marked.value.version);
  if (removed === 'stale') {
    return refuse('conflict', 'The chart was changed while it was being deleted.', { reason: 'stale_chart' });
  }
  await store.deleteBlob(marked.value.value.draft);
  return done({ ok: true });
}
