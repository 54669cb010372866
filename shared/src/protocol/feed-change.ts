/** The change of an event as front doors hear of it. It goes to viewers by way of the front doors' replicas. */
import type { ScopesInForce } from '../charts/scopes.ts';
import type { HeldUntil } from './held-until.ts';
import type { EventStatus, UnitStatus } from './records.ts';

/** Booked units that are listed for resale, with their statuses for buyers: free, or held by a checkout. */
export type Offered = { units: number[]; statuses: UnitStatus[] };

/**
 * The message to viewers' front doors after a commit, on core NATS. `from` is the event's version before this change
 * and `to` the version after it (both stream sequences). A listener at another version than `from` has missed a change,
 * and asks for a view. Units and statuses stand in parallel.
 */
export type FeedChange = {
  from: number;
  to: number;
  at: number;
  units: number[];
  statuses: UnitStatus[];
  /** The listed units among `units`; the others are not listed. */
  offered?: Offered;
  /** Both set when the event's own status changed, or the pause of its sales. */
  eventStatus?: EventStatus;
  salesPaused?: boolean;
  /** All hidden and closed divisions, set when they may have changed. */
  scopes?: ScopesInForce;
  /** Set when assignments or channels changed: only a view shows which units each reach has. */
  allocation?: number;
  /**
   * After the change: the number of active holds; the value of all booked units in the event's unit, set when it
   * changes.
   */
  activeHolds?: number;
  bookedValue?: number;
  /** The holds that were made or extended. Front doors show their units as free from that time on. */
  heldUntil?: HeldUntil[];
  /** Set when the event moved to another chart, which numbers units anew: a view is needed. */
  plan?: string;
};
