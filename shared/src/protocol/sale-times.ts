/** The settings of an event's sale, and the times between which buyers hold places. Pure. */
import type { Channel, Reach, SetSaleSettings } from './records.ts';

type SaleTimes = Pick<SetSaleSettings, 'salesStartAt' | 'salesEndAt'>;

/**
 * The time at which the sale to buyers of this reach begins; null: no beginning. The reach begins with its earliest
 * part. The own time of a channel takes precedence over the time of the event. For example, a session with public sale
 * and a channel that begins a day earlier may hold places of both a day earlier. A channel that is not active sells
 * nothing, so its time counts for nobody.
 */
export function saleStartOf(
  { salesStartAt: ofEvent }: SaleTimes,
  reach: Reach | null | undefined,
  channelNamed: (id: string) => Pick<Channel, 'state' | 'salesStartAt'> | undefined,
): number | null {
  let earliest = Number.POSITIVE_INFINITY;
  for (const id of reach?.channelIds ?? []) {
    const channel = channelNamed(id);
    if (channel?.state !== 'active') continue;
    const startsAt = channel.salesStartAt ?? ofEvent;
    if (startsAt === undefined) return null;
    if (startsAt < earliest) earliest = startsAt;
  }
  const isPublic = reach == null || reach.includePublic || earliest === Number.POSITIVE_INFINITY;
  if (!isPublic) return earliest;
  return ofEvent === undefined ? null : Math.min(earliest, ofEvent);
}

/** The settings of the sale that are set; undefined if none is. */
export function saleSettingsIn(config: SetSaleSettings): SetSaleSettings | undefined {
  const { salesStartAt, salesEndAt, companionsUntil, buyerLimit } = config;
  const settings: SetSaleSettings = {
    ...(salesStartAt !== undefined && { salesStartAt }),
    ...(salesEndAt !== undefined && { salesEndAt }),
    ...(companionsUntil !== undefined && { companionsUntil }),
    ...(buyerLimit && { buyerLimit }),
  };
  return Object.keys(settings).length > 0 ? settings : undefined;
}
