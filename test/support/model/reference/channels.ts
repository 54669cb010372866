/** Channels: the assignment of seats, the access of callers, prices, and the quantity of a session. */
import type { Caller, Command } from '@parterre/shared/commands';
import type { Place } from './chart.ts';
import { type Claim, DAY, type Hold, note, type Refused, refused, type Told, type World } from './world.ts';

/** Both channels are created before a history begins. Prices are in the form of the wire. */
export const prices = {
  c1: [{ categoryKey: 'stalls', tierId: null, price: 33 }],
  c2: [
    { categoryKey: 'circle', tierId: 'child', price: 7 },
    { categoryKey: 'floor', tierId: null, price: 3 },
  ],
};
export type ChannelId = keyof typeof prices;

export function isChannel(id: string): id is ChannelId {
  return id in prices;
}

/** Whether a caller may select a seat. `paused`: only a pause keeps the seat from the caller. */
export function accessTo(world: World, { reach, override }: Caller, label: string): 'yes' | 'no' | 'paused' {
  const channel = world.channelOf[label];
  if (override) return 'yes';
  if (channel === undefined) return reach === undefined || reach.includePublic ? 'yes' : 'no';
  if (!reach?.channelIds.includes(channel)) return 'no';
  return world.pausedChannels.includes(channel) ? 'paused' : 'yes';
}

/** If the event chooses, a server that names channels gets seats of these channels. */
export function asChooser(caller: Caller): Caller {
  const { source, reach, override } = caller;
  const isNarrow = source !== 'buyer' && reach !== undefined && reach.channelIds.length > 0 && !override;
  return isNarrow ? { ...caller, reach: { ...reach, includePublic: false } } : caller;
}

/** The faults of the channels that a caller names. */
export function wrongScope({ source, reach }: Caller): Refused[] {
  const isWrong = source !== 'buyer' && reach?.channelIds.some((id) => !isChannel(id));
  return isWrong ? [{ code: 'invalid_channel_scope', reason: 'invalid_channel_scope' }] : [];
}

/** The refusals for named seats out of reach. */
export function barred(world: World, caller: Caller, labels: string[], mine: string[]): Refused[] {
  const others = labels.filter((label) => world.seats[label] && !mine.includes(label));
  const denied = others.filter((label) => accessTo(world, caller, label) === 'no');
  const paused = others.filter((label) => accessTo(world, caller, label) === 'paused');
  if (denied.length > 0) return [told('channel_access_denied', denied)];
  return paused.length > 0 ? [told('channel_paused', paused)] : [];
}

function told(code: string, labels: string[]): Refused {
  return { code, reason: code, labels };
}

/** The refusal for a caller of channels alone for whom the event finds no seat. */
export function nothingLeft(world: World, caller: Caller): Refused | null {
  const { source, reach, override } = caller;
  if (!reach || override || (source === 'buyer' && reach.includePublic)) return null;
  const { channelIds } = reach;
  const isPaused = channelIds.length > 0 && channelIds.every((id) => world.pausedChannels.includes(id));
  const isForSale = ({ category }: Place): boolean =>
    !world.chart.categories.find(({ key }) => key === category)!.notForSale;
  const isLeft = (place: Place): boolean =>
    world.seats[place.label]!.status === 'free' && isForSale(place) && accessTo(world, caller, place.label) === 'yes';
  const isExhausted = source === 'buyer' && !world.chart.places.some(isLeft);
  const code = isPaused ? 'channel_paused' : isExhausted ? 'allocation_exhausted' : null;
  return code && { code, reason: code };
}

export function channelPrice(world: World, label: string, category: string, tier: string | null): number | undefined {
  const channel = world.channelOf[label];
  const asked = channel === undefined ? [] : prices[channel as ChannelId];
  return asked.find((each) => each.categoryKey === category && each.tierId === tier)?.price;
}

/** Equal for callers with the same reach. */
export function reachOf({ reach }: Caller): string {
  const { channelIds = [], includePublic = true } = reach ?? {};
  return JSON.stringify([[...new Set(channelIds)].sort(), includePublic]);
}

/** Whether the caller may see and change the hold. */
export function isFor(caller: Caller, hold: Hold): boolean {
  return caller.source !== 'buyer' || hold.reach === reachOf(caller);
}

export function guestsOf(claims: Claim[]): number {
  return claims.reduce((sum, { guests }) => sum + (guests ?? 1), 0);
}

/** The quantity of a session, from all its changes. A day without a change forgets the changes before it. */
export function usedBy(world: World, session: string): number {
  let [used, last] = [0, 0];
  for (const { id, by, at } of world.sessionChanges) {
    if (id !== session) continue;
    // Forgotten seats may be given back. A session never has less than 0.
    used = Math.max((at - last >= DAY ? 0 : used) + by, 0);
    last = at;
  }
  return world.now - last >= DAY ? 0 : used;
}

export function tooMany(world: World, { session }: Caller, claims: Claim[], freed: Claim[]): Refused[] {
  if (!session || session.maxQuantity === null) return [];
  const used = usedBy(world, session.id) - guestsOf(freed);
  const isOver = used + guestsOf(claims) > session.maxQuantity;
  return isOver ? [{ code: 'max_quantity_exceeded', reason: 'max_quantity_exceeded' }] : [];
}

export function noteUse(world: World, session: string | null, by: number): void {
  if (session !== null) world.sessionChanges.push({ id: session, by, at: world.now });
}

export function assign(world: World, command: Command & { type: 'assign-channel' }): Told {
  const { callId, channelId, labels } = command;
  if (command.assignmentVersion !== world.allocationVersion) return refused('channel_assignment_conflict');
  const isMovable = (label: string): boolean =>
    ['free', 'blocked'].includes(world.seats[label]!.status) && world.channelOf[label] !== (channelId ?? undefined);
  const moving = labels.filter((label) => world.seats[label] && isMovable(label));
  for (const label of moving) {
    if (channelId === null) delete world.channelOf[label];
    else world.channelOf[label] = channelId;
  }
  if (moving.length > 0) world.allocationVersion++;
  return note(world, callId, { assignmentVersion: world.allocationVersion, applied: moving.length });
}

export function turn(world: World, { callId, channelId, state }: Command & { type: 'set-channel-state' }): Told {
  const others = world.pausedChannels.filter((id) => id !== channelId);
  const isPaused = others.length < world.pausedChannels.length;
  if (isPaused !== (state === 'paused')) world.allocationVersion++;
  world.pausedChannels = state === 'paused' ? [...others, channelId] : others;
  return note(world, callId, {});
}
