/** An event's detail when its chart has a later version. */
import type { EventInspection } from '@parterre/shared/protocol/catalog/events';
import { expect, test } from 'vitest';
import { eventDetail } from '../../../services/frontdoor/src/api/rules/event-detail.ts';
import { assign, create } from '../../support/inventory/channels.ts';
import { house } from '../../support/inventory/house.ts';

const latest = (planHash: string, chartVersion: number) =>
  ({ event: {}, latest: { planHash, chartVersion } }) as unknown as EventInspection;

test('an event with private seats does not take a later version by itself', () => {
  const event = house();
  event.ok(create('a'));
  const told = () => eventDetail(latest('moved-plan', 2), event.ok({ type: 'count' })).chartUpdate;
  expect(told()).toEqual({ behind: true, canAutoUpdate: true });
  event.ok(assign('a', 0, 'A-1'));
  expect(told()).toEqual({ behind: true, canAutoUpdate: false });
});

test('an event on a plan of its own is behind once its chart has a later version, not before', () => {
  const event = house();
  event.ok({
    type: 'update-chart',
    acknowledgeMoved: true,
    reason: 'A new chart',
    callId: 'c1',
    planHash: 'sectioned-plan',
    chartVersion: 2,
  });
  event.ok({ type: 'adjust-chart', callId: 'c2', planHash: 'small-plan', from: 'sectioned-plan' });
  const told = (version: number) =>
    eventDetail(latest('sectioned-plan', version), event.ok({ type: 'count' })).chartUpdate;
  expect(told(2)).toMatchObject({ behind: false });
  expect(told(3)).toMatchObject({ behind: true });
});
