/**
 * The revenue of an event, which a manage session sees only with `event:reports`. Prices are no secret: charts, ticket
 * releases, active holds and sales at the counter show prices to everyone who may use them. Pure.
 */
import type { Capability } from '@parterre/shared/protocol/catalog/scope';

/** `capabilities` belong to a manage session. A key or a dashboard session has no list, and sees all. */
type Asker = { kind: string } & { capabilities?: readonly Capability[] };

/** The fields of reports and bookings that tell revenue. */
const taken: ReadonlySet<string> = new Set<RevenueField>([
  'bookedValue',
  'bookedFees',
  'bookedTotal',
  'gross',
  'configuredValue',
  'activeConfiguredValue',
  'activeTotal',
  'unitPrice',
  'priceDifference',
  'fee',
  'amount',
  'fees',
  'waivedDifferences',
]);

export function seesMoney({ capabilities }: Asker): boolean {
  return capabilities === undefined || capabilities.includes('event:reports');
}

type RevenueField =
  | 'bookedValue'
  | 'bookedFees'
  | 'bookedTotal'
  | 'gross'
  | 'configuredValue'
  | 'activeConfiguredValue'
  | 'activeTotal'
  | 'unitPrice'
  | 'priceDifference'
  | 'fee'
  | 'amount'
  | 'fees'
  | 'waivedDifferences';

/** The type of an answer to a caller who perhaps may not see revenue: a revenue field that is no object may be null. */
export type Untold<Value> = Value extends object
  ? {
      [Name in keyof Value]:
        | Untold<Value[Name]>
        | (Name extends RevenueField | TotalOf<Value> ? NullUnlessObject<Value[Name]> : never);
    }
  : Value;

/** The `total` beside a price is money. In other objects `total` counts places. */
type TotalOf<Value> = Value extends { unitPrice: number } | { configuredValue: number } ? 'total' : never;

type NullUnlessObject<Value> = Value extends object ? never : null;

/** The report or booking, with null in place of revenue for callers who may not see it. */
export function withMoneyFor<Value>(asker: Asker, told: Value): Untold<Value> {
  return (seesMoney(asker) ? told : withoutMoney(told)) as Untold<Value>;
}

function withoutMoney(told: unknown): unknown {
  if (Array.isArray(told)) return told.map(withoutMoney);
  if (told === null || typeof told !== 'object') return told;
  const isPriced = 'unitPrice' in told || 'configuredValue' in told;
  return Object.fromEntries(
    Object.entries(told).map(([name, value]) => {
      const isMoney = taken.has(name) || (isPriced && name === 'total');
      return [name, isMoney && typeof value !== 'object' ? null : withoutMoney(value)];
    }),
  );
}
