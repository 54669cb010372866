/** The ends of holds, beside a plain list of them. */
import type { HeldUntil } from '@parterre/shared/protocol/held-until';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HeldTimes } from '../../../services/frontdoor/src/pictures/held-times.ts';

const unit = fc.integer({ min: 0, max: 7 });
const steps = fc.array(
  fc.oneof(
    fc.record({ units: fc.uniqueArray(unit, { minLength: 1 }), inMs: fc.integer({ min: -500, max: 4_000 }) }),
    fc.record({ forgotten: unit }),
    fc.record({ passMs: fc.integer({ min: 0, max: 1_500 }) }),
  ),
  { maxLength: 60 },
);

test('each look finds the units whose hold has ended since the look before, in any order of ends', () => {
  fc.assert(
    fc.property(steps, (all) => {
      const times = new HeldTimes();
      const ends = new Map<number, number>();
      let now = 1_700_000_000_123;
      for (const step of all) {
        if ('units' in step) {
          const hold: HeldUntil = { expiresAt: now + step.inMs, units: step.units };
          times.note(hold);
          for (const each of step.units) ends.set(each, hold.expiresAt);
        } else if ('forgotten' in step) {
          times.forget(step.forgotten);
          ends.delete(step.forgotten);
        } else {
          now += step.passMs;
        }
        const over = [...ends].filter(([, end]) => end <= now).map(([each]) => each);
        expect(times.due(now).sort()).toEqual(over.sort());
        for (const each of over) ends.delete(each);
      }
    }),
  );
});
