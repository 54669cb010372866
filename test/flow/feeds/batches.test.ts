/**
 * Many viewers of one event are told batch by batch, while the loop goes on. A crowd gets fewer, larger frames while
 * changes come all the time, and a viewer that does not take its frames gets none until it has taken them.
 */

import { compilePlan } from '@parterre/shared/charts/compile';
import type { EventRecord } from '@parterre/shared/protocol/catalog/events';
import { done } from '@parterre/shared/protocol/errors';
import type { FeedChange } from '@parterre/shared/protocol/feed-change';
import { packStatuses } from '@parterre/shared/protocol/packed-statuses';
import type { UnitStatus } from '@parterre/shared/protocol/records';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stuckMsMax, viewerSpareBytes, viewersPerTurn } from '../../../services/frontdoor/src/feed-limits.ts';
import { Feeds } from '../../../services/frontdoor/src/feeds/feeds.ts';
import type { Frame } from '../../../services/frontdoor/src/feeds/frames/frame.ts';
import { FIRST_CHANGE_MS } from '../../../services/frontdoor/src/feeds/teller.ts';
import { closeCodes } from '../../../services/frontdoor/src/feeds/viewers.ts';
import { publicAudience } from '../../../services/frontdoor/src/pictures/rules/audience.ts';
import { chart, row } from '../../support/charts.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { change } from '../../support/replica.ts';

const plan = compilePlan(chart([row({ seatCount: 4 })]), 'hash');
const label = (unit: number): string => plan.labels.at(unit);
type FrameJson = {
  type: string;
  snapshotVersion?: number;
  seats?: Record<string, string>;
  default?: string;
  changes?: { label: string; status: string }[];
};

async function setUp(count: number) {
  const clock = new ManualClock();
  const publishing = { takesMs: 1 };
  const rooms = new Map<string, FrameJson[][]>();
  let onChange!: (change: FeedChange) => void;
  const feeds = new Feeds({
    latestLog: async () => ({ whole: [], channelless: [] }),
    clock,
    viewOf: async () =>
      done({
        version: 1,
        status: 'active',
        updatedAt: 1,
        planHash: 'hash',
        salesPaused: false,
        unitCount: 4,
        statuses: packStatuses(new Uint8Array(4)),
      }),
    versionOf: async () => done(1),
    planOf: async () => plan,
    onEventStatus: () => {},
    onFault: (error) => {
      throw error;
    },
    listen: (_, hear) => {
      onChange = hear;
      return () => {};
    },
    share: () => {},
    listenToShares: () => () => {},
    // A turn takes time, and the timers that it starts are due in the next turn.
    publish: (topic, frame) => {
      clock.pass(publishing.takesMs);
      const heard: FrameJson = JSON.parse(frame as string);
      for (const told of rooms.get(topic) ?? []) told.push(heard);
    },
    stands: async () => true,
  });
  const replica = await feeds.replicaOf({ key: 'gala' } as EventRecord);
  if (!replica.ok) throw new Error('no replica');
  const join = (shopper: number, resumeFrom: number | null = null) => {
    const told: FrameJson[] = [];
    const untaken = { bytes: 0 };
    const closed: number[] = [];
    const socket = {
      send: (frame: Frame) => void told.push(JSON.parse(frame as string)),
      join: (topic: string) => {
        const room = rooms.get(topic);
        if (room) room.push(told);
        else rooms.set(topic, [told]);
      },
      leave: (topic: string) => {
        const room = rooms.get(topic)!;
        room.splice(room.indexOf(told), 1);
      },
      unsent: () => untaken.bytes,
      close: (code: number) => void closed.push(code),
    };
    const viewer = { audience: publicAudience, wire: 'text', keyHash: 'key', expiresAt: null, shopper } as const;
    feeds.join(replica.value, socket, viewer, resumeFrom);
    return { told, untaken, closed, leave: () => feeds.leave(replica.value, socket) };
  };
  const viewers = Array.from({ length: count }, (_, shopper) => join(shopper));
  // Presence has been told, and no viewer is behind.
  clock.advance(10_000);
  for (const { told } of viewers) told.length = 0;
  const versions = () =>
    [0, 1, 2].map((n) => viewers[n * viewersPerTurn]!.told.map(({ snapshotVersion }) => snapshotVersion));
  return { clock, feeds, publishing, rooms, viewers, versions, join, change: (made: FeedChange) => onChange(made) };
}

it('tells one batch a turn, and each batch all changes by its own turn', async () => {
  const { clock, viewers, versions, rooms, change: hear } = await setUp(2 * viewersPerTurn + 1);
  expect([...rooms.values()].map((batch) => batch.length)).toEqual([viewersPerTurn, viewersPerTurn, 1]);
  hear(change(1, 2, [0, 1]));
  clock.advance(FIRST_CHANGE_MS - 1);
  expect(versions()).toEqual([[], [], []]);
  clock.advance(1);
  expect(versions()).toEqual([[2], [], []]);
  hear(change(2, 3, [1, 1]));
  clock.advance(0);
  expect(versions()).toEqual([[2], [3], []]);
  clock.advance(0);
  expect(versions()).toEqual([[2], [3], [3]]);
  clock.advance(50);
  expect(versions()).toEqual([[2, 3], [3], [3]]);
  for (const { told } of viewers) {
    const seen = told.flatMap(({ changes }) => changes ?? []).map((changed) => changed.label);
    expect(seen).toEqual([label(0), label(1)]);
  }
});

it('tells a batch its presence with the next frames, and a viewer that joins at once', async () => {
  const { clock, viewers, join, change: hear } = await setUp(viewersPerTurn + 2);
  viewers[viewersPerTurn + 1]!.leave();
  const heard = () => [1, viewersPerTurn].map((n) => viewers[n]!.told.map(({ type }) => type));
  clock.advance(FIRST_CHANGE_MS);
  expect(heard()).toEqual([['presence'], []]);
  hear(change(1, 2, [0, 1]));
  clock.advance(0);
  expect(heard()).toEqual([['presence'], ['presence', 'delta']]);
  const late = join(viewersPerTurn + 2);
  clock.advance(2_100);
  expect(late.told.map(({ type }) => type)).toEqual(['snapshot', 'presence', 'presence']);
});

it('fills a batch with a free place before it begins another', async () => {
  const { rooms, viewers, join } = await setUp(viewersPerTurn);
  viewers[5]!.leave();
  join(-1);
  expect(rooms.size).toBe(1);
  join(-2);
  expect(rooms.size).toBe(2);
});

/** The map and version of a viewer that read all these frames. */
function mapOf(map: Map<string, string>, told: readonly FrameJson[]): number {
  let version = 0;
  for (const { type, seats = {}, default: common, changes = [], snapshotVersion = version } of told) {
    if (type === 'snapshot') for (let unit = 0; unit < 4; unit++) map.set(label(unit), seats[label(unit)] ?? common!);
    for (const { label: changed, status } of changes) map.set(changed, status);
    expect(snapshotVersion).toBeGreaterThanOrEqual(version);
    version = snapshotVersion;
  }
  return version;
}

it('leaves every viewer with the same map, whatever happens while batches are told', async () => {
  const words = ['free', 'held', 'booked', 'not_for_sale'];
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat({ max: 11 }), { minLength: 40, maxLength: 60 }), async (steps) => {
      const { clock, viewers, join, change: hear } = await setUp(viewersPerTurn + 5);
      const seen = viewers.slice(-20).map(({ leave, told }) => ({ leave, told, map: new Map<string, string>() }));
      for (const { map } of seen) for (let unit = 0; unit < 4; unit++) map.set(label(unit), 'free');
      const truth = [0, 0, 0, 0];
      let version = 1;
      for (const [index, step] of steps.entries()) {
        if (step < 6) {
          truth[step % 4] = (truth[step % 4]! + 1) % 3;
          hear(change(version, ++version, [step % 4, truth[step % 4] as UnitStatus]));
        } else if (step < 8) clock.advance(step === 6 ? 0 : 20);
        else if (step === 8) seen.push({ ...join(10_000 + index), map: new Map() });
        else {
          const gone = seen.shift()!;
          gone.leave();
          const had = mapOf(gone.map, gone.told);
          if (step > 9) seen.push({ ...join(10_000 + index, had || null), map: had ? gone.map : new Map() });
        }
      }
      clock.advance(1_000);
      for (const { map, told } of seen) {
        mapOf(map, told);
        expect(truth.map((status) => words[status])).toEqual([0, 1, 2, 3].map((unit) => map.get(label(unit))));
      }
    }),
    { numRuns: 20 },
  );
});

describe('a crowd whose changes come all the time', () => {
  const batches = 6;
  /** The version that each batch was told last, and the number of its frames, after changes for `ms`. */
  async function hotFor(ms: number, takesMs: number) {
    const set = await setUp(batches * viewersPerTurn);
    const { clock, viewers, publishing, change: hear } = set;
    publishing.takesMs = takesMs;
    let version = 1;
    const until = clock.elapsed() + ms;
    while (clock.elapsed() < until) {
      hear(change(version, ++version, [version % 4, (version % 3) as UnitStatus]));
      clock.advance(1);
    }
    const frames = viewers[0]!.told.length;
    clock.advance(1_000);
    return { ...set, version, frames };
  }

  it('gets a frame less often than its tellings would allow, and every viewer ends with the last version', async () => {
    const { version, frames, viewers } = await hotFor(5_000, 10);
    // A round takes 60 ms. Part of the loop is for others, so a batch has a frame every 100 ms.
    expect(frames).toBeGreaterThan(43);
    expect(frames).toBeLessThan(58);
    expect(new Set(viewers.map(({ told }) => told.at(-1)!.snapshotVersion))).toEqual(new Set([version]));
    const { changes } = viewers[0]!.told.at(-2)!;
    expect(new Set(changes!.map(({ label: changed }) => changed)).size).toBe(changes!.length);
  });

  it('gets 30 frames a second where tellings cost little', async () => {
    const { frames } = await hotFor(5_000, 1);
    expect(frames).toBeGreaterThan(5 * 27);
  });

  it('hears the first change after a quiet time without a rest', async () => {
    const { clock, viewers, version, publishing, change: hear } = await hotFor(1_000, 5);
    publishing.takesMs = 5;
    hear(change(version, version + 1, [0, 1]));
    clock.advance(FIRST_CHANGE_MS + batches * publishing.takesMs);
    expect(new Set(viewers.map(({ told }) => told.at(-1)!.snapshotVersion))).toEqual(new Set([version + 1]));
  });
});

describe('a viewer that does not take its frames', () => {
  it('gets none until it has taken everything, then all changes in one frame, and every change after that', async () => {
    const { clock, feeds, viewers, join, change: hear } = await setUp(2);
    const slow = viewers[1]!;
    slow.untaken.bytes = viewerSpareBytes + 1;
    clock.advance(1_000);
    expect(feeds.sparedViewerCount()).toBe(1);
    for (let version = 1; version < 6; version++) {
      hear(change(version, version + 1, [version % 2, 2]));
      clock.advance(100);
    }
    expect([viewers[0]!.told.length, slow.told.length]).toEqual([5, 0]);
    slow.untaken.bytes = 0;
    clock.advance(1_000);
    expect(slow.told.map(({ snapshotVersion }) => snapshotVersion)).toEqual([6]);
    expect(slow.told[0]!.changes).toHaveLength(2);
    hear(change(6, 7, [3, 1]));
    clock.advance(100);
    expect(slow.told.at(-1)).toMatchObject({ snapshotVersion: 7, changes: [{ label: label(3), status: 'held' }] });
    expect([feeds.sparedViewerCount(), slow.closed]).toEqual([0, []]);
    expect(join(9).told.at(-2)).toMatchObject({ type: 'snapshot', snapshotVersion: 7 });
  });

  it('is closed as too slow only once it has taken nothing for a long time', async () => {
    const { clock, feeds, viewers } = await setUp(2);
    const [stuck, slow] = viewers as [(typeof viewers)[0], (typeof viewers)[0]];
    stuck.untaken.bytes = viewerSpareBytes + 1;
    slow.untaken.bytes = viewerSpareBytes + 100_000;
    for (let passed = 0; passed < stuckMsMax; passed += 1_000) {
      clock.advance(1_000);
      slow.untaken.bytes -= 1_000;
    }
    expect(stuck.closed).toEqual([]);
    clock.advance(1_000);
    expect([stuck.closed, slow.closed]).toEqual([[closeCodes.tooSlow], []]);
    slow.leave();
    expect([feeds.sparedViewerCount(), feeds.viewerCount()]).toEqual([0, 0]);
  });
});
