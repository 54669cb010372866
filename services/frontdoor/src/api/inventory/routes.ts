/** Holds, bookings and blocks of one event, and reads of them. */
import type { Command } from '@parterre/shared/commands';
import { done } from '@parterre/shared/errors';
import { bulkBodyBytesMax } from '@parterre/shared/limits';
import { budgets, unbudgeted } from '../../admission/admission.ts';
import { withMoneyFor } from '../../logs/logs.ts';
import {
  asBulkCall,
  ask,
  askLater,
  callerOf,
  callerWithAccess,
  eventRoute,
  holdName,
  labelsIn,
  newCallId,
  selectionsOf,
} from '../calls/calls.ts';
import {
  blockSeatsAnswer,
  bookSeatsAnswer,
  extendHoldAnswer,
  getHoldAnswer,
  getHoldTtlAnswer,
  holdSeatsAnswer,
  releaseHoldAnswer,
  setHoldTtlAnswer,
  unblockAllSeatsAnswer,
  unblockSeatsAnswer,
  unbookSeatsAnswer,
} from './answers.ts';
import {
  blockBody,
  bookBody,
  extendBody,
  holdBody,
  holdTtlBody,
  releaseBody,
  unblockBody,
  unbookBody,
} from './bodies.ts';

const command = { budget: unbudgeted.commands };
/** A call that may name many labels. */
const sale = { ...command, labelsIn };

const serverHolds = { budget: budgets.serverHolds };
const newHold = { ...serverHolds, labelsIn };
const booked = ({ booked }: { booked: string[] }) => ({ ok: true as const, booked });

const bulk = { bodyBytesMax: bulkBodyBytesMax };

export const inventoryRoutes = [
  eventRoute('POST /v1/events/{key}/hold', { answer: holdSeatsAnswer, body: holdBody, ...newHold }, (call) => {
    const { body, event } = call;
    const name = holdName(call);
    const hold: Command & { type: 'hold' } = { type: 'hold', holdId: name.holdId, selections: selectionsOf(body) };
    if (name.fingerprint !== undefined) hold.fingerprint = name.fingerprint;
    if (body.ttlMs !== undefined) hold.ttlMs = body.ttlMs;
    if (body.replaceHoldId !== undefined) hold.replaceHoldId = body.replaceHoldId;
    const caller = callerWithAccess(call);
    const refused = call.ports.shards.refusalOf(event.event, caller, hold);
    if (refused) return refused;
    return askLater(call, caller, hold, ({ holdId, expiresAt, items, labels, currency }) => ({
      ...{ ok: true as const, holdId, expiresAt, items, labels },
      currency: currency ?? event.event.currency,
    }));
  }),
  eventRoute(
    'POST /v1/events/{key}/extend',
    { answer: extendHoldAnswer, body: extendBody, ...serverHolds },
    async (call) => {
      const { holdId, ttlMs } = call.body;
      const answer = await ask(call, {
        type: 'extend',
        holdId,
        callId: newCallId(),
        ...(ttlMs === undefined ? {} : { ttlMs }),
      });
      if (!answer.ok) return answer;
      const { expiresAt, extends: renewals, items } = answer.value;
      return done({ ok: true, holdId: answer.value.holdId, expiresAt, extends: renewals, items });
    },
  ),
  eventRoute('POST /v1/events/{key}/release', { ...sale, answer: releaseHoldAnswer, body: releaseBody }, (call) => {
    const { holdId, labels } = call.body;
    const release: Command & { type: 'release' } = { type: 'release', holdId, callId: newCallId() };
    if (labels !== undefined) release.labels = labels;
    return askLater(call, callerOf(call.principal), release, ({ released }) => ({ ok: true as const, released }));
  }),
  eventRoute('POST /v1/events/{key}/book', { ...sale, answer: bookSeatsAnswer, body: bookBody }, (call) => {
    const { holdId, labels, bookingRef } = call.body;
    const callId = newCallId();
    if (holdId === undefined) {
      const selections = selectionsOf(call.body);
      return askLater(call, callerWithAccess(call), { type: 'book-direct', callId, bookingRef, selections }, booked);
    }
    const book: Command & { type: 'book' } = { type: 'book', callId, bookingRef, holdId };
    if (labels !== undefined) book.labels = labels;
    return askLater(call, callerOf(call.principal), book, booked);
  }),
  eventRoute(
    'POST /v1/events/{key}/unbook',
    { ...sale, answer: unbookSeatsAnswer, capability: 'event:cancel', body: unbookBody },
    async (call) => {
      const { bookingRef, labels } = call.body;
      const answer = await ask(call, {
        type: 'unbook',
        callId: newCallId(),
        bookingRef,
        ...(labels === undefined ? {} : { labels }),
      });
      return answer.ok ? done({ ok: true, unbooked: answer.value.unbooked }) : answer;
    },
  ),
  eventRoute(
    'POST /v1/events/{key}/block',
    { ...sale, answer: blockSeatsAnswer, capability: 'event:block', body: blockBody, ...bulk },
    async (call) => {
      const { labels, releaseAt, reason } = call.body;
      const answer = await ask(call, {
        type: 'block',
        callId: newCallId(),
        labels,
        releaseAt: releaseAt ?? null,
        reason: reason ?? null,
      });
      return answer.ok ? done({ ok: true, blocked: answer.value.blocked }) : answer;
    },
  ),
  eventRoute(
    'POST /v1/events/{key}/unblock',
    { ...sale, answer: unblockSeatsAnswer, capability: 'event:block', body: unblockBody, ...bulk },
    async (call) => {
      const answer = await ask(call, { type: 'unblock', callId: newCallId(), labels: call.body.labels });
      return answer.ok ? done({ ok: true, unblocked: answer.value.unblocked }) : answer;
    },
  ),
  eventRoute(
    'POST /v1/events/{key}/unblock-all',
    // The body names no label: the event tells how many units are blocked.
    { ...command, labelsIn: () => 0, answer: unblockAllSeatsAnswer, capability: 'event:block' },
    async (call) => {
      const counted = await ask(call, { type: 'count' });
      if (!counted.ok) return counted;
      return asBulkCall(call, counted.value.counts.blocked, async () => {
        const answer = await ask(call, { type: 'unblock', callId: newCallId(), labels: null });
        return answer.ok ? done({ ok: true as const, freed: answer.value.unblocked }) : answer;
      });
    },
  ),
  eventRoute(
    'GET /v1/events/{key}/hold-ttl',
    { ...command, answer: getHoldTtlAnswer, capability: ['event:view', 'event:block'] },
    async (call) => {
      const answer = await ask(call, { type: 'count' });
      return answer.ok ? done({ holdTtlMs: answer.value.holdTtlMs }) : answer;
    },
  ),
  eventRoute(
    'POST /v1/events/{key}/hold-ttl',
    { ...command, answer: setHoldTtlAnswer, capability: 'event:block', body: holdTtlBody },
    async (call) => {
      const answer = await ask(call, { type: 'set-hold-ttl', callId: newCallId(), holdTtlMs: call.body.holdTtlMs });
      return answer.ok ? done({ ok: true, holdTtlMs: answer.value.holdTtlMs }) : answer;
    },
  ),
  eventRoute(
    'GET /v1/events/{key}/holds/{holdId}',
    { ...command, answer: getHoldAnswer, capability: 'event:view' },
    async (call) => {
      const answer = await ask(call, { type: 'inspect-hold', holdId: call.request.params[1]! });
      if (!answer.ok) return answer;
      const { key, mode, externalRef, workspaceId } = call.event.event;
      const owner = { eventKey: key, mode, externalRef, workspaceId };
      const hold = { buyerRef: null, partnerRef: null, ...answer.value, ...owner };
      return done(hold.status === 'booked' ? withMoneyFor(call.principal, hold) : hold);
    },
  ),
];
