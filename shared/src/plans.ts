/**
 * Plans by hash: fetched from the catalog once, compiled, and kept while they fit `planCacheUnits`. Plans are
 * immutable, so no kept plan is stale.
 */
import { gunzipSync } from 'node:zlib';
import type { CatalogClient } from './catalog-client.ts';
import { compilePlan } from './chart/compile.ts';
import type { ChartDocument } from './chart/document.ts';
import type { Plan } from './chart/plan.ts';
import { Fault } from './errors.ts';
import { planCacheUnits } from './limits.ts';

export type PlanSource = (hash: string) => Promise<Plan>;

/** Throws a `Fault` when the catalog cannot give the document: a plan that an event uses always exists. */
export function createPlanSource(catalog: CatalogClient): PlanSource {
  const cache = new Map<string, Promise<Plan>>();
  const units = new Map<string, number>();

  async function load(hash: string): Promise<Plan> {
    const answer = await catalog('plans.get', { hash });
    if (!answer.ok) throw new Fault(`get plan ${hash} from the catalog: ${answer.refusal.message}`);
    const document = JSON.parse(gunzipSync(answer.value.doc).toString('utf8')) as ChartDocument;
    const plan = compilePlan(document, hash);
    units.set(hash, plan.unitCount);
    evict(hash);
    return plan;
  }

  function evict(newest: string): void {
    let total = [...units.values()].reduce((sum, count) => sum + count, 0);
    for (const hash of cache.keys()) {
      if (total <= planCacheUnits) return;
      if (hash === newest) continue;
      total -= units.get(hash) ?? 0;
      units.delete(hash);
      cache.delete(hash);
    }
  }

  return (hash) => {
    const known = cache.get(hash);
    if (known) {
      cache.delete(hash);
      cache.set(hash, known);
      return known;
    }
    const loading = load(hash);
    cache.set(hash, loading);
    loading.catch(() => cache.delete(hash));
    return loading;
  };
}
