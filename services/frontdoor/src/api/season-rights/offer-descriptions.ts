/** The description of renewal offers, for organisations and for holders. */
import { type Description, standIn } from '../../openapi/openapi.ts';
import { known, unknownSeason } from '../seasons/seasons.ts';

const unknownOffer = { summary: 'An unknown offer', path: { offerId: 'sro_0' }, answers: 'not_found' } as const;
const unknownLink = { summary: 'An unknown link', path: { token: 'sro_0' }, answers: 'not_found' } as const;
const deadlineAt = 4_000_000_000_000;
const commit = { commitActionId: 'renew-17', orderRef: 'order-17', bookingRef: 'booking-17' };
const moves = [...known, 'conflict'] as const;

export const offerDescriptions = {
  'POST /v1/seasons/{key}/renewal-offers': {
    operationId: 'createSeasonRenewalOffers',
    tag: 'Seasons',
    summary: 'Offer holders their seats in a plan',
    description:
      'One offer a contract: of `contractIds`, or of every contract of the plan that has neither a booking nor an open ' +
      'offer. The seats are reserved in every event of the plan until renewal, decline, release or deadline: to everybody ' +
      'else they are not for sale. All seats are reserved, or none: `conflicts` then lists every seat. A call makes at ' +
      'most 500 offers; with `truncated` repeat the call without `contractIds`.',
    refusals: [...known, 'invalid_season_state', 'conflict', 'shard_unavailable', 'overloaded'],
    examples: [
      { summary: 'Every holder of the plan', body: { deadlineAt } },
      {
        summary: 'An unknown contract',
        body: { deadlineAt, contractIds: ['sco_0'] },
        answers: 'invalid_request',
      },
      { summary: 'A deadline in the past', body: { deadlineAt: 1 }, answers: 'invalid_request' },
      {
        summary: 'A season without a plan',
        path: { key: standIn.draftSeason },
        body: { deadlineAt },
        answers: 'invalid_season_state',
      },
      { ...unknownSeason, body: { deadlineAt } },
    ],
  },
  'GET /v1/seasons/{key}/renewal-offers': {
    operationId: 'listSeasonRenewalOffers',
    tag: 'Seasons',
    summary: 'The offers, newest first',
    refusals: known,
    examples: [{ summary: 'All of them' }, unknownSeason],
  },
  'GET /v1/seasons/{key}/renewal-offers/{offerId}': {
    operationId: 'getSeasonRenewalOffer',
    tag: 'Seasons',
    summary: 'One offer',
    headers: ['Retry-After'],
    refusals: known,
    examples: [{ summary: 'The offer' }, unknownOffer],
  },
  'GET /v1/seasons/{key}/renewal-offers/{offerId}/inspect': {
    operationId: 'inspectSeasonRenewalOffer',
    tag: 'Seasons',
    summary: 'One offer, with the outcome in each event',
    headers: ['Retry-After'],
    refusals: known,
    examples: [{ summary: 'The offer' }, unknownOffer],
  },
  'POST /v1/seasons/{key}/renewal-offers/{offerId}/extend': {
    operationId: 'extendSeasonRenewalOffer',
    tag: 'Seasons',
    summary: 'Move the deadline of an offer to a later time',
    refusals: moves,
    examples: [
      { summary: 'Later', body: { deadlineAt: deadlineAt + 60_000 } },
      { summary: 'Earlier', body: { deadlineAt: 1 }, answers: 'invalid_request' },
      { ...unknownOffer, body: { deadlineAt } },
    ],
  },
  'POST /v1/seasons/{key}/renewal-offers/{offerId}/commit': {
    operationId: 'commitSeasonRenewalOffer',
    tag: 'Seasons',
    summary: 'Renew: book the seats of an offer in every event',
    description:
      'Needs no intent. The answer is 202 with `committing`: poll the address in `Location`. The offer ends as `renewed`, ' +
      'with a successor contract of the same right. A repetition of the same action finds the first.',
    headers: ['Location', 'Retry-After'],
    refusals: moves,
    examples: [
      {
        summary: 'The order of a holder',
        body: { ...commit, planActivationId: standIn.planActivation },
        status: 202,
      },
      { summary: 'Another plan', body: { ...commit, planActivationId: 'spa_0' }, answers: 'conflict' },
      { ...unknownOffer, body: { ...commit, planActivationId: 'spa_0' } },
    ],
  },
  'POST /v1/seasons/{key}/renewal-offers/{offerId}/decline': {
    operationId: 'declineSeasonRenewalOffer',
    tag: 'Seasons',
    summary: 'Decline an offer for its holder, and free the seats',
    refusals: moves,
    examples: [{ summary: 'Declined', body: {} }, unknownOffer],
  },
  'POST /v1/seasons/{key}/renewal-offers/{offerId}/release': {
    operationId: 'releaseSeasonRenewalOffer',
    tag: 'Seasons',
    summary: 'Take an offer back, and free the seats',
    description: 'Also for an offer that was declined or has lapsed. The right of the holder stays.',
    refusals: moves,
    examples: [{ summary: 'Taken back', body: {} }, unknownOffer],
  },
  'POST /pub/seasons/{key}/renewal-intents': {
    operationId: 'intendSeasonRenewal',
    tag: 'Buyers',
    summary: 'Tell that the holder of an offer wants to renew',
    description: 'Books nothing. The organisation commits the offer.',
    refusals: ['conflict'],
    examples: [
      {
        summary: 'The holder renews',
        body: { offerId: standIn.soldOffer },
      },
      {
        summary: 'An unknown offer',
        body: { offerId: 'sro_0' },
        answers: 'not_found',
      },
    ],
  },
  'GET /pub/season-renewals/{token}': {
    operationId: 'getSeasonRenewal',
    tag: 'Buyers',
    summary: 'The offer behind the link that its holder has',
    description: "The token is the offer's id, which nobody can guess.",
    refusals: ['not_found', 'catalog_unavailable'],
    examples: [{ summary: 'The offer' }, unknownLink],
  },
  'POST /pub/season-renewals/{token}/intent': {
    operationId: 'intendSeasonRenewalByLink',
    tag: 'Buyers',
    summary: 'Tell by the link that the holder wants to renew',
    refusals: ['not_found', 'conflict', 'catalog_unavailable'],
    examples: [{ summary: 'The holder renews' }, unknownLink],
  },
  'POST /pub/season-renewals/{token}/decline': {
    operationId: 'declineSeasonRenewalByLink',
    tag: 'Buyers',
    summary: 'Decline the offer by its link',
    refusals: ['not_found', 'conflict', 'catalog_unavailable'],
    examples: [{ summary: 'Declined' }, unknownLink],
  },
} as const satisfies Record<string, Description>;
