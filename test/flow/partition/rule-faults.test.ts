/**
 * Bugs in rules, injected at random places of deciding and applying: a fault harms one command of one event. The rules
 * use the methods of these classes everywhere, and each call of a method may throw.
 */
import type { Command } from '@parterre/shared/protocol/commands';
import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import {
  reloadPauseMs,
  surveyRestMs,
  troubleAnsweredMs,
} from '../../../services/inventory-shard/src/partition/bounds.ts';
import { PackedMap } from '../../../services/inventory-shard/src/rules/packed/packed-map.ts';
import { DeadlineHeap } from '../../../services/inventory-shard/src/rules/state/deadlines.ts';
import { Holds } from '../../../services/inventory-shard/src/rules/state/holds.ts';
import { book, callId, hold } from '../../support/inventory/house.ts';
import { settled, partitionOnFakes as setUp } from '../../support/partition/on-fakes.ts';

/** The number of calls before the call that throws; null while no call throws. */
let callsLeft: number | null = null;
const restores: (() => void)[] = [];

function injectInto(prototype: object, ...methods: string[]): void {
  for (const name of methods) {
    const method = (prototype as Record<string, (...args: unknown[]) => unknown>)[name]!;
    (prototype as Record<string, unknown>)[name] = function (this: unknown, ...args: unknown[]) {
      if (callsLeft !== null && callsLeft-- === 0) {
        callsLeft = null;
        throw new Error('an injected bug');
      }
      return method.apply(this, args);
    };
    restores.push(() => {
      (prototype as Record<string, unknown>)[name] = method;
    });
  }
}

function inject(): void {
  injectInto(PackedMap.prototype, 'get', 'set', 'has', 'delete');
  injectInto(Holds.prototype, 'get', 'end', 'forgetEnded');
  injectInto(DeadlineHeap.prototype, 'push');
}

afterEach(() => {
  callsLeft = null;
  for (const restore of restores.splice(0)) restore();
});

test('a fault is answered with internal_error, and its event goes on without a fence', async () => {
  inject();
  const one = await setUp();
  await one.partition.open();
  await one.create();
  await one.ask(hold('h1', 'A-1'));
  const { epoch } = one.journal;
  one.put(hold('h2', 'A-2'));
  const faulty = one.put(hold('h3', 'A-3'));
  callsLeft = 6;
  const last = one.send(hold('h4', 'A-4'));
  await settled();
  const told = [faulty, last].map((id) => one.answers(id).at(-1));
  expect(told.map((answer) => answer?.kind)).toContain('refused');
  expect(one.partition.state).toBe('serving');
  expect(one.journal.epoch).toBe(epoch);
  expect(await one.ask(hold('h5', 'A-4'))).toMatchObject({ kind: 'ok' });
});

test('a group in flight survives the fault of a later command', async () => {
  inject();
  const one = await setUp();
  await one.partition.open();
  await one.create();
  const first = one.send(hold('h1', 'A-1'));
  callsLeft = 0;
  const second = one.send(hold('h2', 'A-2'));
  const third = one.send(hold('h3', 'A-3'));
  expect(one.answers(second)).toMatchObject([{ kind: 'refused', refusal: { code: 'internal_error' } }]);
  one.land();
  await settled();
  expect(one.answers(first)).toMatchObject([{ kind: 'ok' }]);
  expect(one.answers(third)).toMatchObject([{ kind: 'moved' }]);
  expect(await one.ask({ type: 'count' })).toMatchObject({ value: { counts: { held: 1 } } });
});

const seat = fc.integer({ min: 1, max: 4 }).map((n) => `A-${n}`);
const name = fc.integer({ min: 1, max: 5 }).map((n) => `h${n}`);
const sale: fc.Arbitrary<Command> = fc.oneof(
  fc.tuple(name, seat).map(([id, label]) => hold(id, label) as Command),
  name.map((holdId): Command => ({ type: 'release', callId: callId(), holdId })),
  name.map((id) => book(id, 'order') as Command),
  fc.constant<Command>({ type: 'count' }),
);
const steps = fc.array(
  fc.record({
    command: sale,
    /** The call that throws, if any. */
    faultAt: fc.option(fc.nat({ max: 6 }), { freq: 2 }),
    lands: fc.boolean(),
    other: fc.boolean(),
  }),
  { minLength: 1, maxLength: 25 },
);

test('whatever throws, nothing else is disturbed and nothing is lost', async () => {
  inject();
  let faults = 0;
  await fc.assert(
    fc.asyncProperty(steps, async (played) => {
      const one = await setUp();
      await one.partition.open();
      await one.create();
      await one.create('quiet-night');
      const { epoch } = one.journal;
      const sent: { id: number; command: Command }[] = [];
      const quiet: number[] = [];
      for (const { command, faultAt, lands, other } of played) {
        callsLeft = faultAt;
        sent.push({ id: one.send(command), command });
        if (callsLeft === null && faultAt !== null) faults++;
        callsLeft = null;
        if (other) quiet.push(one.send({ type: 'count' }, { eventKey: 'quiet-night' }));
        if (lands) one.land();
        await settled();
      }
      one.land();
      await settled();
      one.clock.advance(reloadPauseMs);
      await settled();
      expect(one.partition.state).toBe('serving');
      expect(one.journal.epoch).toBe(epoch);
      for (const id of quiet) expect(one.answers(id)).toMatchObject([{ kind: 'ok' }]);
      const held = new Set(one.stream.flatMap(({ records }) => records.map((each) => 'holdId' in each && each.holdId)));
      for (const { id, command } of sent) {
        const [answer, ...more] = one.answers(id);
        expect(more).toEqual([]);
        if (command.type === 'hold' && answer?.kind === 'ok') expect(held).toContain(command.holdId);
      }
      // The event has the state of its journal.
      const counted = await one.ask({ type: 'count' });
      const again = await setUp({ stream: one.stream.filter((group) => one.isOfDefaultEvent(group)) });
      await again.partition.open();
      const folded = await again.ask({ type: 'count' });
      const { version: _, ...counts } = (counted as { value: { version: number } }).value;
      expect(folded).toMatchObject({ kind: 'ok', value: counts });
    }),
    { numRuns: 200 },
  );
  expect(faults).toBeGreaterThan(100);
});

test('an event whose load keeps failing gets growing pauses, then 503 at once, and comes back', async () => {
  const first = await setUp();
  await first.partition.open();
  await first.create();
  const two = await setUp({ stream: first.stream });
  two.faults.catalogIsDown = true;
  await two.partition.open();
  await settled();
  two.clock.advance(surveyRestMs);
  await settled();
  const early = two.send({ type: 'count' });
  expect(two.answers(early)).toMatchObject([{ kind: 'moved' }]);
  const loadsBefore = two.loads();
  for (let passed = 0; passed < 10 * troubleAnsweredMs; passed += 50) {
    two.clock.advance(50);
    await settled();
    two.send({ type: 'count' });
  }
  // 20 s with calls every 50 ms: the pauses are 0.25, 0.5, 1, 2, 4, 8 and 8 s.
  expect(two.loads() - loadsBefore).toBeLessThanOrEqual(8);
  const late = two.send({ type: 'count' });
  expect(two.answers(late)).toMatchObject([{ kind: 'refused', refusal: { code: 'shard_unavailable' } }]);
  two.faults.catalogIsDown = false;
  two.clock.advance(8_000);
  await settled();
  expect(await two.ask({ type: 'count' })).toMatchObject({ kind: 'ok' });
});
