/**
 * Changes that the server lacks, kept in this browser (IndexedDB) until it has them. Each page has a draft of its own,
 * under the chart and a name that only this page has, and holds a lock of this name while it lives. So a page finds the
 * drafts of pages that have ended, and leaves those of pages that are open in other tabs alone.
 *
 * A draft has three records: the state that it was made from (`base`), which changes only with a save, the `document`,
 * and `about`, which lists it. They are written in one transaction, so a draft has all or none. At most DRAFTS_MAX
 * drafts of all charts are kept, and none for longer than KEEP_MS. A write that fails leaves the draft before it; the
 * page then says that nothing is kept.
 */
import type { ChartDocument } from '@parterre/shared/charts/document';
import { newKey } from '../session/new-key.ts';

/** A state of the chart that the server has. */
export type Base = { updatedAt: number; document: ChartDocument };
type Draft = { base: Base; document: ChartDocument };
export type FoundDraft = Draft & { name: string; at: number };

export type OwnDraft = {
  /** False if this browser could not keep the last change. */
  readonly isKept: boolean;
  keep(draft: Draft): void;
  /** Resolves once all that is kept is written, or dropped. */
  safe(): Promise<void>;
  drop(): void;
};

export type Drafts = {
  own: OwnDraft;
  /** The drafts of this chart that pages left behind, the newest first. */
  found(): Promise<FoundDraft[]>;
  forget(name: string): Promise<void>;
};

type Stored = { chartId: string; name: string; at: number };

const DATABASE = 'parterre-designer';
const VERSION = 1;
const WRITE_PAUSE_MS = 300;
const DRAFTS_MAX = 20;
const KEEP_MS = 30 * 24 * 3_600_000;

const lockOf = (chartId: string, name: string): string => `parterre-designer ${chartId} ${name}`;

/** Opens the drafts of a chart for this page. `changed` is called when `isKept` changes. */
export function openDrafts(chartId: string, changed: () => void, now: () => number = Date.now): Drafts {
  const name = newKey();
  const database = openDatabase();
  let isKept = true;
  /** The server lacks something. */
  let isHeld = false;
  /** Those who wait until a draft that could not be written is dropped. */
  const unsafe: (() => void)[] = [];
  let latest: Draft | null = null;
  let baseWritten: Base | null = null;
  let timer: ReturnType<typeof setTimeout> | null = null;
  let work = Promise.resolve();

  // Held until the page ends. A browser that grants no lock offers the drafts of open pages too.
  void navigator.locks?.request(lockOf(chartId, name), () => new Promise(() => {})).catch(() => {});
  window.addEventListener('pagehide', flush);

  function tell(kept: boolean): void {
    if (isKept === kept) return;
    isKept = kept;
    changed();
  }

  /** One write follows the other, so that the last one wins. */
  function write(run: (store: IDBObjectStore) => void): void {
    work = work
      .then(async () => {
        await inTransaction(await database, 'readwrite', run);
        tell(true);
      })
      .catch((error: unknown) => {
        console.warn('The draft cannot be kept in this browser.', error);
        baseWritten = null;
        tell(false);
      });
  }

  function flush(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    const draft = latest;
    if (draft === null) return;
    const isNewBase = draft.base !== baseWritten;
    baseWritten = draft.base;
    latest = null;
    write((store) => {
      if (isNewBase) store.put(draft.base, [chartId, name, 'base']);
      store.put(draft.document, [chartId, name, 'document']);
      store.put({ chartId, name, at: now() } satisfies Stored, [chartId, name, 'about']);
    });
  }

  return {
    own: {
      get isKept() {
        return isKept;
      },
      keep(draft) {
        latest = draft;
        isHeld = true;
        // The first change of a while is written at once.
        timer ??= setTimeout(flush, baseWritten === null ? 0 : WRITE_PAUSE_MS);
      },
      async safe() {
        flush();
        await work;
        if (!isKept && isHeld) await new Promise<void>((resolve) => unsafe.push(resolve));
      },
      drop() {
        if (timer !== null) clearTimeout(timer);
        timer = null;
        const isWritten = baseWritten !== null;
        latest = null;
        baseWritten = null;
        isHeld = false;
        for (const resolve of unsafe.splice(0)) resolve();
        if (isWritten) write((store) => void store.delete(rangeOf(chartId, name)));
      },
    },

    async found() {
      const opened = await database;
      const living = await livingLocks();
      const stored = await listed(opened);
      await forgetOld(opened, stored, living, now());
      const left = stored.filter((each) => each.chartId === chartId && !living.has(lockOf(chartId, each.name)));
      const read = await Promise.all(left.map((each) => readDraft(opened, each)));
      return read.filter((draft) => draft !== null).sort((one, other) => other.at - one.at);
    },

    async forget(other) {
      await inTransaction(await database, 'readwrite', (store) => void store.delete(rangeOf(chartId, other)));
    },
  };
}

function openDatabase(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(DATABASE, VERSION);
    opening.onupgradeneeded = () => opening.result.createObjectStore('drafts');
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error);
    opening.onblocked = () => reject(new Error('another page has an older database open'));
  });
}

function inTransaction<T>(
  database: IDBDatabase,
  mode: IDBTransactionMode,
  run: (store: IDBObjectStore) => T,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const transaction = database.transaction('drafts', mode);
    const result = run(transaction.objectStore('drafts'));
    transaction.oncomplete = () => resolve(result);
    transaction.onerror = () => reject(transaction.error);
    transaction.onabort = () => reject(transaction.error);
  });
}

function rangeOf(chartId: string, name: string): IDBKeyRange {
  return IDBKeyRange.bound([chartId, name, ''], [chartId, name, '~']);
}

async function listed(database: IDBDatabase): Promise<Stored[]> {
  const keys = await inTransaction(database, 'readonly', (store) => store.getAllKeys());
  const about = keys.result.filter((key) => (key as string[])[2] === 'about');
  const read = await inTransaction(database, 'readonly', (store) => about.map((key) => store.get(key)));
  return read.map(({ result }) => result as Stored | undefined).filter((each) => each !== undefined);
}

async function readDraft(database: IDBDatabase, { chartId, name, at }: Stored): Promise<FoundDraft | null> {
  const [base, kept] = await inTransaction(database, 'readonly', (store) => [
    store.get([chartId, name, 'base']),
    store.get([chartId, name, 'document']),
  ]);
  return base?.result && kept?.result ? { name, at, base: base.result, document: kept.result } : null;
}

/** The names of the locks that open pages hold. Without locks no page is known to live. */
async function livingLocks(): Promise<ReadonlySet<string>> {
  const { held = [] } = (await navigator.locks?.query()) ?? {};
  return new Set(held.map(({ name }) => name ?? ''));
}

async function forgetOld(
  database: IDBDatabase,
  stored: Stored[],
  living: ReadonlySet<string>,
  now: number,
): Promise<void> {
  const dead = stored
    .filter(({ chartId, name }) => !living.has(lockOf(chartId, name)))
    .sort((one, other) => other.at - one.at);
  const old = dead.filter(({ at }, index) => index >= DRAFTS_MAX || at < now - KEEP_MS);
  if (old.length === 0) return;
  await inTransaction(database, 'readwrite', (store) => {
    for (const { chartId, name } of old) store.delete(rangeOf(chartId, name));
  });
}
