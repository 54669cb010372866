/** Scopes that the clock opens: journaled by their owner to the millisecond, also where nobody asks for the event. */
import { expect, test } from 'vitest';
import { callId, MINUTE, START } from '../support/inventory.ts';
import { partitionOnFakes, settled } from '../support/partition-on-fakes.ts';

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

test('a timed scope is opened at its time without a command, and not before', async () => {
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

test('so it is by an owner that nobody has asked for the event', async () => {
  const { stream } = await withTimedScope();
  const heir = await partitionOnFakes({ stream: [...stream] });
  await heir.partition.open();
  for (let i = 0; i < 10; i++) await settled();
  heir.clock.advance(MINUTE);
  await settled();
  revealed(heir.inFlight[0]);
});
