/**
 * Best available: hold, block and book seats that the event chooses. These calls share one budget with the other holds.
 */
import type { Parts } from '@parterre/shared/answers';
import type { SeatQuery } from '@parterre/shared/commands';
import { done } from '@parterre/shared/errors';
import { bestAvailableQtyMax } from '@parterre/shared/limits';
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
        ...holdTerms(body),
      });
      if (!answer.ok) return answer;
      const { holdId, expiresAt, items, labels, currency, kept } = answer.value;
      const held = { ok: true as const, holdId, expiresAt, items, labels, currency, ...zoneOf(body) };
      return done({ ...held, ...choiceOf(body, answer.value), ...(kept && { kept }) });
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
      return done({ ok: true, labels: blocked, blocked, ...choiceOf(body, answer.value) });
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
      return done({ ok: true, labels, items, bookingRef, ...zoneOf(body), ...choiceOf(body, answer.value) });
    },
  ),
];

/** The fields of the search alone. */
export function queryOf(body: SeatQuery): SeatQuery {
  const { qty, categoryKey, categoryKeys, zoneId, accessible, accessibleSeats, preventOrphans, near, tickets } = body;
  return {
    qty: Math.min(qty, bestAvailableQtyMax),
    ...(categoryKey === undefined ? {} : { categoryKey }),
    ...(categoryKeys === undefined ? {} : { categoryKeys }),
    ...(zoneId === undefined ? {} : { zoneId }),
    ...(accessible === undefined ? {} : { accessible }),
    ...(accessibleSeats === undefined ? {} : { accessibleSeats }),
    ...(preventOrphans === undefined ? {} : { preventOrphans }),
    ...(near === undefined ? {} : { near }),
    ...(tickets === undefined ? {} : { tickets }),
  };
}

/** The terms of a hold whose units the event chooses. */
export function holdTerms({ ttlMs, replaceHoldId }: { ttlMs?: number; replaceHoldId?: string }): {
  ttlMs?: number;
  replaceHoldId?: string;
} {
  return {
    ...(ttlMs === undefined ? {} : { ttlMs }),
    ...(replaceHoldId === undefined ? {} : { replaceHoldId }),
  };
}

/** How the choice came out, as every answer tells it. */
export function choiceOf(
  { qty }: { qty: number },
  { parts }: Parts,
): { together: boolean; parts: string[][]; clamped?: true } {
  const isClamped = qty > bestAvailableQtyMax;
  return { together: parts.length === 1, parts, ...(isClamped && { clamped: true as const }) };
}

/** The zone that the call named. Without one the seats may be of several zones. */
function zoneOf({ zoneId }: { zoneId?: string }): { zoneId?: string } {
  return zoneId === undefined ? {} : { zoneId };
}
