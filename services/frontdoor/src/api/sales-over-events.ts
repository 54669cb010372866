/**
 * Parts that sales of groups and of seasons share: operations over several events, the chart and the one map of all
 * events. The version of a map is the sum of the events' versions: it grows with every change of an
 * event, and is the same at every front door.
 *
 * Failure at each await of a map: an event, its replica or the document cannot be read by the call's deadline → the
 * refusal is the answer.
 */

import type { Plan } from '@parterre/shared/charts/plan';
import type { PartDetail } from '@parterre/shared/protocol/answers';
import type { KeptBookingAction, KeptOperation } from '@parterre/shared/protocol/catalog/operations';
import type { OwnerSession } from '@parterre/shared/protocol/catalog/scope';
import type { Caller } from '@parterre/shared/protocol/commands';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { sha256 } from '@parterre/shared/protocol/ids';
import { createCoordinator, headOf } from '@parterre/shared/protocol/operations/coordinator';
import {
  internalIdOf,
  type OperationHead,
  type OperationOwner,
  type PartState,
} from '@parterre/shared/protocol/operations/operation';
import type {
  AssumedRef,
  Coordinator,
  CoordinatorPorts,
  OperationDraft,
  OperationRef,
  OperationView,
} from '@parterre/shared/protocol/operations/ports';
import { holdTtlMsDefault } from '@parterre/shared/protocol/page-limits';
import { unitStatus } from '@parterre/shared/protocol/records';
import type { Clock } from '@parterre/shared/runtime/clock';
import { RecentMap } from '@parterre/shared/runtime/recent-map';
import { z } from 'zod';
import { type KnownEvent, knownInTime } from '../admission/admission.ts';
import {
  formsOf,
  type Header,
  hasEtag,
  preparedJson,
  preparedWhole,
  type Spelled,
  unchanged,
} from '../answers/answers.ts';
import type { Replica } from '../feeds/feeds.ts';
import { type ShareOfOperation, shareOfOperation } from '../logs/logs.ts';
import { type Audience, buyerAudience, statusWord, stripped } from '../pictures/pictures.ts';
import { type Access, askActor, askAs, callerOf, inTime, withAccess } from './calls/ask.ts';
import type { Call } from './calls/route.ts';
import { asVisitor } from './calls/visitors.ts';
import { plansOf } from './reports.ts';

const nameCharacters = '[A-Za-z0-9._:-]';

/**
 * Names that callers give to operations over several events and to their actions.
 *
 * An operation's name has the prefix of its owner's kind.
 */
export function operationName(prefix: 'pghop' | 'sop') {
  return z
    .string()
    .regex(
      new RegExp(`^${prefix}_${nameCharacters}{1,122}$`),
      `Must be ${prefix}_ and 1 to 122 letters, digits, dots, _, : or -.`,
    )
    .describe("The caller's name of the hold. A repetition finds the first hold.");
}

export const actionId = z
  .string()
  .regex(new RegExp(`^${nameCharacters}{1,128}$`), 'Must be 1 to 128 letters, digits, dots, _, : or -.')
  .describe("The caller's name of the action. A repetition finds the first one.");

type AnyCall = Pick<Call<'none'>, 'ports' | 'request'>;

/** The refusals of events that cannot answer. */
export const ofEvents = ['shard_unavailable', 'overloaded'] as const;

/** A silent event delays the refusal of a hold by another event no longer. */
const lookMsMax = 1_000;

/**
 * Operations over several events, as routes of groups and seasons run them: the coordinator of this call, and the
 * look-up of an operation by the caller's name. The events' actors are asked, so a call sees what the call before it
 * did.
 *
 * Failure at each await: an event does not answer by the call's deadline → the answer of `findOperation` is
 * `shard_unavailable`; the coordinator's own failures stand in shared/src/operations.
 *
 * `callerIn` gives each event its caller: a session reaches other channels in each event.
 */
export function coordinatorOf(call: AnyCall, callerIn?: (event: KnownEvent) => Caller): Coordinator {
  const { clock } = call.ports;
  const looksUntil = clock.elapsed() + lookMsMax;
  return createCoordinator({ ask: askOf(call, callerIn), now: () => clock.now(), looksUntil });
}

function askOf({ ports }: AnyCall, callerIn?: (event: KnownEvent) => Caller): CoordinatorPorts['ask'] {
  return async (eventKey, command, caller, deadlineAt) => {
    const event = await knownInTime(ports, eventKey, deadlineAt);
    if (!event.ok) return event;
    return askActor(ports, event.value.event, callerIn?.(event.value) ?? caller, command, deadlineAt);
  };
}

/** The caller of a session to a group or season, in one of its events. */
export function callerOfOwnerBuyer(session: OwnerSession, eventKey: string): Caller {
  const { sessionId, accessSource, channelIdsByEvent, includePublic, maxQuantity, partnerRef, buyerRef } = session;
  const channelIds = channelIdsByEvent[eventKey] ?? [];
  const isPublic = channelIds.length === 0 && includePublic;
  return {
    source: 'buyer',
    actor: sessionId,
    accessSource,
    ...(isPublic ? {} : { reach: { channelIds, includePublic } }),
    session: { id: sessionId, maxQuantity },
    ...(partnerRef === null ? {} : { partnerRef }),
    ...(buyerRef === null ? {} : { buyerRef }),
  };
}

/**
 * An operation with its first known part. `holder` is the session that holds it; null for a server's hold, and where
 * only the abort of the operation is known.
 */
export type FoundOperation = { ref: OperationRef; part: PartDetail; holder: string | null };

/** The operation under its caller's name. `eventKeys` as in `findById`. */
export function findOperation(
  call: AnyCall,
  owner: OperationOwner,
  operationId: string,
  eventKeys: readonly string[],
): Promise<Outcome<FoundOperation>> {
  return findById(call, owner, internalIdOf(owner, operationId), eventKeys);
}

const reader: Caller = { source: 'timer', actor: null, accessSource: 'public' };

const unknownOperation = refuse('not_found', 'There is no such operation, or it ended more than a day ago.');

/**
 * `eventKeys` are the events that may know the operation, its usual home first: the owner's events, or the first two of
 * the operation. A home that does not have the operation has its abort, or its first member holds already.
 */
async function findById(
  call: AnyCall,
  owner: OperationOwner,
  id: string,
  eventKeys: readonly string[],
): Promise<Outcome<FoundOperation>> {
  const ask = askOf(call);
  const { deadlineAt } = call.request;
  const partIn = (eventKey: string) => ask(eventKey, { type: 'inspect-operation', id }, reader, deadlineAt);
  const [first, ...others] = eventKeys;
  const home = await partIn(first!);
  // An abort at the home does not know the session. The parts that were held elsewhere do.
  const isKnown = home.ok && home.value.part !== null && home.value.part.state !== 'aborted';
  const answers = isKnown ? [home] : [home, ...(await Promise.all(others.map(partIn)))];
  const parts = answers.flatMap((answer) => (answer.ok ? (answer.value.part ?? []) : []));
  const [part] = parts;
  if (!part) return answers.find((answer) => !answer.ok) ?? unknownOperation;
  const { operationId, eventKeys: all, owner: its } = part.head;
  // The id of a hold may be that of another owner's operation in the same event.
  if (its.kind !== owner.kind || its.key !== owner.key) return unknownOperation;
  const holder = parts.find(({ sessionId }) => sessionId !== undefined)?.sessionId ?? null;
  return done({ ref: { owner, operationId, eventKeys: all }, part, holder });
}

/**
 * Books the operation that the caller names. Most operations have all events of their owner, so no look-up comes first.
 */
export async function bookOperation(
  call: AnyCall & Pick<Call<'server'>, 'principal'>,
  assumed: OperationRef,
  action: Parameters<Coordinator['book']>[1],
  deadlineAt: number,
): Promise<{ ref: OperationRef; booked: Outcome<OperationView> }> {
  const { owner, operationId, eventKeys } = assumed;
  const book = (ref: AssumedRef) => coordinatorOf(call).book(ref, action, callerOf(call.principal), deadlineAt);
  // The home of an operation with one event is not asked which events it has.
  if (eventKeys.length > 1) {
    const booked = await book({ ...assumed, isAssumed: true });
    if (booked.ok || booked.refusal.reason !== 'other_events') return { ref: assumed, booked };
  }
  const found = await findOperation(call, owner, operationId, eventKeys);
  return found.ok ? { ref: found.value.ref, booked: await book(found.value.ref) } : { ref: assumed, booked: found };
}

/** The states and ids of holds over several events, as buyers and platforms see them. */
export const holdState = z.enum([
  'preparing',
  'commit_pending',
  'committed',
  'expire_pending',
  'expired',
  'booked',
  'abort_pending',
  'aborted',
]);

const unfinished: readonly OperationView['state'][] = [
  'preparing',
  'commit_pending',
  'expire_pending',
  'abort_pending',
];

export function isUnfinished({ state, booking }: OperationView): boolean {
  return unfinished.includes(state) || booking?.state === 'book_pending';
}

/** The header of every answer that shows something unfinished. */
export const again: Header = ['Retry-After', '1'];

/** The operation's internal id as the id of a hold. No event has a hold of this id. */
export function ownerHoldId(owner: OperationOwner, operationId: string): string {
  return internalIdOf(owner, operationId).replace('op_', 'hld_');
}

/** The internal id of the operation whose hold this is; null for the id of anything else. */
export function internalIdOfHold(holdId: string): string | null {
  return holdId.startsWith('hld_') ? holdId.replace('hld_', 'op_') : null;
}

/**
 * A call of a buyer of a group or season.
 *
 * The caller of a hold over several events names the hold, and names may be guessed. So a hold belongs to the session
 * that made it, and to a session that has adopted that session. To any other session the hold is unknown.
 */
export type OwnerBuyerCall = Pick<Call<'group-buyer'>, 'ports' | 'request' | 'principal'>;

export function buyersCoordinator(call: OwnerBuyerCall): Coordinator {
  return coordinatorOf(call, (event) => asVisitor(call, event, callerOfOwnerBuyer(call.principal, event.event.key)));
}

/** Part of the request's time is left for the answer. */
const answerMs = 500;

export function deadlineOf({ request }: Pick<AnyCall, 'request'>): number {
  return request.deadlineAt - answerMs;
}

/** How long a hold or an extension of a platform lasts. */
export async function ttlMsForServer(
  call: AnyCall,
  eventKeys: readonly string[],
  asked: number | undefined,
): Promise<number> {
  return asked ?? shortestTtlMs(call, eventKeys);
}

/** How long a hold or an extension lasts. A visitor of public sale gets no more than the events' own time. */
export async function ttlMsOf(call: OwnerBuyerCall, eventKeys: readonly string[], asked?: number): Promise<number> {
  if (asked !== undefined && call.principal.keyId === undefined) return asked;
  return Math.min(asked ?? Number.POSITIVE_INFINITY, await shortestTtlMs(call, eventKeys));
}

/**
 * How long a hold or an extension lasts whose caller does not say: as long as the shortest hold of these events, since
 * all parts end at one time.
 */
async function shortestTtlMs({ ports, request }: AnyCall, eventKeys: readonly string[]): Promise<number> {
  let shortest = Number.POSITIVE_INFINITY;
  for (const eventKey of eventKeys) {
    const known = await knownInTime(ports, eventKey, request.deadlineAt);
    // An event that cannot be looked up refuses its part.
    const own = known.ok ? known.value.event.holdTtlMs : null;
    shortest = Math.min(shortest, own ?? holdTtlMsDefault);
  }
  return shortest;
}

export const takenName = refuse(
  'conflict',
  'Another buyer has an operation of this name. Choose another operationId.',
  { reason: 'operation_id_taken' },
);

/** Whether no other session than the caller's has a part of the operation, and no platform. */
export function isOwn(principal: OwnerSession, view: OperationView): boolean {
  return holdersOf(view).every((sessionId) => sessionId !== null && reaches(principal, sessionId));
}

/** Whether no buyer has a part of the operation. */
export function isOfServer(view: OperationView): boolean {
  return holdersOf(view).every((sessionId) => sessionId === null);
}

/** The session of each live part; null for the part of a platform. The event may have forgotten it for other parts. */
function holdersOf({ parts }: OperationView): (string | null)[] {
  const live: readonly string[] = ['held', 'pinned', 'booked'] satisfies PartState[];
  return parts.flatMap(({ state, detail }) => {
    if (detail === null) return [];
    return detail.sessionId ?? (live.includes(state) ? [null] : []);
  });
}

function reaches({ sessionId, adopted = [] }: OwnerSession, holder: string): boolean {
  return holder === sessionId || adopted.includes(holder);
}

/**
 * A buyer's own operation. `note`: the buyer was told of the operation before any event had answered, and the events
 * know no operation of this buyer. `isOpen`: the home may still be asked about it.
 */
export type OwnOperation = { ref: OperationRef; note: { head: OperationHead; isOpen: boolean } | null };
type OperationOfServer = OwnOperation & { planActivationId: string | null };

export function ownOperation(
  call: OwnerBuyerCall,
  operationId: string,
  eventKeys: readonly string[],
): Promise<Outcome<OwnOperation>> {
  return ownById(call, internalIdOf(call.principal.owner, operationId), eventKeys);
}

const unknownHold = refuse('not_found', 'There is no such operation of this session. Check its operationId.');

/** The buyer's own operation. `eventKeys` as in `findById`. */
export async function ownById(
  call: OwnerBuyerCall,
  id: string,
  eventKeys: readonly string[],
): Promise<Outcome<OwnOperation>> {
  const found = await findById(call, call.principal.owner, id, eventKeys);
  if (!found.ok) return found.refusal.code === 'not_found' ? notedOperation(call, id, true) : found;
  const { ref, holder, part } = found.value;
  const isOwnHold = holder === null ? part.state === 'aborted' : reaches(call.principal, holder);
  // Another buyer has the name, so this buyer's operation holds nothing, and never will.
  return isOwnHold ? done({ ref, note: null }) : notedOperation(call, id, false);
}

async function notedOperation(
  { ports, principal, request }: OwnerBuyerCall,
  id: string,
  mayStand: boolean,
): Promise<Outcome<OwnOperation>> {
  const sessionIds = [principal.sessionId, ...(principal.adopted ?? [])];
  const noted = await ports.catalog('operations.noted', { id, sessionIds }, request.deadlineAt);
  if (!noted.ok) return noted.refusal.code === 'not_found' ? unknownHold : noted;
  const { head, isOpen } = noted.value;
  return done({ ref: head, note: { head, isOpen: isOpen && mayStand } });
}

/** The name of all platforms in the notes. No session has this id. */
const platforms = 'platform';

/** An operation for its owner's platform, which sees the operations of buyers too. `eventKeys` as in `findById`. */
export async function operationForServer(
  call: AnyCall,
  owner: OperationOwner,
  operationId: string,
  eventKeys: readonly string[],
): Promise<Outcome<OperationOfServer>> {
  const found = await findOperation(call, owner, operationId, eventKeys);
  if (found.ok) {
    const { ref, part } = found.value;
    return done({ ref, note: null, planActivationId: part.head.planActivationId ?? null });
  }
  if (found.refusal.code !== 'not_found') return found;
  const noted = { id: internalIdOf(owner, operationId), sessionIds: [platforms] };
  const told = await call.ports.catalog('operations.noted', noted, call.request.deadlineAt);
  if (!told.ok) return told.refusal.code === 'not_found' ? found : told;
  const { head, isOpen } = told.value;
  return done({ ref: head, note: { head, isOpen }, planActivationId: head.planActivationId ?? null });
}

/**
 * Notes an operation whose caller is about to be told of it before any event has answered. Without the note, its
 * address would be 404 for good if no event ever sees the operation.
 *
 * Failure at the await: the catalog does not answer → the caller is told to repeat the call, and no address.
 */
export async function noteUnheard(
  { ports, request }: AnyCall,
  draft: OperationDraft,
  view: OperationView,
  sessionId: string = platforms,
): Promise<Outcome<unknown>> {
  if (!isUnfinished(view) || view.createdAt !== null) return done(null);
  const note = { head: headOf(draft), sessionId };
  const noted = await ports.catalog('operations.note', note, request.deadlineAt);
  return noted.ok ? noted : unheardOf;
}

const unheardOf = refuse('shard_unavailable', 'No event answered in time. Repeat the call unchanged.', {
  retryable: true,
});

/** The present view of an operation. */
export async function viewFound(
  coordinator: Coordinator,
  { ref, note }: OwnOperation,
  deadlineAt: number,
): Promise<Outcome<OperationView>> {
  return note ? done(unheardView(ref, note.isOpen)) : coordinator.inspect(ref, deadlineAt);
}

/** Releases the hold, if there is one. */
export async function releaseFound(
  call: AnyCall,
  coordinator: Coordinator,
  caller: Caller,
  found: OwnOperation,
): Promise<Outcome<OperationView>> {
  const { ref, note } = found;
  const deadlineAt = deadlineOf(call);
  if (note === null) return coordinator.release(ref, caller, deadlineAt);
  if (!note.isOpen) return viewFound(coordinator, found, deadlineAt);
  const ended = await coordinator.abandon(note.head, call.ports.clock.now(), deadlineAt);
  // A copy of the hold has come meanwhile.
  const stands = !ended.ok && ended.refusal.reason === 'operation_stands';
  return stands ? coordinator.release(ref, caller, deadlineAt) : ended;
}

/** Releases the hold, if the buyer has it. */
export async function releaseOwn(call: OwnerBuyerCall, found: Outcome<OwnOperation>): Promise<Outcome<OperationView>> {
  if (!found.ok) return found;
  const caller = callerOfOwnerBuyer(call.principal, found.value.ref.eventKeys[0]!);
  return releaseFound(call, buyersCoordinator(call), caller, found.value);
}

/** The channels of an event that sell, or will sell again. */
export async function openChannels(
  { ports, request, principal }: Pick<Call<'server'>, 'ports' | 'request' | 'principal'>,
  eventKey: string,
): Promise<Outcome<ReadonlySet<string>>> {
  const event = await knownInTime(ports, eventKey, request.deadlineAt);
  if (!event.ok) return event;
  const told = await askAs({ ports, request, event: event.value }, callerOf(principal), { type: 'channel-states' });
  if (!told.ok) return told;
  return done(new Set(told.value.channels.filter(({ state }) => state !== 'archived').map(({ id }) => id)));
}

/**
 * The platform in each event. A channel is of one event, and reaches nothing in the others.
 *
 * Failure at the await: an event does not tell its channels → the refusal is the answer, and nothing was held.
 */
export async function callersOf(
  call: Pick<Call<'server', Access>, 'ports' | 'request' | 'principal' | 'body'>,
  eventKeys: readonly string[],
): Promise<Outcome<(eventKey: string) => Caller>> {
  const { channelIds: asked = [], ...access } = call.body;
  const own = new Map<string, string[]>();
  if (asked.length > 0) {
    const told = await Promise.all(eventKeys.map((eventKey) => openChannels(call, eventKey)));
    for (const [index, channels] of told.entries()) {
      if (!channels.ok) return channels;
      own.set(
        eventKeys[index]!,
        asked.filter((id) => channels.value.has(id)),
      );
    }
    const known = new Set([...own.values()].flat());
    const unknown = asked.filter((id) => !known.has(id));
    if (unknown.length > 0) return unknownChannels(unknown);
  }
  return done((eventKey) => withAccess(callerOf(call.principal), { ...access, channelIds: own.get(eventKey) ?? [] }));
}

export function unknownChannels(channelIds: readonly string[]): Outcome<never> {
  return refuse(
    'invalid_channel_scope',
    'The events have no such channels, or they are archived. Name channels of each event that are not archived.',
    { details: { channelIds } },
  );
}

/** An operation of which no event knows. */
function unheardView({ operationId, eventKeys }: OperationRef, isOpen: boolean): OperationView {
  return {
    operationId,
    state: isOpen ? 'preparing' : 'aborted',
    decision: isOpen ? null : 'abort',
    expiresAt: null,
    createdAt: null,
    decidedAt: null,
    parts: eventKeys.map((eventKey) => ({ eventKey, state: 'none', items: [], detail: null })),
    booking: null,
  };
}

/**
 * One map of several events: one status a label, as a buyer sees it. A label is free where every performance has
 * it free; otherwise it shows the firmest status. `partial` names the performances that lack a label which another has
 * free. A label that no performance shows is left out. Pure.
 *
 * One performance: `seen` has the status of each unit of `plan`, or `stripped`.
 */
export type PerformanceMap = { eventKey: string; plan: Plan; seen: Uint8Array; salesClosed: boolean };

/** Parts of the answer, as JSON text: a map of a large chart is never an object. */
type GroupMapJson = { seats: string; partial: string };

const buyers = { words: 'buyer' } as const;

export function groupMap(performances: readonly PerformanceMap[]): GroupMapJson {
  let seats = '';
  let partial = '';
  for (const { label, statuses } of unitsOf(performances)) {
    const firmest = firmestOf(statuses);
    if (firmest === null) continue;
    const name = JSON.stringify(label);
    seats += `,${name}:"${statusWord(firmest, buyers)}"`;
    if (firmest === unitStatus.free || !statuses.includes(unitStatus.free)) continue;
    const blocked = performances.filter((_, index) => statuses[index] !== unitStatus.free);
    partial += `,${name}:${JSON.stringify(blocked.map(({ eventKey }) => eventKey))}`;
  }
  return { seats: `{${seats.slice(1)}}`, partial: `{${partial.slice(1)}}` };
}

/**
 * Each label with its status in every performance; `stripped` where a performance lacks it. The array is reused. Events
 * of one chart version have one plan, unless an operator has adjusted the chart of one of them.
 */
function* unitsOf(performances: readonly PerformanceMap[]): Generator<{ label: string; statuses: number[] }> {
  const [first, ...others] = performances;
  if (!first) return;
  const statuses: number[] = new Array(performances.length).fill(0);
  if (others.every(({ plan }) => plan.hash === first.plan.hash)) {
    for (let unit = 0; unit < first.plan.unitCount; unit++) {
      for (const [index, { seen }] of performances.entries()) statuses[index] = seen[unit]!;
      yield { label: first.plan.labels.at(unit), statuses };
    }
    return;
  }
  const told = new Set<string>();
  for (const { plan } of performances) {
    for (let unit = 0; unit < plan.unitCount; unit++) {
      const label = plan.labels.at(unit);
      if (told.has(label)) continue;
      told.add(label);
      for (const [index, each] of performances.entries()) {
        const own = each.plan.labels.unitOf(label);
        statuses[index] = own === undefined ? stripped : each.seen[own]!;
      }
      yield { label, statuses };
    }
  }
}

/** Null where no performance shows the label. A performance that hides the label does not sell it. */
function firmestOf(statuses: readonly number[]): number | null {
  let firmest = 0;
  let isShown = false;
  for (const status of statuses) {
    if (status !== stripped) isShown = true;
    firmest = Math.max(firmest, status === stripped ? unitStatus.blocked : status);
  }
  return isShown ? firmest : null;
}

/** The statuses of `groupMap` alone. */
export function seatsEverywhere(performances: readonly PerformanceMap[]): string {
  let seats = '';
  for (const { label, statuses } of unitsOf(performances)) {
    const firmest = firmestOf(statuses);
    if (firmest !== null) seats += `,${JSON.stringify(label)}:"${statusWord(firmest, buyers)}"`;
  }
  return `{${seats.slice(1)}}`;
}

/** The map of one performance: every label that it shows. */
export function performanceSeats({ plan, seen }: PerformanceMap): string {
  let seats = '';
  for (let unit = 0; unit < plan.unitCount; unit++) {
    if (seen[unit] !== stripped)
      seats += `,${JSON.stringify(plan.labels.at(unit))}:"${statusWord(seen[unit]!, buyers)}"`;
  }
  return `{${seats.slice(1)}}`;
}

type RememberedBody<Body> = { at: number; body: Body };

/** The maps of a front door, which its feeds stand for. */
const ofFrontDoor = new WeakMap<object, RecentMap<RememberedBody<unknown>>>();

/** A map of the largest chart has some ten megabytes. */
const entriesMax = 16;

const keepMs = 250;

/**
 * The latest maps of groups and seasons, as text. Pages of one reach that ask within `keepMs` share one map: to join
 * the maps of a large chart takes tens of milliseconds. A map is found by its revision, and is kept no longer than
 * `keepMs`, since a hold that is over frees its seats before the revision grows.
 */
function keptMap<Body>(door: object, clock: Clock, name: string, make: () => Body): Body {
  let maps = ofFrontDoor.get(door);
  if (!maps) {
    maps = new RecentMap(clock, { entriesMax, keepMs });
    ofFrontDoor.set(door, maps);
  }
  const known = maps.get(name);
  if (known && clock.elapsed() - known.at <= keepMs) return known.body as Body;
  const body = make();
  maps.set(name, { at: clock.elapsed(), body });
  return body;
}

/** The map of these events, as the session sees each. `name` has the further parts that the body follows from. */
export function mapAnswer<Body>(
  { ports, principal, request }: OwnerBuyerCall,
  replicas: readonly Replica[],
  etag: string,
  name: readonly (string | undefined)[],
  make: (audiences: readonly Audience[]) => Spelled<Body, string>,
) {
  if (hasEtag(request.ifNoneMatch, etag)) return done(unchanged([['ETag', etag]]));
  const audiences = replicas.map(({ eventKey }) => audienceIn(principal, eventKey));
  const { kind, key } = principal.owner;
  const parts = [kind, key, etag, ...name, ...audiences.map(({ id }) => id)].join();
  const body = keptMap(ports.feeds, ports.clock, parts, () => make(audiences));
  return done(preparedJson(body, [['ETag', etag]]));
}

/** The events with these keys, in this order. */
export async function membersOf(
  { ports, request }: AnyCall,
  eventKeys: readonly string[],
): Promise<Outcome<KnownEvent[]>> {
  const members: KnownEvent[] = [];
  for (const found of await Promise.all(eventKeys.map((key) => knownInTime(ports, key, request.deadlineAt)))) {
    if (!found.ok) return found;
    members.push(found.value);
  }
  return done(members);
}

export async function replicasOf(call: AnyCall, eventKeys: readonly string[]): Promise<Outcome<Replica[]>> {
  const members = await membersOf(call, eventKeys);
  if (!members.ok) return members;
  const replicas: Replica[] = [];
  const found = members.value.map(({ event }) => inTime(call, call.ports.feeds.replicaOf(event)));
  for (const replica of await Promise.all(found)) {
    if (!replica.ok) return replica;
    replicas.push(replica.value);
  }
  return done(replicas);
}

export function versionOf(replicas: readonly Replica[]): number {
  return replicas.reduce((sum, { version }) => sum + version, 0);
}

/** The view of a session in one of its events. */
export function audienceIn({ channelIdsByEvent, includePublic }: OwnerSession, eventKey: string): Audience {
  return buyerAudience({ channelIds: channelIdsByEvent[eventKey] ?? [], includePublic });
}

/** The bare document of the events' chart. A division is left out if every event hides it. */
export async function chartOf(call: AnyCall, [first, ...others]: readonly Replica[]) {
  const { plan, scopes } = first!;
  const hidden = scopes.hidden.filter((id) => others.every((each) => each.scopes.hidden.includes(id)));
  const etag = `"${sha256(plan.hash + JSON.stringify(hidden))}"`;
  const { encoding, headersOf, isKnown } = formsOf(call.request, etag, null);
  if (isKnown) return done(unchanged(headersOf(encoding)));
  const { documents } = call.ports;
  const form = encoding && (await inTime(call, documents.compressed(plan, hidden, 'document', encoding)));
  if (form?.ok) return done(preparedWhole(form.value, headersOf(encoding)));
  const document = await inTime(call, documents.visible(plan, hidden));
  return document.ok ? done(preparedJson(document.value, headersOf(null))) : document;
}

/** A booked operation, and the versions of its events that the answer has to include. */
export type BookedOperation = {
  kept: KeptOperation;
  action: KeptBookingAction;
  versions: readonly { eventKey: string; version: number }[];
};

export const notCounted = refuse('catalog_unavailable', 'A booking cannot be read at present. Try again.', {
  retryable: true,
});

/**
 * The units of the operation in each of its events, from the journals.
 *
 * Failure at each await: an event's booking or plan cannot be read, or is not counted in time → a retryable refusal.
 */
export async function sharesOf(
  call: AnyCall,
  { kept, action, versions }: BookedOperation,
): Promise<Outcome<[eventKey: string, share: ShareOfOperation][]>> {
  const id = internalIdOf(kept.owner, kept.operationId);
  const read = await Promise.all(
    kept.parts.map(async ({ eventKey }): Promise<Outcome<[string, ShareOfOperation]>> => {
      const version = versions.find((each) => each.eventKey === eventKey)?.version;
      if (version === undefined) return notCounted;
      const asked = { eventKey, version, bookingRef: action.bookingRef! };
      const booking = await call.ports.catalog('history.booking', asked);
      // The journals have every booking, so this event counts its records again from the start.
      if (!booking.ok) return booking.refusal.code === 'booking_not_found' ? notCounted : booking;
      if (!booking.value.isCounted) return notCounted;
      const plans = await plansOf(call, booking.value.booking.entries);
      return plans.ok ? done([eventKey, shareOfOperation(plans.value, booking.value.booking, id)]) : plans;
    }),
  );
  const shares: [string, ShareOfOperation][] = [];
  for (const each of read) {
    if (!each.ok) return each;
    shares.push(each.value);
  }
  return done(shares);
}
