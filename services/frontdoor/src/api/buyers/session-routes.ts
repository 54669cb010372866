/**
 * The ways to a buyer's session. A publishable key opens a session for public sale; the capability of an access link
 * opens one for the link's channel. Each session is bound to the page's origin, and the answer has everything that the
 * page draws first.
 *
 * The awaits come in this order: the key, the event, the chart, then the session. The session is made (and a link's
 * redemption counted) only when nothing else can fail. For a link the capability is checked first: a caller without a
 * valid capability cannot learn whether the event exists. A failure at any await is the answer, and leaves nothing
 * behind.
 */
import type { MintedBuyerSession } from '@parterre/shared/catalog/access';
import { done, type Outcome, refuse } from '@parterre/shared/errors';
import { type BuyerPrincipal, budgets, eventInScope, type KnownEvent, knownInTime } from '../../admission/admission.ts';
import {
  asBytes,
  encodingFor,
  nothingHere,
  preparedJson,
  preparedSplice,
  spliceJson,
  variesByEncoding,
} from '../../answers/answers.ts';
import { buyerAudience } from '../../pictures/pictures.ts';
import { buyerRoute, type Call, inTime, openRoute, pageRoute } from '../calls/calls.ts';
import { buyerEventOf } from '../records/records.ts';
import { bootstrapBody, redeemBody } from './bodies.ts';
import { hasObjectsForm, openingForm } from './objects-form.ts';
import { opened } from './session-answers.ts';

const reads = { budget: budgets.buyerReads };
/** A page that sends its JSON as plain text needs no preflight. */
const plain = { anyType: true, bodyOptional: true } as const;

export const buyerSessionRoutes = [
  pageRoute(
    'POST /pub/events/{key}/bootstrap',
    { answer: opened, body: bootstrapBody, ...plain, ...reads },
    async (call) => {
      const { ports, request, principal } = call;
      const event = eventInScope(await knownInTime(ports, request.params[0]!, request.deadlineAt), principal);
      return event.ok ? openPublic(call, principal, event.value) : event;
    },
  ),
  buyerRoute('POST /pub/events/{key}/session', { ...reads, answer: opened }, (call) =>
    openPublic(call, call.principal, call.event),
  ),
  openRoute(
    'POST /pub/events/{key}/access-links/redeem',
    { answer: opened, body: redeemBody, ...plain, ...reads },
    async (call) => {
      const { ports, request, body } = call;
      const { capability } = body;
      if (!capability) return nothingHere;
      const redemption = { eventKey: request.params[0]!, capability, origin: request.origin };
      const good = await ports.catalog('access-links.check', redemption);
      if (!good.ok) return good;
      const event = await knownInTime(ports, redemption.eventKey, request.deadlineAt);
      return event.ok ? openSession(call, event.value, () => ports.catalog('access-links.redeem', redemption)) : event;
    },
  ),
];

type Asked = Pick<Call<'none'>, 'ports' | 'request'>;

const needsKey = refuse(
  'buyer_access_invalid',
  'Only a publishable key opens a session. Send Authorization: Bearer pk_…',
);

async function openPublic(call: Asked, principal: BuyerPrincipal, event: KnownEvent) {
  if (principal.kind !== 'publishable') return needsKey;
  const { organisationId, workspaceId, mode, key: eventKey } = event.event;
  const { keyId, budgets: own } = principal;
  const { origin } = call.request;
  const opened = { organisationId, workspaceId, mode, eventKey, origin, keyId, ...(own && { budgets: own }) };
  return openSession(call, event, () => call.ports.catalog('buyer-sessions.open-public', opened));
}

async function openSession(call: Asked, { event }: KnownEvent, mint: () => Promise<Outcome<MintedBuyerSession>>) {
  const { feeds, documents } = call.ports;
  const replica = await inTime(call, feeds.replicaOf(event));
  if (!replica.ok) return replica;
  const { plan, scopes } = replica.value;
  const encoding = encodingFor(call.request.acceptEncoding);
  const form = encoding && (await inTime(call, documents.compressed(plan, scopes.hidden, 'field', encoding)));
  const document = form?.ok ? null : await inTime(call, documents.visible(plan, scopes.hidden));
  if (document && !document.ok) return document;
  const minted = await mint();
  if (!minted.ok) return minted;
  const { token, session } = minted.value;
  const fields = { token, expiresAt: session.expiresAt, event: buyerEventOf(event, replica.value) };
  const kept = replica.value.objects(buyerAudience(session), true);
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
