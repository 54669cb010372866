/** The caches in front of the catalog: shared loads, loads that fail, and the order in which entries leave. */

import { gzipSync } from 'node:zlib';
import { createPlanSource } from '@parterre/shared/charts/plans/plans';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { principalCacheMs } from '@parterre/shared/protocol/limits';
import type { CatalogClient } from '@parterre/shared/runtime/catalog-client';
import { createLoadingCache } from '@parterre/shared/runtime/loading-cache';
import { describe, expect, it } from 'vitest';
import { createEventsCache } from '../../../services/frontdoor/src/admission/events-cache.ts';
import { createPrincipals } from '../../../services/frontdoor/src/admission/principals.ts';
import { createAssets, createBytesCache, createChartDocuments } from '../../../services/frontdoor/src/caches/caches.ts';
import { createCredentialCache } from '../../../services/frontdoor/src/caches/credential-cache.ts';
import { viewersPerFrontDoorMax } from '../../../services/frontdoor/src/feed-limits.ts';
import { chart, row } from '../../support/charts.ts';
import { compilerHere } from '../../support/compiler-here.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const broken = new Error('the loader has a bug');
const document = chart([row({ id: 'row', label: 'A', seatCount: 3 })]);
const doc = gzipSync(JSON.stringify(document));
const refused = refuse('catalog_unavailable', 'The catalog is away.', { retryable: true });

/** A catalog whose first call throws and whose second call refuses. All later calls get `answer`. */
function limpingCatalog(answer: unknown): { catalog: CatalogClient; calls: () => number } {
  let calls = 0;
  const catalog = (async () => {
    calls++;
    if (calls === 1) throw broken;
    return calls === 2 ? refused : done(answer);
  }) as unknown as CatalogClient;
  return { catalog, calls: () => calls };
}

const meta = { id: 'cht_1', updatedAt: 1 } as never;
const scope = { organisationId: 'org_1' } as never;
const key = `Bearer pk_test_${'a'.repeat(32)}`;
const loaders: Record<string, { answer: unknown; open(catalog: CatalogClient): () => unknown }> = {
  plans: {
    answer: { doc },
    open: (catalog) => {
      const plans = createPlanSource(catalog, compilerHere);
      return () => plans('hash');
    },
  },
  assets: {
    answer: { bytes: Buffer.from('picture'), contentType: 'image/png' },
    open: (catalog) => {
      const assets = createAssets(catalog);
      return () => assets.get('ast_1');
    },
  },
  'published documents': {
    answer: { doc },
    open: (catalog) => {
      const documents = createChartDocuments(catalog);
      return () => documents.published('hash');
    },
  },
  drafts: {
    answer: { meta, categorySeats: {}, doc },
    open: (catalog) => {
      const documents = createChartDocuments(catalog);
      return () => documents.draft(scope, meta);
    },
  },
  events: {
    answer: { event: { key: 'gala' }, config: {} },
    open: (catalog) => {
      const events = createEventsCache(catalog, new ManualClock());
      return () => events.get('gala');
    },
  },
  principals: {
    answer: { kind: 'publishable', origins: ['https://shop.example'] },
    open: (catalog) => {
      const principals = createPrincipals(catalog, new ManualClock(), []);
      return () => principals.buyer({ authorization: key, origin: 'https://shop.example', address: () => '192.0.2.1' });
    },
  },
};

describe.each(Object.entries(loaders))('a load of %s that fails', (_, { answer, open }) => {
  it('is forgotten: the next caller loads again, and the loaded value is kept', async () => {
    const { catalog, calls } = limpingCatalog(answer);
    const get = open(catalog);
    const attempt = async (): Promise<string> => {
      try {
        const found = (await get()) as Partial<Outcome<unknown>>;
        return found.ok === false ? 'refused' : 'loaded';
      } catch {
        return 'thrown';
      }
    };
    expect(await Promise.all([attempt(), attempt()])).toEqual(['thrown', 'thrown']);
    expect(calls()).toBe(1);
    expect(await attempt()).not.toBe('loaded');
    expect(await attempt()).toBe('loaded');
    expect(await attempt()).toBe('loaded');
    expect(calls()).toBe(3);
  });
});

describe('a cache of loaded entries', () => {
  const load = (loaded: string[]) => async (name: string) => {
    loaded.push(name);
    return done({ name });
  };

  it('drops the least recently used entry first', async () => {
    const loaded: string[] = [];
    const cache = createLoadingCache(
      new ManualClock(),
      { entriesMax: 2, keepMs: 1_000, staleMsMax: 10_000 },
      load(loaded),
    );
    for (const name of ['a', 'b', 'a', 'c', 'a', 'b']) await cache.get(name);
    expect(loaded).toEqual(['a', 'b', 'c', 'b']);
  });

  it('keeps a stale entry when its load throws, and serves the entry once the catalog is away', async () => {
    const clock = new ManualClock();
    const answers: (() => Outcome<string>)[] = [
      () => done('first'),
      () => {
        throw broken;
      },
      () => refused,
    ];
    const cache = createLoadingCache(clock, { entriesMax: 2, keepMs: 1_000, staleMsMax: 10_000 }, async () =>
      answers.shift()!(),
    );
    await cache.get('a');
    clock.advance(1_000);
    await expect(Promise.resolve(cache.get('a'))).rejects.toBe(broken);
    expect(await cache.get('a')).toEqual(done('first'));
  });
});

describe('a cache whose catalog is silent', () => {
  const second = 1_000;

  /** A cache of one kept entry, which is stale now. The loads from now on end when the test answers them. */
  async function stale(staleMsMax = 10 * second) {
    const clock = new ManualClock();
    const answers: ((outcome: Outcome<string>) => void)[] = [];
    const load = () => new Promise<Outcome<string>>((resolve) => void answers.push(resolve));
    const cache = createLoadingCache(clock, { entriesMax: 2, keepMs: second, staleMsMax }, load);
    const first = cache.get('a');
    answers.shift()!(done('old'));
    await first;
    clock.advance(second);
    return { clock, cache, answers };
  }

  const settledNow = async (outcome: unknown): Promise<unknown> => {
    const nothing = Symbol('nothing yet');
    await new Promise(setImmediate);
    const found = await Promise.race([outcome, Promise.resolve(nothing)]);
    return found === nothing ? 'waits' : found;
  };

  it('serves the stale entry after 100 ms, then at once, and the late answer replaces it', async () => {
    const { clock, cache, answers } = await stale();
    const first = cache.get('a');
    clock.advance(99);
    expect(await settledNow(first)).toBe('waits');
    clock.advance(1);
    expect(await first).toEqual(done('old'));
    // No promise: the hot path does not wait.
    expect(cache.get('a')).toEqual(done('old'));
    expect(answers).toHaveLength(1);
    answers.shift()!(done('new'));
    await new Promise(setImmediate);
    expect(cache.get('a')).toEqual(done('new'));
  });

  it('serves no entry that was dropped, neither to callers that wait nor to later ones', async () => {
    const { clock, cache, answers } = await stale();
    const before = cache.get('a');
    cache.drop('a');
    const after = cache.get('a');
    clock.advance(second);
    expect([await settledNow(before), await settledNow(after)]).toEqual(['waits', 'waits']);
    expect(await settledNow(cache.get('a'))).toBe('waits');
    answers[1]!(refused);
    answers[0]!(done('old'));
    expect(await after).toEqual(refused);
    // The load from before the drop is not kept.
    expect(await settledNow(cache.get('a'))).toBe('waits');
  });

  it.each(['overloaded', 'internal_error'] as const)('serves the stale entry behind a refusal %s', async (code) => {
    const { cache, answers } = await stale();
    const loading = cache.get('a');
    answers.shift()!(refuse(code, 'The store is away.'));
    expect(await loading).toEqual(done('old'));
    expect([cache.peek('a'), cache.peek('b')]).toEqual(['old', null]);
  });

  it('serves an entry up to its greatest age, while loads fail or hang', async () => {
    const { clock, cache, answers } = await stale(4 * second);
    const failed = cache.get('a');
    answers.shift()!(refused);
    expect(await failed).toEqual(done('old'));
    clock.advance(2 * second);
    const late = cache.get('a');
    clock.advance(100);
    expect(await late).toEqual(done('old'));
    clock.advance(900);
    // Four seconds old now.
    const beyond = cache.get('a');
    expect(await settledNow(beyond)).toBe('waits');
    answers.shift()!(refused);
    expect(await beyond).toEqual(refused);
  });
});

describe('the cache of principals', () => {
  it('uses nothing but publishable keys beyond their time while no revocation can come', async () => {
    const clock = new ManualClock();
    let linked = true;
    let isAway = false;
    const catalog = (async (_: string, { hash }: { hash: string }) =>
      isAway ? refused : done({ kind: hash, origins: [] })) as unknown as CatalogClient;
    const cache = createCredentialCache(catalog, clock, null, () => linked);
    const found = async () => {
      const outcomes = await Promise.all(['secret', 'buyer', 'publishable'].map((hash) => cache.get(hash, null)));
      return outcomes.map(({ ok }) => ok);
    };
    await found();
    isAway = true;
    clock.advance(principalCacheMs);
    expect(await found()).toEqual([true, true, true]);
    linked = false;
    expect(await found()).toEqual([false, false, true]);
    linked = true;
    expect(await found()).toEqual([false, false, true]);
  });

  it('has room for the keys of all viewers, so that rounds of checks ask the catalog for each key once in its time', async () => {
    const clock = new ManualClock();
    let lookups = 0;
    const catalog = (async () => {
      lookups++;
      return done({ kind: 'publishable', origins: [] });
    }) as unknown as CatalogClient;
    const cache = createCredentialCache(catalog, clock, null);
    for (let round = 0; round < 3; round++) {
      for (let viewer = 0; viewer < viewersPerFrontDoorMax; viewer++) await cache.get(`key ${viewer}`, null);
      clock.advance(principalCacheMs / 3 - 1);
    }
    expect(lookups).toBe(viewersPerFrontDoorMax);
  });
});

describe('a cache of bytes', () => {
  it('drops the least recently used value first, and keeps no value above its bound', async () => {
    const loaded: string[] = [];
    const cache = createBytesCache<{ size: number }>(10, ({ size }) => size);
    const get = (name: string, size: number) =>
      cache.get(name, async () => {
        loaded.push(name);
        return done({ size });
      });
    for (const name of ['a', 'b', 'a', 'c', 'a', 'b']) await get(name, 5);
    expect(loaded).toEqual(['a', 'b', 'c', 'b']);
    for (const name of ['huge', 'huge', 'empty', 'empty']) await get(name, name === 'huge' ? 11 : 0);
    expect(loaded.slice(4)).toEqual(['huge', 'huge', 'empty']);
  });
});
