/** The times between which buyers hold. Only buyers are bound, and only by new holds. */
import type { Caller } from '@parterre/shared/protocol/commands';
import type { SaleSettings, SetSaleSettings } from '@parterre/shared/protocol/records';
import { type Claim, isOnSale, type Refused, type World } from './world.ts';

const refusal = (code: string): Refused => ({ code, reason: code });

/** The reason why the caller may hold nothing now; null if there is none. */
export function notOnSale(world: World, caller: Caller): Refused | null {
  if (!isOnSale(world)) return refusal('event_closed');
  if (caller.source !== 'buyer') return null;
  const { salesEndAt = Infinity } = world.saleSettings;
  if (world.now >= salesEndAt) return refusal('sales_ended');
  return world.now < Math.min(...startsFor(world, caller)) ? refusal('sales_not_started') : null;
}

/** The beginnings of the parts that the caller reaches. Without a part, the event's own beginning counts. */
function startsFor(world: World, { reach }: Caller): number[] {
  const { salesStartAt: ofEvent = 0 } = world.saleSettings;
  const open = (reach?.channelIds ?? []).filter((id) => {
    return world.channels[id]?.isArchived === false && !world.pausedChannels.includes(id);
  });
  const ofChannels = open.map((id) => world.channels[id]!.salesStartAt ?? ofEvent);
  const isPublic = reach === undefined || reach.includePublic || open.length === 0;
  return isPublic ? [ofEvent, ...ofChannels] : ofChannels;
}

/** The refusal of places of a channel that has not begun itself. */
export function beforeOwnStart(world: World, { source }: Caller, claims: Claim[]): Refused[] {
  const isEarly = ({ channel }: Claim): boolean =>
    channel !== null && world.now < (world.channels[channel]!.salesStartAt ?? 0);
  return source === 'buyer' && claims.some(isEarly) ? [refusal('sales_not_started')] : [];
}

/** The settings after a change; null if the sale would end before a part of it begins. */
export function withSettings(world: World, change: Partial<SaleSettings>): SetSaleSettings | null {
  const all = Object.entries({ ...world.saleSettings, ...change }).filter(([, value]) => value !== null);
  const settings = Object.fromEntries(all) as SetSaleSettings;
  const { salesStartAt = 0, salesEndAt = Infinity } = settings;
  const live = Object.values(world.channels).filter(({ isArchived }) => !isArchived);
  const isTooEarly = change.salesEndAt != null && live.some((channel) => (channel.salesStartAt ?? 0) >= salesEndAt);
  const isNamed = change.salesEndAt != null || change.salesStartAt != null;
  return isTooEarly || (isNamed && salesStartAt >= salesEndAt) ? null : settings;
}
