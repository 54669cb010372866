/** Bookings of a lost history that a state gets back, and the seats that it does not give up for them (I9). */
import { unitStatus } from '@parterre/shared/protocol/records';
import { expect, test } from 'vitest';
import { bookedLabels, missingBookings } from '../../../../services/inventory-shard/src/rules/sales/sales.ts';
import { foldGroup } from '../../../../services/inventory-shard/src/rules/turn/apply.ts';
import { direct, hold, house, MINUTE, START, shrunkPlan } from '../../../support/inventory/house.ts';

/** Two histories of one event that part behind the first booking. */
function partedHouses() {
  const [kept, lost] = [house(), house()];
  for (const each of [kept, lost]) each.ok(direct('early', 'A-1'));
  return { kept, lost };
}

test('free seats get their bookings back, with their prices, and the others are conflicts', () => {
  const { kept, lost } = partedHouses();
  lost.ok(direct('one', 'A-2', 'A-3'));
  lost.ok(direct('two', 'C-1'));
  kept.ok(direct('stranger', 'A-3'));
  kept.ok(hold('h1', 'C-1'));
  const { records, conflicts } = missingBookings(kept.state, lost.state, 'restored-9');
  expect(conflicts).toEqual([
    { label: 'A-3', bookingRef: 'one', is: 'booked' },
    { label: 'C-1', bookingRef: 'two', is: 'held' },
  ]);
  expect(records).toMatchObject([{ type: 'booked', bookingRef: 'one', callId: 'restored-9', holdId: null }]);
  const { state } = kept;
  foldGroup(state, { records, at: START + MINUTE, plan: state.plan.hash }, state.version + 1, state.plan);
  expect(bookedLabels(state)).toEqual(
    new Map([
      ['early', ['A-1']],
      ['stranger', ['A-3']],
      ['one', ['A-2']],
    ]),
  );
  const line = (from: typeof kept) => from.state.bookings.get('one')!.lines[0];
  expect(line(kept)).toEqual(line(lost));
  expect(missingBookings(state, lost.state, 'again').records).toEqual([]);
});

test('a booking that the journal has changed since gets no seat back by itself', () => {
  const { kept, lost } = partedHouses();
  kept.ok({ type: 'unbook', callId: 'call-u', bookingRef: 'early' });
  expect(missingBookings(kept.state, lost.state, 'restored-9')).toEqual({
    records: [],
    conflicts: [{ label: 'A-1', bookingRef: 'early', is: 'given up since' }],
  });
});

test('a seat that the chart has no more is a conflict', () => {
  const lost = house();
  const kept = house('platform', shrunkPlan);
  const gone = lost.state.plan.labels.all().find((label) => !shrunkPlan.labels.all().includes(label))!;
  lost.ok(direct('one', gone));
  expect(missingBookings(kept.state, lost.state, 'restored-9')).toEqual({
    records: [],
    conflicts: [{ label: gone, bookingRef: 'one', is: 'not on the chart' }],
  });
  expect(kept.state.statuses.includes(unitStatus.booked)).toBe(false);
});
