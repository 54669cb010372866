/** Holds by buyers of a performance group: hold, poll, release, extend, and adopt the holds of an earlier session. */
import { done } from '@parterre/shared/errors';
import { sha256 } from '@parterre/shared/ids';
import { z } from 'zod';
import { budgets } from '../../admission/admission.ts';
import { groupBuyerRoute } from '../calls/calls.ts';
import { buyersCoordinator, callerOfOwnerBuyer, deadlineOf, ttlMsOf } from '../operations/operations.ts';
import { emptyBody, idOf, ok } from '../records/records.ts';
import { adoptBody, groupExtendBody, groupHoldBody } from './bodies.ts';
import { holdForGroup, operationOfPath, told } from './group-holds.ts';
import { oneOperation } from './hold-answers.ts';

const calls = { budget: budgets.buyerCalls };

export const groupHoldRoutes = [
  groupBuyerRoute(
    'POST /pub/performance-groups/{key}/hold',
    { budget: budgets.buyerHolds, answer: oneOperation, body: groupHoldBody, status: 201 },
    holdForGroup,
  ),
  groupBuyerRoute(
    'GET /pub/performance-groups/{key}/operations/{operationId}',
    { budget: budgets.buyerReads, answer: oneOperation },
    async (call) => {
      const found = await operationOfPath(call);
      if (!found.ok) return found;
      const view = await buyersCoordinator(call).inspect(found.value.ref, deadlineOf(call));
      return view.ok ? done(told(call, view.value)) : view;
    },
  ),
  groupBuyerRoute(
    'POST /pub/performance-groups/{key}/operations/{operationId}/release',
    { ...calls, answer: oneOperation, body: emptyBody, bodyOptional: true },
    async (call) => {
      const found = await operationOfPath(call);
      if (!found.ok) return found;
      const { ref } = found.value;
      const caller = callerOfOwnerBuyer(call.principal, ref.eventKeys[0]!);
      const view = await buyersCoordinator(call).release(ref, caller, deadlineOf(call));
      return view.ok ? done(told(call, view.value)) : view;
    },
  ),
  groupBuyerRoute(
    'POST /pub/performance-groups/{key}/operations/{operationId}/extend',
    { ...calls, answer: oneOperation, body: groupExtendBody, bodyOptional: true },
    async (call) => {
      const found = await operationOfPath(call);
      if (!found.ok) return found;
      const { ref } = found.value;
      const caller = callerOfOwnerBuyer(call.principal, ref.eventKeys[0]!);
      const ttlMs = await ttlMsOf(call, ref.eventKeys, call.body.ttlMs);
      const view = await buyersCoordinator(call).extend(ref, ttlMs, caller, deadlineOf(call));
      return view.ok ? done(told(call, view.value)) : view;
    },
  ),
  groupBuyerRoute(
    'POST /pub/performance-groups/{key}/session/adopt',
    { ...calls, answer: z.object({ ok, sessionId: idOf('ses') }), body: adoptBody },
    async (call) => {
      const { sessionId, keyHash } = call.principal;
      const adoption = { sessionId, previousHash: sha256(call.body.previousToken) };
      const adopted = await call.ports.catalog('owner-sessions.adopt', adoption);
      if (!adopted.ok) return adopted;
      call.ports.principals.drop(keyHash);
      return done({ ok: true as const, sessionId });
    },
  ),
];
