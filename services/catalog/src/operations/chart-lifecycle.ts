/** Publishing a chart and deleting it: the two operations that look at the events made from it. */
import type { ChartMeta } from '@parterre/shared/catalog/charts';
import type { Scope } from '@parterre/shared/catalog/scope';
import { draftSeatTotal, publishIssues } from '@parterre/shared/chart/compile';
import type { ChartDocument } from '@parterre/shared/chart/document';
import { done, Fault, type Outcome, refuse } from '@parterre/shared/errors';
import { sha256 } from '@parterre/shared/ids';
import { charts, events, projections } from '../collections.ts';
import type { Store, Stored } from '../outbound/store.ts';
import { eventsNamedByPublishMax, pageLimitMax } from '../rules/bounds.ts';
import { checkNotArchived, metaOf, published } from '../rules/chart-state.ts';
import type { Position } from '../rules/paging.ts';
import type { EventDocument } from '../rules/records.ts';
import { type ChartPorts, changeChart } from './chart-access.ts';
import { textOf } from './chart-documents.ts';

export async function publishChart(
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

/**
 * Two steps, so that an event created meanwhile is never left without its chart: the chart is marked, then its events
 * are looked for; events.create inserts, then looks for the mark. At least one of the two sees the other. A chart
 * whose delete stopped half-way is deleted by the next try, or freed of the mark by any other write.
 */
export async function deleteChart(ports: ChartPorts, scope: Scope, chartId: string): Promise<Outcome<{ ok: true }>> {
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
