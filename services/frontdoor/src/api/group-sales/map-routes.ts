/**
 * A buyer's page of a performance group draws the group, its chart, and one map of all performances. The map's
 * revision is the sum of the events' versions: it grows with every change of an event, and is the same at every front
 * door. A change of the group's state changes its events too.
 */
import { done, type Outcome } from '@parterre/shared/errors';
import { sha256 } from '@parterre/shared/ids';
import { z } from 'zod';
import { budgets } from '../../admission/admission.ts';
import { type Header, hasEtag, noStore, preparedJson, type Spelled, spell, unchanged } from '../../answers/answers.ts';
import type { Replica } from '../../feeds/feeds.ts';
import type { Audience } from '../../pictures/pictures.ts';
import { type Call, choice, groupBuyerRoute, inTime } from '../calls/calls.ts';
import { chartDocument } from '../charts/charts.ts';
import { groupDetailOf, groupState, isOnSale, oneGroup } from '../groups/groups.ts';
import { buyerStatus, count, optional, text } from '../records/records.ts';
import { audienceIn, groupOfPath, membersOf } from './group-calls.ts';
import { groupMap, type PerformanceMap, performanceSeats } from './group-map.ts';
import { keptMap } from './kept-maps.ts';

const reads = { budget: budgets.buyerReads };
const seats = z.record(text, buyerStatus);

const mapQuery = z.object({
  view: choice(
    'per-performance adds the map of each performance.',
    ['per-performance'],
    'There is no such view. Leave out the view, or ask for per-performance.',
  ),
});

const groupObjects = z.object({
  revision: count.describe('Grows with every change of a seat.'),
  state: groupState,
  salesClosed: z.boolean().describe('True while a performance sells nothing.'),
  seats: seats.describe('Every label. Free where every performance has it free, else the firmest status.'),
  partial: z.record(text, z.array(text)).describe('Labels that some performances have free, and who lacks them.'),
  performances: optional(z.array(z.object({ eventKey: text, seats, salesClosed: z.boolean() }))),
});

type BuyerCall<Query = unknown> = Call<'group-buyer', unknown, null, Query>;

export const groupMapRoutes = [
  groupBuyerRoute('GET /pub/performance-groups/{key}/descriptor', { ...reads, answer: oneGroup }, async (call) => {
    const group = await groupOfPath(call);
    if (!group.ok) return group;
    const members = await membersOf(call, group.value);
    if (!members.ok) return members;
    const events = members.value.map(({ event }) => event);
    const body = { performanceGroup: groupDetailOf({ group: group.value, events }) };
    return done(preparedJson(spell(body), [noStore]));
  }),
  groupBuyerRoute('GET /pub/performance-groups/{key}/chart', { ...reads, answer: chartDocument }, getChart),
  groupBuyerRoute(
    'GET /pub/performance-groups/{key}/objects',
    { ...reads, answer: groupObjects, query: mapQuery },
    getObjects,
  ),
];

type Maps = { state: z.output<typeof groupState>; replicas: Replica[] };

async function replicasOf(call: BuyerCall): Promise<Outcome<Maps>> {
  const group = await groupOfPath(call);
  if (!group.ok) return group;
  const members = await membersOf(call, group.value);
  if (!members.ok) return members;
  const replicas: Replica[] = [];
  const found = members.value.map(({ event }) => inTime(call, call.ports.feeds.replicaOf(event)));
  for (const replica of await Promise.all(found)) {
    if (!replica.ok) return replica;
    replicas.push(replica.value);
  }
  return done({ state: group.value.state, replicas });
}

/** A division is left out if every performance hides it. */
async function getChart(call: BuyerCall) {
  const found = await replicasOf(call);
  if (!found.ok) return found;
  const [first, ...others] = found.value.replicas;
  const { plan, scopes } = first!;
  const hidden = scopes.hidden.filter((id) => others.every((each) => each.scopes.hidden.includes(id)));
  const etag = `"${sha256(plan.hash + JSON.stringify(hidden))}"`;
  const caching: Header[] = [
    ['ETag', etag],
    ['Cache-Control', 'private, no-cache'],
  ];
  if (hasEtag(call.request.ifNoneMatch, etag)) return done(unchanged(caching));
  const document = await inTime(call, call.ports.documents.visible(plan, hidden));
  return document.ok ? done(preparedJson(document.value, caching)) : document;
}

async function getObjects(call: BuyerCall<z.output<typeof mapQuery>>) {
  const found = await replicasOf(call);
  if (!found.ok) return found;
  const { state, replicas } = found.value;
  const revision = replicas.reduce((sum, { version }) => sum + version, 0);
  const caching: Header[] = [
    ['ETag', `"${revision}"`],
    ['Cache-Control', 'private, no-cache'],
  ];
  if (hasEtag(call.request.ifNoneMatch, `"${revision}"`)) return done(unchanged(caching));
  const audiences = replicas.map(({ eventKey }) => audienceIn(call.principal, eventKey));
  const { ports, principal, query } = call;
  const name = [principal.owner.key, revision, state, query.view, ...audiences.map(({ id }) => id)].join();
  const body = keptMap(ports.groups, ports.clock, name, () =>
    objectsJson(found.value, revision, audiences, query.view),
  );
  return done(preparedJson(body, caching));
}

function objectsJson(
  { state, replicas }: Maps,
  revision: number,
  audiences: readonly Audience[],
  view: 'per-performance' | undefined,
): Spelled<z.output<typeof groupObjects>, string> {
  const performances = replicas.map((replica, index): PerformanceMap => {
    const seen = replica.seenBy(audiences[index]!);
    return { eventKey: replica.eventKey, plan: replica.plan, seen, salesClosed: !isOnSale(replica) };
  });
  const salesClosed = state !== 'active' || performances.some((each) => each.salesClosed);
  const { seats, partial } = groupMap(performances);
  const fields = spell({ revision, state, salesClosed }).slice(0, -1);
  const more = view === 'per-performance' ? `,"performances":[${performances.map(performanceJson)}]` : '';
  return `${fields},"seats":${seats},"partial":${partial}${more}}` as Spelled<z.output<typeof groupObjects>, string>;
}

function performanceJson(performance: PerformanceMap): string {
  const { eventKey, salesClosed } = performance;
  return `{"eventKey":${JSON.stringify(eventKey)},"salesClosed":${salesClosed},"seats":${performanceSeats(performance)}}`;
}
