/** The end of a hold in a replica, before and after its expiry arrives. */
import type { EventView } from '@parterre/shared/protocol/answers';
import { done } from '@parterre/shared/protocol/errors';
import type { FeedChange } from '@parterre/shared/protocol/feed-change';
import { describe, expect, it } from 'vitest';
import type { Replica } from '../../../services/frontdoor/src/feeds/replica.ts';
import {
  type Audience,
  publicAudience,
  serverAudience,
} from '../../../services/frontdoor/src/pictures/rules/audience.ts';
import { change, label, setUp } from '../../support/replica.ts';

describe('a hold that is over', () => {
  const seatsOf = (replica: Replica, audience: Audience = publicAudience) =>
    JSON.parse(replica.objects(audience, false).body).seats;
  const held = (from: number, to: number, unit: number, expiresAt: number): FeedChange => ({
    ...change(from, to, [unit, 1]),
    heldUntil: [{ expiresAt, units: [unit] }],
  });

  it('reads as free from its last millisecond on, before its expiry arrives', async () => {
    const { start, replica, clock, first } = setUp();
    await start();
    const end = clock.now() + 700;
    replica.onChange(held(10, 11, 0, end));
    clock.advance(699);
    expect(seatsOf(replica)).toEqual({ [label(0)]: 'held' });
    clock.advance(1);
    expect([seatsOf(replica), seatsOf(replica, serverAudience)]).toEqual([{}, {}]);
    expect(first(null).seats).toEqual({});
    replica.onChange(change(11, 12, [0, 0]));
    expect(seatsOf(replica)).toEqual({});
  });

  it('of a view reads as free too, and other holds stay', async () => {
    const { start, replica, clock, views, view } = setUp();
    await start();
    const ready = replica.catchUp();
    const seen = view(12, 1, 1, 0, 0) as { ok: true; value: EventView };
    const heldUntil = [100, 5_000].map((ms, unit) => ({ expiresAt: clock.now() + ms, units: [unit] }));
    views.shift()!(done({ ...seen.value, heldUntil }));
    await ready;
    clock.advance(100);
    expect(seatsOf(replica)).toEqual({ [label(1)]: 'held' });
  });

  it('is held again if its extension arrives late, and viewers hear of it', async () => {
    const { start, replica, clock, published } = setUp();
    await start();
    replica.onChange(held(10, 11, 0, clock.now() + 100));
    clock.advance(100);
    expect(seatsOf(replica)).toEqual({});
    replica.onChange({ ...change(11, 12), heldUntil: [{ expiresAt: clock.now() + 500, units: [0] }] });
    expect(seatsOf(replica)).toEqual({ [label(0)]: 'held' });
    clock.advance(70);
    expect(published.at(-1)).toMatchObject({ snapshotVersion: 12, changes: [{ label: label(0), status: 'held' }] });
    clock.advance(500);
    expect(seatsOf(replica)).toEqual({});
  });

  it('does not free a seat that was booked or held anew meanwhile', async () => {
    const { start, replica, clock } = setUp();
    await start();
    replica.onChange(held(10, 11, 0, clock.now() + 100));
    replica.onChange(held(11, 12, 1, clock.now() + 100));
    replica.onChange(change(12, 13, [0, 2]));
    replica.onChange(held(13, 14, 1, clock.now() + 900));
    clock.advance(200);
    expect(seatsOf(replica)).toEqual({ [label(0)]: 'booked', [label(1)]: 'held' });
  });
});
