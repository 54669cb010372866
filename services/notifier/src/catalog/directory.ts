/**
 * Caches the catalog's answers: events by key, subscriptions by organisation and mode. A `changed` broadcast drops an
 * answer at once; a lost connection drops all. Refusals are not cached.
 *
 * States of an answer: asked for → fresh, for its time to live → old: asked for again, and used once more where the
 * catalog is away, for at most `directoryStaleMsMax` → forgotten. So deliveries go on while the catalog is away.
 * Failure at the await: the catalog is away or fails → the old answer, else its refusal, and the next caller asks
 * again.
 */
import type { EventRecord } from '@parterre/shared/protocol/catalog/events';
import type { SigningSub } from '@parterre/shared/protocol/catalog/webhooks';
import type { Changed } from '@parterre/shared/protocol/catalog-api';
import { done, type Outcome } from '@parterre/shared/protocol/errors';
import { eventCacheEntries, eventCacheMs } from '@parterre/shared/protocol/limits';
import type { Mode } from '@parterre/shared/protocol/records';
import {
  directoryStaleMsMax,
  subscriptionCacheEntries,
  subscriptionCacheMs,
} from '@parterre/shared/protocol/webhook-limits';
import type { CatalogClient } from '@parterre/shared/runtime/catalog-client';
import type { Clock } from '@parterre/shared/runtime/clock';

const modes: readonly Mode[] = ['live', 'test'];

/** The catalog's answers, as this notifier caches them. */
export type Directory = {
  event(eventKey: string): Promise<Outcome<EventRecord>>;
  /** The active subscriptions of all workspaces of the organisation. */
  subscriptions(organisationId: string, mode: Mode): Promise<Outcome<SigningSub[]>>;
};

/** The cached answers, without asking: null where no fresh answer is there. */
export type KnownAnswers = {
  event(eventKey: string): EventRecord | null;
  subscriptions(organisationId: string, mode: Mode): SigningSub[] | null;
};

export type CachedDirectory = Directory & {
  readonly known: KnownAnswers;
  drop(changed: Changed): void;
  /** Forgets everything. Needed after a time in which broadcasts may have been missed. */
  clear(): void;
};

export function createDirectory(catalog: CatalogClient, clock: Clock): CachedDirectory {
  const events = createCache<EventRecord>(clock, eventCacheEntries, eventCacheMs);
  const subscriptions = createCache<SigningSub[]>(clock, subscriptionCacheEntries, subscriptionCacheMs);
  return {
    event: (eventKey) =>
      events.get(eventKey, async () => {
        const answer = await catalog('events.get', { eventKey });
        return answer.ok ? done(answer.value.event) : answer;
      }),
    subscriptions: (organisationId, mode) =>
      subscriptions.get(subscriptionsKey(organisationId, mode), async () => {
        const answer = await catalog('webhooks.matching', { organisationId, mode });
        return answer.ok ? done(answer.value.subs) : answer;
      }),
    known: {
      event: events.known,
      subscriptions: (organisationId, mode) => subscriptions.known(subscriptionsKey(organisationId, mode)),
    },
    clear() {
      events.clear();
      subscriptions.clear();
    },
    drop(changed) {
      if (changed.kind === 'event') events.drop(changed.eventKey);
      if (changed.kind !== 'webhooks') return;
      for (const mode of modes) subscriptions.drop(subscriptionsKey(changed.organisationId, mode));
    },
  };
}

function subscriptionsKey(organisationId: string, mode: Mode): string {
  return `${organisationId}/${mode}`;
}

/** How long an old answer stands while the catalog is away, before the catalog is asked again. */
const AWAY_MS = 5_000;

/**
 * `usable`: the value of `answer`, once it is there. `good`: the catalog's last answer, which may be used until
 * `goodUntil`.
 */
type Entry<T> = {
  until: number;
  answer: Promise<Outcome<T>>;
  usable: T | null;
  good: Extract<Outcome<T>, { ok: true }> | null;
  goodUntil: number;
};

/** Callers that ask for the same key share one request. Past `entriesMax` entries, the longest unused entry goes. */
function createCache<T>(clock: Clock, entriesMax: number, ttlMs: number) {
  const entries = new Map<string, Entry<T>>();

  /** The entry as long as it is fresh. It is the last used from now on. */
  function fresh(key: string): Entry<T> | null {
    const entry = entries.get(key);
    if (!entry || entry.until <= clock.now()) return null;
    entries.delete(key);
    entries.set(key, entry);
    return entry;
  }

  function get(key: string, ask: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
    const known = fresh(key);
    if (known) return known.answer;
    const { good, goodUntil } = entries.get(key) ?? { good: null, goodUntil: 0 };
    entries.delete(key);
    const entry: Entry<T> = { until: clock.now() + ttlMs, answer: ask(), usable: null, good, goodUntil };
    entry.answer = settle(key, entry, entry.answer);
    entries.set(key, entry);
    if (entries.size > entriesMax) entries.delete(entries.keys().next().value!);
    return entry.answer;
  }

  async function settle(key: string, entry: Entry<T>, asked: Promise<Outcome<T>>): Promise<Outcome<T>> {
    const askedAt = clock.now();
    const answer = await asked;
    if (answer.ok) {
      entry.usable = answer.value;
      entry.good = answer;
      entry.goodUntil = askedAt + directoryStaleMsMax;
      return answer;
    }
    if (answer.refusal.code !== 'not_found' && entry.good !== null && clock.now() < entry.goodUntil) {
      entry.until = clock.now() + AWAY_MS;
      entry.usable = entry.good.value;
      return entry.good;
    }
    if (entries.get(key) === entry) entries.delete(key);
    return answer;
  }

  const known = (key: string): T | null => fresh(key)?.usable ?? null;

  return { get, known, drop: (key: string) => void entries.delete(key), clear: () => entries.clear() };
}
