/** The sales of a season as its support reads them: report, operations, look-ups by reference, and an export. */
import type { KeptOperation } from '@parterre/shared/catalog/operations';
import type { Contract } from '@parterre/shared/catalog/rights';
import type { SeasonRecord } from '@parterre/shared/catalog/seasons';
import { done, refuse } from '@parterre/shared/errors';
import { MINUTE_MS } from '@parterre/shared/units';
import { preparedJson, spell } from '../../answers/answers.ts';
import { type Call, serverRoute } from '../calls/calls.ts';
import { again } from '../operations/operations.ts';
import {
  bookingOf,
  eventsOf,
  isOpenBooking,
  newestOperations,
  salesOfReference,
  scanOperations,
} from '../season-bookings/season-bookings.ts';
import {
  exportAnswer,
  lookupAnswer,
  operationOf,
  operationsAnswer,
  rehearsalAnswer,
  reportAnswer,
  standingAction,
} from './desk-answers.ts';
import { occurrenceOf } from './log-answers.ts';
import { amendmentOf } from './log-routes.ts';
import { lookupQuery } from './queries.ts';
import { counted, target } from './routes.ts';
import { seasonDetailOf } from './season-answers.ts';

type ServerCall<Query = unknown> = Call<'server', unknown, null, Query>;

export const seasonDeskRoutes = [
  serverRoute('GET /v1/seasons/{key}/reports', { ...counted, answer: reportAnswer }, report),
  serverRoute('GET /v1/seasons/{key}/operations', { ...counted, answer: operationsAnswer }, async (call) => {
    const found = await call.ports.catalog('seasons.get', target(call));
    if (!found.ok) return found;
    const listed = await operationsOf(call, found.value.season);
    if (!listed.ok) return listed;
    const { isOpen, ...told } = listed.value;
    return done(preparedJson(spell(told), isOpen ? [again] : []));
  }),
  serverRoute(
    'GET /v1/seasons/{key}/support-lookups',
    { ...counted, answer: lookupAnswer, query: lookupQuery },
    async (call) => {
      const { bookingRef = null, holderRef = null } = call.query;
      if (!bookingRef && !holderRef) return nothingAsked;
      const found = await call.ports.catalog('seasons.get', target(call));
      if (!found.ok) return found;
      const { season } = found.value;
      const { versions } = await eventsOf(call, season);
      const sales = bookingRef ? await salesOfReference(call, season, versions, bookingRef) : done([]);
      if (!sales.ok) return sales;
      const bookings = sales.value.flatMap(({ operation, cancellation }) => {
        const action = standingAction(operation);
        return action?.bookingRef === bookingRef ? [bookingOf(operation, action, cancellation)] : [];
      });
      const asked = { ...target(call), versions, bookingRef, holderRef };
      const kept = await call.ports.catalog('rights.lookup', asked);
      if (!kept.ok) return kept;
      const lookup = { bookingRef, holderRef, bookings, ...kept.value };
      const told = { requestId: call.request.requestId, lookup };
      return done(preparedJson(spell(told), bookings.some(isOpenBooking) ? [again] : []));
    },
  ),
  serverRoute('POST /v1/seasons/{key}/buyer-rehearsals/validate', { ...counted, answer: rehearsalAnswer }, rehearsed),
  serverRoute('GET /v1/seasons/{key}/export', { ...counted, answer: exportAnswer }, exported),
];

const nothingAsked = refuse('invalid_request', 'A look-up needs bookingRef or holderRef.', {
  details: { issues: [{ path: 'bookingRef', message: 'Must be sent, or holderRef.' }] },
});

async function rehearsed(call: ServerCall) {
  const found = await call.ports.catalog('seasons.rehearse', target(call));
  if (!found.ok) return found;
  return done({
    season: seasonDetailOf(found.value.season),
    rehearsal: { ready: true as const, ...found.value.rehearsal },
  });
}

async function operationsOf(call: ServerCall, season: SeasonRecord) {
  const { eventIds, versions } = await eventsOf(call, season);
  const found = await newestOperations(call, season, versions);
  if (!found.ok) return found;
  const { operations, ...more } = found.value;
  return done({ operations: operations.map((kept) => operationOf(season, kept, eventIds)), ...more });
}

async function report(call: ServerCall) {
  const [found, outbox, offers] = await Promise.all([
    call.ports.catalog('seasons.get', target(call)),
    call.ports.catalog('seasons.outbox-numbers', target(call)),
    call.ports.catalog('rights.count-offers', target(call)),
  ]);
  if (!found.ok) return found;
  if (!outbox.ok) return outbox;
  if (!offers.ok) return offers;
  const { season } = found.value;
  const generatedAt = call.ports.clock.now();
  const tally = new Tally(generatedAt);
  const { versions } = await eventsOf(call, season);
  const scanned = await scanOperations(call, season, versions, ({ operation }) => tally.add(operation));
  if (!scanned.ok) return scanned;
  const { operations, byState, bySource, total, stuck } = tally;
  const inState = (...states: string[]) => states.reduce((sum, state) => sum + (operations[state] ?? 0), 0);
  return done({
    report: {
      ...{ seasonKey: season.key, generatedAt, renewals: offers.value.states, operations, stuckOperations: stuck },
      inventory: {
        occurrenceCount: season.eventKeys.length,
        bookings: inState('booked', 'cancel_pending', 'cancelled'),
        booked: inState('booked', 'cancel_pending'),
        cancelled: inState('cancelled'),
      },
      allocations: { total, byState, bySource },
      webhooks: { deliveryDefinition: 'at_least_one_receiver_2xx' as const, ...outbox.value },
    },
  });
}

class Tally {
  readonly operations: Record<string, number> = {};
  readonly byState: Record<string, number> = {};
  readonly bySource: Record<string, number> = {};
  total = 0;
  stuck = 0;
  readonly #now: number;

  constructor(now: number) {
    this.#now = now;
  }

  add({ state, isOpen, changedAt, parts, accessSource }: KeptOperation): void {
    count(this.operations, state, 1);
    if (isOpen && this.#now - changedAt >= MINUTE_MS) this.stuck++;
    this.total += parts.length;
    count(this.bySource, accessSource, parts.length);
    for (const part of parts) count(this.byState, part.state, 1);
  }
}

function count(counts: Record<string, number>, name: string, more: number): void {
  counts[name] = (counts[name] ?? 0) + more;
}

async function exported(call: ServerCall) {
  const { ports } = call;
  const of = target(call);
  const found = await ports.catalog('seasons.get', of);
  if (!found.ok) return found;
  const { season } = found.value;
  const [occurrences, amendments, audit, outbox, offers, operations] = await Promise.all([
    ports.catalog('seasons.occurrences', of),
    ports.catalog('seasons.amendments', of),
    ports.catalog('seasons.audit', of),
    ports.catalog('seasons.outbox', of),
    ports.catalog('rights.offers', of),
    operationsOf(call, season),
  ]);
  if (!occurrences.ok) return occurrences;
  if (!amendments.ok) return amendments;
  if (!audit.ok) return audit;
  if (!outbox.ok) return outbox;
  if (!offers.ok) return offers;
  if (!operations.ok) return operations;
  // The operations are counted by now, so the contracts of their bookings are found.
  const contracts = await contractsOf(call, season);
  if (!contracts.ok) return contracts;
  const cut = [amendments.value, audit.value, outbox.value, offers.value, operations.value, contracts.value];
  return done({
    requestId: call.request.requestId,
    export: {
      ...{ version: 'season-support-export.v1' as const, exportedAt: ports.clock.now() },
      season: seasonDetailOf(season),
      occurrences: occurrences.value.occurrences.map(occurrenceOf),
      amendments: amendments.value.amendments.map(amendmentOf),
      operations: operations.value.operations,
      offers: offers.value.offers,
      contracts: contracts.value.contracts,
      outbox: outbox.value.outbox,
      audit: audit.value.audit,
      truncated: cut.some(({ truncated }) => truncated),
    },
  });
}

/** The first page of the contracts of each plan that was ever published. */
async function contractsOf(call: ServerCall, { plans }: SeasonRecord) {
  const pages = await Promise.all(
    plans.flatMap(({ activationId: planActivationId }) => {
      if (planActivationId === null) return [];
      return [call.ports.catalog('rights.contracts', { ...target(call), versions: [], planActivationId, page: {} })];
    }),
  );
  const contracts: Contract[] = [];
  let truncated = false;
  for (const page of pages) {
    if (!page.ok) return page;
    contracts.push(...page.value.contracts);
    truncated ||= page.value.nextCursor !== undefined;
  }
  return done({ contracts, truncated });
}
