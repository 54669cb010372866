/** What a buyer's browser reads with a publishable key and its registered origin (wire contract 7). */
import { done, type Outcome } from '@parterre/shared/errors';
import { sha256 } from '@parterre/shared/ids';
import { budgets } from '../../admission/budget.ts';
import type { KnownEvent } from '../../admission/events-cache.ts';
import { credentialHash, endOfAccess } from '../../admission/principals.ts';
import { EventStream, jsonType, noStore, Prepared } from '../../answers/answer.ts';
import { hasEtag } from '../../answers/etag.ts';
import { spliceJson } from '../../answers/splice-json.ts';
import { audienceOf } from '../../pictures/audience.ts';
import { buyerRoute, type Call, eventRoute, type Route } from '../calls/route.ts';
import { emptyBody } from '../records/body-parts.ts';
import { buyerEvent } from '../records/buyer-event.ts';

type BuyerCall = Call<'buyer', unknown, KnownEvent>;

const reads = { budget: budgets.buyerReads };

export const buyerRoutes: Route[] = [
  buyerRoute('GET /pub/events/{key}/chart', reads, getChart),
  buyerRoute('GET /pub/events/{key}/objects', reads, async (call) => {
    const replica = await call.ports.feeds.replicaOf(call.event.event);
    if (!replica.ok) return replica;
    const compact = call.request.query.get('compact') === '1';
    const objects = replica.value.objectsJson(audienceOf(call.principal), compact);
    return done(new Prepared(200, [jsonType, noStore], objects));
  }),
  buyerRoute('GET /pub/events/{key}/availability', reads, async ({ ports, request, principal, event }) => {
    const live = request.query.get('live') === '1';
    const summary = await ports.summaries.of(event, audienceOf(principal), live);
    return summary.ok ? done(new Prepared(200, [jsonType, noStore], summary.value)) : summary;
  }),
  buyerRoute('POST /pub/events/{key}/subscribe-tickets', { body: emptyBody, bodyOptional: true }, (call) =>
    call.ports.tickets.issue({
      eventKey: call.event.event.key,
      audience: audienceOf(call.principal),
      keyHash: call.principal.keyHash,
      accessEndsAt: endOfAccess(call.principal),
    }),
  ),
  // With an Upgrade header the same address is a WebSocket: see sockets.ts.
  eventRoute('GET /v1/events/{key}/feed', { capability: 'event:view' }, async (call) => {
    const replica = await call.ports.feeds.replicaOf(call.event.event);
    if (!replica.ok) return replica;
    const keyHash = credentialHash(call.principal, call.request.authorization);
    const access = { keyHash, expiresAt: endOfAccess(call.principal) };
    return done(new EventStream((reader) => call.ports.feeds.stream(replica.value, access, reader)));
  }),
];

/**
 * A closed event still answers. The ETag covers the event's facts, the document, and what of it is hidden. Status, chart and what
 * is hidden are those of the replica: without the inventory's answer nobody can say what a buyer may see.
 */
async function getChart({ ports, request, event: { event } }: BuyerCall): Promise<Outcome<unknown>> {
  const replica = await ports.feeds.replicaOf(event);
  if (!replica.ok) return replica;
  const { plan, scopes } = replica.value;
  const fields = { event: buyerEvent(event, replica.value) };
  const etag = `"${sha256(JSON.stringify(fields) + plan.hash + JSON.stringify(scopes.hidden))}"`;
  const caching = [['ETag', etag] as const, ['Cache-Control', 'private, no-cache'] as const];
  if (hasEtag(request.ifNoneMatch, etag)) return done(new Prepared(304, caching, ''));
  const document = await ports.documents.visible(plan, scopes.hidden);
  if (!document.ok) return document;
  return done(new Prepared(200, [jsonType, ...caching], spliceJson(fields, 'doc', document.value)));
}
