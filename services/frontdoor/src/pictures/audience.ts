/**
 * Who looks at an event, and what that shows. Servers and operators see the four true statuses of everything. Buyers see words of
 * their own, and of what is outside of their reach, or of a channel that sells nothing just now, one word only: whether such a
 * unit is free, held or booked is told to nobody, so that an allocation cannot be told from a block. Pure.
 */
import type { Allocation } from '@parterre/shared/answers';
import type { BuyerSession, Principal } from '@parterre/shared/catalog/scope';
import { sha256 } from '@parterre/shared/ids';
import type { Reach } from '@parterre/shared/records';

/** The same reach has the same id: those who have it hear the same. `reach` is null where everything is seen. */
export type Audience = { id: string; words: 'buyer' | 'server'; reach: Reach | null };

export const serverAudience: Audience = { id: 'server', words: 'server', reach: null };

/** The same for an operator's console, which hears of what is done too. */
export const consoleAudience: Audience = { ...serverAudience, id: 'console' };

/** And for one that may not see channels. */
export const channellessConsole: Audience = { ...serverAudience, id: 'console without channels' };

export function isConsole({ id }: Audience): boolean {
  return id === consoleAudience.id || id === channellessConsole.id;
}

export function buyerAudience({ channelIds, includePublic }: Reach): Audience {
  const reach = { channelIds: [...new Set(channelIds)].sort(), includePublic };
  return { id: `buyer ${sha256(JSON.stringify(reach))}`, words: 'buyer', reach };
}

export const publicAudience = buyerAudience({ channelIds: [], includePublic: true });

/** A publishable key's buyers have public sale, a session's what it was made for. */
export function audienceOf(principal: BuyerSession | Extract<Principal, { kind: 'publishable' }>): Audience {
  return principal.kind === 'buyer' ? buyerAudience(principal) : publicAudience;
}

/** Whose the units of an event are. `of` has the channel's number by unit, 0 for public sale; null: all are of public sale. */
export type ChannelMap = {
  version: number;
  numbers: ReadonlyMap<string, number>;
  of: Uint16Array | null;
  /** The numbers that have units and sell, in order. */
  selling: readonly number[];
  /** One more than the highest number. */
  size: number;
};

export function channelMapOf(allocation: Allocation | undefined): ChannelMap {
  if (!allocation) return { version: 0, numbers: new Map(), of: null, selling: [0], size: 1 };
  const { version, channelIds, closed } = allocation;
  const size = channelIds.length + 1;
  // Copied, since what was received need not begin at an even address.
  const of = allocation.of.length === 0 ? null : new Uint16Array(new Uint8Array(allocation.of).buffer);
  const hasUnits = new Uint8Array(size);
  if (of === null) hasUnits[0] = 1;
  else for (const number of of) hasUnits[number] = 1;
  const sells = (number: number) => hasUnits[number] === 1 && !closed.includes(channelIds[number - 1]!);
  const numbers = new Map(channelIds.map((id, index) => [id, index + 1]));
  return { version, numbers, of, selling: [...hasUnits.keys()].filter(sells), size };
}

/**
 * What a reach comes to in an event: by channel number, 1 where units may be selected. `key` is the same for all reaches that come to
 * the same, whatever channels without units they name, so that frames are made once for all of them.
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
