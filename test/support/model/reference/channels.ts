/** Channels: the calls about them, the access of callers, prices, and the quantity of a session. */
import type { Caller, ChannelDraft, Command } from '@parterre/shared/protocol/commands';
import type { ReferencePlace } from './chart.ts';
import {
  type Claim,
  DAY,
  type Hold,
  note,
  type Prediction,
  type Refused,
  refused,
  unchanged,
  type World,
} from './world.ts';

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

/** Whether the channel exists and is not archived. */
export function isLive({ channels }: World, id: string): boolean {
  return channels[id]?.isArchived === false;
}

/** The faults of the channels that a caller names. */
export function wrongScope(world: World, { source, reach }: Caller): Refused[] {
  const gone = reach?.channelIds.filter((id) => !isLive(world, id)) ?? [];
  // A session may outlive its channels, but not all of them.
  const isOver = reach?.includePublic === false && gone.length === reach.channelIds.length;
  const isWrong = source === 'buyer' ? isOver : gone.length > 0;
  const code = source === 'buyer' ? 'channel_access_denied' : 'invalid_channel_scope';
  return isWrong ? [{ code, reason: code }] : [];
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
  const isForSale = ({ category }: ReferencePlace): boolean =>
    !world.chart.categories.find(({ key }) => key === category)!.notForSale;
  const isLeft = (place: ReferencePlace): boolean =>
    world.seats[place.label]!.status === 'free' && isForSale(place) && accessTo(world, caller, place.label) === 'yes';
  const isExhausted = source === 'buyer' && !world.chart.places.some(isLeft);
  const code = isPaused ? 'channel_paused' : isExhausted ? 'allocation_exhausted' : null;
  return code && { code, reason: code };
}

export function channelPrice(world: World, label: string, category: string, tier: string | null): number | undefined {
  const channel = world.channelOf[label];
  const asked = channel === undefined ? [] : world.channels[channel]!.prices;
  return asked.find((each) => each.categoryKey === category && each.tierId === tier)?.price;
}

/** Equal for callers with the same reach. */
export function reachOf({ reach }: Caller): string {
  const { channelIds = [], includePublic = true } = reach ?? {};
  return JSON.stringify([[...new Set(channelIds)].sort(), includePublic]);
}

/**
 * Whether the caller may see and change the hold. Archived channels do not count, as sessions with other channels go
 * on without them.
 */
export function isFor(world: World, caller: Caller, hold: Hold): boolean {
  const own = reachOf(caller);
  if (caller.source !== 'buyer' || hold.reach === own) return true;
  const [ids, isPublic] = liveIn(world, hold.reach);
  const [ownIds, isOwnPublic] = liveIn(world, own);
  return ids !== '' && ids === ownIds && isPublic === isOwnPublic;
}

function liveIn(world: World, reach: string): [ids: string, includePublic: boolean] {
  const [ids, includePublic] = JSON.parse(reach) as [string[], boolean];
  return [ids.filter((id) => isLive(world, id)).join(), includePublic];
}

export function guestsOf(claims: Claim[]): number {
  return claims.reduce((sum, { guests }) => sum + (guests ?? 1), 0);
}

/** The quantity of a session, from all its changes. A day without a change forgets the changes before it. */
export function usedBy(world: World, session: string): number {
  let used = 0;
  let last = 0;
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

type Prices = ChannelDraft['priceOverrides'];

export function create(world: World, { callId, channel }: Command & { type: 'create-channel' }): Prediction {
  if (isNameTaken(world, channel.name)) return refused('channel_name_taken');
  if (!isPriceable(world, channel.priceOverrides)) return refused('invalid_request');
  const { name, salesStartAt = null } = channel;
  if (isAfterEnd(world, salesStartAt)) return refused('invalid_request');
  const prices = inOrder(world, channel.priceOverrides);
  world.channels[channel.id] = { name, prices, pricingVersion: 1, salesStartAt, isArchived: false, destination: null };
  return note(world, callId, {});
}

export function change(world: World, command: Command & { type: 'change-channel' }): Prediction {
  const { callId, channelId, change: asked, expectedPricingVersion } = command;
  const channel = world.channels[channelId];
  if (!channel) return refused('not_found');
  if (channel.isArchived) return archived();
  if (expectedPricingVersion !== undefined && expectedPricingVersion !== channel.pricingVersion)
    return refused('channel_pricing_conflict');
  const { name = channel.name, priceOverrides, salesStartAt = channel.salesStartAt } = asked;
  if (isNameTaken(world, name, channelId)) return refused('channel_name_taken');
  if (priceOverrides && !isPriceable(world, priceOverrides)) return refused('invalid_request');
  if (asked.salesStartAt != null && isAfterEnd(world, salesStartAt)) return refused('invalid_request');
  const prices = priceOverrides ? inOrder(world, priceOverrides) : channel.prices;
  if (JSON.stringify(prices) !== JSON.stringify(channel.prices)) channel.pricingVersion++;
  Object.assign(channel, { name, prices, salesStartAt });
  return note(world, callId, {});
}

function isAfterEnd({ saleSettings }: World, startsAt: number | null): boolean {
  return startsAt !== null && startsAt >= (saleSettings.salesEndAt ?? Infinity);
}

export function turn(world: World, { callId, channelId, state }: Command & { type: 'set-channel-state' }): Prediction {
  if (!world.channels[channelId]) return refused('not_found');
  if (!isLive(world, channelId)) return archived();
  const others = world.pausedChannels.filter((id) => id !== channelId);
  const isPaused = others.length < world.pausedChannels.length;
  if (isPaused !== (state === 'paused')) world.allocationVersion++;
  world.pausedChannels = state === 'paused' ? [...others, channelId] : others;
  return note(world, callId, {});
}

/** All seats of the channel go to the destination, booked seats included. A seat in checkout stops the call. */
export function archive(world: World, command: Command & { type: 'archive-channel' }): Prediction {
  const { callId, channelId, destination } = command;
  const channel = world.channels[channelId];
  if (!channel) return refused('not_found');
  if (channel.isArchived) return channel.destination === destination ? unchanged({}) : archived();
  if (destination !== null && (destination === channelId || !isLive(world, destination)))
    return refused('invalid_channel_scope');
  const labels = Object.keys(world.channelOf).filter((label) => world.channelOf[label] === channelId);
  const inCheckout = world.listings.filter(({ heldBy }) => heldBy !== null).flatMap((listing) => listing.labels);
  if (labels.some((label) => world.seats[label]!.status === 'held' || inCheckout.includes(label)))
    return refused('channel_archive_blocked_by_holds');
  moveSeats(world, labels, destination);
  world.pausedChannels = world.pausedChannels.filter((id) => id !== channelId);
  Object.assign(channel, { isArchived: true, destination });
  world.allocationVersion++;
  return note(world, callId, { assignmentVersion: world.allocationVersion });
}

export function assign(world: World, command: Command & { type: 'assign-channel' }): Prediction {
  const { callId, channelId, labels } = command;
  if (command.assignmentVersion !== world.allocationVersion) return refused('channel_assignment_conflict');
  if (channelId !== null && !isLive(world, channelId)) return refused('invalid_channel_scope');
  const isMovable = (label: string): boolean =>
    ['free', 'blocked'].includes(world.seats[label]!.status) &&
    (world.seats[label]!.owner ?? 'reservation').startsWith('reservation') &&
    world.channelOf[label] !== (channelId ?? undefined);
  const moving = labels.filter((label) => world.seats[label] && isMovable(label));
  moveSeats(world, moving, channelId);
  if (moving.length > 0) world.allocationVersion++;
  return note(world, callId, { assignmentVersion: world.allocationVersion, applied: moving.length });
}

function moveSeats(world: World, labels: string[], channelId: string | null): void {
  for (const label of labels) {
    if (channelId === null) delete world.channelOf[label];
    else world.channelOf[label] = channelId;
  }
}

function archived(): Prediction {
  return refused('conflict', { reason: 'channel_archived' });
}

function isNameTaken({ channels }: World, name: string, but?: string): boolean {
  return Object.entries(channels).some(([id, each]) => id !== but && !each.isArchived && each.name === name);
}

/** The categories and tiers that can have a price, in the order of the chart. */
function priceable({ chart }: World): string[] {
  return chart.categories.flatMap(({ key, tiers = [] }) =>
    tiers.length > 0 ? tiers.map(({ id }) => pricedName(key, id)) : [pricedName(key, null)],
  );
}

function pricedName(category: string, tier: string | null): string {
  return JSON.stringify([category, tier]);
}

function isPriceable(world: World, prices: Prices): boolean {
  const names = prices.map(({ categoryKey, tierId }) => pricedName(categoryKey, tierId));
  return new Set(names).size === names.length && names.every((name) => priceable(world).includes(name));
}

function inOrder(world: World, prices: Prices): Prices {
  const order = priceable(world);
  const place = (each: Prices[number]): number => order.indexOf(pricedName(each.categoryKey, each.tierId));
  return prices.toSorted((a, b) => place(a) - place(b));
}
