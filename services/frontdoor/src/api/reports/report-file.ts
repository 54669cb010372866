/**
 * The report with a line a unit, as a CSV file (RFC 4180): which columns it has and how a cell is written. Columns are named
 * as the same facts are in the JSON of other answers.
 */
import type { SoldTerms, UnitColumns } from '@parterre/shared/answers';
import {
  accessibilityKinds,
  categoryOf,
  objectIdOf,
  objectOf,
  type Plan,
  ungroupedSection,
} from '@parterre/shared/chart/plan';
import { objectTypeOf } from '@parterre/shared/line-items';
import { statusNames } from '@parterre/shared/records';

export const reportFileColumns = [
  ...[
    'label',
    'objectId',
    'objectType',
    'sectionId',
    'sectionLabel',
    'zoneId',
    'categoryKey',
    'accessibility',
    'status',
  ],
  ...[
    'tierId',
    'unitPrice',
    'quantity',
    'configuredValue',
    'currency',
    'bookingRef',
    'holdId',
    'channelId',
    'releaseId',
  ],
] as const;

const endOfLine = '\r\n';

export const reportFileHead = reportFileColumns.join(',') + endOfLine;

/**
 * Lines of the units of one answer, some at a time: each call gives `most` of them or what is left, and '' at the end. `plan` is the one that
 * the answer names.
 */
export function reportLines(plan: Plan, columns: UnitColumns): (most: number) => string {
  let at = 0;
  return (most) => {
    let text = '';
    for (const end = Math.min(at + most, columns.statuses.length); at < end; at++) text += lineOf(plan, columns, at);
    return text;
  };
}

/** The one at this place of the answer. */
function lineOf(plan: Plan, columns: UnitColumns, at: number): string {
  const unit = columns.from + at;
  const object = objectOf(plan, unit);
  const section = plan.sections[object.section]!;
  const isGrouped = section.id !== ungroupedSection;
  const category = categoryOf(plan, unit);
  const status = statusNames[columns.statuses[at]!]!;
  const owner = columns.owners[columns.ownerOf[at]!] ?? '';
  const terms = columns.sold[columns.termsOf[at]!];
  const cells = [
    textCell(plan.labels.at(unit)),
    textCell(objectIdOf(plan, unit)),
    objectTypeOf(object),
    textCell(isGrouped ? section.id : ''),
    textCell(isGrouped ? section.label : ''),
    textCell(object.zoneId ?? ''),
    textCell(category.key),
    kindsOf(plan.accessibilityOfUnit[unit]!),
    status === 'free' && category.notForSale ? 'not_for_sale' : status,
    ...(terms ? pricedCells(terms, columns.currency) : notPriced),
    textCell(status === 'booked' ? owner : ''),
    textCell(status === 'held' ? owner : ''),
    textCell(terms?.channelId ?? ''),
    textCell(terms?.releaseId ?? ''),
  ];
  return cells.join(',') + endOfLine;
}

const notPriced = ['', '', '', '', ''];

function pricedCells({ price, tierId = '', quantity = 1 }: SoldTerms, currency: string): string[] {
  return [textCell(tierId), String(price), String(quantity), String(price * quantity), currency];
}

function kindsOf(bits: number): string {
  if (bits === 0) return '';
  return accessibilityKinds.filter((_, bit) => bits & (1 << bit)).join(' ');
}

/** What a spreadsheet takes for a formula, in its wide forms too. */
const FORMULA = /^[=+\-@\t\r＝＋－＠]/;
const QUOTED = /[",\r\n]/;

/** A text that would be run as a formula where the file is opened gets an apostrophe in front, which shows it as text. */
export function textCell(text: string): string {
  const shown = FORMULA.test(text) ? `'${text}` : text;
  return QUOTED.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown;
}
