/** The interface of the search: the query that it gets, and the choice that it gives. */
import { accessibilityKinds } from '@parterre/shared/charts/accessibility';
import type { SeatQuery } from '@parterre/shared/protocol/commands';
import { bestAvailableQtyMax } from '@parterre/shared/protocol/limits';

/**
 * A query in the search's own terms. `categoryKeys` has every category asked for, each of them for sale. `near` are the
 * units around whose middle the search begins.
 */
export type Search = Omit<
  SeatQuery,
  | 'categoryKey'
  | 'categoryKeys'
  | 'sectionId'
  | 'sectionIds'
  | 'rowLabels'
  | 'minUnitPrice'
  | 'maxUnitPrice'
  | 'stepFree'
  | 'near'
  | 'tickets'
> & {
  /** [every category] */
  categoryKeys?: readonly string[];
  /** [every section] */
  sectionIds?: readonly string[];
  /** [every row] */
  rowLabels?: readonly string[];
  /** The only places of the search. [every place] */
  among?: Among | null;
  /** [the chart's own focal points] */
  near?: readonly number[];
  /** Units that the caller has and may choose again. [none] */
  own?: readonly number[];
  /** The time of the call. [before every time that an event names] */
  now?: number;
  /** Units that count as taken. [none] */
  taken?: ReadonlySet<number>;
};

/** Places as bits by unit. `key` is equal for the same places of one state. */
export type Among = { key: string; bits: Uint8Array };

/**
 * The chosen units in parts. The units of a part are neighbours in their order, or places of one area, or a table that
 * is sold as a whole, or a booth. `guests` has the number of people of each part. `together` is true for one part.
 */
export type Choice = { parts: number[][]; guests: number[]; together: boolean };

export function qtyOf({ qty }: Pick<SeatQuery, 'qty'>): number {
  return Math.min(qty, bestAvailableQtyMax);
}

/** As bits, see `plan.accessibilityOfUnit`. */
export function kindsOf({ accessible = [] }: Pick<SeatQuery, 'accessible'>): number {
  return accessible.reduce((bits, kind) => bits | (1 << accessibilityKinds.indexOf(kind)), 0);
}
