/** Holds by buyers' browsers: hold, best-available, resume, extend, release. */
import type { HeldAnswer, LineItem } from '@parterre/shared/answers';
import type { Command } from '@parterre/shared/commands';
import { done, refuse } from '@parterre/shared/errors';
import { budgets } from '../../admission/admission.ts';
import { choiceOf, holdTerms, queryOf } from '../best-available/best-available.ts';
import {
  askForBuyer,
  askForVisitor,
  buyerHoldName,
  buyerRoute,
  callerOfBuyer,
  newCallId,
  selectionsOf,
} from '../calls/calls.ts';
import { buyerBestAvailableBody, buyerExtendBody, buyerHoldBody, buyerReleaseBody, resumeBody } from './bodies.ts';
import {
  bestHeld,
  extendBuyerHoldAnswer,
  held,
  releaseBuyerHoldAnswer,
  resumeBuyerHoldAnswer,
} from './hold-answers.ts';

const calls = { budget: budgets.buyerCalls };

const holds = { budget: budgets.buyerHolds };

export const buyerHoldRoutes = [
  buyerRoute('POST /pub/events/{key}/hold', { answer: held, body: buyerHoldBody, ...holds }, async (call) => {
    const { ttlMs, replaceHoldId, expectedTotal } = call.body;
    const hold: Command & { type: 'hold' } = {
      type: 'hold',
      ...buyerHoldName(call),
      selections: selectionsOf(call.body),
      ...(ttlMs === undefined ? {} : { ttlMs }),
      ...(replaceHoldId === undefined ? {} : { replaceHoldId }),
      ...(expectedTotal === undefined ? {} : { expectedTotal }),
    };
    const refused = call.ports.shards.refusalOf(call.event.event, callerOfBuyer(call.principal), hold);
    const answer = refused ?? (await askForVisitor(call, hold));
    return answer.ok ? done(heldBody(answer.value)) : answer;
  }),
  buyerRoute(
    'POST /pub/events/{key}/best-available',
    { answer: bestHeld, body: buyerBestAvailableBody, ...holds },
    async (call) => {
      const { body } = call;
      const answer = await askForVisitor(call, {
        type: 'hold-best',
        ...buyerHoldName(call),
        query: queryOf(body),
        ...holdTerms(body),
      });
      if (!answer.ok) return answer;
      const { kept } = answer.value;
      return done({ ...heldBody(answer.value), ...choiceOf(body, answer.value), ...(kept && { kept }) });
    },
  ),
  buyerRoute(
    'POST /pub/events/{key}/hold/resume',
    { ...calls, answer: resumeBuyerHoldAnswer, body: resumeBody },
    async (call) => {
      const answer = await askForBuyer(call, { type: 'inspect-hold', holdId: call.body.holdId });
      if (!answer.ok) return answer;
      const { holdId, status, expiresAt, items } = answer.value;
      return status === 'active'
        ? done({ holdId, expiresAt, items, labels: items.flatMap(labelsOf) })
        : refuse('hold_not_found', endedHold[status], { details: { status } });
    },
  ),
  buyerRoute(
    'POST /pub/events/{key}/extend',
    { ...calls, answer: extendBuyerHoldAnswer, body: buyerExtendBody },
    async (call) => {
      const { holdId, ttlMs } = call.body;
      const answer = await askForVisitor(call, {
        type: 'extend',
        holdId,
        callId: newCallId(),
        ...(ttlMs === undefined ? {} : { ttlMs }),
      });
      if (!answer.ok) return answer;
      const { expiresAt, extends: renewals } = answer.value;
      return done({ holdId, expiresAt, extends: renewals });
    },
  ),
  buyerRoute(
    'POST /pub/events/{key}/release',
    { ...calls, answer: releaseBuyerHoldAnswer, body: buyerReleaseBody },
    async (call) => {
      const { holdId, labels = [] } = call.body;
      const answer = await askForBuyer(call, {
        type: 'release',
        holdId,
        callId: newCallId(),
        ...(labels.length === 0 ? {} : { labels }),
      });
      // A page may release units that its hold has already lost. The answer is the same.
      return answer.ok ? done({ ok: true, released: [...new Set([...labels, ...answer.value.released])] }) : answer;
    },
  ),
];

const endedHold = {
  booked: 'This hold has been booked.',
  released: 'This hold was released. Hold seats again.',
  expired: 'The time of this hold is up. Hold seats again.',
};

function heldBody({ holdId, expiresAt, labels, items }: HeldAnswer) {
  const seats = items.flatMap((item) => labelsOf(item).map((label) => ({ label, tierId: item.tierId })));
  return { ok: true as const, holdId, expiresAt, labels, items, seats };
}

/** One line of an area has several places. */
function labelsOf({ label, labels }: LineItem): string[] {
  return labels ?? [label];
}
