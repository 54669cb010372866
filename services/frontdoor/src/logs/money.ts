/**
 * What an event has taken in, which a manage session is told with `event:reports` only. What a seat would be sold for is no secret: charts,
 * releases, holds under way and the sale at the counter tell it to whoever may use them. Pure.
 */
import type { Capability } from '@parterre/shared/catalog/scope';

/** `capabilities` are a manage session's; a key or a dashboard session has none, and needs none. */
type Asker = { kind: string } & { capabilities?: readonly Capability[] };

/** Fields of reports and bookings that tell what was paid. */
const taken: ReadonlySet<string> = new Set([
  'bookedValue',
  'gross',
  'configuredValue',
  'activeConfiguredValue',
  'unitPrice',
]);

export function seesMoney({ capabilities }: Asker): boolean {
  return capabilities === undefined || capabilities.includes('event:reports');
}

/** A report or bookings, in which the sums are null for whoever may not see them. */
export function withMoneyFor(asker: Asker, told: unknown): unknown {
  return seesMoney(asker) ? told : withoutMoney(told);
}

function withoutMoney(told: unknown): unknown {
  if (Array.isArray(told)) return told.map(withoutMoney);
  if (told === null || typeof told !== 'object') return told;
  return Object.fromEntries(
    Object.entries(told).map(([name, value]) => [
      name,
      taken.has(name) && typeof value !== 'object' ? null : withoutMoney(value),
    ]),
  );
}
