/** The steps behind a change that stands. */
import type { EventRecord, Settled } from '@parterre/shared/protocol/catalog/events';
import { type Outcome, refuse } from '@parterre/shared/protocol/errors';
import type { KnownEvent } from '../../admission/admission.ts';
import type { Call } from './route.ts';

/**
 * Tells the catalog the facts that an event's actor has answered. Returns the record with these facts. Later readers
 * find the same record.
 */
export async function settle(
  { ports, event: { event } }: Call<'console', unknown, KnownEvent>,
  settled: Settled,
): Promise<EventRecord> {
  const told = await ports.catalog('events.settle', { eventKey: event.key, ...settled });
  ports.events.drop(event.key);
  return told.ok ? told.value.event : { ...event, ...settled.facts };
}

/** The outcome of a step behind a change that stands. No refusal of the step asks to repeat the whole call. */
export function behindChange<T>(outcome: Outcome<T>): Outcome<T> {
  if (outcome.ok || !outcome.refusal.retryable) return outcome;
  const message = 'A part of the change was made, perhaps all of it. Read the event before you repeat the call.';
  return refuse(outcome.refusal.code, message, { outcome: 'unknown' });
}
