/** The cache of the catalog's answers: fresh, old while the catalog is away, dropped by a change. */
import type { EventRecord } from '@parterre/shared/protocol/catalog/events';
import type { SigningSub } from '@parterre/shared/protocol/catalog/webhooks';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { staleAnswerMsMax } from '@parterre/shared/protocol/limits';
import { subscriptionCacheMs } from '@parterre/shared/protocol/webhook-limits';
import { describe, expect, it } from 'vitest';
import { createDirectory } from '../../../services/notifier/src/catalog/directory.ts';
import { createIsUnheard } from '../../../services/notifier/src/journal/fan-out.ts';

const at = 1_700_000_000_000;
const unavailable = refuse('catalog_unavailable', 'The catalog did not answer.', { retryable: true });
const sub: SigningSub = {
  id: 'whk_1',
  url: 'https://whk_1.example/hook',
  events: ['ping'],
  createdAt: 0,
  workspaceId: null,
  environment: null,
  secrets: [],
};

describe("the cache of the catalog's answers", () => {
  function directoryOf(answers: Outcome<{ subs: SigningSub[] }>[]) {
    const asked: string[] = [];
    const clock = { time: at, now: () => clock.time, elapsed: () => clock.time, after: () => () => {} };
    const catalog = async (operation: string) => {
      asked.push(operation);
      return answers[Math.min(asked.length, answers.length) - 1] as never;
    };
    return { directory: createDirectory(catalog, clock), asked, clock };
  }
  const some = done({ subs: [sub] });

  it('asks once for concurrent and repeated needs, and again after a broadcast of a change', async () => {
    const { directory, asked } = directoryOf([some]);
    await Promise.all([directory.subscriptions('org_1', 'live'), directory.subscriptions('org_1', 'live')]);
    expect(asked).toHaveLength(1);
    directory.drop({ kind: 'webhooks', organisationId: 'org_2' });
    await directory.subscriptions('org_1', 'live');
    expect(asked).toHaveLength(1);
    directory.drop({ kind: 'webhooks', organisationId: 'org_1' });
    await directory.subscriptions('org_1', 'live');
    expect(asked).toHaveLength(2);
  });

  it('tells a fresh answer without a wait, and none before it, after a broadcast, or past its time', async () => {
    const { directory, asked, clock } = directoryOf([some]);
    const known = () => directory.known.subscriptions('org_1', 'live');
    expect(known()).toBeNull();
    const asking = directory.subscriptions('org_1', 'live');
    expect(known()).toBeNull();
    await asking;
    expect(known()).toEqual([sub]);
    directory.drop({ kind: 'webhooks', organisationId: 'org_1' });
    expect(known()).toBeNull();
    await directory.subscriptions('org_1', 'live');
    clock.time += subscriptionCacheMs;
    expect(known()).toBeNull();
    expect(asked).toHaveLength(2);
  });

  it('forgets everything when broadcasts may have been missed', async () => {
    const { directory, asked } = directoryOf([some]);
    await directory.subscriptions('org_1', 'live');
    directory.clear();
    await directory.subscriptions('org_1', 'live');
    expect(asked).toHaveLength(2);
  });

  it('uses an old answer for a bounded time while the catalog is away, and asks again meanwhile', async () => {
    const { directory, asked, clock } = directoryOf([some, unavailable]);
    const known = done(some.ok && some.value.subs);
    await directory.subscriptions('org_1', 'live');
    clock.time += staleAnswerMsMax - 1;
    expect(await Promise.all([1, 2].map(() => directory.subscriptions('org_1', 'live')))).toEqual([known, known]);
    expect(asked).toHaveLength(2);
    clock.time += 5_000;
    expect(await directory.subscriptions('org_1', 'live')).toEqual(unavailable);
    expect(asked).toHaveLength(3);
  });

  it('uses no old answer after a broadcast of a change', async () => {
    const { directory } = directoryOf([some, unavailable]);
    await directory.subscriptions('org_1', 'live');
    directory.drop({ kind: 'webhooks', organisationId: 'org_1' });
    expect(await directory.subscriptions('org_1', 'live')).toEqual(unavailable);
  });

  it('asks again after its time to live and after a refusal', async () => {
    const { directory, asked, clock } = directoryOf([unavailable, some]);
    expect(await directory.subscriptions('org_1', 'live')).toEqual(unavailable);
    expect(await directory.subscriptions('org_1', 'live')).toEqual(done(some.ok && some.value.subs));
    clock.time += 30_000;
    await directory.subscriptions('org_1', 'live');
    expect(asked).toHaveLength(3);
  });
});

describe('an event that no receiver hears of', () => {
  type EventCaches = Parameters<typeof createIsUnheard>[0];
  const event = { organisationId: 'org_1', mode: 'live', workspaceId: 'wsp_1', environment: null } as EventRecord;
  const isUnheard = (known: Partial<EventCaches>) =>
    createIsUnheard({ event: () => event, subscriptions: () => [], ...known })('gala');

  it('is one without a matching subscription', () => {
    expect(isUnheard({})).toBe(true);
    expect(isUnheard({ subscriptions: () => [{ ...sub, workspaceId: 'wsp_2' }] })).toBe(true);
    expect(isUnheard({ subscriptions: () => [{ ...sub, workspaceId: 'wsp_2' }, sub] })).toBe(false);
  });

  it('is none whose event or subscriptions are not known', () => {
    expect(isUnheard({ event: () => null })).toBe(false);
    expect(isUnheard({ subscriptions: () => null })).toBe(false);
  });
});
