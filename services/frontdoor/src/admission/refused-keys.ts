/**
 * How many requests of each key this front door has refused over a budget, for the metrics: they name the key, so that
 * an operator can raise its budgets. Bounded: of very many keys the least recently refused ones are forgotten.
 */
import { LRUCache } from 'lru-cache';
import { refusedKeysKept, refusedKeysShown } from '../feed-limits.ts';

type KeyOwner = { keyId: string; organisationId: string };
type RefusedKey = KeyOwner & { counts: Record<string, number> };

export class RefusedKeys {
  readonly #keys = new LRUCache<string, RefusedKey>({ max: refusedKeysKept });

  note({ keyId, organisationId }: KeyOwner, budget: string): void {
    let key = this.#keys.get(keyId);
    if (!key) {
      key = { keyId, organisationId, counts: {} };
      this.#keys.set(keyId, key);
    }
    key.counts[budget] = (key.counts[budget] ?? 0) + 1;
  }

  /** The keys with the most refusals, at most `refusedKeysShown` counts. */
  top(): { key: string; organisation: string; budget: string; count: number }[] {
    const counts = [...this.#keys.values()].flatMap(({ keyId, organisationId, counts }) =>
      Object.entries(counts).map(([budget, count]) => ({ key: keyId, organisation: organisationId, budget, count })),
    );
    return counts.sort((one, other) => other.count - one.count).slice(0, refusedKeysShown);
  }
}
