/** Changes of a chart's record. Every change gives it an `updatedAt` above the one before. */
import type { ChartMeta } from '@parterre/shared/protocol/catalog/charts';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { unitOf } from '@parterre/shared/protocol/money';
import { chartDeleteMs, namedSavesKept, toldSavesKept } from '../../store/rules/bounds.ts';
import type { ChartRecord } from '../../store/rules/records.ts';

/** The record with `fields` and a new `updatedAt`. */
export function changed(chart: ChartRecord, fields: Partial<ChartRecord>, now: number): ChartRecord {
  return { ...chart, ...fields, updatedAt: Math.max(now, chart.updatedAt + 1) };
}

/** Whether a delete is looking for events. The mark of a stopped delete counts for `chartDeleteMs` only. */
export function isBeingDeleted({ deletingSince }: ChartRecord, now: number): boolean {
  return deletingSince != null && now < deletingSince + chartDeleteMs;
}

/** The same record where no delete has marked it. */
export function withoutMark(chart: ChartRecord): ChartRecord {
  return chart.deletingSince == null ? chart : { ...chart, deletingSince: null };
}

/** Refuses a write that was made from an older state than the present one. */
export function checkMarker(chart: ChartRecord, expectedUpdatedAt: number | undefined): Outcome<ChartRecord> {
  if (expectedUpdatedAt === undefined || expectedUpdatedAt === chart.updatedAt) return done(chart);
  return refuse(
    'conflict',
    'The chart has been changed since you read it. Read it again, and save with its updatedAt.',
    {
      reason: 'stale_chart',
      details: {
        updatedAt: chart.updatedAt,
        savedSince: (chart.saves ?? []).filter(({ at }) => at > expectedUpdatedAt),
      },
    },
  );
}

/** The changed record, with the name of the call that changed it. */
export function withName(chart: ChartRecord, callId: string | undefined): ChartRecord {
  if (callId === undefined) return chart;
  const { savedBy = [], updatedAt } = chart;
  return { ...chart, savedBy: [...savedBy, { callId, updatedAt }].slice(-namedSavesKept) };
}

/** The record of a changed draft, with the save that changed it. */
export function withSave(chart: ChartRecord, by: string | null): ChartRecord {
  return { ...chart, saves: [...(chart.saves ?? []), { at: chart.updatedAt, by }].slice(-toldSavesKept) };
}

/** An archived chart stays as it is until it is unarchived. */
export function checkNotArchived(chart: ChartRecord): Outcome<ChartRecord> {
  return chart.archived
    ? refuse('conflict', 'The chart is archived. Unarchive it first.', { reason: 'chart_archived' })
    : done(chart);
}

/** The record with the next published version. */
export function published(
  chart: ChartRecord,
  version: Pick<NonNullable<ChartRecord['published']>, 'hash' | 'name' | 'seatTotal' | 'priceUnit'>,
  now: number,
): ChartRecord {
  const number = (chart.published?.version ?? 0) + 1;
  return changed(chart, { published: { version: number, at: now, from: chart.updatedAt, ...version } }, now);
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
    priceUnit: unitOf(chart),
    publishedVersion: chart.published?.version ?? null,
    publishedAt: chart.published?.at ?? null,
    createdAt,
    updatedAt,
  };
}
