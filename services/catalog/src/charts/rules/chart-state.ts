/** How a chart's record changes. Every change gives it an `updatedAt` above the one before. */
import type { ChartMeta } from '@parterre/shared/catalog/charts';
import { done, type Outcome, refuse } from '@parterre/shared/errors';
import { chartDeleteMs } from '../../store/rules/bounds.ts';
import type { ChartRecord } from '../../store/rules/records.ts';

/** What is new about a record, stamped. */
export function changed(chart: ChartRecord, fields: Partial<ChartRecord>, now: number): ChartRecord {
  return { ...chart, ...fields, updatedAt: Math.max(now, chart.updatedAt + 1) };
}

/** While a delete looks for events. One that stopped half-way counts for `chartDeleteMs` only. */
export function isBeingDeleted({ deletingSince }: ChartRecord, now: number): boolean {
  return deletingSince != null && now < deletingSince + chartDeleteMs;
}

/** The record itself, where no delete has marked it. */
export function withoutMark(chart: ChartRecord): ChartRecord {
  return chart.deletingSince == null ? chart : { ...chart, deletingSince: null };
}

/** Refuses a write that was made against an older state than the one that stands. */
export function checkMarker(chart: ChartRecord, expectedUpdatedAt: number | undefined): Outcome<ChartRecord> {
  if (expectedUpdatedAt === undefined || expectedUpdatedAt === chart.updatedAt) return done(chart);
  return refuse('conflict', 'The chart has been changed since you read it.', {
    reason: 'stale_chart',
    details: { updatedAt: chart.updatedAt },
  });
}

/** An archived chart is kept as it is until it is unarchived. */
export function checkNotArchived(chart: ChartRecord): Outcome<ChartRecord> {
  return chart.archived
    ? refuse('conflict', 'The chart is archived. Unarchive it first.', { reason: 'chart_archived' })
    : done(chart);
}

/** With the next version of its published form. */
export function published(
  chart: ChartRecord,
  version: { hash: string; name: string; seatTotal: number },
  now: number,
): ChartRecord {
  const number = (chart.published?.version ?? 0) + 1;
  return changed(chart, { published: { version: number, at: now, ...version } }, now);
}

export function metaOf(id: string, chart: ChartRecord): ChartMeta {
  const { name, workspaceId, externalRef, seatTotal, createdAt, updatedAt } = chart;
  return {
    id,
    chartId: id,
    name,
    status: chart.archived ? 'archived' : chart.published ? 'published' : 'draft',
    workspaceId,
    externalRef,
    seatTotal,
    publishedVersion: chart.published?.version ?? null,
    publishedAt: chart.published?.at ?? null,
    createdAt,
    updatedAt,
  };
}
