/** The query of best-available, as it travels from a front door to an event's actor. */
import type { AccessibilityKind } from '../charts/accessibility.ts';

/**
 * The request of best-available: `qty` units, at most `bestAvailableQtyMax`, of some categories and one zone where the
 * request names them.
 */
export type SeatQuery = {
  qty: number;
  /** The only category. A refusal names the field that the call had: this one or `categoryKeys`. */
  categoryKey?: string;
  /** Several categories. [`categoryKey`, or every category] */
  categoryKeys?: string[];
  zoneId?: string;
  /** The only section, or several, by their own or logical ids. [every section] */
  sectionId?: string;
  sectionIds?: string[];
  /** Rows by their labels, or by their display labels. [every place] */
  rowLabels?: string[];
  /** The bounds of each place's unit price, in the event's unit of money. [no bound] */
  minUnitPrice?: number;
  maxUnitPrice?: number;
  /** Each part of the choice is in a row, and begins or ends at the end of the row or at a gap. [false] */
  aisle?: boolean;
  /** Only places that the chart says are reached without steps. [false] */
  stepFree?: boolean;
  /** Places of these kinds are chosen. [only places without a kind] */
  accessible?: AccessibilityKind[];
  /** The number of places of these kinds, at most `qty`. [1 if `accessible` names a kind] */
  accessibleSeats?: number;
  /** Whether a choice that leaves no single free seat comes first. [true] */
  preventOrphans?: boolean;
  /** The choice comes as near to these units and areas as it can. [to the chart's own focal points] */
  near?: string[];
  /** The tiers of the units, `qty` in all. [the default tiers] */
  tickets?: Tickets[];
};

/** `qty` tickets of a tier; null is the default tier of each unit. */
export type Tickets = { tierId: string | null; qty: number };
