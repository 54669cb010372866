/** The reads of buyers' browsers, with a publishable key from its registered origin or with a session. */
import { done } from '@parterre/shared/errors';
import { sha256 } from '@parterre/shared/ids';
import { budgets } from '../../admission/admission.ts';
import {
  type Encoding,
  encodingFor,
  etagOfForm,
  type Header,
  hasEtag,
  noStore,
  preparedJson,
  preparedSplice,
  spliceJson,
  unchanged,
  variesByEncoding,
} from '../../answers/answers.ts';
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
  const { hidden } = scopes;
  const fields = { event: buyerEventOf(event, replica.value) };
  const encoding = encodingFor(request.acceptEncoding);
  const plain = `"${sha256(JSON.stringify(fields) + plan.hash + JSON.stringify(hidden))}"`;
  const headersOf = (form: Encoding | null): Header[] => [
    ['ETag', etagOfForm(plain, form)],
    ['Cache-Control', 'private, no-cache'],
    variesByEncoding,
  ];
  if (hasEtag(request.ifNoneMatch, etagOfForm(plain, encoding))) return done(unchanged(headersOf(encoding)));
  const form = encoding && (await inTime(call, ports.documents.compressed(plan, hidden, 'field', encoding)));
  if (form?.ok) return done(preparedSplice(form.value, spliceJson(fields, {}), headersOf(encoding)));
  const document = await inTime(call, ports.documents.visible(plan, hidden));
  if (!document.ok) return document;
  return done(preparedJson(spliceJson(fields, { doc: document.value }), headersOf(null)));
}
