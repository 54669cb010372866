/**
 * The report of an event, as JSON and as a file with one line for each unit, and the history of an event, which the
 * catalog keeps: its bookings and its log.
 *
 * `GET …/report.csv`: the event's actor gives its units in answers of bounded size; only very large events need
 * several. States of a call: waiting for its turn, one call of an organisation at a time → asking, until all units are
 * there → writing, some lines in each turn of the event loop → answered.
 *
 * Failure at each await: if the turn does not come by the deadline, the answer is 503. If the actor does not answer,
 * its refusal is the answer. If the event changes all the time, or the plan cannot be read, the answer is 503.
 */

import type { Plan } from '@parterre/shared/charts/plan';
import type { InventoryReport, UnitColumns } from '@parterre/shared/protocol/answers';
import {
  type BookingState,
  bookingStates,
  type JournalEntry,
  type KeptBooking,
} from '@parterre/shared/protocol/catalog/history';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { eventMeta as eventMetaOf } from '@parterre/shared/protocol/event-meta';
import {
  logPagesOfLabelMax,
  reportFileDeadlineMs,
  reportFileTriesMax,
  reportLinesPerTurn,
  versionWaitMs,
} from '@parterre/shared/protocol/limits';
import { itemTermsOf } from '@parterre/shared/protocol/line-items';
import { unitStatus } from '@parterre/shared/protocol/records';
import { pause } from '@parterre/shared/runtime/clock';
import { z } from 'zod';
import { budgets, type KnownEvent } from '../admission/admission.ts';
import { type Header, Prepared } from '../answers/answers.ts';
import {
  activityMax,
  bookingOf,
  entriesFor,
  holdAsSeenBy,
  type LogDetails,
  type LogEntry,
  logActions,
  logEntryOf,
  type Plans,
  planHashesOf,
  seesChannels,
  withMoneyFor,
} from '../logs/logs.ts';
import { standIn } from '../openapi/openapi.ts';
import { usualPrice } from '../summaries/rules/usual-price.ts';
import { availabilityRule, release } from './availability.ts';
import { ask, inTime, planOf } from './calls/ask.ts';
import { before, choice, cursor, limit, pageOf, text } from './calls/query.ts';
import { type Call, type EventCall, eventRoute } from './calls/route.ts';
import { askShared } from './calls/shared-read.ts';
import { sectionStates } from './events.ts';
import {
  callSource,
  channel,
  count,
  droppedPrices,
  durationMs,
  epochMs,
  eventMeta,
  idOf,
  inMoney,
  moneyOf,
  ok,
  optional,
  priceUnit,
  publicSale,
  report,
  reportCategory,
  saleSettings,
  selectionRules,
  soldItem,
  taken,
} from './records.ts';
import { reservedPlaces } from './reservations.ts';
import { reportFileColumns, reportFileHead, reportLines } from './rules/report-file.ts';

const getReportAnswer = z.object({ report, event: eventMeta, categories: z.array(reportCategory), ...inMoney });

const getReport = eventRoute(
  'GET /v1/events/{key}/report',
  {
    budget: budgets.serverCalls,
    answer: getReportAnswer,
    capability: ['event:view', 'event:reports'],
    description: {
      operationId: 'getReport',
      tag: 'Reports',
      summary: 'The sales of an event by status, category, section, ticket release and accessibility',
      description:
        'Numbers and values at one moment of the event, over all channels. Values are in units of ' +
        '`priceUnit`, without fees on top. `byFee` has the fees of all booked places, and `bookedTotal` what buyers paid.',
      examples: [{ summary: 'The report', path: { key: standIn.soldEvent } }],
    },
  },
  async (call) => {
    const { event } = call.event;
    const answer = await askShared(call, { type: 'report' });
    if (!answer.ok) return answer;
    const { planHash, exchanges: sums = { fees: 0, waived: 0 }, ...inventory } = answer.value;
    const plan = await planOf(call, planHash);
    if (!plan.ok) return plan;
    const report = {
      ...inventory,
      byChannel: seesChannels(call.principal) ? (inventory.byChannel ?? []) : [],
      exchanges: { fees: sums.fees, waivedDifferences: sums.waived },
      ...feesOf(inventory),
    };
    const categories = plan.value.categories.map((category) => {
      const { key, label, color } = category;
      return { key, label, color, price: usualPrice(category) };
    });
    const { booked, free, held, not_for_sale: blocked } = answer.value.byStatus;
    const meta = eventMetaOf(event, { counts: { free, held, booked, blocked } });
    return done({ report: withMoneyFor(call.principal, report), event: meta, categories, ...moneyOf(event) });
  },
);

/** A report of a shard of an earlier build has no fees. */
function feesOf({ bySection, byFee = [], feesOnTop = 0 }: Omit<InventoryReport, 'planHash'>) {
  return { byFee, bookedTotal: bySection.reduce((sum, { bookedValue }) => sum + bookedValue, feesOnTop) };
}

const columns = reportFileColumns.map((name) => `\`${name}\``).join(', ');

type ReportCall = Call<'console', unknown, KnownEvent>;

/**
 * The units of an event, in answers of bounded size, all of one version of the event.
 *
 * The front door asks for one answer after the other, and names the version of the first. Failure at each await: a
 * refusal is passed on. If an answer is of another version, something was sold between the two and the shard no longer
 * keeps the first version: reading begins again. After `reportFileTriesMax` tries the answer is 503: a report of two
 * moments would count a seat twice or not at all.
 */
type UnitSource = {
  /** The units from unit `from` on, as many as fit into one answer: of this version, if the shard still has it. */
  unitsFrom(from: number, version?: number): Promise<Outcome<UnitColumns>>;
  plan(hash: string): Promise<Outcome<Plan>>;
};

type ReportPieces = { plan: Plan; pieces: UnitColumns[] };

const getReportFile = eventRoute(
  'GET /v1/events/{key}/report.csv',
  {
    budget: budgets.reportFiles,
    answer: null,
    capability: 'event:reports',
    deadlineMs: reportFileDeadlineMs,
    description: {
      operationId: 'getReportFile',
      tag: 'Reports',
      summary: 'The report with one line for each unit, as a file',
      description:
        `CSV in UTF-8 (RFC 4180). The first line names the columns: ${columns}. Each column means the same as the JSON ` +
        'field of its name. The status is free, held, booked, blocked, or not_for_sale for a free unit of a category ' +
        'that is not for sale; the report also counts blocked units as not for sale. `tierId`, `unitPrice`, ' +
        '`quantity` (guests at a table that is sold as a whole), `configuredValue` (price times quantity), ' +
        '`currency`, `channelId` and `releaseId` belong to a hold or booking, and are empty for other units. A ' +
        'manage session, and a user whose role may not sell, read the short name of a hold (see the log) in place of ' +
        'its id. Accessibility kinds are ' +
        'separated by a space. `reservation` is the name of the reservation that has a blocked unit. A text that a spreadsheet would run as a formula (it begins ' +
        'with = + - @, a tab or a line break) has an apostrophe in front. A file shows one moment of the event. A very ' +
        'large event is read in parts, and while it sells fast the answer may be 503.',
      mediaTypes: ['text/csv'],
      headers: ['Content-Disposition'],
      examples: [{ summary: 'The file', path: { key: standIn.soldEvent } }],
    },
  },
  inTurn,
);

async function inTurn(call: ReportCall): ReturnType<typeof reportFile> {
  const turn = await call.ports.reportFiles.acquire(call.principal.organisationId, null, call.request.deadlineAt);
  if (!turn.ok) return turn;
  return inTime(call, reportFile(call).finally(turn.value.release));
}

async function reportFile(call: ReportCall): Promise<Outcome<Prepared>> {
  const read = await readPieces({
    unitsFrom: (from, version) => ask(call, { type: 'unit-columns', from, ...(version !== undefined && { version }) }),
    plan: (hash) => planOf(call, hash),
  });
  if (!read.ok) return read;
  const { plan, pieces } = read.value;
  const reservations = await reservationNames(call, pieces);
  const headers: Header[] = [
    ['Content-Type', 'text/csv; charset=utf-8'],
    ['Content-Disposition', `attachment; filename="${call.event.event.key}-report.csv"`],
  ];
  return done(new Prepared(200, headers, await written(call, plan, pieces, reservations)));
}

/** By label. A blocked unit may have changed its reservation since. Nothing is asked where no unit is blocked. */
async function reservationNames(call: ReportCall, pieces: readonly UnitColumns[]): Promise<Map<string, string>> {
  const isBlocked = pieces.some(({ statuses }) => statuses.includes(unitStatus.blocked));
  return isBlocked ? reservedPlaces(call) : new Map();
}

export async function readPieces(source: UnitSource): Promise<Outcome<ReportPieces>> {
  for (let tries = 0; tries < reportFileTriesMax; tries++) {
    const first = await source.unitsFrom(0);
    if (!first.ok) return first;
    const plan = await source.plan(first.value.planHash);
    if (!plan.ok) return plan;
    const pieces = [first.value];
    let told = toldBy(first.value);
    while (told < plan.value.unitCount) {
      const piece = await source.unitsFrom(told, first.value.version);
      if (!piece.ok) return piece;
      if (piece.value.version !== first.value.version || piece.value.planHash !== first.value.planHash) break;
      pieces.push(piece.value);
      told = toldBy(piece.value);
    }
    if (told >= plan.value.unitCount) return done({ plan: plan.value, pieces });
  }
  return refuse(
    'overloaded',
    'The event changed while its report was read. Try again when the event sells less fast.',
    { retryable: true },
  );
}

function toldBy({ from, statuses }: UnitColumns): number {
  return from + statuses.length;
}

async function written(
  { ports, principal, event }: ReportCall,
  plan: Plan,
  pieces: readonly UnitColumns[],
  reservations: ReadonlyMap<string, string>,
): Promise<Uint8Array[]> {
  const holdAs = holdAsSeenBy(principal);
  const terms = itemTermsOf(event.event);
  const parts: Uint8Array[] = [Buffer.from(reportFileHead)];
  for (const piece of pieces) {
    const next = reportLines(plan, piece, { terms, holdAs, reservations });
    for (let text = next(reportLinesPerTurn); text !== ''; text = next(reportLinesPerTurn)) {
      parts.push(Buffer.from(text));
      await pause(ports.clock, 0);
    }
  }
  return parts;
}

const anyText = z.string();

const source = callSource.describe('The role of the actor; timer is the event itself.');

const textOrNull = anyText.nullable();

const labels = z.array(anyText);

const bookedObject = soldItem.extend({
  sectionId: textOrNull,
  sectionLabel: textOrNull,
  zoneId: textOrNull,
  configuredValue: taken.describe('unitPrice × quantity, without fees on top.'),
  channelExternalRef: textOrNull,
  source,
  state: z.enum(['booked', 'cancelled']),
  bookedAt: epochMs,
  cancelledAt: epochMs.nullable(),
  exchangeId: optional(idOf('exc').describe('The exchange that gave the unit up for another one.')),
  resoldTo: optional(anyText.describe('The booking that the unit was resold to, if a resale cancelled the unit here.')),
});

const booking = z.object({
  eventKey: anyText,
  eventMode: z.enum(['live', 'test']),
  bookingRef: anyText,
  state: z.enum(bookingStates),
  bookedAt: epochMs,
  updatedAt: epochMs,
  cancelledAt: epochMs.nullable().describe('Set while the whole booking is cancelled.'),
  source,
  bookedBy: textOrNull.describe('The id of the key, user or session.'),
  lastActor: textOrNull,
  lastSource: source,
  buyerRef: textOrNull.describe('The buyer that the latest sale named.'),
  labels: labels.describe('All units ever booked under the reference.'),
  activeLabels: labels.describe('Those that are booked now: the tickets of this booking.'),
  objects: z
    .array(bookedObject)
    .describe('All units ever booked under the reference. A unit that was cancelled and booked again appears twice.'),
  quantity: count,
  activeQuantity: count,
  configuredValue: taken,
  activeConfiguredValue: taken,
  total: taken.describe('What the buyer paid for `objects`, with all fees.'),
  activeTotal: taken.describe('The same for the units that are booked now.'),
  currency: textOrNull,
  priceUnit,
});

const listBookingsAnswer = z.object({
  bookings: z.array(booking),
  nextCursor: textOrNull.describe('Asks for the next page; null at the end.'),
});

const logEntriesPerPageMax = 200;

const entries = limit({ usual: 50, most: logEntriesPerPageMax }, z.int().default(50), 'At most 200.');

export const bookingsQuery = z.object({
  q: text(
    'Only bookings whose bookingRef or buyerRef contains this text, in any case. The booking that now has the seat with exactly ' +
      'this label comes first.',
  ),
  state: choice('Only bookings in this state.', bookingStates, 'There is no such state of a booking.'),
  cursor,
  limit: entries,
});

const lag =
  'Includes everything that was answered before this request, unless the catalog is more than a second behind.';

const listBookingsRoute = eventRoute(
  'GET /v1/events/{key}/bookings',
  {
    budget: budgets.serverCalls,
    answer: listBookingsAnswer,
    query: bookingsQuery,
    capability: 'event:view',
    description: {
      operationId: 'listBookings',
      tag: 'Reports',
      summary: 'Bookings, newest first',
      description: `${lag} A page may have fewer bookings than asked for although more follow.`,
      refusals: ['invalid_request'],
      examples: [
        { summary: 'All of them', path: { key: standIn.soldEvent } },
        {
          summary: 'Current bookings, by reference',
          path: { key: standIn.soldEvent },
          query: { q: '1000', state: 'booked' },
        },
        { summary: 'An unknown state', query: { state: 'paid' }, answers: 'invalid_request' },
      ],
    },
  },
  listBookings,
);

async function listBookings(call: EventCall<unknown, z.output<typeof bookingsQuery>>) {
  const { state, limit } = call.query;
  const q = call.query.q?.trim() ?? '';
  const page = pageOf(call.query);
  const first = q === '' || page.cursor ? null : await bookingWithSeat(call, q, state);
  const found = await call.ports.catalog('history.bookings', {
    ...(await upToNow(call)),
    // With limit 1 the page then has two bookings: the catalog's cursor can begin only after a booking of the catalog.
    page: first ? { ...page, limit: Math.max(1, limit - 1) } : page,
    ...(state === undefined ? {} : { state }),
    ...(q === '' ? {} : { q }),
  });
  if (!found.ok) return found;
  const { nextCursor = null } = found.value;
  const bookings = first ? [first, ...found.value.bookings] : found.value.bookings;
  const plans = await plansOf(
    call,
    bookings.flatMap(({ entries }) => entries),
    call.event.event.planHash,
  );
  if (!plans.ok) return plans;
  const shown = bookings.map((booking) => bookingOf(plans.value, booking, call.event.event).booking);
  return done({ bookings: withMoneyFor(call.principal, shown), nextCursor });
}

/** The booking that now has the seat with exactly this label. A search shows it first. */
async function bookingWithSeat(
  call: EventCall,
  label: string,
  state: BookingState | undefined,
): Promise<KeptBooking | null> {
  const bookingRef = await bookingOfSeat(call, label);
  // A booking whose reference matches too has its place among the others, on this page or a later one.
  if (bookingRef === null || bookingRef.toLowerCase().includes(label.toLowerCase())) return null;
  const found = await call.ports.catalog('history.booking', { ...(await upToNow(call)), bookingRef });
  if (!found.ok || (state !== undefined && found.value.booking.state !== state)) return null;
  return found.value.booking;
}

/**
 * Null if no booking has the seat, or if the event's actor does not answer. The search then goes on without the seat.
 */
async function bookingOfSeat(call: EventCall, label: string): Promise<string | null> {
  const counted = await ask(call, { type: 'count' });
  const plan = counted.ok ? await planOf(call, counted.value.planHash) : counted;
  const unit = plan.ok ? plan.value.labels.unitOf(label) : undefined;
  if (unit === undefined) return null;
  const told = await ask(call, { type: 'unit-columns', from: unit, most: 1 });
  if (!told.ok || told.value.statuses[0] !== unitStatus.booked) return null;
  return told.value.owners[0] ?? null;
}

/**
 * The event and its current version, so that the answer includes everything that the caller was told before. If the
 * actor does not reply soon, the catalog answers with the records that it has.
 */
async function upToNow(call: EventCall): Promise<{ eventKey: string; version: number }> {
  const eventKey = call.event.event.key;
  const late = pause(call.ports.clock, versionWaitMs).then(() => null);
  const counted = await Promise.race([ask(call, { type: 'count' }), late]);
  return { eventKey, version: counted?.ok ? counted.value.version : 0 };
}

/**
 * The plans that the entries name, and `more` if there are entries. If the catalog cannot give a plan, the refusal is
 * retryable.
 */
export async function plansOf(
  call: Pick<EventCall, 'ports' | 'request'>,
  entries: readonly JournalEntry[],
  ...more: string[]
): Promise<Outcome<Plans>> {
  const { ports, request } = call;
  const hashes = entries.length === 0 ? [] : [...new Set([...entries.flatMap(planHashesOf), ...more])];
  try {
    const plans = Promise.all(hashes.map(async (hash) => [hash, await ports.plans(hash)] as const));
    return await inTime(
      call,
      plans.then((read) => done(new Map(read))),
    );
  } catch (error) {
    ports.onFault(error, request.requestId);
    return refuse('catalog_unavailable', 'The chart cannot be read at present. Try again.', { retryable: true });
  }
}

const entryId = count.describe("Grows from entry to entry of an event's log.");

const exchange = z.object({
  exchangeId: idOf('exc'),
  from: labels,
  to: labels,
  fromEventKey: optional(anyText.describe('`from` are units of this event, which the booking gave up for `to`.')),
  toEventKey: optional(anyText.describe('`to` are units of this event, which the booking has instead of `from`.')),
  swappedWith: optional(anyText.describe('The booking that has `from` now.')),
});

const chargedExchange = exchange.extend({
  priceDifference: optional(taken.describe('The value of `to` less the value of `from`.')),
  fee: optional(taken),
  waivedDifference: optional(
    z.object({ amount: taken, reason: anyText }).describe('The difference that the customer neither pays nor gets.'),
  ),
});

const activity = z.object({
  id: entryId,
  action: z.enum(['book', 'replay', 'partial_cancel', 'cancel', 'reconcile']).describe('An exchange is `reconcile`.'),
  at: epochMs,
  labels,
  actor: textOrNull,
  source,
  reason: optional(anyText.describe('The note of a sale at a counter, else the reason that the caller gave.')),
  resales: optional(
    z
      .array(z.object({ listingId: idOf('lst'), fromBookingRef: anyText, toBookingRef: anyText, labels }))
      .describe('For a cancel, the listing that was sold; for a book, the listings among its units.'),
  ),
  exchange: optional(chargedExchange.describe('The two sides of an exchange; `labels` has those of this event.')),
});

const getBookingAnswer = z.object({ booking, activity: z.array(activity), activityTruncated: z.boolean(), ...inMoney });

const getBooking = eventRoute(
  'GET /v1/events/{key}/bookings/{bookingRef}',
  {
    budget: budgets.serverCalls,
    answer: getBookingAnswer,
    capability: 'event:view',
    description: {
      operationId: 'getBooking',
      tag: 'Reports',
      summary: 'One booking, with its activity',
      description:
        `${lag} Activity is newest first, at most ${activityMax} entries. The actions replay and reconcile exist only ` +
        'for clients of other servers: on this server a repeated call changes nothing and is not journaled.',
      refusals: ['booking_not_found'],
      examples: [
        { summary: 'A booking', path: { key: standIn.soldEvent, bookingRef: 'order-1000' } },
        { summary: 'An unknown booking', path: { bookingRef: 'order-0' }, answers: 'booking_not_found' },
      ],
    },
  },
  async (call) => {
    const bookingRef = call.path.bookingRef.trim();
    const found = await call.ports.catalog('history.booking', { ...(await upToNow(call)), bookingRef });
    if (!found.ok) return found;
    const { booking } = found.value;
    const plans = await plansOf(call, booking.entries, call.event.event.planHash);
    if (!plans.ok) return plans;
    const told = { ...bookingOf(plans.value, booking, call.event.event), ...moneyOf(call.event.event) };
    return done(withMoneyFor(call.principal, told));
  },
);

const logDetails = z.object({
  expiresAt: optional(epochMs.describe('The new deadline of the hold.')),
  kept: optional(
    labels.describe(
      'Units that the hold gave up and that are not free: listed for resale, or taken over by the hold that ' +
        'replaces it.',
    ),
  ),
  holdRef: optional(anyText.describe('The hold that was booked, by its short name.')),
  counter: optional(z.literal(true).describe('Sold at a counter.')),
  fromBlock: optional(
    labels.describe('Units that were blocked until their sale. `reason` gives the reason of the sale.'),
  ),
  reservation: optional(
    z
      .object({
        id: idOf('rsv'),
        name: anyText,
        until: optional(epochMs),
        note: optional(textOrNull),
        freed: optional(labels),
      })
      .describe('The reservation; `until` and `note` after the change, `freed` the units that it gave up.'),
  ),
  listingId: optional(idOf('lst')),
  exchange: optional(exchange.describe('The two sides of an exchange; `labels` of the entry has those of this event.')),
  toBookingRef: optional(anyText.describe('The booking that has the resold units.')),
  releaseAt: optional(epochMs.describe('When the blocked units become free.')),
  holdTtlMs: optional(durationMs.nullable()),
  currency: optional(anyText),
  sectionStates: optional(sectionStates),
  facts: optional(z.record(anyText, z.unknown()).describe('Changed facts of the event, by name.')),
  selectionRules: optional(selectionRules),
  publicSale: optional(publicSale),
  saleSettings: optional(z.object(saleSettings).partial()),
  releases: optional(
    z.array(
      release
        .omit({ position: true, consumed: true, remaining: true, soldOutAt: true, status: true, state: true })
        .extend({
          closedAt: epochMs.nullable(),
        }),
    ),
  ),
  releaseId: optional(idOf('rel')),
  rules: optional(z.record(anyText, availabilityRule).describe('Without their labels.')),
  version: optional(count.describe('The version of the rules, or of the allocation to channels.')),
  scopes: optional(z.array(anyText).describe('The divisions that became open.')),
  chartId: optional(idOf('cht')),
  chartVersion: optional(count),
  seatTotal: optional(count),
  droppedScopes: optional(z.array(anyText).describe('Divisions of rules or section states that the new chart lacks.')),
  unblocked: optional(labels.describe('Blocked units that the new chart lacks.')),
  droppedAssignments: optional(
    z.array(z.object({ channelId: anyText, labels })).describe('Units of channels that the new chart lacks.'),
  ),
  droppedPrices: optional(droppedPrices),
  adjusted: optional(ok.describe('The event got an adjusted chart of the same version.')),
  from: optional(epochMs.describe('The time of the event before it was set back.')),
  lostFrom: optional(count.describe('The first sequence that the event may have lost.')),
  lostTo: optional(count.describe('The last sequence that the event may have lost.')),
  channelId: optional(textOrNull.describe('Null is public sale.')),
  destination: optional(anyText.describe("Where an archived channel's units went: a channel, or `public`.")),
  channel: optional(
    channel.partial().describe('The whole channel in the entry of its creation, later the changed fields.'),
  ),
}) satisfies z.ZodType<LogDetails>;

export const logEntry = z.object({
  id: entryId,
  at: epochMs,
  action: z.enum(logActions),
  labels,
  ref: textOrNull.describe(
    'The booking, the reservation, or the short name of the hold; for a listing, the booking that offers it.',
  ),
  actor: textOrNull,
  source,
  reason: optional(anyText.describe("The caller's reason; for a sale at a counter, its note.")),
  passed: optional(
    z.array(anyText).describe('Divisions that were hidden or closed to buyers, and whose units a server named.'),
  ),
  overridden: optional(
    labels.describe('The labels that an override took from channels. `reason` gives the reason of the override.'),
  ),
  details: optional(logDetails.describe('Settings and results of the action. Absent facts have no field.')),
});

export const getLogAnswer = z.object({ entries: z.array(logEntry), nextBefore: entryId.nullable(), ...inMoney });

export const logQuery = z.object({
  limit: entries,
  before: before("The previous page's nextBefore: only entries with lower ids."),
});

const labelledLogQuery = logQuery.extend({ label: text('Only entries that name this unit among their `labels`.') });

const getLog = eventRoute(
  'GET /v1/events/{key}/log',
  {
    budget: budgets.serverCalls,
    answer: getLogAnswer,
    query: labelledLogQuery,
    capability: 'event:view',
    description: {
      operationId: 'getLog',
      tag: 'Reports',
      summary: 'The whole log of an event, newest first',
      description:
        `${lag} A page may have fewer entries than asked for, or none, although more follow: go on while nextBefore is ` +
        'not null. A manage session without event:channels:view sees nothing of channels. Entries about channels are ' +
        'left out. Other entries show neither the units that a new chart took from channels, nor overrides and their ' +
        'reasons. The `channelId` of items of a hold or booking is visible to all. A hold has a short name here, for a ' +
        'hold id acts like a secret: `hold:` and the first ten characters of the SHA-256 of the id in base64url.',
      examples: [
        { summary: 'The latest', path: { key: standIn.soldEvent } },
        { summary: 'Some of them', path: { key: standIn.soldEvent }, query: { limit: '1' } },
        { summary: 'Those of a seat', path: { key: standIn.soldEvent }, query: { label: 'A-7' } },
      ],
    },
  },
  async (call) => {
    const asked = await logPage(call);
    const { label = '' } = call.query;
    const read = await (label === '' ? readEntries(call, asked) : entriesOfLabel(call, asked, label));
    return read.ok ? done({ ...read.value, ...moneyOf(call.event.event) }) : read;
  },
);

type LogPage = { eventKey: string; version: number; limit: number; before?: number };
type ReadEntries = Outcome<{ entries: LogEntry[]; nextBefore: number | null }>;

async function readEntries(call: EventCall, asked: LogPage): Promise<ReadEntries> {
  const found = await call.ports.catalog('history.log', asked);
  if (!found.ok) return found;
  const plans = await plansOf(call, found.value.entries);
  if (!plans.ok) return plans;
  const entries = entriesFor(call.principal, found.value.entries);
  return done({ entries: entries.map((entry) => logEntryOf(plans.value, entry)), nextBefore: found.value.nextBefore });
}

/** Reads page by page until enough entries name the unit, or `logPagesOfLabelMax` pages were read. */
async function entriesOfLabel(call: EventCall, asked: LogPage, label: string): Promise<ReadEntries> {
  const entries: LogEntry[] = [];
  let page: LogPage = { ...asked, limit: logEntriesPerPageMax };
  for (let pages = 1; ; pages++) {
    const read = await readEntries(call, page);
    if (!read.ok) return read;
    entries.push(...read.value.entries.filter(({ labels }) => labels.includes(label)));
    const { nextBefore } = read.value;
    if (entries.length > asked.limit) {
      const shown = entries.slice(0, asked.limit);
      return done({ entries: shown, nextBefore: shown.at(-1)!.id });
    }
    if (nextBefore === null || entries.length === asked.limit || pages === logPagesOfLabelMax) {
      return done({ entries, nextBefore });
    }
    page = { ...page, before: nextBefore };
  }
}

/** The page of the log, or of the audit, that the query asks for. */
export async function logPage(call: EventCall<unknown, z.output<typeof logQuery>>) {
  const { limit, before } = call.query;
  return { ...(await upToNow(call)), limit, ...(before !== undefined && { before }) };
}

export const reportsRoutes = [getReport, getReportFile];

export const historyRoutes = [listBookingsRoute, getBooking, getLog];
