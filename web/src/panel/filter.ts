/** The part of the hall that a buyer wants to see: some categories, a highest price, a kind of place. Pure. */

import { accessibilityKinds } from '@parterre/shared/charts/accessibility';
import type { SeatFilter } from '../draw/scene.ts';
import type { Hall } from '../rules/hall.ts';
import { defaultPriceOf, defaultPricesOf, type Offers } from '../rules/prices.ts';
import type { Statuses } from '../rules/statuses.ts';
import { type Standing, standingOf } from '../rules/supply.ts';

/**
 * An empty set of categories stands for all of them, and no kind for any. `kinds` are bits, of which a place has one.
 */
export type Filter = { categories: ReadonlySet<number>; priceMax: number | null; kinds: number; stepFree: boolean };

export const noFilter: Filter = { categories: new Set(), priceMax: null, kinds: 0, stepFree: false };

export const isFiltering = ({ categories, priceMax, kinds, stepFree }: Filter): boolean =>
  categories.size > 0 || priceMax !== null || kinds !== 0 || stepFree;

/** The map dims all other places. */
export type MapFilter = NonNullable<SeatFilter>;

export function mapFilterOf(filter: Filter, hall: Hall, offers: readonly Offers[]): MapFilter | null {
  if (!isFiltering(filter)) return null;
  const { categories, priceMax, kinds, stepFree } = filter;
  const hasCategory = (category: number) => categories.size === 0 || categories.has(category);
  const isCheap = (category: number, label: string, accessibility: number) =>
    priceMax === null || defaultPriceOf(hall, offers, category, label, accessibility) <= priceMax;
  return {
    spot(spot) {
      const category = hall.categoryOf[spot]!;
      const accessibility = hall.accessibilityOf[spot]!;
      if (kinds !== 0 && (accessibility & kinds) === 0) return false;
      if (stepFree && hall.wayOf[spot] === 0) return false;
      return hasCategory(category) && isCheap(category, hall.labels[spot]!, accessibility);
    },
    area(index) {
      const area = hall.areas[index]!;
      if (kinds !== 0 || (stepFree && area.way === 0)) return false;
      return hasCategory(area.category) && isCheap(area.category, area.label, 0);
    },
  };
}

export function toggled(filter: Filter, category: number): Filter {
  const categories = new Set(filter.categories);
  if (!categories.delete(category)) categories.add(category);
  return { ...filter, categories };
}

type Used = { categories: number[]; accessibility: number; hasWays: boolean };

const inHall = new WeakMap<Hall, Used>();

/** The kinds of the hall's places, in the chart's order. */
export function kindsIn(hall: Hall): { kind: (typeof accessibilityKinds)[number]; bit: number }[] {
  const { accessibility } = usedIn(hall);
  const all = accessibilityKinds.map((kind, index) => ({ kind, bit: 1 << index }));
  return all.filter(({ bit }) => (accessibility & bit) !== 0);
}

/** The categories that the hall uses, in the chart's order, all kinds of its places, and whether it knows of ways. */
export function usedIn(hall: Hall): Used {
  let used = inHall.get(hall);
  if (!used) {
    const present = new Set([...hall.categoryOf, ...hall.areas.map(({ category }) => category)]);
    const categories = [...hall.categories.keys()].filter((category) => present.has(category));
    const hasWays = hall.wayOf.some((way) => way > 0) || hall.areas.some(({ way }) => way > 0);
    used = { categories, accessibility: hall.accessibilityOf.reduce((all, each) => all | each, 0), hasWays };
    inHall.set(hall, used);
  }
  return used;
}

type HallOnSale = { hall: Hall; offers: readonly Offers[]; statuses: Statuses };

/** The categories of the hall that are for this buyer. Where none is, all of them: none is then for sale. */
export function categoriesFor({ hall, offers, statuses }: HallOnSale): { category: number; standing: Standing }[] {
  const all = usedIn(hall).categories.map((category) => {
    return { category, standing: standingOf(hall, offers, statuses, category) };
  });
  const sold = all.filter(({ category, standing }) => standing !== 'not_for_sale' || isClosed(hall, category));
  return sold.some(({ standing }) => standing !== 'not_for_sale') ? sold : all;
}

/** The chart says so, for every buyer. */
const isClosed = (hall: Hall, category: number): boolean => hall.categories[category]!.notForSale === true;

/** The categories with free places for this buyer. */
export const freeCategories = (sold: HallOnSale): number[] =>
  categoriesFor(sold).flatMap(({ category, standing }) => (standing === 'free' ? [category] : []));

/** The prices that the map's free places show, to choose a highest one from, without the highest of all. */
export function priceSteps({ hall, offers, statuses }: HallOnSale): number[] {
  const sold = freeCategories({ hall, offers, statuses });
  const prices = sold.flatMap((category) => defaultPricesOf(hall, offers, category));
  return [...new Set(prices.filter(Number.isFinite))].sort((a, b) => a - b).slice(0, -1);
}
