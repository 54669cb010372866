/**
 * How a page comes to a buyer's session (wire contract 7): with a publishable key it opens one to public sale, with the
 * capability of an access link one to the link's channel. Each is bound to the page's origin, and answered with all that the page draws first.
 *
 * What is awaited, in this order: the key, the event, the map, then the session, which is made (and a link's redemption counted) only
 * when nothing is left that could fail. A failure at any of them is the answer; none leaves anything behind.
 */
import type { MintedBuyerSession } from '@parterre/shared/catalog/access';
import { done, type Outcome, refuse } from '@parterre/shared/errors';
import { jsonType, noStore, Prepared } from '../answer.ts';
import { eventInScope, type KnownEvent, unknownEvent } from '../events-cache.ts';
import type { Ports } from '../ports.ts';
import type { BuyerPrincipal } from '../principals.ts';
import { buyerAudience } from '../rules/audience.ts';
import { budgets } from '../rules/budget.ts';
import { buyerEvent } from '../rules/buyer-event.ts';
import { spliceAll } from '../rules/splice-json.ts';
import { bootstrapBody, redeemBody } from './bodies-buyers.ts';
import { buyerRoute, openRoute, type Request, type Route } from './route.ts';

const reads = { budget: budgets.buyerReads };
/** So that a page needs no preflight: it sends its JSON as plain text. */
const anyType = { anyType: true } as const;

export const buyerSessionRoutes: Route[] = [
  openRoute('POST /pub/events/{key}/bootstrap', { body: bootstrapBody, ...anyType, ...reads }, async (call) => {
    const { ports, request, body } = call;
    // A page that has configured a token as well never falls back to the key.
    const credential = request.authorization || (body.publicKey ? `Bearer ${body.publicKey}` : '');
    const holder = await ports.principals.buyer(credential, request.origin);
    if (!holder.ok) return holder;
    const event = eventInScope(await ports.events.get(request.params[0]!), holder.value);
    return event.ok ? openPublic(ports, request, holder.value, event.value) : event;
  }),
  buyerRoute('POST /pub/events/{key}/session', reads, ({ ports, request, principal, event }) =>
    openPublic(ports, request, principal, event),
  ),
  openRoute('POST /pub/events/{key}/access-links/redeem', { body: redeemBody, ...anyType, ...reads }, async (call) => {
    const { ports, request, body } = call;
    const { capability } = body;
    if (!capability) return nothingHere;
    const event = await ports.events.get(request.params[0]!);
    if (!event.ok) return event;
    const { key: eventKey, status } = event.value.event;
    if (status === 'deleted') return unknownEvent;
    const { origin } = request;
    return openSession(ports, event.value, () =>
      ports.catalog('access-links.redeem', { eventKey, capability, origin }),
    );
  }),
];

const nothingHere = refuse('not_found', 'There is nothing here.');
const needsKey = refuse('buyer_access_invalid', 'A session is opened with a publishable key (pk_…).');

async function openPublic(ports: Ports, { origin }: Request, principal: BuyerPrincipal, event: KnownEvent) {
  if (principal.kind !== 'publishable') return needsKey;
  const { organisationId, workspaceId, mode, key: eventKey } = event.event;
  return openSession(ports, event, () =>
    ports.catalog('buyer-sessions.open-public', { organisationId, workspaceId, mode, eventKey, origin }),
  );
}

async function openSession(
  { feeds, documents }: Ports,
  { event }: KnownEvent,
  mint: () => Promise<Outcome<MintedBuyerSession>>,
): Promise<Outcome<Prepared>> {
  const replica = await feeds.replicaOf(event);
  if (!replica.ok) return replica;
  const { plan, scopes } = replica.value;
  const document = await documents.visible(plan, scopes.hidden);
  if (!document.ok) return document;
  const minted = await mint();
  if (!minted.ok) return minted;
  const { token, session } = minted.value;
  const fields = { token, expiresAt: session.expiresAt, event: buyerEvent(event, replica.value) };
  const objects = Buffer.from(replica.value.objectsJson(buyerAudience(session), true));
  return done(new Prepared(200, [jsonType, noStore], spliceAll(fields, { objects, doc: document.value })));
}
