/** Renewal offers as the organisation makes, reads and moves them. */
import type { Offer, OfferMove } from '@parterre/shared/catalog/rights';
import { done, type Outcome } from '@parterre/shared/errors';
import { SECOND_MS } from '@parterre/shared/units';
import { callIdOf } from '../../admission/admission.ts';
import { type Header, preparedJson, spell } from '../../answers/answers.ts';
import { type Call, serverRoute } from '../calls/calls.ts';
import { emptyBody } from '../records/records.ts';
import { counted, target } from '../seasons/seasons.ts';
import { offersAnswer, oneOffer } from './answers.ts';
import { commitOfferBody, extendOfferBody, offersBody } from './bodies.ts';

type ServerCall = Call<'server', unknown, null, unknown>;

const at = '/v1/seasons/{key}/renewal-offers';
const moved = { ...counted, answer: oneOffer };
const deadlineMs = 30 * SECOND_MS;

export const offerRoutes = [
  serverRoute(
    `POST ${at}`,
    { ...counted, answer: offersAnswer, body: offersBody, status: 201, idempotent: true, deadlineMs },
    (call) => call.ports.catalog('rights.offer', { ...target(call), ...call.body, ...callIdOf(call) }),
  ),
  serverRoute(`GET ${at}`, { ...counted, answer: offersAnswer }, (call) =>
    call.ports.catalog('rights.offers', target(call)),
  ),
  serverRoute(`GET ${at}/{offerId}`, moved, read),
  serverRoute(`GET ${at}/{offerId}/inspect`, moved, read),
  serverRoute(`POST ${at}/{offerId}/extend`, { ...moved, body: extendOfferBody }, (call) =>
    move(call, { move: 'extend', ...call.body }),
  ),
  serverRoute(`POST ${at}/{offerId}/commit`, { ...moved, body: commitOfferBody }, (call) =>
    move(call, { move: 'commit', ...call.body }),
  ),
  serverRoute(`POST ${at}/{offerId}/decline`, { ...moved, body: emptyBody, bodyOptional: true }, (call) =>
    move(call, { move: 'decline' }),
  ),
  serverRoute(`POST ${at}/{offerId}/release`, { ...moved, body: emptyBody, bodyOptional: true }, (call) =>
    move(call, { move: 'release' }),
  ),
];

async function read(call: ServerCall) {
  return told(call, await call.ports.catalog('rights.get-offer', ofPath(call)));
}

async function move(call: ServerCall, asked: OfferMove) {
  return told(call, await call.ports.catalog('rights.move-offer', { ...ofPath(call), ...asked }));
}

function ofPath(call: ServerCall) {
  return { ...target(call), offerId: call.request.params[1]! };
}

/** A renewal that is not in every event yet is polled at the offer's address. */
function told({ request }: ServerCall, outcome: Outcome<{ offer: Offer }>) {
  if (!outcome.ok || outcome.value.offer.state !== 'committing') return outcome;
  const [key, offerId] = request.params.map(encodeURIComponent);
  const address = `/v1/seasons/${key}/renewal-offers/${offerId}`;
  const headers: Header[] = [
    ['Location', address],
    ['Retry-After', '1'],
  ];
  return done(preparedJson(spell(outcome.value), headers, request.method === 'POST' ? 202 : 200));
}
