/**
 * The list of occurrences: the bodies of webhooks as a back end fetches them, without a subscription. The catalog lists
 * the groups of the journal, and this file makes their bodies by the rules of the notifier.
 *
 * Failure at an await: the catalog or a plan is away → the refusal is the answer, and the same call may be repeated.
 */

import type { Plan } from '@parterre/shared/charts/plan';
import type { EventRecord } from '@parterre/shared/protocol/catalog/events';
import type { ListedGroup } from '@parterre/shared/protocol/catalog/occurrences';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { linkAfter, readGroup } from '@parterre/shared/protocol/journal/messages';
import {
  decodeOccurrencesCursor,
  encodeOccurrencesCursor,
  type OccurrencesPlace,
} from '@parterre/shared/protocol/occurrences/cursor';
import {
  needsPlan,
  type Occurrence,
  occurrenceNamesOf,
  occurrencesOf,
} from '@parterre/shared/protocol/occurrences/occurrences';
import { eventOccurrences } from '@parterre/shared/protocol/vocabulary';
import { occurrencesPageMax } from '@parterre/shared/protocol/webhook-limits';
import { z } from 'zod';
import { budgets, scopeOf } from '../admission/admission.ts';
import { parameter, standIn } from '../openapi/openapi.ts';
import { inTime } from './calls/ask.ts';
import { choice, limit } from './calls/query.ts';
import { type Call, serverRoute } from './calls/route.ts';
import { count, epochMs, idOf, optional, text } from './records.ts';

const occurrence = z
  .object({
    occurrenceId: idOf('occ'),
    event: text,
    type: text.describe('The same as event.'),
    at: epochMs,
    sequence: z.int().nullable(),
    index: count,
    livemode: z.boolean(),
    eventKey: text,
    eventId: idOf('evt'),
    externalRef: optional(text),
    workspaceId: idOf('ws'),
    performanceGroupKey: optional(idOf('pg')),
    seasonKey: optional(idOf('sea')),
    operationId: optional(text),
    data: z.record(z.string(), z.unknown()),
  })
  .describe('A body, as `webhooks` of this description has it for its `event`.');

const answer = z.object({
  occurrences: z.array(occurrence),
  nextAfter: text.describe('Where the next page begins, now or later. Never null.'),
  lag: count.describe('0: the page ends the list as it is counted now. Else the age of the next occurrence, in ms.'),
});

const query = z.object({
  after: parameter("The previous page's nextAfter; without it, the oldest.", z.string(), (sent) => sent || undefined),
  limit: limit({ usual: occurrencesPageMax, most: occurrencesPageMax }),
  event: choice('Only occurrences of this name.', eventOccurrences, 'There is no such occurrence of an event.'),
  eventKey: parameter('Only occurrences of this event.', z.string(), (sent) => sent || undefined),
});

/** Pages of the catalog that one call reads at most: a filter may leave few occurrences of each. */
const pagesReadMax = 8;

const listOccurrences = serverRoute(
  'GET /v1/occurrences',
  {
    budget: budgets.serverCalls,
    answer,
    query,
    description: {
      operationId: 'listOccurrences',
      tag: 'Webhooks',
      summary: 'The occurrences of all events, oldest first',
      description:
        'The bodies that subscriptions get, of all events of the organisation in the mode and workspace of the key, ' +
        'of the last 30 days, with or without a subscription. A dashboard session lists live events. Keep `nextAfter` and send it as ' +
        '`after`: no occurrence is left out, and none comes twice, whatever is sold meanwhile. The occurrences of one ' +
        'event come in their order; those of different events about in the order of their times. The list lags about a ' +
        'second behind the sales. Occurrences of seasons stand in the outboxes of the seasons.',
      refusals: ['invalid_request', 'catalog_unavailable'],
      examples: [
        { summary: 'The oldest' },
        { summary: 'Sales of one event', query: { event: 'seat.booked', eventKey: standIn.event, limit: '50' } },
        { summary: 'An unknown occurrence', query: { event: 'seat.sold' }, answers: 'invalid_request' },
      ],
    },
  },
  list,
);

type ListCall = Call<'server', unknown, null, z.output<typeof query>>;

async function list(call: ListCall) {
  const { ports, principal } = call;
  const { organisationId, mode, workspaceId } = scopeOf(principal);
  const { after, limit: most, event: name, eventKey } = call.query;
  const places = new Map(decodeOccurrencesCursor(after));
  const occurrences: z.output<typeof occurrence>[] = [];
  let nextAt: number | null = null;
  for (let read = 0; read < pagesReadMax && occurrences.length < most; read++) {
    const page = await ports.catalog('occurrences.page', {
      organisationId,
      mode: mode ?? 'live',
      workspaceId,
      after: encodeOccurrencesCursor(places),
      limit: occurrencesPageMax,
      ...(eventKey !== undefined && { eventKey }),
    });
    if (!page.ok) return page;
    const added = await addBodies(call, page.value.groups, page.value.events, { places, occurrences, name, most });
    if (!added.ok) return added;
    nextAt = added.value ?? page.value.nextAt;
    if (nextAt === null) break;
  }
  const lag = nextAt === null ? 0 : Math.max(1, ports.clock.now() - nextAt);
  return done({ occurrences, nextAfter: encodeOccurrencesCursor(places), lag });
}

type Filling = {
  places: Map<number, OccurrencesPlace>;
  occurrences: z.output<typeof occurrence>[];
  name: string | undefined;
  most: number;
};

/** Resolves with the time of the first occurrence that found no room; null if all had room. */
async function addBodies(
  call: ListCall,
  groups: readonly ListedGroup[],
  events: readonly EventRecord[],
  { places, occurrences, name, most }: Filling,
): Promise<Outcome<number | null>> {
  const byKey = new Map(events.map((event) => [event.key, event]));
  for (const { partition, sequence, group, eventKey, data } of groups) {
    const made = data ? await bodiesOf(call, { partition, sequence, data }, byKey.get(eventKey)!) : done([]);
    if (!made.ok) return made;
    const place = places.get(partition);
    const isCut = place?.sequence === sequence && place.group === group;
    for (const [at, each] of made.value.entries()) {
      if ((isCut && at < place.bodies) || (name !== undefined && each.name !== name)) continue;
      if (occurrences.length >= most) {
        places.set(partition, { sequence, group, bodies: at });
        return done(each.at);
      }
      occurrences.push(JSON.parse(each.body));
    }
    places.set(partition, { sequence, group: group + 1, bodies: 0 });
  }
  return done(null);
}

async function bodiesOf(
  call: ListCall,
  { data, ...place }: { partition: number; sequence: number; data: Uint8Array },
  event: EventRecord,
): Promise<Outcome<Occurrence[]>> {
  const group = readGroup(data);
  let plan: Plan | null = null;
  if (needsPlan(occurrenceNamesOf(group))) {
    const found = await planFor(call, group.plan);
    if (!found.ok) return found;
    plan = found.value;
  }
  return done(occurrencesOf({ group, link: linkAfter(data) }, place, event, plan));
}

async function planFor(call: ListCall, hash: string): Promise<Outcome<Plan>> {
  try {
    return await inTime(call, call.ports.plans(hash).then(done));
  } catch (error) {
    call.ports.onFault(error, call.request.requestId);
    return refuse('catalog_unavailable', 'The chart cannot be read at present. Try again.', { retryable: true });
  }
}

export const occurrencesRoutes = [listOccurrences];
