/** The buyer's selection before the purchase, by label. Every change gives a new selection. Pure. */
import { isCompanionsKind } from '@parterre/shared/charts/accessibility';
import type { Tier } from '@parterre/shared/charts/document';
import { type Fee, type PriceFees, type PriceUnit, totalOfItems } from '@parterre/shared/protocol/money';
import type { Hall } from './hall.ts';
import { type Cost, costsOf, hasWheelchairBeside, type Offers, summedFees, tiersFor } from './prices.ts';
import { type Statuses, statusWords } from './statuses.ts';

/** `spot` is null for places of an area, whose label it has, and for a held place that the chart no longer shows. */
export type ChosenPlace = {
  label: string;
  spot: number | null;
  areaId: string | null;
  category: number;
  /** Guests at a table, places of an area; 1 of a seat. */
  quantity: number;
  min: number;
  /** Infinite for an area: its free places are the bound, and they change. */
  max: number;
  tierId: string | null;
};

export type Selection = ReadonlyMap<string, ChosenPlace>;

export const nothing: Selection = new Map();

/** One selection in a call to hold. */
export type Wanted = { label: string; tierId?: string; quantity?: number };

export function chosenSpot(hall: Hall, spot: number): ChosenPlace {
  const { mode, min, max } = hall.objects[hall.objectOf[spot]!]!;
  const label = hall.labels[spot]!;
  const category = hall.categoryOf[spot]!;
  const tierId = tiersFor(hall, category, label, hall.accessibilityOf[spot]!)[0]?.id ?? null;
  const guests = mode === 'individual' ? 1 : max;
  return { label, spot, areaId: null, category, quantity: guests, min, max, tierId };
}

export function chosenArea(hall: Hall, areaId: string, quantity: number): ChosenPlace | null {
  const area = hall.areas.find(({ id }) => id === areaId);
  if (!area) return null;
  const { label, category } = area;
  const tierId = tiersFor(hall, category, label, 0)[0]?.id ?? null;
  return { label, spot: null, areaId, category, quantity, min: 1, max: Infinity, tierId };
}

/** The same places on another chart of their event. A place that the chart lacks keeps its name. */
export function movedTo(hall: Hall, selection: Selection): Selection {
  return new Map(
    [...selection].map(([label, chosen]) => {
      const { areaId, quantity, tierId } = chosen;
      const spot = hall.spotOf.get(label);
      const place = spot === undefined ? chosenArea(hall, areaId ?? '', quantity) : chosenSpot(hall, spot);
      const category = Math.min(chosen.category, hall.categories.length - 1);
      return [label, place ? { ...place, label, quantity, tierId } : { ...chosen, spot: null, category }];
    }),
  );
}

/** The choice beside a hold that was read again: pending places and places that were given up stay so. */
export function besideHold(selection: Selection, before: Selection, held: Selection): Selection {
  const kept = [...held].filter(([label]) => !before.has(label) || selection.has(label));
  return new Map([...kept, ...notHeld(selection, before).map((chosen) => [chosen.label, chosen] as const)]);
}

/** The selection in one area. */
export function ofArea(selection: Selection, areaId: string): ChosenPlace | undefined {
  return [...selection.values()].find((chosen) => chosen.areaId === areaId);
}

export function without(selection: Selection, label: string): Selection {
  if (!selection.has(label)) return selection;
  return new Map([...selection].filter(([each]) => each !== label));
}

export function withChosen(selection: Selection, chosen: ChosenPlace): Selection {
  return new Map([...selection, [chosen.label, chosen]]);
}

/** Another number of guests or places, within its bounds; 0 removes it. */
export function withQuantity(selection: Selection, label: string, quantity: number): Selection {
  const chosen = selection.get(label);
  if (!chosen) return selection;
  if (quantity < chosen.min) return without(selection, label);
  return withChosen(selection, { ...chosen, quantity: Math.min(quantity, chosen.max) });
}

export function withTier(selection: Selection, label: string, tierId: string): Selection {
  const chosen = selection.get(label);
  return chosen ? withChosen(selection, { ...chosen, tierId }) : selection;
}

/** Guests and places in total: the number that a bound on a purchase counts. */
export function guestsIn(selection: Selection): number {
  let guests = 0;
  for (const { quantity } of selection.values()) guests += quantity;
  return guests;
}

/** “It” or “them”: a table is one thing, the places of an area are several. */
export function thingsIn(selection: Selection): number {
  let things = 0;
  for (const { areaId, quantity } of selection.values()) things += areaId === null ? 1 : quantity;
  return things;
}

/** The tiers to choose from. */
export function tiersOf(hall: Hall, { spot, category, label }: ChosenPlace): Tier[] {
  const tiers = tiersFor(hall, category, label, spot === null ? 0 : hall.accessibilityOf[spot]!);
  if (spot !== null && (isCompanionsKind(hall.accessibilityOf[spot]!) || hasWheelchairBeside(hall, spot))) return tiers;
  const open = tiers.filter(({ restriction }) => restriction !== 'companion');
  return open.length > 0 ? open : tiers;
}

/** The costs of places that are held together, by label. */
export function costsBy(
  hall: Hall,
  offers: readonly Offers[],
  places: readonly ChosenPlace[],
): ReadonlyMap<string, Cost> {
  const lines = places.map((chosen) => {
    const tier = tiersOf(hall, chosen).find(({ id }) => id === chosen.tierId) ?? null;
    return { ...chosen, tier };
  });
  const costs = costsOf(hall, offers, lines);
  return new Map(places.map(({ label }, nth) => [label, costs[nth]!]));
}

/** Only areas and tables of variable occupancy take a quantity in a call. */
export function wantedOf(hall: Hall, selection: Selection): Wanted[] {
  return [...selection.values()].map(({ label, tierId, quantity, areaId, spot }) => {
    const mode = spot === null ? null : hall.objects[hall.objectOf[spot]!]!.mode;
    const counts = areaId !== null || mode === 'variable';
    return { label, ...(tierId === null ? {} : { tierId }), ...(counts ? { quantity } : {}) };
  });
}

/** Chosen places that others have taken, or that the chart no longer shows. `own` are those of this page's hold. */
export function lostOf(hall: Hall, selection: Selection, statuses: Statuses, own: ReadonlySet<string>): string[] {
  const isOpen = ({ spot, areaId }: ChosenPlace) =>
    spot === null ? hall.areas.some(({ id }) => id === areaId) : isFree(statuses, spot);
  return [...selection.values()].filter((each) => !own.has(each.label) && !isOpen(each)).map(({ label }) => label);
}

/** The selection of a hold: places of an area are listed singly and counted. */
export function selectionOf(hall: Hall, items: readonly HeldItem[]): Selection {
  let selection = nothing;
  for (const item of items) {
    const spot = hall.spotOf.get(item.label);
    const onChart =
      item.objectType === 'ga' ? chosenArea(hall, item.objectId, 1) : spot !== undefined && chosenSpot(hall, spot);
    const chosen = onChart || offChart(hall, item);
    const before = item.objectType === 'ga' ? (selection.get(chosen.label)?.quantity ?? 0) : 0;
    const quantity = before + (item.quantity ?? chosen.quantity);
    selection = withChosen(selection, { ...chosen, tierId: item.tierId, quantity });
  }
  return selection;
}

/** A held place of a division that is hidden by now. */
function offChart(hall: Hall, { label, objectId, objectType, categoryKey, tierId }: HeldItem): ChosenPlace {
  const [name, areaId] = objectType === 'ga' ? [objectId, objectId] : [label, null];
  const category = Math.max(
    hall.categories.findIndex(({ key }) => key === categoryKey),
    0,
  );
  return { label: name, spot: null, areaId, category, quantity: 1, min: 1, max: 1, tierId };
}

/** The visible part of a hold's line item. */
export type HeldItem = {
  label: string;
  objectId: string;
  objectType: 'seat' | 'booth' | 'ga' | 'table';
  categoryKey?: string;
  tierId: string | null;
  unitPrice: number;
  currency: string;
  priceUnit?: PriceUnit;
  fees?: readonly Fee[];
  allIn?: boolean;
  quantity?: number;
};

export const totalHeld: (items: readonly HeldItem[]) => number = totalOfItems;

/** The fees of all guests and places of these items. Fees of one name are one fee. */
export function feesHeld(items: readonly HeldItem[]): PriceFees {
  return summedFees(items.map(({ fees = [], allIn = false, quantity = 1 }) => ({ fees, allIn, times: quantity })));
}

/** The part of a selection that the hold does not keep: other places, other tickets, more of an area. */
export function notHeld(selection: Selection, held: Selection): ChosenPlace[] {
  return [...selection.values()].filter((chosen) => !isSame(chosen, held.get(chosen.label)));
}

export function isSame({ quantity, tierId }: ChosenPlace, other: ChosenPlace | undefined): boolean {
  return other?.quantity === quantity && other.tierId === tierId;
}

/** The cost of a selection; kept places cost the hold's price. */
export function costOf(
  hall: Hall,
  offers: readonly Offers[],
  selection: Selection,
  held: Selection,
  items: readonly HeldItem[],
): number {
  const fresh = notHeld(selection, held);
  const kept = [...selection.values()].filter((chosen) => !fresh.includes(chosen));
  const keptCost = kept.reduce((sum, chosen) => sum + (heldOf(chosen, items)?.cost ?? 0), 0);
  const costs = [...costsBy(hall, offers, fresh).values()];
  return costs.reduce((sum, { total }) => sum + total, keptCost);
}

/** The part of a place or an area that a hold keeps, and its cost; null for nothing. */
export function heldOf(
  { label, areaId }: ChosenPlace,
  items: readonly HeldItem[],
): { quantity: number; cost: number; fees: PriceFees } | null {
  const its = items.filter((item) => (areaId === null ? item.label === label : item.objectId === areaId));
  if (its.length === 0) return null;
  return {
    quantity: its.reduce((sum, { quantity = 1 }) => sum + quantity, 0),
    cost: totalHeld(its),
    fees: feesHeld(its),
  };
}

/** True when a hold of either selection would be the same. */
export function sameSelection(a: Selection, b: Selection): boolean {
  if (a.size !== b.size) return false;
  return notHeld(a, b).length === 0;
}

export const isFree = (statuses: Statuses, spot: number): boolean => statusWords[statuses.of[spot]!] === 'free';

export function isWithdrawn(hall: Hall, statuses: Statuses, label: string): boolean {
  const spot = hall.spotOf.get(label);
  return spot === undefined || statusWords[statuses.of[spot]!] === 'not_for_sale';
}
