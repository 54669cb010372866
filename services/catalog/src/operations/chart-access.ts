/** How charts are found and changed: always within the scope that asks, so that others' charts are unknown. */
import type { Scope } from '@parterre/shared/catalog/scope';
import { done, type Outcome, refuse } from '@parterre/shared/errors';
import { charts } from '../collections.ts';
import type { Store, Stored } from '../outbound/store.ts';
import type { ChartRecord } from '../rules/records.ts';
import { change, type Ports } from './operations.ts';

export type ChartPorts = Pick<Ports, 'store' | 'clock'>;

/** The chart, if the scope knows it. */
export async function findChart(store: Store, scope: Scope, chartId: string): Promise<Outcome<Stored<ChartRecord>>> {
  const chart = await store.get(charts, chartId);
  return chart && isKnown(chart.value, scope) ? done(chart) : chartUnknown();
}

/** A chart of the organisation, and of the scope's workspace where it is bound to one. */
function isKnown(chart: ChartRecord, { organisationId, workspaceId }: Scope): boolean {
  return chart.organisationId === organisationId && (workspaceId === null || chart.workspaceId === workspaceId);
}

export function chartUnknown(): Outcome<never> {
  return refuse('chart_not_found', 'There is no such chart.');
}

/** Changes a chart that the scope knows. */
export function changeChart(
  { store }: ChartPorts,
  scope: Scope,
  chartId: string,
  decide: (chart: ChartRecord) => Outcome<ChartRecord> | Promise<Outcome<ChartRecord>>,
): Promise<Outcome<Stored<ChartRecord>>> {
  return change(store, charts, chartId, chartUnknown, (chart) =>
    isKnown(chart, scope) ? decide(chart) : chartUnknown(),
  );
}
