/**
 * The calls of buyers' pages, with a publishable key from its registered origin or with a session: sessions, chart and
 * map, and holds (hold, best-available, resume, extend, release).
 *
 * A publishable key opens a session for public sale; the capability of an access link opens a session for the link's
 * channel. Each session is bound to the page's origin. The answer has everything that the page draws first.
 *
 * The awaits of a session come in this order: the key, the event, the chart, then the session. The session is made, and
 * a link's redemption counted, only when nothing else can fail. For a link the capability is checked first: a caller
 * without a valid capability cannot learn whether the event exists. A failure at any await is the answer, and leaves
 * nothing behind.
 */

import type { HeldAnswer, LineItem } from '@parterre/shared/protocol/answers';
import type { Command } from '@parterre/shared/protocol/commands';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { markOf } from '@parterre/shared/protocol/held-until';
import { sha256 } from '@parterre/shared/protocol/ids';
import { idLengthMax, labelsPerSaleMax, referralLengthMax } from '@parterre/shared/protocol/limits';
import type { Worded } from '@parterre/shared/protocol/line-items';
import { holdExtendsMax } from '@parterre/shared/protocol/page-limits';
import { z } from 'zod';
import { type BuyerPrincipal, budgets, eventInScope, type KnownEvent, knownInTime } from '../admission/admission.ts';
import {
  asBytes,
  encodingFor,
  formsOf,
  nothingHere,
  preparedJson,
  preparedSplice,
  preparedWhole,
  type Spelled,
  spliceJson,
  unchanged,
  variesByEncoding,
} from '../answers/answers.ts';
import type { Replica } from '../feeds/feeds.ts';
import { standIn } from '../openapi/openapi.ts';
import { type Audience, audienceOf, buyerAudience, publicAudience, staleMark } from '../pictures/pictures.ts';
import type { ToldSale } from '../summaries/sale-summaries.ts';
import {
  aboutAlternatives,
  aboutReplacing,
  alternatives,
  alternativesAnswer,
  alternativesBody,
  choice,
  choiceOf,
  dryChoice,
  fitsTogether,
  holdTerms,
  kept,
  query,
  queryOf,
  tickets,
} from './best-available.ts';
import { inTime, keyedCall, selectionsOf } from './calls/ask.ts';
import { askForBuyer, askForVisitor, buyerHoldName, callerOfBuyer } from './calls/ask-buyer.ts';
import { hasObjectsForm, objectsForm, openingForm } from './calls/objects-form.ts';
import { isOne, text as textOfQuery } from './calls/query.ts';
import { type BuyerCall, buyerRoute, type Call, openRoute, pageRoute } from './calls/route.ts';
import { chartDocument } from './charts.ts';
import {
  expectedTotal,
  labels,
  namesUnitsOnce,
  namesUnitsOnceMessage,
  refusedHolds,
  refusedUnits,
  soldLabels,
  ttlMs,
} from './inventory.ts';
import { aboutFiles, filesQuery, namedFiles, publicChartOf, publicFiles, type SeenEvent } from './public-charts.ts';
import {
  brokenRule,
  buyerEvent,
  buyerEventOf,
  buyerObjects,
  count,
  epochMs,
  fee,
  id,
  idOf,
  inMoney,
  lineItem,
  ok,
  optional,
  price,
  saleState,
  stale,
  text,
  textOrNull,
  unitLabel,
} from './records.ts';

const minorUnits = z.int().min(0).describe('Minor units of the currency.').nullable();

const saleWindow = z
  .object({
    index: count.min(1).describe('The place in the list of ticket releases, from 1.'),
    count,
    remaining: count.nullable(),
    id: text,
    name: text,
    categoryKey: textOrNull,
    startsAt: epochMs.nullable(),
    endsAt: epochMs.nullable(),
  })
  .nullable();

const priceOverride = z.object({ categoryKey: text, tierId: textOrNull, price });

export const summary = z.object({
  state: saleState,
  opensAt: epochMs
    .nullable()
    .describe('The earliest known time at which the sale begins, or at which more places come on sale; else null.'),
  salesStartAt: epochMs.nullable().describe('When the sale to this buyer begins or began. Null: it has no beginning.'),
  salesEndAt: epochMs.nullable().describe('When the sale ends or ended. Null: it has no end.'),
  companionsUntil: epochMs
    .nullable()
    .describe("From then on, a companion's place is for all once its wheelchair places are sold. Null: at no time."),
  waiting: z
    .object({
      reason: z.enum([
        'event_closed',
        'sales_paused',
        'channel_paused',
        'not_started',
        'sales_ended',
        'sold_out',
        'nothing_for_sale',
        'presale',
      ]),
      opensAt: epochMs.nullable(),
    })
    .nullable()
    .describe('The one reason why a buyer waits; null while there is something to buy.'),
  fromPrice: minorUnits,
  previousPrice: minorUnits,
  fromTotal: minorUnits.describe('As `fromPrice`, with all fees: the least that a buyer pays.'),
  ...inMoney,
  release: saleWindow,
  upcoming: saleWindow,
  offers: z.array(
    z.object({
      offerId: text,
      offerName: text,
      categoryKey: textOrNull,
      price,
      previousPrice: price.nullable(),
      remaining: count.nullable(),
      startsAt: epochMs.nullable(),
      endsAt: epochMs.nullable(),
    }),
  ),
  linkedOffers: z
    .array(
      z.object({
        offerId: text,
        offerName: text,
        action: z.enum(['apply', 'invoice']),
        actionUrl: text,
        categoryKey: textOrNull,
        price,
        previousPrice: price.nullable(),
        startsAt: epochMs.nullable(),
        endsAt: epochMs.nullable(),
      }),
    )
    .describe('Active ticket releases with a page of their own, at `actionUrl`. They price no hold.'),
  prices: z.array(
    z.object({
      categoryKey: text,
      free: count.describe('Units of the category that this buyer may have now.'),
      lowestPrice: price.nullable(),
      highestPrice: price.nullable(),
      price,
      previousPrice: price.nullable(),
      fees: z.array(fee).describe('Of the next seat on public sale.'),
      allIn: z.boolean().describe('true: `price` has the fees in it. Else they come on top.'),
      total: price.describe('`price` with all fees.'),
      offerId: optional(text),
      offerName: optional(text),
      remaining: optional(count),
      startsAt: optional(epochMs),
      endsAt: optional(epochMs),
    }),
  ),
  channelPricing: z
    .object({
      assignmentVersion: count,
      channels: z.array(z.object({ channelId: text, pricingVersion: count, priceOverrides: z.array(priceOverride) })),
      objects: z.array(z.object({ label: text, channelId: text })),
    })
    .nullable(),
});

export const serverTime = epochMs.describe('The time of this answer, by which a page corrects its clock.');

const buyerSummary = summary.extend({
  heldByOthers: count.describe("The units that the map shows as held, without the caller's own."),
  serverTime,
});

const openedSession = z.object({
  token: z.string().regex(/^bse_[0-9A-Za-z]{38}$/),
  expiresAt: epochMs,
  event: buyerEvent,
});

const openedWithFiles = openedSession.extend({
  ...publicFiles,
  availability: optional(buyerSummary).describe(
    'The answer of `GET /pub/events/{key}/availability`, for a session of public sale. Absent where it is not at hand: ' +
      'then ask there.',
  ),
});

const opened = z.union([openedSession.extend({ objects: buyerObjects, doc: chartDocument }), openedWithFiles]);

/** Without a credential the address answers as if it did not exist. */
const credential = optional(z.string().max(200).nullable());

/** Compiled, as the bodies of sales are: the pages of an on-sale come thousands a second. */
export const bootstrapBody = z.compile(z.object({ publicKey: credential }));

const aboutTheAnswer =
  'The token is valid for this event and from the Origin of this request, and is shown once. The answer also has ' +
  'everything that a page draws first: the event, its chart, and the statuses with the most common one as `default`. ' +
  aboutFiles;

const plainText = 'The body is read as JSON under any content type. A page that sends text/plain needs no preflight.';

const ofKeys = [
  'not_found',
  'buyer_access_invalid',
  'buyer_access_origin_mismatch',
  'buyer_access_mode_mismatch',
  'catalog_unavailable',
] as const;

const shop = { Origin: 'https://shop.example' };

const bootstrapBuyer = pageRoute(
  'POST /pub/events/{key}/bootstrap',
  {
    answer: opened,
    body: bootstrapBody,
    query: filesQuery,
    anyType: true,
    bodyOptional: true,
    budget: budgets.buyerReads,
    description: {
      operationId: 'bootstrapBuyer',
      tag: 'Buyers',
      summary: 'Open a session to public sale with a publishable key in the body',
      description:
        `${aboutTheAnswer} ${plainText} The key must be registered for the Origin. If the request has an Authorization ` +
        'header, only that header counts: a page with a token never falls back to public sale. Without any key: 404.',
      refusals: [...ofKeys, 'buyer_access_expired', 'buyer_access_revoked', 'buyer_access_event_mismatch'],
      examples: [
        { summary: 'With a key', body: { publicKey: standIn.publishableKey }, headers: shop },
        {
          summary: 'With public files',
          body: { publicKey: standIn.publishableKey },
          headers: shop,
          query: { files: '1' },
        },
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
  },
  async (call) => {
    const { ports, request, principal, path } = call;
    const event = eventInScope(await knownInTime(ports, path.key, request.deadlineAt), principal);
    return event.ok ? openPublic(call, principal, event.value) : event;
  },
);

type OpeningCall = Pick<Call<'none', unknown, null, z.output<typeof filesQuery>>, 'ports' | 'request' | 'query'>;

const needsKey = refuse(
  'buyer_access_invalid',
  'Only a publishable key opens a session. Send Authorization: Bearer pk_…',
);

async function openPublic(call: OpeningCall, principal: BuyerPrincipal, event: KnownEvent) {
  if (principal.kind !== 'publishable') return needsKey;
  const { organisationId, workspaceId, mode, key: eventKey } = event.event;
  const { keyId, budgets: own } = principal;
  const { origin } = call.request;
  const opened = { organisationId, workspaceId, mode, eventKey, origin, keyId, ...(own && { budgets: own }) };
  return openSession(call, event, async () => {
    const session = await inTime(call, call.ports.openPublicSession(opened));
    return session.ok ? done({ ...session.value, audience: publicAudience }) : session;
  });
}

type Mint = () => Promise<Outcome<{ token: string; expiresAt: number; audience: Audience }>>;

async function openSession(call: OpeningCall, known: KnownEvent, mint: Mint) {
  const replica = await inTime(call, call.ports.feeds.replicaOf(known.event));
  if (!replica.ok) return replica;
  return call.query.files
    ? openWithFiles(call, known, replica.value, mint)
    : openWithDocument(call, known, replica.value, mint);
}

async function openWithFiles(call: OpeningCall, known: KnownEvent, replica: Replica, mint: Mint) {
  const { ports } = call;
  const chart = await publicChartOf(call, known.event.key, replica);
  if (!chart.ok) return chart;
  const minted = await mint();
  if (!minted.ok) return minted;
  const { token, expiresAt, audience } = minted.value;
  const sale = await ports.summaries.atOpening(known, audience);
  const named = namedFiles(ports, { known, replica, audience, sale }, chart.value);
  // A summary for channels lists each of their units. Nobody holds anything in a session that has just begun.
  const isTold = sale !== null && audience === publicAudience;
  const availability = isTold ? `,"availability":${ownSummary(ports, replica, audience, sale, nothingHeld)}` : '';
  const body = `{"token":"${token}","expiresAt":${expiresAt},${named}${availability}}`;
  return done(preparedJson(body as Spelled<z.output<typeof openedWithFiles>, string>));
}

const nothingHeld = { marks: new Set<string>(), isLive: false };

async function openWithDocument(call: OpeningCall, known: KnownEvent, replica: Replica, mint: Mint) {
  const { documents } = call.ports;
  const { plan, scopes } = replica;
  const encoding = encodingFor(call.request.acceptEncoding);
  const form = encoding && (await inTime(call, documents.compressed(plan, scopes.hidden, 'field', encoding)));
  const document = form?.ok ? null : await inTime(call, documents.visible(plan, scopes.hidden));
  if (document && !document.ok) return document;
  const minted = await mint();
  if (!minted.ok) return minted;
  const { token, expiresAt, audience } = minted.value;
  const sale = await call.ports.summaries.atOpening(known, audience);
  const fields = { token, expiresAt, event: buyerEventOf(known.event, replica, sale) };
  const kept = replica.objects(audience, true);
  const headers = [variesByEncoding];
  if (hasObjectsForm(kept, call.request.acceptEncoding)) {
    const chart = await inTime(call, documents.compressed(plan, scopes.hidden, 'field', 'gzip'));
    const opening = chart.ok ? await openingForm(chart.value, kept) : null;
    if (opening) return done(preparedSplice(opening, spliceJson(fields, {}), headers));
  }
  const objects = asBytes(kept.body);
  if (form?.ok) return done(preparedSplice(form.value, spliceJson(fields, { objects }), headers));
  return done(preparedJson(spliceJson(fields, { objects, doc: document!.value }), headers));
}

const openBuyerSession = buyerRoute(
  'POST /pub/events/{key}/session',
  {
    budget: budgets.buyerReads,
    answer: opened,
    query: filesQuery,
    description: {
      operationId: 'openBuyerSession',
      tag: 'Buyers',
      summary: 'Open a session to public sale with a publishable key',
      description: `${aboutTheAnswer} A session's token cannot open another session: 401 \`buyer_access_invalid\`.`,
      examples: [{ summary: 'With a key' }, { summary: 'With public files', query: { files: '1' } }],
    },
  },
  (call) => openPublic(call, call.principal, call.event),
);

const redeemBody = z.object({ capability: credential });

const redeemAccessLink = openRoute(
  'POST /pub/events/{key}/access-links/redeem',
  {
    answer: opened,
    body: redeemBody,
    query: filesQuery,
    anyType: true,
    bodyOptional: true,
    budget: budgets.buyerReads,
    description: {
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
          summary: 'With public files',
          path: { key: standIn.eventWithAccessLink },
          body: { capability: standIn.capability },
          headers: shop,
          query: { files: '1' },
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
  },
  async (call) => {
    const { ports, request, body, path } = call;
    const { capability } = body;
    if (!capability) return nothingHere;
    const redemption = { eventKey: path.key, capability, origin: request.origin };
    const good = await ports.catalog('access-links.check', redemption);
    if (!good.ok) return good;
    const event = await knownInTime(ports, redemption.eventKey, request.deadlineAt);
    if (!event.ok) return event;
    return openSession(call, event.value, async () => {
      const minted = await ports.catalog('access-links.redeem', redemption);
      if (!minted.ok) return minted;
      const { token, session } = minted.value;
      return done({ token, expiresAt: session.expiresAt, audience: buyerAudience(session) });
    });
  },
);

const shownChart = z.object({ event: buyerEvent, stale });

const shownChartWithFiles = shownChart.extend(publicFiles);

const getBuyerChartAnswer = z.union([shownChart.extend({ doc: chartDocument }), shownChartWithFiles]);

const getBuyerChart = buyerRoute(
  'GET /pub/events/{key}/chart',
  {
    budget: budgets.buyerReads,
    answer: getBuyerChartAnswer,
    query: filesQuery,
    description: {
      operationId: 'getBuyerChart',
      tag: 'Buyers',
      summary: 'The chart that a buyer sees',
      description: `A closed event still answers. ${aboutFiles}`,
      headers: ['ETag'],
      examples: [
        { summary: 'The map' },
        { summary: 'The public files', query: { files: '1' } },
        {
          summary: 'Of a live event, with a test key',
          path: { key: standIn.liveEvent },
          answers: 'buyer_access_mode_mismatch',
        },
      ],
    },
  },
  getChart,
);

/**
 * A closed event still answers. The ETag covers the event's facts, the document and the hidden divisions. Status, chart
 * and hidden divisions come from the replica, because only the inventory knows what a buyer may see.
 */
async function getChart(call: BuyerCall<unknown, z.output<typeof filesQuery>>) {
  const { ports } = call;
  const { event } = call.event;
  const replica = await inTime(call, ports.feeds.replicaOf(event));
  if (!replica.ok) return replica;
  const audience = audienceOf(call.principal);
  const sale = await ports.summaries.atOpening(call.event, audience);
  if (call.query.files) return chartFiles(call, { known: call.event, replica: replica.value, audience, sale });
  const fields = { event: buyerEventOf(event, replica.value, sale), ...(replica.value.isStale && staleMark) };
  return chartWithDocument(call, replica.value, fields);
}

type ShownChart = z.output<typeof shownChart>;

async function chartFiles(call: BuyerCall, seen: SeenEvent) {
  const { ports, request, event } = call;
  const chart = await publicChartOf(call, event.event.key, seen.replica);
  if (!chart.ok) return chart;
  const staleness = seen.replica.isStale ? ',"stale":true' : '';
  const json = `{${namedFiles(ports, seen, chart.value)}${staleness}}`;
  const body = json as Spelled<z.output<typeof shownChartWithFiles>, string>;
  const { headersOf, isKnown } = formsOf(request, `"${sha256(body)}"`, null, () => false);
  return done(isKnown ? unchanged(headersOf(null)) : preparedJson(body, headersOf(null)));
}

async function chartWithDocument(call: BuyerCall, { plan, scopes: { hidden } }: Replica, fields: ShownChart) {
  const { ports, request } = call;
  const etag = `"${sha256(JSON.stringify(fields) + plan.hash + JSON.stringify(hidden))}"`;
  const { encoding, headersOf, isKnown } = formsOf(request, etag, null);
  if (isKnown) return done(unchanged(headersOf(encoding)));
  const form = encoding && (await inTime(call, ports.documents.compressed(plan, hidden, 'field', encoding)));
  if (form?.ok) return done(preparedSplice(form.value, spliceJson(fields, {}), headersOf(encoding)));
  const document = await inTime(call, ports.documents.visible(plan, hidden));
  if (!document.ok) return document;
  return done(preparedJson(spliceJson(fields, { doc: document.value }), headersOf(null)));
}

const mapQuery = z.object({
  compact: isOne('1 makes the most common status the default; otherwise the default is free.'),
});

const getBuyerObjects = buyerRoute(
  'GET /pub/events/{key}/objects',
  {
    budget: budgets.buyerReads,
    answer: buyerObjects,
    query: mapQuery,
    description: {
      operationId: 'getBuyerObjects',
      tag: 'Buyers',
      summary: 'The status of every unit that a buyer sees',
      description:
        'Units that are blocked, closed or of another channel are all `not_for_sale`, so that they cannot be told apart.',
      examples: [
        { summary: 'By label' },
        { summary: 'With the most common status as the default', query: { compact: '1' } },
      ],
    },
  },
  async (call) => {
    const replica = await inTime(call, call.ports.feeds.replicaOf(call.event.event));
    if (!replica.ok) return replica;
    const objects = replica.value.objects(audienceOf(call.principal), call.query.compact);
    const headers = [variesByEncoding];
    const form = hasObjectsForm(objects, call.request.acceptEncoding) ? await objectsForm(objects) : null;
    return done(form ? preparedWhole(form, headers) : preparedJson(objects.body, headers));
  },
);

export const summaryQuery = z.object({
  live: isOne('1 asks the inventory now; otherwise the answer is up to a second old.'),
});

const ownQuery = summaryQuery.extend({
  holdId: textOfQuery('A hold of the caller from before its present session. `heldByOthers` leaves it out.'),
});

const getSaleSummary = buyerRoute(
  'GET /pub/events/{key}/availability',
  {
    budget: budgets.buyerReads,
    answer: buyerSummary,
    query: ownQuery,
    description: {
      operationId: 'getSaleSummary',
      tag: 'Buyers',
      summary: 'Whether there is something to buy, and the lowest price',
      description:
        '`state` is `closed` if the event, or every channel in reach, is closed for sale, or the sale has ended ' +
        '(`sales_ended`); `sold-out` if units within the reach of the key or session are for sale and each is held or ' +
        'booked; `presale` before `salesStartAt` (`not_started`), and if nothing is for sale yet (hidden, timed, closed or blocked parts, seats of other channels), or if every category with free ' +
        'units has ticket releases and all of them are upcoming (until the first starts, seats are sold at ordinary ' +
        'prices). `opensAt` is the earliest time that is known: `salesStartAt`, of a timed rule, the end of a block, or a ticket release; `low` if less ' +
        'than a tenth of the sellable units is free; else `on-sale`. Units that are not for sale to this buyer do ' +
        'not count. `prices` has each category with seats for this buyer, with the price of its next seat on public ' +
        'sale, in units of `priceUnit`: the price of the first active ticket release that fits the category and has units ' +
        'left (the `offer…` fields belong to this ticket release), else the price of the category, or of the tier at ' +
        'which a plain seat is sold. `heldByOthers` counts the units that the map shows as held now, without the holds ' +
        'of the calling session and without the hold that `holdId` names. ' +
        '`fromPrice` and `previousPrice` are the lowest prices of all free units, ' +
        "channels' own prices included, in minor units (1250 is 12.50 EUR), and null if nothing can be bought. Places " +
        'with an accessibility kind count only while no other place is free. `lowestPrice` and `highestPrice` are those ' +
        'of a category over all its tiers but companion tiers, in units of `priceUnit`. `offers` are the ticket releases that ' +
        'sell now, in the order in which they price. A hold prices its places one after the other: by the price of the ' +
        "place's channel, else (in a category without tiers) by the first offer that fits the category and has units " +
        'left, else by the tier or category. `waiting` is the one reason why there is nothing to buy now, or why prices ' +
        'are not yet those of the sale (`presale`, which opens at `opensAt`). ' +
        '`release` is the first ticket release that sets prices now, `upcoming` the next to start. `channelPricing` ' +
        'gives a session of channels the seats and prices of its channels; it is null for all other callers.',
      examples: [
        { summary: 'A summary' },
        { summary: 'Live, with a ticket release', path: { key: standIn.eventWithReleases }, query: { live: '1' } },
        {
          summary: "Without the caller's hold",
          path: { key: standIn.heldEvent },
          query: { live: '1', holdId: standIn.hold },
        },
        { summary: 'Of a closed event', path: { key: standIn.closedEvent } },
      ],
    },
  },
  getAvailability,
);

/** The summary may be shared with other callers. The units that others hold are counted for this caller alone. */
async function getAvailability(call: BuyerCall<unknown, z.output<typeof ownQuery>>) {
  const { ports, principal, event, query } = call;
  const audience = audienceOf(principal);
  const told = await inTime(call, ports.summaries.of(event, audience, query.live));
  if (!told.ok) return told;
  const replica = await inTime(call, ports.feeds.replicaOf(event.event));
  if (!replica.ok) return replica;
  const own = { marks: marksOf(call), isLive: query.live };
  return done(preparedJson(ownSummary(ports, replica.value, audience, told.value, own)));
}

/** The summary for the caller whose own holds have these marks. */
function ownSummary(
  { clock }: OpeningCall['ports'],
  replica: Replica,
  audience: Audience,
  { body }: ToldSale,
  { marks, isLive }: { marks: ReadonlySet<string>; isLive: boolean },
): Spelled<z.output<typeof buyerSummary>, string> {
  const heldByOthers = replica.heldByOthers(audience, marks, isLive);
  const json = `${body.slice(0, -1)},"heldByOthers":${heldByOthers},"serverTime":${clock.now()}}`;
  return json as Spelled<z.output<typeof buyerSummary>, string>;
}

/** The marks of the caller's own holds: the holds of its session, and the hold whose id it knows. */
function marksOf({
  principal,
  query,
}: {
  principal: BuyerPrincipal;
  query: { holdId: string | undefined };
}): Set<string> {
  const ids = [principal.kind === 'buyer' ? principal.sessionId : undefined, query.holdId];
  return new Set(ids.flatMap((id) => (id === undefined ? [] : [markOf(id)])));
}

const labelsOfAnswer = z.array(z.string());

const held = z.object({
  ok,
  holdId: idOf('hld'),
  expiresAt: epochMs,
  labels: labelsOfAnswer,
  items: z.array(lineItem),
  seats: z.array(z.object({ label: z.string(), tierId: textOrNull })),
  brokenRules: optional(z.array(brokenRule).describe('Rules of the event that the choice breaks; none refuses it.')),
});

const selection = z.object({
  label: unitLabel,
  tierId: optional(z.string().max(idLengthMax).nullable()),
  quantity: optional(z.int().min(1).max(labelsPerSaleMax)),
});

/**
 * Request bodies of buyers' browsers. They never have a price: line items come from the inventory. The bodies of sales
 * are compiled (inventory.ts).
 */
export const buyerHoldBody = z.compile(
  z
    .object({
      labels: optional(soldLabels),
      selections: optional(z.array(selection).min(1).max(labelsPerSaleMax)),
      ttlMs: optional(ttlMs),
      replaceHoldId: optional(id),
      expectedTotal,
      referral: optional(z.string().max(referralLengthMax).nullable()),
    })
    .refine(namesUnitsOnce, namesUnitsOnceMessage),
);

const aboutChoices =
  "The event's `selectionRules` bind buyers who choose: a broken rule is 409 `selection_rules_broken`. `problems` lists " +
  'every broken rule (`orphan_seat`, `category_limit`, `tier_limit`, `min_places`, `exact_places`, `not_consecutive`) ' +
  'with its `labels`, and `reason` is the first. With `highlightOnly` nothing is refused, and `brokenRules` lists them. A ' +
  'seat that was single before is no orphan, and neither is a seat that no choice of as many neighbours in its category ' +
  'would save. With `expectedTotal`, prices that have changed are 409 ' +
  '`price_changed`, with the `items` and `total` of now. A refused hold leaves the replaced hold as it was.';

const ofUnits = [
  ...refusedUnits,
  'price_missing',
  'conflict',
  'event_closed',
  'sales_not_started',
  'sales_ended',
] as const;

/** Further refusals of a session of channels, of one with a bound on its quantity, and of public sale. */
const ofSessions = [
  'channel_access_denied',
  'channel_paused',
  'allocation_exhausted',
  'max_quantity_exceeded',
  'public_limit',
] as const;

const holdBuyerSeats = buyerRoute(
  'POST /pub/events/{key}/hold',
  {
    answer: held,
    body: buyerHoldBody,
    budget: budgets.buyerHolds,
    description: {
      operationId: 'holdBuyerSeats',
      tag: 'Buyers',
      summary: 'Hold units for a buyer, all of them or none',
      description:
        'Like `POST /v1/events/{key}/hold`, for the units that a buyer may have. Units that are blocked, hidden or in a ' +
        'closed section are conflicts with the same `status`, `not_for_sale`. Units outside the reach of the key or ' +
        'session are 403 `channel_access_denied`, units of a paused channel within it 403 `channel_paused`, both with ' +
        '`labels`. Prices come from the inventory only. `seats` names each unit with its tier. More than a session may have in all its ' +
        'holds and bookings is 409 `max_quantity_exceeded`, with `maxQuantity` and `used`. More than `buyerLimit` for the ' +
        '`buyerRef` of the session is 409 `buyer_limit`, with `limit` and `left`. A key, and a session that a key ' +
        'opened, have the bounds of `publicSale`: more places in one hold, or held at one time by one session or address, ' +
        'are 409 `public_limit` with `limit`, `left` and `reason` (`max_per_hold`, `max_held_per_session`, ' +
        '`max_held_per_address`). Their `ttlMs` counts up to the hold TTL of the event. They may hold the same places for ' +
        'an hour, with pauses of less than 15 minutes; then `reason` is `hold_time`. Places of an area of which ' +
        'a session of channels only has none left are 409 `allocation_exhausted`. Before `salesStartAt` a hold is 409 ' +
        '`sales_not_started` with `opensAt`, from `salesEndAt` on 409 `sales_ended`; holds that live stay. `referral` is checked for its ' +
        'length (120 characters) and not kept. `quantity` is at most 1,000. An Idempotency-Key names the hold within ' +
        `the same key or session. ${aboutChoices}`,
      refusals: [...ofUnits, ...ofSessions, 'selection_rules_broken', 'price_changed'],
      examples: [
        { summary: 'Two seats', body: { labels: ['A-1', 'A-2'] } },
        {
          summary: 'Tiers, and places of an area',
          body: {
            selections: [
              { label: 'B-1', tierId: 'child' },
              { label: 'Floor', quantity: 3 },
            ],
            referral: 'newsletter',
          },
          headers: { 'Idempotency-Key': 'visit-7f3a' },
        },
        {
          summary: 'A held seat',
          path: { key: standIn.heldEvent },
          body: { labels: ['A-5'] },
          answers: 'conflict',
        },
        {
          summary: 'In place of an earlier hold',
          path: { key: standIn.heldEvent },
          body: { labels: ['A-5', 'A-7'], replaceHoldId: standIn.hold },
        },
        {
          summary: 'A choice that leaves a single seat, with too many children',
          path: { key: standIn.eventWithSelectionRules },
          body: {
            selections: [
              { label: 'A-2' },
              { label: 'B-1', tierId: 'child' },
              { label: 'B-2', tierId: 'child' },
              { label: 'B-3', tierId: 'child' },
            ],
          },
          answers: 'selection_rules_broken',
        },
        {
          summary: 'At a price that was shown before',
          body: { labels: ['B-5'], expectedTotal: 1 },
          answers: 'price_changed',
        },
        ...refusedHolds,
        { summary: 'Without units', body: {}, answers: 'invalid_request' },
      ],
    },
  },
  async (call) => {
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
  },
);

function heldBody({ holdId, expiresAt, labels, items, brokenRules }: Worded<HeldAnswer>) {
  const seats = items.flatMap((item) => labelsOf(item).map((label) => ({ label, tierId: item.tierId })));
  return { ok: true as const, holdId, expiresAt, labels, items, seats, ...(brokenRules && { brokenRules }) };
}

/** One line of an area has several places. */
function labelsOf({ label, labels }: LineItem): string[] {
  return labels ?? [label];
}

const bestHeld = held.extend({ ...choice, kept });

const buyerBestAvailableBody = z
  .object({ ...query, ...tickets, alternatives, ttlMs: optional(ttlMs), replaceHoldId: optional(id) })
  .superRefine(fitsTogether);

const holdBuyerBestAvailable = buyerRoute(
  'POST /pub/events/{key}/best-available',
  {
    answer: z.union([bestHeld, alternativesAnswer]),
    body: buyerBestAvailableBody,
    budget: budgets.buyerHolds,
    description: {
      operationId: 'holdBuyerBestAvailable',
      tag: 'Buyers',
      summary: "Hold the best seats within a buyer's reach",
      description:
        'The choice works like `POST /v1/events/{key}/best-available`, among the seats within the reach of the key or ' +
        'session, with the same fields but those of access. If no seat is left for a session of channels only: 409 ' +
        `\`allocation_exhausted\`. ${aboutReplacing} ${aboutAlternatives} The limits of the event's \`selectionRules\` narrow the search to the ` +
        'categories that may have the whole party; 409 `selection_rules_broken` if there is none.',
      refusals: [
        'unknown_labels',
        'not_for_sale',
        'unknown_tier',
        'companion_pair_required',
        'price_missing',
        'conflict',
        'selection_rules_broken',
        'event_closed',
        'sales_not_started',
        'sales_ended',
        ...ofSessions,
      ],
      examples: [
        { summary: 'Two seats', body: { qty: 2 } },
        { summary: 'Of a category', body: { qty: 4, categoryKey: 'balcony', ttlMs: 300_000 } },
        {
          summary: 'Of two categories, with tickets',
          body: { qty: 2, categoryKeys: ['stalls', 'balcony'], tickets: [{ tierId: 'child', qty: 2 }] },
        },
        {
          summary: 'In place of an earlier hold',
          path: { key: standIn.heldEvent },
          body: { qty: 2, replaceHoldId: standIn.hold },
        },
        { summary: 'Three choices, nothing held', body: { qty: 2, aisle: true, alternatives: 3 } },
        { summary: 'More than there are together', body: { qty: 50, categoryKey: 'balcony' }, answers: 'conflict' },
        {
          summary: 'Of a category that is not for sale',
          body: { qty: 1, categoryKey: 'house' },
          answers: 'not_for_sale',
        },
        {
          summary: 'Of a closed event',
          path: { key: standIn.closedEvent },
          body: { qty: 2 },
          answers: 'event_closed',
        },
      ],
    },
  },
  async (call) => {
    const { body } = call;
    const dry = dryChoice(body);
    if (dry) {
      const chosen = await askForBuyer(call, dry);
      return chosen.ok ? done(alternativesBody(body, chosen.value)) : chosen;
    }
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
);

const resumeBuyerHoldAnswer = z.object({
  holdId: idOf('hld'),
  expiresAt: epochMs,
  items: z.array(lineItem),
  labels: labelsOfAnswer,
});

const resumeBody = z.object({ holdId: id });

const whoMayUseHold =
  'A caller may use a hold if it knows the id and has the same reach as the caller that made the hold, for example a ' +
  'fresh session after a reload.';

const endedHold = {
  booked: 'This hold has been booked.',
  released: 'This hold was released. Hold seats again.',
  expired: 'The time of this hold is up. Hold seats again.',
};

const resumeBuyerHold = buyerRoute(
  'POST /pub/events/{key}/hold/resume',
  {
    budget: budgets.buyerCalls,
    answer: resumeBuyerHoldAnswer,
    body: resumeBody,
    description: {
      operationId: 'resumeBuyerHold',
      tag: 'Buyers',
      summary: 'Find a hold again, after a reload',
      description:
        `${whoMayUseHold} An ended or unknown hold is not found. For a day after its end the refusal has the ` +
        '`status` of the hold: released, expired or booked.',
      refusals: ['hold_not_found'],
      examples: [
        { summary: 'An active hold', path: { key: standIn.heldEvent }, body: { holdId: standIn.hold } },
        { summary: 'An unknown hold', body: { holdId: 'hld_0' }, answers: 'hold_not_found' },
      ],
    },
  },
  async (call) => {
    const answer = await askForBuyer(call, { type: 'inspect-hold', holdId: call.body.holdId });
    if (!answer.ok) return answer;
    const { holdId, status, expiresAt, items } = answer.value;
    return status === 'active'
      ? done({ holdId, expiresAt, items, labels: items.flatMap(labelsOf) })
      : refuse('hold_not_found', endedHold[status], { details: { status } });
  },
);

const extendBuyerHoldAnswer = z.object({ holdId: idOf('hld'), expiresAt: epochMs, extends: count });

const buyerExtendBody = z.object({ holdId: id, ttlMs: optional(ttlMs) });

const extendBuyerHold = buyerRoute(
  'POST /pub/events/{key}/extend',
  {
    budget: budgets.buyerCalls,
    answer: extendBuyerHoldAnswer,
    body: buyerExtendBody,
    description: {
      operationId: 'extendBuyerHold',
      tag: 'Buyers',
      summary: "Extend a buyer's hold",
      description:
        `${whoMayUseHold} At most ${holdExtendsMax} times, and no hold lasts beyond an hour after its creation. ` +
        'With `replaceHoldId` the first hold and its renewals count. The `reason` of a refusal is not_found, expired, ' +
        'not_active (booked or released) or extend_limit, and `status` is that of the hold. An unknown ' +
        'hold is 404 `hold_not_found`.',
      refusals: ['cannot_extend', 'hold_not_found', 'event_closed'],
      examples: [
        { summary: 'By the usual hold window', path: { key: standIn.heldEvent }, body: { holdId: standIn.hold } },
        { summary: 'An unknown hold', body: { holdId: 'hld_0' }, answers: 'hold_not_found' },
      ],
    },
  },
  async (call) => {
    const { holdId, ttlMs } = call.body;
    const answer = await askForVisitor(call, {
      type: 'extend',
      holdId,
      ...keyedCall(call, 'extend', holdId),
      ...(ttlMs === undefined ? {} : { ttlMs }),
    });
    if (!answer.ok) return answer;
    const { expiresAt, extends: renewals } = answer.value;
    return done({ holdId, expiresAt, extends: renewals });
  },
);

const releaseBuyerHoldAnswer = z.object({ ok, released: labelsOfAnswer });

export const buyerReleaseBody = z.compile(z.object({ holdId: id, labels: optional(labels(labelsPerSaleMax)) }));

const releaseBuyerHold = buyerRoute(
  'POST /pub/events/{key}/release',
  {
    budget: budgets.buyerCalls,
    answer: releaseBuyerHoldAnswer,
    body: buyerReleaseBody,
    description: {
      operationId: 'releaseBuyerHold',
      tag: 'Buyers',
      summary: 'Release a hold, or some of its units',
      description:
        `${whoMayUseHold} \`released\` has every named label, even if the hold no longer had it, so the call may be ` +
        'repeated. A named area appears with the places that it gave back.',
      refusals: ['hold_not_found', 'unknown_labels', 'conflict', 'event_closed'],
      examples: [
        {
          summary: 'One seat of it',
          path: { key: standIn.heldEvent },
          body: { holdId: standIn.hold, labels: ['A-5'] },
        },
        { summary: 'All of it', path: { key: standIn.heldEvent }, body: { holdId: standIn.hold } },
        { summary: 'An unknown hold', body: { holdId: 'hld_0' }, answers: 'hold_not_found' },
        {
          summary: 'A label that the chart lacks',
          path: { key: standIn.heldEvent },
          body: { holdId: standIn.hold, labels: ['Z-9'] },
          answers: 'unknown_labels',
        },
      ],
    },
  },
  async (call) => {
    const { holdId, labels = [] } = call.body;
    const answer = await askForBuyer(call, {
      type: 'release',
      holdId,
      ...keyedCall(call, 'release', holdId),
      ...(labels.length === 0 ? {} : { labels }),
    });
    // A page may release units that its hold has already lost. The answer is the same.
    return answer.ok ? done({ ok: true, released: [...new Set([...labels, ...answer.value.released])] }) : answer;
  },
);

export const buyersRoutes = [
  bootstrapBuyer,
  openBuyerSession,
  redeemAccessLink,
  getBuyerChart,
  getBuyerObjects,
  getSaleSummary,
  holdBuyerSeats,
  holdBuyerBestAvailable,
  resumeBuyerHold,
  extendBuyerHold,
  releaseBuyerHold,
];
