/** Two front doors over a real NATS tell one another what they have counted for a control room. */
import { systemClock } from '@parterre/shared/runtime/clock';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tellFigures } from '../../../services/frontdoor/src/announcements.ts';
import { type DoorFigures, DoorsFigures } from '../../../services/frontdoor/src/control-room/control-room.ts';
import { connectTo, startNats, type TestNats } from '../../support/servers/nats.ts';

let server: TestNats;
beforeAll(async () => {
  server = await startNats();
}, 60_000);
afterAll(() => server?.stop());

async function frontDoor(door: string, count: number) {
  const nats = await connectTo(server.url);
  const faults: unknown[] = [];
  const own = ({ eventKey }: { eventKey: string }): DoorFigures => ({
    door,
    since: 0,
    refusals: eventKey === 'gala' ? [{ code: 'conflict', reason: null, count, lately: 0 }] : [],
    budgets: [],
  });
  const ask = tellFigures(
    nats,
    own,
    (told) => doors.hear(told, door),
    (fault) => faults.push(fault),
  );
  const doors = new DoorsFigures({ clock: systemClock, own, ask });
  await nats.flush();
  return { doors, faults, nats };
}

test('the refusals of all front doors add up, for the event that is asked for', async () => {
  const [one, two] = [await frontDoor('one', 3), await frontDoor('two', 4)];
  const asked = { eventKey: 'gala', organisationId: 'org_1' };
  await expect.poll(async () => (await one.doors.of(asked)).refusals).toMatchObject([{ code: 'conflict', count: 7 }]);
  expect((await one.doors.of(asked)).doors).toBe(2);
  await expect.poll(async () => (await two.doors.of({ ...asked, eventKey: 'other' })).doors).toBe(2);
  expect((await two.doors.of({ ...asked, eventKey: 'other' })).refusals).toEqual([]);
  expect([...one.faults, ...two.faults]).toEqual([]);
  await Promise.all([one.nats.close(), two.nats.close()]);
});
