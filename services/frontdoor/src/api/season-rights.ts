/**
 * Rights to the seats of a season: imports of the holders of an earlier season (one JSON body, or lines for many rows),
 * renewal offers as the organisation makes, reads and moves them, the holder's side of a renewal (a buyer's session to
 * the season, or the link of one offer), and a further night for the holders of a plan.
 *
 * Failure at each await of an import: an event or the catalog does not answer → the refusal, and nothing is imported,
 * since the import's last call decides it. A repetition with the same Idempotency-Key goes on with the same import.
 */

import type { Plan } from '@parterre/shared/charts/plan';
import type { UnitColumns } from '@parterre/shared/protocol/answers';
import {
  type Contract,
  type Import,
  type ImportRow,
  type JudgedRow,
  type Offer,
  type OfferDetail,
  type OfferMove,
  offerStates,
  type SeenRow,
} from '@parterre/shared/protocol/catalog/rights';
import type { SeasonRecord } from '@parterre/shared/protocol/catalog/seasons';
import type { CatalogOutput } from '@parterre/shared/protocol/catalog-api';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import {
  importLabelsPerPiece,
  importLabelsPerRowMax,
  importLinesBytesMax,
  importRowsMax,
  importRowsPerPiece,
  offersNamedMax,
} from '@parterre/shared/protocol/group-limits';
import { bulkBodyBytesMax } from '@parterre/shared/protocol/limits';
import { wordedItems } from '@parterre/shared/protocol/line-items';
import { unitOf } from '@parterre/shared/protocol/money';
import { unitStatus } from '@parterre/shared/protocol/records';
import { SECOND_MS } from '@parterre/shared/runtime/units';
import { z } from 'zod';
import { budgets, callIdOf, eventInScope, knownInTime } from '../admission/admission.ts';
import { type Header, preparedJson, spell } from '../answers/answers.ts';
import { standIn } from '../openapi/openapi.ts';
import { callerOf, inTime } from './calls/ask.ts';
import { cursor, isOne, limit, pageOf, text as textOfQuery } from './calls/query.ts';
import { type Call, openRoute, ownerBuyerRoute, serverLinesRoute, serverRoute, type WithPath } from './calls/route.ts';
import {
  count,
  emptyBody,
  epochMs,
  id,
  idOf,
  keptForGood,
  lineItem,
  moment,
  optional,
  priceUnit,
  text,
  textOrNull,
  unitLabel,
} from './records.ts';
import { readPieces } from './reports.ts';
import { codeOf, RowJudge, type SeatSight, type Seats } from './rules/row-judge.ts';
import { counted, eventsOf, known, target, unknownSeason } from './seasons.ts';

const importFacts = {
  importId: idOf('shi'),
  dryRun: z.boolean(),
  state: z
    .enum(['running', 'dry_run', 'committed', 'rejected'])
    .describe('`running`: an import of lines goes on. `rejected`: no row was accepted.'),
  successorPlanActivationId: text,
  acceptedCount: count,
  rejectedCount: count,
  receivedCount: count.describe('The rows that have arrived.'),
  writtenCount: count.describe('The accepted rows whose rights are written.'),
  createdAt: epochMs,
  committedAt: epochMs.nullable(),
};

const labels = z.array(text);

const judgedRow = z.object({
  rowId: text,
  holderRef: text,
  priorPlanActivationId: text,
  priorContractRef: text,
  labels,
  existingBookingRef: textOrNull,
  decision: z.enum(['accepted', 'invalid', 'conflict']),
  errorCode: textOrNull.describe('Why the row is not accepted.'),
  contractId: idOf('sco').nullable().describe('Null for a row that is not accepted, and in a dry run.'),
  rightId: idOf('ssr').nullable(),
});

/** Answers about rights: imports, offers, intents. */
const oneImport = z.object({ import: z.object({ ...importFacts, rows: z.array(judgedRow) }) });

const successorPlanActivationId = id.describe('The `activationId` of a published plan of this season.');

const ref = z.string().min(1).max(200);

/** The form of a row. Its seats are judged row by row. */
const importRow = z.object({
  rowId: id.describe('Names the row within the import.'),
  holderRef: ref,
  priorPlanActivationId: ref,
  priorContractRef: ref,
  labels: z.array(unitLabel).max(importLabelsPerRowMax),
  existingBookingRef: optional(ref.nullable().describe('The seats are booked under this reference already.')),
});

const importBody = z.object({
  successorPlanActivationId,
  dryRun: optional(z.boolean().describe('Judges the rows and writes no right.')),
  rows: z.array(importRow).min(1).max(importRowsMax),
});

const deadlineMs = 60 * SECOND_MS;

const plan = standIn.planActivation;

const row = {
  rowId: '1',
  holderRef: 'member-17',
  priorPlanActivationId: 'season-2026',
  priorContractRef: 'sub-17',
  labels: ['A-11', 'A-12'],
};

/** How long the answer waits for the rights to be written. */
const waitMs = 30 * SECOND_MS;

const importSeasonHolders = serverRoute(
  'POST /v1/seasons/{key}/imports',
  {
    ...counted,
    answer: oneImport,
    body: importBody,
    status: 201,
    idempotent: true,
    bodyBytesMax: bulkBodyBytesMax,
    deadlineMs,
    labelsIn: ({ rows }) => rows.reduce((sum, { labels }) => sum + labels.length, 0),
    description: {
      operationId: 'importSeasonHolders',
      tag: 'Seasons',
      summary: 'Give the holders of an earlier season their seats in a plan',
      description:
        'Each accepted row makes a right and a contract of the plan. Other rows have a `decision`: `invalid` ' +
        '(`row_id_repeated`, `labels_missing`, `label_repeated`, `label_not_found`, `invalid_row`) or `conflict` ' +
        '(`seat_repeated`, `seat_claimed`, `seat_held`, `seat_booked`, `seat_not_for_sale`). A dry run judges the rows ' +
        'and writes nothing. An import reserves no seat: offers do. `existingBookingRef` tells that the seats are booked ' +
        'under this reference in every event of the plan.',
      refusals: [...known, 'invalid_season_state', 'shard_unavailable'],
      examples: [
        { summary: 'A dry run', body: { successorPlanActivationId: plan, dryRun: true, rows: [row] } },
        {
          summary: 'Two holders, of which one has an unknown seat',
          body: {
            successorPlanActivationId: plan,
            rows: [row, { ...row, rowId: '2', holderRef: 'member-18', labels: ['Z-1'] }],
          },
        },
        {
          summary: 'An unknown plan',
          body: { successorPlanActivationId: 'spa_0', rows: [row] },
          answers: 'invalid_request',
        },
        { ...unknownSeason, body: { successorPlanActivationId: plan, rows: [row] } },
      ],
    },
  },
  async (call) => {
    const { rows, dryRun = false, successorPlanActivationId } = call.body;
    const made = await carryOut(call, { successorPlanActivationId, dryRun }, waitMs, (judge) =>
      judgedRows(rows.map(rowOf), judge),
    );
    return made.ok ? whole(call, made.value.importId) : made;
  },
);

type ServerCall = Call<'server', unknown, null, unknown> & WithPath<'key'>;

type ImportRequest = { successorPlanActivationId: string; dryRun: boolean };

const tooMany = refuse('payload_too_large', `An import has at most ${importRowsMax} rows.`);

async function carryOut(
  call: ServerCall,
  asked: ImportRequest,
  wait: number,
  rowsOf: (judge: RowJudge) => Iterable<SeenRow>,
): Promise<Outcome<Import>> {
  const { catalog } = call.ports;
  const { seasonKey } = target(call);
  const begun = await catalog('rights.begin-import', { ...target(call), ...asked, ...callIdOf(call) });
  if (!begun.ok) return begun;
  const { importId, state } = begun.value.import;
  if (state !== 'running') return done(begun.value.import);
  const seats = await seatsOf(call, begun.value.eventKeys);
  if (!seats.ok) return seats;
  let rowCount = 0;
  for (const rows of piecesOf(rowsOf(new RowJudge(seats.value)))) {
    if (rowCount + rows.length > importRowsMax) return tooMany;
    const sent = await catalog('rights.import-rows', { seasonKey, importId, at: rowCount, rows });
    if (!sent.ok) return sent;
    rowCount += rows.length;
  }
  const ended = await catalog('rights.end-import', { seasonKey, importId, rowCount, waitMs: wait });
  return ended.ok ? done(ended.value.import) : ended;
}

const free: SeatSight = { status: unitStatus.free, bookedBy: null };

/**
 * The seats of several events at once: for each seat the firmest of its states. Events are read one after the other, so
 * that the report of one event alone is in memory beside the result.
 *
 * Failure at each await: an event does not answer → the refusal, and nothing is judged. A sale behind this read is
 * found by the reservation: an import promises no seat.
 */
async function seatsOf(call: ServerCall, eventKeys: readonly string[]): Promise<Outcome<Seats>> {
  const plans: Plan[] = [];
  const taken = new Map<string, SeatSight>();
  for (const [at, eventKey] of eventKeys.entries()) {
    const read = await readEvent(call, eventKey);
    if (!read.ok) return read;
    const { plan, pieces } = read.value;
    if (!plans.some(({ hash }) => hash === plan.hash)) plans.push(plan);
    const booked = new Set<string>();
    for (const piece of pieces) note(plan, piece, at === 0, taken, booked);
    // A seat that another event has sold, and this event has not, has no booking of its own in every event.
    for (const [label, sight] of taken) if (!booked.has(label)) taken.set(label, { ...sight, bookedBy: null });
  }
  return done((label) => {
    if (plans.some(({ labels }) => labels.unitOf(label) === undefined)) return null;
    return taken.get(label) ?? free;
  });
}

async function readEvent(call: ServerCall, eventKey: string) {
  const { ports, request, principal } = call;
  const known = await knownInTime(ports, eventKey, request.deadlineAt);
  if (!known.ok) return known;
  const { event } = known.value;
  return readPieces({
    unitsFrom: (from, version) => {
      const command = { type: 'unit-columns' as const, from, ...(version !== undefined && { version }) };
      return ports.shards.submit(event, callerOf(principal), command, request.deadlineAt);
    },
    plan: (hash) => planOf(call, hash),
  });
}

async function planOf(call: ServerCall, hash: string): Promise<Outcome<Plan>> {
  try {
    return await inTime(call, call.ports.plans(hash).then(done));
  } catch (error) {
    call.ports.onFault(error, call.request.requestId);
    return refuse('catalog_unavailable', 'The chart cannot be read at present. Try again.', { retryable: true });
  }
}

function note(
  { labels }: Plan,
  { from, statuses, ownerOf, owners }: UnitColumns,
  isFirst: boolean,
  taken: Map<string, SeatSight>,
  booked: Set<string>,
): void {
  for (const [index, status] of statuses.entries()) {
    if (status === unitStatus.free) continue;
    const label = labels.at(from + index);
    const before = taken.get(label);
    const owner = status === unitStatus.booked ? (owners[ownerOf[index]!] ?? null) : null;
    const isSame = isFirst || (before !== undefined && before.bookedBy === owner);
    if (owner !== null) booked.add(label);
    taken.set(label, { status: firmer(before?.status, status), bookedBy: isSame ? owner : null });
  }
}

/** Booked is firmer than blocked, and blocked than held. */
function firmer(one: number | undefined, other: number): number {
  const order = [unitStatus.free, unitStatus.held, unitStatus.blocked, unitStatus.booked] as readonly number[];
  return one !== undefined && order.indexOf(one) > order.indexOf(other) ? one : other;
}

/** Pieces of rows for the catalog, of bounded size. */
export function* piecesOf(rows: Iterable<SeenRow>): Generator<SeenRow[]> {
  let piece: SeenRow[] = [];
  let labels = 0;
  for (const row of rows) {
    const isFull = piece.length === importRowsPerPiece || labels + row.labels.length > importLabelsPerPiece;
    if (isFull && piece.length > 0) {
      yield piece;
      piece = [];
      labels = 0;
    }
    piece.push(row);
    labels += row.labels.length;
  }
  if (piece.length > 0) yield piece;
}

/**
 * The lines of an import: one row a line, read and passed on in pieces. A line that is no row is a row of its own.
 */
export function* judgedRows(rows: readonly ImportRow[], judge: RowJudge): Generator<SeenRow> {
  for (const row of rows) yield judge.judge(row);
}

function rowOf({
  existingBookingRef = null,
  ...row
}: Omit<ImportRow, 'existingBookingRef'> & { existingBookingRef?: string | null }): ImportRow {
  return { ...row, existingBookingRef };
}

const again: Header = ['Retry-After', '1'];

/** The import with all its rows. */
async function whole(call: ServerCall, importId: string) {
  const of = { ...target(call), importId };
  const found = await call.ports.catalog('rights.import', of);
  if (!found.ok) return found;
  const rows: JudgedRow[] = [];
  for (let at: number | null = 0; at !== null; ) {
    const page: Outcome<CatalogOutput<'rights.rows'>> = await call.ports.catalog('rights.rows', { ...of, at });
    if (!page.ok) return page;
    rows.push(...page.value.rows);
    at = page.value.next;
  }
  const isRunning = found.value.import.state === 'running';
  return done(
    preparedJson(
      spell(importOf(found.value.import, rows)),
      isRunning ? [again] : [],
      call.request.method === 'POST' ? 201 : 200,
    ),
  );
}

function importOf(value: Import, rows: JudgedRow[]): z.output<typeof oneImport> {
  return { import: { ...value, rows } };
}

const importProgress = z.object({ import: z.object(importFacts) });

const linesQuery = z.object({
  successorPlanActivationId: textOfQuery('The `activationId` of a published plan of this season. Needed.'),
  dryRun: isOne('1: judge the rows, and write no right.'),
});

const lines = (...rows: object[]) => {
  const text = rows.map((each) => JSON.stringify(each)).join('\n');
  return { mediaType: 'application/x-ndjson', base64: Buffer.from(text).toString('base64') };
};

const noPlan = refuse('invalid_request', 'The query names no plan.', {
  details: { issues: [{ path: 'successorPlanActivationId', message: 'Must be sent.' }] },
});

const noLines = refuse('invalid_request', 'Send one row a line, as JSON.', {
  details: { issues: [{ path: '', message: 'Must not be empty.' }] },
});

const importSeasonHolderLines = serverLinesRoute(
  'POST /v1/seasons/{key}/imports/ndjson',
  {
    ...counted,
    answer: importProgress,
    query: linesQuery,
    status: 201,
    bodyBytesMax: importLinesBytesMax,
    deadlineMs,
    description: {
      operationId: 'importSeasonHolderLines',
      tag: 'Seasons',
      summary: 'Import many holders as lines of JSON',
      description:
        'The body has one row a line, up to 64 MiB and 100,000 rows. The answer is 202 while the rights are written: poll ' +
        'the address in `Location`, whose `writtenCount` grows. The rows and decisions are those of the other import.',
      takes: ['application/x-ndjson'],
      headers: ['Location', 'Retry-After'],
      refusals: [...known, 'invalid_season_state', 'shard_unavailable', 'conflict'],
      examples: [
        {
          summary: 'A dry run',
          query: { successorPlanActivationId: plan, dryRun: '1' },
          bytes: lines(row, { ...row, rowId: '2', labels: ['A-9'] }),
        },
        {
          summary: 'Two holders',
          query: { successorPlanActivationId: plan },
          bytes: lines(row, { ...row, rowId: '2', labels: ['A-9'] }),
          status: 202,
        },
        { summary: 'No plan', bytes: lines(row), answers: 'invalid_request' },
      ],
    },
  },
  async (call) => {
    const { successorPlanActivationId, dryRun } = call.query;
    if (!successorPlanActivationId) return noPlan;
    if (call.body.length === 0) return noLines;
    const made = await carryOut(call, { successorPlanActivationId, dryRun }, 0, (judge) =>
      judgedLines(call.body, judge),
    );
    if (!made.ok) return made;
    const at = `/v1/seasons/${encodeURIComponent(call.path.key)}/imports/${made.value.importId}`;
    const isRunning = made.value.state === 'running';
    const headers: Header[] = isRunning ? [['Location', at], again] : [['Location', at]];
    return done(preparedJson(spell({ import: made.value }), headers, isRunning ? 202 : 201));
  },
);

const LINE_END = 0x0a;

/** The rows of the lines, each judged when it is asked for. Empty lines count as nothing. */
export function* judgedLines(bytes: Buffer, judge: RowJudge): Generator<SeenRow> {
  let number = 0;
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(LINE_END, from);
    const to = end === -1 ? bytes.length : end;
    number++;
    const text = bytes.toString('utf8', from, to).trim();
    from = to + 1;
    if (text !== '') yield rowOfLine(text, number, judge);
  }
}

function rowOfLine(text: string, number: number, judge: RowJudge): SeenRow {
  const read = importRow.safeParse(parsed(text));
  if (read.success) return judge.judge(rowOf(read.data));
  const none = { holderRef: '', priorPlanActivationId: '', priorContractRef: '', labels: [], existingBookingRef: null };
  const fault = { decision: 'invalid' as const, errorCode: 'invalid_row' };
  return { rowId: `line ${number}`, ...none, fault, isBooked: false };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const getSeasonImport = serverRoute(
  'GET /v1/seasons/{key}/imports/{importId}',
  {
    budget: budgets.seasons,
    answer: oneImport,
    deadlineMs,
    description: {
      operationId: 'getSeasonImport',
      tag: 'Seasons',
      summary: 'An import with its rows',
      description: 'The state of the import, and for each row the decision that was made or the reason of its failure.',
      refusals: known,
      examples: [
        { summary: 'The import' },
        { summary: 'An unknown import', path: { importId: 'shi_0' }, answers: 'not_found' },
      ],
    },
  },
  (call) => whole(call, call.path.importId),
);

const additionAnswer = z.object({
  eventKey: text,
  planActivationId: text,
  givable: count,
  withheld: count,
  seats: z.array(
    z.object({
      label: text,
      contractId: text,
      holderRef: text,
      canGive: z.boolean(),
      reason: z.enum(['seat_missing', 'seat_held', 'seat_booked', 'seat_not_for_sale']).nullable(),
    }),
  ),
  nextCursor: z.exactOptional(text.describe('The cursor of the next page; absent at the end.')),
});

const contract = z.object({
  contractId: idOf('sco'),
  rightId: idOf('ssr'),
  holderRef: text,
  labels,
  exchanged: optional(
    z
      .array(z.object({ eventKey: text, labels }))
      .describe('The nights that have other seats by an exchange, until every night has them.'),
  ),
  source: z.enum(['import', 'booking', 'renewal']),
  bookingRef: textOrNull.describe('Null while the seats are not booked.'),
  createdAt: epochMs,
});

const contractsAnswer = z.object({
  planActivationId: text,
  contracts: z.array(contract).describe('Oldest first.'),
  nextCursor: z.exactOptional(text.describe('The cursor of the next page; absent at the end.')),
});

const contractsQuery = z.object({
  planActivationId: textOfQuery('The published plan. [the plan published last]'),
  limit: limit({ usual: 100, most: 200 }),
  cursor,
});

const listSeasonContracts = serverRoute(
  'GET /v1/seasons/{key}/contracts',
  {
    budget: budgets.seasons,
    answer: contractsAnswer,
    query: contractsQuery,
    description: {
      operationId: 'listSeasonContracts',
      tag: 'Seasons',
      summary: 'The holders of a plan with their seats',
      description:
        'The active contracts of one published plan. A season without a published plan has none. The list has pages.',
      refusals: known,
      examples: [{ summary: 'Of the plan published last' }, { summary: 'One', query: { limit: '1' } }, unknownSeason],
    },
  },
  async (call) => {
    const found = await call.ports.catalog('seasons.get', target(call));
    if (!found.ok) return found;
    const planActivationId = call.query.planActivationId || latestPlanOf(found.value.season);
    if (planActivationId === null) return done({ planActivationId: '', contracts: [] });
    const { versions } = await eventsOf(call, found.value.season);
    const page = pageOf(call.query);
    const listed = await call.ports.catalog('rights.contracts', { ...target(call), versions, planActivationId, page });
    return listed.ok
      ? done({ planActivationId, ...listed.value, contracts: listed.value.contracts.map(shownContract) })
      : listed;
  },
);

function latestPlanOf({ plans }: SeasonRecord): string | null {
  const published = plans.filter(({ activationId }) => activationId !== null);
  const [latest] = published.sort((one, other) => other.publishedRevision! - one.publishedRevision!);
  return latest?.activationId ?? null;
}

function shownContract(found: Contract): z.output<typeof contract> {
  const { contractId, rightId, holderRef, labels, exchanged, source, bookingRef, createdAt } = found;
  return { contractId, rightId, holderRef, labels, ...(exchanged && { exchanged }), source, bookingRef, createdAt };
}

const additionBody = z.object({
  eventKey: id.describe('An event of the chart of the season.'),
  planActivationId: optional(id.describe('The plan whose holders are looked at. [the plan published last]')),
});

const additionQuery = z.object({ limit: limit({ usual: 100, most: 200 }), cursor });

const validateSeasonAddition = serverRoute(
  'POST /v1/seasons/{key}/additions/validate',
  {
    budget: budgets.seasons,
    answer: additionAnswer,
    body: additionBody,
    query: additionQuery,
    deadlineMs: 30 * SECOND_MS,
    description: {
      operationId: 'validateSeasonAddition',
      tag: 'Seasons',
      summary: 'Tell which holders another event can give their seats',
      description:
        'Lists every seat of the active contracts of a plan, and whether the event has it free. Writes nothing. `limit` ' +
        'counts rights.',
      refusals: [...known, 'shard_unavailable'],
      examples: [
        { summary: 'Another evening', body: { eventKey: standIn.evening } },
        { summary: 'An unknown event', body: { eventKey: 'no-such-event' }, answers: 'not_found' },
      ],
    },
  },
  async (call) => {
    const { eventKey, planActivationId } = call.body;
    const found = await call.ports.catalog('seasons.get', target(call));
    if (!found.ok) return found;
    const event = await knownInTime(call.ports, eventKey, call.request.deadlineAt);
    const known = event.ok ? eventInScope(event, call.principal) : event;
    if (!known.ok) return known;
    const plan = planActivationId ?? latestPlanOf(found.value.season) ?? '';
    const [seats, contracts] = await Promise.all([
      seatsOf(call, [eventKey]),
      call.ports.catalog('rights.contracts', {
        ...target(call),
        versions: [],
        planActivationId: plan,
        page: pageOf(call.query),
      }),
    ]);
    if (!seats.ok) return seats;
    if (!contracts.ok) return contracts;
    const judged = contracts.value.contracts.flatMap(({ contractId, holderRef, labels }) =>
      labels.map((label) => ({ label, contractId, holderRef, ...judge(seats.value, label) })),
    );
    const givable = judged.filter(({ canGive }) => canGive).length;
    const { nextCursor } = contracts.value;
    return done({
      eventKey,
      planActivationId: plan,
      givable,
      withheld: judged.length - givable,
      seats: judged,
      ...(nextCursor !== undefined && { nextCursor }),
    });
  },
);

type Judged = { canGive: boolean; reason: 'seat_missing' | ReturnType<typeof codeOf> | null };

function judge(seats: Seats, label: string): Judged {
  const sight = seats(label);
  if (sight === null) return { canGive: false, reason: 'seat_missing' };
  if (sight.status === unitStatus.free) return { canGive: true, reason: null };
  return { canGive: false, reason: codeOf(sight.status) };
}

const offer = z.object({
  offerId: idOf('sro'),
  contractId: text,
  rightId: text,
  holderRef: text,
  successorPlanActivationId: text,
  labels,
  state: z.enum(offerStates),
  deadlineAt: epochMs,
  intentId: textOrNull,
  intentAt: epochMs.nullable(),
  commitActionId: textOrNull,
  orderRef: textOrNull,
  bookingRef: textOrNull,
  successorContractId: textOrNull,
  commitOutcomes: z.array(
    z.object({ eventKey: text, state: z.enum(['pending', 'committed', 'failed']), code: textOrNull }),
  ),
  total: optional(
    count.describe('The price of the reserved seats in all performances. [an offer of an earlier version has none]'),
  ),
  currency: optional(text),
  priceUnit,
  createdAt: epochMs,
  updatedAt: epochMs,
});

const offerDetail = offer.extend({
  items: z.array(lineItem).describe('The reserved seats of all performances, at the prices of the reservation.'),
  performances: z
    .array(z.object({ name: text, startsAt: epochMs.nullable() }))
    .describe('In the order of the commitOutcomes.'),
});

const offersAnswer = z.object({
  offers: z.array(offer),
  truncated: z.boolean().describe('Further offers or contracts are left out.'),
});

function listed(found: Outcome<{ offers: Offer[]; truncated: boolean }>): Outcome<z.output<typeof offersAnswer>> {
  return found.ok ? done({ ...found.value, offers: found.value.offers.map(priced) }) : found;
}

function priced(found: Offer): z.output<typeof offer> {
  return { ...found, priceUnit: unitOf(found) };
}

const deadlineAt = moment.describe('Epoch milliseconds. The offer lapses then.');

const offersBody = z.object({
  deadlineAt,
  successorPlanActivationId: optional(successorPlanActivationId.describe('[the plan published last]')),
  contractIds: optional(z.array(id).min(1).max(offersNamedMax)),
});

const seasonRightDeadlineMs = 30 * SECOND_MS;

const seasonRightDeadlineAt = 4_000_000_000_000;

const createSeasonRenewalOffers = serverRoute(
  'POST /v1/seasons/{key}/renewal-offers',
  {
    budget: budgets.seasons,
    answer: offersAnswer,
    body: offersBody,
    status: 201,
    idempotent: true,
    deadlineMs: seasonRightDeadlineMs,
    description: {
      operationId: 'createSeasonRenewalOffers',
      tag: 'Seasons',
      summary: 'Offer holders their seats in a plan',
      description:
        'One offer a contract: of `contractIds`, or of every contract of the plan that has neither a booking nor an open ' +
        'offer. The seats are reserved in every event of the plan until renewal, decline, release or deadline: to everybody ' +
        'else they are not for sale. All seats are reserved, or none: `conflicts` then lists every seat. A call makes at ' +
        'most 500 offers; with `truncated` repeat the call without `contractIds`.',
      refusals: [...known, 'invalid_season_state', 'conflict', 'shard_unavailable', 'overloaded'],
      examples: [
        { summary: 'Every holder of the plan', body: { deadlineAt: seasonRightDeadlineAt } },
        {
          summary: 'An unknown contract',
          body: { deadlineAt: seasonRightDeadlineAt, contractIds: ['sco_0'] },
          answers: 'invalid_request',
        },
        { summary: 'A deadline in the past', body: { deadlineAt: 1 }, answers: 'invalid_request' },
        {
          summary: 'A season without a plan',
          path: { key: standIn.draftSeason },
          body: { deadlineAt: seasonRightDeadlineAt },
          answers: 'invalid_season_state',
        },
        { ...unknownSeason, body: { deadlineAt: seasonRightDeadlineAt } },
      ],
    },
  },
  async (call) =>
    listed(await call.ports.catalog('rights.offer', { ...target(call), ...call.body, ...callIdOf(call) })),
);

const listSeasonRenewalOffers = serverRoute(
  'GET /v1/seasons/{key}/renewal-offers',
  {
    budget: budgets.seasons,
    answer: offersAnswer,
    description: {
      operationId: 'listSeasonRenewalOffers',
      tag: 'Seasons',
      summary: 'The offers, newest first',
      description: 'Each offer has its holder, its seats, its deadline and its state. The list has pages.',
      refusals: known,
      examples: [{ summary: 'All of them' }, unknownSeason],
    },
  },
  async (call) => listed(await call.ports.catalog('rights.offers', target(call))),
);

const oneOffer = z.object({ offer: offerDetail });

async function detailed(
  call: Pick<Call<'none'>, 'ports' | 'request'>,
  found: Outcome<{ offer: OfferDetail }>,
): Promise<Outcome<z.output<typeof oneOffer>>> {
  return found.ok ? done({ offer: await detailOf(call, found.value.offer) }) : found;
}

async function detailOf(
  call: Pick<Call<'none'>, 'ports' | 'request'>,
  found: OfferDetail,
): Promise<z.output<typeof offerDetail>> {
  const { ports, request } = call;
  const keys = found.commitOutcomes.map(({ eventKey }) => eventKey);
  const known = await Promise.all(keys.map((key) => knownInTime(ports, key, request.deadlineAt)));
  // An event that was deleted since is left out.
  const performances = known.flatMap((event) => {
    return event.ok ? [{ name: event.value.event.name, startsAt: event.value.event.startsAt }] : [];
  });
  const { items, ...offer } = found;
  return {
    ...offer,
    ...(items && { items: wordedItems(items, unitOf(found)) }),
    priceUnit: unitOf(found),
    performances,
  };
}

const moved = { ...counted, answer: oneOffer };

const unknownOffer = { summary: 'An unknown offer', path: { offerId: 'sro_0' }, answers: 'not_found' } as const;

const getSeasonRenewalOffer = serverRoute(
  'GET /v1/seasons/{key}/renewal-offers/{offerId}',
  {
    ...moved,
    description: {
      operationId: 'getSeasonRenewalOffer',
      tag: 'Seasons',
      summary: 'One offer',
      description: 'The offer as it is stored: holder, seats, deadline, state, and the outcome of its commit.',
      headers: ['Retry-After'],
      refusals: known,
      examples: [{ summary: 'The offer' }, unknownOffer],
    },
  },
  read,
);

type OfferCall = ServerCall & WithPath<'offerId'>;

async function read(call: OfferCall) {
  return told(call, await detailed(call, await call.ports.catalog('rights.get-offer', ofPath(call))));
}

/** A renewal that is not in every event yet is polled at the offer's address. */
function told({ request, path }: OfferCall, outcome: Outcome<z.output<typeof oneOffer>>) {
  if (!outcome.ok || outcome.value.offer.state !== 'committing') return outcome;
  const address = `/v1/seasons/${encodeURIComponent(path.key)}/renewal-offers/${encodeURIComponent(path.offerId)}`;
  const headers: Header[] = [
    ['Location', address],
    ['Retry-After', '1'],
  ];
  return done(preparedJson(spell(outcome.value), headers, request.method === 'POST' ? 202 : 200));
}

function ofPath(call: OfferCall) {
  return { ...target(call), offerId: call.path.offerId };
}

const inspectSeasonRenewalOffer = serverRoute(
  'GET /v1/seasons/{key}/renewal-offers/{offerId}/inspect',
  {
    ...moved,
    description: {
      operationId: 'inspectSeasonRenewalOffer',
      tag: 'Seasons',
      summary: 'One offer, with the outcome in each event',
      description:
        'The offer together with an answer of each event: whether it still reserves the seats, has booked ' +
        'them, or has freed them.',
      headers: ['Retry-After'],
      refusals: known,
      examples: [{ summary: 'The offer' }, unknownOffer],
    },
  },
  read,
);

const extendOfferBody = z.object({ deadlineAt });

const moves = [...known, 'conflict'] as const;

const extendSeasonRenewalOffer = serverRoute(
  'POST /v1/seasons/{key}/renewal-offers/{offerId}/extend',
  {
    ...moved,
    body: extendOfferBody,
    description: {
      operationId: 'extendSeasonRenewalOffer',
      tag: 'Seasons',
      summary: 'Move the deadline of an offer to a later time',
      description: 'The events keep the seats reserved until the new deadline. An earlier deadline is refused.',
      refusals: moves,
      examples: [
        { summary: 'Later', body: { deadlineAt: seasonRightDeadlineAt + 60_000 } },
        { summary: 'Earlier', body: { deadlineAt: 1 }, answers: 'invalid_request' },
        { ...unknownOffer, body: { deadlineAt: seasonRightDeadlineAt } },
      ],
    },
  },
  (call) => move(call, { move: 'extend', ...call.body }),
);

async function move(call: OfferCall, asked: OfferMove) {
  return told(call, await detailed(call, await call.ports.catalog('rights.move-offer', { ...ofPath(call), ...asked })));
}

const actionId = z.string().regex(/^[A-Za-z0-9._:-]{1,128}$/, 'Must be 1 to 128 letters, digits, dots, _, : or -.');

const commitOfferBody = z.object({
  commitActionId: actionId,
  orderRef: ref,
  bookingRef: ref.describe(`The caller's name for the order. ${keptForGood}`),
  planActivationId: id.describe('The `successorPlanActivationId` of the offer.'),
});

const commit = { commitActionId: 'renew-17', orderRef: 'order-17', bookingRef: 'booking-17' };

const commitSeasonRenewalOffer = serverRoute(
  'POST /v1/seasons/{key}/renewal-offers/{offerId}/commit',
  {
    ...moved,
    body: commitOfferBody,
    description: {
      operationId: 'commitSeasonRenewalOffer',
      tag: 'Seasons',
      summary: 'Renew: book the seats of an offer in every event',
      description:
        'Needs no intent. The answer is 202 with `committing`: poll the address in `Location`. The offer ends as `renewed`, ' +
        'with a successor contract of the same right. A repetition of the same action finds the first.',
      headers: ['Location', 'Retry-After'],
      refusals: moves,
      examples: [
        {
          summary: 'The order of a holder',
          body: { ...commit, planActivationId: standIn.planActivation },
          status: 202,
        },
        { summary: 'Another plan', body: { ...commit, planActivationId: 'spa_0' }, answers: 'conflict' },
        { ...unknownOffer, body: { ...commit, planActivationId: 'spa_0' } },
      ],
    },
  },
  (call) => move(call, { move: 'commit', ...call.body }),
);

const declineSeasonRenewalOffer = serverRoute(
  'POST /v1/seasons/{key}/renewal-offers/{offerId}/decline',
  {
    ...moved,
    body: emptyBody,
    bodyOptional: true,
    description: {
      operationId: 'declineSeasonRenewalOffer',
      tag: 'Seasons',
      summary: 'Decline an offer for its holder, and free the seats',
      description: 'Every event frees the reserved seats. A declined offer answers the same again.',
      refusals: moves,
      examples: [{ summary: 'Declined', body: {} }, unknownOffer],
    },
  },
  (call) => move(call, { move: 'decline' }),
);

const releaseSeasonRenewalOffer = serverRoute(
  'POST /v1/seasons/{key}/renewal-offers/{offerId}/release',
  {
    ...moved,
    body: emptyBody,
    bodyOptional: true,
    description: {
      operationId: 'releaseSeasonRenewalOffer',
      tag: 'Seasons',
      summary: 'Take an offer back, and free the seats',
      description: 'Also for an offer that was declined or has lapsed. The right of the holder stays.',
      refusals: moves,
      examples: [{ summary: 'Taken back', body: {} }, unknownOffer],
    },
  },
  (call) => move(call, { move: 'release' }),
);

const oneIntent = z.object({
  intent: z.object({
    offerId: text,
    intentId: text,
    state: z.literal('intent_received'),
    receivedAt: epochMs,
  }),
});

const intentBody = z.object({ offerId: id });

const intendSeasonRenewal = ownerBuyerRoute(
  'POST /pub/seasons/{key}/renewal-intents',
  {
    budget: budgets.buyerCalls,
    answer: oneIntent,
    body: intentBody,
    description: {
      operationId: 'intendSeasonRenewal',
      tag: 'Buyers',
      summary: 'Tell that the holder of an offer wants to renew',
      description: 'Books nothing. The organisation commits the offer.',
      refusals: ['conflict'],
      examples: [
        {
          summary: 'The holder renews',
          body: { offerId: standIn.soldOffer },
        },
        {
          summary: 'An unknown offer',
          body: { offerId: 'sro_0' },
          answers: 'not_found',
        },
      ],
    },
  },
  async ({ ports, path, body }) => {
    const answer = { offerId: body.offerId, seasonKey: path.key, move: 'intend' as const };
    return toldIntent(await ports.catalog('rights.answer-offer', answer));
  },
);

function toldIntent(outcome: Outcome<{ offer: Offer }>) {
  return outcome.ok ? done(intentOf(outcome.value.offer)) : outcome;
}

function intentOf({ offerId, intentId, intentAt }: Offer): z.output<typeof oneIntent> {
  return { intent: { offerId, intentId: intentId!, state: 'intent_received', receivedAt: intentAt! } };
}

const renewalSeason = z.object({
  key: text,
  name: text,
  edition: textOrNull,
  venue: textOrNull,
  timezone: textOrNull,
  occurrenceCount: count,
});

const renewalAnswer = z.object({ offer: offerDetail, season: renewalSeason });

const unknownLink = { summary: 'An unknown link', path: { token: 'sro_0' }, answers: 'not_found' } as const;

const getSeasonRenewal = openRoute(
  'GET /pub/season-renewals/{token}',
  {
    budget: budgets.seasonRenewals,
    answer: renewalAnswer,
    description: {
      operationId: 'getSeasonRenewal',
      tag: 'Buyers',
      summary: 'The offer behind the link that its holder has',
      description: "The token is the offer's id, which nobody can guess.",
      refusals: ['not_found', 'catalog_unavailable'],
      examples: [{ summary: 'The offer' }, unknownLink],
    },
  },
  async (call) => {
    const found = await call.ports.catalog('rights.find-offer', { offerId: call.path.token });
    if (!found.ok) return found;
    return done(renewalOf(await detailOf(call, found.value.offer), found.value.season));
  },
);

function renewalOf(found: z.output<typeof offerDetail>, season: SeasonRecord): z.output<typeof renewalAnswer> {
  const { key, name, edition, venue, timezone, eventKeys } = season;
  return { offer: found, season: { key, name, edition, venue, timezone, occurrenceCount: eventKeys.length } };
}

const intendSeasonRenewalByLink = openRoute(
  'POST /pub/season-renewals/{token}/intent',
  {
    budget: budgets.seasonRenewals,
    answer: oneIntent,
    body: emptyBody,
    bodyOptional: true,
    description: {
      operationId: 'intendSeasonRenewalByLink',
      tag: 'Buyers',
      summary: 'Tell by the link that the holder wants to renew',
      description:
        'The offer notes the intent and its time. Nothing is booked: the back end commits the offer after the ' +
        'payment.',
      refusals: ['not_found', 'conflict', 'catalog_unavailable'],
      examples: [{ summary: 'The holder renews' }, unknownLink],
    },
  },
  async (call) =>
    toldIntent(await call.ports.catalog('rights.answer-offer', { offerId: call.path.token, move: 'intend' })),
);

const declineSeasonRenewalByLink = openRoute(
  'POST /pub/season-renewals/{token}/decline',
  {
    budget: budgets.seasonRenewals,
    answer: oneOffer,
    body: emptyBody,
    bodyOptional: true,
    description: {
      operationId: 'declineSeasonRenewalByLink',
      tag: 'Buyers',
      summary: 'Decline the offer by its link',
      description:
        'The holder gives the seats up, and every event frees them. A declined offer answers the same again.',
      refusals: ['not_found', 'conflict', 'catalog_unavailable'],
      examples: [{ summary: 'Declined' }, unknownLink],
    },
  },
  async (call) =>
    detailed(call, await call.ports.catalog('rights.answer-offer', { offerId: call.path.token, move: 'decline' })),
);

export const seasonRightsRoutes = [
  importSeasonHolders,
  importSeasonHolderLines,
  getSeasonImport,
  listSeasonContracts,
  validateSeasonAddition,
  createSeasonRenewalOffers,
  listSeasonRenewalOffers,
  getSeasonRenewalOffer,
  inspectSeasonRenewalOffer,
  extendSeasonRenewalOffer,
  commitSeasonRenewalOffer,
  declineSeasonRenewalOffer,
  releaseSeasonRenewalOffer,
  intendSeasonRenewal,
  getSeasonRenewal,
  intendSeasonRenewalByLink,
  declineSeasonRenewalByLink,
];

export const seasonRightsSchemas = { RenewalOffer: offer, RenewalOfferDetail: offerDetail };
