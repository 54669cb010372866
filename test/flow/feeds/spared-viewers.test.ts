/** Spared viewers come back within the bounds of a turn and of an event's audiences, and end like all others. */
import { expect, it } from 'vitest';
import { audiencesPerEventMax, viewerSpareBytes } from '../../../services/frontdoor/src/feed-limits.ts';
import { closeCodes, Viewers } from '../../../services/frontdoor/src/feeds/viewers.ts';
import { consoleAudience } from '../../../services/frontdoor/src/pictures/pictures.ts';
import { publicAudience } from '../../../services/frontdoor/src/pictures/rules/audience.ts';

const NOW = 1_000;
const nothing = (): void => {};

function setUp() {
  const viewers = new Viewers(nothing, nothing);
  const add = (audience: typeof publicAudience, keyHash = 'key', expiresAt: number | null = null) => {
    const told = { bytes: 0, closed: [] as number[] };
    const socket = {
      send: nothing,
      join: nothing,
      leave: nothing,
      unsent: () => told.bytes,
      close: (code: number) => void told.closed.push(code),
    };
    viewers.add(
      { eventKey: 'gala', organisationId: 'org' },
      { audience, wire: 'text', keyHash, expiresAt, shopper: null },
      { version: 1, at: 0 } as never,
      { socket },
    );
    return told;
  };
  const spared = (...args: Parameters<typeof add>) => {
    const told = add(...args);
    told.bytes = viewerSpareBytes + 1;
    viewers.easeSlow(NOW);
    return told;
  };
  return { viewers, add, spared };
}

const audienceOf = (id: string) => ({ ...publicAudience, id });

it('A turn ends behind a viewer when its time is over, and the rest come back in the next', () => {
  const { viewers, spared } = setUp();
  for (const each of [spared(publicAudience), spared(publicAudience), spared(publicAudience)]) each.bytes = 0;
  const told: string[] = [];
  const bringUp = (eventKey: string) => void told.push(eventKey);
  expect([viewers.bringBack(bringUp, () => told.length >= 2), viewers.sparedCount]).toEqual([true, 1]);
  expect([viewers.bringBack(bringUp, () => true), viewers.sparedCount, told.length]).toEqual([false, 0, 3]);
});

it('A viewer whose audience has no room any more is told to come back', () => {
  const { viewers, add, spared } = setUp();
  const late = spared(audienceOf('late'));
  const seated = spared(audienceOf('seated'));
  const other = add(audienceOf('seated'));
  for (let at = 1; at < audiencesPerEventMax; at++) add(audienceOf(`audience-${at}`));
  expect(viewers.hasRoomFor('gala', { audience: audienceOf('late'), wire: 'text' })).toBe(false);
  late.bytes = 0;
  seated.bytes = 0;
  viewers.bringBack(nothing, () => false);
  expect([late.closed, seated.closed, other.closed]).toEqual([[closeCodes.goingAway], [], []]);
  expect(viewers.sparedCount).toBe(0);
});

it('Revoked, expired and deleted access ends a spared viewer', () => {
  const { viewers, spared } = setUp();
  const revoked = spared(publicAudience, 'revoked');
  const expired = spared(publicAudience, 'expired', 5_000);
  const deleted = spared(publicAudience, 'other');
  viewers.closeKey('revoked', NOW);
  viewers.closeExpired(6_000);
  viewers.closeEvent('gala', { code: closeCodes.deleted, reason: 'event deleted' });
  expect([revoked, expired, deleted].map(({ closed }) => closed)).toEqual([
    [closeCodes.revoked],
    [closeCodes.expired],
    [closeCodes.deleted],
  ]);
  expect([viewers.count, viewers.sparedCount]).toEqual([0, 0]);
});

it('A console is not spared', () => {
  const { viewers, spared } = setUp();
  spared(consoleAudience as never);
  expect(viewers.sparedCount).toBe(0);
});
