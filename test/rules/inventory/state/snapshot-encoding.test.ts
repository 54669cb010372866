/** A snapshot that is encoded in steps is the snapshot that any msgpack library reads. */
import { compilePlan } from '@parterre/shared/charts/compile';
import { sha256 } from '@parterre/shared/protocol/ids';
import { decodeKept, encodeKept } from '@parterre/shared/protocol/wire';
import { expect, test } from 'vitest';
import { encodeInSteps, hashInSteps } from '../../../../services/inventory-shard/src/journal/snapshots/snapshots.ts';
import { finish, type Steps } from '../../../../services/inventory-shard/src/rules/packed/steps.ts';
import {
  capture,
  fromSnapshot,
  fromSnapshotInSteps,
  toSnapshot,
  toSnapshotInSteps,
} from '../../../../services/inventory-shard/src/rules/turn/snapshot.ts';
import { chart, gaArea } from '../../../support/charts.ts';
import { book, callId, direct, hold, house, smallPlan } from '../../../support/inventory/house.ts';

function soldHouse() {
  const event = house();
  event.ok(direct('order-1', 'A-1', 'Standing'));
  for (let n = 0; n < 3_000; n++) {
    event.ok(hold(`h${n}`, 'A-2', 'B-1'));
    event.ok({ type: 'release', callId: callId(), holdId: `h${n}` });
  }
  event.ok(hold('h', 'A-3', 'A-4'));
  event.ok(book('h', 'order-2', ['A-3']));
  return event;
}

test('a snapshot comes back from its steps, also with pieces of many steps', () => {
  const snapshot = toSnapshot(capture(soldHouse().state));
  for (const each of [
    snapshot,
    { ...snapshot, ended: Buffer.alloc(3_000_000, 7) },
    { ...snapshot, ended: Buffer.alloc(0) },
  ]) {
    const bytes = finish(encodeInSteps(each));
    expect(Buffer.compare(encodeKept(decodeKept(bytes)), encodeKept(each))).toBe(0);
    expect(finish(hashInSteps(bytes))).toBe(sha256(bytes));
  }
});

test('a snapshot keeps the state of its capture while the event goes on between the steps', () => {
  const event = soldHouse();
  const expected = encodeKept(toSnapshot(capture(event.state)));
  let orders = 0;
  const sellOn = (): void => {
    orders++;
    event.ok({ type: 'unbook', callId: callId(), bookingRef: orders === 1 ? 'order-1' : `again-${orders - 1}` });
    event.ok(direct(`again-${orders}`, 'A-1'));
    event.ok(hold(`more-${orders}`, 'C-1'));
    event.ok({ type: 'release', callId: callId(), holdId: `more-${orders}` });
  };
  const snapshot = between(toSnapshotInSteps(capture(event.state)), sellOn);
  expect(orders).toBeGreaterThan(3);
  expect(Buffer.compare(encodeKept(snapshot), expected)).toBe(0);
  const resumed = between(fromSnapshotInSteps(snapshot, smallPlan), sellOn);
  expect(Buffer.compare(encodeKept(toSnapshot(capture(resumed))), expected)).toBe(0);
});

test('a snapshot of more units than one step packs has every unit', () => {
  const lawn = compilePlan(chart([gaArea({ id: 'lawn', label: 'Lawn', capacity: 25_001 })]), 'lawn');
  const { state, ok } = house('platform', lawn);
  ok({ ...direct('order-1'), selections: [{ label: 'Lawn', quantity: 15_001 }] });
  ok({ ...hold('h'), selections: [{ label: 'Lawn', quantity: 5_001 }] });
  const resumed = fromSnapshot(toSnapshot(capture(state)), lawn);
  expect(Buffer.compare(resumed.statuses, state.statuses)).toBe(0);
  expect(Buffer.compare(Buffer.from(resumed.slotOf.buffer), Buffer.from(state.slotOf.buffer))).toBe(0);
  expect(resumed.counts).toEqual([4_999, 5_001, 15_001, 0]);
});

/** Takes the steps, and does other work between two of them. */
function between<T>(steps: Steps<T>, work: () => void): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    work();
  }
}
