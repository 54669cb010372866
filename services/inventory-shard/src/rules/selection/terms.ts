/** The terms of a selection, and the findings while it becomes lines. */
import type { Caller } from '@parterre/shared/protocol/commands';
import type { Line } from '@parterre/shared/protocol/records';
import type { ReachMask } from '../reach/masks.ts';
import type { Hold } from '../state/state.ts';
import type { Conflict } from './conflicts.ts';

/**
 * The terms of a sale besides the chart: the caller, the time, the ticket release that an operator chose, and the
 * replaced hold, whose units are free and whose share of a quota is available. `had`: the lines that the caller's
 * booking already has. A companion may sit with one of them.
 */
export type Terms = {
  caller: Caller;
  now: number;
  releaseId?: string;
  replaced?: Readonly<Hold> | undefined;
  had?: readonly Line[];
  /** Blocked units are for sale, too; units of offers and reservations are not. */
  fromBlock?: boolean;
  /** Units of other choices of the same call, which count as taken. */
  taken?: ReadonlySet<number>;
};

/** Whether the caller may take this unit: the unit is free, offered for resale, or in the caller's own hold. */
export type MayTake = (unit: number) => boolean;

/** Refusals that name every label concerned, in the order in which they apply. */
export const faultCodes = [
  'invalid_quantity',
  'not_for_sale',
  'unknown_tier',
  'ticket_option_not_applicable',
  'invalid_request',
  'price_missing',
] as const;
export type Fault = { code: (typeof faultCodes)[number]; label: string; why: string };

/** The findings on the way from selections to lines. */
export type Findings = { caller: Caller; mask: ReachMask | null; faults: Fault[]; conflicts: Conflict[] };
