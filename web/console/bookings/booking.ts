/** A booking as the server tells it, and the part of it that a person has chosen. Pure. */
import type { Item, Selection } from '../event/line-items.ts';

export type BookedItem = Item & {
  state: 'booked' | 'cancelled';
  bookedAt: number;
  cancelledAt: number | null;
  resoldTo?: string;
  exchangeId?: string;
};

export type Booking = {
  bookingRef: string;
  state: 'booked' | 'partially_cancelled' | 'cancelled';
  bookedAt: number;
  buyerRef: string | null;
  bookedBy: string | null;
  source: string;
  activeLabels: string[];
  activeQuantity: number;
  activeTotal: number | null;
  total: number | null;
  objects: BookedItem[];
  currency: string;
  priceUnit: 'major' | 'minor';
};

export type Exchange = {
  from: string[];
  to: string[];
  fromEventKey?: string;
  toEventKey?: string;
  swappedWith?: string;
  priceDifference?: number | null;
  fee?: number | null;
  waivedDifference?: { amount: number | null; reason: string };
};

export type Activity = {
  id: number;
  action: 'book' | 'replay' | 'partial_cancel' | 'cancel' | 'reconcile';
  at: number;
  labels: string[];
  actor: string | null;
  source: string;
  reason?: string;
  resales?: { fromBookingRef: string; toBookingRef: string; labels: string[] }[];
  exchange?: Exchange;
};

/** A line is named by its first unit, in addresses too. */
export const nameOfItem = ({ label, labels }: Item): string => labels?.[0] ?? label;

export const activeItems = ({ objects }: Booking): BookedItem[] => objects.filter(({ state }) => state === 'booked');

/**
 * Tickets for the new places: each keeps the ticket type of the place that it replaces, in order, where the new place
 * has it.
 */
export function keptTickets(
  from: readonly Item[],
  to: readonly string[],
  hasTier: (label: string, tierId: string) => boolean,
): Selection[] {
  const tiers = from.flatMap(({ tierId, quantity = 1 }) => Array<string | null>(quantity).fill(tierId));
  return to.map((label, at) => {
    const tierId = tiers[at] ?? null;
    return tierId !== null && hasTier(label, tierId) ? { label, tierId } : { label };
  });
}

/** “; A-3” as labels. */
export const labelsIn = (text: string): string[] => {
  return text.split(/[,;\n]+/).flatMap((label) => (label.trim() === '' ? [] : [label.trim()]));
};

/** An amount as a person writes it, in the unit of the event; null for a text that is no amount. */
export function amountIn(text: string, digits: number): number | null {
  if (!/^\d{1,9}([.,]\d{1,4})?$/.test(text.trim())) return null;
  const amount = Number(text.trim().replace(',', '.')) * 10 ** digits;
  return Math.abs(amount - Math.round(amount)) < 1e-6 ? Math.round(amount) : null;
}
