/** Steps that assign seats to channels, and the callers with reach to them. */
import type { Caller, ChannelDraft } from '@parterre/shared/protocol/commands';
import fc from 'fast-check';
import { channelNamed, MINUTE, type World } from '../reference/world.ts';
import { anyNumber, fresh, type Kind, kind, oneOf, seatPicks, seatsOf, weighted } from './steps.ts';

const channel = weighted(['c1', 4], ['c2', 3], [null, 1]);

const priceLists: ChannelDraft['priceOverrides'][] = [
  [],
  [{ categoryKey: 'stalls', tierId: null, price: 21 }],
  [
    { categoryKey: 'floor', tierId: null, price: 4 },
    { categoryKey: 'circle', tierId: 'adult', price: 22 },
  ],
  [{ categoryKey: 'circle', tierId: null, price: 5 }],
  [{ categoryKey: 'balcony', tierId: null, price: 5 }],
];

const noLook = { color: null, marker: null, externalRef: null, accessIntent: 'none' } as const;

/** Mostly a channel that no other step assigns seats to: callers name c1 and c2. */
function channelOf(world: World, n: number): string {
  if (n % 30 === 0) return 'chn_nobody';
  const ids = Object.keys(world.channels);
  return oneOf(n % 4 === 0 ? ids : ids.slice(2), n >> 2) ?? 'c1';
}

/** Calls that create, change and archive channels. */
const ownKinds: readonly Kind[] = [
  kind('create a channel', 3, anyNumber, (world, n) => {
    const id = fresh(world, 'chn');
    const priceOverrides = oneOf(priceLists, n % 12 === 0 ? n : n % 3)!;
    const look = { ...noLook, id, name: channelNamed(n % 20 === 0 ? 'c1' : id), priceOverrides };
    const channel = n % 5 === 0 ? { ...look, salesStartAt: world.now + 6_000 } : look;
    return { type: 'create-channel', callId: fresh(world, 'call'), channel, reason: null };
  }),
  kind('change a channel', 4, fc.record({ n: anyNumber, prices: anyNumber }), (world, { n, prices }) => {
    const channelId = n % 3 === 0 ? (oneOf(['c1', 'c2'], n) ?? 'c1') : channelOf(world, n);
    const version = world.channels[channelId]?.pricingVersion ?? 1;
    const change = {
      ...(prices % 4 !== 0 && { priceOverrides: oneOf(priceLists, prices % 10 === 1 ? prices : prices % 3)! }),
      ...(n % 7 === 0 && { salesStartAt: oneOf([null, world.now + 4_000, world.now + 40 * MINUTE], n >> 3)! }),
      ...(prices % 5 === 0 && { name: channelNamed(prices % 3 === 0 ? 'c2' : `new ${n % 9}`) }),
    };
    const expected = n % 2 === 0 ? { expectedPricingVersion: version - (n % 14 === 0 ? 1 : 0) } : {};
    return { type: 'change-channel', callId: fresh(world, 'call'), channelId, change, reason: null, ...expected };
  }),
  kind('archive a channel', 2, fc.record({ n: anyNumber, to: anyNumber }), (world, { n, to }) => {
    const destination = to % 3 === 0 ? null : channelOf(world, to);
    return {
      type: 'archive-channel',
      callId: fresh(world, 'call'),
      channelId: channelOf(world, n),
      destination,
      reason: null,
    };
  }),
  kind('assign seats to a new channel', 5, fc.record({ n: anyNumber, seats: seatPicks }), (world, { n, seats }) => ({
    type: 'assign-channel',
    callId: fresh(world, 'call'),
    channelId: channelOf(world, n),
    reason: null,
    labels: seatsOf(world, seats),
    assignmentVersion: world.allocationVersion,
  })),
];

export const channelKinds: readonly Kind[] = [
  ...ownKinds,
  kind('assign seats', 8, fc.record({ channel, seats: seatPicks }), (world, { channel: channelId, seats }) => ({
    type: 'assign-channel',
    callId: fresh(world, 'call'),
    channelId,
    labels: seatsOf(world, seats),
    reason: null,
    assignmentVersion: world.allocationVersion,
  })),
  kind('assign a stretch', 4, fc.record({ channel, n: fc.nat(99) }), (world, { channel: channelId, n }) => ({
    type: 'assign-channel',
    callId: fresh(world, 'call'),
    channelId,
    reason: null,
    labels: world.chart.places
      .map(({ label }) => label)
      .slice(n % world.chart.places.length)
      .slice(0, 6),
    assignmentVersion: world.allocationVersion - (n % 20 === 0 ? 1 : 0),
  })),
  kind(
    'turn a channel',
    3,
    fc.record({ id: weighted(['c1', 1], ['c2', 1]), state: weighted(['active', 3], ['paused', 2]) }),
    (world, { id: channelId, state }) => ({
      type: 'set-channel-state',
      callId: fresh(world, 'call'),
      channelId,
      state,
      reason: null,
    }),
  ),
];

/** The reach and session of a caller, by two draws. */
export const grantPick = fc.record({ n: fc.nat(99), session: fc.nat(99) });
type GrantPick = typeof grantPick extends fc.Arbitrary<infer T> ? T : never;

const reaches: readonly (Caller['reach'] | undefined)[] = [
  undefined,
  { channelIds: ['c1'], includePublic: true },
  { channelIds: ['c1'], includePublic: false },
  { channelIds: ['c2'], includePublic: false },
  { channelIds: ['c2', 'c1'], includePublic: true },
];
const named: readonly string[][] = [['c1'], ['c2'], ['c1', 'c2']];
const sessions = [undefined, undefined, { id: 's1', maxQuantity: 4 }, { id: 's2', maxQuantity: 7 }];

/** Most callers reach public sale only. */
export function callerOf(source: Caller['source'], accessSource: Caller['accessSource'], pick: GrantPick): Caller {
  const { n, session } = pick;
  const buyerRef = oneOf([undefined, 'anna', 'ben'], n + session);
  const caller: Caller = { source, actor: `${source}_1`, accessSource, ...(buyerRef && { buyerRef }) };
  if (source === 'buyer') {
    const reach = n % 2 === 0 ? undefined : oneOf(reaches, n >> 1);
    const counted = oneOf(sessions, session);
    return { ...caller, ...(reach && { reach }), ...(counted && { session: counted }) };
  }
  if (n % 10 === 0) return { ...caller, accessSource: 'staff_override', override: { reason: 'a guest' } };
  if (n % 5 !== 1) return caller;
  const channelIds = n === 1 ? ['c1', 'c9'] : oneOf(named, n)!;
  return { ...caller, reach: { channelIds, includePublic: true } };
}
