/** Snapshots and bodies that are kept for later viewers. */
import { compilePlan } from '@parterre/shared/charts/compile';
import { done } from '@parterre/shared/protocol/errors';
import { packStatuses } from '@parterre/shared/protocol/packed-statuses';
import { expect, it } from 'vitest';
import { Replica } from '../../../services/frontdoor/src/feeds/replica.ts';
import { Shelf } from '../../../services/frontdoor/src/feeds/shelf.ts';
import { TellingTurns } from '../../../services/frontdoor/src/feeds/telling-turns.ts';
import { publicAudience } from '../../../services/frontdoor/src/pictures/rules/audience.ts';
import { chart, row } from '../../support/charts.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { change } from '../../support/replica.ts';

it('keeps a bounded number of bytes over all events, and drops the oldest entry first', () => {
  const shelf = new Shelf(100);
  const gala = shelf.of('gala');
  const ball = shelf.of('ball');
  gala.set('one', { version: 1, at: 0, body: 'x'.repeat(60) });
  ball.set('one', { version: 2, at: 0, body: 'x'.repeat(30) });
  expect([gala.get('one')?.version, ball.get('one')?.version]).toEqual([1, 2]);
  ball.set('two', { version: 3, at: 0, body: 'x'.repeat(20) });
  expect([gala.get('one'), ball.get('one')?.version, ball.get('two')?.version]).toEqual([undefined, 2, 3]);
  ball.clear();
  gala.set('one', { version: 4, at: 0, body: 'x'.repeat(100) });
  expect([gala.get('one')?.version, ball.get('one')]).toEqual([4, undefined]);
});

async function largeEvent() {
  const clock = new ManualClock();
  const rows = Array.from({ length: 100 }, (_, n) => row({ id: `row ${n}`, label: `R${n}`, seatCount: 200 }));
  const plan = compilePlan(chart(rows), 'hash');
  const { unitCount } = plan;
  const statuses = packStatuses(new Uint8Array(unitCount));
  const view = { version: 10, updatedAt: 1, planHash: 'hash', status: 'active', salesPaused: false } as const;
  const replica = new Replica(
    'gala',
    {
      clock,
      turns: new TellingTurns(clock),
      viewOf: async () => done({ ...view, unitCount, statuses }),
      versionOf: async () => done(10),
      planOf: async () => plan,
      publish: () => {},
      batches: () => [],
      onEventStatus: () => {},
      onNews: () => {},
      onFault: (error) => {
        throw error;
      },
    },
    new Shelf(10 * 1024 * 1024).of('gala'),
  );
  await replica.catchUp();
  return { clock, replica, read: () => JSON.parse(replica.objects(publicAudience, true).body) };
}

it('serves readers of a large event for a quarter of a second, with the version of the body', async () => {
  const { clock, replica, read } = await largeEvent();
  expect(read().snapshotVersion).toBe(10);
  replica.onChange(change(10, 11, [0, 1]));
  expect(read()).toMatchObject({ snapshotVersion: 10, seats: {} });
  clock.advance(251);
  expect(read().snapshotVersion).toBe(11);
  expect(Object.values(read().seats)).toEqual(['held']);
});

it('is not served once something is hidden or closed', async () => {
  const { replica, read } = await largeEvent();
  read();
  replica.onChange({ ...change(10, 11), scopes: { hidden: ['__ungrouped__'], closed: [] } });
  expect(read()).toMatchObject({ snapshotVersion: 11, hidden: ['__ungrouped__'] });
});
