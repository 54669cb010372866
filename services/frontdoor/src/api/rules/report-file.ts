/**
 * The report with one line for each unit, as a CSV file (RFC 4180): its columns, and the form of its cells. A column
 * has the name of the same fact in JSON answers.
 */

import { accessibilityKinds } from '@parterre/shared/charts/accessibility';
import { textCell } from '@parterre/shared/charts/exports/csv-cell';
import { type PlaceWords, wordsOfUnit } from '@parterre/shared/charts/place-names';
import { categoryOf, objectIdOf, objectOf, type Plan, ungroupedSection } from '@parterre/shared/charts/plan';
import type { SoldTerms, UnitColumns } from '@parterre/shared/protocol/answers';
import { type ItemTerms, objectTypeOf } from '@parterre/shared/protocol/line-items';
import { priceWithFees, sumOf, thawedFees } from '@parterre/shared/protocol/money';
import { statusNames } from '@parterre/shared/protocol/records';

export const reportFileColumns = [
  'label',
  'objectId',
  'objectType',
  'sectionId',
  'sectionLabel',
  'zoneId',
  'categoryKey',
  'accessibility',
  'status',
  'tierId',
  'unitPrice',
  'quantity',
  'configuredValue',
  'currency',
  'bookingRef',
  'holdId',
  'channelId',
  'releaseId',
  'floor',
  'section',
  'row',
  'seat',
  'area',
  'table',
  'entrance',
  'place',
  'categoryLabel',
  'tierName',
  'priceUnit',
  'fees',
  'total',
  'reservation',
] as const;

/**
 * `terms` are the language of places and the unit of money. `holdAs` gives the cell of a hold. `reservations` has names
 * by label.
 */
export type ReportWords = {
  terms: ItemTerms;
  holdAs: (holdId: string) => string;
  reservations: ReadonlyMap<string, string>;
};

const endOfLine = '\r\n';

export const reportFileHead = reportFileColumns.join(',') + endOfLine;

/**
 * Writes the lines of one answer's units, some at a time. Each call returns at most `most` lines, and '' at the end.
 * `plan` is the plan that the answer names.
 */
export function reportLines(plan: Plan, columns: UnitColumns, words: ReportWords): (most: number) => string {
  let at = 0;
  return (most) => {
    let text = '';
    for (const end = Math.min(at + most, columns.statuses.length); at < end; at++)
      text += lineOf(plan, columns, at, words);
    return text;
  };
}

/** The line of the unit at this index of the answer. */
function lineOf(
  plan: Plan,
  columns: UnitColumns,
  at: number,
  { terms: event, holdAs, reservations }: ReportWords,
): string {
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
    textCell(status === 'held' ? holdAs(owner) : ''),
    textCell(terms?.channelId ?? ''),
    textCell(terms?.releaseId ?? ''),
    ...wordCells(wordsOfUnit(plan, unit, event.texts)),
    textCell(category.label),
    textCell(category.tiers?.find(({ id }) => id === terms?.tierId)?.name ?? ''),
    event.priceUnit,
    ...(terms ? feeCells(terms) : ['', '']),
    textCell(status === 'blocked' ? (reservations.get(plan.labels.at(unit)) ?? '') : ''),
  ];
  return cells.join(',') + endOfLine;
}

function wordCells({ floor, section, row, seat, area, table, entrance, name }: PlaceWords): string[] {
  return [floor, section, row, seat, area, table, entrance, name].map((word) => textCell(word ?? ''));
}

const notPriced = ['', '', '', '', ''];

function pricedCells({ price, tierId = '', quantity = 1 }: SoldTerms, currency: string): string[] {
  return [textCell(tierId), String(price), String(quantity), String(price * quantity), currency];
}

/** The fees of all guests, and what the buyer pays. */
function feeCells({ price, quantity = 1, fees }: SoldTerms): string[] {
  const thawed = thawedFees(fees);
  return [String(sumOf(thawed.fees) * quantity), String(priceWithFees(price, thawed) * quantity)];
}

function kindsOf(bits: number): string {
  if (bits === 0) return '';
  return accessibilityKinds.filter((_, bit) => bits & (1 << bit)).join(' ');
}
