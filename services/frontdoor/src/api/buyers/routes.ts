/** The reads of buyers' browsers, with a publishable key from its registered origin or with a session. */
import { done } from '@parterre/shared/errors';
import { markOf } from '@parterre/shared/held-until';
import { sha256 } from '@parterre/shared/ids';
import type { z } from 'zod';
import { type BuyerPrincipal, budgets } from '../../admission/admission.ts';
import {
  formsOf,
  preparedJson,
  preparedSplice,
  preparedWhole,
  type Spelled,
  spliceJson,
  unchanged,
  variesByEncoding,
} from '../../answers/answers.ts';
import { audienceOf } from '../../pictures/pictures.ts';
import { type BuyerCall, buyerRoute, inTime } from '../calls/calls.ts';
import { buyerEventOf, buyerObjects } from '../records/records.ts';
import { buyerSummary, getBuyerChartAnswer } from './answers.ts';
import { hasObjectsForm, objectsForm } from './objects-form.ts';
import { mapQuery, ownQuery } from './queries.ts';

const reads = { budget: budgets.buyerReads };

export const buyerRoutes = [
  buyerRoute('GET /pub/events/{key}/chart', { ...reads, answer: getBuyerChartAnswer }, getChart),
  buyerRoute('GET /pub/events/{key}/objects', { ...reads, answer: buyerObjects, query: mapQuery }, async (call) => {
    const replica = await inTime(call, call.ports.feeds.replicaOf(call.event.event));
    if (!replica.ok) return replica;
    const objects = replica.value.objects(audienceOf(call.principal), call.query.compact);
    const headers = [variesByEncoding];
    const form = hasObjectsForm(objects, call.request.acceptEncoding) ? await objectsForm(objects) : null;
    return done(form ? preparedWhole(form, headers) : preparedJson(objects.body, headers));
  }),
  buyerRoute(
    'GET /pub/events/{key}/availability',
    { ...reads, answer: buyerSummary, query: ownQuery },
    getAvailability,
  ),
];

/** The summary may be shared with other callers. The units that others hold are counted for this caller alone. */
async function getAvailability(call: BuyerCall<unknown, z.output<typeof ownQuery>>) {
  const { ports, principal, event, query } = call;
  const audience = audienceOf(principal);
  const told = await inTime(call, ports.summaries.of(event, audience, query.live));
  if (!told.ok) return told;
  const replica = await inTime(call, ports.feeds.replicaOf(event.event));
  if (!replica.ok) return replica;
  const heldByOthers = replica.value.heldByOthers(audience, marksOf(call));
  const body = `${told.value.slice(0, -1)},"heldByOthers":${heldByOthers}}`;
  return done(preparedJson(body as Spelled<z.output<typeof buyerSummary>, string>));
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
  const etag = `"${sha256(JSON.stringify(fields) + plan.hash + JSON.stringify(hidden))}"`;
  const { encoding, headersOf, isKnown } = formsOf(request, etag, null);
  if (isKnown) return done(unchanged(headersOf(encoding)));
  const form = encoding && (await inTime(call, ports.documents.compressed(plan, hidden, 'field', encoding)));
  if (form?.ok) return done(preparedSplice(form.value, spliceJson(fields, {}), headersOf(encoding)));
  const document = await inTime(call, ports.documents.visible(plan, hidden));
  if (!document.ok) return document;
  return done(preparedJson(spliceJson(fields, { doc: document.value }), headersOf(null)));
}
