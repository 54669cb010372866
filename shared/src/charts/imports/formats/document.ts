/**
 * Reads a chart document, as the export of a chart writes it. It is taken whole: nothing is fitted, and nothing is
 * lost.
 */

import { documentNestingMax } from '../../../protocol/limits.ts';
import { type ChartDocument, checkStructure, nameOf } from '../../document.ts';
import { draftSeatTotal } from '../../places.ts';
import { publishIssues } from '../../publish-issues.ts';
import { countsOf } from '../counts.ts';
import { fieldsOf } from '../reading.ts';
import { checkSeatCount, countOf, type ImportReport, sourceName, Unimportable } from '../report.ts';

export function isDocument(value: unknown): boolean {
  const { version, objects, categories } = fieldsOf(value);
  return version === 1 && Array.isArray(objects) && Array.isArray(categories);
}

/**
 * `name` replaces the name in the document. Throws `Unimportable` for a value that does not have the structure of a
 * chart.
 */
export function readDocument(value: unknown, name: string | null): { document: ChartDocument; report: ImportReport } {
  const unsavable = unsavableIn(value, documentNestingMax);
  if (unsavable) throw broken(unsavable.names.join('.'), unsavable.message);
  const [first, ...others] = checkStructure(value);
  if (first) {
    const more = others.length === 0 ? '' : ` There are ${countOf(others.length, 'further fault')}.`;
    throw broken(first.path, `${first.message}${more}`);
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

function broken(path: string, fault: string): Unimportable {
  const place = sourceName(path) || 'its root';
  const message = `The file is a chart document with a fault at ${place}: ${fault}`;
  return new Unimportable({ code: 'broken_document', message });
}

const HALF_PAIR = /\p{Surrogate}/u;
const halfPair = 'The text has half of a character. Write the text again.';

/** `names` lead to the fault, from the root. */
type Unsavable = { names: string[]; message: string };

/** The first fault for which the front door refuses every save of the document (api/charts.ts). */
function unsavableIn(value: unknown, levels: number): Unsavable | null {
  if (typeof value === 'string') return HALF_PAIR.test(value) ? { names: [], message: halfPair } : null;
  if (typeof value !== 'object' || value === null) return null;
  if (levels === 0) return { names: [], message: `A chart document nests at most ${documentNestingMax} levels deep.` };
  for (const [name, child] of Object.entries(value)) {
    if (HALF_PAIR.test(name)) return { names: [], message: 'A name of a field has half of a character.' };
    const fault = unsavableIn(child, levels - 1);
    if (fault === null) continue;
    const id = Array.isArray(value) ? nameOf(child) : null;
    fault.names.unshift(id && !HALF_PAIR.test(id) ? id : name);
    return fault;
  }
  return null;
}
