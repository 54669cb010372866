/** Seat by seat: what could be reserved or held now, and why not the rest. */
import { compilePlan } from '@parterre/shared/charts/compile';
import type { Selection } from '@parterre/shared/protocol/commands';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chart, row } from '../../../support/charts.ts';
import { block, callId, direct, hold, house, MINUTE, START, smallPlan } from '../../../support/inventory/house.ts';
import { operationCommands } from '../../../support/inventory/operation-histories.ts';
import { lock, offerHere } from '../../../support/operations/one-event.ts';

const inspect = (selections: Selection[]) => ({ type: 'inspect-units', selections }) as const;
const owner = { kind: 'season', key: 'sea_1' } as const;
const unlock = { type: 'unlock', owner, lockId: 'activation' } as const;
const nextLock = { type: 'lock', owner, lockId: 'next', actsUntil: START + MINUTE } as const;

test('the event tells of each seat whether it can be given, and writes nothing', () => {
  const event = house();
  for (const command of [
    lock,
    offerHere('sro_1').reserve('A-1'),
    hold('h1', 'B-1'),
    direct('order', 'B-2'),
    block('B-3'),
  ])
    event.ok(command);
  const selections: Selection[] = ['A-1', 'A-3', 'B-1', 'B-2', 'B-3', 'H-1', 'Z-9'].map((label) => ({ label }));
  selections.push({ label: 'Standing', quantity: 11 }, { label: 'Standing', quantity: 10 });
  const records = event.journal.length;
  const { units } = event.ok(inspect(selections));
  expect(event.journal).toHaveLength(records);
  expect(units.map(({ label, code, status }) => `${label} ${code} ${status}`)).toEqual([
    'A-1 conflict reserved',
    'A-3 null free',
    'B-1 conflict held',
    'B-2 conflict booked',
    'B-3 conflict blocked',
    'H-1 not_for_sale free',
    'Z-9 unknown_labels null',
    'Standing conflict null',
    'Standing null null',
  ]);
  expect(units[0]!.offerId).toBe('sro_1');
  expect(units.at(-1)!.available).toBe(10);
});

test('a companion’s place can be given, since its call takes the wheelchair place as well', () => {
  const kinds = ['companion', 'wheelchair', 'hearing'] as const;
  const overrides = kinds.map((kind, index) => ({ index, accessibility: [kind] }));
  const event = house('platform', compilePlan(chart([row({ overrides })]), 'companions'));
  const codes = event.ok(inspect([{ label: 'A-1' }, { label: 'A-2' }])).units.map(({ code }) => code);
  expect(codes).toEqual([null, null]);
});

test('after any history, a reservation takes exactly the seats that are told as free', () => {
  const labels = [...smallPlan.labels.all(), 'Standing'];
  fc.assert(
    fc.property(operationCommands, fc.constantFrom(...labels), (commands, label) => {
      const event = house();
      for (const command of commands) event.tries(command);
      for (const move of ['unarchive', 'reopen'] as const) event.tries({ type: 'move', callId: callId(), move });
      event.tries(unlock);
      event.tries(nextLock);
      const { code } = event.ok(inspect([{ label }])).units[0]!;
      expect(event.tries(offerHere('sro_new').reserve(label))).toBe(code === null);
    }),
    { numRuns: 300 },
  );
});

test('at most a thousand seats are told in one call', () => {
  const selections = Array.from({ length: 1_001 }, () => ({ label: 'A-1' }));
  expect(house().refused(inspect(selections)).code).toBe('invalid_request');
});
