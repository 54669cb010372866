/** Live availability of buyers: made once for each sight of the event and each reach, whoever asks for it. */
import { done } from '@parterre/shared/protocol/errors';
import { expect, test, vi } from 'vitest';
import { publicAudience } from '../../../services/frontdoor/src/pictures/rules/audience.ts';
import { createSaleSummaries } from '../../../services/frontdoor/src/summaries/sale-summaries.ts';
import { change, promoters, setUp } from '../../support/replica.ts';

async function live() {
  const { start, replica, clock, latest } = setUp();
  await start();
  const releases: object[] = [];
  const event = { event: { key: 'gala', currency: 'EUR' } };
  const answers: Record<string, object> = { releases: { releases }, 'channel-records': { channels: [] } };
  const summaries = createSaleSummaries({
    clock,
    shards: { submit: async (_event: unknown, _caller: unknown, { type }: { type: string }) => done(answers[type]) },
    events: { get: async () => done(event) },
    feeds: { replicaOf: async () => done(replica) },
  } as never);
  const opening = async () => (await summaries.atOpening(event as never, publicAudience))!.body;
  const looks = vi.spyOn(replica.picture, 'shownTo');
  const ask = async (audience = publicAudience) => {
    const told = await summaries.of(event as never, audience, true);
    if (!told.ok) throw new Error(told.refusal.code);
    return told.value.body;
  };
  return { replica, clock, latest, releases, looks, ask, opening };
}

test('the event is looked through once for each version and reach', async () => {
  const { replica, latest, looks, ask } = await live();
  const first = await ask();
  expect([await ask(), await ask()]).toEqual([first, first]);
  expect(looks).toHaveBeenCalledTimes(1);
  expect(await ask(promoters.audience)).not.toBe(first);
  expect(looks).toHaveBeenCalledTimes(2);
  replica.onChange(change(10, 11, [0, 1]));
  latest.version = 11;
  expect(JSON.parse(await ask()).prices[0].free).toBe(JSON.parse(first).prices[0].free - 1);
  expect(looks).toHaveBeenCalledTimes(3);
});

test('a ticket release that opens or sells out changes the answer, although no seat has changed', async () => {
  const { releases, ask } = await live();
  const before = JSON.parse(await ask());
  releases.push({ id: 'rel_1', name: 'Early', price: 5, action: 'buy', status: 'active', remaining: 3, quota: 3 });
  expect(JSON.parse(await ask()).offers).toHaveLength(before.offers.length + 1);
});

test("the seats that others hold are counted once for each sight, and a caller's own holds are left out", async () => {
  const { replica, clock, looks } = await live();
  const held = (from: number, unit: number, mark: string) => ({
    ...change(from, from + 1, [unit, 1] as never),
    heldUntil: [{ expiresAt: clock.now() + 1_000, units: [unit], mark }],
  });
  replica.onChange(held(10, 0, 'mine'));
  replica.onChange(held(11, 1, 'theirs'));
  replica.onChange(held(12, 2, 'theirs'));
  const others = (...marks: string[]) => replica.heldByOthers(publicAudience, new Set(marks), true);
  expect([others(), others('mine'), others('theirs'), others('mine', 'theirs')]).toEqual([3, 2, 1, 0]);
  expect(looks).toHaveBeenCalledTimes(1);
  clock.advance(1_000);
  expect(others()).toBe(0);
});

test('pages that open together share one summary for a second', async () => {
  const { replica, clock, looks, opening } = await live();
  const together = await Promise.all([opening(), opening(), opening()]);
  replica.onChange(change(10, 11, [0, 1]));
  expect(new Set([...together, await opening()]).size).toBe(1);
  expect(looks).toHaveBeenCalledTimes(1);
  clock.advance(1_000);
  expect(await opening()).not.toBe(together[0]);
  expect(looks).toHaveBeenCalledTimes(2);
});

test('a count of many held seats serves pages for a moment longer, and nobody who asks live', async () => {
  const { replica, clock } = await live();
  // Of one seat: ten microseconds.
  replica.onChange({ ...change(10, 11, [0, 1]), heldUntil: [{ expiresAt: clock.now() + 9_000, units: [0] }] });
  const count = (isLive: boolean) => replica.heldByOthers(publicAudience, new Set(), isLive);
  expect(count(false)).toBe(1);
  replica.onChange({ ...change(11, 12, [1, 1]), heldUntil: [{ expiresAt: clock.now() + 500, units: [1] }] });
  expect([count(false), count(true)]).toEqual([1, 2]);
  replica.onChange({ ...change(12, 13, [2, 1]), heldUntil: [{ expiresAt: clock.now() + 9_000, units: [2] }] });
  expect(count(false)).toBe(2);
  clock.advance(1);
  expect(count(false)).toBe(3);
  // The end of a hold counts from its millisecond on.
  clock.advance(499);
  expect(count(false)).toBe(2);
});
