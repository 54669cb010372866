/**
 * Imports of bookings from an older system. A front door sends the lines of the file in pieces, which are stored. The
 * end of the file begins the work: any catalog sends the pieces to the event's actor, one after the other, and counts
 * each.
 *
 * States: receiving → running (piece by piece) → committed | rejected, or dry_run | rejected for a dry run, which books
 * nothing. `linesDone` counts the lines whose outcome is known.
 *
 * Failure at each await:
 * - The front door dies while lines arrive → nothing is booked. An import without its end reads as `rejected` after
 *   `importIdleMs`. A repetition with the same Idempotency-Key finds the import, and sends the same pieces again.
 * - The store fails in `lines` or `end` → the call fails, and the repetition writes the same pieces again.
 * - The catalog dies behind `end` → the import is open, and any catalog goes on from `linesDone`.
 * - The catalog or the shard dies while a piece is asked → the piece is asked again under its name, and the event gives
 *   its first answer (inventory-shard, sales/import-bookings.ts). The same holds where the answer was lost, or where
 *   two catalogs ask one piece.
 * - The catalog dies behind the answer, before the piece's issues or the count are written → the same.
 * - The event does not answer → the import waits for the next look. The event refuses for good (archived, deleted) →
 *   each
 *   line of the piece has this refusal as its issue.
 * - The event has forgotten the name of a piece, as the catalogs were away for more than a day → the event judges the
 *   piece anew. Sales that stand are found by their reference, so nothing is booked twice.
 */
import { importKeepMs } from '@parterre/shared/charts/chart-file-limits';
import type { Answers } from '@parterre/shared/protocol/answers';
import {
  type BookingImport,
  type ImportIssue,
  type ReadLine,
  saleFaults,
} from '@parterre/shared/protocol/catalog/booking-imports';
import type { CatalogInput, CatalogOutput } from '@parterre/shared/protocol/catalog-api';
import type { AreaClaim, ImportedSale } from '@parterre/shared/protocol/commands';
import { done, type Outcome, type RefusalCode, refuse } from '@parterre/shared/protocol/errors';
import { idFor } from '@parterre/shared/protocol/ids';
import { findEvent } from '../events/event-access.ts';
import { createLifecycles, type Lifecycles } from '../lifecycles/lifecycles.ts';
import { bookingImportPieces, bookingImports, events } from '../store/collections.ts';
import { change, type OperationTable, type Ports } from '../store/operations.ts';
import { bookingImportAskMs, importIdleMs } from '../store/rules/bounds.ts';
import type { BookingImportDocument, BookingImportPiece } from '../store/rules/records.ts';
import type { Stored } from '../store/store.ts';

type ImportPorts = Pick<Ports, 'store' | 'clock' | 'ask' | 'log'>;
type ImportOperation = `booking-imports.${'begin' | 'lines' | 'end' | 'get' | 'issues'}`;

export type BookingImportWork = Lifecycles<BookingImportDocument>;

export function createBookingImportWork(ports: ImportPorts): BookingImportWork {
  const { store, clock, log } = ports;
  return createLifecycles<BookingImportDocument>({
    store,
    clock,
    log,
    collection: bookingImports,
    advance: (document) => advance(ports, document),
    written() {},
  });
}

export function createBookingImportOperations(
  ports: ImportPorts,
  work: BookingImportWork,
): OperationTable<ImportOperation> {
  return {
    'booking-imports.begin': (input) => begin(ports, input),
    'booking-imports.lines': (input) => keepLines(ports, input),
    'booking-imports.end': (input) => end(ports, work, input),
    'booking-imports.get': (input) => read(ports, input),
    'booking-imports.issues': (input) => readIssues(ports, input),
  };
}

async function begin(
  { store, clock }: ImportPorts,
  { scope, eventKey, dryRun, fingerprint, caller, callId }: CatalogInput<'booking-imports.begin'>,
): Promise<Outcome<CatalogOutput<'booking-imports.begin'>>> {
  const event = await findEvent(store, scope, eventKey);
  if (!event.ok) return event;
  const importId = idFor('bim', callId);
  const now = clock.now();
  const begun: BookingImportDocument = {
    organisationId: scope.organisationId,
    eventKey,
    eventId: event.value.id,
    dryRun,
    fingerprint,
    caller,
    state: 'receiving',
    linesDone: 0,
    claims: [],
    accepted: 0,
    rejected: 0,
    createdAt: now,
    updatedAt: now,
    open: null,
    expiresAt: now + importKeepMs,
  };
  await store.insert(bookingImports, importId, begun);
  const kept = await store.get(bookingImports, importId);
  if (!kept || kept.value.eventId !== begun.eventId || kept.value.fingerprint !== fingerprint) return otherFile;
  return done({ import: shownImport(kept, now), isComing: kept.value.state === 'receiving' });
}

const otherFile = refuse('conflict', 'This Idempotency-Key has begun the import of another file. Use a new key.', {
  reason: 'idempotency_key_reused',
});

async function keepLines(
  { store, clock }: ImportPorts,
  { eventKey, importId, at, lines }: CatalogInput<'booking-imports.lines'>,
): Promise<Outcome<object>> {
  const id = pieceId(importId, at);
  const found = await store.get(bookingImports, importId);
  if (found?.value.eventKey !== eventKey) return importUnknown();
  if (found.value.state !== 'receiving') return done({});
  const piece: BookingImportPiece = { lines, issues: null, expiresAt: found.value.expiresAt };
  const before = await store.get(bookingImportPieces, id);
  if (before) await store.replace(bookingImportPieces, id, before.version, piece);
  else await store.insert(bookingImportPieces, id, piece);
  return changeImport({ store, clock }, importId, (value) => value);
}

/** The import stays as it is once its lines have arrived. */
function changeImport(
  { store, clock }: Pick<ImportPorts, 'store' | 'clock'>,
  importId: string,
  next: (value: BookingImportDocument) => BookingImportDocument,
): Promise<Outcome<Stored<BookingImportDocument>>> {
  return change(store, bookingImports, importId, importUnknown, (value) => {
    if (value.state !== 'receiving') return done(value);
    return done({ ...next(value), updatedAt: Math.max(clock.now(), value.updatedAt + 1) });
  });
}

async function end(
  ports: ImportPorts,
  work: BookingImportWork,
  { eventKey, importId, lineCount, waitMs }: CatalogInput<'booking-imports.end'>,
): Promise<Outcome<{ import: BookingImport }>> {
  const { store, clock } = ports;
  const found = await store.get(bookingImports, importId);
  if (found?.value.eventKey !== eventKey) return importUnknown();
  if (found.value.state === 'receiving' && (await linesKept(ports, importId)) !== lineCount) return incomplete;
  const written = await changeImport(ports, importId, (value) => ({ ...value, state: 'running', open: true }));
  if (!written.ok) return written;
  const until = clock.elapsed() + waitMs;
  const after = await work.carryOn(importId, waitMs, () => clock.elapsed() >= until);
  work.begin(importId);
  return done({ import: shownImport(after ?? written.value, clock.now()) });
}

const incomplete = refuse('overloaded', 'Some lines of the import did not arrive. Send it again.', { retryable: true });

async function linesKept({ store }: ImportPorts, importId: string): Promise<number> {
  let lineCount = 0;
  for (;;) {
    const piece = await store.get(bookingImportPieces, pieceId(importId, lineCount));
    if (!piece) return lineCount;
    lineCount += piece.value.lines.length;
  }
}

async function advance(
  ports: ImportPorts,
  { id, value }: Stored<BookingImportDocument>,
): Promise<BookingImportDocument | null> {
  const { store, clock } = ports;
  const updatedAt = Math.max(clock.now(), value.updatedAt + 1);
  const at = value.linesDone;
  const piece = await store.get(bookingImportPieces, pieceId(id, at));
  if (!piece) return { ...value, state: endOf(value), open: null, updatedAt };
  const { lines } = piece.value;
  const judged = await judgedBy(ports, id, value, lines);
  if (judged === null) return null;
  const { issues, claims } = judged;
  // A stale write: another catalog has written the same issues.
  await store.replace(bookingImportPieces, piece.id, piece.version, { ...piece.value, issues });
  const rejected = value.rejected + issues.length;
  const accepted = value.accepted + lines.length - issues.length;
  const linesDone = at + lines.length;
  return { ...value, linesDone, accepted, rejected, claims: summed(value.claims, claims), updatedAt };
}

function summed(claims: readonly AreaClaim[], more: readonly AreaClaim[]): AreaClaim[] {
  const sums = claims.map((claim) => ({ ...claim }));
  for (const claim of more) {
    const known = sums.find(({ label, channelId }) => label === claim.label && channelId === claim.channelId);
    if (known) known.count += claim.count;
    else sums.push({ ...claim });
  }
  return sums;
}

function endOf({ dryRun, accepted, rejected }: BookingImportDocument): BookingImportDocument['state'] {
  if (dryRun) return rejected > 0 ? 'rejected' : 'dry_run';
  return accepted > 0 ? 'committed' : 'rejected';
}

type JudgedPiece = { issues: ImportIssue[]; claims: AreaClaim[] };

/** Lets the event judge and book the sales of a piece. Null: the event cannot tell now. */
async function judgedBy(
  ports: ImportPorts,
  importId: string,
  value: BookingImportDocument,
  lines: readonly ReadLine[],
): Promise<JudgedPiece | null> {
  const faulty = lines.flatMap((line) => ('sale' in line ? [] : [line]));
  const sold = lines.flatMap((line) => ('sale' in line ? [line] : []));
  const answer = await askEvent(ports, importId, value, sold);
  if (answer.ok) {
    const { faults, claims = [] } = answer.value;
    const issues = faults.map(({ at, code }) => ({ line: sold[at]!.line, code, message: saleFaults[code] }));
    return { issues: byLine([...faulty, ...issues]), claims };
  }
  const { code, message } = answer.refusal;
  if (!finalCodes.has(code)) {
    ports.log.debug({ importId, refusal: answer.refusal }, 'an import of bookings waits for its event');
    return null;
  }
  return { issues: byLine([...faulty, ...sold.map(({ line }) => ({ line, code, message }))]), claims: [] };
}

async function askEvent(
  { store, clock, ask }: ImportPorts,
  importId: string,
  { eventKey, eventId, fingerprint, dryRun, caller, linesDone, claims }: BookingImportDocument,
  sold: readonly Extract<ReadLine, { sale: ImportedSale }>[],
): Promise<Outcome<Answers['import-bookings']>> {
  if (sold.length === 0) return done({ faults: [] });
  const event = await store.get(events, eventKey);
  if (event?.value.id !== eventId || event.value.status === 'deleted') return gone;
  const command = {
    type: 'import-bookings' as const,
    callId: `${importId}.${linesDone}`,
    sales: sold.map(({ sale }) => sale),
    ...(dryRun ? { dryRun, claims } : { fingerprint }),
  };
  return ask(eventKey, command, { ...caller, accessSource: 'public' }, clock.elapsed() + bookingImportAskMs);
}

function byLine(issues: ImportIssue[]): ImportIssue[] {
  return issues.sort((one, other) => one.line - other.line);
}

/** The refusals that a repetition of the piece would get again. */
const finalCodes: ReadonlySet<RefusalCode> = new Set(['invalid_event_state', 'not_found', 'payload_too_large']);

const gone = refuse('not_found', 'The event is gone. Nothing more is imported.');

async function read(
  { store, clock }: ImportPorts,
  { scope, eventKey, importId }: CatalogInput<'booking-imports.get'>,
): Promise<Outcome<{ import: BookingImport }>> {
  const event = await findEvent(store, scope, eventKey);
  if (!event.ok) return event;
  const found = await store.get(bookingImports, importId);
  if (found?.value.eventId !== event.value.id) return importUnknown();
  return done({ import: shownImport(found, clock.now()) });
}

async function readIssues(
  ports: ImportPorts,
  { at, ...input }: CatalogInput<'booking-imports.issues'>,
): Promise<Outcome<CatalogOutput<'booking-imports.issues'>>> {
  const known = await read(ports, input);
  if (!known.ok) return known;
  const piece = await ports.store.get(bookingImportPieces, pieceId(input.importId, at));
  if (!piece) return done({ issues: [], next: null });
  return done({ issues: piece.value.issues ?? [], next: at + piece.value.lines.length });
}

/** The next piece begins where this piece ends. */
function pieceId(importId: string, at: number): string {
  return `${importId} ${at}`;
}

function shownImport({ id, value }: Stored<BookingImportDocument>, now: number): BookingImport {
  const { dryRun, accepted, rejected, createdAt, updatedAt } = value;
  const isLost = value.state === 'receiving' && now - updatedAt > importIdleMs;
  const state = isLost ? 'rejected' : value.state === 'receiving' ? 'running' : value.state;
  return { id, dryRun, state, accepted, rejected, createdAt };
}

function importUnknown(): Outcome<never> {
  return refuse('not_found', 'There is no such import. Imports are kept for 30 days.');
}
