/**
 * Event metadata by key. The cached record only decides the event's organisation, workspace, mode and name. Status,
 * counts and all facts that decide a sale come from the event's actor.
 */
import type { EventRecord } from '@parterre/shared/protocol/catalog/events';
import { type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { eventCacheEntries, eventCacheMs, staleAnswerMsMax } from '@parterre/shared/protocol/limits';
import type { EventConfig, Mode, PublicSale } from '@parterre/shared/protocol/records';
import type { CatalogClient } from '@parterre/shared/runtime/catalog-client';
import type { Clock } from '@parterre/shared/runtime/clock';
import { createLoadingCache } from '@parterre/shared/runtime/loading-cache';
import { untilDeadline } from '../caches/caches.ts';
import type { BuyerPrincipal, ConsolePrincipal } from './principal.ts';

/** `organisationSale`: the organisation's bounds of public sale. [none set] */
export type KnownEvent = { event: EventRecord; config: EventConfig; organisationSale?: PublicSale };

export type EventsCache = {
  /** The event of any organisation; refused with `not_found` if there is none. */
  get(eventKey: string): Outcome<KnownEvent> | Promise<Outcome<KnownEvent>>;
  /** The event if it is known here; null without a question to anybody. */
  peek(eventKey: string): KnownEvent | null;
  drop(eventKey: string): void;
  clear(): void;
};

/** An event key becomes a token of a NATS subject. Text of any other form must never get there. */
const KEY_FORM = /^[A-Za-z0-9_-]{1,128}$/;

export const unknownEvent = refuse('not_found', 'There is no such event. Check its key.');

export function createEventsCache(catalog: CatalogClient, clock: Clock): EventsCache {
  const cache = createLoadingCache<KnownEvent>(
    clock,
    { entriesMax: eventCacheEntries, keepMs: eventCacheMs, staleMsMax: staleAnswerMsMax },
    (eventKey) => catalog('events.get', { eventKey }),
  );
  return {
    get: (eventKey) => (KEY_FORM.test(eventKey) ? cache.get(eventKey) : unknownEvent),
    peek: cache.peek,
    drop: cache.drop,
    clear: cache.clear,
  };
}

/** An event of any organisation. Returns without a promise if the event is known here. */
export function knownInTime(
  { clock, events }: { clock: Clock; events: EventsCache },
  eventKey: string,
  deadlineAt: number,
): ReturnType<EventsCache['get']> {
  return untilDeadline<KnownEvent>(clock, deadlineAt, events.get(eventKey));
}

const otherMode = (mode: Mode, asked: Mode): Outcome<never> =>
  refuse('mode_mismatch', `This is a ${mode} event, and the page shows ${asked} events. Switch to ${mode} first.`);

const foreignEvent = refuse(
  'buyer_access_event_mismatch',
  'This token is for another event. Get a token for this event.',
);

/**
 * The event if the caller may see it. An event of another organisation, outside the key's workspace, or other than the
 * manage session's own is `not_found`, so that nothing is disclosed. A buyer's session for another event, and a key of
 * the other mode, get a code of their own. A dashboard session sees both modes, unless the call names one.
 */
export function eventInScope(
  found: Outcome<KnownEvent>,
  caller: ConsolePrincipal | BuyerPrincipal,
): Outcome<KnownEvent> {
  if (!found.ok) return found;
  const { event } = found.value;
  if (event.organisationId !== caller.organisationId || event.status === 'deleted') return unknownEvent;
  if (caller.kind === 'dashboard') {
    return caller.mode === undefined || caller.mode === event.mode ? found : otherMode(event.mode, caller.mode);
  }
  if (caller.kind === 'manage') return caller.eventKey === event.key ? found : unknownEvent;
  if (caller.kind === 'buyer') return caller.eventKey === event.key ? found : foreignEvent;
  if (caller.workspaceId !== null && caller.workspaceId !== event.workspaceId) return unknownEvent;
  if (event.mode === caller.mode) return found;
  const code = caller.kind === 'secret' ? 'mode_mismatch' : 'buyer_access_mode_mismatch';
  return refuse(
    code,
    `This is a ${event.mode} event, and the key is for ${caller.mode} events. Use a ${event.mode} key.`,
  );
}
