/**
 * Reads a chart document, as the export of a chart writes it. It is taken whole: nothing is fitted, and nothing is
 * lost. Prices with decimals make a chart that counts in minor units.
 */

import { documentNestingMax } from '../../../protocol/limits.ts';
import { type ChartDocument, checkStructure, nameOf } from '../../document.ts';
import { draftSeatTotal } from '../../places.ts';
import { publishIssues } from '../../publish-issues.ts';
import { countsOf } from '../counts.ts';
import { inUnits, isPrice, Prices, priceFrom } from '../prices.ts';
import { type Fields, fieldsOf, objectsOf } from '../reading.ts';
import { checkSeatCount, countOf, type ImportReport, Notes, quoted, sourceName, Unimportable } from '../report.ts';

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
  const notes = new Notes();
  readPrices(fieldsOf(value), notes);
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
    notes: notes.list,
    notesTotal: notes.total,
    publishIssues: publishIssues(document),
  };
  return { document, report };
}

/**
 * Prices, previous prices and fees, in place. Texts become numbers. Where one of them has a fraction, all are
 * converted, unless the chart counts in minor units already. Publishing refuses values that are no price.
 */
function readPrices(document: Fields, notes: Notes): void {
  if (document.priceUnit === 'minor') return;
  const prices = new Prices();
  const amounts = objectsOf(document.categories).flatMap((category) =>
    [category, ...objectsOf(category.tiers)].flatMap((priced) => {
      const source = `category ${quoted(String(category.label ?? category.key))}`;
      const fees = objectsOf(priced.fees).map((fee) => ({ holder: fee, name: 'amount', source }));
      return [{ holder: priced, name: 'price', source }, { holder: priced, name: 'previousPrice', source }, ...fees];
    }),
  );
  const read = amounts.flatMap(({ holder, name, source }) => {
    const told = priceFrom(holder[name]);
    const price = typeof told === 'number' && !isPrice(told) ? null : prices.read(told, source);
    return price === null ? [] : [{ holder, name, price }];
  });
  const digits = prices.finish(notes);
  for (const { holder, name, price } of read) holder[name] = inUnits(price, digits);
  if (digits !== null) document.priceUnit = 'minor';
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
