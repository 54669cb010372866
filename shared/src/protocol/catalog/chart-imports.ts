/**
 * Imports of charts: fields in answers, and operations. The front door reads the file, and the catalog keeps the
 * import.
 */
import type { ImportFault, ImportFormat, ImportReport } from '../../charts/imports/report.ts';
import type { ChartMeta } from './charts.ts';
import type { Page, Scope } from './scope.ts';

/** The reason why an import made no chart. */
export type ImportFailure = {
  code:
    | ImportFault['code']
    | 'too_slow'
    | 'too_much_memory'
    | 'interrupted'
    | 'timed_out'
    | 'chart_refused'
    | 'unexpected';
  message: string;
  line?: number;
  column?: number;
};

export type ChartImport = {
  id: string;
  state: 'running' | 'done' | 'failed';
  /** Null until the file shows its format. */
  format: ImportFormat | null;
  name: string | null;
  workspaceId: string;
  chartId: string | null;
  failure: ImportFailure | null;
  createdAt: number;
  endedAt: number | null;
};

/** `report` is null without a chart. */
export type ReportedImport = ChartImport & { report: ImportReport | null };

export type ImportedChart = { name: string; doc: Uint8Array; report: ImportReport };

/** operation → [input, output] */
export type ChartImportOperations = {
  /** Refused with `workspace_not_found_or_disabled`. */
  'chart-imports.begin': [
    { scope: Scope; format: ImportFormat | null; name: string | null; workspaceId?: string },
    { import: ReportedImport },
  ];
  /**
   * Makes the chart, as a draft. Refused with `conflict` once the import has ended; the refusal of the chart ends it as
   * failed.
   */
  'chart-imports.finish': [
    { scope: Scope; importId: string; chart: ImportedChart },
    { import: ReportedImport; meta: ChartMeta | null },
  ];
  'chart-imports.fail': [{ scope: Scope; importId: string; failure: ImportFailure }, { import: ReportedImport }];
  'chart-imports.get': [{ scope: Scope; importId: string }, { import: ReportedImport }];
  /** Newest first. */
  'chart-imports.list': [{ scope: Scope; page: Page }, { imports: ChartImport[]; nextCursor?: string }];
};
