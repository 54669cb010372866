/** A preview of an event for a buyer of some channels. Pure. */
import type { Plan } from '@parterre/shared/charts/plan';
import { type Reach, unitStatus } from '@parterre/shared/protocol/records';
import {
  type Audience,
  type ChannelMap,
  jsonWithSeats,
  objectsOf,
  statusWord,
  stripped,
} from '../pictures/pictures.ts';

/**
 * The preview as JSON. `shown` is the status that the buyer sees of each unit. `eligible` units may be selected now.
 * `unavailable` are the other units of the reach, hidden units and units of a paused channel included. `counts` cover
 * the visible map.
 */
export function channelPreview(plan: Plan, shown: Uint8Array, channels: ChannelMap, reach: Reach) {
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

/** By channel number, whether its units belong to the reach, sold at present or not. */
function ownNumbers({ numbers, size }: ChannelMap, { channelIds, includePublic }: Reach): boolean[] {
  const own = new Set(channelIds.map((id) => numbers.get(id)));
  return Array.from({ length: size }, (_, number) => (number === 0 ? includePublic : own.has(number)));
}
