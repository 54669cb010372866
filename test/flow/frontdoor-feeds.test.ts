/** Viewers of the feeds and the keys they came with. */
import type { EventRecord } from '@parterre/shared/catalog/events';
import { compilePlan } from '@parterre/shared/chart/compile';
import { done } from '@parterre/shared/errors';
import { type EventStatus, packStatuses } from '@parterre/shared/records';
import { expect, it } from 'vitest';
import { Feeds } from '../../services/frontdoor/src/feeds/feeds.ts';
import { closeCodes } from '../../services/frontdoor/src/feeds/viewers.ts';
import { publicAudience } from '../../services/frontdoor/src/pictures/audience.ts';
import { chart, row } from '../support/charts.ts';
import { ManualClock } from '../support/manual-clock.ts';

const plan = compilePlan(chart([row({ seatCount: 4 })]), 'hash');
const settled = () => new Promise((resolve) => setImmediate(resolve));

async function setUp() {
  const clock = new ManualClock();
  const revoked = new Set<string>();
  const actor: { version: number; status: EventStatus } = { version: 1, status: 'active' };
  const asked = { views: 0 };
  const unsent = { bytes: 0 };
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
    versionOf: async () => done(actor.version),
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
  /** A viewer that came with this key; what it was closed with. */
  const view = (keyHash: string, expiresAt: number | null = null): number[] => {
    const closed: number[] = [];
    const socket = {
      send: () => {},
      join: () => {},
      unsent: () => unsent.bytes,
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
  return { clock, feeds, revoked, actor, view, asked, unsent };
}

it('sends viewers away whose key was revoked while the link was gone', async () => {
  const { feeds, revoked, view } = await setUp();
  const [gone, stays] = [view('revoked'), view('good')];
  revoked.add('revoked');
  feeds.resync();
  await settled();
  expect([gone, stays]).toEqual([[closeCodes.revoked], []]);
});

it('sends a viewer away whose key was revoked between its ticket and its socket', async () => {
  const { feeds, revoked, view } = await setUp();
  revoked.add('revoked');
  await feeds.onKeyChanged('revoked');
  const late = view('revoked');
  await settled();
  expect(late).toEqual([closeCodes.revoked]);
});

it('sends viewers of a deleted event away when the announcement was lost', async () => {
  const { clock, actor, view } = await setUp();
  const closed = view('good');
  Object.assign(actor, { version: 2, status: 'deleted' });
  clock.advance(10_000);
  await settled();
  clock.advance(1_000);
  await settled();
  expect(closed).toEqual([closeCodes.deleted]);
});

it('sends viewers away whose access has ended, to come back with a fresh one', async () => {
  const { clock, revoked, view } = await setUp();
  const [first, second, never] = [
    view('first', clock.now() + 2_500),
    view('second', clock.now() + 60_000),
    view('key'),
  ];
  clock.advance(2_000);
  expect(first).toEqual([]);
  // Whoever looks up the session in the same moment is told that it does not stand.
  revoked.add('first');
  clock.advance(2_000);
  expect(first).toEqual([closeCodes.expired]);
  clock.advance(60_000);
  expect([second, never]).toEqual([[closeCodes.expired], []]);
});

it('says of access that is over and does not stand that it has ended, not that it was revoked', async () => {
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

it('tells a viewer that takes nothing any more that it is too slow', async () => {
  const { clock, view, unsent } = await setUp();
  const closed = view('slow');
  clock.advance(5_000);
  expect(closed).toEqual([]);
  unsent.bytes = 5 * 1024 * 1024;
  clock.advance(1_000);
  expect(closed).toEqual([closeCodes.tooSlow]);
});

it('closes a viewer that comes to an event which was deleted meanwhile', async () => {
  const { feeds, actor, view } = await setUp();
  Object.assign(actor, { version: 2, status: 'deleted' });
  const replica = await feeds.replicaOf({ key: 'gala' } as EventRecord);
  if (replica.ok) await replica.value.catchUpNow();
  expect(view('late')).toEqual([closeCodes.deleted]);
});

it('lets the slowest go where all together have not taken too much', async () => {
  const { clock, view, unsent } = await setUp();
  const viewers = Array.from({ length: 200 }, (_, viewer) => view(`slow ${viewer}`));
  unsent.bytes = 3 * 1024 * 1024;
  clock.advance(1_000);
  const gone = viewers.filter(([code]) => code === closeCodes.tooSlow);
  // 512 MiB have room for 170 of them.
  expect(gone).toHaveLength(30);
});
