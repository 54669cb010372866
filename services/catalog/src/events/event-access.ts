/** Finds and changes events within the caller's scope. Events outside the scope, and deleted ones, are unknown. */
import type { EventInspection, EventRecord } from '@parterre/shared/protocol/catalog/events';
import { inScope } from '@parterre/shared/protocol/catalog/owner-scope';
import type { Scope } from '@parterre/shared/protocol/catalog/scope';
import type { Caller } from '@parterre/shared/protocol/commands';
import { done, Fault, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { newId } from '@parterre/shared/protocol/ids';
import { readRecord } from '../projections/event-records.ts';
import { creditBalance } from '../projections/projected.ts';
import { charts, events, organisations } from '../store/collections.ts';
import { change, type Ports } from '../store/operations.ts';
import type { EventDocument } from '../store/rules/records.ts';
import type { Store } from '../store/store.ts';
import { withFactsNote } from './rules/facts-notes.ts';
import { tellSoon } from './untold-facts.ts';

export function eventUnknown(): Outcome<never> {
  return refuse('not_found', 'There is no such event. Check its key.');
}

/**
 * An event of another organisation or workspace, or a deleted event, is unknown. An event of the other mode:
 * `mode_mismatch`.
 */
export function eventInScope(event: EventRecord, scope: Scope): Outcome<EventRecord> {
  return event.status === 'deleted' ? eventUnknown() : inScope('event', event, scope, eventUnknown);
}

export async function findEvent(store: Store, scope: Scope, eventKey: string): Promise<Outcome<EventRecord>> {
  const found = await store.get(events, eventKey);
  return found ? eventInScope(await readRecord(store, found), scope) : eventUnknown();
}

/**
 * Changes the document of an event within the scope, notes the changed facts for the event's journal, and announces
 * the change to the caches. `decide` also gets the record, which shows the actor's decisions.
 */
export async function changeEvent(
  ports: Ports,
  scope: Scope,
  eventKey: string,
  decide: (document: EventDocument, record: EventRecord) => Outcome<EventDocument>,
): Promise<Outcome<EventRecord>> {
  const { store, announce } = ports;
  const callId = newId('call');
  const written = await change(store, events, eventKey, eventUnknown, async (value) => {
    const record = eventInScope(await readRecord(store, { id: eventKey, version: 0, value }), scope);
    const decided = record.ok ? decide(value, record.value) : record;
    return decided.ok ? done(withFactsNote(value, decided.value, callerOf(scope), callId)) : decided;
  });
  if (!written.ok) return written;
  announce({ kind: 'event', eventKey });
  await tellSoon(ports, written.value);
  return done(await readRecord(store, written.value));
}

function callerOf({ actor, role }: Scope): Pick<Caller, 'source' | 'actor'> {
  return { source: role === null ? 'server' : 'operator', actor };
}

export async function inspectionOf(store: Store, event: EventRecord): Promise<EventInspection> {
  const [chart, organisation] = await Promise.all([
    store.get(charts, event.chartId),
    store.get(organisations, event.organisationId),
  ]);
  if (!organisation) throw new Fault(`find the organisation of event ${event.key}`);
  const credits = await creditBalance(store, organisation);
  const published = chart?.value.published;
  const latest = published ? { planHash: published.hash, chartVersion: published.version } : null;
  return { event, latest, organisation: { currency: organisation.value.currency, credits } };
}
