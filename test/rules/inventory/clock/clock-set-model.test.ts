/** The reference of the model sets event time back as the rules do, so that it may judge simulated histories. */
import type { Caller, Command } from '@parterre/shared/protocol/commands';
import { expect, test } from 'vitest';
import { cut } from '../../../../services/inventory-shard/src/partition/actor.ts';
import { differenceOfStates } from '../../../support/model/compare.ts';
import { Real } from '../../../support/model/real.ts';
import { passTo, setBackTo } from '../../../support/model/reference/endings.ts';
import { predict } from '../../../support/model/reference/reference.ts';
import { firstPrices, MINUTE, newWorld, START } from '../../../support/model/reference/world.ts';

const caller: Caller = { source: 'server', actor: 'key', accessSource: 'public' };
const now = START + MINUTE;

test('the reference gives each hold the same end as the rules when event time goes back', () => {
  const world = newWorld('platform', firstPrices);
  const real = new Real('platform', START);
  const [early, late] = world.chart.places.filter(({ category }) => category === 'stalls');
  for (const [at, place] of [
    [START, early!],
    [now + 50 * MINUTE, late!],
  ] as const) {
    const command: Command = {
      type: 'hold',
      holdId: place.label,
      ttlMs: 55 * MINUTE,
      selections: [{ label: place.label }],
    };
    passTo(world, at);
    real.ask(command, caller);
    real.answers(at);
    expect(predict(world, command, caller)).toMatchObject({ ok: true });
  }
  const { records } = cut(
    real.actor,
    now,
    0,
    () => false,
    () => true,
  );
  expect(records).toMatchObject([{ type: 'clock-set' }]);
  setBackTo(world, now);
  expect(differenceOfStates(world, real.state, false)).toBeNull();
  expect(world.holds.map(({ expiresAt }) => expiresAt)).toEqual([START + 55 * MINUTE, now + 55 * MINUTE]);
});
