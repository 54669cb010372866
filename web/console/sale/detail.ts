/** An event with the settings of its sale, as `GET /v1/events/{key}` tells it. Times are epoch milliseconds. */
import type { EventMeta } from '../event/tab.ts';

export type SelectionRules = {
  preventOrphans?: true;
  consecutive?: true;
  highlightOnly?: true;
  min?: number;
  exact?: number;
  categoryLimits?: Record<string, number>;
  tierLimits?: Record<string, number>;
};

export type PublicSale = {
  maxPerHold?: number | null;
  maxHeldPerSession?: number | null;
  maxHeldPerAddress?: number | null;
};

export type SectionState = 'open' | 'closed' | 'hidden';

export type EventDetail = {
  meta: EventMeta & { sold: number };
  counts: { free: number; held: number; booked: number; blocked: number };
  holdTtlMs: number | null;
  chartUpdate: { behind: boolean; canAutoUpdate: boolean };
  sectionStates: Record<string, SectionState>;
  selectionRules: SelectionRules | null;
  publicSale: PublicSale | null;
  salesStartAt: number | null;
  salesEndAt: number | null;
  companionsUntil: number | null;
  buyerLimit: { perBuyer: number } | null;
};
