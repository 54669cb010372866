/**
 * Plans by hash: fetched from the catalog once, compiled, and kept while they fit `planCacheUnits`. Plans are
 * immutable, so no kept plan is stale.
 */

import { gunzipSync } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import type { CatalogClient } from './catalog-client.ts';
import { compilePlan } from './chart/compile.ts';
import type { ChartDocument } from './chart/document.ts';
import type { Plan } from './chart/plan.ts';
import { Fault } from './errors.ts';
import { planCacheUnits } from './limits.ts';

export type PlanSource = (hash: string) => Promise<Plan>;

/**
 * Throws a `Fault` when the catalog cannot give the document: a plan that an event uses always exists. Callers of one
 * hash share a load. A load that fails is forgotten.
 */
export function createPlanSource(catalog: CatalogClient): PlanSource {
  // The library takes no size of 0.
  const kept = new LRUCache<string, Plan>({
    maxSize: planCacheUnits,
    sizeCalculation: ({ unitCount }) => Math.max(1, unitCount),
  });
  const loads = new Map<string, Promise<Plan>>();

  async function load(hash: string): Promise<Plan> {
    const answer = await catalog('plans.get', { hash });
    if (!answer.ok) throw new Fault(`get plan ${hash} from the catalog: ${answer.refusal.message}`);
    const document = JSON.parse(gunzipSync(answer.value.doc).toString('utf8')) as ChartDocument;
    const plan = compilePlan(document, hash);
    kept.set(hash, plan);
    return plan;
  }

  return async (hash) => {
    const known = kept.get(hash) ?? loads.get(hash);
    if (known) return known;
    const loading = load(hash).finally(() => loads.delete(hash));
    loads.set(hash, loading);
    return loading;
  };
}
