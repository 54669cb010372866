/** Ended holds and sessions of yesterday are gone for callers at once, and leave memory a few at a time. */
import { endedHoldKeepMs } from '@parterre/shared/protocol/limits';
import { expect, test } from 'vitest';
import { endedHoldsForgottenAtOnce } from '../../../../services/inventory-shard/src/rules/state/bounds.ts';
import { callId, hold, house } from '../../../support/inventory/house.ts';

const endedHolds = 1_000;

function yesterday() {
  const event = house();
  for (let n = 0; n < endedHolds; n++) {
    event.ok(hold(`h${n}`, 'A-1'));
    event.ok({ type: 'release', callId: callId(), holdId: `h${n}` });
  }
  event.pass(endedHoldKeepMs);
  return event;
}

test('a hold after a quiet day makes a few ended holds forgotten, and no caller knows the others', () => {
  const event = yesterday();
  event.ok(hold('late', 'A-1'));
  expect(event.state.holds.ended.size).toBe(endedHolds - endedHoldsForgottenAtOnce);
  const last = event.refused({ type: 'inspect-hold', holdId: `h${endedHolds - 1}` });
  expect(last.code).toBe('hold_not_found');
});

test('new holds make all ended holds of yesterday forgotten', () => {
  const event = yesterday();
  for (let n = 0; n < endedHolds / 4; n++) {
    event.ok(hold(`late${n}`, 'A-1'));
    event.ok({ type: 'release', callId: callId(), holdId: `late${n}` });
  }
  expect(event.state.holds.ended.size).toBe(endedHolds / 4);
  expect(event.state.holds.ended.first()!.id).toBe('late0');
});

test('the id of a hold of yesterday may be used again', () => {
  const event = yesterday();
  const again = `h${endedHolds - 1}`;
  event.ok(hold(again, 'A-2'));
  expect(event.ok({ type: 'inspect-hold', holdId: again })).toMatchObject({ status: 'active' });
  event.ok({ type: 'release', callId: callId(), holdId: again });
  expect(event.ok({ type: 'inspect-hold', holdId: again })).toMatchObject({ status: 'released' });
});
