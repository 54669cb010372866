/**
 * The price of an operation. The members hold first, and a part keeps its prices. So the home decides about the total
 * with its own part: at the rest that the members leave.
 */
import type { LineItem } from '../answers.ts';
import type { Refusal } from '../errors.ts';
import { priceChanged } from '../price-changed.ts';
import type { Seen } from './operation-views.ts';
import type { OperationRef } from './ports.ts';

type Parts = ReadonlyMap<string, Seen>;

/** The part of `expectedTotal` (major units) that is left for the home. Undefined for any price. */
export function restOfTotal(expectedTotal: number | undefined, members: Parts): number | undefined {
  return expectedTotal === undefined ? undefined : expectedTotal - totalOf(itemsIn(members));
}

/** The home's refusal of its price, told of all events. Any other refusal stays as it is. */
export function ofAllEvents(refusal: Refusal, { eventKeys }: Pick<OperationRef, 'eventKeys'>, members: Parts): Refusal {
  if (refusal.code !== 'price_changed' || !refusal.details) return refusal;
  const { items, total, expectedTotal, currency } = refusal.details as Parameters<typeof priceChanged>[0];
  const allocations = eventKeys.map((eventKey, index) => {
    return { eventKey, items: index === 0 ? items : itemsOf(members.get(eventKey)) };
  });
  const rest = totalOf(itemsIn(members));
  const { refusal: whole } = priceChanged({
    items: allocations.flatMap((each) => each.items),
    total: total + rest,
    expectedTotal: expectedTotal + rest,
    currency,
  });
  return { ...whole, details: { ...whole.details, allocations } };
}

function itemsIn(parts: Parts): LineItem[] {
  return [...parts.values()].flatMap(itemsOf);
}

function itemsOf(part: Seen): LineItem[] {
  return part && 'items' in part ? part.items : [];
}

function totalOf(items: readonly LineItem[]): number {
  return items.reduce((sum, { unitPrice, quantity = 1 }) => sum + unitPrice * quantity, 0);
}
