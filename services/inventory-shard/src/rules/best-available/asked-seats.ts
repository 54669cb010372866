/** The interface of the search (best-units.ts): the query that it gets, and the choice that it gives. */
import type { SeatQuery } from '@parterre/shared/commands';

/**
 * A query in the search's own terms. `categoryKeys` has every category asked for, and `near` the units around whose
 * middle the search begins.
 */
export type Search = Omit<SeatQuery, 'categoryKey' | 'categoryKeys' | 'near' | 'tickets'> & {
  /** [every category] */
  categoryKeys?: readonly string[];
  /** [the chart's own focal points] */
  near?: readonly number[];
};

/**
 * The chosen units in parts. The units of a part are neighbours in their order, or places of one area, or a whole table
 * for the party. `together` is true for one part.
 */
export type Choice = { parts: number[][]; together: boolean };
