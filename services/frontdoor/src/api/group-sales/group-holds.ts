/**
 * The holds of a group's buyers.
 *
 * Failure at each await: the group or an event cannot be looked up → nothing was held; an event does not answer by the
 * deadline → the coordinator's view says what is known, and another process goes on with the rest.
 */
import type { GroupRecord } from '@parterre/shared/catalog/groups';
import { done, type Issue, type Outcome, refuse } from '@parterre/shared/errors';
import type { OperationDraft, OperationView } from '@parterre/shared/operations/ports';
import type { z } from 'zod';
import { type Header, preparedJson, spell } from '../../answers/answers.ts';
import { type Call, selectionsOf } from '../calls/calls.ts';
import {
  again,
  buyersCoordinator,
  callerOfOwnerBuyer,
  deadlineOf,
  type FoundOperation,
  isOwn,
  isUnfinished,
  ownOperation,
  takenName,
  ttlMsOf,
} from '../operations/operations.ts';
import type { groupHoldBody } from './bodies.ts';
import { withAllConflicts } from './conflicts.ts';
import { groupOfPath } from './group-calls.ts';
import { operationOf } from './hold-answers.ts';

type BuyerCall<Body = unknown> = Call<'group-buyer', Body, null>;
type HoldBody = z.output<typeof groupHoldBody>;

const closed: Outcome<never> = refuse('event_closed', 'This performance group sells nothing now.', {
  reason: 'group_not_active',
});

export async function holdForGroup(call: BuyerCall<HoldBody>) {
  const group = await activeGroup(call);
  if (!group.ok) return group;
  const ttlMs = await ttlMsOf(call, group.value.eventKeys, call.body.ttlMs);
  const draft = draftOf(group.value, call.body, ttlMs);
  if (!draft.ok) return draft;
  const held = await buyersCoordinator(call).hold(
    draft.value,
    callerIn(call, group.value.eventKeys[0]!),
    deadlineOf(call),
  );
  if (!held.ok) return { ok: false as const, refusal: await withAllConflicts(call, draft.value, held.refusal) };
  return isOwn(call.principal, held.value) ? done(toldHold(call, held.value)) : takenName;
}

/** A group that was activated a moment ago may be known here as a draft. */
async function activeGroup(call: BuyerCall): Promise<Outcome<GroupRecord>> {
  const known = await groupOfPath(call);
  if (!known.ok || known.value.state === 'active') return known;
  call.ports.groups.drop(known.value.key);
  const latest = await groupOfPath(call);
  return latest.ok && latest.value.state !== 'active' ? closed : latest;
}

/** The caller in an event; `askOf` sets the caller of each other event. */
function callerIn({ principal }: BuyerCall, eventKey: string) {
  return callerOfOwnerBuyer(principal, eventKey);
}

function draftOf(group: GroupRecord, body: HoldBody, ttlMs: number): Outcome<OperationDraft> {
  const { operationId, labels, allocations, expectedTotal } = body;
  const { key, revision, eventKeys } = group;
  const selectionMode = allocations ? ('per_performance' as const) : ('same_seat' as const);
  const issues = allocations?.flatMap(({ eventKey }, index) => issueOf(eventKey, index)) ?? [];
  if (issues.length > 0) {
    return refuse('invalid_request', 'The allocations do not fit this group. Mend what the issues list.', {
      details: { issues },
    });
  }
  // The parts stand in the order of the performances, so that the first of them is the home.
  const parts = eventKeys.flatMap((eventKey) => {
    if (labels) return [{ eventKey, selections: selectionsOf({ labels }) }];
    const own = allocations?.find((each) => each.eventKey === eventKey);
    return own ? [{ eventKey, selections: own.selections }] : [];
  });
  const head = { owner: { kind: 'group' as const, key }, operationId, selectionMode, revision };
  return done({ ...head, parts, ttlMs, ...(expectedTotal === undefined ? {} : { expectedTotal }) });

  function issueOf(eventKey: string, index: number): Issue[] {
    const path = `allocations.${index}.eventKey`;
    if (!eventKeys.includes(eventKey)) return [{ path, message: 'This event is not a performance of the group.' }];
    const isFirst = allocations!.findIndex((each) => each.eventKey === eventKey) === index;
    return isFirst ? [] : [{ path, message: 'This event is named twice. Name each event once.' }];
  }
}

/** 201 for a hold that stands or has ended, 202 while it goes on, 504 where an event kept it from a decision. */
function toldHold(call: BuyerCall, view: OperationView) {
  const status = !isUnfinished(view) ? 201 : view.decision === null ? 504 : 202;
  const base = `/pub/performance-groups/${encodeURIComponent(call.request.params[0]!)}/operations/`;
  const location: Header[] = status === 201 ? [] : [['Location', base + encodeURIComponent(view.operationId)]];
  return told(call, view, status, location);
}

export function told(call: BuyerCall, view: OperationView, status = 200, more: Header[] = []) {
  const owner = { kind: 'group' as const, key: call.request.params[0]! };
  const headers: Header[] = [...more, ...(isUnfinished(view) ? [again] : [])];
  return preparedJson(spell({ operation: operationOf(owner, view) }), headers, status);
}

/** The buyer's own operation that the path names. */
export async function operationOfPath(call: BuyerCall): Promise<Outcome<FoundOperation>> {
  const group = await groupOfPath(call);
  return group.ok ? ownOperation(call, call.request.params[1]!, group.value.eventKeys) : group;
}
