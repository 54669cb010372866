/** The checks of viewers' keys are spread over time, and the closes over turns of the loop. */

import { expect, it } from 'vitest';
import { keyChecksAtOnce, viewersPerTurn } from '../../../services/frontdoor/src/feed-limits.ts';
import { KeyChecks } from '../../../services/frontdoor/src/feeds/key-checks.ts';
import { closeCodes, Viewers } from '../../../services/frontdoor/src/feeds/viewers.ts';
import { serverAudience } from '../../../services/frontdoor/src/pictures/pictures.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));
const heard = {} as Parameters<Viewers['add']>[2];

function setUp(count: number, keyOf: (viewer: number) => string) {
  const clock = new ManualClock();
  const asked: string[] = [];
  const revoked = new Set<string>();
  const closed: number[] = [];
  const viewers = new Viewers(
    () => {},
    () => {},
  );
  const stands = async (keyHash: string) => {
    asked.push(keyHash);
    return !revoked.has(keyHash);
  };
  const checks = new KeyChecks(viewers, { clock, stands });
  for (let i = 0; i < count; i++) {
    const viewer = {
      audience: serverAudience,
      wire: 'text',
      keyHash: keyOf(i),
      expiresAt: null,
      shopper: null,
    } as const;
    const socket = {
      send: () => {},
      join: () => {},
      leave: () => {},
      unsent: () => 0,
      close: (code: number) => void closed.push(code),
    };
    viewers.add({ eventKey: 'gala', organisationId: 'org' }, viewer, heard, { socket });
  }
  return { clock, asked, revoked, closed, viewers, checks };
}

it('spreads a regular round over its time, and looks each key up once', async () => {
  const { clock, asked, checks } = setUp(20 * keyChecksAtOnce, (viewer) => `key ${viewer >> 1}`);
  const round = checks.all(false);
  await turn();
  expect(asked).toHaveLength(keyChecksAtOnce);
  for (let passed = 0; passed < 4_000; passed += 100) {
    clock.advance(100);
    await turn();
  }
  expect(asked).toHaveLength(6 * keyChecksAtOnce);
  for (let passed = 0; passed < 4_000; passed += 100) {
    clock.advance(100);
    await turn();
  }
  await round;
  expect(asked).toHaveLength(10 * keyChecksAtOnce);
  expect(new Set(asked).size).toBe(asked.length);
});

it('hurries after a loss of the link, a few keys in each turn, also in the middle of a regular round', async () => {
  const { clock, asked, checks } = setUp(10 * keyChecksAtOnce, (viewer) => `key ${viewer}`);
  const round = checks.all(false);
  await turn();
  const hurried = checks.all(true);
  clock.advance(1_000);
  await turn();
  let most = 0;
  for (let before = asked.length; asked.length < 20 * keyChecksAtOnce; before = asked.length) {
    await turn();
    most = Math.max(most, asked.length - before);
  }
  await Promise.all([round, hurried]);
  expect(most).toBeLessThanOrEqual(keyChecksAtOnce);
  expect(asked).toHaveLength(20 * keyChecksAtOnce);
});

it('closes the viewers of one revoked key in several turns', async () => {
  const { revoked, closed, viewers, checks } = setUp(2 * viewersPerTurn + 1, () => 'key');
  revoked.add('key');
  const closing = checks.one('key');
  await Promise.resolve();
  await Promise.resolve();
  expect(closed).toHaveLength(viewersPerTurn);
  await closing;
  expect(closed).toEqual(new Array(2 * viewersPerTurn + 1).fill(closeCodes.revoked));
  expect(viewers.count).toBe(0);
});
