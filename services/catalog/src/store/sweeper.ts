/**
 * Deletes expired documents, a bounded number at a time. Every reader of such documents checks their time itself, so
 * nothing depends on the moment of the sweep. Several catalogs may sweep one store.
 *
 * On failure at the await: the store cannot be read or written → logged, and tried again in the next round.
 */
import type { Clock } from '@parterre/shared/runtime/clock';
import type { Logger } from '@parterre/shared/runtime/log';
import { sweepEveryMs, sweptAtOnceMax } from './rules/bounds.ts';
import type { Collection, Store } from './store.ts';

/** The collection has an index `byExpiry` over no fields, in the order of `expiresAt` (epoch milliseconds). */
export type Expiring = Collection<{ expiresAt: number }>;

/** `keepMs`: how long a document stays after its time. */
export type Swept = { collection: Expiring; keepMs: number };

export type Sweeper = { stop(): Promise<void> };

export function startSweeper(
  { store, clock, log }: { store: Store; clock: Clock; log: Logger },
  expiring: () => Promise<readonly Swept[]>,
): Sweeper {
  let round = Promise.resolve();
  let stopped = false;
  let cancel = (): void => {};

  function arm(): void {
    cancel = clock.after(sweepEveryMs, () => {
      round = sweepAll().then(() => {
        if (!stopped) arm();
      });
    });
  }

  async function sweepAll(): Promise<void> {
    let swept: readonly Swept[] = [];
    try {
      swept = await expiring();
    } catch (error) {
      log.warn({ err: error }, 'the collections of expired documents cannot be listed now');
    }
    for (const { collection, keepMs } of swept) {
      try {
        await sweep(store, collection, clock.now() - keepMs);
      } catch (error) {
        log.warn({ err: error, collection: collection.name }, 'expired documents cannot be deleted now');
      }
    }
  }

  arm();
  return {
    async stop() {
      stopped = true;
      cancel();
      await round;
    },
  };
}

/** Deletes every document that expired before `now`, `sweptAtOnceMax` documents a write. Resolves with their number. */
export async function sweep(store: Store, collection: Expiring, now: number): Promise<number> {
  for (let swept = 0; ; ) {
    const { documents } = await store.page(collection, { index: 'byExpiry', equal: [], limit: sweptAtOnceMax });
    const expired = documents.filter(({ value }) => value.expiresAt <= now);
    if (expired.length === 0) return swept;
    const deleted = await store.deleteMany(collection, expired);
    swept += deleted;
    // Documents that changed meanwhile are left to the next round. A round that deletes nothing ends.
    if (expired.length < sweptAtOnceMax || deleted === 0) return swept;
  }
}
