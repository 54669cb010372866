/** The one reason why a buyer can buy nothing now, for the page to say once. Pure. */
import type { Statuses } from './statuses.ts';

const reasons = [
  /** Nothing is sold, and the map may be out of date, until the seller has repaired the event. */
  'stale',
  'event_closed',
  'sales_paused',
  'channel_paused',
  /** The sale begins at `opensAt`, or at a time that is not known. */
  'not_started',
  /** The end of the sale has passed. Holds that live can still be bought. */
  'sales_ended',
  'sold_out',
  'nothing_for_sale',
  /** Seats are sold, at their usual prices, until the first ticket release starts. */
  'presale',
] as const;

export type SalePause = { reason: (typeof reasons)[number]; opensAt: number | null };

/**
 * From `GET availability`. `opensAt` beside `state: "presale"` is the start of the sale, but for the reason `presale`:
 * then places are sold already.
 */
export type ToldPause = {
  state?: string;
  opensAt?: number | null;
  waiting?: { reason: string; opensAt: number | null } | null;
};

/**
 * A sale without a known start has the reason that the server tells, where it tells one. A reason that this page does
 * not know counts as a closed sale if the sale is closed.
 */
export function pauseOf({ state, opensAt = null, waiting }: ToldPause): SalePause | null {
  const reason = reasons.find((known) => known === waiting?.reason);
  const isAhead = state === 'presale' && reason !== 'presale';
  if (isAhead && (opensAt !== null || !reason)) return { reason: 'not_started', opensAt };
  if (waiting && reason) return { reason, opensAt: waiting.opensAt };
  return closedIf(state === 'closed');
}

/** Before the prices are read: places that are free are sold, or the server will say why not. */
export function pauseOfEvent(
  event: ToldPause & { salesClosed: boolean; salesStartAt?: number | null },
  statuses: Statuses,
): SalePause | null {
  if (event.salesClosed) return closedIf(true);
  const { state, salesStartAt = null, opensAt = null } = event;
  if (state === 'presale' && salesStartAt !== null && salesStartAt === opensAt) return pauseOf(event);
  return hasFree(statuses) ? null : pauseOf(event);
}

export const closedIf = (isClosed: boolean): SalePause | null =>
  isClosed ? { reason: 'event_closed', opensAt: null } : null;

const closings: ReadonlySet<string> = new Set<SalePause['reason']>([
  'stale',
  'event_closed',
  'sales_paused',
  'channel_paused',
  'not_started',
  'sales_ended',
]);

/** True while no place can be chosen. */
export const isShut = (waiting: SalePause | null): boolean => waiting !== null && closings.has(waiting.reason);

export const isAwaited = (waiting: SalePause | null): boolean => waiting?.reason === 'not_started';

/** Of performances that are sold together: the sale begins when the last of theirs begins, and ends with the first. */
export function awaitedOf(pauses: readonly (SalePause | null)[]): SalePause | null {
  const ended = pauses.find((pause) => pause?.reason === 'sales_ended');
  if (ended) return ended;
  const awaited = pauses.filter(isAwaited).map((pause) => pause!.opensAt);
  if (awaited.length === 0) return null;
  const known = awaited.filter((at) => at !== null);
  return { reason: 'not_started', opensAt: known.length < awaited.length ? null : Math.max(...known) };
}

/** True if there is something to choose. */
export const isOnSale = (waiting: SalePause | null): boolean => waiting === null || waiting.reason === 'presale';

/** True once the awaited sale has begun by the server's clock, and the map shows places to buy. */
export function hasBegun(waiting: SalePause | null, statuses: Statuses, now: number): boolean {
  return isAwaited(waiting) && waiting!.opensAt !== null && now >= waiting!.opensAt && hasFree(statuses);
}

/** True once the end of the sale has passed by the server's clock. */
export function hasEnded(waiting: SalePause | null, salesEndAt: number | null, now: number): boolean {
  return salesEndAt !== null && now >= salesEndAt && !isShut(waiting);
}

/** True once companions' places of sold wheelchair places are for all, by the server's clock. */
export const areCompanionsReleased = (companionsUntil: number | null, now: number): boolean =>
  companionsUntil !== null && now >= companionsUntil;

/** The time until the awaited sale begins, where the page counts it; a longer time is told as a date alone. */
export function countdownTo(waiting: SalePause | null, now: number): number | null {
  if (!isAwaited(waiting) || waiting!.opensAt === null) return null;
  const left = waiting!.opensAt - now;
  return left > 0 && left <= COUNTED_MS_MAX ? left : null;
}

const COUNTED_MS_MAX = 24 * 3_600_000;

/** The times left that are spoken. */
export const OPENING_MARKS_MS = [600_000, 60_000, 10_000];

/** The reason of this moment: statuses are live, while the server's reason may be half a minute old. */
export function waitingNow(waiting: SalePause | null, statuses: Statuses): SalePause | null {
  if (statuses.isStale) return { reason: 'stale', opensAt: null };
  if (isShut(waiting) || waiting?.reason === 'presale' || statuses.version === 0) return waiting;
  if (hasFree(statuses)) return null;
  return waiting ?? { reason: 'sold_out', opensAt: null };
}

export const hasFree = ({ freeInBlock, freeInArea }: Statuses): boolean =>
  freeInBlock.some((free) => free > 0) || [...freeInArea.values()].some((free) => free > 0);
