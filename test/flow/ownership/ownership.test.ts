/** A shard that joins, hands over and finds dead members, with other shards played by the test. */
import type { Beat } from '@parterre/shared/protocol/beat';
import { journalForm } from '@parterre/shared/protocol/journal/heads';
import { createLog } from '@parterre/shared/runtime/log';
import { expect, test } from 'vitest';
import {
  firstMeetingMs,
  heartbeatMs,
  memberPingPauseMs,
  memberSilenceMs,
} from '../../../services/inventory-shard/src/cluster/bounds.ts';
import type { Lease } from '../../../services/inventory-shard/src/cluster/leases.ts';
import {
  type MemberBus,
  Ownership,
  type OwnershipPorts,
} from '../../../services/inventory-shard/src/cluster/ownership.ts';
import { heirOf } from '../../../services/inventory-shard/src/cluster/placement.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { settled } from '../../support/partition/on-fakes.ts';

const PARTITIONS = 16;
const beatOf = (id: string, owns: Beat['owns'] = []): Beat => ({
  id,
  owns,
  regions: [],
  leaving: false,
  form: journalForm,
});

function joining(leases: Promise<Map<number, Lease>>) {
  const clock = new ManualClock();
  const beats: Beat[] = [];
  const seen: string[] = [];
  const taken: number[] = [];
  const ended: string[] = [];
  const pings: ('here' | 'nobody' | 'silent')[] = [];
  const link = { isUp: true };
  let handlers!: Parameters<MemberBus['listen']>[0];
  const partition = {
    epoch: 1,
    async open(ids?: ReadonlySet<string>) {
      ended.push(String([...(ids ?? [])]));
      return true;
    },
    suspect() {},
    close() {},
    eventsInUse: () => ['night'],
    snapshotAll: async () => void seen.push('snapshots'),
    handOver: async () => void seen.push('handed over'),
  };
  const ports = {
    clock,
    log: createLog('test', 'silent'),
    self: 'self',
    process: 'host/1',
    partitions: PARTITIONS,
    regionOf: () => null,
    regions: [],
    linkAddress: null,
    bus: {
      announce: (beat) => beats.push({ ...beat, form: journalForm }),
      prepare: async (heir, _number, events) => void seen.push(`${heir} prepares ${events}`),
      listen: (given) => {
        handlers = given;
      },
      ping: async () => pings.shift() ?? 'here',
    },
    leases: { all: () => leases, put: async () => {} },
    createPartition(number) {
      taken.push(number);
      return partition as never;
    },
    prepare: async () => {},
    deliverCommands: async () => async () => void seen.push('no more commands'),
    linkIsUp: () => link.isUp,
    storage: () => ({ store: 'ok', disk: 'ok' }),
  } satisfies OwnershipPorts;
  const ownership = new Ownership(ports);
  return {
    ownership,
    clock,
    beats,
    seen,
    taken,
    ended,
    pings,
    link,
    hear: (beat: Beat) => handlers.onBeat(beat),
    orphaned: (number: number) => handlers.onOrphaned(number),
  };
}

/** The partitions whose heir is `id`. */
const inherits = (id: string, members: string[]): number[] =>
  Array.from({ length: PARTITIONS }, (_, number) => number).filter(
    (number) =>
      heirOf(
        number,
        null,
        members.map((each) => ({ id: each, regions: [] })),
      ) === id,
  );

/** The start of a member of a deployment without leases, until it has met the others. */
async function startFirst(ownership: Ownership, clock: ManualClock): Promise<void> {
  void ownership.start();
  await settled();
  clock.advance(firstMeetingMs);
  await settled();
}

test('a shard that joins takes nothing and says nothing before it has read the leases', async () => {
  let answer: (leases: Map<number, Lease>) => void = () => {};
  const { ownership, beats, taken, hear } = joining(new Promise((resolve) => (answer = resolve)));
  void ownership.start();
  // The beat of one owner comes. The beat of another owner, which has the other partitions, does not.
  hear(beatOf('one'));
  await settled();
  expect([taken, beats]).toEqual([[], []]);
  const lease = (owner: string): Lease => ({ owner, epoch: 4, at: 0, process: 'host/2' });
  answer(new Map(Array.from({ length: PARTITIONS }, (_, number) => [number, lease('two')])));
  await settled();
  expect(taken).toEqual([]);
  expect(beats).toHaveLength(1);
});

test('the heir loads the events in use while the owner still serves', async () => {
  const { ownership, clock, seen, taken, hear } = joining(Promise.resolve(new Map()));
  await startFirst(ownership, clock);
  expect(taken).toHaveLength(PARTITIONS);
  hear(beatOf('heir'));
  for (let turn = 0; turn < 3; turn++) {
    await settled();
    clock.advance(1);
  }
  expect(inherits('heir', ['self', 'heir']).length).toBeGreaterThan(1);
  expect([seen[0], seen[2], seen[4], seen[6]]).toEqual([
    'snapshots',
    'heir prepares night',
    'no more commands',
    'handed over',
  ]);
});

test('a dead member is found although the first ping was under way when it died', async () => {
  const { ownership, clock, pings, hear, orphaned } = joining(Promise.resolve(new Map()));
  await startFirst(ownership, clock);
  hear(beatOf('dead', [[0, 9]]));
  expect(ownership.memberCount()).toBe(2);
  pings.push('silent', 'nobody', 'nobody');
  orphaned(0);
  await settled();
  clock.advance(memberPingPauseMs);
  await settled();
  expect(ownership.memberCount()).toBe(1);
});

test('a member is forgotten after a second of silence, but not while no message comes at all', async () => {
  const { ownership, clock, link, hear } = joining(Promise.resolve(new Map()));
  await startFirst(ownership, clock);
  hear(beatOf('other', [[0, 9]]));
  await settled();
  link.isUp = false;
  clock.advance(3 * memberSilenceMs);
  expect(ownership.memberCount()).toBe(2);
  link.isUp = true;
  clock.advance(memberSilenceMs - 1);
  expect(ownership.memberCount()).toBe(2);
  clock.advance(heartbeatMs + 1);
  expect(ownership.memberCount()).toBe(1);
});

test('The partitions of an ended process are taken at once, and the fence hears of its end', async () => {
  const { ownership, clock, taken, ended, hear } = joining(Promise.resolve(new Map()));
  const all = Array.from({ length: PARTITIONS }, (_, number): [number, number] => [number, 7]);
  const started = startFirst(ownership, clock);
  hear(beatOf('dead', all));
  await started;
  expect(taken).toEqual([]);
  ownership.membersEnded(['stranger', 'dead']);
  await settled();
  expect(taken).toHaveLength(PARTITIONS);
  expect(new Set(ended)).toEqual(new Set(['stranger,dead']));
});

test('A beat that an ended process has sent before its end brings nobody back', async () => {
  const { ownership, clock, hear } = joining(Promise.resolve(new Map()));
  await startFirst(ownership, clock);
  hear(beatOf('dead'));
  ownership.membersEnded(['dead']);
  hear(beatOf('dead', [[0, 8]]));
  expect(ownership.memberCount()).toBe(1);
});

test('A shard that starts does not ask for an owner whose process has ended', async () => {
  const lease: Lease = { owner: 'dead', epoch: 4, at: 0, process: 'host/2' };
  const { ownership, taken } = joining(Promise.resolve(new Map([[0, lease]])));
  ownership.membersEnded(['dead']);
  void ownership.start();
  await settled();
  expect(taken).toHaveLength(PARTITIONS);
});

test('Members of a deployment that starts for the first time meet before one of them takes a partition', async () => {
  const { ownership, clock, beats, taken, hear } = joining(Promise.resolve(new Map()));
  void ownership.start();
  await settled();
  clock.advance(heartbeatMs);
  await settled();
  expect([taken, beats.map(({ owns }) => owns)]).toEqual([[], [[]]]);
  hear(beatOf('other'));
  clock.advance(firstMeetingMs - heartbeatMs);
  await settled();
  expect(taken).toEqual(inherits('self', ['self', 'other']));
});
