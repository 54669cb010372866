/**
 * Sales of seasons: the page's map of all occurrences of the session's plan, holds by buyers, and the holds and
 * bookings that a platform reads, books and cancels.
 */

import type { KeptBookingAction, KeptOperation } from '@parterre/shared/protocol/catalog/operations';
import { rightDispositions, type SeasonCancellation } from '@parterre/shared/protocol/catalog/season-sales';
import type { SeasonPlan, SeasonRecord } from '@parterre/shared/protocol/catalog/seasons';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { type WordedItem, wordedItems } from '@parterre/shared/protocol/line-items';
import type { OperationOwner } from '@parterre/shared/protocol/operations/operation';
import type { OperationRef, OperationView } from '@parterre/shared/protocol/operations/ports';
import { z } from 'zod';
import { budgets } from '../admission/admission.ts';
import { type Header, preparedJson, type Spelled, spell } from '../answers/answers.ts';
import type { Replica } from '../feeds/feeds.ts';
import { standIn } from '../openapi/openapi.ts';
import type { Audience } from '../pictures/pictures.ts';
import { callerOf, inTime, selectionsOf } from './calls/ask.ts';
import { type Call, ownerBuyerRoute, serverRoute, type WithPath } from './calls/route.ts';
import { bookingRef, soldLabels } from './inventory.ts';
import {
  aboutStates,
  type BookCall,
  type HeldOwner,
  type HoldCall,
  holdRoutes,
  type KeyHoldCall,
} from './owner-holds.ts';
import { buyerStatus, count, epochMs, idOf, lineItem, stale, text, textOrNull } from './records.ts';
import {
  actionId,
  again,
  type BookedOperation,
  buyersCoordinator,
  callerOfOwnerBuyer,
  coordinatorOf,
  deadlineOf,
  findOperation,
  holdState,
  internalIdOfHold,
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
  ownById,
  ownerHoldId,
  ownOperation,
  releaseOwn,
  replicasOf,
  seatsEverywhere,
  sharesOf,
  takenName,
  ttlMsOf,
  versionOf,
  viewFound,
} from './sales-over-events.ts';
import {
  bookingOf,
  cancellationsOf,
  eventsOf,
  isOpenBooking,
  known,
  oneSeasonBooking,
  type SeasonBookingAnswer,
  seasonBooking,
  target,
} from './seasons.ts';

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

const getSeasonForBuyers = ownerBuyerRoute(
  'GET /pub/seasons/{key}',
  {
    budget: budgets.buyerReads,
    answer: buyersSeason,
    description: {
      operationId: 'getSeasonForBuyers',
      tag: 'Seasons',
      summary: 'The season, and the occurrences of the plan that this session buys',
      description: "The words and times that a buyers' page shows before it reads the map.",
      refusals: ['event_closed'],
      examples: [{ summary: 'The season' }],
    },
  },
  async (call) => {
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
  },
);

type SeasonCall = Pick<Call<'none'>, 'ports' | 'request'> & WithPath<'key'>;

type SeasonSaleBuyerCall = Pick<Call<'season-buyer'>, 'ports' | 'request' | 'principal'> & WithPath<'key'>;

/**
 * The season of a buyer's call, and the plan that it sells. A session sells the plan that was published last before it.
 */
type SoldSeason = { season: SeasonRecord; plan: SeasonPlan };

/** The season for a read. A publication of a moment ago may be unknown to the cache. */
async function soldSeason(call: SeasonSaleBuyerCall): Promise<Outcome<SoldSeason>> {
  const { seasons } = call.ports;
  const { key } = call.path;
  const known = await inTime(call, Promise.resolve(seasons.get(key)));
  if (!known.ok) return known;
  const plan = planOf(call, known.value);
  if (plan) return done({ season: known.value, plan });
  seasons.drop(key);
  const latest = await inTime(call, Promise.resolve(seasons.get(key)));
  return latest.ok ? withPlan(call, latest.value) : latest;
}

function planOf({ principal }: SeasonSaleBuyerCall, { plans }: SeasonRecord): SeasonPlan | undefined {
  return plans.find(({ activationId }) => activationId !== null && activationId === principal.planActivationId);
}

const superseded = refuse('event_closed', 'The plan of this session is not sold any more. Open a new session.', {
  reason: 'plan_superseded',
});

function withPlan(call: SeasonSaleBuyerCall, season: SeasonRecord): Outcome<SoldSeason> {
  const plan = planOf(call, season);
  return plan ? done({ season, plan }) : superseded;
}

const availability = z.object({
  seats: z
    .record(text, buyerStatus)
    .describe('Every label. Free where every occurrence of the plan has it free, else the firmest status.'),
  stale,
});

const getSeasonAvailability = ownerBuyerRoute(
  'GET /pub/seasons/{key}/availability',
  {
    budget: budgets.buyerReads,
    answer: availability,
    description: {
      operationId: 'getSeasonAvailability',
      tag: 'Seasons',
      summary: 'One map of all occurrences of the plan',
      description: 'Every label has the firmest of its statuses: not_for_sale, booked, held, free.',
      headers: ['ETag'],
      refusals: ['event_closed', ...ofEvents],
      examples: [{ summary: 'The map' }],
    },
  },
  async (call) => {
    const sold = await soldSeason(call);
    if (!sold.ok) return sold;
    const { plan } = sold.value;
    const replicas = await replicasOf(call, plan.eventKeys);
    if (!replicas.ok) return replicas;
    const mark = replicas.value.some((replica) => replica.isStale) ? '-stale' : '';
    const etag = `"${plan.publishedRevision}.${versionOf(replicas.value)}${mark}"`;
    return mapAnswer(call, replicas.value, etag, [], (audiences) => seatsJson(replicas.value, audiences));
  },
);

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
  const stale = replicas.some((replica) => replica.isStale) ? ',"stale":true' : '';
  return `{"seats":${seats}${stale}}` as Spelled<z.output<typeof availability>, string>;
}

const policy = z.literal('fixed_inclusion_same_seat').describe('The same seats in every occurrence of the plan.');

/** The states of a part. `pending`: the event has not answered, or has no part yet. */
const allocationState = z.enum(['pending', 'held', 'booked', 'released', 'expired', 'aborted']);

const seasonOperation = z.object({
  operationId: text,
  holdId: idOf('hld'),
  expiresAt: epochMs.nullable(),
  policy,
  state: holdState,
  retryAfterSeconds: count.nullable().describe('Null where nothing is unfinished.'),
  allocations: z.array(z.object({ eventId: text, state: allocationState })),
});

const oneSeasonOperation = z.object({ operation: seasonOperation });

const seasonHoldBody = z.object({
  operationId: operationName('sop'),
  labels: soldLabels.describe('The same seats in every occurrence of the plan.'),
});

const reusedName = refuse('conflict', 'This operationId was used for another plan. Choose a new operationId.', {
  reason: 'operation_id_reused',
});

const fixed = 'fixed_inclusion_same_seat' as const;

const holdForSeasonRoute = ownerBuyerRoute(
  'POST /pub/seasons/{key}/holds',
  {
    budget: budgets.buyerHolds,
    answer: oneSeasonOperation,
    body: seasonHoldBody,
    status: 201,
    description: {
      operationId: 'holdForSeason',
      tag: 'Seasons',
      summary: 'Hold the same seats in every occurrence of the plan, all or none',
      description:
        '`operationId` names the hold: a repetition finds the first one, and another content under the same name is 409. ' +
        'A conflict names each label with the event that lacks it. 202 while an occurrence does not answer: poll the ' +
        `address in \`Location\`. Seats of private channels are not sold. ${aboutStates('occurrence')}`,
      headers: ['Location', 'Retry-After'],
      refusals: [
        'conflict',
        'event_closed',
        'channel_access_denied',
        'channel_paused',
        'max_quantity_exceeded',
        'public_limit',
        'selection_rules_broken',
        'unknown_labels',
        'not_for_sale',
        'invalid_quantity',
        'ticket_option_not_applicable',
        'companion_pair_required',
        'price_missing',
        ...ofEvents,
      ],
      examples: [
        { summary: 'Two seats', body: { operationId: 'sop_order-3002', labels: ['B-1', 'B-2'] } },
        {
          summary: 'A seat that is held',
          body: { operationId: 'sop_order-3003', labels: ['A-1'] },
          answers: 'conflict',
        },
        { summary: 'Without seats', body: { operationId: 'sop_order-3004' }, answers: 'invalid_request' },
      ],
    },
  },
  holdForSeason,
);

/**
 * The holds of a season's buyers. A hold takes the same seats of every occurrence of the session's plan, all or none.
 *
 * Failure at each await: the season cannot be read → nothing was held; an event does not answer by the deadline → the
 * coordinator's view says what is known, and a catalog goes on with the rest; an event cannot be looked up → the
 * refusal is the answer, and a repetition finds the hold.
 */
async function holdForSeason(call: SeasonSaleBuyerCall & { body: z.output<typeof seasonHoldBody> }) {
  const selling = await sellingSeason(call);
  if (!selling.ok) return selling;
  const { operationId, labels } = call.body;
  const free = await checkName(call, call.principal.owner, selling.value, operationId);
  if (!free.ok) return free;
  const { season, plan } = selling.value;
  const draft = {
    owner: call.principal.owner,
    operationId,
    selectionMode: 'same_seat' as const,
    revision: season.revision,
    planActivationId: plan.activationId!,
    parts: plan.eventKeys.map((eventKey) => ({ eventKey, selections: selectionsOf({ labels }) })),
    ttlMs: await ttlMsOf(call, plan.eventKeys),
  };
  const caller = callerOfOwnerBuyer(call.principal, plan.eventKeys[0]!);
  const held = await buyersCoordinator(call).hold(draft, caller, deadlineOf(call));
  if (!held.ok) return held;
  const noted = await noteUnheard(call, draft, held.value, call.principal.sessionId);
  if (!noted.ok) return noted;
  return isOwn(call.principal, held.value) ? toldOperation(call, held.value, 201) : takenName;
}

/** The season while it sells the session's plan. No event knows the sales state, so no cache is asked. */
async function sellingSeason(call: SeasonSaleBuyerCall): Promise<Outcome<SoldSeason>> {
  const found = await call.ports.catalog('seasons.find', { seasonKey: call.path.key });
  if (!found.ok) return found;
  const { season } = found.value;
  const selling = checkSelling(season);
  if (!selling.ok) return selling;
  const sold = withPlan(call, season);
  return sold.ok && sold.value.plan.publicationState !== 'published' ? superseded : sold;
}

function checkSelling({ structureState, salesState }: SeasonRecord): Outcome<null> {
  if (structureState === 'active' && salesState === 'open') return done(null);
  return refuse('event_closed', 'This season sells nothing now.', {
    reason: structureState === 'active' ? `sales_${salesState}` : 'season_not_active',
  });
}

/** The season with the plan that its platform sells: the plan that was published last. */
async function soldByKey(call: KeyHoldCall): Promise<Outcome<HeldOwner>> {
  const found = await call.ports.catalog('seasons.get', target(call));
  if (!found.ok) return found;
  const { season } = found.value;
  const selling = checkSelling(season);
  if (!selling.ok) return selling;
  const published = season.plans.filter(({ publicationState }) => publicationState === 'published');
  const [plan] = published.sort((one, other) => other.publishedRevision! - one.publishedRevision!);
  if (!plan) return refuse('event_closed', 'This season sells no plan now.', { reason: 'no_published_plan' });
  const owner = { kind: 'season' as const, key: season.key };
  const free = await checkName(call, owner, { season, plan }, call.body.operationId);
  if (!free.ok) return free;
  const { revision } = season;
  const { eventKeys, activationId } = plan;
  return done({ owner, selectionMode: 'same_seat', revision, planActivationId: activationId!, eventKeys });
}

/**
 * An operation has its home at the first event of its plan. Plans without common events have different homes, and none
 * of them would see that another has the name. So a hold looks at the homes that are not among its own events.
 */
async function checkName(
  call: Pick<Call<'none'>, 'ports' | 'request'>,
  owner: OperationOwner,
  { season, plan }: SoldSeason,
  operationId: string,
): Promise<Outcome<true>> {
  const published = season.plans.filter(({ activationId }) => activationId !== null);
  const homes = new Set(published.map(({ eventKeys }) => eventKeys[0]!));
  const foreign = [...homes].filter((home) => !plan.eventKeys.includes(home));
  if (foreign.length === 0) return done(true);
  const found = await findOperation(call, owner, operationId, foreign);
  if (found.ok) return reusedName;
  return found.refusal.code === 'not_found' ? done(true) : found;
}

/** The answer of a call that changes the hold: 202 while something goes on, and then `Location` is polled. */
async function toldOperation(call: SeasonCall, view: OperationView, status: number, part: '/pub' | '/v1' = '/pub') {
  const holds = part === '/pub' ? 'operations' : 'holds';
  const at = `${part}/seasons/${encodeURIComponent(call.path.key)}/${holds}/${encodeURIComponent(view.operationId)}`;
  return isUnfinished(view) ? answerOf(call, view, 202, [['Location', at]]) : answerOf(call, view, status);
}

async function answerOf(call: SeasonCall, view: OperationView, status: number, more: Header[] = []) {
  const members = await membersOf(
    call,
    view.parts.map(({ eventKey }) => eventKey),
  );
  if (!members.ok) return members;
  const eventIds = members.value.map(({ event }) => event.id);
  const headers: Header[] = [...more, ...(isUnfinished(view) ? [again] : [])];
  const body = spell({ operation: operationOf(call.path.key, view, eventIds) });
  return done(preparedJson(body, headers, status));
}

/** `eventIds` in the order of the parts. */
function operationOf(
  seasonKey: string,
  view: OperationView,
  eventIds: readonly string[],
): z.output<typeof seasonOperation> {
  const { operationId, expiresAt, state, parts } = view;
  return {
    operationId,
    holdId: holdIdOf(seasonKey, operationId),
    expiresAt,
    policy: fixed,
    state,
    retryAfterSeconds: isUnfinished(view) ? 1 : null,
    allocations: parts.map((part, index) => ({ eventId: eventIds[index]!, state: stateOfPart(part.state) })),
  };
}

function holdIdOf(seasonKey: string, operationId: string): string {
  return ownerHoldId({ kind: 'season', key: seasonKey }, operationId);
}

/** A pin is the server's own affair: the seats are held. */
function stateOfPart(state: OperationView['parts'][number]['state']): z.output<typeof allocationState> {
  if (state === 'none' || state === 'unknown') return 'pending';
  return state === 'pinned' ? 'held' : state;
}

/** The buyer's own operation by its name, or by the id of its hold. */
async function ownOperationNamed(call: SeasonSaleBuyerCall, named: string): Promise<Outcome<OwnOperation>> {
  const sold = await soldSeason(call);
  if (!sold.ok) return sold;
  const eventKeys = sold.value.plan.eventKeys.slice(0, 2);
  const id = internalIdOfHold(named);
  return id === null ? ownOperation(call, named, eventKeys) : ownById(call, id, eventKeys);
}

const seasonReleaseBody = z.object({ releaseActionId: actionId });

const releaseSeasonHold = ownerBuyerRoute(
  'POST /pub/seasons/{key}/holds/{holdId}/release',
  {
    budget: budgets.buyerCalls,
    answer: oneSeasonOperation,
    body: seasonReleaseBody,
    description: {
      operationId: 'releaseSeasonHold',
      tag: 'Seasons',
      summary: 'Release a hold in every occurrence',
      description: 'The path has the id of the hold, or its `operationId`. `releaseActionId` names the release.',
      headers: ['Location', 'Retry-After'],
      refusals: ['conflict', 'event_closed', 'hold_not_found', ...ofEvents],
      examples: [
        { summary: 'The hold', body: { releaseActionId: 'release-3001' } },
        {
          summary: 'An unknown hold',
          path: { holdId: 'hld_0' },
          body: { releaseActionId: 'release-3001' },
          answers: 'not_found',
        },
      ],
    },
  },
  async (call) => {
    const view = await releaseOwn(call, await ownOperationNamed(call, call.path.holdId));
    return view.ok ? toldOperation(call, view.value, 200) : view;
  },
);

const withoutMoney = {
  unitPrice: true,
  fees: true,
  allIn: true,
  total: true,
  currency: true,
  priceUnit: true,
} as const;

const seasonHold = z.object({
  operationId: text,
  seasonKey: idOf('sea'),
  holdId: idOf('hld'),
  state: holdState,
  bookingRef: textOrNull,
  expiresAt: epochMs.nullable(),
  policy,
  allocations: z.array(
    z.object({
      eventKey: text,
      labels: z.array(text),
      items: z.array(lineItem.omit(withoutMoney)),
    }),
  ),
});

/** The holds of a season tell no prices. */
function unpriced({ unitPrice, fees, allIn, total, currency, priceUnit, ...item }: WordedItem) {
  return item;
}

const oneSeasonHold = z.object({ hold: seasonHold });

async function readHold(call: HoldCall) {
  const found = await call.ports.catalog('seasons.get', target(call));
  if (!found.ok) return found;
  const { season } = found.value;
  const known = await operationNamed(call, season, call.path.operationId);
  if (!known.ok) return known;
  const view = await viewFound(coordinatorOf(call), known.value, deadlineOf(call));
  if (!view.ok) return view;
  const headers = isUnfinished(view.value) ? [again] : [];
  return done(preparedJson(spell({ hold: seasonHoldOf(season, view.value) }), headers));
}

/**
 * Bookings of a season, and their cancellations, as the season's platform makes and reads them. The journals keep a
 * booking for ever, and the actors remember it for a day. So a booking is read from the catalog's projection, once the
 * projection has counted the present versions of its events.
 *
 * Failure at each await: the season or the operation cannot be read → nothing was changed; an event does not answer the
 * booking by the deadline → the answer is `book_pending`, and a catalog goes on with it; an event's units cannot be
 * read, or the projection has not counted the event's present version in time → nothing is cancelled, and the refusal
 * is retryable; the catalog's answer to a cancellation is lost → the cancellation may stand, and a repetition finds it.
 */
type ServerCall<Body = unknown> = Call<'server', Body, null> & WithPath<'key'>;

type NamedOperation = OwnOperation & { planActivationId: string | null; kept: KeptOperation | null };

const unknownHold = refuse('not_found', 'There is no such hold of this season, or it ended more than a day ago.');

/** The operation of the season, from the projection; from its events where nothing is counted yet. */
async function operationNamed(
  call: ServerCall,
  season: SeasonRecord,
  operationId: string,
): Promise<Outcome<NamedOperation>> {
  const owner = { kind: 'season' as const, key: season.key };
  const kept = await call.ports.catalog('operations.get', { owner, operationId, versions: [] });
  if (kept.ok) {
    const { operation } = kept.value;
    const eventKeys = operation.parts.map(({ eventKey }) => eventKey);
    const { planActivationId } = operation;
    return done({ ref: { owner, operationId, eventKeys }, note: null, planActivationId, kept: operation });
  }
  const likely = likelyEvents(season);
  if (kept.refusal.code !== 'not_found') return kept;
  if (likely.length === 0) return unknownHold;
  const found = await operationForServer(call, owner, operationId, likely);
  if (!found.ok) return found.refusal.code === 'not_found' ? unknownHold : found;
  const { ref, note, planActivationId } = found.value;
  return done({ ref, note, planActivationId, kept: null });
}

/** The home and the first member of every plan that was ever published: one of them knows each hold of the season. */
function likelyEvents({ plans }: SeasonRecord): string[] {
  const published = plans.filter(({ activationId }) => activationId !== null);
  return [...new Set(published.flatMap(({ eventKeys }) => eventKeys.slice(0, 2)))];
}

function seasonHoldOf({ key }: SeasonRecord, view: OperationView): z.output<typeof seasonHold> {
  const { operationId, expiresAt, state, booking, parts } = view;
  return {
    operationId,
    seasonKey: key,
    holdId: holdIdOf(key, operationId),
    state,
    expiresAt,
    policy: fixed,
    bookingRef: booking?.bookingRef ?? null,
    allocations: parts.map(({ eventKey, items }) => ({
      eventKey,
      labels: items.map(({ label }) => label),
      items: wordedItems(items).map(unpriced),
    })),
  };
}

/** 202 for a call whose work goes on: then `Location` is polled. */
function told({ request, path }: Pick<ServerCall, 'request' | 'path'>, booking: Outcome<SeasonBookingAnswer>) {
  if (!booking.ok) return booking;
  const isOpen = isOpenBooking(booking.value);
  const names = [path.key, booking.value.actionId].map(encodeURIComponent);
  const headers: Header[] = isOpen ? [['Location', `/v1/seasons/${names[0]}/bookings/${names[1]}`], again] : [];
  const status = isOpen && request.method === 'POST' ? 202 : 200;
  return done(preparedJson(spell({ booking: booking.value }), headers, status));
}

/** The actors have forgotten the operation, so its hold was over long ago. */
const overHold = refuse('conflict', 'This hold is over. Nothing is booked. Hold the seats again.', {
  reason: 'hold_expired',
});

/** Books every occurrence. The occurrences of the season's outbox stand before the answer. */
async function bookHold(call: BookCall): Promise<Outcome<SeasonBookingAnswer>> {
  const season = await call.ports.catalog('seasons.get', target(call));
  if (!season.ok) return season;
  const known = await operationNamed(call, season.value.season, call.path.operationId);
  if (!known.ok) return known;
  const { ref, kept } = known.value;
  const { bookActionId: actionId, bookingRef } = call.body;
  const standing = kept?.actions.find((each) => each.actionId === actionId && each.state === 'booked');
  if (kept && standing?.bookingRef === bookingRef) return withCancellation(call, ref.owner.key, kept, standing);
  const booked = await coordinatorOf(call).book(
    ref,
    { actionId, bookingRef },
    callerOf(call.principal),
    deadlineOf(call),
  );
  if (!booked.ok) return booked.refusal.code === 'hold_not_found' ? overHold : booked;
  const { parts, booking } = booked.value;
  const isBooked = booking?.state === 'booked';
  if (isBooked) await settle(call, ref);
  const told = {
    operationId: ref.operationId,
    planActivationId: known.value.planActivationId,
    isOpen: !isBooked,
    parts: parts.map(({ eventKey, state }) => ({
      eventKey,
      holdId: null,
      state: state === 'unknown' ? 'none' : state,
    })),
  } as const;
  return done(bookingOf(told, { actionId, bookingRef, state: isBooked ? 'booked' : 'pending' }, null));
}

async function withCancellation(
  call: ServerCall,
  seasonKey: string,
  kept: KeptOperation,
  action: KeptBookingAction,
): Promise<Outcome<SeasonBookingAnswer>> {
  const standing = await cancellationOf(call, seasonKey, kept);
  return standing.ok ? done(bookingOf(kept, action, standing.value)) : standing;
}

async function cancellationOf(
  call: ServerCall,
  seasonKey: string,
  { operationId }: KeptOperation,
): Promise<Outcome<SeasonCancellation | null>> {
  const found = await cancellationsOf(call, seasonKey, [operationId]);
  return found.ok ? done(found.value.get(operationId) ?? null) : found;
}

/** The catalogs read the booking from the journals too, so this step may come late. */
async function settle(call: ServerCall, { owner, operationId, eventKeys }: OperationRef): Promise<void> {
  const { versions } = await eventsOf(call, { eventKeys });
  await call.ports.catalog('operations.settle', { owner, operationId, versions });
}

const unknownBooking = { summary: 'An unknown booking', path: { actionId: 'book-0' }, answers: 'not_found' } as const;

const getSeasonBooking = serverRoute(
  'GET /v1/seasons/{key}/bookings/{actionId}',
  {
    budget: budgets.seasons,
    answer: oneSeasonBooking,
    description: {
      operationId: 'getSeasonBooking',
      tag: 'Seasons',
      summary: 'One booking of a season, with its cancellation',
      description:
        'The booking under the id that the caller gave, with the outcome in each event, and its cancellation, ' +
        'if there is one.',
      headers: ['Location', 'Retry-After'],
      refusals: known,
      examples: [{ summary: 'The booking' }, unknownBooking],
    },
  },
  async (call) => told(call, await readBooking(call)),
);

async function readBooking(call: ServerCall & WithPath<'actionId'>): Promise<Outcome<SeasonBookingAnswer>> {
  const found = await call.ports.catalog('seasons.get', target(call));
  if (!found.ok) return found;
  const { season } = found.value;
  const booked = await bookingOfPath(call, season);
  return booked.ok ? withCancellation(call, season.key, booked.value.kept, booked.value.action) : booked;
}

/** `isCounted`: the journals have no later record of the operation. */
type Booked = BookedOperation & { isCounted: boolean };

const unknownBookingOfSeason = refuse('not_found', 'There is no such booking of this season. Check its bookActionId.');

/** The operation that the booking of the path has booked, tries to book, or failed to book. */
async function bookingOfPath(call: ServerCall & WithPath<'actionId'>, season: SeasonRecord): Promise<Outcome<Booked>> {
  const { actionId } = call.path;
  const owner = { kind: 'season' as const, key: season.key };
  const { versions } = await eventsOf(call, season);
  const found = await call.ports.catalog('operations.by-action', { owner, versions, actionId });
  const areAllAsked = versions.length === season.eventKeys.length;
  if (!found.ok && found.refusal.code === 'not_found') return areAllAsked ? unknownBookingOfSeason : notCounted;
  if (!found.ok) return found;
  const { operation: kept } = found.value;
  const isCounted = found.value.isCounted && areAllAsked;
  const action = kept.actions.find((each) => each.actionId === actionId)!;
  return done({ kept, action, versions, isCounted });
}

const seasonCancelBody = z.object({
  cancelActionId: actionId,
  bookingRef,
  planActivationId: z.string().min(1).max(128),
  rightDisposition: z.enum(rightDispositions).describe('Whether the holder keeps the right to the seats.'),
});

const cancel = {
  cancelActionId: 'cancel-3000',
  bookingRef: 'order-3000',
  planActivationId: standIn.soldActivation,
  rightDisposition: 'release',
};

const cancelSeasonBooking = serverRoute(
  'POST /v1/seasons/{key}/bookings/{actionId}/cancel',
  {
    budget: budgets.seasons,
    answer: oneSeasonBooking,
    body: seasonCancelBody,
    description: {
      operationId: 'cancelSeasonBooking',
      tag: 'Seasons',
      summary: 'Cancel a booking in every occurrence',
      description:
        'Frees the seats that the booking still has. With `preserve` the holder keeps the right to them, with `release` ' +
        'it ends. `cancelActionId` names the cancellation: a repetition finds the first one. The booking stays `booked` ' +
        'while it is being cancelled. 202 while an occurrence does not answer: then poll the address in `Location`.',
      headers: ['Location', 'Retry-After'],
      refusals: [...known, 'conflict', ...ofEvents],
      examples: [
        { summary: 'The booking', body: cancel },
        { summary: 'Under another reference', body: { ...cancel, bookingRef: 'order-9' }, answers: 'conflict' },
        { ...unknownBooking, body: cancel },
      ],
    },
  },
  async (call) => told(call, await cancelBooking(call)),
);

const notBooked = refuse('conflict', 'The booking is not complete, so there is nothing to cancel yet.', {
  reason: 'not_booked',
});

const otherRef = refuse('conflict', 'The booking has another bookingRef. Send the reference of the booking.', {
  reason: 'booking_ref_mismatch',
});

const otherPlan = refuse('conflict', 'The booking is of another planActivationId. Send that of the booking.', {
  reason: 'plan_activation_mismatch',
});

async function cancelBooking(
  call: ServerCall<z.output<typeof seasonCancelBody>> & WithPath<'actionId'>,
): Promise<Outcome<SeasonBookingAnswer>> {
  const found = await call.ports.catalog('seasons.get', target(call));
  if (!found.ok) return found;
  const { key: seasonKey } = found.value.season;
  const booked = await bookingOfPath(call, found.value.season);
  if (!booked.ok) return booked;
  const { kept, action, isCounted } = booked.value;
  const { bookingRef, planActivationId } = call.body;
  if (action.state !== 'booked') return isCounted ? notBooked : notCounted;
  if (action.bookingRef !== bookingRef) return otherRef;
  if (kept.planActivationId !== planActivationId) return otherPlan;
  const standing = await cancellationOf(call, seasonKey, kept);
  if (!standing.ok) return standing;
  // A repetition needs no labels: the first call has them.
  const isRepeated = standing.value?.cancelActionId === call.body.cancelActionId;
  const labels = isRepeated ? done({}) : await bookedLabels(call, booked.value);
  if (!labels.ok) return labels;
  const cancelled = await call.ports.catalog('seasons.cancel-booking', {
    seasonKey,
    operationId: kept.operationId,
    actionId: action.actionId,
    ...call.body,
    labels: labels.value,
    by: callerOf(call.principal),
    eventKeys: kept.parts.map(({ eventKey }) => eventKey),
  });
  return cancelled.ok ? done(bookingOf(kept, action, cancelled.value.cancellation)) : cancelled;
}

/** By event key: the labels that the operation has booked and still has. */
async function bookedLabels(call: ServerCall, booked: Booked): Promise<Outcome<Record<string, string[]>>> {
  const shares = await sharesOf(call, booked);
  if (!shares.ok) return shares;
  return done(Object.fromEntries(shares.value.map(([eventKey, { labels }]) => [eventKey, labels])));
}

const alike = holdRoutes({
  noun: 'Season',
  member: 'occurrence',
  path: '/seasons/{key}',
  budget: budgets.seasons,
  notSold: ['event_closed'],
  operation: oneSeasonOperation,
  hold: oneSeasonHold,
  booking: oneSeasonBooking,
  aboutHold: {
    description: 'A hold stays readable for a day after its end. The items have no prices: a plan sets its own.',
    refusals: [...known, 'hold_not_found', ...ofEvents],
  },
  bookSummary: 'Book a hold in every occurrence of its plan',
  examples: { unknownHold: 'sop_0', order: { bookActionId: 'book-3001', bookingRef: 'order-3001' } },
  async soldEvents(call) {
    const sold = await soldSeason(call);
    return sold.ok ? done(sold.value.plan.eventKeys) : sold;
  },
  operationOfPath: (call) => ownOperationNamed(call, call.path.operationId),
  showOperation: (call, view) => answerOf(call, view, 200),
  prefix: 'sop',
  soldByKey,
  async operationByKey(call) {
    const season = await call.ports.catalog('seasons.get', target(call));
    return season.ok ? operationNamed(call, season.value.season, call.path.operationId) : season;
  },
  showByKey: (call, view, isNew) => toldOperation(call, view, isNew ? 201 : 200, '/v1'),
  readHold,
  book: async (call) => told(call, await bookHold(call)),
});

export const seasonSalesRoutes = [
  getSeasonForBuyers,
  alike.chart,
  getSeasonAvailability,
  holdForSeasonRoute,
  alike.operation,
  releaseSeasonHold,
  alike.hold,
  ...alike.byKey,
  alike.book,
  getSeasonBooking,
  cancelSeasonBooking,
];

export const seasonSalesSchemas = { SeasonHold: seasonHold, SeasonBooking: seasonBooking };
