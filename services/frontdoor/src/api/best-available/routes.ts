/**
 * Best available: hold, block and book seats that the event chooses. These calls share one budget with the other holds.
 */
import type { SeatQuery } from '@parterre/shared/commands';
import { done } from '@parterre/shared/errors';
import { budgets } from '../../admission/admission.ts';
import { askWithAccess, callName, eventRoute, holdName, newCallId } from '../calls/calls.ts';
import { blockBestAvailableAnswer, bookBestAvailableAnswer, holdBestAvailableAnswer } from './answers.ts';
import { bestAvailableBlockBody, bestAvailableBody, bestAvailableBookBody } from './bodies.ts';

const serverHolds = { budget: budgets.serverHolds };

export const bestAvailableRoutes = [
  eventRoute(
    'POST /v1/events/{key}/best-available',
    { answer: holdBestAvailableAnswer, body: bestAvailableBody, ...serverHolds },
    async (call) => {
      const { body } = call;
      const answer = await askWithAccess(call, {
        type: 'hold-best',
        ...holdName(call),
        query: queryOf(body),
        ...(body.ttlMs === undefined ? {} : { ttlMs: body.ttlMs }),
      });
      if (!answer.ok) return answer;
      const { holdId, expiresAt, items, labels, currency } = answer.value;
      return done({ ok: true, holdId, expiresAt, items, labels, currency, ...zoneOf(body) });
    },
  ),
  eventRoute(
    'POST /v1/events/{key}/best-available-block',
    { answer: blockBestAvailableAnswer, capability: 'event:block', body: bestAvailableBlockBody, ...serverHolds },
    async (call) => {
      const { body } = call;
      const answer = await askWithAccess(call, {
        type: 'block-best',
        ...callName(call),
        query: queryOf(body),
        releaseAt: body.releaseAt ?? null,
        reason: body.reason ?? null,
      });
      if (!answer.ok) return answer;
      const { blocked } = answer.value;
      return done({ ok: true, labels: blocked, blocked });
    },
  ),
  eventRoute(
    'POST /v1/events/{key}/best-available-book',
    { answer: bookBestAvailableAnswer, body: bestAvailableBookBody, ...serverHolds },
    async (call) => {
      const { body } = call;
      const { bookingRef } = body;
      const answer = await askWithAccess(call, {
        type: 'book-best',
        callId: newCallId(),
        bookingRef,
        query: queryOf(body),
      });
      if (!answer.ok) return answer;
      const { labels, items } = answer.value;
      return done({ ok: true, labels, items, bookingRef, ...zoneOf(body) });
    },
  ),
];

export function queryOf({ qty, categoryKey, zoneId, accessible }: SeatQuery): SeatQuery {
  return {
    qty,
    ...(categoryKey === undefined ? {} : { categoryKey }),
    ...(zoneId === undefined ? {} : { zoneId }),
    ...(accessible === undefined ? {} : { accessible }),
  };
}

/** The zone that the call named. Without one the seats may be of several zones. */
function zoneOf({ zoneId }: { zoneId?: string }): { zoneId?: string } {
  return zoneId === undefined ? {} : { zoneId };
}
