/** Organisations share the events and the viewers of a front door: no organisation shuts another out. */

import { compilePlan } from '@parterre/shared/charts/compile';
import type { EventRecord } from '@parterre/shared/protocol/catalog/events';
import { done } from '@parterre/shared/protocol/errors';
import { packStatuses } from '@parterre/shared/protocol/packed-statuses';
import { expect, it } from 'vitest';
import { Feeds, type Viewer, type ViewerSocket } from '../../../services/frontdoor/src/feeds/feeds.ts';
import { closeCodes, Viewers } from '../../../services/frontdoor/src/feeds/viewers.ts';
import { publicAudience } from '../../../services/frontdoor/src/pictures/rules/audience.ts';
import { chart, row } from '../../support/charts.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const EVENTS_MAX = 8;
const plan = compilePlan(chart([row({ seatCount: 4 })]), 'hash');
const settled = () => new Promise((resolve) => setImmediate(resolve));
const viewer: Viewer = { audience: publicAudience, wire: 'text', keyHash: 'key', expiresAt: null, shopper: null };

/** A socket with the codes with which it was closed. */
function newSocket(): { socket: ViewerSocket; closed: number[] } {
  const closed: number[] = [];
  const close = (code: number) => void closed.push(code);
  return { closed, socket: { send: () => {}, join: () => {}, leave: () => {}, unsent: () => 0, close } };
}

function frontDoor() {
  const clock = new ManualClock();
  const unused = {
    latestLog: async () => ({ whole: [], channelless: [] }),
    onEventStatus() {},
    share() {},
    publish() {},
  };
  const view = {
    version: 1,
    status: 'active',
    updatedAt: 1,
    planHash: 'hash',
    salesPaused: false,
    unitCount: 4,
  } as const;
  const feeds = new Feeds(
    {
      ...unused,
      clock,
      viewOf: async () => done({ ...view, statuses: packStatuses(new Uint8Array(4)) }),
      versionOf: async () => done(1),
      planOf: async () => plan,
      onFault(error) {
        throw error;
      },
      listen: () => () => {},
      listenToShares: () => () => {},
      stands: async () => true,
    },
    EVENTS_MAX,
  );
  const read = (organisationId: string, key: string) => feeds.replicaOf({ key, organisationId } as EventRecord);
  /** Opens a socket on an event. Null if the event finds no room. */
  async function watch(organisationId: string, key: string): Promise<number[] | null> {
    clock.advance(1);
    const replica = await read(organisationId, key);
    if (!replica.ok) return null;
    const { socket, closed } = newSocket();
    feeds.join(replica.value, socket, viewer, null);
    return closed;
  }
  const watchMany = (organisationId: string, count: number) =>
    Promise.all(Array.from({ length: count }, (_, at) => watch(organisationId, `${organisationId}-${at}`)));
  return { feeds, read, watch, watchMany };
}

it('An organisation alone uses every place, and its further events are refused for a moment', async () => {
  const { read, watchMany } = frontDoor();
  expect(await watchMany('large', EVENTS_MAX)).not.toContain(null);
  expect(await read('large', 'one more')).toMatchObject({ refusal: { code: 'overloaded', retryable: true } });
});

it('At the bound the largest organisation gives way: viewers of its newest event are told to come back', async () => {
  const { read, watch, watchMany } = frontDoor();
  const large = await watchMany('large', EVENTS_MAX);
  expect((await read('small', 'gala')).ok).toBe(true);
  await settled();
  expect(large.map((closed) => closed![0] ?? null)).toEqual([
    ...Array.from({ length: EVENTS_MAX - 1 }, () => null),
    closeCodes.goingAway,
  ]);
  expect(await watch('large', 'large-again')).not.toBeNull();
});

it('The event with the fewest viewers goes', async () => {
  const { watch, watchMany } = frontDoor();
  const [first] = await watchMany('large', EVENTS_MAX);
  for (let at = 1; at < EVENTS_MAX; at++) await watch('large', `large-${at}`);
  await watch('small', 'gala');
  await settled();
  expect(first).toEqual([closeCodes.goingAway]);
});

it('Each of two organisations that ask for everything comes to half, and takes nothing more from the other', async () => {
  const { watch, watchMany } = frontDoor();
  await watchMany('large', EVENTS_MAX);
  const others = [];
  for (let at = 0; at < EVENTS_MAX; at++) others.push(await watch('other', `other-${at}`));
  expect(others.filter((closed) => closed !== null)).toHaveLength(EVENTS_MAX / 2);
  await settled();
  expect(others.flatMap((closed) => closed ?? [])).toEqual([]);
  expect(await watch('large', 'large-back')).toBeNull();
  expect(await watch('third', 'gala')).not.toBeNull();
});

it('Events without viewers leave before any viewer is closed, those of the largest organisation first', async () => {
  const { feeds, read, watch, watchMany } = frontDoor();
  const watched = await watchMany('large', 4);
  for (let at = 0; at < 3; at++) await read('large', `read-${at}`);
  await read('small', 'gala');
  const gala = await read('small', 'gala');
  expect(await watch('third', 'opera')).not.toBeNull();
  await settled();
  expect(watched.flat()).toEqual([]);
  // The small organisation's event is still the same.
  const again = await read('small', 'gala');
  expect(again.ok && gala.ok && again.value === gala.value).toBe(true);
  expect(feeds.viewerCount()).toBe(5);
});

it('At the bound of viewers a viewer of the largest organisation makes room', () => {
  const viewers = new Viewers(
    () => {},
    () => {},
    4,
  );
  const heard = {} as never;
  const add = (organisationId: string, eventKey: string) => {
    const { socket, closed } = newSocket();
    viewers.add({ eventKey, organisationId }, viewer, heard, { socket });
    return closed;
  };
  const large = [add('large', 'lonely'), add('large', 'crowded'), add('large', 'crowded'), add('large', 'crowded')];
  expect([viewers.hasRoom('large'), viewers.hasRoom('small')]).toEqual([false, true]);
  const small = [add('small', 'gala'), add('small', 'gala')];
  expect(large.map(([code]) => code)).toEqual([undefined, closeCodes.goingAway, closeCodes.goingAway, undefined]);
  expect([viewers.count, viewers.hasRoom('small'), small.flat()]).toEqual([4, false, []]);
});
