/** Holds by buyers of a season: hold, poll, release. */
import { budgets } from '../../admission/admission.ts';
import { seasonBuyerRoute } from '../calls/calls.ts';
import { buyersCoordinator, callerOfOwnerBuyer, deadlineOf } from '../operations/operations.ts';
import { seasonHoldBody, seasonReleaseBody } from './bodies.ts';
import { oneSeasonOperation } from './hold-answers.ts';
import { holdForSeason, operationOfPath, polledOperation, toldOperation } from './season-holds.ts';

export const seasonHoldRoutes = [
  seasonBuyerRoute(
    'POST /pub/seasons/{key}/holds',
    { budget: budgets.buyerHolds, answer: oneSeasonOperation, body: seasonHoldBody, status: 201 },
    holdForSeason,
  ),
  seasonBuyerRoute(
    'GET /pub/seasons/{key}/operations/{operationId}',
    { budget: budgets.buyerReads, answer: oneSeasonOperation },
    async (call) => {
      const found = await operationOfPath(call);
      if (!found.ok) return found;
      const view = await buyersCoordinator(call).inspect(found.value.ref, deadlineOf(call));
      return view.ok ? polledOperation(call, view.value) : view;
    },
  ),
  seasonBuyerRoute(
    'POST /pub/seasons/{key}/holds/{holdId}/release',
    { budget: budgets.buyerCalls, answer: oneSeasonOperation, body: seasonReleaseBody },
    async (call) => {
      const found = await operationOfPath(call);
      if (!found.ok) return found;
      const { ref } = found.value;
      const caller = callerOfOwnerBuyer(call.principal, ref.eventKeys[0]!);
      const view = await buyersCoordinator(call).release(ref, caller, deadlineOf(call));
      return view.ok ? toldOperation(call, view.value, 200) : view;
    },
  ),
];
