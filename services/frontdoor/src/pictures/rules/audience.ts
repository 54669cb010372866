/**
 * The audiences of an event, and the statuses that each audience sees. Servers and operators see the four true statuses
 * of every unit. Buyers see their own words. A unit outside a buyer's reach, or of a channel that sells nothing at
 * present, always has the word `not_for_sale`. No buyer can tell whether such a unit is free, held or booked, so an
 * assignment to a channel looks like a block. Pure.
 */
import type { Allocation } from '@parterre/shared/protocol/answers';
import type { BuyerSession, Principal } from '@parterre/shared/protocol/catalog/scope';
import { sha256 } from '@parterre/shared/protocol/ids';
import type { Reach } from '@parterre/shared/protocol/records';

/**
 * Equal reaches have equal ids, and their viewers get the same frames. `reach` is null for an audience that sees all
 * units.
 */
export type Audience = { id: string; words: 'buyer' | 'server'; reach: Reach | null };

export const serverAudience: Audience = { id: 'server', words: 'server', reach: null };

/** An operator's console. It also gets the entries of the log. */
export const consoleAudience: Audience = { ...serverAudience, id: 'console' };

/** A console that may not see channels. */
export const channellessConsole: Audience = { ...serverAudience, id: 'console without channels' };

const MONEY = ', with money';

/** The audience that also sees the value of all booked units. */
export function withMoney(audience: Audience): Audience {
  return { ...audience, id: `${audience.id}${MONEY}` };
}

export function hasMoney({ id }: Audience): boolean {
  return id.endsWith(MONEY);
}

/** Whether two audiences differ at most in the sight of money. */
export function isAlike(a: Audience, b: Audience): boolean {
  return a.id.replace(MONEY, '') === b.id.replace(MONEY, '');
}

export function isConsole(audience: Audience): boolean {
  return isAlike(audience, consoleAudience) || isAlike(audience, channellessConsole);
}

export function buyerAudience({ channelIds, includePublic }: Reach): Audience {
  const reach = { channelIds: [...new Set(channelIds)].sort(), includePublic };
  return { id: `buyer ${sha256(JSON.stringify(reach))}`, words: 'buyer', reach };
}

export const publicAudience = buyerAudience({ channelIds: [], includePublic: true });

/** The buyers of a publishable key reach public sale; a session has the reach that it was issued with. */
export function audienceOf(principal: BuyerSession | Extract<Principal, { kind: 'publishable' }>): Audience {
  if (principal.kind !== 'buyer') return publicAudience;
  const { channelIds, includePublic } = principal;
  return channelIds.length === 0 && includePublic ? publicAudience : buyerAudience(principal);
}

/**
 * The channels of an event's units. `of` has the channel number of each unit, 0 for public sale; null if all units are
 * on public sale.
 */
export type ChannelMap = {
  version: number;
  numbers: ReadonlyMap<string, number>;
  of: Uint16Array | null;
  /** The numbers of channels that have units and sell, in order. */
  selling: readonly number[];
  /** One more than the highest number. */
  size: number;
};

export function channelMapOf(allocation: Allocation | undefined): ChannelMap {
  if (!allocation) return { version: 0, numbers: new Map(), of: null, selling: [0], size: 1 };
  const { version, channelIds, closed } = allocation;
  const size = channelIds.length + 1;
  // Copied, because the received bytes may begin at an odd address.
  const of = allocation.of.length === 0 ? null : new Uint16Array(new Uint8Array(allocation.of).buffer);
  const hasUnits = new Uint8Array(size);
  if (of === null) hasUnits[0] = 1;
  else for (const number of of) hasUnits[number] = 1;
  const sells = (number: number) => hasUnits[number] === 1 && !closed.includes(channelIds[number - 1]!);
  const numbers = new Map(channelIds.map((id, index) => [id, index + 1]));
  return { version, numbers, of, selling: [...hasUnits.keys()].filter(sells), size };
}

/**
 * A reach in an event: by channel number, 1 where its units may be selected. `key` is equal for all reaches with the
 * same numbers, even if they also name different channels without units, so that frames are made once for all of them.
 */
export type InReach = { key: string; has: Uint8Array };

export function inReach(channels: ChannelMap, { reach }: Audience): InReach {
  const has = new Uint8Array(channels.size);
  const wanted = reach && new Set(reach.channelIds.map((id) => channels.numbers.get(id)));
  const isIn = (number: number) => wanted === null || (number === 0 ? reach!.includePublic : wanted.has(number));
  const numbers = channels.selling.filter(isIn);
  for (const number of numbers) has[number] = 1;
  return { key: numbers.join(), has };
}
