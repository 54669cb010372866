/** Units that are assigned to channels, as viewers of different reaches see them. */
import type { EventView } from '@parterre/shared/protocol/answers';
import { done, type Outcome } from '@parterre/shared/protocol/errors';
import { describe, expect, it } from 'vitest';
import type { Crowd } from '../../../services/frontdoor/src/feeds/teller.ts';
import { buyerAudience, serverAudience } from '../../../services/frontdoor/src/pictures/rules/audience.ts';
import { change, label, promoters, publicCrowd, settled, setUp } from '../../support/replica.ts';

describe('units of a channel', () => {
  /** The second and third unit are the promoters', the fourth is of a paused channel. */
  const assigned = (view: Outcome<EventView>, version: number, closed: string[] = ['paused']): Outcome<EventView> => {
    const { value } = view as { ok: true; value: EventView };
    const of = new Uint8Array(Uint16Array.of(0, 1, 1, 2).buffer);
    return done({ ...value, allocation: { version, channelIds: ['chn', 'paused', 'empty'], closed, of } });
  };

  async function startAssigned() {
    const house = setUp();
    const ready = house.replica.catchUp();
    house.views.shift()!(assigned(house.view(10, 0, 0, 2, 2), 1));
    await ready;
    house.clock.advance(1_000);
    house.published.length = 0;
    house.toPromoters.length = 0;
    house.toServers.length = 0;
    return house;
  }

  it('are not for sale to viewers outside their reach, whatever their status', async () => {
    const { first } = await startAssigned();
    expect(first(null)).toMatchObject({ default: 'not_for_sale', seats: { [label(0)]: 'free' } });
    expect(first(null, promoters)).toMatchObject({
      default: 'not_for_sale',
      seats: { [label(1)]: 'free', [label(2)]: 'booked' },
    });
    expect(first(null, { audience: serverAudience, wire: 'text' })).toMatchObject({
      default: 'free',
      seats: { [label(2)]: 'booked', [label(3)]: 'booked' },
    });
  });

  it('do not appear in frames for others when they change, nor when others come back', async () => {
    const { replica, clock, published, toPromoters, first } = await startAssigned();
    replica.onChange(change(10, 11, [1, 1], [3, 0]));
    clock.advance(50);
    expect(published).toEqual([]);
    expect(toPromoters).toMatchObject([{ changes: [{ label: label(1), status: 'held' }] }]);
    expect(first(10)).toEqual({ type: 'delta', protocol: 1, snapshotVersion: 11, changes: [], resumed: true });
    expect(first(10, promoters).changes).toHaveLength(1);
  });

  it('cause a snapshot when they are assigned anew, from one view', async () => {
    const { replica, clock, views, view, published, toPromoters, first } = await startAssigned();
    replica.onChange({ ...change(10, 11), allocation: 2 });
    replica.onChange(change(11, 12, [1, 1]));
    expect(views).toHaveLength(1);
    views.shift()!(assigned(view(11, 0, 0, 2, 2), 2, []));
    await settled();
    clock.advance(50);
    expect(views).toHaveLength(0);
    expect(published.map(({ type }) => type)).toEqual(['allocation', 'snapshot']);
    expect(published[0]).toMatchObject({ allocationVersion: 2 });
    expect(published[1]).toMatchObject({ snapshotVersion: 12, seats: { [label(0)]: 'free' } });
    expect(toPromoters.at(-1)).toMatchObject({ seats: { [label(1)]: 'held', [label(2)]: 'booked' } });
    expect(first(10)).toMatchObject({ type: 'snapshot' });
    expect(first(12)).toMatchObject({ type: 'delta', resumed: true });
  });

  it('cause a snapshot for servers too when they are assigned anew', async () => {
    const { replica, clock, views, view, toServers } = await startAssigned();
    replica.onChange({ ...change(10, 11), allocation: 2 });
    views.shift()!(assigned(view(11, 0, 0, 2, 2), 2, []));
    await settled();
    clock.advance(50);
    expect(toServers.map(({ type }) => type)).toEqual(['allocation', 'snapshot']);
  });

  describe('while the loop goes on between crowds', () => {
    async function startTelling() {
      const house = await startAssigned();
      const { replica, clock, views, view, publishing } = house;
      publishing.takesMs = 15;
      replica.onChange({ ...change(10, 11), allocation: 2 });
      views.shift()!(assigned(view(11, 0, 0, 2, 2), 2, []));
      await settled();
      clock.advance(20);
      return house;
    }
    const heard = (frames: { type: string; snapshotVersion: number }[]) =>
      frames.map(({ type, snapshotVersion }) => `${type} ${snapshotVersion ?? ''}`.trim());

    it('are told with both frames at once, one crowd after the other', async () => {
      const { clock, published, toPromoters, toServers, publishing } = await startTelling();
      expect([published, toPromoters, toServers].map((frames) => frames.length)).toEqual([2, 0, 0]);
      publishing.takesMs = 0;
      clock.advance(0);
      expect([published, toPromoters, toServers].map(heard)).toEqual(
        Array.from({ length: 3 }, () => ['allocation', 'snapshot 11']),
      );
    });

    it('are told in their latest state if more happens meanwhile, and no crowd hears twice', async () => {
      const { replica, clock, published, toPromoters, publishing } = await startTelling();
      publishing.takesMs = 0;
      replica.onChange(change(11, 12, [0, 1]));
      replica.onChange(change(12, 13, [1, 1]));
      clock.pass(100);
      clock.advance(0);
      expect(heard(published)).toEqual(['allocation', 'snapshot 11', 'delta 13']);
      expect(toPromoters.map(({ type }) => type).slice(0, 2)).toEqual(['allocation', 'snapshot']);
      const seen = { ...toPromoters[1]!.seats };
      for (const { label: name, status } of toPromoters[2]?.changes ?? []) seen[name] = status;
      expect(seen).toMatchObject({ [label(1)]: 'held' });
    });

    it('are told to a crowd in its turn, and to a viewer that joins meanwhile at once', async () => {
      const { replica, clock, toPromoters, publishing } = await startTelling();
      publishing.takesMs = 0;
      const frames = replica.firstFrames(promoters, 10).map((frame) => JSON.parse(frame as string));
      expect(heard(frames)).toEqual(['snapshot 11']);
      expect(toPromoters).toEqual([]);
      clock.advance(0);
      expect(heard(toPromoters)).toEqual(['allocation', 'snapshot 11']);
    });
  });

  it('give all viewers with the same view the very same frame', async () => {
    const { replica } = await startAssigned();
    const also: Crowd = {
      audience: buyerAudience({ channelIds: ['empty', 'gone'], includePublic: true }),
      wire: 'text',
    };
    expect(replica.firstFrames(also, null)[0]).toBe(replica.firstFrames(publicCrowd, null)[0]);
  });
});
