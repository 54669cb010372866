/**
 * Plans by hash: fetched from the catalog once, compiled, and kept while they fit `planCacheUnits`. Plans are
 * immutable, so no kept plan is stale.
 */

import { LRUCache } from 'lru-cache';
import { Fault } from '../../protocol/errors.ts';
import { planCacheUnits } from '../../protocol/limits.ts';
import type { CatalogClient } from '../../runtime/catalog-client.ts';
import type { Plan } from '../plan.ts';

export type PlanSource = (hash: string) => Promise<Plan>;

/** `doc` is the document as gzipped JSON, and `hash` names it. Throws a `Fault` without a plan. */
type Compiler = { compile(doc: Uint8Array, hash: string): Promise<Plan> };

/**
 * Throws a `Fault` when the catalog cannot give the document, since a plan that an event uses always exists, or when
 * the document is not compiled. Callers of one hash share a load. A load that fails is forgotten.
 */
export function createPlanSource(catalog: CatalogClient, compiler: Compiler): PlanSource {
  // The library takes no size of 0.
  const kept = new LRUCache<string, Plan>({
    maxSize: planCacheUnits,
    sizeCalculation: ({ unitCount }) => Math.max(1, unitCount),
  });
  const loads = new Map<string, Promise<Plan>>();

  async function load(hash: string): Promise<Plan> {
    const answer = await catalog('plans.get', { hash });
    if (!answer.ok) throw new Fault(`get plan ${hash} from the catalog: ${answer.refusal.message}`);
    const plan = await compiler.compile(answer.value.doc, hash);
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
