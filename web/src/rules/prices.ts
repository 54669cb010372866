/**
 * The price of a place, as far as a page knows it before the server answers: a hold's line items are the truth. Pure.
 */

import { accessibilityKinds } from '@parterre/shared/chart/accessibility';
import type { Category } from '@parterre/shared/chart/document';
import { COMPANION, type Hall } from './hall.ts';

export type Tier = NonNullable<Category['tiers']>[number];

/** The part of `GET availability` that prices places, in major units. Any other place costs the chart's price. */
export type Offers = {
  prices: { categoryKey: string; price: number; previousPrice: number | null; offerName?: string }[];
  channels: { channelId: string; priceOverrides: { categoryKey: string; tierId: string | null; price: number }[] }[];
  channelOf: Map<string, string>;
};

/** Every place costs the chart's price. */
export const bareOffers: Offers = { prices: [], channels: [], channelOf: new Map() };

/** The tiers of a place, the default tier first. */
export function tiersFor(hall: Hall, category: number, label: string, accessibility: number): Tier[] {
  const applying = (hall.categories[category]?.tiers ?? []).filter(({ applicability }) => {
    const { seatLabels = [], accessibility: kinds = [] } = applicability ?? {};
    if (seatLabels.length > 0 && !seatLabels.includes(label)) return false;
    return kinds.length === 0 || kinds.some((kind) => accessibility & (1 << accessibilityKinds.indexOf(kind)));
  });
  if (accessibility & COMPANION) return applying;
  const usual = applying.find(({ restriction }) => restriction !== 'companion');
  return usual ? [usual, ...applying.filter((tier) => tier !== usual)] : applying;
}

/** For one guest: the sum over the events that are sold together. */
export function priceOf(
  hall: Hall,
  offers: readonly Offers[],
  category: number,
  label: string,
  tier: Tier | null,
): number {
  return offers.reduce((sum, each) => sum + priceIn(hall, each, category, label, tier), 0);
}

function priceIn(hall: Hall, offers: Offers, category: number, label: string, tier: Tier | null): number {
  const { key, price = 0 } = hall.categories[category]!;
  const channelId = offers.channelOf.get(label);
  const overrides = offers.channels.find((channel) => channel.channelId === channelId)?.priceOverrides ?? [];
  const override = overrides.find(({ categoryKey, tierId }) => categoryKey === key && tierId === (tier?.id ?? null));
  if (override) return override.price;
  if (tier) return tier.price;
  return offers.prices.find(({ categoryKey }) => categoryKey === key)?.price ?? price;
}

/** The lowest price of a category first. */
export function pricesOf(hall: Hall, offers: readonly Offers[], category: number): { from: number; isRange: boolean } {
  const { tiers = [] } = hall.categories[category]!;
  const plain = tiers.filter(({ restriction }) => restriction !== 'companion');
  if (plain.length === 0) return { from: priceOf(hall, offers, category, '', null), isRange: false };
  const prices = plain.map((tier) => priceOf(hall, offers, category, '', tier));
  return { from: Math.min(...prices), isRange: Math.min(...prices) !== Math.max(...prices) };
}
