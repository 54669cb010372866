/** Finds and changes charts within the caller's scope. A chart outside the scope is unknown. */
import type { Scope } from '@parterre/shared/protocol/catalog/scope';
import { done, Fault, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { charts } from '../store/collections.ts';
import { change, type Ports } from '../store/operations.ts';
import { draftReadAttemptsMax } from '../store/rules/bounds.ts';
import type { ChartRecord } from '../store/rules/records.ts';
import type { Store, Stored } from '../store/store.ts';
import type { DraftThread } from './draft-reader.ts';
import { isBeingDeleted, withoutMark } from './rules/chart-state.ts';

/** Without a thread, all documents are read on the loop. */
export type ChartPorts = Pick<Ports, 'store' | 'clock'> & { draftThread?: DraftThread };

/** The chart, if it is within the scope. */
export async function findChart(store: Store, scope: Scope, chartId: string): Promise<Outcome<Stored<ChartRecord>>> {
  const chart = await store.get(charts, chartId);
  return chart && isChartInScope(chart.value, scope) ? done(chart) : chartUnknown();
}

/** Whether the chart belongs to the organisation, and to the scope's workspace where the scope is bound to one. */
function isChartInScope(chart: ChartRecord, { organisationId, workspaceId }: Scope): boolean {
  return chart.organisationId === organisationId && (workspaceId === null || chart.workspaceId === workspaceId);
}

/** A chart and its draft's bytes. A missing draft was replaced after the chart was read. */
export async function readChart(
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

export function chartUnknown(): Outcome<never> {
  return refuse('chart_not_found', 'There is no such chart. Check its id.');
}

/** Changes a chart within the scope. The change clears the mark of a delete, which stops that delete. */
export function changeChart(
  { store }: ChartPorts,
  scope: Scope,
  chartId: string,
  decide: (chart: ChartRecord) => Outcome<ChartRecord> | Promise<Outcome<ChartRecord>>,
): Promise<Outcome<Stored<ChartRecord>>> {
  return change(store, charts, chartId, chartUnknown, (chart) =>
    isChartInScope(chart, scope) ? decide(withoutMark(chart)) : chartUnknown(),
  );
}

/**
 * The check after an insert of an event that uses the chart: refused while the chart is being deleted. It clears an old
 * mark, so that a stopped delete cannot go on over the event.
 */
export function chartInUse({ store, clock }: ChartPorts, chartId: string): Promise<Outcome<Stored<ChartRecord>>> {
  return change(store, charts, chartId, chartUnknown, (chart) =>
    isBeingDeleted(chart, clock.now()) ? chartUnknown() : done(withoutMark(chart)),
  );
}
