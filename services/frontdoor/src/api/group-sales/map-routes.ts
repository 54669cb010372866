/**
 * A buyer's page of a performance group draws the group, its chart, and one map of all performances. The map's
 * revision is the sum of the events' versions: it grows with every change of an event, and is the same at every front
 * door. A change of the group's state changes its events too.
 */
import { done, type Outcome } from '@parterre/shared/errors';
import { z } from 'zod';
import { budgets } from '../../admission/admission.ts';
import { hasEtag, preparedJson, type Spelled, spell, unchanged } from '../../answers/answers.ts';
import type { Replica } from '../../feeds/feeds.ts';
import type { Audience } from '../../pictures/pictures.ts';
import { type Call, choice, groupBuyerRoute } from '../calls/calls.ts';
import { chartDocument } from '../charts/charts.ts';
import { groupDetailOf, groupState, isOnSale, oneGroup } from '../groups/groups.ts';
import {
  audiencesOf,
  chartOf,
  groupMap,
  keptMap,
  membersOf,
  type PerformanceMap,
  performanceSeats,
  replicasOf,
  versionOf,
} from '../owner-maps/owner-maps.ts';
import { buyerStatus, count, optional, text } from '../records/records.ts';
import { groupOfPath } from './group-calls.ts';

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
    const members = await membersOf(call, group.value.eventKeys);
    if (!members.ok) return members;
    const events = members.value.map(({ event }) => event);
    const body = { performanceGroup: groupDetailOf({ group: group.value, events }) };
    return done(preparedJson(spell(body)));
  }),
  groupBuyerRoute('GET /pub/performance-groups/{key}/chart', { ...reads, answer: chartDocument }, getChart),
  groupBuyerRoute(
    'GET /pub/performance-groups/{key}/objects',
    { ...reads, answer: groupObjects, query: mapQuery },
    getObjects,
  ),
];

type Maps = { state: z.output<typeof groupState>; replicas: Replica[] };

async function mapsOf(call: BuyerCall): Promise<Outcome<Maps>> {
  const group = await groupOfPath(call);
  if (!group.ok) return group;
  const { state, eventKeys } = group.value;
  const replicas = await replicasOf(call, eventKeys);
  return replicas.ok ? done({ state, replicas: replicas.value }) : replicas;
}

async function getChart(call: BuyerCall) {
  const found = await mapsOf(call);
  return found.ok ? chartOf(call, found.value.replicas) : found;
}

async function getObjects(call: BuyerCall<z.output<typeof mapQuery>>) {
  const found = await mapsOf(call);
  if (!found.ok) return found;
  const { state, replicas } = found.value;
  const revision = versionOf(replicas);
  const etag = `"${revision}"`;
  if (hasEtag(call.request.ifNoneMatch, etag)) return done(unchanged([['ETag', etag]]));
  const { ports, principal, query } = call;
  const audiences = audiencesOf(principal, replicas);
  const name = [principal.owner.key, revision, state, query.view, ...audiences.map(({ id }) => id)].join();
  const body = keptMap(ports.feeds, ports.clock, name, () => objectsJson(found.value, revision, audiences, query.view));
  return done(preparedJson(body, [['ETag', etag]]));
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
