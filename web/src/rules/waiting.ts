/** The one reason why a buyer can buy nothing now, for the page to say once. Pure. */
import type { Statuses } from './statuses.ts';

export type SalePause = {
  reason: /** Nothing is sold, and the map may be out of date, until the seller has repaired the event. */
    | 'stale'
    | 'event_closed'
    | 'sales_paused'
    | 'channel_paused'
    | 'sold_out'
    | 'nothing_for_sale'
    /** Seats are sold, at their usual prices, until the first ticket release starts. */
    | 'presale';
  opensAt: number | null;
};

export const closedIf = (isClosed: boolean): SalePause | null =>
  isClosed ? { reason: 'event_closed', opensAt: null } : null;

const closings: ReadonlySet<string> = new Set(['stale', 'event_closed', 'sales_paused', 'channel_paused']);

/** True while no place can be chosen. */
export const isShut = (waiting: SalePause | null): boolean => waiting !== null && closings.has(waiting.reason);

/** The reason of this moment: statuses are live, while the server's reason may be half a minute old. */
export function waitingNow(waiting: SalePause | null, statuses: Statuses): SalePause | null {
  if (statuses.isStale) return { reason: 'stale', opensAt: null };
  if (isShut(waiting) || waiting?.reason === 'presale' || statuses.version === 0) return waiting;
  if (hasFree(statuses)) return null;
  return waiting ?? { reason: 'sold_out', opensAt: null };
}

export const hasFree = ({ freeInBlock, freeInArea }: Statuses): boolean =>
  freeInBlock.some((free) => free > 0) || [...freeInArea.values()].some((free) => free > 0);
