/** The figures of the control room, from one answer of the server. Pure. */

type PlaceCounts = { free: number; held: number; booked: number; blocked: number };

export type SalesMinute = {
  at: number;
  holds: number;
  held: number;
  bookedFromHolds: number;
  ended: number;
  expired: number;
  bookings: number;
  booked: number;
  cancelled: number;
  /** Null for somebody who may not see revenue. */
  bookedValue: number | null;
};

/** `GET /v1/events/{key}/control-room/live`. Times are epoch milliseconds. */
export type Live = {
  at: number;
  event: { name: string; status: string; salesPaused: boolean; timezone: string | null };
  currency: string;
  priceUnit: 'major' | 'minor';
  totals: PlaceCounts;
  bookedValue: { gross: number | null };
  byCategory: ({ key: string; label: string } & PlaceCounts)[];
  bySection: ({ sectionId: string; sectionLabel: string } & PlaceCounts)[];
  presence: { shoppingSessions: number; activeHolds: number };
  sales: { since: number; readAt: number; minutes: SalesMinute[] } | null;
  sold: { upTo: number; places: { at: number; labels: string[] }[] } | null;
  refusals: {
    since: number;
    doors: number;
    byReason: { code: string; reason: string | null; count: number; lately: number }[];
  };
  budgets: { budget: string; key: string | null; used: number; limit: number; endsAt: number }[] | null;
  lag: {
    changedAt: number;
    feedMs: number;
    isStale: boolean;
    logMs: number;
    webhooks: { subscriptions: number; paused: number; waiting: number; oldestAt: number | null } | null;
  };
};

const MINUTE_MS = 60_000;
export const minutesShown = 60;
const PACE_MINUTES = 5;

/** A point for each minute of the last hour, oldest first. Null: the minute is not known yet. `at` in seconds. */
export type Series = { at: number[]; held: (number | null)[]; booked: (number | null)[] };

export function seriesOf({ at: now, sales }: Live): Series {
  const series: Series = { at: [], held: [], booked: [] };
  const byMinute = new Map(sales?.minutes.map((minute) => [minute.at, minute]));
  const last = now - (now % MINUTE_MS);
  for (let back = minutesShown - 1; back >= 0; back--) {
    const at = last - back * MINUTE_MS;
    const isKnown = sales !== null && at + MINUTE_MS > sales.since;
    series.at.push(at / 1_000);
    series.held.push(isKnown ? (byMinute.get(at)?.held ?? 0) : null);
    series.booked.push(isKnown ? (byMinute.get(at)?.booked ?? 0) : null);
  }
  return series;
}

/** Bookings and holds a minute, over the last five minutes. Null while the log is not known. */
export function paceOf({ at: now, sales }: Live): { bookings: number; holds: number } | null {
  if (sales === null) return null;
  const first = now - (now % MINUTE_MS) - (PACE_MINUTES - 1) * MINUTE_MS;
  const minutes = Math.max((now - Math.max(first, Math.min(sales.since, now))) / MINUTE_MS, 1);
  const lately = sales.minutes.filter(({ at }) => at >= first);
  const sum = (name: 'bookings' | 'holds') => lately.reduce((all, minute) => all + minute[name], 0);
  return { bookings: sum('bookings') / minutes, holds: sum('holds') / minutes };
}

/** PlaceCounts of the last hour. Null while the log is not known. */
export function funnelOf({ sales, totals }: Live) {
  if (sales === null) return null;
  const sum = (name: 'held' | 'bookedFromHolds' | 'ended' | 'expired') =>
    sales.minutes.reduce((all, minute) => all + Math.max(0, minute[name]), 0);
  return {
    held: sum('held'),
    booked: sum('bookedFromHolds'),
    ended: sum('ended'),
    expired: sum('expired'),
    open: totals.held,
  };
}

/** The share of the places that are for sale, or were. 0 for an event without any. */
export function soldShare({ free, held, booked }: PlaceCounts): number {
  const all = free + held + booked;
  return all === 0 ? 0 : booked / all;
}

/** Nothing is left to buy, and nothing of it comes back by itself. */
export const isSoldOut = ({ free, held, booked }: PlaceCounts): boolean => free === 0 && held === 0 && booked > 0;

/** The fullest first: what is about to sell out stands on top, what is sold out stands last. */
export function byUrgency<Part extends PlaceCounts>(parts: readonly Part[]): Part[] {
  const rank = (part: Part): number => (isSoldOut(part) ? -1 : soldShare(part));
  return [...parts].sort((one, other) => rank(other) - rank(one));
}

/** Sold places with the time of their sale, for the momentum on the map. Older sales than `keepMs` are forgotten. */
export function withSold(known: ReadonlyMap<string, number>, live: Live, keepMs: number): Map<string, number> {
  const kept = new Map([...known].filter(([, at]) => at > live.at - keepMs));
  for (const { at, labels } of live.sold?.places ?? []) {
    for (const label of labels) if (at > live.at - keepMs) kept.set(label, at);
  }
  return kept;
}
