/** The description of opening a buyer's session. */
import { type Description, standIn } from '../../openapi/openapi.ts';

const aboutTheAnswer =
  'The token is valid for this event and from the Origin of this request, and is shown once. The answer also has ' +
  'everything that a page draws first: the event, its chart, and the statuses with the most common one as `default`.';
const plainText = 'The body is read as JSON under any content type. A page that sends text/plain needs no preflight.';
const shop = { Origin: 'https://shop.example' };

const ofKeys = [
  'not_found',
  'buyer_access_invalid',
  'buyer_access_origin_mismatch',
  'buyer_access_mode_mismatch',
  'catalog_unavailable',
] as const;

export const buyerSessionDescriptions = {
  'POST /pub/events/{key}/bootstrap': {
    operationId: 'bootstrapBuyer',
    tag: 'Buyers',
    summary: 'Open a session to public sale with a publishable key in the body',
    description:
      `${aboutTheAnswer} ${plainText} The key must be registered for the Origin. If the request has an Authorization ` +
      'header, only that header counts: a page with a token never falls back to public sale. Without any key: 404.',
    refusals: [...ofKeys, 'buyer_access_expired', 'buyer_access_revoked', 'buyer_access_event_mismatch'],
    examples: [
      { summary: 'With a key', body: { publicKey: standIn.publishableKey }, headers: shop },
      { summary: 'Without a key', body: {}, headers: shop, answers: 'not_found' },
      {
        summary: 'With an unknown key',
        body: { publicKey: 'pk_test_00000000000000000000' },
        headers: shop,
        answers: 'buyer_access_invalid',
      },
      {
        summary: 'From another origin',
        body: { publicKey: standIn.publishableKey },
        headers: { Origin: 'https://elsewhere.example' },
        answers: 'buyer_access_origin_mismatch',
      },
      {
        summary: 'Of a live event, with a test key',
        path: { key: standIn.liveEvent },
        body: { publicKey: standIn.publishableKey },
        headers: shop,
        answers: 'buyer_access_mode_mismatch',
      },
    ],
  },
  'POST /pub/events/{key}/session': {
    operationId: 'openBuyerSession',
    tag: 'Buyers',
    summary: 'Open a session to public sale with a publishable key',
    description: `${aboutTheAnswer} A session's token cannot open another session: 401 \`buyer_access_invalid\`.`,
    examples: [{ summary: 'With a key' }],
  },
  'POST /pub/events/{key}/access-links/redeem': {
    operationId: 'redeemAccessLink',
    tag: 'Buyers',
    summary: "Open a session to an access link's channel",
    description:
      `${aboutTheAnswer} ${plainText} The capability is in the fragment of the link's address. Each opened session ` +
      'counts as a redemption. No key is needed or read. Without a capability: 404. Without a secure Origin: 403. A link that admits nobody any ' +
      'more is 401 `buyer_access_revoked`, with reason `access_link_expired` or `access_link_exhausted` unless it ' +
      'was revoked; trying the same link again never helps.',
    refusals: [
      'not_found',
      'buyer_access_invalid',
      'buyer_access_origin_mismatch',
      'buyer_access_revoked',
      'catalog_unavailable',
    ],
    examples: [
      {
        summary: 'A link',
        path: { key: standIn.eventWithAccessLink },
        body: { capability: standIn.capability },
        headers: shop,
      },
      {
        summary: 'A link of another event',
        body: { capability: 'acl_0' },
        headers: shop,
        answers: 'buyer_access_invalid',
      },
      { summary: 'Without a capability', body: {}, headers: shop, answers: 'not_found' },
      {
        summary: 'From no page',
        path: { key: standIn.eventWithAccessLink },
        body: { capability: standIn.capability },
        answers: 'buyer_access_origin_mismatch',
      },
    ],
  },
} as const satisfies Record<string, Description>;
