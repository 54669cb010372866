/**
 * The routes that sales of groups and of seasons have alike: the chart, one hold of a buyer, holds by the owner's
 * platform, one hold as its platform sees it, and its booking. `holdRoutes` makes them from the table of an owner,
 * which has the words and the answers.
 */

import { type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { operationTtlMsMin } from '@parterre/shared/protocol/group-limits';
import { labelsPerSaleMax } from '@parterre/shared/protocol/limits';
import type { OperationDraft, OperationView } from '@parterre/shared/protocol/operations/ports';
import { z } from 'zod';
import { type Budget, budgets } from '../admission/admission.ts';
import type { Description } from '../openapi/openapi.ts';
import { callerOf, labelsIn, selectionsOf } from './calls/ask.ts';
import { type Answering, type Call, ownerBuyerRoute, type Route, serverRoute, type WithPath } from './calls/route.ts';
import { chartDocument } from './charts.ts';
import {
  bookingRef,
  namesUnitsOnce,
  namesUnitsOnceMessage,
  refusedUnits,
  saleAccess,
  saleSelection,
  saysWhy,
  saysWhyMessage,
  soldLabels,
} from './inventory.ts';
import { aboutAccess, ofAccess, optional } from './records.ts';
import {
  actionId,
  buyersCoordinator,
  callersOf,
  chartOf,
  coordinatorOf,
  deadlineOf,
  isOfServer,
  noteUnheard,
  type OwnerBuyerCall,
  type OwnOperation,
  ofEvents,
  operationName,
  releaseFound,
  replicasOf,
  ttlMsForServer,
  viewFound,
} from './sales-over-events.ts';

/** A hold of several events takes several steps, and would end before the last of them. */
export const ttlMs = z
  .int()
  .min(operationTtlMsMin, `Must be at least ${operationTtlMsMin} (milliseconds).`)
  .describe('Milliseconds from now; more than an hour means an hour. [the shortest hold-ttl of the events]');

function keyHoldBody(prefix: 'pghop' | 'sop') {
  return z
    .object({
      operationId: operationName(prefix),
      labels: optional(soldLabels.describe('The same seats in every event.')),
      selections: optional(z.array(saleSelection).min(1).max(labelsPerSaleMax)),
      ttlMs: optional(ttlMs),
      ...saleAccess,
    })
    .refine(saysWhy, saysWhyMessage)
    .refine(namesUnitsOnce, namesUnitsOnceMessage);
}

export type KeyHoldCall = Call<'server', z.output<ReturnType<typeof keyHoldBody>>> & WithPath<'key'>;

/** What a platform's hold is made of: everything but the seats and the time. */
export type HeldOwner = Omit<OperationDraft, 'parts' | 'ttlMs' | 'operationId'> & { eventKeys: readonly string[] };

type BookBody = { bookActionId: string; bookingRef: string };

export type HoldCall<Body = unknown> = Call<'server', Body> & WithPath<'key' | 'operationId'>;

export type BookCall = HoldCall<BookBody>;

export type OperationCall = OwnerBuyerCall & WithPath<'key' | 'operationId'>;

type OneOperation = z.ZodType<{ operation: unknown }>;
type OneHold = z.ZodType<{ hold: unknown }>;
type OneBooking = z.ZodType<{ booking: unknown }>;

export type HoldOwner = {
  noun: 'Group' | 'Season';
  member: 'performance' | 'occurrence';
  path: '/performance-groups/{key}' | '/seasons/{key}';
  budget: Budget;
  /** The refusals of a buyer whose owner is not sold any more. */
  notSold: readonly 'event_closed'[];
  operation: OneOperation;
  hold: OneHold;
  booking: OneBooking;
  /** The words about a hold as the platform sees it. */
  aboutHold: Pick<Description, 'description' | 'refusals'>;
  bookSummary: string;
  examples: { unknownHold: string; order: BookBody };
  /** The events that the buyer's session sells. */
  soldEvents(call: OwnerBuyerCall & WithPath<'key'>): Promise<Outcome<readonly string[]>>;
  /** The buyer's own operation that the path names. */
  operationOfPath(call: OperationCall): Promise<Outcome<OwnOperation>>;
  showOperation(call: OperationCall, view: OperationView): Answering<OneOperation>;
  prefix: 'pghop' | 'sop';
  /** The owner that a platform sells, while it sells. */
  soldByKey(call: KeyHoldCall): Promise<Outcome<HeldOwner>>;
  /** The operation that the path names, of a buyer or of the platform. */
  operationByKey(call: HoldCall): Promise<Outcome<OwnOperation>>;
  /** `isNew`: the answer of the call that holds. An unfinished operation is polled at the hold's address under /v1. */
  showByKey(call: Call<'server'> & WithPath<'key'>, view: OperationView, isNew: boolean): Answering<OneOperation>;
  readHold(call: HoldCall): Answering<OneHold>;
  book(call: BookCall): Answering<OneBooking>;
};

export function aboutStates(member: HoldOwner['member']): string {
  return (
    `A hold is \`preparing\` until every ${member} has answered, then \`committed\` or \`aborted\`. An answer that shows ` +
    'something unfinished has `Retry-After`, and polling ends in committed, booked, expired or aborted.'
  );
}

export function holdRoutes(owner: HoldOwner): {
  chart: Route;
  operation: Route;
  hold: Route;
  book: Route;
  byKey: Route[];
} {
  return {
    chart: chartRoute(owner),
    operation: operationRoute(owner),
    hold: holdRoute(owner),
    book: bookRoute(owner),
    byKey: [holdByKeyRoute(owner), extendByKeyRoute(owner), releaseByKeyRoute(owner)],
  };
}

function chartRoute(owner: HoldOwner): Route {
  return ownerBuyerRoute(
    `GET /pub${owner.path}/chart`,
    {
      budget: budgets.buyerReads,
      answer: chartDocument,
      description: {
        operationId: `get${owner.noun}Chart`,
        tag: `${owner.noun}s`,
        summary: `The chart of a ${owner.noun.toLowerCase()}`,
        description: `The bare document. A division that every ${owner.member} hides is left out.`,
        headers: ['ETag'],
        refusals: [...owner.notSold, ...ofEvents],
        examples: [{ summary: 'The chart' }],
      },
    },
    async (call) => {
      const eventKeys = await owner.soldEvents(call);
      if (!eventKeys.ok) return eventKeys;
      const replicas = await replicasOf(call, eventKeys.value);
      return replicas.ok ? chartOf(call, replicas.value) : replicas;
    },
  );
}

function unknownHold({ examples }: HoldOwner) {
  return { path: { operationId: examples.unknownHold }, answers: 'not_found' } as const;
}

function operationRoute(owner: HoldOwner): Route {
  return ownerBuyerRoute(
    `GET /pub${owner.path}/operations/{operationId}`,
    {
      budget: budgets.buyerReads,
      answer: owner.operation,
      description: {
        operationId: `get${owner.noun}Operation`,
        tag: `${owner.noun}s`,
        summary: 'One hold of this buyer',
        description: aboutStates(owner.member),
        headers: ['Retry-After'],
        refusals: [...owner.notSold, ...ofEvents],
        examples: [{ summary: 'The hold' }, { summary: 'An unknown hold', ...unknownHold(owner) }],
      },
    },
    async (call) => {
      const found = await owner.operationOfPath(call);
      if (!found.ok) return found;
      const view = await viewFound(buyersCoordinator(call), found.value, deadlineOf(call));
      return view.ok ? owner.showOperation(call, view.value) : view;
    },
  );
}

function holdRoute(owner: HoldOwner): Route {
  return serverRoute(
    `GET /v1${owner.path}/holds/{operationId}`,
    {
      budget: owner.budget,
      answer: owner.hold,
      description: {
        operationId: `get${owner.noun}Hold`,
        tag: `${owner.noun}s`,
        summary: `One hold of a ${owner.noun.toLowerCase()}`,
        headers: ['Retry-After'],
        examples: [{ summary: 'The hold' }, { summary: 'An unknown hold', ...unknownHold(owner) }],
        ...owner.aboutHold,
      },
    },
    (call) => owner.readHold(call),
  );
}

function bookRoute(owner: HoldOwner): Route {
  const aMember = owner.member === 'occurrence' ? 'an occurrence' : 'a performance';
  return serverRoute(
    `POST /v1${owner.path}/holds/{operationId}/book`,
    {
      budget: owner.budget,
      answer: owner.booking,
      body: z.object({ bookActionId: actionId, bookingRef }),
      description: {
        operationId: `book${owner.noun}Hold`,
        tag: `${owner.noun}s`,
        summary: owner.bookSummary,
        description:
          `All ${owner.member}s are booked, or none. \`bookActionId\` names the booking: the same action with the same ` +
          `\`bookingRef\` replays, after the booking too. 202 while ${aMember} does not answer: then poll the address ` +
          'in `Location`.',
        headers: ['Location', 'Retry-After'],
        refusals: ['not_found', 'mode_mismatch', 'conflict', ...ofEvents],
        examples: [
          { summary: 'An order', body: owner.examples.order },
          { summary: 'An unknown hold', ...unknownHold(owner), body: owner.examples.order },
        ],
      },
    },
    (call) => owner.book(call),
  );
}

function holdByKeyRoute(owner: HoldOwner): Route {
  const operationId = `${owner.prefix}_desk-1`;
  return serverRoute(
    `POST /v1${owner.path}/holds`,
    {
      budget: budgets.serverHolds,
      labelsIn,
      answer: owner.operation,
      body: keyHoldBody(owner.prefix),
      status: 201,
      description: {
        operationId: `hold${owner.noun}Seats`,
        tag: `${owner.noun}s`,
        summary: `Hold the same seats of every ${owner.member} by a platform, all or none`,
        description:
          'For sales by telephone and at a desk. The same as the hold of a buyer, without a session: it is booked, ' +
          'extended and released under the same `operationId`. A repetition finds the first hold, and another content ' +
          `under the same name is 409. Each of \`channelIds\` is a channel of one ${owner.member}. ${aboutAccess} ` +
          `202 or 504 while ${owner.member === 'occurrence' ? 'an' : 'a'} ${owner.member} does not answer: poll the ` +
          'address in `Location`.',
        headers: ['Location', 'Retry-After'],
        refusals: ['not_found', 'mode_mismatch', 'event_closed', 'conflict', ...refusedUnits, ...ofAccess, ...ofEvents],
        examples: [
          { summary: 'Two seats', body: { operationId, labels: ['B-1', 'B-2'] } },
          {
            summary: 'For ten minutes',
            body: { operationId: `${owner.prefix}_desk-2`, selections: [{ label: 'B-3' }], ttlMs: 600_000 },
          },
          {
            summary: 'A seat that is held',
            body: { operationId: `${owner.prefix}_desk-3`, labels: ['A-1'] },
            answers: 'conflict',
          },
          { summary: 'Without seats', body: { operationId: `${owner.prefix}_desk-4` }, answers: 'invalid_request' },
        ],
      },
    },
    (call) => holdByKey(owner, call),
  );
}

/**
 * Failure at each await: the owner or a channel cannot be read → nothing was held; an event does not answer by the
 * deadline → the coordinator's view says what is known, and another process goes on with the rest.
 */
async function holdByKey(owner: HoldOwner, call: KeyHoldCall): ReturnType<HoldOwner['showByKey']> {
  const sold = await owner.soldByKey(call);
  if (!sold.ok) return sold;
  const { eventKeys, ...head } = sold.value;
  const callers = await callersOf(call, eventKeys);
  if (!callers.ok) return callers;
  const { operationId, ttlMs: asked, ...named } = call.body;
  const draft = {
    ...head,
    operationId,
    parts: eventKeys.map((eventKey) => ({ eventKey, selections: selectionsOf(named) })),
    ttlMs: await ttlMsForServer(call, eventKeys, asked),
  };
  const coordinator = coordinatorOf(call, ({ event }) => callers.value(event.key));
  const held = await coordinator.hold(draft, callers.value(eventKeys[0]!), deadlineOf(call));
  if (!held.ok) return held;
  if (!isOfServer(held.value)) return buyersName;
  const noted = await noteUnheard(call, draft, held.value);
  return noted.ok ? owner.showByKey(call, held.value, true) : noted;
}

const buyersName = refuse('conflict', 'A buyer has an operation of this name. Choose another operationId.', {
  reason: 'operation_id_taken',
});

function extendByKeyRoute(owner: HoldOwner): Route {
  return serverRoute(
    `POST /v1${owner.path}/holds/{operationId}/extend`,
    {
      budget: owner.budget,
      answer: owner.operation,
      body: z.object({ ttlMs: optional(ttlMs) }),
      bodyOptional: true,
      description: {
        operationId: `extend${owner.noun}Seats`,
        tag: `${owner.noun}s`,
        summary: `Extend a hold in every ${owner.member}`,
        description:
          'Also the hold of a buyer. A call that would not lengthen the hold changes nothing, and uses no renewal. An ' +
          'Idempotency-Key names the call: a repetition extends once, as long as no other call has extended since.',
        headers: ['Location', 'Retry-After'],
        refusals: ['not_found', 'mode_mismatch', 'conflict', 'cannot_extend', 'hold_not_found', ...ofEvents],
        examples: [
          { summary: 'For ten minutes', body: { ttlMs: 600_000 } },
          { summary: 'An unknown hold', body: {}, ...unknownHold(owner) },
        ],
      },
    },
    async (call) => {
      const found = await owner.operationByKey(call);
      if (!found.ok) return found;
      const { ref } = found.value;
      const until = await ttlMsForServer(call, ref.eventKeys, call.body.ttlMs);
      const name = call.request.idempotencyKey || undefined;
      const view = await coordinatorOf(call).extend(ref, until, callerOf(call.principal), deadlineOf(call), name);
      return view.ok ? owner.showByKey(call, view.value, false) : view;
    },
  );
}

function releaseByKeyRoute(owner: HoldOwner): Route {
  return serverRoute(
    `POST /v1${owner.path}/holds/{operationId}/release`,
    {
      budget: owner.budget,
      answer: owner.operation,
      body: z.object({ releaseActionId: optional(actionId) }),
      bodyOptional: true,
      description: {
        operationId: `release${owner.noun}Seats`,
        tag: `${owner.noun}s`,
        summary: `Release a hold in every ${owner.member}`,
        description: 'Also the hold of a buyer. A repetition is harmless.',
        headers: ['Location', 'Retry-After'],
        refusals: ['not_found', 'mode_mismatch', 'conflict', 'hold_not_found', ...ofEvents],
        examples: [
          { summary: 'The hold', body: {} },
          { summary: 'An unknown hold', body: {}, ...unknownHold(owner) },
        ],
      },
    },
    async (call) => {
      const found = await owner.operationByKey(call);
      if (!found.ok) return found;
      const view = await releaseFound(call, coordinatorOf(call), callerOf(call.principal), found.value);
      return view.ok ? owner.showByKey(call, view.value, false) : view;
    },
  );
}
