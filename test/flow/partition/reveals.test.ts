/** Timed scopes: their owner journals the reveal to the millisecond, also without any command for the event. */
import { expect, test } from 'vitest';
import { callId, MINUTE, START } from '../../support/inventory/house.ts';
import { partitionOnFakes, settled } from '../../support/partition/on-fakes.ts';

const timed = () => ({
  type: 'set-availability' as const,
  callId: callId(),
  rules: { __ungrouped__: { mode: 'timed' as const, revealAt: START + MINUTE } },
});

async function withTimedScope() {
  const fakes = await partitionOnFakes();
  await fakes.partition.open();
  await fakes.create();
  expect(await fakes.ask(timed())).toMatchObject({ kind: 'ok', value: { hidden: ['__ungrouped__'] } });
  return fakes;
}

const revealed = (group: unknown) =>
  expect(group).toMatchObject({ at: START + MINUTE, records: [{ type: 'revealed' }] });

test('A timed scope opens at its time without a command, and not before', async () => {
  const { clock, inFlight, land, ask } = await withTimedScope();
  clock.advance(MINUTE - 1 - (clock.now() - START));
  await settled();
  expect(inFlight).toEqual([]);
  clock.advance(1);
  await settled();
  revealed(inFlight[0]);
  land();
  expect(await ask({ type: 'availability' })).toMatchObject({ value: { hidden: [] } });
});

test('An owner that got no command for the event opens its timed scope too', async () => {
  const { stream } = await withTimedScope();
  const heir = await partitionOnFakes({ stream: [...stream] });
  await heir.partition.open();
  for (let i = 0; i < 10; i++) await settled();
  heir.clock.advance(MINUTE);
  await settled();
  revealed(heir.inFlight[0]);
});
