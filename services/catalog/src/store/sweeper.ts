/**
 * Deletes what has expired, a bounded number at a time. Whoever reads such documents looks at their time by himself, so
 * that nothing depends on when they are swept; several catalogs may sweep one store.
 *
 * On failure at the await: the store cannot be read or written → told in the log, tried again with the next round.
 */
import type { Clock } from '@parterre/shared/clock';
import type { Logger } from '@parterre/shared/log';
import { sweepEveryMs, sweptAtOnceMax } from './rules/bounds.ts';
import type { Collection, Store } from './store.ts';

/** Has an index `byExpiry` over no fields, in the order of `expiresAt` (epoch milliseconds). */
export type Expiring = Collection<{ expiresAt: number }>;

/** `keepMs`: how long past its time a document is kept. */
export type Swept = { collection: Expiring; keepMs: number };

export type Sweeper = { stop(): Promise<void> };

export function startSweeper(
  { store, clock, log }: { store: Store; clock: Clock; log: Logger },
  expiring: readonly Swept[],
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
    for (const { collection, keepMs } of expiring) {
      try {
        await sweep(store, collection, clock.now() - keepMs);
      } catch (error) {
        log.warn({ err: error, collection: collection.name }, 'what has expired could not be deleted just now');
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

/** Everything that expired before `now`, `sweptAtOnceMax` documents a write. Resolves with their number. */
export async function sweep(store: Store, collection: Expiring, now: number): Promise<number> {
  for (let swept = 0; ; ) {
    const { documents } = await store.page(collection, { index: 'byExpiry', equal: [], limit: sweptAtOnceMax });
    const expired = documents.filter(({ value }) => value.expiresAt <= now);
    if (expired.length === 0) return swept;
    const deleted = await store.deleteMany(collection, expired);
    swept += deleted;
    // What was changed meanwhile is left to the next round, which also ends this one should nothing go any more.
    if (expired.length < sweptAtOnceMax || deleted === 0) return swept;
  }
}
