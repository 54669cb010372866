/**
 * Deliveries that wait for slots: the journal waits for them, and an endpoint that hangs stops the journal only for a
 * moment.
 */
import {
  deliveriesWaitingForSlotMax,
  slotsPerEndpointAtFirst,
  slotWaitMsMax,
} from '@parterre/shared/protocol/webhook-limits';
import { expect, it } from 'vitest';
import type { Attempted } from '../../../services/notifier/src/deliveries/deliver.ts';
import { createDispatch } from '../../../services/notifier/src/deliveries/dispatch.ts';
import { type Delivery, firstDelivery } from '../../../services/notifier/src/deliveries/rules/delivery.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { settled } from '../../support/replica.ts';

const place = { partition: 0, sequence: 1, index: 0 };

function setUp() {
  const clock = new ManualClock();
  const posts: { delivery: Delivery; answer: () => void }[] = [];
  const behind: Delivery[] = [];
  const attempt = (delivery: Delivery) =>
    new Promise<Attempted>((resolve) => {
      const result = { kind: 'answered', status: 200, retryAfter: null, responseBody: '' } as const;
      const answer = () => resolve({ kind: 'posted', delivery, result, verdict: { kind: 'delivered' }, at: 0 });
      posts.push({ delivery, answer });
    });
  const dispatch = createDispatch({
    deliver: { attempt, settle: async () => {}, lose: () => {} },
    backlogs: { has: () => false, note: () => {}, unnote: () => {} },
    hasBacklog: () => true,
    putBacklog: async (_, piece) => {
      behind.push(...piece);
      return 'queued';
    },
    clock,
  });
  const send = (subId: string, count: number): Promise<void> => {
    const to = { subId, organisationId: 'org', mode: 'live', eventKey: 'gala' } as const;
    const occurrence = { name: 'seat.booked', ref: null, place, at: 1, body: '{}' } as const;
    const made = Array.from({ length: count }, (_, n) => firstDelivery({ ...occurrence, id: `${subId}.${n}` }, to, n));
    return dispatch.dispatchNew(made);
  };
  const isRoom = async (): Promise<boolean> => {
    let is = false;
    void dispatch.room().then(() => {
      is = true;
    });
    await settled();
    return is;
  };
  return { clock, posts, behind, dispatch, send, isRoom };
}

it('the journal waits while many deliveries wait for slots, and goes on when one has a slot', async () => {
  const { posts, behind, dispatch, send, isRoom } = setUp();
  const sent = send('quick', slotsPerEndpointAtFirst + deliveriesWaitingForSlotMax);
  expect(await isRoom()).toBe(false);
  posts.shift()!.answer();
  await settled();
  expect(await isRoom()).toBe(true);
  while (posts.length > 0) {
    for (const { answer } of posts.splice(0)) answer();
    await settled();
  }
  await sent;
  expect(behind).toEqual([]);
  dispatch.stop();
});

it('an endpoint that hangs gives the journal its room back, and its deliveries go into its backlog', async () => {
  const { clock, posts, behind, dispatch, send, isRoom } = setUp();
  void send('hangs', slotsPerEndpointAtFirst + deliveriesWaitingForSlotMax).catch(() => {});
  expect(await isRoom()).toBe(false);
  for (let passed = 0; passed <= slotWaitMsMax; passed += 100) {
    clock.advance(100);
    await settled();
  }
  expect(await isRoom()).toBe(true);
  expect([posts.length, behind.length]).toEqual([slotsPerEndpointAtFirst, deliveriesWaitingForSlotMax]);
  dispatch.stop();
});

it('a message that is read again dispatches only its unsettled deliveries', async () => {
  const clock = new ManualClock();
  const posted: string[] = [];
  let isAway = true;
  const result = { kind: 'answered', status: 200, retryAfter: null, responseBody: '' } as const;
  const dispatch = createDispatch({
    deliver: {
      attempt: async (delivery) => {
        posted.push(delivery.subId);
        return { kind: 'posted', delivery, result, verdict: { kind: 'delivered' }, at: 0 };
      },
      settle: async (attempted) => {
        if (isAway && attempted.kind === 'posted' && attempted.delivery.subId === 'sick')
          throw new Error('its queue is away');
      },
      lose: () => {},
    },
    backlogs: { has: () => false, note: () => {}, unnote: () => {} },
    hasBacklog: () => true,
    putBacklog: async () => 'queued',
    clock,
  });
  const occurrence = { id: 'occ_1', name: 'seat.booked', ref: null, place, at: 1, body: '{}' } as const;
  const of = (subId: string) =>
    firstDelivery(occurrence, { subId, organisationId: 'org', mode: 'live', eventKey: 'gala' }, 1);
  const message = [of('well'), of('sick')];
  await expect(dispatch.dispatchNew(message)).rejects.toThrow('its queue is away');
  await expect(dispatch.dispatchNew(message)).rejects.toThrow('its queue is away');
  isAway = false;
  await dispatch.dispatchNew(message);
  expect(posted).toEqual(['well', 'sick', 'sick', 'sick']);
  // Nothing is remembered of a settled message.
  await dispatch.dispatchNew(message);
  expect(posted.slice(4)).toEqual(['well', 'sick']);
  dispatch.stop();
});

it('makes the attempts of two copies of a delivery one after the other, the second behind the first report', async () => {
  const { posts, dispatch } = setUp();
  const occurrence = { id: 'occ_1', name: 'seat.booked', ref: null, place, at: 1, body: '{}' } as const;
  const to = { subId: 'whk_1', organisationId: 'org', mode: 'live', eventKey: 'gala' } as const;
  const delivery = firstDelivery(occurrence, to, 1);
  // An endpoint has one slot before its first success.
  const other = firstDelivery({ ...occurrence, id: 'occ_0' }, to, 0);
  const warmed = dispatch.dispatchNew([other]);
  await settled();
  posts.shift()!.answer();
  await warmed;
  const copies = [dispatch.dispatchNew([delivery]), dispatch.dispatchNew([delivery])];
  await settled();
  expect(posts).toHaveLength(1);
  posts.shift()!.answer();
  await copies[0];
  await settled();
  expect(posts).toHaveLength(1);
  posts.shift()!.answer();
  await Promise.all(copies);
  dispatch.stop();
});
