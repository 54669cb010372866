/** The description of buyers' sessions to seasons. */
import { type Description, standIn } from '../../openapi/openapi.ts';
import { known, unknownSeason } from '../seasons/seasons.ts';

const shop = { Origin: 'https://shop.example' };
const publicSale = { includePublic: true, allowedOrigin: 'https://shop.example' };

export const seasonSessionDescriptions = {
  'POST /v1/seasons/{key}/buyer-access-sessions': {
    operationId: 'mintSeasonBuyerSession',
    tag: 'Seasons',
    summary: 'Issue a buyer’s session to a season',
    description:
      'The session sells the plan that was published last, as long as this plan is not superseded. The token is shown ' +
      'once. `channelIdsByEvent` names the channels of each event, whose seats this buyer may take too. `maxQuantity` ' +
      'counts labels, not labels times events.',
    refusals: [...known, 'invalid_season_state', 'invalid_channel_scope', 'shard_unavailable', 'overloaded'],
    examples: [
      { summary: 'To public sale', body: publicSale },
      {
        summary: 'To an unknown channel',
        body: { ...publicSale, channelIdsByEvent: { 'no-such-event': ['chn_0'] } },
        answers: 'invalid_channel_scope',
      },
      {
        summary: 'Without a published plan',
        path: { key: standIn.draftSeason },
        body: publicSale,
        answers: 'invalid_season_state',
      },
      { ...unknownSeason, body: publicSale },
    ],
  },
  'GET /v1/seasons/{key}/buyer-access-sessions': {
    operationId: 'listSeasonBuyerSessions',
    tag: 'Seasons',
    summary: 'The buyers’ sessions to a season, newest first',
    description: 'Sessions that a page has opened with a publishable key are not listed.',
    refusals: known,
    examples: [{ summary: 'All of them' }, unknownSeason],
  },
  'DELETE /v1/seasons/{key}/buyer-access-sessions/{sessionId}': {
    operationId: 'revokeSeasonBuyerSession',
    tag: 'Seasons',
    summary: 'End a buyer’s session',
    refusals: known,
    examples: [
      { summary: 'The session' },
      { summary: 'An unknown session', path: { sessionId: 'ses_0' }, answers: 'not_found' },
    ],
  },
  'POST /pub/seasons/{key}/sessions': {
    operationId: 'openSeasonBuyerSession',
    tag: 'Seasons',
    summary: 'Open a session to public sale of a season with a publishable key',
    description:
      'The key is in the Authorization header or in the body, which is read as JSON under any content type. The token ' +
      'is valid from the Origin of this request, and is shown once.',
    refusals: ['buyer_access_mode_mismatch', 'invalid_season_state', 'catalog_unavailable'],
    examples: [
      { summary: 'With a key', body: { publicKey: standIn.publishableKey }, headers: shop },
      { summary: 'Without a key', body: {}, headers: shop, answers: 'not_found' },
      {
        summary: 'Without a published plan',
        path: { key: standIn.draftSeason },
        body: { publicKey: standIn.publishableKey },
        headers: shop,
        answers: 'invalid_season_state',
      },
      {
        summary: 'Of an unknown season',
        path: { key: 'sea_0' },
        body: { publicKey: standIn.publishableKey },
        headers: shop,
        answers: 'not_found',
      },
    ],
  },
} as const satisfies Record<string, Description>;
