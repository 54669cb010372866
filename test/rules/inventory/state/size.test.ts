/** The memory estimate of an event weighs values that callers may make long, and drops them when they are gone. */
import { compilePlan } from '@parterre/shared/charts/compile';
import {
  endedHoldBytesMax,
  eventCallsKept,
  labelsPerBulkMax,
  releaseActionUrlLengthMax,
  releasesPerEventMax,
  sectionIdsPerPatchMax,
  unitsPerSaleMax,
} from '@parterre/shared/protocol/limits';
import { encodeKept } from '@parterre/shared/protocol/wire';
import { expect, test } from 'vitest';
import { livingOf } from '../../../../services/inventory-shard/src/rules/packed/packed-entries.ts';
import { PackedMap } from '../../../../services/inventory-shard/src/rules/packed/packed-map.ts';
import { finish } from '../../../../services/inventory-shard/src/rules/packed/steps.ts';
import { EventOffers } from '../../../../services/inventory-shard/src/rules/parts/offers.ts';
import { Holds } from '../../../../services/inventory-shard/src/rules/state/holds.ts';
import { holdPacking } from '../../../../services/inventory-shard/src/rules/state/packed-holders.ts';
import { bytesOf } from '../../../../services/inventory-shard/src/rules/turn/size.ts';
import { capture, fromSnapshot, toSnapshot } from '../../../../services/inventory-shard/src/rules/turn/snapshot.ts';
import { chart, gaArea } from '../../../support/charts.ts';
import { callId, direct, hold, house, START, sectionedPlan } from '../../../support/inventory/house.ts';
import { lock, offerHere } from '../../../support/operations/one-event.ts';

/** The growth of the event, which is the same after a takeover. */
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

test('the labels of availability rules count while the rules exist', () => {
  const event = house('platform', sectionedPlan);
  const labels = Array.from({ length: labelsPerBulkMax }, (_, nth) => `Tier ${nth} of the upper circle`);
  const text = labels.join('').length;
  const grown = growthOf(event, () => event.ok(setRules(labels)));
  expect(grown).toBeGreaterThan(text);
  expect(grown).toBeLessThan(4 * text);
  expect(growthOf(event, () => event.ok(setRules([])))).toBeLessThan(1_000 - grown);
});

const draft = (nth: number, actionUrl: string) => ({
  id: `rel_${nth}`,
  isNew: true,
  name: 'Members',
  action: 'apply' as const,
  actionUrl,
  price: 1,
  previousPrice: null,
  quota: null,
  startsAt: null,
  endsAt: null,
  categoryKey: null,
});

test('ticket releases count while they exist, and so do the remembered answers', () => {
  const event = house();
  const actionUrl = `https://apply.example/${'a'.repeat(releaseActionUrlLengthMax - 22)}`;
  const releases = Array.from({ length: releasesPerEventMax }, (_, nth) => draft(nth, actionUrl));
  const list = releasesPerEventMax * releaseActionUrlLengthMax;
  const set = { type: 'set-releases', callId: callId(), releases } as const;
  let first: object = {};
  const grown = growthOf(event, () => {
    first = event.ok(set);
  });
  expect(grown).toBeGreaterThan(list);
  expect(grown).toBeLessThan(2 * list);
  expect(event.ok(set)).toEqual(first);
  const short = () => event.ok({ type: 'set-releases', callId: callId(), releases: [draft(99, 'https://a.example/')] });
  growthOf(event, short);
  expect(growthOf(event, short)).toBeGreaterThan(400);
  const clear = () => {
    for (let i = 0; i < eventCallsKept; i++) event.ok({ type: 'set-releases', callId: callId(), releases: [] });
  };
  expect(growthOf(event, clear)).toBeLessThan(500 * eventCallsKept);
});

test('section states are stored once, however often they are set, and count with their ids', () => {
  const ids = Array.from({ length: sectionIdsPerPatchMax }, (_, nth) => `${nth}`.padStart(105, 'section-'));
  const event = house('platform', { ...sectionedPlan, scopeIds: new Set(ids) });
  const set = (state: 'open' | 'closed') =>
    event.ok({ type: 'configure', callId: callId(), sectionStates: Object.fromEntries(ids.map((id) => [id, state])) });
  expect(growthOf(event, () => set('closed'))).toBeGreaterThan(105 * ids.length);
  expect(Math.abs(growthOf(event, () => set('open')))).toBeLessThan(16 * ids.length);
  const command = { type: 'configure', callId: callId(), currency: 'USD' } as const;
  const first = event.ok(command);
  event.pass(1);
  expect(event.ok(command)).toEqual(first);
  const stored = encodeKept(toSnapshot(capture(event.state))).length;
  for (let i = 0; i < 20; i++) set('open');
  expect(encodeKept(toSnapshot(capture(event.state))).length - stored).toBeLessThan(20 * 500);
});

test('resale listings count', () => {
  const event = house();
  event.ok(direct('order', 'A-1', 'A-2'));
  const labels = ['A-1', 'A-2'];
  const list = { type: 'list-resale', callId: callId(), listingId: 'l1', bookingRef: 'order', labels } as const;
  expect(growthOf(event, () => event.ok(list))).toBeGreaterThan(100);
});

test('reservations for offers count, and their ends are bounded', () => {
  const event = house();
  event.ok(lock);
  expect(growthOf(event, () => event.ok(offerHere('sro_1').reserve('A-1', 'A-2')))).toBeGreaterThan(300);
  growthOf(event, () => event.ok(offerHere('sro_1').unreserve));
  const known = new EventOffers();
  for (let n = 0; n < 100_010; n++) known.end({ offerId: `sro_${n}`, units: [n], bookingRef: null, endedAt: START });
  expect([known.ended.size, known.unitCount, known.ended.has('sro_9')]).toEqual([100_000, 100_000, false]);
});

test('an area that is held and released repeatedly grows by a small hold each time', () => {
  const lawn = compilePlan(chart([gaArea({ capacity: unitsPerSaleMax })]), 'a lawn');
  const event = house('platform', lawn);
  const selections = [{ label: 'Lawn', quantity: unitsPerSaleMax }];
  const turns = 20;
  const before = bytesOf(event.state);
  for (let turn = 0; turn < turns; turn++) {
    event.ok({ type: 'hold', holdId: `h${turn}`, selections });
    event.ok({ type: 'release', holdId: `h${turn}`, callId: callId() });
  }
  expect(bytesOf(event.state) - before).toBeLessThan(250 * turns);
});

test('ended holds past the bound are forgotten, the oldest first, by every fold', () => {
  const event = house();
  event.ok(hold('h', 'A-1'));
  const made = event.state.holds.active.get('h')!;
  const fingerprint = 'f'.repeat(200_000);
  const whole = new Holds();
  const resumed = new Holds();
  const end = (holds: Holds, nth: number) =>
    holds.end({ ...made, id: `h${nth}`, fingerprint }, 'released', START + nth);
  const rounds = 260;
  let other = resumed;
  for (let nth = 0; nth < rounds; nth++) {
    end(whole, nth);
    if (nth === rounds - 50)
      other = new Holds(new Map(), PackedMap.from(holdPacking, finish(livingOf(other.ended.capture()))));
    end(other, nth);
  }
  expect(whole.ended.liveBytes).toBeLessThanOrEqual(endedHoldBytesMax);
  expect(whole.ended.liveBytes).toBeGreaterThan(0.95 * endedHoldBytesMax);
  expect([whole.get('h0'), whole.get(`h${rounds - 1}`)?.endedAt]).toEqual([undefined, START + rounds - 1]);
  const kept = (holds: Holds) => Array.from(holds.values(), ({ id }) => id);
  expect(kept(other)).toEqual(kept(whole));
  expect(kept(whole)).toEqual(Array.from({ length: whole.size }, (_, nth) => `h${rounds - whole.size + nth}`));
});
