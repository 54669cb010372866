/**
 * Charts as files of other formats, with what each format has no place for. Pure: the front door writes them in a
 * process of their own, the designer in the page.
 */
import type { ChartDocument } from '../document.ts';
import { csvOf } from './csv.ts';
import type { Exported } from './left-out.ts';
import { pretixOf } from './pretix.ts';

export type ExportFormat = 'csv' | 'pretix';

export function exportChart(document: ChartDocument, format: ExportFormat): Exported {
  return format === 'csv' ? csvOf(document) : pretixOf(document);
}
