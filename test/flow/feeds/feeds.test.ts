/** Viewers of feeds, and the keys that they came with. */

import { compilePlan } from '@parterre/shared/charts/compile';
import type { EventRecord } from '@parterre/shared/protocol/catalog/events';
import { done } from '@parterre/shared/protocol/errors';
import { packStatuses } from '@parterre/shared/protocol/packed-statuses';
import type { EventStatus } from '@parterre/shared/protocol/records';
import { feedCheckMs } from '@parterre/shared/runtime/feed-watch';
import { expect, it } from 'vitest';
import { Feeds } from '../../../services/frontdoor/src/feeds/feeds.ts';
import { closeCodes } from '../../../services/frontdoor/src/feeds/viewers.ts';
import { publicAudience } from '../../../services/frontdoor/src/pictures/rules/audience.ts';
import { guardedClock } from '../../../services/frontdoor/src/start.ts';
import { chart, row } from '../../support/charts.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const plan = compilePlan(chart([row({ seatCount: 4 })]), 'hash');
const settled = () => new Promise((resolve) => setImmediate(resolve));

async function setUp() {
  const manual = new ManualClock();
  const faults: unknown[] = [];
  const clock = Object.assign(
    guardedClock(manual, (error) => faults.push(error)),
    { advance: (ms: number) => manual.advance(ms), pass: (ms: number) => manual.pass(ms) },
  );
  const revoked = new Set<string>();
  const actor: { version: number; status: EventStatus } = { version: 1, status: 'active' };
  const asked = { views: 0, versions: 0 };
  const unsent: { bytes: number; fault?: Error } = { bytes: 0 };
  const feeds = new Feeds({
    latestLog: async () => ({ whole: [], channelless: [] }),
    clock,
    viewOf: async () => {
      asked.views++;
      return done({
        ...actor,
        updatedAt: 1,
        planHash: 'hash',
        salesPaused: false,
        unitCount: 4,
        statuses: packStatuses(new Uint8Array(4)),
      });
    },
    versionOf: async () => {
      asked.versions++;
      return done(actor.version);
    },
    planOf: async () => plan,
    onEventStatus: () => {},
    onFault: (error) => {
      throw error;
    },
    listen: () => () => {},
    share: () => {},
    listenToShares: () => () => {},
    publish: () => {},
    stands: async (keyHash) => !revoked.has(keyHash),
  });
  const replica = await feeds.replicaOf({ key: 'gala' } as EventRecord);
  if (!replica.ok) throw new Error('no replica');
  /** A viewer that came with this key, with the close that it got. */
  const view = (keyHash: string, expiresAt: number | null = null): number[] => {
    const closed: number[] = [];
    const socket = {
      send: () => {},
      join: () => {},
      leave: () => {},
      unsent: () => {
        if (unsent.fault) throw unsent.fault;
        return unsent.bytes;
      },
      close: (code: number) => void closed.push(code),
    };
    feeds.join(
      replica.value,
      socket,
      { audience: publicAudience, wire: 'text', keyHash, expiresAt, shopper: null },
      null,
    );
    return closed;
  };
  return { clock, faults, feeds, revoked, actor, view, asked, unsent };
}

it('closes viewers whose key was revoked while the link was gone', async () => {
  const { feeds, revoked, view } = await setUp();
  const gone = view('revoked');
  const stays = view('good');
  revoked.add('revoked');
  feeds.resync();
  await settled();
  expect([gone, stays]).toEqual([[closeCodes.revoked], []]);
});

it('closes a viewer whose key was revoked between its ticket and its socket', async () => {
  const { feeds, revoked, view } = await setUp();
  revoked.add('revoked');
  await feeds.onKeyChanged('revoked');
  const late = view('revoked');
  await settled();
  expect(late).toEqual([closeCodes.revoked]);
});

it('closes viewers of a deleted event when the announcement was lost', async () => {
  const { clock, actor, view } = await setUp();
  const closed = view('good');
  Object.assign(actor, { version: 2, status: 'deleted' });
  clock.advance(10_000);
  await settled();
  clock.advance(1_000);
  await settled();
  expect(closed).toEqual([closeCodes.deleted]);
});

it('asks for the version after every use of a replica, even if the check is late', async () => {
  const { clock, feeds, asked } = await setUp();
  clock.advance(feedCheckMs);
  const { versions } = asked;
  await feeds.replicaOf({ key: 'gala' } as EventRecord);
  clock.pass(1);
  clock.advance(feedCheckMs);
  expect(asked.versions).toBeGreaterThan(versions);
});

it('closes viewers whose access has expired, so that they come back with a fresh one', async () => {
  const { clock, revoked, view } = await setUp();
  const first = view('first', clock.now() + 2_500);
  const second = view('second', clock.now() + 60_000);
  const never = view('key');
  clock.advance(2_000);
  expect(first).toEqual([]);
  // A lookup of the session at the same moment says that it is not valid.
  revoked.add('first');
  clock.advance(2_000);
  expect(first).toEqual([closeCodes.expired]);
  clock.advance(60_000);
  expect([second, never]).toEqual([[closeCodes.expired], []]);
});

it('goes on with its regular work after an exception', async () => {
  const { clock, faults, unsent, view } = await setUp();
  const closed = view('session', clock.now() + 2_500);
  unsent.fault = new Error('a bug');
  clock.advance(1_000);
  expect(faults).toEqual([unsent.fault]);
  delete unsent.fault;
  clock.advance(3_000);
  expect(closed).toEqual([closeCodes.expired]);
});

it('calls access that has expired and is invalid expired, not revoked', async () => {
  const { clock, feeds, revoked, view } = await setUp();
  const closed = view('session', clock.now() + 100);
  clock.advance(100);
  revoked.add('session');
  await feeds.onKeyChanged('session');
  expect(closed).toEqual([closeCodes.expired]);
});

it('asks the actor for one view, however many viewers arrive', async () => {
  const { feeds, asked, view } = await setUp();
  for (let viewer = 0; viewer < 10_000; viewer++) {
    await feeds.replicaOf({ key: 'gala' } as EventRecord);
    view(`session ${viewer}`);
  }
  expect(feeds.viewerCount()).toBe(10_000);
  expect(asked.views).toBe(1);
});

it('closes a viewer that takes no more bytes as too slow', async () => {
  const { clock, view, unsent } = await setUp();
  const closed = view('slow');
  clock.advance(5_000);
  expect(closed).toEqual([]);
  unsent.bytes = 5 * 1024 * 1024;
  clock.advance(1_000);
  expect(closed).toEqual([closeCodes.tooSlow]);
});

it('closes a viewer whose event was deleted while it came in', async () => {
  const { feeds, actor, view } = await setUp();
  Object.assign(actor, { version: 2, status: 'deleted' });
  const replica = await feeds.replicaOf({ key: 'gala' } as EventRecord);
  if (replica.ok) await replica.value.catchUpNow();
  expect(view('late')).toEqual([closeCodes.deleted]);
});

it('closes the slowest viewers when all together have too many bytes untaken', async () => {
  const { clock, view, unsent } = await setUp();
  const viewers = Array.from({ length: 200 }, (_, viewer) => view(`slow ${viewer}`));
  unsent.bytes = 3 * 1024 * 1024;
  clock.advance(1_000);
  const gone = viewers.filter(([code]) => code === closeCodes.tooSlow);
  // 512 MiB have room for 170 of them.
  expect(gone).toHaveLength(30);
});

it('lets a reader wait for a change whose answer came first', async () => {
  const { clock, feeds, actor, asked } = await setUp();
  feeds.expect('gala', 2);
  actor.version = 2;
  let seen = 0;
  void Promise.resolve(feeds.replicaOf({ key: 'gala' } as EventRecord)).then((replica) => {
    seen = replica.ok ? replica.value.version : -1;
  });
  await settled();
  expect(seen).toBe(0);
  clock.advance(50);
  await settled();
  expect([seen, asked.views]).toEqual([2, 2]);
});
