/** The names of places in refusals, beside the labels and in the messages. */
import type { Caller, Command } from '@parterre/shared/protocol/commands';
import type { Refusal } from '@parterre/shared/protocol/errors';
import { expect, test } from 'vitest';
import { finish } from '../../../../services/inventory-shard/src/rules/packed/packed.ts';
import { withNames, withNamesInSteps } from '../../../../services/inventory-shard/src/rules/turn/named-places.ts';
import { hold, house, server } from '../../../support/inventory/house.ts';

const german: Caller = { ...server, locale: 'de-AT' };

/** The refusal of a command as it leaves the actor, with A-1, T1 and all but one place of the area held. */
function refusal(command: Command, caller = server): Refusal {
  const event = house();
  event.ok({
    ...hold('first'),
    selections: [{ label: 'A-1' }, { label: 'T1' }, { label: 'Standing', quantity: 9 }],
  });
  return withNames(event.state, caller, event.refused(command, caller));
}

test('each conflict has the name of its place, in the language of the event', () => {
  const selections = [{ label: 'A-1' }, { label: 'T1' }, { label: 'Standing', quantity: 2 }];
  const command: Command = { ...hold('second'), selections };
  const told = [
    { label: 'A-1', name: 'Row A, seat 1', status: 'held' },
    { label: 'T1', name: 'T1', status: 'held' },
    { label: 'Standing', name: 'Standing', status: 'not_enough', available: 1 },
  ];
  expect(refusal(command).details).toEqual({ conflicts: told });
  expect(refusal(command, german).details).toMatchObject({ conflicts: [{ name: 'Reihe A, Platz 1' }, {}, {}] });
});

test('names stand beside labels, and messages say them', () => {
  const twice: Command = { ...hold('second'), selections: [{ label: 'B-1' }, { label: 'B-1' }] };
  expect(refusal(twice, german).message).toBe('Reihe B, Platz 1 is named twice in one call. Name it once.');
  const many: Command = { ...hold('second'), selections: [{ label: 'B-1', quantity: 2 }] };
  expect(refusal(many)).toMatchObject({
    message: 'Row B, seat 1 takes 1, not 2.',
    details: { labels: ['B-1'], names: ['Row B, seat 1'] },
  });
});

test('the message about companions names them', () => {
  const details = { labels: ['A-1', 'T1'] };
  const apart: Refusal = { code: 'companion_pair_required', message: 'Take both in one call.', details };
  const told = withNames(house().state, server, apart);
  expect(told.message).toBe('Take both in one call. Without it: Row A, seat 1; T1.');
});

test('a label that the chart lacks has no name, and other refusals stay as they are', () => {
  expect(refusal(hold('second', 'Z-9')).details).toEqual({ labels: ['Z-9'] });
  const plain: Refusal = { code: 'event_closed', message: 'Closed.' };
  expect(withNames(house().state, server, plain)).toBe(plain);
});

test('many names are made in steps', () => {
  const { state } = house();
  const labels = Array.from({ length: 5_000 }, () => 'A-1');
  const long: Refusal = { code: 'not_for_sale', message: '', details: { labels } };
  let steps = 0;
  const walk = withNamesInSteps(state, server, long);
  for (let step = walk.next(); !step.done; step = walk.next()) steps++;
  expect(steps).toBeGreaterThan(1);
  expect(finish(withNamesInSteps(state, server, long)).details!.names).toHaveLength(5_000);
});
