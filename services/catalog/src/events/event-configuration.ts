/**
 * The configuration of an event: the name of a version that a caller keeps elsewhere. The catalog stores the name and
 * never reads it.
 *
 * States: unset (revision 0, no document) → revision 1, 2, … Each change names the revision that its caller has seen,
 * so of two callers one is refused.
 */
import type { EventConfiguration } from '@parterre/shared/protocol/catalog/events';
import type { CatalogInput } from '@parterre/shared/protocol/catalog-api';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { eventConfigurations } from '../store/collections.ts';
import type { Ports } from '../store/operations.ts';
import { findEvent } from './event-access.ts';

const unset: EventConfiguration = { configuration: null, revision: 0, changedBy: null, changedAt: null };

export async function readConfiguration(
  { store }: Ports,
  { scope, eventKey }: CatalogInput<'events.configuration'>,
): Promise<Outcome<EventConfiguration>> {
  const event = await findEvent(store, scope, eventKey);
  if (!event.ok) return event;
  const stored = await store.get(eventConfigurations, eventKey);
  return done(stored?.value ?? unset);
}

export async function setConfiguration(
  { store, clock }: Ports,
  { scope, eventKey, expectedRevision, configuration }: CatalogInput<'events.set-configuration'>,
): Promise<Outcome<EventConfiguration>> {
  const event = await findEvent(store, scope, eventKey);
  if (!event.ok) return event;
  const stored = await store.get(eventConfigurations, eventKey);
  const { revision } = stored?.value ?? unset;
  if (revision !== expectedRevision) return stale(revision);
  const next = { configuration, revision: revision + 1, changedBy: scope.actor, changedAt: clock.now() };
  const written = stored
    ? await store.replace(eventConfigurations, eventKey, stored.version, next)
    : await store.insert(eventConfigurations, eventKey, next);
  return written === 'replaced' || written === 'inserted' ? done(next) : stale(revision + 1);
}

function stale(revision: number): Outcome<never> {
  return refuse('conflict', 'Another call has changed the configuration since. Read it again.', {
    reason: 'stale_revision',
    details: { revision },
  });
}
