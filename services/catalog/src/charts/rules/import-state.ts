/** The states of an import of a chart, and what callers see of them. Pure. */

import { importMsMax } from '@parterre/shared/charts/chart-file-limits';
import type { ChartImport, ImportFailure, ReportedImport } from '@parterre/shared/protocol/catalog/chart-imports';
import type { ChartImportRecord } from '../../store/rules/records.ts';

const lost: ImportFailure = {
  code: 'timed_out',
  message: `The import did not end within ${importMsMax / 60_000} minutes. No chart was made. Import the file again.`,
};

export function isTimedOut({ createdAt }: Pick<ChartImportRecord, 'createdAt'>, now: number): boolean {
  return now - createdAt >= importMsMax;
}

/** `hasChart`: whether the chart of a `saving` import exists. */
export function shownImport(id: string, record: ChartImportRecord, now: number, hasChart: boolean): ReportedImport {
  const { format, name, workspaceId, createdAt } = record;
  const shared = { id, format, name, workspaceId, createdAt };
  if (record.state === 'done' || (record.state === 'saving' && hasChart)) {
    const { chartId, report, endedAt } = record;
    return { ...shared, state: 'done', chartId, report, failure: null, endedAt: endedAt ?? createdAt };
  }
  const nothing = { chartId: null, report: null };
  if (record.state === 'failed') {
    return { ...shared, ...nothing, state: 'failed', failure: record.failure, endedAt: record.endedAt };
  }
  if (!isTimedOut(record, now)) return { ...shared, ...nothing, state: 'running', failure: null, endedAt: null };
  return { ...shared, ...nothing, state: 'failed', failure: lost, endedAt: createdAt + importMsMax };
}

export function withoutReport({ report: _, ...shown }: ReportedImport): ChartImport {
  return shown;
}
