/** The holds of a group as its platform reads and books them. */
import type { GroupDetail } from '@parterre/shared/catalog/groups';
import type { KeptOperation } from '@parterre/shared/catalog/operations';
import { done, type Outcome, refuse } from '@parterre/shared/errors';
import type { OperationRef, OperationView } from '@parterre/shared/operations/ports';
import type { z } from 'zod';
import { budgets } from '../../admission/admission.ts';
import { type Header, preparedJson, spell } from '../../answers/answers.ts';
import { type Call, callerOf, serverRoute } from '../calls/calls.ts';
import { target } from '../groups/groups.ts';
import {
  again,
  bookOperation,
  coordinatorOf,
  deadlineOf,
  findOperation,
  isUnfinished,
} from '../operations/operations.ts';
import { groupBookBody } from './bodies.ts';
import { groupOfServer } from './group-calls.ts';
import { type GroupBooking, groupHoldOf, keptBookingOf, oneBooking, oneHold } from './hold-answers.ts';

type ServerCall<Body = unknown> = Call<'server', Body, null>;

export const groupBookingRoutes = [
  serverRoute(
    'GET /v1/performance-groups/{key}/holds/{operationId}',
    { budget: budgets.serverCalls, answer: oneHold },
    async (call) => {
      const detail = await call.ports.catalog('groups.get', target(call));
      if (!detail.ok) return detail;
      const { group } = detail.value;
      const { key, eventKeys } = group;
      const found = await findOperation(call, { kind: 'group', key }, call.request.params[1]!, eventKeys);
      if (!found.ok) return found;
      const view = await coordinatorOf(call).inspect(found.value.ref, deadlineOf(call));
      if (!view.ok) return view;
      const events = new Map(detail.value.events.map((event) => [event.key, event]));
      const hold = groupHoldOf(group, events, view.value);
      return done(preparedJson(spell({ hold }), isUnfinished(view.value) ? [again] : []));
    },
  ),
  serverRoute(
    'POST /v1/performance-groups/{key}/holds/{operationId}/book',
    { budget: budgets.serverCalls, answer: oneBooking, body: groupBookBody },
    async (call) => {
      const group = await groupOfServer(call);
      if (!group.ok) return group;
      const { key, eventKeys } = group.value;
      const { bookActionId: actionId, bookingRef } = call.body;
      const all = { owner: { kind: 'group' as const, key }, operationId: call.request.params[1]!, eventKeys };
      const { ref, booked } = await bookOperation(call, all, { actionId, bookingRef }, deadlineOf(call));
      if (booked.ok) return bookingAnswer(call, ref, booked.value, actionId);
      if (booked.refusal.code === 'not_found') return forgottenBooking(call, booked);
      return booked.refusal.code === 'hold_not_found' ? overHold : booked;
    },
  ),
  serverRoute(
    'GET /v1/performance-groups/{key}/bookings/{actionId}',
    { budget: budgets.serverCalls, answer: oneBooking },
    async (call) => {
      const group = await call.ports.catalog('groups.get', target(call));
      if (!group.ok) return group;
      const actionId = call.request.params[1]!;
      const kept = await keptOperation(call, group.value, actionId);
      if (!kept.ok) return kept;
      const { owner, operationId } = kept.value;
      const found = await findOperation(call, owner, operationId, group.value.group.eventKeys);
      if (!found.ok) {
        return found.refusal.code === 'not_found' ? done({ booking: keptBookingOf(kept.value, actionId) }) : found;
      }
      const { ref } = found.value;
      const view = await coordinatorOf(call).inspect(ref, deadlineOf(call));
      return view.ok ? bookingAnswer(call, ref, view.value, actionId, kept.value) : view;
    },
  ),
];

/** The operation is known, so its hold was there once. */
const overHold = refuse('conflict', 'This hold is over. Nothing is booked. Hold the seats again.', {
  reason: 'hold_expired',
});
const unknownBooking = refuse('not_found', 'There is no such booking of this group. Check its bookActionId.');

/** The operation that the action books, as the journals show it. */
async function keptOperation(call: ServerCall, group: GroupDetail, actionId: string): Promise<Outcome<KeptOperation>> {
  const owner = { kind: 'group' as const, key: group.group.key };
  const versions = await versionsOf(call, group);
  const known = await call.ports.catalog('operations.by-action', { owner, versions, actionId });
  if (known.ok) return done(known.value.operation);
  return known.refusal.code === 'not_found' ? unknownBooking : known;
}

/** The events have forgotten the hold, or never had it. A booking replays all the same. */
async function forgottenBooking(call: ServerCall<z.output<typeof groupBookBody>>, missing: Outcome<never>) {
  const { bookActionId, bookingRef } = call.body;
  const group = await call.ports.catalog('groups.get', target(call));
  if (!group.ok) return group;
  const kept = await keptOperation(call, group.value, bookActionId);
  if (!kept.ok) return kept.refusal.code === 'not_found' ? missing : kept;
  const booking = keptBookingOf(kept.value, bookActionId);
  const isSame = booking.operationId === call.request.params[1] && booking.bookingRef === bookingRef;
  return isSame && booking.state === 'booked' ? done({ booking }) : missing;
}

/** The versions of the group's events now. An event that does not answer is not waited for. */
async function versionsOf(call: ServerCall, { events }: GroupDetail) {
  const counted = await Promise.all(
    events.map(async (event) => {
      const told = await call.ports.shards.submit(event, callerOf(call.principal), { type: 'count' }, deadlineOf(call));
      return told.ok ? [{ eventKey: event.key, version: told.value.version }] : [];
    }),
  );
  return counted.flat();
}

/**
 * The booking as the events show it. The home's time is the time of the booking: it decides. An action that the
 * operation does not have is one that the home has refused for good.
 */
function bookingAnswer(
  call: ServerCall,
  ref: OperationRef,
  view: OperationView,
  actionId: string,
  kept?: KeptOperation,
) {
  const now = call.ports.clock.now();
  // The same at every repetition.
  const decidedAt = view.decidedAt ?? now;
  const { booking } = view;
  const isOwn = booking?.actionId === actionId;
  const state = !isOwn ? 'book_failed' : booking.state;
  const refused = kept?.actions.find((each) => each.actionId === actionId);
  const told: GroupBooking = {
    ...{ bookActionId: actionId, operationId: ref.operationId, groupId: ref.owner.key },
    bookingRef: isOwn ? booking.bookingRef : (refused?.bookingRef ?? ''),
    state,
    totalPerformances: ref.eventKeys.length,
    bookedPerformances: isOwn ? booking.bookedEventKeys.length : 0,
    nextRetryAt: state === 'book_pending' ? now + retryMs : null,
    attempts: 1,
    lastError: state === 'book_failed' ? 'conflict' : null,
    createdAt: decidedAt,
    bookedAt: state === 'booked' ? decidedAt : null,
  };
  const isPending = state === 'book_pending';
  const at = `/v1/performance-groups/${encodeURIComponent(ref.owner.key)}/bookings/${encodeURIComponent(actionId)}`;
  const headers: Header[] = isPending ? [['Location', at], again] : [];
  const status = isPending && call.request.method === 'POST' ? 202 : 200;
  return done(preparedJson(spell({ booking: told }), headers, status));
}

const retryMs = 1_000;
