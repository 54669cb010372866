/** Reads a chart document, as the export of a chart writes it. It is taken whole: nothing is fitted, and nothing is lost. */
import { type ChartDocument, checkStructure } from '../../chart/document.ts';
import { draftSeatTotal } from '../../chart/places.ts';
import { publishIssues } from '../../chart/publish-issues.ts';
import { countsOf } from '../counts.ts';
import { fieldsOf } from '../reading.ts';
import { checkSeatCount, countOf, type ImportReport, Unimportable } from '../report.ts';

export function isDocument(value: unknown): boolean {
  const { version, objects, categories } = fieldsOf(value);
  return version === 1 && Array.isArray(objects) && Array.isArray(categories);
}

/** `name` replaces the name in the document. Throws `Unimportable` for a value that does not have the structure of a chart. */
export function readDocument(value: unknown, name: string | null): { document: ChartDocument; report: ImportReport } {
  const [first, ...others] = checkStructure(value);
  if (first) {
    const more = others.length === 0 ? '' : ` There are ${countOf(others.length, 'further fault')}.`;
    const message = `The file is a chart document with a fault at ${first.path || 'its root'}: ${first.message}${more}`;
    throw new Unimportable({ code: 'broken_document', message });
  }
  const document = value as ChartDocument;
  checkSeatCount(draftSeatTotal(document), 'place');
  if (name !== null) document.name = name;
  const report: ImportReport = {
    format: 'document',
    version: String(document.version),
    understood: countsOf(document),
    scale: 1,
    notes: [],
    notesTotal: 0,
    publishIssues: publishIssues(document),
  };
  return { document, report };
}
