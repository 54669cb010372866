/**
 * Caches the catalog's answers: events by key, subscriptions by organisation and mode. A `changed` broadcast drops an
 * answer at once; a lost connection, or a missed broadcast, drops all. Refusals are not cached. Old answers serve while
 * the catalog is away or hangs (loading-cache.ts), for at most `staleAnswerMsMax`. So deliveries go on meanwhile.
 */
import type { EventRecord } from '@parterre/shared/protocol/catalog/events';
import type { SigningSub } from '@parterre/shared/protocol/catalog/webhooks';
import type { Changed } from '@parterre/shared/protocol/catalog-api';
import { done, type Outcome } from '@parterre/shared/protocol/errors';
import { eventCacheEntries, eventCacheMs, staleAnswerMsMax } from '@parterre/shared/protocol/limits';
import type { Mode } from '@parterre/shared/protocol/records';
import { subscriptionCacheEntries, subscriptionCacheMs } from '@parterre/shared/protocol/webhook-limits';
import type { CatalogClient } from '@parterre/shared/runtime/catalog-client';
import type { Clock } from '@parterre/shared/runtime/clock';
import { createLoadingCache } from '@parterre/shared/runtime/loading-cache';

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
  const events = createLoadingCache<EventRecord>(
    clock,
    { entriesMax: eventCacheEntries, keepMs: eventCacheMs, staleMsMax: staleAnswerMsMax },
    async (eventKey) => {
      const answer = await catalog('events.get', { eventKey });
      return answer.ok ? done(answer.value.event) : answer;
    },
  );
  const subscriptions = createLoadingCache<SigningSub[]>(
    clock,
    { entriesMax: subscriptionCacheEntries, keepMs: subscriptionCacheMs, staleMsMax: staleAnswerMsMax },
    async (key) => {
      const [organisationId, mode] = key.split('/') as [string, Mode];
      const answer = await catalog('webhooks.matching', { organisationId, mode });
      return answer.ok ? done(answer.value.subs) : answer;
    },
  );
  return {
    event: async (eventKey) => events.get(eventKey),
    subscriptions: async (organisationId, mode) => subscriptions.get(subscriptionsKey(organisationId, mode)),
    known: {
      event: events.peek,
      subscriptions: (organisationId, mode) => subscriptions.peek(subscriptionsKey(organisationId, mode)),
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
