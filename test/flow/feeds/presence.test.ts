/** Presence: the buyers of an event, as front doors tell each other and their viewers. */
import { expect, it } from 'vitest';
import type { Presence } from '../../../services/frontdoor/src/feeds/frames/frame.ts';
import { EventPresence, type Share } from '../../../services/frontdoor/src/feeds/presence.ts';
import { ManualClock } from '../../support/manual-clock.ts';

/** Front doors that hear each other, unless one is cut off, with the counts that each told its viewers. */
function openDoors() {
  const clock = new ManualClock();
  const cut = new Set<string>();
  const doors = new Map<string, EventPresence>();
  const holds = { active: 0 };
  const open = (door: string) => {
    const told: Presence[] = [];
    const presence = new EventPresence({
      clock,
      door,
      activeHolds: () => holds.active,
      tell: (now) => void told.push(now),
      share(share: Share) {
        for (const [name, other] of doors) if (!cut.has(door) && !cut.has(name)) other.onShare(share);
      },
    });
    doors.set(door, presence);
    presence.start();
    return { presence, told };
  };
  return { clock, cut, holds, open };
}

it('counts a buyer once, however many sockets and front doors the buyer uses', () => {
  const { clock, open } = openDoors();
  const east = open('east');
  const west = open('west');
  for (const shopper of [1, 1, 2]) east.presence.join(shopper);
  for (const shopper of [2, 3]) west.presence.join(shopper);
  clock.advance(4_000);
  expect(east.told.at(-1)).toEqual({ shoppingSessions: 3, activeHolds: 0 });
  expect(west.told.at(-1)).toEqual({ shoppingSessions: 3, activeHolds: 0 });
  east.presence.leave(1);
  clock.advance(4_000);
  expect(west.told.at(-1)).toMatchObject({ shoppingSessions: 3 });
  east.presence.leave(1);
  clock.advance(4_000);
  expect(west.told.at(-1)).toMatchObject({ shoppingSessions: 2 });
});

it('is told at most every two seconds, and only if it changed', () => {
  const { clock, holds, open } = openDoors();
  const { presence, told } = open('east');
  presence.join(1);
  clock.advance(0);
  expect(told).toEqual([{ shoppingSessions: 1, activeHolds: 0 }]);
  for (let shopper = 2; shopper < 20; shopper++) {
    presence.join(shopper);
    clock.advance(50);
  }
  expect(told).toHaveLength(1);
  clock.advance(2_000);
  expect(told.slice(1)).toEqual([{ shoppingSessions: 19, activeHolds: 0 }]);
  holds.active = 3;
  presence.noteChange();
  clock.advance(2_000);
  presence.noteChange();
  clock.advance(20_000);
  expect(told.slice(2)).toEqual([{ shoppingSessions: 19, activeHolds: 3 }]);
});

it('forgets the share of a dead front door later, and of one that left at once', () => {
  const { clock, cut, open } = openDoors();
  const east = open('east');
  const west = open('west');
  const north = open('north');
  west.presence.join(1);
  north.presence.join(2);
  east.presence.join(3);
  clock.advance(4_000);
  expect(east.told.at(-1)).toMatchObject({ shoppingSessions: 3 });
  north.presence.close();
  clock.advance(2_000);
  expect(east.told.at(-1)).toMatchObject({ shoppingSessions: 2 });
  cut.add('west');
  clock.advance(8_000);
  expect(east.told.at(-1)).toMatchObject({ shoppingSessions: 2 });
  clock.advance(8_000);
  expect(east.told.at(-1)).toMatchObject({ shoppingSessions: 1 });
});

it('is soon known to a front door where nobody watched the event before', () => {
  const { clock, open } = openDoors();
  open('east').presence.join(1);
  clock.advance(60_000);
  expect(open('west').presence.now()).toMatchObject({ shoppingSessions: 1 });
});

it('counts the buyers beyond the room of a share', () => {
  const { clock, open } = openDoors();
  const east = open('east');
  const west = open('west');
  for (let shopper = 0; shopper < 20_000; shopper++) east.presence.join(shopper);
  clock.advance(4_000);
  expect(west.told.at(-1)).toMatchObject({ shoppingSessions: 20_000 });
});

it('is counted at most every two seconds, also if the number stays the same', () => {
  const { clock, holds, open } = openDoors();
  let counted = 0;
  Object.defineProperty(holds, 'active', { get: () => Math.min(++counted, 0) });
  const { presence } = open('east');
  presence.join(1);
  clock.advance(2_000);
  counted = 0;
  for (let change = 0; change < 100; change++) {
    presence.noteChange();
    clock.advance(20);
  }
  expect(counted).toBe(2);
});
