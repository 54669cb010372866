/** Snapshots of a running event follow the journal behind the last snapshot, and its size. */
import { compilePlan } from '@parterre/shared/charts/compile';
import { encodeKept } from '@parterre/shared/protocol/wire';
import { MIB } from '@parterre/shared/runtime/units';
import { expect, test } from 'vitest';
import {
  snapshotEveryMs,
  snapshotTailBytesMax,
  snapshotTailBytesMin,
  snapshotTailGroupsMax,
} from '../../../services/inventory-shard/src/partition/bounds.ts';
import { isSnapshotDue } from '../../../services/inventory-shard/src/partition/snapshot-need.ts';
import { bytesOfSnapshot } from '../../../services/inventory-shard/src/rules/turn/size.ts';
import { capture, toSnapshot } from '../../../services/inventory-shard/src/rules/turn/snapshot.ts';
import { chart, gaArea } from '../../support/charts.ts';
import { book, callId, direct, hold, house, MINUTE, START } from '../../support/inventory/house.ts';
import { partitionOnFakes, settled } from '../../support/partition/on-fakes.ts';

const DAY = 24 * 60 * MINUTE;

test('an event that sells once a minute stores a few snapshots a day', async () => {
  const one = await partitionOnFakes();
  await one.partition.open();
  await one.create();
  for (let minute = 0; minute < DAY / MINUTE; minute++) {
    one.clock.advance(MINUTE);
    await settled();
    one.send(hold(`h${minute}`, 'A-1'));
    one.send({ type: 'release', callId: callId(), holdId: `h${minute}` });
    one.land();
    await settled();
  }
  expect(one.stream.length).toBe(1 + (2 * DAY) / MINUTE);
  expect(one.snapshots.count).toBe(DAY / snapshotEveryMs);
});

test('the groups that a load has folded count towards the next snapshot', async () => {
  const before = await partitionOnFakes();
  await before.partition.open();
  await before.create();
  for (const [replayedBytes, stored] of [
    [snapshotTailBytesMin - MIB / 2, 0],
    [snapshotTailBytesMin, 1],
  ] as const) {
    const heir = await partitionOnFakes({ stream: [...before.stream], replayedBytes });
    await heir.partition.open();
    await heir.ask({ type: 'count' });
    expect(heir.snapshots.count).toBe(0);
    await heir.ask(hold('h1', 'A-1'));
    expect(heir.snapshots.count).toBe(stored);
    await heir.ask(hold('h2', 'A-2'));
    expect(heir.snapshots.count).toBe(stored);
  }
});

/** An event whose snapshot has more than the least tail that makes a snapshot due. */
function soldEvent() {
  const event = house('platform', compilePlan(chart([gaArea({ capacity: 60_000 })]), 'a lawn'));
  for (let n = 0; n < 15_000; n++) {
    event.ok({ type: 'hold', holdId: `hold_${n}_aaaaaaaaaaaaaaaa`, selections: [{ label: 'Lawn', quantity: 2 }] });
    if (n % 2 === 0) event.ok(book(`hold_${n}_aaaaaaaaaaaaaaaa`, `order-${n}`));
    else if (n % 5 > 0) event.ok({ type: 'release', callId: callId(), holdId: `hold_${n}_aaaaaaaaaaaaaaaa` });
  }
  return event.state;
}

test('a snapshot is due when the journal behind it is as large as the snapshot', () => {
  const state = soldEvent();
  const stored = encodeKept(toSnapshot(capture(state))).length;
  const estimate = bytesOfSnapshot(state);
  expect(stored).toBeGreaterThan(snapshotTailBytesMin);
  expect(estimate).toBeGreaterThan(stored / 2);
  expect(estimate).toBeLessThan(stored * 2);
  const isDue = (bytes: number, groups = 1, age = 1): boolean =>
    isSnapshotDue({ bytes, groups, since: START }, state, START + age);
  expect(isDue(estimate - 1)).toBe(false);
  expect(isDue(estimate)).toBe(true);
  expect(isDue(0, snapshotTailGroupsMax - 1)).toBe(false);
  expect(isDue(0, snapshotTailGroupsMax)).toBe(true);
  expect(isDue(0, 1, snapshotEveryMs - 1)).toBe(false);
  expect(isDue(0, 1, snapshotEveryMs)).toBe(true);
});

test('a small event needs no snapshot for a short tail, and a long tail is stored whatever the size of the event', () => {
  const event = house();
  event.ok(direct('order-1', 'A-1'));
  const isDue = (bytes: number): boolean => isSnapshotDue({ bytes, groups: 1, since: START }, event.state, START);
  expect(isDue(snapshotTailBytesMin - 1)).toBe(false);
  expect(isDue(snapshotTailBytesMin)).toBe(true);
  const large = { ...event.state, bookings: { liveBytes: 64 * MIB } } as unknown as typeof event.state;
  const isDueLarge = (bytes: number): boolean => isSnapshotDue({ bytes, groups: 1, since: START }, large, START);
  expect(isDueLarge(snapshotTailBytesMax - 1)).toBe(false);
  expect(isDueLarge(snapshotTailBytesMax)).toBe(true);
});
