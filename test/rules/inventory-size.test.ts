/** What callers may make long is weighed in what an event is said to take, and not any more when it is gone. */
import {
  eventCallsKept,
  labelsPerBulkMax,
  releaseActionUrlLengthMax,
  releasesPerEventMax,
} from '@parterre/shared/limits';
import { expect, test } from 'vitest';
import { bytesOf } from '../../services/inventory-shard/src/rules/size.ts';
import { capture, fromSnapshot, toSnapshot } from '../../services/inventory-shard/src/rules/snapshot.ts';
import { callId, direct, house, sectionedPlan } from '../support/inventory.ts';

/** By how much the event grew, which is the same for whoever takes it over. */
function growthOf(event: ReturnType<typeof house>, change: () => void): number {
  const before = bytesOf(event.state);
  change();
  const after = bytesOf(event.state);
  const resumed = fromSnapshot(structuredClone(toSnapshot(capture(event.state))), event.state.plan);
  expect(bytesOf(resumed)).toBe(after);
  return after - before;
}

const setRules = (labels: string[]) =>
  ({ type: 'set-availability', callId: callId(), rules: { front: { mode: 'closed', labels } } }) as const;

test('the labels of availability rules are weighed while the rules stand', () => {
  const event = house('platform', sectionedPlan);
  const labels = Array.from({ length: labelsPerBulkMax }, (_, nth) => `Tier ${nth} of the upper circle`);
  const text = labels.join('').length;
  const grown = growthOf(event, () => event.ok(setRules(labels)));
  expect(grown).toBeGreaterThan(text);
  expect(grown).toBeLessThan(4 * text);
  expect(growthOf(event, () => event.ok(setRules([])))).toBeLessThan(1_000 - grown);
});

test('releases and the answers kept of setting them are weighed until they are forgotten', () => {
  const event = house();
  const actionUrl = `https://apply.example/${'a'.repeat(releaseActionUrlLengthMax - 22)}`;
  const plain = { previousPrice: null, quota: null, startsAt: null, endsAt: null, categoryKey: null, price: 1 };
  const releases = Array.from({ length: releasesPerEventMax }, (_, nth) => ({
    ...{ id: `rel_${nth}`, isNew: true, name: 'Members', action: 'apply' as const, actionUrl, ...plain },
  }));
  const set = () => event.ok({ type: 'set-releases', callId: callId(), releases });
  const answer = releasesPerEventMax * releaseActionUrlLengthMax;
  expect(growthOf(event, set)).toBeGreaterThan(2 * answer);
  const second = growthOf(event, set);
  expect(second).toBeGreaterThan(answer);
  expect(second).toBeLessThan(2 * answer);
  const clear = () => {
    for (let i = 0; i < eventCallsKept; i++) event.ok({ type: 'set-releases', callId: callId(), releases: [] });
  };
  expect(growthOf(event, clear)).toBeLessThan(500 * eventCallsKept - 3 * answer);
});

test('listings for resale are weighed', () => {
  const event = house();
  event.ok(direct('order', 'A-1', 'A-2'));
  const labels = ['A-1', 'A-2'];
  const list = { type: 'list-resale', callId: callId(), listingId: 'l1', bookingRef: 'order', labels } as const;
  expect(growthOf(event, () => event.ok(list))).toBeGreaterThan(100);
});
