/**
 * PATCH of an event. Most of it is the catalog's to keep; what decides a sale (currency, section states) is the actor's.
 *
 * States of a change: looked at by the catalog → set by the event's actor, all of it or nothing → written by the catalog →
 * answered. Where nothing is the actor's the catalog looks and writes in one step. Refusals come first: the catalog's at
 * the look, then the actor's.
 *
 * Failure after the actor's step (its owner, or the catalog, does not answer): that step stands, the caller hears 503, and
 * repeating the call does the rest; each step may be repeated. Between the look and the last step another change may come;
 * the later one stands where both change the same.
 */
import type { Settled } from '@parterre/shared/catalog/events';
import { done, type Outcome, refuse } from '@parterre/shared/errors';
import type { z } from 'zod';
import type { KnownEvent } from '../../admission/events-cache.ts';
import { scopeOf } from '../../admission/scope.ts';
import { ask, newCallId, planOf } from '../calls/ask.ts';
import type { Call } from '../calls/route.ts';
import type { eventChangesBody } from './bodies.ts';
import { detailOf } from './event-reads.ts';

type Body = z.output<typeof eventChangesBody>;
type ChangeCall = Call<'console', Body, KnownEvent>;

const sectionsOnly = refuse(
  'forbidden',
  'A manage session may change the sectionStates of its event and nothing else of it.',
);

export async function changeEvent(call: ChangeCall) {
  const { ports, principal, body, event } = call;
  if (principal.kind === 'manage' && Object.keys(body).some((field) => field !== 'sectionStates')) return sectionsOnly;
  if (Object.keys(body).length === 0) return refuse('nothing_to_update', 'Name at least one field to change.');
  const { currency, sectionStates, ...changes } = body;
  const target = { scope: scopeOf(principal), eventKey: event.event.key, changes };
  let settled: Settled | null = null;
  if (currency !== undefined || sectionStates !== undefined) {
    const looked = await ports.catalog('events.update', { ...target, dryRun: true });
    if (!looked.ok) return looked;
    const set = await setInActor(call, looked.value.organisation.currency);
    if (!set.ok) return set;
    settled = set.value;
  }
  const written = await ports.catalog('events.update', { ...target, ...(settled && { settled }) });
  ports.events.drop(target.eventKey);
  return written.ok ? detailOf(written, await ask(call, { type: 'count' }), (hash) => planOf(call, hash)) : written;
}

/** Null where nothing of what was set is told in the event's record. A cleared currency is the organisation's. */
async function setInActor(call: ChangeCall, organisationCurrency: string): Promise<Outcome<Settled | null>> {
  const { currency: asked, sectionStates } = call.body;
  const currency = asked === null ? organisationCurrency : asked;
  const named = { ...(currency !== undefined && { currency }), ...(sectionStates && { sectionStates }) };
  const set = await ask(call, { type: 'configure', callId: newCallId(), ...named });
  if (!set.ok) return set;
  return done(currency === undefined ? null : { at: set.value.at, facts: { currency } });
}
