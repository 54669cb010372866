/**
 * The holds of a season's buyers. A hold takes the same seats of every occurrence of the session's plan, all or none.
 *
 * Failure at each await: the season cannot be read → nothing was held; an event does not answer by the deadline → the
 * coordinator's view says what is known, and a catalog goes on with the rest; an event cannot be looked up → the refusal
 * is the answer, and a repetition finds the hold.
 */
import { done, type Outcome, refuse } from '@parterre/shared/errors';
import type { OperationView } from '@parterre/shared/operations/ports';
import type { z } from 'zod';
import { type Header, preparedJson, spell } from '../../answers/answers.ts';
import { type Call, selectionsOf } from '../calls/calls.ts';
import {
  again,
  buyersCoordinator,
  callerOfOwnerBuyer,
  deadlineOf,
  type FoundOperation,
  findOperation,
  internalIdOfHold,
  isOwn,
  isUnfinished,
  ownById,
  ownOperation,
  takenName,
  ttlMsOf,
} from '../operations/operations.ts';
import { membersOf } from '../owner-maps/owner-maps.ts';
import type { seasonHoldBody } from './bodies.ts';
import { operationOf } from './hold-answers.ts';
import { type SoldSeason, sellingSeason, soldSeason } from './season-plans.ts';

type BuyerCall<Body = unknown> = Call<'season-buyer', Body, null>;

export async function holdForSeason(call: BuyerCall<z.output<typeof seasonHoldBody>>) {
  const selling = await sellingSeason(call);
  if (!selling.ok) return selling;
  const { operationId, labels } = call.body;
  const free = await checkName(call, selling.value, operationId);
  if (!free.ok) return free;
  const { season, plan } = selling.value;
  const held = await buyersCoordinator(call).hold(
    {
      ...{ owner: call.principal.owner, operationId, selectionMode: 'same_seat', revision: season.revision },
      planActivationId: plan.activationId!,
      parts: plan.eventKeys.map((eventKey) => ({ eventKey, selections: selectionsOf({ labels }) })),
      ttlMs: await ttlMsOf(call, plan.eventKeys),
    },
    callerOfOwnerBuyer(call.principal, plan.eventKeys[0]!),
    deadlineOf(call),
  );
  if (!held.ok) return held;
  return isOwn(call.principal, held.value) ? toldOperation(call, held.value, 201) : takenName;
}

const reusedName = refuse('conflict', 'This operationId was used for another plan. Choose a new operationId.', {
  reason: 'operation_id_reused',
});

/**
 * An operation has its home at the first event of its plan. Plans without common events have different homes, and none
 * of them would see that another has the name. So a hold looks at the homes that are not among its own events.
 */
async function checkName(call: BuyerCall, { season, plan }: SoldSeason, operationId: string): Promise<Outcome<true>> {
  const published = season.plans.filter(({ activationId }) => activationId !== null);
  const homes = new Set(published.map(({ eventKeys }) => eventKeys[0]!));
  const foreign = [...homes].filter((home) => !plan.eventKeys.includes(home));
  if (foreign.length === 0) return done(true);
  const found = await findOperation(call, call.principal.owner, operationId, foreign);
  if (found.ok) return reusedName;
  return found.refusal.code === 'not_found' ? done(true) : found;
}

/** The buyer's own operation that the path names, by its name or by the id of its hold. */
export async function operationOfPath(call: BuyerCall): Promise<Outcome<FoundOperation>> {
  const sold = await soldSeason(call);
  if (!sold.ok) return sold;
  const eventKeys = sold.value.plan.eventKeys.slice(0, 2);
  const named = call.request.params[1]!;
  const id = internalIdOfHold(named);
  return id === null ? ownOperation(call, named, eventKeys) : ownById(call, id, eventKeys);
}

/** The answer of a call that changes the hold: 202 while something goes on, and then `Location` is polled. */
export async function toldOperation(call: BuyerCall, view: OperationView, status: number) {
  const { key } = call.principal.owner;
  const at = `/pub/seasons/${encodeURIComponent(key)}/operations/${encodeURIComponent(view.operationId)}`;
  return isUnfinished(view) ? answerOf(call, view, 202, [['Location', at]]) : answerOf(call, view, status);
}

export function polledOperation(call: BuyerCall, view: OperationView) {
  return answerOf(call, view, 200);
}

async function answerOf(call: BuyerCall, view: OperationView, status: number, more: Header[] = []) {
  const members = await membersOf(
    call,
    view.parts.map(({ eventKey }) => eventKey),
  );
  if (!members.ok) return members;
  const eventIds = members.value.map(({ event }) => event.id);
  const headers: Header[] = [...more, ...(isUnfinished(view) ? [again] : [])];
  const body = spell({ operation: operationOf(call.principal.owner.key, view, eventIds) });
  return done(preparedJson(body, headers, status));
}
