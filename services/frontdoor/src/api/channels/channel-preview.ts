/** What a buyer of some channels would see of an event just now. Pure. */
import type { Plan } from '@parterre/shared/chart/plan';
import { type Reach, unitStatus } from '@parterre/shared/records';
import type { Audience, ChannelMap } from '../../pictures/audience.ts';
import { jsonWithSeats, objectsOf, statusWord, stripped } from '../../pictures/objects.ts';

/**
 * As JSON; `shown` is what that buyer is shown of each unit. `eligible` may be selected now, `unavailable` is the rest of what the
 * reach has, what is hidden and what is of a paused channel too. `counts` are of the map as it is shown.
 */
export function channelPreview(plan: Plan, shown: Uint8Array, channels: ChannelMap, reach: Reach): string {
  const isOwn = ownNumbers(channels, reach);
  const eligible: string[] = [];
  const unavailable: string[] = [];
  const counts = { eligible: 0, free: 0, held: 0, booked: 0, not_for_sale: 0 };
  for (const [unit, status] of shown.entries()) {
    if (status !== stripped) counts[statusWord(status, buyer) as keyof typeof counts]++;
    if (status === unitStatus.free) eligible.push(plan.labels.at(unit));
    else if (isOwn[channels.of?.[unit] ?? 0]) unavailable.push(plan.labels.at(unit));
  }
  counts.eligible = eligible.length;
  const objects = objectsOf(plan, shown, buyer, true);
  const { includePublic } = reach;
  return jsonWithSeats({ eligible, unavailable, counts, includePublic, default: objects.default }, objects);
}

const buyer: Pick<Audience, 'words'> = { words: 'buyer' };

/** By channel number, whether its units are of the reach, whether or not it sells just now. */
function ownNumbers({ numbers, size }: ChannelMap, { channelIds, includePublic }: Reach): boolean[] {
  const own = new Set(channelIds.map((id) => numbers.get(id)));
  return Array.from({ length: size }, (_, number) => (number === 0 ? includePublic : own.has(number)));
}
