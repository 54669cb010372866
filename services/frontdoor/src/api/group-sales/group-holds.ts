/**
 * The holds of a group's buyers. The caller of a hold names it, and names may be guessed. So a hold belongs to the
 * session that made it, and to a session that has adopted this one. To any other session it is unknown.
 *
 * Failure at each await: the group or an event cannot be looked up → nothing was held; an event does not answer by the
 * deadline → the coordinator's view says what is known, and another process goes on with the rest.
 */
import type { GroupRecord } from '@parterre/shared/catalog/groups';
import type { OwnerSession } from '@parterre/shared/catalog/scope';
import { done, type Issue, type Outcome, refuse } from '@parterre/shared/errors';
import type { OperationDraft, OperationView } from '@parterre/shared/operations/ports';
import type { z } from 'zod';
import { type Header, noStore, preparedJson, spell } from '../../answers/answers.ts';
import { type Call, selectionsOf } from '../calls/calls.ts';
import { callerOfOwnerBuyer, coordinatorOf, type FoundOperation, findOperation } from '../operations/operations.ts';
import type { groupHoldBody } from './bodies.ts';
import { withAllConflicts } from './conflicts.ts';
import { groupOfPath } from './group-calls.ts';
import { operationOf } from './hold-answers.ts';

type BuyerCall<Body = unknown> = Call<'group-buyer', Body, null>;
type HoldBody = z.output<typeof groupHoldBody>;

const closed: Outcome<never> = refuse('event_closed', 'This performance group sells nothing now.', {
  reason: 'group_not_active',
});
const takenName = refuse('conflict', 'Another buyer has an operation of this name. Choose another operationId.', {
  reason: 'operation_id_taken',
});
export const unknownHold = refuse('not_found', 'There is no such operation of this session. Check its operationId.');

export async function holdForGroup(call: BuyerCall<HoldBody>) {
  const group = await activeGroup(call);
  if (!group.ok) return group;
  const draft = draftOf(group.value, call.body);
  if (!draft.ok) return draft;
  const held = await buyersCoordinator(call).hold(
    draft.value,
    callerIn(call, group.value.eventKeys[0]!),
    deadlineOf(call),
  );
  if (!held.ok) return { ok: false as const, refusal: await withAllConflicts(call, draft.value, held.refusal) };
  return isOf(call.principal, held.value) ? done(toldHold(call, held.value)) : takenName;
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

export function buyersCoordinator(call: BuyerCall) {
  return coordinatorOf(call, (eventKey) => callerIn(call, eventKey));
}

/** Part of the request's time is left for the answer. */
const answerMs = 500;
export function deadlineOf({ request }: Pick<BuyerCall, 'request'>): number {
  return request.deadlineAt - answerMs;
}

function draftOf(group: GroupRecord, body: HoldBody): Outcome<OperationDraft> {
  const { operationId, labels, allocations, ttlMs } = body;
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
  return done({ ...head, parts, ...(ttlMs === undefined ? {} : { ttlMs }) });

  function issueOf(eventKey: string, index: number): Issue[] {
    const path = `allocations.${index}.eventKey`;
    if (!eventKeys.includes(eventKey)) return [{ path, message: 'This event is not a performance of the group.' }];
    const isFirst = allocations!.findIndex((each) => each.eventKey === eventKey) === index;
    return isFirst ? [] : [{ path, message: 'This event is named twice. Name each event once.' }];
  }
}

function isOf(principal: OwnerSession, { parts }: OperationView): boolean {
  const sessions = parts.flatMap(({ detail }) => detail?.sessionId ?? []);
  return sessions.every((sessionId) => reaches(principal, sessionId));
}

function reaches({ sessionId, adopted = [] }: OwnerSession, holder: string): boolean {
  return holder === sessionId || adopted.includes(holder);
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
  const headers: Header[] = [noStore, ...more, ...(isUnfinished(view) ? [['Retry-After', '1'] as const] : [])];
  return preparedJson(spell({ operation: operationOf(owner, view) }), headers, status);
}

const unfinished: readonly OperationView['state'][] = [
  'preparing',
  'commit_pending',
  'expire_pending',
  'abort_pending',
];

export function isUnfinished({ state, booking }: OperationView): boolean {
  return unfinished.includes(state) || booking?.state === 'book_pending';
}

/** The buyer's own operation that the path names. */
export async function ownOperation(call: BuyerCall): Promise<Outcome<FoundOperation>> {
  const group = await groupOfPath(call);
  if (!group.ok) return group;
  const { key, eventKeys } = group.value;
  const operationId = call.request.params[1]!;
  const found = await findOperation(call, { kind: 'group', key }, operationId, eventKeys);
  if (!found.ok) return found.refusal.code === 'not_found' ? unknownHold : found;
  const { holder, part } = found.value;
  const isOwn = holder === null ? part.state === 'aborted' : reaches(call.principal, holder);
  return isOwn ? found : unknownHold;
}
