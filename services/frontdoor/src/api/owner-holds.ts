/**
 * The routes that sales of groups and of seasons have alike: the chart, one hold of a buyer, one hold as its platform
 * sees it, and its booking. `holdRoutes` makes them from the table of an owner, which has the words and the answers.
 */
import type { Outcome } from '@parterre/shared/protocol/errors';
import type { OperationView } from '@parterre/shared/protocol/operations/ports';
import { z } from 'zod';
import { type Budget, budgets } from '../admission/admission.ts';
import type { Description } from '../openapi/openapi.ts';
import { type Answering, type Call, ownerBuyerRoute, type Route, serverRoute, type WithPath } from './calls/route.ts';
import { chartDocument } from './charts.ts';
import { bookingRef } from './inventory.ts';
import {
  actionId,
  chartOf,
  type OwnerBuyerCall,
  type OwnOperation,
  ofEvents,
  replicasOf,
  viewOwn,
} from './sales-over-events.ts';

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
  readHold(call: HoldCall): Answering<OneHold>;
  book(call: BookCall): Answering<OneBooking>;
};

export function aboutStates(member: HoldOwner['member']): string {
  return (
    `A hold is \`preparing\` until every ${member} has answered, then \`committed\` or \`aborted\`. An answer that shows ` +
    'something unfinished has `Retry-After`, and polling ends in committed, booked, expired or aborted.'
  );
}

export function holdRoutes(owner: HoldOwner): { chart: Route; operation: Route; hold: Route; book: Route } {
  return { chart: chartRoute(owner), operation: operationRoute(owner), hold: holdRoute(owner), book: bookRoute(owner) };
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
      const view = await viewOwn(call, found.value);
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
