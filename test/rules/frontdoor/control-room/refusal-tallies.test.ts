/** The refusals of each event over the last hour, and the sum over front doors. */
import { MINUTE_MS } from '@parterre/shared/runtime/units';
import { expect, test } from 'vitest';
import {
  DoorsFigures,
  type FiguresTold,
  RefusalTallies,
} from '../../../../services/frontdoor/src/control-room/control-room.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const organisationOf = (eventKey: string) => (eventKey.startsWith('gala') ? 'org_1' : null);
const conflict = { code: 'conflict', event: 'gala', organisation: 'org_1' };

test('refusals count by code and reason for an hour, and apart for the last five minutes', () => {
  const clock = new ManualClock();
  const tallies = new RefusalTallies(clock, organisationOf);
  tallies.note(conflict);
  tallies.note({ ...conflict, reason: 'held' });
  tallies.note(conflict);
  expect(tallies.of('gala')).toEqual([
    { code: 'conflict', reason: null, count: 2, lately: 2 },
    { code: 'conflict', reason: 'held', count: 1, lately: 1 },
  ]);
  clock.advance(30 * MINUTE_MS);
  tallies.note(conflict);
  expect(tallies.of('gala')[0]).toEqual({ code: 'conflict', reason: null, count: 3, lately: 1 });
  clock.advance(30 * MINUTE_MS);
  expect(tallies.of('gala')).toEqual([{ code: 'conflict', reason: null, count: 1, lately: 0 }]);
  clock.advance(300 * MINUTE_MS);
  expect(tallies.of('gala')).toEqual([]);
});

test('callers of another organisation, made-up events and calls without an event do not count', () => {
  const tallies = new RefusalTallies(new ManualClock(), organisationOf);
  tallies.note({ ...conflict, organisation: 'org_2' });
  tallies.note({ ...conflict, event: 'made-up' });
  tallies.note({ code: 'conflict', organisation: 'org_1' });
  expect([tallies.of('gala'), tallies.of('made-up')]).toEqual([[], []]);
  tallies.note({ code: 'unauthorized', event: 'gala' });
  expect(tallies.of('gala')).toEqual([{ code: 'unauthorized', reason: null, count: 1, lately: 1 }]);
});

test('reasons past the bound count as other, and the oldest tally makes room', () => {
  const tallies = new RefusalTallies(new ManualClock(), organisationOf, 2);
  for (let reason = 0; reason < 100; reason++) tallies.note({ ...conflict, reason: `reason ${reason}` });
  expect(tallies.of('gala')).toHaveLength(65);
  expect(tallies.of('gala')[0]).toEqual({ code: 'conflict', reason: 'other', count: 36, lately: 36 });
  tallies.note({ ...conflict, event: 'gala-2' });
  tallies.note({ ...conflict, event: 'gala-3' });
  expect([tallies.of('gala').length, tallies.of('gala-3').length]).toEqual([0, 1]);
});

test('the figures of all front doors add up, and a silent front door is forgotten', async () => {
  const clock = new ManualClock();
  const questions: string[] = [];
  const own = {
    door: 'one',
    since: 10,
    refusals: [{ code: 'conflict', reason: null, count: 2, lately: 1 }],
    budgets: [
      { budget: 'server-holds', key: 'key_1', mode: null, workspaceId: null, used: 400, limit: 600, endsAt: 5 },
    ],
  };
  const doors = new DoorsFigures({ clock, own: () => own, ask: ({ eventKey }) => questions.push(eventKey) });
  const asked = { eventKey: 'gala', organisationId: 'org_1' };
  const first = doors.of(asked);
  const told: FiguresTold = {
    ...own,
    eventKey: 'gala',
    door: 'two',
    since: 20,
    refusals: [
      { code: 'conflict', reason: null, count: 5, lately: 2 },
      { code: 'public_limit', reason: null, count: 9, lately: 9 },
    ],
    budgets: [{ ...own.budgets[0]!, used: 500 }],
  };
  doors.hear(told, 'one');
  doors.hear({ ...told, door: 'one' }, 'one');
  doors.hear({ ...told, eventKey: 'never-asked', door: 'three' }, 'one');
  clock.advance(150);
  expect(await first).toEqual({
    doors: 2,
    since: 20,
    refusals: [
      { code: 'public_limit', reason: null, count: 9, lately: 9 },
      { code: 'conflict', reason: null, count: 7, lately: 3 },
    ],
    budgets: [{ ...own.budgets[0]!, used: 500 }],
  });
  await doors.of(asked);
  expect(questions).toEqual(['gala']);
  clock.advance(11_000);
  expect(await doors.of(asked)).toMatchObject({ doors: 1, since: 10, refusals: own.refusals });
  expect(questions).toEqual(['gala', 'gala']);
});
