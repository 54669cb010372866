/** A buyer's page of a season draws the season, its chart, and one map of all occurrences of the session's plan. */
import { done } from '@parterre/shared/errors';
import { z } from 'zod';
import { budgets } from '../../admission/admission.ts';
import { hasEtag, preparedJson, type Spelled, spell, unchanged } from '../../answers/answers.ts';
import type { Replica } from '../../feeds/feeds.ts';
import type { Audience } from '../../pictures/pictures.ts';
import { seasonBuyerRoute } from '../calls/calls.ts';
import { chartDocument } from '../charts/charts.ts';
import {
  audiencesOf,
  chartOf,
  keptMap,
  membersOf,
  replicasOf,
  seatsEverywhere,
  versionOf,
} from '../owner-maps/owner-maps.ts';
import { buyerStatus, count, epochMs, idOf, text, textOrNull } from '../records/records.ts';
import { soldSeason } from './season-plans.ts';

const reads = { budget: budgets.buyerReads };

const buyersSeason = z.object({
  season: z.object({
    key: idOf('sea'),
    name: text,
    venue: textOrNull,
    timezone: textOrNull,
    occurrenceCount: count,
    occurrences: z
      .array(z.object({ name: text, startsAt: epochMs.nullable() }))
      .describe('Those of the plan, in its order.'),
    planActivationId: idOf('spa'),
  }),
});

const availability = z.object({
  seats: z
    .record(text, buyerStatus)
    .describe('Every label. Free where every occurrence of the plan has it free, else the firmest status.'),
});

export const seasonMapRoutes = [
  seasonBuyerRoute('GET /pub/seasons/{key}', { ...reads, answer: buyersSeason }, async (call) => {
    const sold = await soldSeason(call);
    if (!sold.ok) return sold;
    const { season, plan } = sold.value;
    const members = await membersOf(call, plan.eventKeys);
    if (!members.ok) return members;
    const occurrences = members.value.map(({ event: { name, startsAt } }) => ({ name, startsAt }));
    const { key, name, venue, timezone } = season;
    const told = { key, name, venue, timezone, occurrenceCount: occurrences.length, occurrences };
    const body = { season: { ...told, planActivationId: plan.activationId! } };
    return done(preparedJson(spell(body)));
  }),
  seasonBuyerRoute('GET /pub/seasons/{key}/chart', { ...reads, answer: chartDocument }, async (call) => {
    const sold = await soldSeason(call);
    if (!sold.ok) return sold;
    const replicas = await replicasOf(call, sold.value.plan.eventKeys);
    return replicas.ok ? chartOf(call, replicas.value) : replicas;
  }),
  seasonBuyerRoute('GET /pub/seasons/{key}/availability', { ...reads, answer: availability }, async (call) => {
    const sold = await soldSeason(call);
    if (!sold.ok) return sold;
    const { season, plan } = sold.value;
    const replicas = await replicasOf(call, plan.eventKeys);
    if (!replicas.ok) return replicas;
    const { ports, principal, request } = call;
    const audiences = audiencesOf(principal, replicas.value);
    const etag = `"${plan.publishedRevision}.${versionOf(replicas.value)}"`;
    if (hasEtag(request.ifNoneMatch, etag)) return done(unchanged([['ETag', etag]]));
    const name = [season.key, etag, ...audiences.map(({ id }) => id)].join();
    const body = keptMap(ports.feeds, ports.clock, name, () => seatsJson(replicas.value, audiences));
    return done(preparedJson(body, [['ETag', etag]]));
  }),
];

function seatsJson(
  replicas: readonly Replica[],
  audiences: readonly Audience[],
): Spelled<z.output<typeof availability>, string> {
  const seats = seatsEverywhere(
    replicas.map((replica, index) => {
      const { eventKey, plan } = replica;
      return { eventKey, plan, seen: replica.seenBy(audiences[index]!), salesClosed: false };
    }),
  );
  return `{"seats":${seats}}` as Spelled<z.output<typeof availability>, string>;
}
