/**
 * Charts: drafts, which are saved only over the state that they were made from, and published versions, which never
 * change. A chart belongs to a workspace and has no mode. Look-ups answer 404 for charts outside the scope.
 */
import type { ChartMeta } from '@parterre/shared/protocol/catalog/charts';
import type { DesignerSession, Scope } from '@parterre/shared/protocol/catalog/scope';
import type { CatalogInput } from '@parterre/shared/protocol/catalog-api';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { idFor } from '@parterre/shared/protocol/ids';
import { charts, listIndex } from '../store/collections.ts';
import type { OperationTable } from '../store/operations.ts';
import { madeOnce } from '../store/repeats.ts';
import { clampLimit, decodeCursor, encodeCursor } from '../store/rules/paging.ts';
import type { ChartRecord } from '../store/rules/records.ts';
import type { Stored } from '../store/store.ts';
import { activeWorkspace, stillActive } from '../tenants/tenants.ts';
import { type ChartPorts, changeChart, findChart, readChart } from './chart-access.ts';
import { emptyDraft, rememberedSeats, storeDraft } from './chart-documents.ts';
import { deleteChart, publishChart } from './chart-lifecycle.ts';
import { judgeDraft, type OpenedDraft, openDraft } from './draft-reader.ts';
import { addPanoramas } from './panoramas.ts';
import { previewPublish } from './publish-preview.ts';
import { changed, checkMarker, checkNotArchived, metaOf, withName, withSave } from './rules/chart-state.ts';

type ChartOperation =
  | 'charts.list'
  | 'charts.create'
  | 'charts.meta'
  | 'charts.get'
  | 'charts.update'
  | 'charts.duplicate'
  | 'charts.publish'
  | 'charts.preview-publish'
  | 'charts.archive'
  | 'charts.unarchive'
  | 'charts.delete'
  | 'charts.add-panoramas'
  | 'plans.get';

export function createChartOperations(ports: ChartPorts): OperationTable<ChartOperation> {
  const { store } = ports;
  const seatsOfDraft = rememberedSeats(ports);
  return {
    async 'charts.list'({ scope, page, externalRef, archived = false, ...asked }) {
      const workspaceId = asked.workspaceId ?? scope.workspaceId ?? undefined;
      if (scope.workspaceId !== null && workspaceId !== scope.workspaceId) return done({ charts: [] });
      const index = listIndex(workspaceId, externalRef);
      const equal = [scope.organisationId, archived, workspaceId, externalRef].filter((value) => value !== undefined);
      const after = decodeCursor(page.cursor);
      const limit = clampLimit(page.limit);
      const found = await store.page(charts, { index, equal, limit, after, descending: true });
      const metas = found.documents.map(({ id, value }) => metaOf(id, value));
      return done({ charts: metas, ...(found.next && { nextCursor: encodeCursor(found.next) }) });
    },

    'charts.create': ({ scope, name, doc, priceUnit, externalRef = null, workspaceId, callId }) =>
      makeChart(ports, scope, callId, async () => {
        const workspace = await activeWorkspace(store, scope, workspaceId);
        if (!workspace.ok) return workspace;
        const draft = doc
          ? await openDraft(ports.draftThread, scope.organisationId, doc, priceUnit)
          : done(await emptyDraft(name, priceUnit));
        if (!draft.ok) return draft;
        const { bytes, ...facts } = draft.value;
        const fields = { workspaceId: workspace.value.id, name, externalRef, ...facts };
        return done({ fields, bytes });
      }),

    async 'charts.meta'({ scope, chartId, expectedUpdatedAt }) {
      const chart = await findChart(store, scope, chartId);
      if (!chart.ok) return chart;
      const fresh = checkMarker(chart.value.value, expectedUpdatedAt);
      if (!fresh.ok) return fresh;
      return done({ meta: metaOf(chartId, chart.value.value), saves: chart.value.value.saves ?? [] });
    },

    async 'charts.get'({ scope, chartId }) {
      const read = await readChart(store, scope, chartId);
      if (!read.ok) return read;
      const { chart, bytes } = read.value;
      const categorySeats = await seatsOfDraft(chart.value.draft, bytes);
      return done({ meta: metaOf(chartId, chart.value), doc: bytes, categorySeats });
    },

    'charts.duplicate': ({ scope, chartId, externalRef, name, workspaceId, callId }) =>
      makeChart(ports, scope, callId, async () => {
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
          ...(source.priceUnit && { priceUnit: source.priceUnit }),
        };
        return done({ fields, bytes: read.value.bytes });
      }),

    'charts.update': (input) => updateChart(ports, input),
    'charts.publish': (input) => publishChart(ports, input),
    'charts.preview-publish': (input) => previewPublish(ports, input),
    'charts.archive': ({ scope, chartId }) => setArchived(ports, scope, chartId, true),
    'charts.unarchive': ({ scope, chartId }) => setArchived(ports, scope, chartId, false),
    'charts.delete': ({ scope, chartId }) => deleteChart(ports, scope, chartId),
    'charts.add-panoramas': ({ scope, chartId, panoramas }) => addPanoramas(ports, scope, chartId, panoramas),

    async 'plans.get'({ hash }) {
      const doc = await store.getBlob(hash);
      return doc ? done({ doc }) : refuse('not_found', 'There is no such published chart. Publish the chart first.');
    },
  };
}

type NewChart = Pick<ChartRecord, 'workspaceId' | 'name' | 'externalRef' | 'seatTotal' | 'priceUnit'>;

/** `draft` makes the first draft, unless a repeated call has already made the chart. */
async function makeChart(
  ports: ChartPorts,
  scope: Scope,
  callId: string | undefined,
  draft: () => Promise<Outcome<{ fields: NewChart; bytes: Uint8Array }>>,
): Promise<Outcome<{ meta: ChartMeta }>> {
  const id = idFor('cht', callId);
  const made = await madeOnce({
    scope,
    callId,
    find: () => ports.store.get(charts, id),
    async make() {
      const drawn = await draft();
      return drawn.ok ? insertChart(ports, scope, id, drawn.value) : drawn;
    },
  });
  return made.ok ? done({ meta: metaOf(id, made.value.value) }) : made;
}

async function insertChart(
  { store, clock }: ChartPorts,
  scope: Scope,
  id: string,
  { fields, bytes }: { fields: NewChart; bytes: Uint8Array },
): Promise<Outcome<Stored<ChartRecord> | 'taken'>> {
  const now = clock.now();
  const chart: ChartRecord = {
    organisationId: scope.organisationId,
    ...fields,
    archived: false,
    deletingSince: null,
    draft: await storeDraft(store, bytes),
    published: null,
    createdAt: now,
    updatedAt: now,
  };
  if ((await store.insert(charts, id, chart)) === 'duplicate') {
    await store.deleteBlob(chart.draft);
    return done('taken');
  }
  const active = await stillActive(store, scope.organisationId, chart.workspaceId);
  if (active.ok) return done({ id, version: 1, value: chart });
  // A caller who found the chart in a list may have changed it already. Then it stays.
  if ((await store.delete(charts, id, 1)) === 'deleted') await store.deleteBlob(chart.draft);
  return active;
}

async function updateChart(
  ports: ChartPorts,
  { scope, chartId, doc, expectedUpdatedAt, name, externalRef, callId, safe, person }: CatalogInput<'charts.update'>,
): Promise<Outcome<{ meta: ChartMeta }>> {
  const { store, clock } = ports;
  if (doc && expectedUpdatedAt === undefined) {
    return refuse('invalid_request', 'A save of doc needs the updatedAt of the chart that doc was made from.', {
      details: { issues: [{ path: 'expectedUpdatedAt', message: 'Must be sent with doc.' }] },
    });
  }
  const known = await findChart(store, scope, chartId);
  if (!known.ok) return known;
  const current = known.value.value;
  if (!isSavedBy(current, callId)) {
    // A stale save costs no reading of its document.
    const permitted = passAll(current, checkNotArchived, (chart) => checkMarker(chart, expectedUpdatedAt));
    if (!permitted.ok) return permitted;
  }
  const opened = doc ? await openDraft(ports.draftThread, scope.organisationId, doc) : null;
  if (opened && !opened.ok) return opened;
  const draft = opened && (await storeDraft(store, opened.value.bytes));

  let replaced = draft;
  let earlier: { updatedAt: number } | undefined;
  const written = await changeChart(ports, scope, chartId, async (chart) => {
    // An earlier run of this call has saved, and its answer was lost. It is answered with the marker of that save:
    // with the present one, the caller would save over changes that it never saw.
    earlier = callId === undefined ? undefined : chart.savedBy?.find((save) => save.callId === callId);
    if (earlier) return done(chart);
    const permitted = passAll(chart, checkNotArchived, (each) => checkMarker(each, expectedUpdatedAt));
    if (!permitted.ok) return permitted;
    const unsafe = opened && safe && (await unsafeSave(ports, chart, opened.value.bytes, safe));
    if (unsafe) return unsafe;
    replaced = chart.draft;
    const document = draft !== null && opened?.ok ? { draft, ...factsOf(opened.value) } : {};
    const details = { ...(name !== undefined && { name }), ...(externalRef !== undefined && { externalRef }) };
    const next = withName(changed(chart, { ...document, ...details }, clock.now()), callId);
    return done(draft === null ? next : withSave(next, person ?? null));
  });
  // The chart now names exactly one of the two drafts. The other is garbage.
  if (draft && replaced) await store.deleteBlob(written.ok ? replaced : draft);
  if (!written.ok) return written;
  const meta = metaOf(chartId, written.value.value);
  return done({ meta: earlier ? { ...meta, updatedAt: earlier.updatedAt } : meta });
}

/** The unit of a chart's record. A new draft without a unit takes away the unit of the draft before it. */
function factsOf({ seatTotal, priceUnit = 'major' }: OpenedDraft): Pick<ChartRecord, 'seatTotal' | 'priceUnit'> {
  return { seatTotal, priceUnit };
}

/** The refusal of a document that safe mode does not allow in place of the published one; null where it is allowed. */
async function unsafeSave(
  { store, draftThread }: ChartPorts,
  { organisationId, published }: ChartRecord,
  draft: Uint8Array,
  safe: NonNullable<DesignerSession['safe']>,
): Promise<Outcome<never> | null> {
  const bytes = published && (await store.getBlob(published.hash));
  return bytes ? judgeDraft(draftThread, organisationId, bytes, draft, safe) : null;
}

function isSavedBy({ savedBy = [] }: ChartRecord, callId: string | undefined): boolean {
  return callId !== undefined && savedBy.some((save) => save.callId === callId);
}

function passAll(
  chart: ChartRecord,
  ...checks: ((chart: ChartRecord) => Outcome<ChartRecord>)[]
): Outcome<ChartRecord> {
  for (const check of checks) {
    const outcome = check(chart);
    if (!outcome.ok) return outcome;
  }
  return done(chart);
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
