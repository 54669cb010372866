/**
 * Sales of performance groups: the same seats of 2 to 8 events, sold all or none. Buyers hold, poll, release and
 * extend, and adopt the holds of an earlier session. A platform reads the holds and books them.
 *
 * A buyer's page draws the group, its chart, and one map of all performances. The map's revision is the sum of the
 * events' versions: it grows with every change of an event, and is the same at every front door. A change of the
 * group's state changes its events too. Events of one chart may have other ticket releases and other channels' prices,
 * so a page adds the prices of all performances.
 */

import { wordsOfLabel } from '@parterre/shared/charts/place-names';
import type { LineItem } from '@parterre/shared/protocol/answers';
import type { EventRecord } from '@parterre/shared/protocol/catalog/events';
import type { GroupDetail, GroupRecord } from '@parterre/shared/protocol/catalog/groups';
import type { KeptOperation } from '@parterre/shared/protocol/catalog/operations';
import { groupInScope } from '@parterre/shared/protocol/catalog/owner-scope';
import { cancellationStates, type GroupCancellation } from '@parterre/shared/protocol/catalog/season-sales';
import { done, type Issue, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { sha256 } from '@parterre/shared/protocol/ids';
import { labelsPerSaleMax } from '@parterre/shared/protocol/limits';
import { wordedItems } from '@parterre/shared/protocol/line-items';
import { totalOfItems } from '@parterre/shared/protocol/money';
import type { OperationOwner } from '@parterre/shared/protocol/operations/operation';
import type { OperationDraft, OperationRef, OperationView } from '@parterre/shared/protocol/operations/ports';
import { z } from 'zod';
import { budgets, scopeOf } from '../admission/admission.ts';
import { type Header, preparedJson, type Spelled, spell } from '../answers/answers.ts';
import type { Replica } from '../feeds/feeds.ts';
import { standIn } from '../openapi/openapi.ts';
import { type Audience, staleMark } from '../pictures/pictures.ts';
import { serverTime, summary, summaryQuery } from './buyers.ts';
import { callerOf, inTime, labelsIn, selectionsOf } from './calls/ask.ts';
import { choice } from './calls/query.ts';
import { type Call, ownerBuyerRoute, serverRoute, type WithPath } from './calls/route.ts';
import { groupDetailOf, groupOfPath, groupState, isOnSale, oneGroup, target, unknownGroup } from './groups.ts';
import { bookingRef, expectedTotal, saleSelection, soldLabels } from './inventory.ts';
import { aboutStates, type BookCall, type HoldCall, holdRoutes, type OperationCall, ttlMs } from './owner-holds.ts';
import {
  buyerStatus,
  count,
  emptyBody,
  epochMs,
  id,
  idOf,
  inMoney,
  lineItem,
  moneyOf,
  ok,
  optional,
  price,
  stale,
  text,
  textOrNull,
} from './records.ts';
import { canonicalJson } from './rules/canonical.ts';
import {
  actionId,
  again,
  audienceIn,
  type BookedOperation,
  bookOperation,
  buyersCoordinator,
  callerOfOwnerBuyer,
  coordinatorOf,
  deadlineOf,
  findOperation,
  groupMap,
  holdState,
  isOwn,
  isUnfinished,
  mapAnswer,
  membersOf,
  notCounted,
  noteUnheard,
  type OwnOperation,
  ofEvents,
  operationForServer,
  operationName,
  ownerHoldId,
  ownOperation,
  type PerformanceMap,
  performanceSeats,
  releaseOwn,
  replicasOf,
  sharesOf,
  takenName,
  ttlMsOf,
  versionOf,
  viewFound,
} from './sales-over-events.ts';
import { eventsOf } from './seasons.ts';

const getGroupForBuyers = ownerBuyerRoute(
  'GET /pub/performance-groups/{key}/descriptor',
  {
    budget: budgets.buyerReads,
    answer: oneGroup,
    description: {
      operationId: 'getGroupForBuyers',
      tag: 'Groups',
      summary: 'The group and its performances',
      description: "The words and times that a buyers' page shows before it reads the map.",
      examples: [{ summary: 'The group' }],
    },
  },
  async (call) => {
    const group = await groupOfPath(call);
    if (!group.ok) return group;
    const members = await membersOf(call, group.value.eventKeys);
    if (!members.ok) return members;
    const events = members.value.map(({ event }) => event);
    const body = { performanceGroup: groupDetailOf({ group: group.value, events }) };
    return done(preparedJson(spell(body)));
  },
);

type MapBuyerCall<Query = unknown> = Call<'group-buyer', unknown, null, Query> & WithPath<'key'>;

type Maps = { state: z.output<typeof groupState>; replicas: Replica[] };

async function mapsOf(call: MapBuyerCall): Promise<Outcome<Maps>> {
  const group = await groupOfPath(call);
  if (!group.ok) return group;
  const { state, eventKeys } = group.value;
  const replicas = await replicasOf(call, eventKeys);
  return replicas.ok ? done({ state, replicas: replicas.value }) : replicas;
}

const seats = z.record(text, buyerStatus);

const groupObjects = z.object({
  revision: count.describe('Grows with every change of a seat.'),
  state: groupState,
  salesClosed: z.boolean().describe('True while a performance sells nothing.'),
  stale,
  seats: seats.describe('Every label. Free where every performance has it free, else the firmest status.'),
  partial: z.record(text, z.array(text)).describe('Labels that some performances have free, and who lacks them.'),
  performances: optional(z.array(z.object({ eventKey: text, seats, salesClosed: z.boolean() }))),
});

const mapQuery = z.object({
  view: choice(
    'per-performance adds the map of each performance.',
    ['per-performance'],
    'There is no such view. Leave out the view, or ask for per-performance.',
  ),
});

const getGroupObjects = ownerBuyerRoute(
  'GET /pub/performance-groups/{key}/objects',
  {
    budget: budgets.buyerReads,
    answer: groupObjects,
    query: mapQuery,
    description: {
      operationId: 'getGroupObjects',
      tag: 'Groups',
      summary: 'One map of all performances',
      description:
        'Every label has the firmest of its statuses: not_for_sale, booked, held, free. `partial` names the labels that ' +
        'some performances have free, with the performances that lack them. The ETag is the revision, and changes with `stale`.',
      headers: ['ETag'],
      refusals: ['invalid_request', ...ofEvents],
      examples: [
        { summary: 'One map' },
        { summary: 'And the map of each performance', query: { view: 'per-performance' } },
        { summary: 'An unknown view', query: { view: 'all' }, answers: 'invalid_request' },
      ],
    },
  },
  getObjects,
);

async function getObjects(call: MapBuyerCall<z.output<typeof mapQuery>>) {
  const found = await mapsOf(call);
  if (!found.ok) return found;
  const { state, replicas } = found.value;
  const revision = versionOf(replicas);
  const { view } = call.query;
  const etag = replicas.some((replica) => replica.isStale) ? `"${revision}-stale"` : `"${revision}"`;
  return mapAnswer(call, replicas, etag, [state, view], (audiences) =>
    objectsJson(found.value, revision, audiences, view),
  );
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
  const isStale = replicas.some((replica) => replica.isStale);
  const fields = spell({ revision, state, salesClosed, ...(isStale && staleMark) }).slice(0, -1);
  const more = view === 'per-performance' ? `,"performances":[${performances.map(performanceJson)}]` : '';
  return `${fields},"seats":${seats},"partial":${partial}${more}}` as Spelled<z.output<typeof groupObjects>, string>;
}

function performanceJson(performance: PerformanceMap): string {
  const { eventKey, salesClosed } = performance;
  return `{"eventKey":${JSON.stringify(eventKey)},"salesClosed":${salesClosed},"seats":${performanceSeats(performance)}}`;
}

const performance = summary.extend({ eventKey: text });

const groupSummary = z.object({
  performances: z.array(performance).describe('In the order of the performances.'),
  serverTime,
});

const getGroupSaleSummaries = ownerBuyerRoute(
  'GET /pub/performance-groups/{key}/availability',
  {
    budget: budgets.buyerReads,
    answer: groupSummary,
    query: summaryQuery,
    description: {
      operationId: 'getGroupSaleSummaries',
      tag: 'Groups',
      summary: 'The prices and the sale of each performance',
      description:
        'Each performance has the fields of `GET /pub/events/{key}/availability`. A place of the group costs the sum of ' +
        'its prices in all performances. The line items of a hold are the truth.',
      refusals: ofEvents,
      examples: [{ summary: 'Every performance' }, { summary: 'Live', query: { live: '1' } }],
    },
  },
  async (call) => {
    const group = await groupOfPath(call);
    if (!group.ok) return group;
    const members = await membersOf(call, group.value.eventKeys);
    if (!members.ok) return members;
    const { summaries } = call.ports;
    const asked = members.value.map((known) => {
      const audience = audienceIn(call.principal, known.event.key);
      return inTime(call, summaries.of(known, audience, call.query.live));
    });
    const performances: string[] = [];
    for (const [index, told] of (await Promise.all(asked)).entries()) {
      if (!told.ok) return told;
      const eventKey = JSON.stringify(members.value[index]!.event.key);
      performances.push(`{"eventKey":${eventKey},${told.value.body.slice(1)}`);
    }
    const body = `{"performances":[${performances}],"serverTime":${call.ports.clock.now()}}` as Spelled<
      z.output<typeof groupSummary>,
      string
    >;
    return done(preparedJson(body));
  },
);

const decision = z.enum(['commit', 'abort']).nullable().describe('Null while nothing is decided.');

const items = z.array(lineItem);

const groupOperation = z.object({
  operationId: text,
  state: holdState,
  decision,
  hold: z.object({
    id: idOf('hld'),
    expiresAt: epochMs.nullable(),
    items: items.describe('The places of all performances.'),
    allocations: z.array(z.object({ eventKey: text, items })),
  }),
});

const oneOperation = z.object({ operation: groupOperation });

const allocation = z.object({
  eventKey: id,
  selections: z.array(saleSelection).min(1).max(labelsPerSaleMax),
});

const groupHoldBody = z
  .object({
    operationId: operationName('pghop'),
    labels: optional(soldLabels.describe('The same seats in every performance.')),
    selectionMode: optional(z.enum(['same_seat', 'per_performance'])),
    allocations: optional(z.array(allocation).min(1).describe('The seats of each performance, with per_performance.')),
    ttlMs: optional(ttlMs),
    expectedTotal,
  })
  .refine(({ labels, allocations }) => (labels === undefined) !== (allocations === undefined), {
    message: 'Send exactly one of labels and allocations.',
    path: ['labels'],
  })
  .refine(({ selectionMode, allocations }) => (selectionMode === 'per_performance') === (allocations !== undefined), {
    message: 'Send selectionMode per_performance with allocations, and with nothing else.',
    path: ['selectionMode'],
  });

type GroupSaleBuyerCall<Body = unknown> = Call<'group-buyer', Body, null> & WithPath<'key'>;

type HoldBody = z.output<typeof groupHoldBody>;

const closed: Outcome<never> = refuse('event_closed', 'This performance group sells nothing now.', {
  reason: 'group_not_active',
});

const holdForGroupRoute = ownerBuyerRoute(
  'POST /pub/performance-groups/{key}/hold',
  {
    budget: budgets.buyerHolds,
    answer: oneOperation,
    body: groupHoldBody,
    status: 201,
    description: {
      operationId: 'holdForGroup',
      tag: 'Groups',
      summary: 'Hold the same seats of every performance, all or none',
      description:
        'With `labels` the seats are the same in every performance; with selectionMode per_performance each allocation ' +
        'names its own. `operationId` names the hold: a repetition finds the first one, and another content under the ' +
        'same name is 409. A conflict names each label with the performance that lacks it. 202, or 504, while a ' +
        `performance does not answer: poll the address in \`Location\`. ${aboutStates('performance')} With \`expectedTotal\`, prices that ` +
        'have changed are 409 `price_changed`, with the `total` of now and the `items` of each performance.',
      headers: ['Location', 'Retry-After'],
      refusals: [
        'conflict',
        'event_closed',
        'sales_not_started',
        'sales_ended',
        'channel_access_denied',
        'channel_paused',
        'max_quantity_exceeded',
        'public_limit',
        'selection_rules_broken',
        'price_changed',
        'unknown_labels',
        'unknown_tier',
        'not_for_sale',
        'invalid_quantity',
        'ticket_option_not_applicable',
        'companion_pair_required',
        'price_missing',
        ...ofEvents,
      ],
      examples: [
        {
          summary: 'Two seats in every performance',
          body: { operationId: 'pghop_order-2002', labels: ['B-1', 'B-2'] },
        },
        {
          summary: 'Other seats in each performance',
          body: {
            operationId: 'pghop_order-2003',
            selectionMode: 'per_performance',
            allocations: [
              { eventKey: standIn.groupEvent, selections: [{ label: 'B-3' }] },
              { eventKey: standIn.groupLaterEvent, selections: [{ label: 'B-4' }] },
            ],
          },
        },
        {
          summary: 'A seat that is held',
          body: { operationId: 'pghop_order-2004', labels: ['A-1'] },
          answers: 'conflict',
        },
        {
          summary: 'At a price that was shown before',
          body: { operationId: 'pghop_order-2006', labels: ['B-5'], expectedTotal: 1 },
          answers: 'price_changed',
        },
        { summary: 'Without seats', body: { operationId: 'pghop_order-2005' }, answers: 'invalid_request' },
      ],
    },
  },
  holdForGroup,
);

/**
 * The holds of a group's buyers.
 *
 * Failure at each await: the group or an event cannot be looked up → nothing was held; an event does not answer by the
 * deadline → the coordinator's view says what is known, and another process goes on with the rest.
 */
async function holdForGroup(call: GroupSaleBuyerCall<HoldBody>) {
  const group = await activeGroup(call);
  if (!group.ok) return group;
  const ttlMs = await ttlMsOf(call, group.value.eventKeys, call.body.ttlMs);
  const draft = draftOf(group.value, call.body, ttlMs);
  if (!draft.ok) return draft;
  const held = await buyersCoordinator(call).hold(
    draft.value,
    callerIn(call, group.value.eventKeys[0]!),
    deadlineOf(call),
  );
  if (!held.ok) return held;
  const noted = await noteUnheard(call, draft.value, held.value, call.principal.sessionId);
  if (!noted.ok) return noted;
  return isOwn(call.principal, held.value) ? done(toldHold(call, held.value)) : takenName;
}

/** A group that was activated a moment ago may be known here as a draft. */
async function activeGroup(
  call: Pick<Call<'none'>, 'ports' | 'request'> & WithPath<'key'>,
): Promise<Outcome<GroupRecord>> {
  const known = await groupOfPath(call);
  if (!known.ok || known.value.state === 'active') return known;
  call.ports.groups.drop(known.value.key);
  const latest = await groupOfPath(call);
  return latest.ok && latest.value.state !== 'active' ? closed : latest;
}

function draftOf(group: GroupRecord, body: HoldBody, ttlMs: number): Outcome<OperationDraft> {
  const { operationId, labels, allocations, expectedTotal } = body;
  const { key, revision, eventKeys } = group;
  const selectionMode = allocations ? ('per_performance' as const) : ('same_seat' as const);
  const issues = allocations?.flatMap(({ eventKey }, index) => issueOf(eventKey, index)) ?? [];
  if (issues.length > 0) {
    return refuse('invalid_request', 'The allocations do not fit this group. Mend what the issues list.', {
      details: { issues },
    });
  }
  // The parts stand in the order of the performances, so that the first of them is the home.
  const parts = eventKeys.flatMap((eventKey) => {
    if (labels) return [{ eventKey, selections: selectionsOf({ labels }) }];
    const own = allocations?.find((each) => each.eventKey === eventKey);
    return own ? [{ eventKey, selections: own.selections }] : [];
  });
  const head = { owner: { kind: 'group' as const, key }, operationId, selectionMode, revision };
  return done({ ...head, parts, ttlMs, ...(expectedTotal === undefined ? {} : { expectedTotal }) });

  function issueOf(eventKey: string, index: number): Issue[] {
    const path = `allocations.${index}.eventKey`;
    if (!eventKeys.includes(eventKey)) return [{ path, message: 'This event is not a performance of the group.' }];
    const isFirst = allocations!.findIndex((each) => each.eventKey === eventKey) === index;
    return isFirst ? [] : [{ path, message: 'This event is named twice. Name each event once.' }];
  }
}

/** The caller in an event; `askOf` sets the caller of each other event. */
function callerIn({ principal }: GroupSaleBuyerCall, eventKey: string) {
  return callerOfOwnerBuyer(principal, eventKey);
}

/** 201 for a hold that stands or has ended, 202 while it goes on, 504 where an event kept it from a decision. */
function toldHold(call: WithPath<'key'>, view: OperationView, part: '/pub' | '/v1' = '/pub') {
  const status = !isUnfinished(view) ? 201 : view.decision === null ? 504 : 202;
  const holds = part === '/pub' ? 'operations' : 'holds';
  const base = `${part}/performance-groups/${encodeURIComponent(call.path.key)}/${holds}/`;
  const location: Header[] = status === 201 ? [] : [['Location', base + encodeURIComponent(view.operationId)]];
  return told(call, view, status, location);
}

function told(call: WithPath<'key'>, view: OperationView, status = 200, more: Header[] = []) {
  const owner = { kind: 'group' as const, key: call.path.key };
  const headers: Header[] = [...more, ...(isUnfinished(view) ? [again] : [])];
  return preparedJson(spell({ operation: operationOf(owner, view) }), headers, status);
}

function operationOf(owner: OperationOwner, view: OperationView): z.output<typeof groupOperation> {
  const { operationId, state, decision, expiresAt, parts } = view;
  const allocations = parts.map(({ eventKey, items }) => ({ eventKey, items: wordedItems(items) }));
  const id = ownerHoldId(owner, operationId);
  const hold = { id, expiresAt, items: allocations.flatMap((each) => each.items), allocations };
  return { operationId, state, decision, hold };
}

/** The buyer's own operation that the path names. */
async function operationOfPath(call: OperationCall): Promise<Outcome<OwnOperation>> {
  const group = await groupOfPath(call);
  return group.ok ? ownOperation(call, call.path.operationId, group.value.eventKeys) : group;
}

const unknownHold = { path: { operationId: 'pghop_0' }, answers: 'not_found' } as const;

const releaseGroupHold = ownerBuyerRoute(
  'POST /pub/performance-groups/{key}/operations/{operationId}/release',
  {
    budget: budgets.buyerCalls,
    answer: oneOperation,
    body: emptyBody,
    bodyOptional: true,
    description: {
      operationId: 'releaseGroupHold',
      tag: 'Groups',
      summary: 'Release a hold in every performance',
      description:
        'All performances give the places back, or the call goes on until they have: 202 then. A released hold ' +
        'answers the same again.',
      headers: ['Retry-After'],
      refusals: ['conflict', 'hold_not_found', ...ofEvents],
      examples: [
        { summary: 'The hold', body: {} },
        { summary: 'An unknown hold', body: {}, ...unknownHold },
      ],
    },
  },
  async (call) => {
    const view = await releaseOwn(call, await operationOfPath(call));
    return view.ok ? done(told(call, view.value)) : view;
  },
);

const groupExtendBody = z.object({ ttlMs: optional(ttlMs) });

const extendGroupHold = ownerBuyerRoute(
  'POST /pub/performance-groups/{key}/operations/{operationId}/extend',
  {
    budget: budgets.buyerCalls,
    answer: oneOperation,
    body: groupExtendBody,
    bodyOptional: true,
    description: {
      operationId: 'extendGroupHold',
      tag: 'Groups',
      summary: 'Extend a hold in every performance',
      description:
        'All performances move the end of the hold, or none does. A call that would not lengthen the hold changes ' +
        'nothing, and uses no renewal. An Idempotency-Key names the call: a repetition extends once, as long as no ' +
        'other call has extended the hold since.',
      headers: ['Retry-After'],
      refusals: ['conflict', 'cannot_extend', 'hold_not_found', ...ofEvents],
      examples: [
        { summary: 'For ten minutes', body: { ttlMs: 600_000 } },
        { summary: 'An unknown hold', body: {}, ...unknownHold },
      ],
    },
  },
  async (call) => {
    const found = await operationOfPath(call);
    if (!found.ok) return found;
    const { ref } = found.value;
    const caller = callerOfOwnerBuyer(call.principal, ref.eventKeys[0]!);
    const ttlMs = await ttlMsOf(call, ref.eventKeys, call.body.ttlMs);
    const name = call.request.idempotencyKey || undefined;
    const view = await buyersCoordinator(call).extend(ref, ttlMs, caller, deadlineOf(call), name);
    return view.ok ? done(told(call, view.value)) : view;
  },
);

const adoptBody = z.object({ previousToken: z.string().min(1).max(200) });

const adoptGroupSession = ownerBuyerRoute(
  'POST /pub/performance-groups/{key}/session/adopt',
  {
    budget: budgets.buyerCalls,
    answer: z.object({ ok, sessionId: idOf('ses') }),
    body: adoptBody,
    description: {
      operationId: 'adoptGroupSession',
      tag: 'Groups',
      summary: 'Take over the holds of an earlier session',
      description:
        'The bearer is the new session. The previous token is of the same group and Origin, and may have expired. After ' +
        'this the holds of both sessions belong to the new one.',
      refusals: ['catalog_unavailable'],
      examples: [
        { summary: 'The token of an earlier visit', body: { previousToken: standIn.groupSessionToken } },
        { summary: 'Another text', body: { previousToken: 'bgs_0' }, answers: 'buyer_access_invalid' },
      ],
    },
  },
  async (call) => {
    const { sessionId, keyHash } = call.principal;
    const adoption = { sessionId, previousHash: sha256(call.body.previousToken) };
    const adopted = await call.ports.catalog('owner-sessions.adopt', adoption);
    if (!adopted.ok) return adopted;
    call.ports.principals.drop(keyHash);
    return done({ ok: true as const, sessionId });
  },
);

const groupHold = z.object({
  operationId: text,
  groupId: idOf('pg').describe("The group's key."),
  holdId: idOf('hld'),
  state: holdState,
  decision,
  active: z.boolean().describe('Committed and not expired.'),
  expiresAt: epochMs.nullable(),
  createdAt: epochMs,
  convergedAt: epochMs.nullable().describe('The time at which every performance held its places.'),
  expiredAt: epochMs.nullable(),
  buyerSessionId: textOrNull,
  selectionMode: z.enum(['same_seat', 'per_performance']),
  buyerRef: textOrNull,
  partnerRef: textOrNull,
  ...inMoney,
  groupRevision: count,
  allocations: z.array(
    z.object({
      eventKey: text,
      name: text,
      startsAt: epochMs,
      endsAt: epochMs.nullable(),
      configuredValue: price,
      total: price.describe('With all fees.'),
      items,
    }),
  ),
});

const oneHold = z.object({ hold: groupHold });

async function readHold(call: HoldCall) {
  const detail = await call.ports.catalog('groups.get', target(call));
  if (!detail.ok) return detail;
  const { group } = detail.value;
  const { key, eventKeys } = group;
  const found = await operationForServer(call, { kind: 'group', key }, call.path.operationId, eventKeys);
  if (!found.ok) return found;
  const view = await viewFound(coordinatorOf(call), found.value, deadlineOf(call));
  if (!view.ok) return view;
  const events = new Map(detail.value.events.map((event) => [event.key, event]));
  const hold = groupHoldOf(group, events, view.value);
  return done(preparedJson(spell({ hold }), isUnfinished(view.value) ? [again] : []));
}

function groupHoldOf(
  group: GroupRecord,
  events: ReadonlyMap<string, EventRecord>,
  view: OperationView,
): z.output<typeof groupHold> {
  const owner = { kind: 'group' as const, key: group.key };
  const { operationId, state, decision, expiresAt, parts } = view;
  const details = parts.flatMap(({ detail }) => detail ?? []);
  const [first] = details;
  const home = parts[0]?.detail ?? null;
  const isOver = state === 'expired' || state === 'expire_pending';
  return {
    operationId,
    groupId: group.key,
    holdId: ownerHoldId(owner, operationId),
    state,
    decision,
    active: state === 'committed',
    expiresAt,
    createdAt: view.createdAt ?? 0,
    convergedAt: decision === 'commit' && home !== null ? home.createdAt : null,
    expiredAt: isOver ? (home?.endedAt ?? null) : null,
    buyerSessionId: first?.sessionId ?? null,
    selectionMode: first?.head?.selectionMode ?? 'same_seat',
    buyerRef: first?.buyerRef ?? null,
    partnerRef: first?.partnerRef ?? null,
    ...moneyOf(group),
    groupRevision: first?.head?.revision ?? group.revision,
    allocations: parts.flatMap(({ eventKey, items }) => {
      const event = events.get(eventKey);
      if (!event) return [];
      const { name, startsAt, endsAt } = event;
      const value = { configuredValue: configuredValueOf(items), total: totalOfItems(items) };
      return [{ eventKey, name, startsAt: startsAt ?? 0, endsAt, ...value, items: wordedItems(items) }];
    }),
  };
}

/** Without fees on top. The price of a table or area counts for each guest or place. */
function configuredValueOf(items: readonly LineItem[]): number {
  return items.reduce((sum, { unitPrice, quantity = 1 }) => sum + unitPrice * quantity, 0);
}

const groupBooking = z.object({
  bookActionId: text,
  operationId: text,
  groupId: idOf('pg').describe("The group's key."),
  bookingRef: text,
  state: z.enum(['book_pending', 'booked', 'partially_cancelled', 'cancelled', 'book_failed']),
  totalPerformances: count,
  bookedPerformances: count.describe('The performances that have seats of the booking now.'),
  active: z.array(text).describe('Their keys.'),
  cancelled: z.array(text).describe('The keys of the performances in which every seat of the booking is cancelled.'),
  cancellation: z
    .object({
      cancelActionId: text,
      state: z.enum(cancellationStates),
      rightDisposition: z.null().describe('A group gives no rights.'),
      outcomes: z.array(
        z.object({ eventKey: text, state: z.enum(['pending', 'cancelled', 'failed']), code: textOrNull }),
      ),
      lastError: textOrNull,
    })
    .nullable()
    .describe('The latest cancellation. Seats that `unbook` freed in one event have none.'),
  nextRetryAt: epochMs.nullable(),
  attempts: count,
  lastError: textOrNull,
  createdAt: epochMs,
  bookedAt: epochMs.nullable(),
});

const oneBooking = z.object({ booking: groupBooking });

/** The operation is known, so its hold was there once. */
const overHold = refuse('conflict', 'This hold is over. Nothing is booked. Hold the seats again.', {
  reason: 'hold_expired',
});

async function bookHold(call: BookCall) {
  const group = await groupOfServer(call);
  if (!group.ok) return group;
  const { key, eventKeys } = group.value;
  const { bookActionId: actionId, bookingRef } = call.body;
  const all = { owner: { kind: 'group' as const, key }, operationId: call.path.operationId, eventKeys };
  const from = call.ports.clock.now();
  const { ref, booked } = await bookOperation(call, all, { actionId, bookingRef }, deadlineOf(call));
  if (booked.ok) {
    const booking = bookingOf(call, ref, booked.value, actionId);
    const isRepeated = booking.state === 'booked' && booking.bookedAt! < from;
    return isRepeated ? repeatedBooking(call, booking) : toldBooking(call, booking);
  }
  if (booked.refusal.code === 'not_found') return forgottenBooking(call, booked);
  return booked.refusal.code === 'hold_not_found' ? overHold : booked;
}

/** The booking of a call before, some of which may be cancelled. */
async function repeatedBooking(call: BookCall, booking: GroupBooking) {
  const group = await call.ports.catalog('groups.get', target(call));
  if (!group.ok) return group;
  const booked = await keptOperation(call, group.value, booking.bookActionId);
  // The catalog has not counted the booking: so it has counted no cancellation either.
  if (booked.ok && booked.value.action.state !== 'booked') return toldBooking(call, booking);
  const standing = booked.ok ? await standingOf(call, booked.value) : booked;
  return standing.ok ? toldBooking(call, withStanding(booking, standing.value)) : standing;
}

/** The same for a server's key, whose scope has to have the group. */
async function groupOfServer(
  call: Pick<Call<'server'>, 'ports' | 'request' | 'principal'> & WithPath<'key'>,
): Promise<Outcome<GroupRecord>> {
  const found = await groupOfPath(call);
  return found.ok ? groupInScope(found.value, scopeOf(call.principal)) : found;
}

type ServerCall<Body = unknown> = Call<'server', Body, null>;

type GroupBooking = z.output<typeof groupBooking>;

const retryMs = 1_000;

/** What is left of a booking. */
type Standing = Pick<GroupBooking, 'active' | 'cancelled' | 'cancellation'> & { isReduced: boolean };

function whole(eventKeys: readonly string[]): Standing {
  return { active: [...eventKeys], cancelled: [], cancellation: null, isReduced: false };
}

/** What is left of the booking that the action has made, from the journals and the cancellations. */
async function standingOf(call: ServerCall, booked: BookedOperation): Promise<Outcome<Standing>> {
  const { kept, action } = booked;
  if (action.state !== 'booked') return done(whole([]));
  const shares = await sharesOf(call, booked);
  if (!shares.ok) return shares;
  const target = { groupKey: kept.owner.key, operationId: kept.operationId };
  const found = await call.ports.catalog('groups.cancellations', target);
  if (!found.ok) return found;
  const [latest] = found.value.cancellations;
  const eventKeys = (has: boolean) =>
    shares.value.flatMap(([eventKey, { labels }]) => (labels.length > 0 === has ? [eventKey] : []));
  const isReduced = shares.value.some(([, share]) => share.isReduced);
  // A cancellation under way shows at its end.
  const isUnderWay = latest?.state === 'cancel_pending' && found.value.cancellations.length === 1;
  const standing = isUnderWay ? whole(kept.parts.map(({ eventKey }) => eventKey)) : null;
  const now = standing ?? { active: eventKeys(true), cancelled: eventKeys(false), isReduced };
  return done({ ...now, cancellation: latest ? cancellationOf(latest) : null });
}

function cancellationOf({ cancelActionId, state, outcomes }: GroupCancellation): GroupBooking['cancellation'] {
  const failed = outcomes.find((each) => each.state === 'failed');
  return { cancelActionId, state, rightDisposition: null, outcomes, lastError: failed?.code ?? null };
}

/** The booking with what is left of it. */
function withStanding(booking: GroupBooking, { isReduced, ...standing }: Standing): GroupBooking {
  if (booking.state !== 'booked') return { ...booking, active: [], cancelled: [], cancellation: null };
  const state = standing.active.length === 0 ? 'cancelled' : isReduced ? 'partially_cancelled' : 'booked';
  return { ...booking, ...standing, state, bookedPerformances: standing.active.length };
}

/** 202 for a call whose work goes on: then `Location` is polled. */
function toldBooking(call: ServerCall & WithPath<'key'>, booking: GroupBooking) {
  const isOpen = booking.state === 'book_pending' || booking.cancellation?.state === 'cancel_pending';
  const names = [call.path.key, booking.bookActionId].map(encodeURIComponent);
  const headers: Header[] = isOpen
    ? [['Location', `/v1/performance-groups/${names[0]}/bookings/${names[1]}`], again]
    : [];
  const status = isOpen && call.request.method === 'POST' ? 202 : 200;
  return done(preparedJson(spell({ booking }), headers, status));
}

/**
 * The booking as the events show it. The home's time is the time of the booking: it decides. An action that the
 * operation does not have is one that the home has refused for good.
 */
function bookingOf(
  call: ServerCall,
  ref: OperationRef,
  view: OperationView,
  actionId: string,
  kept?: KeptOperation,
): GroupBooking {
  const now = call.ports.clock.now();
  // The same at every repetition.
  const decidedAt = view.decidedAt ?? now;
  const { booking } = view;
  const isOwn = booking?.actionId === actionId;
  const state = !isOwn ? 'book_failed' : booking.state;
  const refused = kept?.actions.find((each) => each.actionId === actionId);
  return {
    bookActionId: actionId,
    operationId: ref.operationId,
    groupId: ref.owner.key,
    bookingRef: isOwn ? booking.bookingRef : (refused?.bookingRef ?? ''),
    state,
    totalPerformances: ref.eventKeys.length,
    bookedPerformances: isOwn ? booking.bookedEventKeys.length : 0,
    active: isOwn ? booking.bookedEventKeys : [],
    cancelled: [],
    cancellation: null,
    nextRetryAt: state === 'book_pending' ? now + retryMs : null,
    attempts: 1,
    lastError: state === 'book_failed' ? 'conflict' : null,
    createdAt: decidedAt,
    bookedAt: state === 'booked' ? decidedAt : null,
  };
}

/** The events have forgotten the hold, or never had it. A booking replays all the same. */
async function forgottenBooking(call: BookCall, missing: Outcome<never>) {
  const { bookActionId, bookingRef } = call.body;
  const group = await call.ports.catalog('groups.get', target(call));
  if (!group.ok) return group;
  const kept = await keptOperation(call, group.value, bookActionId);
  if (!kept.ok) return kept.refusal.code === 'not_found' ? missing : kept;
  const booking = keptBookingOf(kept.value.kept, bookActionId);
  const isSame = booking.operationId === call.path.operationId && booking.bookingRef === bookingRef;
  if (!isSame || booking.state !== 'booked') return missing;
  const standing = await standingOf(call, kept.value);
  return standing.ok ? done({ booking: withStanding(booking, standing.value) }) : standing;
}

const unknownBooking = refuse('not_found', 'There is no such booking of this group. Check its bookActionId.');

/** `isCounted`: the journals have no later record of the operation. */
type Booked = BookedOperation & { isCounted: boolean };

/** The operation that the action books, as the journals show it. */
async function keptOperation(call: ServerCall, group: GroupDetail, actionId: string): Promise<Outcome<Booked>> {
  const owner = { kind: 'group' as const, key: group.group.key };
  const versions = await versionsOf(call, group);
  const known = await call.ports.catalog('operations.by-action', { owner, versions, actionId });
  if (known.ok) {
    const { operation: kept, isCounted } = known.value;
    const action = kept.actions.find((each) => each.actionId === actionId)!;
    return done({ kept, action, versions, isCounted });
  }
  return known.refusal.code === 'not_found' ? unknownBooking : known;
}

/** The versions of the group's events now. An event that does not answer is not waited for. */
async function versionsOf(call: ServerCall, { events }: GroupDetail) {
  const counted = await Promise.all(
    events.map(async (event) => {
      const told = await call.ports.shards.submit(event, callerOf(call.principal), { type: 'count' }, deadlineOf(call));
      return told.ok ? [{ eventKey: event.key, version: told.value.version }] : [];
    }),
  );
  return counted.flat();
}

/** A booking that its events have forgotten, from the records of their journals. */
export function keptBookingOf({ owner, operationId, parts, actions }: KeptOperation, actionId: string): GroupBooking {
  const action = actions.find((each) => each.actionId === actionId)!;
  const isBooked = action.state === 'booked';
  return {
    bookActionId: actionId,
    operationId,
    groupId: owner.key,
    bookingRef: action.bookingRef ?? '',
    state: isBooked ? 'booked' : 'book_failed',
    totalPerformances: parts.length,
    bookedPerformances: action.bookedParts,
    active: isBooked ? parts.map(({ eventKey }) => eventKey) : [],
    cancelled: [],
    cancellation: null,
    nextRetryAt: null,
    attempts: 1,
    lastError: isBooked ? null : 'conflict',
    createdAt: action.bookedAt ?? action.createdAt,
    bookedAt: action.bookedAt,
  };
}

const getGroupBooking = serverRoute(
  'GET /v1/performance-groups/{key}/bookings/{actionId}',
  {
    budget: budgets.serverCalls,
    answer: oneBooking,
    description: {
      operationId: 'getGroupBooking',
      tag: 'Groups',
      summary: 'One booking of a group',
      description: 'The booking under the id that the caller gave, with its labels in each performance.',
      headers: ['Retry-After'],
      refusals: ['not_found', 'mode_mismatch', 'shard_unavailable', 'overloaded'],
      examples: [
        { summary: 'The booking' },
        { summary: 'An unknown booking', path: { actionId: 'book-0' }, answers: 'not_found' },
      ],
    },
  },
  async (call) => {
    const group = await call.ports.catalog('groups.get', target(call));
    if (!group.ok) return group;
    const booked = await keptOperation(call, group.value, call.path.actionId);
    return booked.ok ? readBooking(call, group.value, booked.value) : booked;
  },
);

/** The booking as its events show it, else as their journals do, with what is left of it. */
async function readBooking(call: ServerCall & WithPath<'key' | 'actionId'>, { group }: GroupDetail, booked: Booked) {
  const { actionId } = call.path;
  const { kept } = booked;
  const found = await findOperation(call, kept.owner, kept.operationId, group.eventKeys);
  if (!found.ok && found.refusal.code !== 'not_found') return found;
  const view = found.ok ? await coordinatorOf(call).inspect(found.value.ref, deadlineOf(call)) : null;
  if (view && !view.ok) return view;
  const booking =
    view && found.ok ? bookingOf(call, found.value.ref, view.value, actionId, kept) : keptBookingOf(kept, actionId);
  const standing = booking.state === 'booked' ? await standingOf(call, booked) : done(whole([]));
  return standing.ok ? toldBooking(call, withStanding(booking, standing.value)) : standing;
}

const groupSale = z.object({
  operationId: text.describe('The name that the caller gave to the hold.'),
  kind: z.enum(['hold', 'booking']),
  state: text,
  bookingRef: textOrNull,
  createdAt: epochMs,
  expiresAt: epochMs.nullable().describe('The end of the hold.'),
  allocations: z.array(z.object({ eventKey: text, state: text })).describe('The part of each performance.'),
});

const groupSalesAnswer = z.object({
  operations: z.array(groupSale),
  truncated: z.boolean().describe('Older entries are left out.'),
});

const listGroupOperations = serverRoute(
  'GET /v1/performance-groups/{key}/operations',
  {
    budget: budgets.serverCalls,
    answer: groupSalesAnswer,
    description: {
      operationId: 'listGroupOperations',
      tag: 'Groups',
      summary: 'The newest 200 holds and bookings of a group',
      description: 'An answer that shows something unfinished has `Retry-After`.',
      headers: ['Retry-After'],
      refusals: ['not_found', 'mode_mismatch'],
      examples: [{ summary: 'The newest' }, unknownGroup],
    },
  },
  async (call) => {
    const found = await call.ports.catalog('groups.get', target(call));
    if (!found.ok) return found;
    const { key, eventKeys } = found.value.group;
    const { versions } = await eventsOf(call, { eventKeys });
    const owner = { kind: 'group' as const, key };
    const listed = await call.ports.catalog('operations.list', { owner, versions, page: { limit: operationsListed } });
    if (!listed.ok) return listed;
    const { operations, nextCursor } = listed.value;
    const told = { operations: operations.map(groupSaleOf), truncated: nextCursor !== undefined };
    return done(preparedJson(spell(told), operations.some(({ isOpen }) => isOpen) ? [again] : []));
  },
);

const operationsListed = 200;

function groupSaleOf({
  operationId,
  state,
  actions,
  createdAt,
  expiresAt,
  parts,
}: KeptOperation): z.output<typeof groupSale> {
  const booked = actions.find((action) => action.state !== 'refused');
  return {
    operationId,
    kind: booked ? 'booking' : 'hold',
    state,
    bookingRef: booked?.bookingRef ?? null,
    createdAt,
    expiresAt,
    allocations: parts.map((part) => ({ eventKey: part.eventKey, state: part.state })),
  };
}

const groupCancelBody = z.object({
  cancelActionId: actionId,
  bookingRef,
  labels: optional(soldLabels.describe('Only these seats. The label of an area stands for its places. [all]')),
  eventKeys: optional(z.array(id).min(1).describe('Only in these performances. [all]')),
});

const cancelExample = { cancelActionId: 'cancel-2000', bookingRef: 'order-2000' };

const cancelGroupBooking = serverRoute(
  'POST /v1/performance-groups/{key}/bookings/{actionId}/cancel',
  {
    budget: budgets.serverCalls,
    labelsIn,
    answer: oneBooking,
    body: groupCancelBody,
    description: {
      operationId: 'cancelGroupBooking',
      tag: 'Groups',
      summary: 'Cancel a booking in every performance, or a part of it',
      description:
        'Frees the seats that the booking still has: all of them, or those of `labels` and `eventKeys`. All are freed, or ' +
        'none. `cancelActionId` names the cancellation: a repetition finds the first one. A booking may be cancelled in ' +
        'several calls; `cancellation` shows the latest. 202 while a performance does not answer, or while a buyer has a ' +
        'listed seat in checkout: then poll the address in `Location`.',
      headers: ['Location', 'Retry-After'],
      refusals: ['not_found', 'mode_mismatch', 'conflict', 'catalog_unavailable', ...ofEvents],
      examples: [
        { summary: 'One performance', body: { ...cancelExample, eventKeys: [standIn.groupEvent] } },
        { summary: 'The whole booking', body: cancelExample },
        { summary: 'Under another reference', body: { ...cancelExample, bookingRef: 'order-9' }, answers: 'conflict' },
        { summary: 'A seat of another order', body: { ...cancelExample, labels: ['A-2'] }, answers: 'conflict' },
        {
          summary: 'An event outside the group',
          body: { ...cancelExample, eventKeys: ['elsewhere'] },
          answers: 'invalid_request',
        },
        { summary: 'An unknown booking', path: { actionId: 'book-0' }, body: cancelExample, answers: 'not_found' },
      ],
    },
  },
  cancelBooking,
);

const notBooked = refuse('conflict', 'The booking is not complete, so there is nothing to cancel yet.', {
  reason: 'not_booked',
});

const otherRef = refuse('conflict', 'The booking has another bookingRef. Send the reference of the booking.', {
  reason: 'booking_ref_mismatch',
});

const alreadyCancelled = refuse('conflict', 'Everything that this call names is cancelled already.', {
  reason: 'booking_cancelled',
});

type CancelCall = ServerCall<z.output<typeof groupCancelBody>> & WithPath<'key' | 'actionId'>;

/**
 * Failure at each await: the group or the booking cannot be read, or is not counted in time → nothing is cancelled, and
 * the refusal is retryable; the catalog's answer is lost → the cancellation may stand, and a repetition finds it.
 */
async function cancelBooking(call: CancelCall) {
  const group = await call.ports.catalog('groups.get', target(call));
  if (!group.ok) return group;
  const booked = await keptOperation(call, group.value, call.path.actionId);
  if (!booked.ok) return booked;
  const { kept, action, isCounted } = booked.value;
  const { cancelActionId, bookingRef, ...asked } = call.body;
  if (action.state !== 'booked') return isCounted ? notBooked : notCounted;
  if (action.bookingRef !== bookingRef) return otherRef;
  const ofBooking = { groupKey: kept.owner.key, operationId: kept.operationId };
  const before = await call.ports.catalog('groups.cancellations', ofBooking);
  if (!before.ok) return before;
  // A repetition needs no labels: the first call has them.
  const isRepeated = before.value.cancellations.some((each) => each.cancelActionId === cancelActionId);
  const labels = isRepeated ? done({}) : await labelsToCancel(call, booked.value);
  if (!labels.ok) return labels;
  const cancelled = await call.ports.catalog('groups.cancel-booking', {
    ...ofBooking,
    actionId: action.actionId,
    cancelActionId,
    bookingRef,
    askedHash: sha256(canonicalJson(asked)),
    eventKeys: Object.keys(labels.value),
    labels: labels.value,
    by: callerOf(call.principal),
  });
  if (!cancelled.ok) return cancelled;
  // The events have changed.
  const after = await keptOperation(call, group.value, call.path.actionId);
  return after.ok ? readBooking(call, group.value, after.value) : after;
}

type Conflict = { eventKey: string; label: string; name: string; status: string };

/** By event key: the labels to cancel. Refused if the call names a seat or an event that the booking does not have. */
async function labelsToCancel(call: CancelCall, booked: Booked): Promise<Outcome<Record<string, string[]>>> {
  const own = new Set(booked.kept.parts.map(({ eventKey }) => eventKey));
  const { labels: named, eventKeys = [...own] } = call.body;
  const foreign = eventKeys.findIndex((eventKey) => !own.has(eventKey));
  if (foreign >= 0) {
    return refuse('invalid_request', 'The booking has no seats in this event. Name performances of the booking.', {
      details: { issues: [{ path: `eventKeys.${foreign}`, message: 'Must be a performance of the booking.' }] },
    });
  }
  const shares = await sharesOf(call, booked);
  if (!shares.ok) return shares;
  const chosen = shares.value.filter(([eventKey]) => eventKeys.includes(eventKey));
  const conflicts: Conflict[] = [];
  const labels = chosen.flatMap(([eventKey, { labels: own, placesOf }]): [string, string[]][] => {
    const wanted = named?.flatMap((label) => placesOf.get(label) ?? [label]) ?? own;
    const missing = wanted.filter((label) => !own.includes(label));
    conflicts.push(
      ...missing.map((label) => ({ eventKey, label, name: wordsOfLabel(label).name, status: 'not_booked' })),
    );
    return wanted.length === 0 ? [] : [[eventKey, [...new Set(wanted)]]];
  });
  if (labels.length === 0) return alreadyCancelled;
  if (conflicts.length === 0) return done(Object.fromEntries(labels));
  return refuse('conflict', 'The booking does not have all of these seats now. The conflicts list them.', {
    reason: 'not_owned_by_booking_ref',
    details: { conflicts },
  });
}

const alike = holdRoutes({
  noun: 'Group',
  member: 'performance',
  path: '/performance-groups/{key}',
  budget: budgets.serverCalls,
  notSold: [],
  operation: oneOperation,
  hold: oneHold,
  booking: oneBooking,
  aboutHold: {
    description: 'The hold under the id that the caller gave, with its places and its end in each performance.',
    refusals: ['not_found', 'mode_mismatch', ...ofEvents],
  },
  bookSummary: 'Book a hold in every performance',
  examples: { unknownHold: 'pghop_0', order: { bookActionId: 'book-2001', bookingRef: 'order-2001' } },
  async soldEvents(call) {
    const group = await groupOfPath(call);
    return group.ok ? done(group.value.eventKeys) : group;
  },
  operationOfPath,
  showOperation: async (call, view) => done(told(call, view)),
  prefix: 'pghop',
  async soldByKey(call) {
    const mine = await groupOfServer(call);
    const group = mine.ok ? await activeGroup(call) : mine;
    if (!group.ok) return group;
    const { key, revision, eventKeys } = group.value;
    return done({ owner: { kind: 'group', key }, selectionMode: 'same_seat', revision, eventKeys });
  },
  async operationByKey(call) {
    const group = await groupOfServer(call);
    if (!group.ok) return group;
    const { key, eventKeys } = group.value;
    return operationForServer(call, { kind: 'group', key }, call.path.operationId, eventKeys);
  },
  showByKey: async (call, view, isNew) => done(isNew ? toldHold(call, view, '/v1') : told(call, view)),
  readHold,
  book: bookHold,
});

export const groupSalesRoutes = [
  getGroupForBuyers,
  alike.chart,
  getGroupObjects,
  getGroupSaleSummaries,
  holdForGroupRoute,
  alike.operation,
  releaseGroupHold,
  extendGroupHold,
  adoptGroupSession,
  alike.hold,
  ...alike.byKey,
  alike.book,
  listGroupOperations,
  getGroupBooking,
  cancelGroupBooking,
];

export const groupSalesSchemas = { GroupHold: groupHold, GroupBooking: groupBooking };
