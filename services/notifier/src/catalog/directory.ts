/**
 * Caches the catalog's answers: events by key, subscriptions by organisation and mode. An answer is used for at most
 * its time to live. A `changed` broadcast drops it at once; a lost connection drops all. Refusals are not cached.
 */

import type { EventRecord } from '@parterre/shared/catalog/events';
import type { SigningSub } from '@parterre/shared/catalog/webhooks';
import type { Changed } from '@parterre/shared/catalog-api';
import type { CatalogClient } from '@parterre/shared/catalog-client';
import type { Clock } from '@parterre/shared/clock';
import { done, type Outcome } from '@parterre/shared/errors';
import { eventCacheEntries, eventCacheMs } from '@parterre/shared/limits';
import type { Mode } from '@parterre/shared/records';
import { subscriptionCacheEntries, subscriptionCacheMs } from '@parterre/shared/webhook-limits';

const modes: readonly Mode[] = ['live', 'test'];

/** The catalog's answers, as this notifier caches them. */
export type Directory = {
  event(eventKey: string): Promise<Outcome<EventRecord>>;
  /** The active subscriptions of all workspaces of the organisation. */
  subscriptions(organisationId: string, mode: Mode): Promise<Outcome<SigningSub[]>>;
};

export type CachedDirectory = Directory & {
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

type Entry<T> = { until: number; answer: Promise<Outcome<T>> };

/** Callers that ask for the same key share one request. Past `entriesMax` entries, the longest unused entry goes. */
function createCache<T>(clock: Clock, entriesMax: number, ttlMs: number) {
  const entries = new Map<string, Entry<T>>();

  async function get(key: string, ask: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
    const known = entries.get(key);
    entries.delete(key);
    if (known && known.until > clock.now()) {
      entries.set(key, known);
      return known.answer;
    }
    const entry = { until: clock.now() + ttlMs, answer: ask() };
    entries.set(key, entry);
    if (entries.size > entriesMax) entries.delete(entries.keys().next().value!);
    const answer = await entry.answer;
    if (!answer.ok && entries.get(key) === entry) entries.delete(key);
    return answer;
  }

  return { get, drop: (key: string) => void entries.delete(key), clear: () => entries.clear() };
}
