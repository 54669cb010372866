/**
 * A replica of an event's statuses: the frames that viewers get for changes that come, that are missed, or that come
 * while it asks.
 */
import type { EventView } from '@parterre/shared/protocol/answers';
import { done, refuse } from '@parterre/shared/protocol/errors';
import type { FeedChange } from '@parterre/shared/protocol/feed-change';
import { describe, expect, it } from 'vitest';
import type { Replica } from '../../../services/frontdoor/src/feeds/replica.ts';
import {
  type Audience,
  publicAudience,
  serverAudience,
} from '../../../services/frontdoor/src/pictures/rules/audience.ts';
import { change, label, otherPlan, settled, setUp } from '../../support/replica.ts';

describe('changes that follow each other', () => {
  it('are told 20 ms after the first one in a quiet time, and folded for 33 ms after that', async () => {
    const { start, replica, published, clock } = setUp();
    await start();
    clock.advance(1_000);
    replica.onChange(change(10, 11, [0, 1]));
    clock.advance(19);
    expect(published).toEqual([]);
    clock.advance(1);
    expect(published).toEqual([
      { type: 'delta', protocol: 1, snapshotVersion: 11, changes: [{ label: label(0), status: 'held' }] },
    ]);
    replica.onChange(change(11, 14, [0, 2]));
    replica.onChange(change(14, 15, [1, 3]));
    clock.advance(32);
    expect(published).toHaveLength(1);
    clock.advance(1);
    expect(published[1]).toMatchObject({
      snapshotVersion: 15,
      changes: [
        { label: label(0), status: 'booked' },
        { label: label(1), status: 'not_for_sale' },
      ],
    });
  });

  it('are counted once if they come twice', async () => {
    const { start, replica, published, clock } = setUp();
    await start();
    replica.onChange(change(10, 11, [0, 1]));
    replica.onChange(change(10, 11, [0, 1]));
    clock.advance(50);
    expect(published).toHaveLength(1);
    expect(replica.version).toBe(11);
  });
});

describe('what is hidden or closed', () => {
  const scopes = { hidden: [], closed: ['__ungrouped__'] };

  it('is told when it changes, once, with all that buyers see of it', async () => {
    const { start, replica, published, clock } = setUp();
    await start();
    replica.onChange({ ...change(10, 11, [0, 1]), scopes });
    replica.onChange({ ...change(11, 12), scopes });
    clock.advance(50);
    expect(published).toMatchObject([
      { type: 'hidden', ...scopes },
      { type: 'snapshot', snapshotVersion: 12, default: 'not_for_sale', seats: {}, ...scopes },
    ]);
    replica.onChange(change(12, 13, [1, 2]));
    clock.advance(50);
    // Closed units look the same whatever their status.
    expect(published).toHaveLength(2);
  });

  it('sends a snapshot to a viewer that comes back from before it', async () => {
    const { start, replica, first } = setUp();
    await start();
    replica.onChange({ ...change(10, 11), scopes });
    expect(first(10)).toMatchObject({ type: 'snapshot', ...scopes });
    expect(first(11)).toMatchObject({ type: 'delta', resumed: true });
  });
});

describe('a change that was missed', () => {
  it('is learnt from the view, and told as the difference', async () => {
    const { start, replica, published, views, view, clock } = setUp();
    await start();
    replica.onChange(change(12, 13, [1, 1]));
    expect(views).toHaveLength(1);
    replica.onChange(change(13, 14, [2, 1]));
    views.shift()!(view(13, 2, 1, 0, 0));
    await settled();
    clock.advance(50);
    expect(published.at(-1)).toMatchObject({ type: 'delta', snapshotVersion: 14 });
    expect(published.flatMap(({ changes }) => changes ?? [])).toEqual([
      { label: label(0), status: 'booked' },
      { label: label(1), status: 'held' },
      { label: label(2), status: 'held' },
    ]);
  });

  it('is asked for again if the view is older than the change', async () => {
    const { start, replica, views, view, clock } = setUp();
    await start();
    replica.onChange(change(12, 13, [1, 1]));
    views.shift()!(view(11, 0, 0, 0, 0));
    await settled();
    clock.advance(50);
    expect(views).toHaveLength(1);
    views.shift()!(view(13, 0, 1, 0, 0));
    await settled();
    expect(replica.version).toBe(13);
  });

  it('is asked for again if the view does not come', async () => {
    const { start, replica, views, view, clock } = setUp();
    await start();
    replica.onChange(change(12, 13, [1, 1]));
    views.shift()!(refuse('shard_unavailable', 'gone', { retryable: true }));
    await settled();
    clock.advance(50);
    views.shift()!(view(13, 0, 1, 0, 0));
    await settled();
    expect(replica.version).toBe(13);
  });

  it('is asked for less and less often while the view does not come', async () => {
    const { start, replica, views, view, clock } = setUp();
    await start();
    const refused = refuse('shard_unavailable', 'gone', { retryable: true });
    replica.onChange(change(12, 13, [1, 1]));
    let asked = 0;
    for (let turn = 0; turn < 200; turn++) {
      for (const answer of views.splice(0)) {
        asked++;
        answer(refused);
      }
      await settled();
      clock.advance(50);
    }
    expect(asked).toBeLessThan(12);
    clock.advance(2_000);
    views.shift()!(view(13, 0, 1, 0, 0));
    await settled();
    expect(replica.version).toBe(13);
    replica.onChange(change(15, 16, [1, 1]));
    views.shift()!(refused);
    await settled();
    clock.advance(50);
    expect(views).toHaveLength(1);
  });
});

it('applies changes that came while the first view was on its way', async () => {
  const { replica, views, view, first } = setUp();
  const ready = replica.catchUp();
  replica.onChange(change(9, 10, [3, 1]));
  replica.onChange(change(10, 11, [0, 1]));
  views.shift()!(view(10, 0, 0, 0, 1));
  await ready;
  expect(first(null)).toMatchObject({
    type: 'snapshot',
    snapshotVersion: 11,
    seats: { [label(0)]: 'held', [label(3)]: 'held' },
  });
});

it('never goes back to an older view', async () => {
  const { start, replica, views, view, first } = setUp();
  await start();
  replica.onChange(change(10, 11, [0, 2]));
  const again = replica.catchUp();
  views.shift()!(view(10, 0, 0, 0, 0));
  await again;
  expect(first(null)).toMatchObject({ snapshotVersion: 11, seats: { [label(0)]: 'booked' } });
});

describe('a viewer that comes back', () => {
  it('gets the changes since its version', async () => {
    const { start, replica, first } = setUp();
    await start();
    replica.onChange(change(10, 11, [0, 1]));
    replica.onChange(change(11, 12, [1, 1]));
    replica.onChange(change(12, 13, [1, 2]));
    expect(first(11)).toMatchObject({
      type: 'delta',
      resumed: true,
      snapshotVersion: 13,
      changes: [{ label: label(1), status: 'booked' }],
    });
    expect(first(13)).toMatchObject({ type: 'delta', resumed: true, changes: [] });
  });

  it('is brought to its version if a view under way is older', async () => {
    const { start, replica, latest, views, view, first } = setUp();
    await start();
    replica.onChange(change(10.5, 11, [0, 2]));
    latest.version = 12;
    const caught = replica.catchUpNow(12);
    await settled();
    views.shift()!(view(11, 2, 0, 0, 0));
    await settled();
    views.shift()!(view(12, 2, 0, 0, 0));
    expect(await caught).toBe(true);
    expect(first(12)).toMatchObject({ type: 'delta', resumed: true, snapshotVersion: 12 });
  });

  it('is told if its version cannot be had, and gets a snapshot if there is no such version', async () => {
    const { start, replica, latest, views, view, clock } = setUp();
    await start();
    expect(await replica.catchUpNow(99)).toBe(true);
    expect(replica.version).toBe(10);
    latest.version = 12;
    const caught = replica.catchUpNow(12);
    for (let turn = 0; turn < 3; turn++) {
      await settled();
      views.shift()!(view(11, 2, 0, 0, 0));
    }
    expect(await caught).toBe(false);
    latest.isKnown = false;
    clock.advance(50);
    expect(await replica.catchUpNow(12)).toBe(false);
  });

  it('shares one question to the actor with all viewers that come back at the same time', async () => {
    const { start, replica, latest, clock } = setUp();
    await start();
    clock.advance(1_000);
    await Promise.all(Array.from({ length: 1_000 }, () => replica.catchUpNow(10)));
    expect(latest.asked).toBe(1);
    await replica.catchUpNow(10);
    expect(latest.asked).toBe(1);
    clock.advance(50);
    await replica.catchUpNow(10);
    expect(latest.asked).toBe(2);
  });

  it.each([9, 99])('gets a snapshot if version %i is not known here', async (version) => {
    const { start, first } = setUp();
    await start();
    expect(first(version)).toMatchObject({ type: 'snapshot', snapshotVersion: 10 });
  });
});

it('knows whether the event sells, from the view and from changes', async () => {
  const { start, replica } = setUp();
  await start();
  expect(replica).toMatchObject({ status: 'active', salesPaused: false });
  replica.onChange({ ...change(10, 11), eventStatus: 'archived', salesPaused: false });
  expect(replica).toMatchObject({ status: 'archived', salesPaused: false });
  replica.onChange({ ...change(11, 12), eventStatus: 'active', salesPaused: true });
  expect(replica).toMatchObject({ status: 'active', salesPaused: true });
});

describe('a change that moves the event to another chart', () => {
  const moved: FeedChange = { from: 10, to: 11, at: 11, units: [], statuses: [], plan: 'other' };

  it('gives viewers a snapshot of the new chart, and so does a resume from before it', async () => {
    const { start, replica, published, views, view, first, clock } = setUp();
    await start();
    replica.onChange(moved);
    replica.onChange(change(11, 12, [1, 2]));
    views.shift()!(view(11, 0, 1));
    await settled();
    expect(published).toMatchObject([{ type: 'snapshot', snapshotVersion: 11, default: 'free' }]);
    clock.advance(100);
    expect(published.at(-1)).toMatchObject({
      type: 'delta',
      snapshotVersion: 12,
      changes: [{ label: otherPlan.labels.at(1), status: 'booked' }],
    });
    expect(first(10)).toMatchObject({ type: 'snapshot', snapshotVersion: 12 });
    expect(first(11)).toMatchObject({ type: 'delta', resumed: true });
  });

  it('is not skipped if the view cannot be had at once', async () => {
    const { start, replica, published, views, view, clock } = setUp();
    await start();
    replica.onChange(moved);
    views.shift()!(refuse('shard_unavailable', 'not now', { retryable: true }));
    await settled();
    expect(replica.version).toBe(10);
    clock.advance(100);
    await settled();
    views.shift()!(view(11, 0, 0));
    await settled();
    expect(published.map(({ type }) => type)).toEqual(['snapshot']);
    expect(replica.plan.hash).toBe('other');
  });

  it('is an ordinary change if the replica has that chart', async () => {
    const { start, replica, views } = setUp();
    await start();
    replica.onChange({ ...moved, plan: 'hash' });
    expect(views).toHaveLength(0);
    expect(replica.version).toBe(11);
  });
});

describe('booked units that are listed for resale', () => {
  const seatsTo = (replica: Replica, audience: Audience) =>
    JSON.parse(replica.objects(audience, false).body).seats as Record<string, string>;

  it('show to buyers as free or held, and to servers as booked, until the listing ends', async () => {
    const { start, replica } = setUp();
    await start();
    replica.onChange(change(10, 11, [0, 2], [1, 2]));
    replica.onChange({ ...change(11, 12, [0, 2]), offered: { units: [0], statuses: [0] } });
    expect(seatsTo(replica, publicAudience)).toEqual({ [label(1)]: 'booked' });
    expect(seatsTo(replica, serverAudience)).toEqual({ [label(0)]: 'booked', [label(1)]: 'booked' });
    replica.onChange({ ...change(12, 13, [0, 2], [2, 1]), offered: { units: [0], statuses: [1] } });
    expect(seatsTo(replica, publicAudience)).toEqual({ [label(0)]: 'held', [label(1)]: 'booked', [label(2)]: 'held' });
    replica.onChange(change(13, 14, [0, 2]));
    expect(seatsTo(replica, publicAudience)).toMatchObject({ [label(0)]: 'booked' });
  });

  it('are told to viewers if only a view shows them', async () => {
    const { start, replica, view, views, published, clock } = setUp();
    await start();
    replica.onChange(change(10, 11, [0, 2]));
    clock.advance(1_000);
    const ready = replica.catchUp();
    const { value } = view(12, 2, 0, 0, 0) as { ok: true; value: EventView };
    views.shift()!(done({ ...value, offered: { units: [0], statuses: [0] } }));
    await ready;
    clock.advance(1_000);
    expect(published.at(-1)!.changes).toEqual([{ label: label(0), status: 'free' }]);
  });
});

it('asks for the view only if the actor is ahead and no announcement comes', async () => {
  const { start, replica, clock, latest, views } = setUp();
  await start();
  await replica.check();
  clock.advance(1_000);
  expect(views).toHaveLength(0);
  latest.version = 11;
  await replica.check();
  replica.onChange(change(10, 11, [0, 1]));
  clock.advance(1_000);
  expect(views).toHaveLength(0);
  latest.version = 12;
  await replica.check();
  clock.advance(1_000);
  expect(views).toHaveLength(1);
});
