/** Tells the catalog the facts that an event's actor has answered. */
import type { EventRecord, Settled } from '@parterre/shared/catalog/events';
import type { KnownEvent } from '../../admission/admission.ts';
import type { Call } from './route.ts';

/** Returns the record with these facts. Later readers find the same record. */
export async function settle(
  { ports, event: { event } }: Call<'console', unknown, KnownEvent>,
  settled: Settled,
): Promise<EventRecord> {
  const told = await ports.catalog('events.settle', { eventKey: event.key, ...settled });
  ports.events.drop(event.key);
  return told.ok ? told.value.event : { ...event, ...settled.facts };
}
