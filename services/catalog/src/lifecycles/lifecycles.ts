/**
 * The engine of lifecycle operations: activation, close, publication of a group or season. The document is the
 * coordinator's state. It changes by checked writes alone, so any number of processes may carry on one operation. The
 * process that began an operation carries it on at once. Every catalog looks for open operations each
 * `openLifecyclesPollMs`, and goes on with those of a dead process. The index has open documents only, so a look
 * grows with open work.
 *
 * `advance` does the work of the document's phase, and returns the document of the next phase, or null to wait. It may
 * run twice, and in two processes at once: its commands to events are harmless when repeated (I5).
 *
 * Failure at each await: the store or an event does not answer → `advance` throws or returns null, and the next look
 * tries again; the document has changed meanwhile → the write is stale, and the document is read again; this process
 * dies → the document has the last finished phase, and another process does the next one again.
 */
import type { Clock } from '@parterre/shared/runtime/clock';
import { pauseUnless } from '@parterre/shared/runtime/clock';
import type { Logger } from '@parterre/shared/runtime/log';
import { lifecyclesAtOnceMax, lifecycleWaitMs, openLifecyclesPollMs } from '../store/rules/bounds.ts';
import type { Position } from '../store/rules/paging.ts';
import type { Living } from '../store/rules/records.ts';
import type { Collection, Store, Stored } from '../store/store.ts';

/** Any document that has open work, of which the engine knows nothing else. */
type Carried = Pick<Living, 'open'>;

/** The collection has the index `byOpen`: `{ fields: ['open'], order: 'updatedAt', only: open is true }`. */
export type LifecyclePorts<V extends Carried> = {
  store: Store;
  clock: Clock;
  log: Logger;
  collection: Collection<V>;
  advance(document: Stored<V>): Promise<V | null>;
  /** The document has changed: caches drop their copies. */
  written(id: string): void;
};

export type Lifecycles<V extends Carried> = {
  /**
   * Carries the open operation on, as far as it goes without a wait, and waits for `forMs` at most. Resolves with the
   * latest document, or with the first that is `enough`; null without a document.
   */
  carryOn(id: string, forMs: number, enough?: (value: V) => boolean): Promise<Stored<V> | null>;
  /** Carries the open operation on, and waits for nothing: what is left waits for the next look. */
  begin(id: string): void;
  /** Looks for open operations until `stop`. */
  watch(): void;
  stop(): Promise<void>;
};

export function createLifecycles<V extends Carried>(ports: LifecyclePorts<V>): Lifecycles<V> {
  const { store, clock, log, collection } = ports;
  const stopping = new AbortController();
  const underWay = new Map<string, Promise<void>>();
  let watching: Promise<unknown> = Promise.resolve();

  async function carryOn(id: string, forMs: number, enough = (_: V) => false): Promise<Stored<V> | null> {
    const until = clock.elapsed() + forMs;
    while (true) {
      const document = await store.get(collection, id);
      if (!document?.value.open || enough(document.value) || stopping.signal.aborted) return document;
      const next = await ports.advance(document);
      if (next !== null) {
        if ((await store.replace(collection, id, document.version, next)) === 'replaced') ports.written(id);
      } else if (clock.elapsed() < until) await pauseUnless(stopping.signal, clock, lifecycleWaitMs);
      else return document;
    }
  }

  function carryOnApart(id: string): Promise<void> {
    const going = underWay.get(id) ?? tried(id).finally(() => underWay.delete(id));
    underWay.set(id, going);
    return going;
  }

  async function tried(id: string): Promise<void> {
    try {
      await carryOn(id, 0);
    } catch (error) {
      log.warn({ err: error, id, collection: collection.name }, 'a lifecycle operation waits for the next look');
    }
  }

  async function look(): Promise<void> {
    try {
      const query = { index: 'byOpen', equal: [true], limit: lifecyclesAtOnceMax };
      let after: Position | null | undefined;
      while (after !== null && !stopping.signal.aborted) {
        const { documents, next } = await store.page(collection, { ...query, after });
        await Promise.all(documents.map(({ id }) => carryOnApart(id)));
        after = next;
      }
    } catch (error) {
      log.warn({ err: error, collection: collection.name }, 'open lifecycle operations cannot be read now');
    }
  }

  async function lookOn(): Promise<void> {
    while (!stopping.signal.aborted) {
      await look();
      await pauseUnless(stopping.signal, clock, openLifecyclesPollMs);
    }
  }

  return {
    carryOn,
    begin: (id) => void carryOnApart(id),
    watch() {
      watching = lookOn();
    },
    async stop() {
      stopping.abort();
      await watching;
      await Promise.all(underWay.values());
    },
  };
}
