/** The holder's side of a renewal: by a buyer's session to the season, or by the link of one offer. */
import type { Offer } from '@parterre/shared/catalog/rights';
import { done, type Outcome } from '@parterre/shared/errors';
import { budgets } from '../../admission/admission.ts';
import { type Call, openRoute, seasonBuyerRoute } from '../calls/calls.ts';
import { emptyBody } from '../records/records.ts';
import { intentOf, oneIntent, oneOffer, renewalAnswer, renewalOf } from './answers.ts';
import { intentBody } from './bodies.ts';

/** The link has the offer's id as its secret: 131 random bits. */
const link = '/pub/season-renewals/{token}';
const counted = { budget: budgets.seasonRenewals };

export const renewalRoutes = [
  seasonBuyerRoute(
    'POST /pub/seasons/{key}/renewal-intents',
    { budget: budgets.buyerCalls, answer: oneIntent, body: intentBody },
    async ({ ports, request, body }) => {
      const answer = { offerId: body.offerId, seasonKey: request.params[0]!, move: 'intend' as const };
      return toldIntent(await ports.catalog('rights.answer-offer', answer));
    },
  ),
  openRoute(`GET ${link}`, { ...counted, answer: renewalAnswer }, async (call) => {
    const found = await call.ports.catalog('rights.find-offer', { offerId: tokenOf(call) });
    return found.ok ? done(renewalOf(found.value.offer, found.value.season)) : found;
  }),
  openRoute(
    `POST ${link}/intent`,
    { ...counted, answer: oneIntent, body: emptyBody, bodyOptional: true },
    async (call) =>
      toldIntent(await call.ports.catalog('rights.answer-offer', { offerId: tokenOf(call), move: 'intend' })),
  ),
  openRoute(`POST ${link}/decline`, { ...counted, answer: oneOffer, body: emptyBody, bodyOptional: true }, (call) =>
    call.ports.catalog('rights.answer-offer', { offerId: tokenOf(call), move: 'decline' }),
  ),
];

function tokenOf({ request }: Pick<Call<'none'>, 'request'>): string {
  return request.params[0]!;
}

function toldIntent(outcome: Outcome<{ offer: Offer }>) {
  return outcome.ok ? done(intentOf(outcome.value.offer)) : outcome;
}
