/** The reads of buyers' browsers, with a publishable key from its registered origin or with a session. */
import { done } from '@parterre/shared/errors';
import { sha256 } from '@parterre/shared/ids';
import { budgets } from '../../admission/admission.ts';
import { hasEtag, noStore, preparedJson, spliceJson, unchanged } from '../../answers/answers.ts';
import { audienceOf } from '../../pictures/pictures.ts';
import { type BuyerCall, buyerRoute, inTime } from '../calls/calls.ts';
import { buyerEventOf, buyerObjects } from '../records/records.ts';
import { getBuyerChartAnswer, summary } from './answers.ts';
import { mapQuery, summaryQuery } from './queries.ts';

const reads = { budget: budgets.buyerReads };

export const buyerRoutes = [
  buyerRoute('GET /pub/events/{key}/chart', { ...reads, answer: getBuyerChartAnswer }, getChart),
  buyerRoute('GET /pub/events/{key}/objects', { ...reads, answer: buyerObjects, query: mapQuery }, async (call) => {
    const replica = await inTime(call, call.ports.feeds.replicaOf(call.event.event));
    if (!replica.ok) return replica;
    const objects = replica.value.objectsJson(audienceOf(call.principal), call.query.compact);
    return done(preparedJson(objects, [noStore]));
  }),
  buyerRoute('GET /pub/events/{key}/availability', { ...reads, answer: summary, query: summaryQuery }, async (call) => {
    const { ports, principal, event, query } = call;
    const summary = await inTime(call, ports.summaries.of(event, audienceOf(principal), query.live));
    return summary.ok ? done(preparedJson(summary.value, [noStore])) : summary;
  }),
];

/**
 * A closed event still answers. The ETag covers the event's facts, the document and the hidden divisions. Status, chart
 * and hidden divisions come from the replica, because only the inventory knows what a buyer may see.
 */
async function getChart(call: BuyerCall) {
  const { ports, request } = call;
  const { event } = call.event;
  const replica = await inTime(call, ports.feeds.replicaOf(event));
  if (!replica.ok) return replica;
  const { plan, scopes } = replica.value;
  const fields = { event: buyerEventOf(event, replica.value) };
  const etag = `"${sha256(JSON.stringify(fields) + plan.hash + JSON.stringify(scopes.hidden))}"`;
  const caching = [['ETag', etag] as const, ['Cache-Control', 'private, no-cache'] as const];
  if (hasEtag(request.ifNoneMatch, etag)) return done(unchanged(caching));
  const document = await inTime(call, ports.documents.visible(plan, scopes.hidden));
  if (!document.ok) return document;
  return done(preparedJson(spliceJson(fields, { doc: document.value }), caching));
}
