/**
 * PATCH of an event. The catalog keeps most fields; the event's actor keeps the fields that decide a sale (currency,
 * section states, selection rules, bounds of public sale).
 *
 * States of a change: checked by the catalog → set by the event's actor, whole or not at all → written by the catalog →
 * answered. A change without fields of the actor is checked and written by the catalog in one step. Refusals come
 * first: the catalog's at the check, then the actor's.
 *
 * Failure after the actor's step (its owner, or the catalog, does not answer): the actor's step stands, the caller gets
 * 503 with `outcome: "unknown"`. A repetition does the rest, unless another change came in between. Each step may be
 * repeated. Another change may come between the check and the
 * last step; if both change the same field, the later one stands.
 */
import type { Settled } from '@parterre/shared/catalog/events';
import { done, type Outcome, refuse } from '@parterre/shared/errors';
import type { z } from 'zod';
import { type KnownEvent, scopeOf } from '../../admission/admission.ts';
import { ask, behindChange, type Call, newCallId, planOf } from '../calls/calls.ts';
import type { eventChangesBody } from './bodies.ts';
import { detailOf } from './event-reads.ts';

type Body = z.output<typeof eventChangesBody>;
type ChangeCall = Call<'console', Body, KnownEvent>;

const sectionsOnly = refuse('forbidden', 'A manage session may change only the sectionStates of its event.');

/** The catalog must not tell rules that nobody upholds. */
const earlierOwner = refuse(
  'shard_unavailable',
  'The owner of this event has an earlier version, without selection rules. Try again when all servers are updated.',
  { retryable: true },
);

export async function changeEvent(call: ChangeCall) {
  const { ports, principal, body, event } = call;
  if (principal.kind === 'manage' && Object.keys(body).some((field) => field !== 'sectionStates')) return sectionsOnly;
  if (Object.keys(body).length === 0) return refuse('nothing_to_update', 'Name at least one field to change.');
  const { currency, sectionStates, selectionRules, publicSale, ...changes } = body;
  const target = { scope: scopeOf(principal), eventKey: event.event.key, changes };
  let settled: Settled | null = null;
  if ([currency, sectionStates, selectionRules, publicSale].some((field) => field !== undefined)) {
    const looked = await ports.catalog('events.update', {
      ...target,
      ...(currency !== undefined && { changesCurrency: true }),
      dryRun: true,
    });
    if (!looked.ok) return looked;
    const set = await setInActor(call, looked.value.organisation.currency);
    if (!set.ok) return set;
    settled = set.value;
  }
  const written = await ports.catalog('events.update', { ...target, ...(settled && { settled }) });
  ports.events.drop(target.eventKey);
  if (!written.ok) return settled ? behindChange<never>(written) : written;
  const counted = await ask(call, { type: 'count' });
  return behindChange(await detailOf(written, counted, (hash) => planOf(call, hash)));
}

/**
 * Sets the actor's fields. Null if the catalog's record has none of the fields that were set. A cleared currency
 * becomes the organisation's.
 */
async function setInActor(call: ChangeCall, organisationCurrency: string): Promise<Outcome<Settled | null>> {
  const { currency: asked, sectionStates, selectionRules, publicSale } = call.body;
  const currency = asked === null ? organisationCurrency : asked;
  const facts = {
    ...(currency !== undefined && { currency }),
    ...(selectionRules !== undefined && { selectionRules }),
    ...(publicSale !== undefined && { publicSale }),
  };
  const named = { ...facts, ...(sectionStates && { sectionStates }) };
  const set = await ask(call, { type: 'configure', callId: newCallId(), ...named });
  if (!set.ok) return set;
  if (selectionRules && set.value.selectionRules === undefined) return earlierOwner;
  return done(Object.keys(facts).length === 0 ? null : { at: set.value.at, facts });
}
