/** Viewers of the feeds and the keys they came with. */
import type { EventRecord } from '@parterre/shared/catalog/events';
import { compilePlan } from '@parterre/shared/chart/compile';
import { done } from '@parterre/shared/errors';
import { type EventStatus, packStatuses } from '@parterre/shared/records';
import { expect, it } from 'vitest';
import { closeCodes, Feeds } from '../../services/frontdoor/src/feeds/feeds.ts';
import { chart, row } from '../support/charts.ts';
import { ManualClock } from '../support/manual-clock.ts';

const plan = compilePlan(chart([row({ seatCount: 4 })]), 'hash');
const settled = () => new Promise((resolve) => setImmediate(resolve));

async function setUp() {
  const clock = new ManualClock();
  const revoked = new Set<string>();
  const actor: { version: number; status: EventStatus } = { version: 1, status: 'active' };
  const feeds = new Feeds({
    clock,
    viewOf: async () =>
      done({
        ...actor,
        updatedAt: 1,
        planHash: 'hash',
        salesPaused: false,
        unitCount: 4,
        statuses: packStatuses(new Uint8Array(4)),
      }),
    planOf: async () => plan,
    onEventStatus: () => {},
    onFault: (error) => {
      throw error;
    },
    listen: () => () => {},
    publish: () => {},
    stands: async (keyHash) => !revoked.has(keyHash),
  });
  const replica = await feeds.replicaOf({ key: 'gala' } as EventRecord);
  if (!replica.ok) throw new Error('no replica');
  /** A viewer that came with this key; what it was closed with. */
  const view = (keyHash: string): number[] => {
    const closed: number[] = [];
    const socket = { send: () => {}, join: () => {}, close: (code: number) => void closed.push(code) };
    feeds.join(replica.value, socket, { audience: 'buyer', keyHash, resumeFrom: null });
    return closed;
  };
  return { clock, feeds, revoked, actor, view };
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
  const { clock, feeds, revoked, view } = await setUp();
  revoked.add('revoked');
  await feeds.onKeyChanged('revoked');
  const late = view('revoked');
  clock.advance(10_000);
  await settled();
  expect(late).toEqual([closeCodes.revoked]);
});

it('sends viewers of a deleted event away when the announcement was lost', async () => {
  const { clock, actor, view } = await setUp();
  const closed = view('good');
  Object.assign(actor, { version: 2, status: 'deleted' });
  clock.advance(10_000);
  await settled();
  expect(closed).toEqual([closeCodes.deleted]);
});
