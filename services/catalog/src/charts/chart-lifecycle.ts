/** Publishes and deletes charts: the two operations that look at the events of a chart. */

import { draftSeatTotal } from '@parterre/shared/charts/compile';
import type { ChartDocument } from '@parterre/shared/charts/document';
import {
  type PublishWarning,
  publishIssues,
  publishWarnings,
  refusingMissingPrices,
} from '@parterre/shared/charts/publish-issues';
import type { EventRecord } from '@parterre/shared/protocol/catalog/events';
import type { Scope } from '@parterre/shared/protocol/catalog/scope';
import type { CatalogInput, CatalogOutput } from '@parterre/shared/protocol/catalog-api';
import { done, Fault, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { sha256 } from '@parterre/shared/protocol/ids';
import { unitOf } from '@parterre/shared/protocol/money';
import { readRecords } from '../projections/event-records.ts';
import { charts, events } from '../store/collections.ts';
import { aimKeptMs, eventsNamedByPublishMax, pageLimitMax } from '../store/rules/bounds.ts';
import type { Position } from '../store/rules/paging.ts';
import type { ChartRecord } from '../store/rules/records.ts';
import type { Indexed, Store } from '../store/store.ts';
import { type ChartPorts, changeChart } from './chart-access.ts';
import { packText, parseDocument, textOf, unsafeChange } from './chart-documents.ts';
import { deletePanoramas } from './panoramas.ts';
import { withoutAdjustments } from './rules/adjusted-chart.ts';
import { checkMarker, checkNotArchived, metaOf, published, withoutMark } from './rules/chart-state.ts';

/**
 * Publishes the draft. States: the draft as read → its version stored by its hash → named by the chart, in one checked
 * write. A write in between decides: after another publish, this call is refused (`published_meanwhile`); after a save
 * or a rename, everything is decided again on the new state, or refused where the caller expected another one
 * (`stale_chart`). A failure after the version is stored leaves a document that no chart names, which is harmless. An
 * already published draft stays as it is. This test compares clocks of two machines: where they differ, a call right
 * after a publish may be refused as simultaneous.
 */
export async function publishChart(
  ports: ChartPorts,
  { scope, chartId, askedAt, expectedUpdatedAt, safe }: CatalogInput<'charts.publish'>,
): Promise<Outcome<CatalogOutput<'charts.publish'>>> {
  const { store, clock } = ports;
  let versionAtFirst: number | undefined;
  let warnings: PublishWarning[] = [];
  const written = await changeChart(ports, scope, chartId, async (chart) => {
    const versionNow = chart.published?.version ?? 0;
    versionAtFirst ??= versionNow;
    if (versionNow !== versionAtFirst) return publishedMeanwhile(chart);
    const permitted = checkNotArchived(chart);
    if (!permitted.ok) return permitted;
    const draft = await readDraft(store, chartId, chart.draft);
    // The draft was replaced meanwhile. The write of this same record is refused as stale, and everything is decided
    // again.
    if (!draft) return done({ ...chart });
    const { document, hash, bytes } = draft;
    warnings = publishWarnings(document);
    if (!isFrom(chart, hash, expectedUpdatedAt)) {
      const expected = checkMarker(chart, expectedUpdatedAt);
      if (!expected.ok) return expected;
    }
    if (chart.published?.hash === hash) {
      return askedAt !== undefined && chart.published.at > askedAt ? publishedMeanwhile(chart) : done(chart);
    }
    const unsafe = safe && (await unsafeChange(store, chart, document, safe));
    if (unsafe) return unsafe;
    const issues = publishIssues(document);
    if (issues.length > 0) {
      return refuse('invalid_chart', 'The chart cannot be published as it is. Mend the faults that the issues list.', {
        details: { issues },
      });
    }
    const unit = checkUnitStays(chart, document);
    if (!unit.ok) return unit;
    await store.putBlob(hash, bytes);
    const { priceUnit } = document;
    const version = { hash, name: chart.name, seatTotal: draftSeatTotal(document), ...(priceUnit && { priceUnit }) };
    return done(published(chart, version, clock.now()));
  });
  if (!written.ok) return written;
  const chart = written.value.value;
  const { hash, version } = chart.published!;
  return done({
    meta: metaOf(chartId, chart),
    version: { planHash: hash, chartVersion: version },
    behind: await eventsBehind(store, scope, chartId, hash),
    warnings,
  });
}

/** The events of the chart have its unit for good, so every version of the chart has the same. */
function checkUnitStays({ published }: ChartRecord, document: ChartDocument): Outcome<true> {
  if (!published || unitOf(published) === unitOf(document)) return done(true);
  const unit = unitOf(published);
  const message = `The chart was published with prices in ${unit} units, and keeps them. Make another chart for prices in ${unitOf(document)} units.`;
  return refuse('invalid_chart', message, {
    details: { issues: [{ path: 'priceUnit', message: `Must be "${unit}".` }] },
  });
}

/** Whether an earlier publish made this version from the expected state: a repeated call then changes nothing. */
function isFrom({ published }: ChartRecord, hash: string, expectedUpdatedAt: number | undefined): boolean {
  return expectedUpdatedAt !== undefined && published?.from === expectedUpdatedAt && published.hash === hash;
}

function publishedMeanwhile(chart: ChartRecord): Outcome<never> {
  return refuse(
    'conflict',
    'The chart was published by another call at the same time. Read the chart before you publish again.',
    {
      reason: 'published_meanwhile',
      details: { updatedAt: chart.updatedAt },
    },
  );
}

/**
 * The document to publish. It leaves out the adjustments of a single event, which a document copied from that event
 * has, and says that missing prices are refused where it has any.
 */
export async function readDraft(
  store: Store,
  chartId: string,
  name: string,
): Promise<{ document: ChartDocument; hash: string; bytes: Uint8Array } | null> {
  const bytes = await store.getBlob(name);
  if (bytes) {
    const text = await textOf(bytes);
    const document = parseDocument(name, text);
    const own = refusingMissingPrices(withoutAdjustments(document));
    if (own === document) return { document, hash: sha256(text), bytes };
    const ownText = JSON.stringify(own);
    return { document: own, hash: sha256(ownText), bytes: await packText(ownText) };
  }
  const now = await store.get(charts, chartId);
  if (now?.value.draft === name) throw new Fault(`read the draft of chart ${chartId}`);
  return null;
}

/**
 * The chart's active and closed events of the scope's mode that use another version than `hash`. A key of one mode
 * touches no event of the other.
 */
async function eventsBehind(
  store: Store,
  { mode: of }: Scope,
  chartId: string,
  hash: string,
): Promise<{ key: string; region: string }[]> {
  const behind: { key: string; region: string }[] = [];
  for await (const { key, mode, status, planHash, region } of undeletedEvents(store, chartId)) {
    if (status !== 'archived' && planHash !== hash && (of === null || of === mode)) behind.push({ key, region });
    if (behind.length === eventsNamedByPublishMax) break;
  }
  return behind;
}

/**
 * The chart's events without the deleted ones, page by page. The document of an event that has moved to another chart
 * may still name the chart before: its record tells the chart.
 */
export async function* undeletedEvents(store: Store, chartId: string): AsyncGenerator<EventRecord> {
  for await (const { record } of eventsUnder(store, { index: 'byChart', equal: [chartId, null] })) {
    if (record.chartId === chartId && record.status !== 'deleted') yield record;
  }
  for await (const { record, document } of eventsUnder(store, { index: 'byComing', equal: [true, chartId] })) {
    const isListed = document.value.chartId === chartId;
    if (!isListed && record.chartId === chartId && record.status !== 'deleted') yield record;
  }
}

async function* eventsUnder(store: Store, query: { index: string; equal: Indexed[] }) {
  let after: Position | undefined;
  do {
    const page = await store.page(events, { ...query, limit: pageLimitMax, after });
    const records = await readRecords(store, page.documents);
    for (const [nth, record] of records.entries()) yield { record, document: page.documents[nth]! };
    after = page.next ?? undefined;
  } while (after);
}

/** Whether an event uses the chart, or may be moving to it. */
async function isUsed({ store, clock }: ChartPorts, chartId: string): Promise<boolean> {
  const { done: unused } = await undeletedEvents(store, chartId).next();
  if (!unused) return true;
  for await (const { document } of eventsUnder(store, { index: 'byComing', equal: [true, chartId] })) {
    if (document.value.comingAt! + aimKeptMs > clock.now()) return true;
  }
  return false;
}

/**
 * Deletes a chart in two steps, so that an event created meanwhile never loses its chart: the chart is marked, then its
 * events are looked for; events.create inserts, then looks for the mark. At least one of the two sees the other. After
 * a delete that stopped half-way, the next try deletes the chart, or any other write clears the mark. The write of an
 * event does this once the mark is old (`chartInUse`). A delete that goes on after that is refused as stale.
 */
export async function deleteChart(ports: ChartPorts, scope: Scope, chartId: string): Promise<Outcome<{ ok: true }>> {
  const { store, clock } = ports;
  const marked = await changeChart(ports, scope, chartId, (chart) => done({ ...chart, deletingSince: clock.now() }));
  if (!marked.ok) return marked;
  const inUse = () => refuse('chart_in_use', 'An event uses the chart. Archive the chart, or delete its events first.');
  if (await isUsed(ports, chartId)) {
    await store.replace(charts, chartId, marked.value.version, withoutMark(marked.value.value));
    return inUse();
  }
  const removed = await store.delete(charts, chartId, marked.value.version);
  if (removed === 'stale') {
    return refuse('conflict', 'The chart was changed while it was being deleted. Read it, and delete it again.', {
      reason: 'stale_chart',
    });
  }
  await store.deleteBlob(marked.value.value.draft);
  await deletePanoramas(store, chartId);
  return done({ ok: true });
}
