/**
 * Panorama manifests of a chart: the pictures, and the places from which each shows the view. Each call adds one whole
 * manifest with the chart's next version. A manifest never changes.
 *
 * States of a manifest: checked against the draft → inserted under the version after the last one. Two calls at once
 * want the same version. The unique index gives it to one call, and the other takes the next. So versions have neither
 * gaps nor duplicates. Failure at the insert: nothing is stored. A deleted chart takes its manifests along. A manifest
 * that is inserted after that deletion is taken back here.
 */

import type { Panorama, PanoramaManifest } from '@parterre/shared/protocol/catalog/charts';
import type { Scope } from '@parterre/shared/protocol/catalog/scope';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { newId } from '@parterre/shared/protocol/ids';
import { charts, panoramaManifests } from '../store/collections.ts';
import { changeAttemptsMax, pageLimitMax } from '../store/rules/bounds.ts';
import type { Store } from '../store/store.ts';
import { type ChartPorts, chartUnknown, readChart } from './chart-access.ts';
import { readDocument } from './chart-documents.ts';
import { checkNotArchived } from './rules/chart-state.ts';
import { panoramaIssues } from './rules/panorama-issues.ts';

export async function addPanoramas(
  ports: ChartPorts,
  scope: Scope,
  chartId: string,
  panoramas: Panorama[],
): Promise<Outcome<{ manifest: PanoramaManifest }>> {
  const { store, clock } = ports;
  const read = await readChart(store, scope, chartId);
  if (!read.ok) return read;
  const permitted = checkNotArchived(read.value.chart.value);
  if (!permitted.ok) return permitted;
  const document = await readDocument(read.value.chart.value.draft, read.value.bytes);
  const issues = panoramaIssues(document, panoramas);
  if (issues.length > 0) {
    return refuse('invalid_request', 'The panoramas do not fit the chart. The issues list the faults.', {
      details: { issues },
    });
  }
  const id = newId('pan');
  for (let attempt = 0; attempt < changeAttemptsMax; attempt++) {
    const version = (await lastVersion(store, chartId)) + 1;
    const value = { chartId, version, panoramas, createdAt: clock.now() };
    if ((await store.insert(panoramaManifests, id, value)) === 'duplicate') continue;
    if (await store.get(charts, chartId)) return done({ manifest: { id, ...value } });
    await store.delete(panoramaManifests, id, 1);
    return chartUnknown();
  }
  return refuse('overloaded', 'Too many manifests at once. Try again.', { retryable: true });
}

async function lastVersion(store: Store, chartId: string): Promise<number> {
  const query = { index: 'byChart', equal: [chartId], limit: 1, descending: true };
  const { documents } = await store.page(panoramaManifests, query);
  return documents[0]?.value.version ?? 0;
}

/** Deletes all manifests of a deleted chart. */
export async function deletePanoramas(store: Store, chartId: string): Promise<void> {
  const query = { index: 'byChart', equal: [chartId], limit: pageLimitMax };
  for (;;) {
    const { documents, next } = await store.page(panoramaManifests, query);
    await store.deleteMany(panoramaManifests, documents);
    if (!next) return;
  }
}
