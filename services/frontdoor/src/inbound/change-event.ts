/**
 * PATCH of an event. Most of it is the catalog's to keep; what decides a sale (currency, section states) is the actor's.
 *
 * States of a change: looked at by the catalog → set by the event's actor → written by the catalog → answered. Where nothing
 * is the actor's the catalog looks and writes in one step. Refusals come first: the catalog's at the look, the currency's
 * before the section states are set, since these can only be refused for what the chart says, which is looked at before.
 *
 * Failure after the first step of the actor (its owner, or the catalog, does not answer): that step stands, the caller
 * hears 503, and repeating the call does the rest; each step may be repeated. Between the look and the last step
 * another change may come; the later one stands where both change the same.
 */
import type { Settled } from '@parterre/shared/catalog/events';
import { done, type Outcome, refuse } from '@parterre/shared/errors';
import type { z } from 'zod';
import { detailOf } from '../event-reads.ts';
import type { KnownEvent } from '../events-cache.ts';
import type { eventChangesBody } from './bodies-events.ts';
import type { Call } from './route.ts';
import { ask, newCallId, planOf } from './routes-inventory.ts';
import { scopeOf } from './scope.ts';

type Body = z.output<typeof eventChangesBody>;
type ChangeCall = Call<'server', Body, KnownEvent>;

export async function changeEvent(call: ChangeCall): Promise<Outcome<unknown>> {
  const { ports, principal, body, event } = call;
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
  return written.ok ? detailOf(written, await ask(call, { type: 'count' })) : written;
}

/** Null where nothing of what was set is told in the event's record. A cleared currency is the organisation's. */
async function setInActor(call: ChangeCall, organisationCurrency: string): Promise<Outcome<Settled | null>> {
  const { currency } = call.body;
  if (currency === undefined || !(await namesSections(call))) {
    const states = await setSectionStates(call);
    if (!states.ok || currency === undefined) return states;
  }
  const set = await ask(call, { type: 'configure', callId: newCallId(), currency: currency ?? organisationCurrency });
  if (!set.ok) return set;
  const states = await setSectionStates(call);
  return states.ok ? done({ at: set.value.at, facts: { currency: set.value.currency } }) : states;
}

/** Whether all that `sectionStates` names is on the event's chart, as far as can be seen from here. */
async function namesSections(call: ChangeCall): Promise<boolean> {
  const ids = Object.keys(call.body.sectionStates ?? {});
  if (ids.length === 0) return true;
  const counted = await ask(call, { type: 'count' });
  const plan = counted.ok ? await planOf(call, counted.value.planHash) : counted;
  return plan.ok && ids.every((id) => plan.value.scopeIds.has(id));
}

async function setSectionStates(call: ChangeCall): Promise<Outcome<null>> {
  const { sectionStates } = call.body;
  if (sectionStates === undefined) return done(null);
  const set = await ask(call, { type: 'set-section-states', callId: newCallId(), sectionStates });
  return set.ok ? done(null) : set;
}
