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

test('figures of an unknown form, and those of more front doors than a deployment has, are not taken', async () => {
  const { doors, faults, nats } = await frontDoor('one', 3);
  const asked = { eventKey: 'gala', organisationId: 'org_1' };
  await doors.of(asked);
  const figures = { eventKey: 'gala', since: 0, refusals: [], budgets: [] };
  for (const broken of [
    { ...figures, door: 'two', refusals: 7 },
    { ...figures, door: 'two', budgets: [{}] },
    { ...figures, door: 'two', refusals: new Array(1_001).fill({ code: 'x', reason: null, count: 1, lately: 1 }) },
    { ...figures, door: 7 },
  ]) {
    expect(() => doors.hear(broken as never, 'one')).toThrow();
  }
  expect(await doors.of(asked)).toMatchObject({ doors: 1, refusals: [{ count: 3 }] });
  for (let door = 0; door < 2_000; door++) doors.hear({ ...figures, door: `door ${door}` }, 'one');
  expect((await doors.of(asked)).doors).toBe(1 + 1_024);
  expect(faults).toEqual([]);
  await nats.close();
});
