/** Steps that assign seats to channels, and the callers with reach to them. */
import type { Caller } from '@parterre/shared/commands';
import fc from 'fast-check';
import { fresh, type Kind, kind, oneOf, seatPicks, seatsOf, weighted } from './steps.ts';

const channel = weighted(['c1', 4], ['c2', 3], [null, 1]);

export const channelKinds: readonly Kind[] = [
  kind('assign seats', 8, fc.record({ channel, seats: seatPicks }), (world, { channel: channelId, seats }) => ({
    ...{ type: 'assign-channel', callId: fresh(world, 'call'), channelId, labels: seatsOf(world, seats), reason: null },
    assignmentVersion: world.allocationVersion,
  })),
  kind('assign a stretch', 4, fc.record({ channel, n: fc.nat(99) }), (world, { channel: channelId, n }) => ({
    ...{ type: 'assign-channel', callId: fresh(world, 'call'), channelId, reason: null },
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
      ...{ type: 'set-channel-state', callId: fresh(world, 'call'), channelId, state, reason: null },
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
  const caller: Caller = { source, actor: `${source}_1`, accessSource };
  const { n, session } = pick;
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
