/**
 * A look at a publish of the draft: its faults, the chart's events, and the units that each of their charts would lose.
 * It changes and stores nothing. A whole document takes a tenth of a second, so only the charts of the first events are
 * compared, and other work goes on between two of them.
 */

import { scopeIdsOf } from '@parterre/shared/charts/compile';
import type { ChartDocument } from '@parterre/shared/charts/document';
import { publishIssues, publishWarnings } from '@parterre/shared/charts/publish-issues';
import type { CatalogInput, CatalogOutput } from '@parterre/shared/protocol/catalog-api';
import { done, type Outcome } from '@parterre/shared/protocol/errors';
import { previewedEventsMax, previewedLabelsMax } from '@parterre/shared/protocol/limits';
import { comparedChartsMax } from '../store/rules/bounds.ts';
import { type ChartPorts, findChart } from './chart-access.ts';
import { readDocument } from './chart-documents.ts';
import { readDraft, undeletedEvents } from './chart-lifecycle.ts';
import { metaOf } from './rules/chart-state.ts';
import { soldOn, type Vanishing, vanishing } from './rules/vanishing.ts';

type Preview = CatalogOutput<'charts.preview-publish'>;

export async function previewPublish(
  { store }: ChartPorts,
  { scope, chartId }: CatalogInput<'charts.preview-publish'>,
): Promise<Outcome<Preview>> {
  for (;;) {
    const chart = await findChart(store, scope, chartId);
    if (!chart.ok) return chart;
    const draft = await readDraft(store, chartId, chart.value.value.draft);
    // The draft was replaced meanwhile: look again.
    if (!draft) continue;
    const { document, hash } = draft;
    const issues = publishIssues(document);
    const events: Preview['events'] = [];
    let truncated = false;
    for await (const { key, name, mode, status, region, planHash } of undeletedEvents(store, chartId)) {
      if (status === 'archived' || (scope.mode !== null && scope.mode !== mode)) continue;
      truncated = events.length === previewedEventsMax;
      if (truncated) break;
      events.push({ key, name, mode, status, region, planHash });
    }
    const hashes = events.map(({ planHash }) => planHash).filter((each) => each !== hash);
    return done({
      meta: metaOf(chartId, chart.value.value),
      isNew: chart.value.value.published?.hash !== hash,
      hash,
      issues,
      // A draft with faults may name any number of places.
      warnings: issues.length > 0 ? [] : publishWarnings(document),
      scopeIds: [...scopeIdsOf(document)],
      events,
      truncated,
      vanishing: issues.length > 0 ? {} : await compare(store, document, new Set(hashes)),
    });
  }
}

async function compare(
  store: ChartPorts['store'],
  draft: ChartDocument,
  hashes: ReadonlySet<string>,
): Promise<Record<string, Vanishing>> {
  const after = soldOn(draft);
  const found: Record<string, Vanishing> = {};
  for (const hash of [...hashes].slice(0, comparedChartsMax)) {
    const bytes = await store.getBlob(hash);
    if (!bytes) continue;
    const before = await readDocument(hash, bytes);
    found[hash] = vanishing(soldOn(before), after, previewedLabelsMax);
  }
  return found;
}
