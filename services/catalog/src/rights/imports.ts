/**
 * Imports of the holders of an earlier season. A front door sends the rows in pieces, with its judgement of their
 * seats. An import writes no right before its end: the end is one write, and the rights follow from the stored rows.
 *
 * States: receiving → dry_run | rejected, or → deciding → rejected | writing (any catalog writes the rights, piece by
 * piece) → committed. One import of a plan decides and writes at a time (`takeLock`). If another import had the plan's
 * lock since this import began, the rows are judged once more, with the rights that the other import wrote. So no two
 * imports give one seat.
 *
 * Failure at each await: the front door dies → the import ends as rejected after `importIdleMs`; the store fails → the
 * call fails, and a repetition writes the same pieces again; a catalog dies while it writes → another one goes on from
 * the last counted piece, and the lock stays with the import until it has ended; two catalogs decide one import → each
 * piece is decided by one checked write, and the other catalog takes it as it is. The ids of rights follow from the
 * import and the row, so no right is made twice.
 */
import type { Contract, Import, JudgedRow, SeenRow } from '@parterre/shared/protocol/catalog/rights';
import type { CatalogInput, CatalogOutput } from '@parterre/shared/protocol/catalog-api';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { derivedId, idFor } from '@parterre/shared/protocol/ids';
import { createLifecycles, type Lifecycles } from '../lifecycles/lifecycles.ts';
import { recordOf } from '../seasons/rules/season-state.ts';
import { findSeason } from '../seasons/season-access.ts';
import { keepNotes } from '../seasons/season-notes.ts';
import { change } from '../store/operations.ts';
import { importLocks, importPieces, imports, rights } from '../store/right-collections.ts';
import { importIdleMs, importSeatsAtOnce } from '../store/rules/bounds.ts';
import type { ImportDocument, ImportLock, ImportPiece } from '../store/rules/right-records.ts';
import { seasons } from '../store/season-collections.ts';
import { findOne, type Store, type Stored, stands, type Write } from '../store/store.ts';
import { actorOf, type RightsPorts, seasonAndPlan } from './rights-ports.ts';
import { newRight, seatKey } from './rules/right-state.ts';

export type ImportWork = Lifecycles<ImportDocument>;

export function createImportWork(ports: RightsPorts): ImportWork {
  const { store, clock, log } = ports;
  return createLifecycles<ImportDocument>({
    store,
    clock,
    log,
    collection: imports,
    advance: (document) => advance(ports, document),
    written() {},
  });
}

export async function beginImport(
  { store, clock }: RightsPorts,
  input: CatalogInput<'rights.begin-import'>,
): Promise<Outcome<CatalogOutput<'rights.begin-import'>>> {
  const { scope, seasonKey, successorPlanActivationId, dryRun, callId } = input;
  const found = await seasonAndPlan(store, input, successorPlanActivationId);
  if (!found.ok) return found;
  const { season, plan } = found.value;
  const importId = idFor('shi', callId);
  const now = clock.now();
  const counts = { acceptedCount: 0, rejectedCount: 0, receivedCount: 0, writtenCount: 0, rowsDone: 0 };
  const begun: ImportDocument = {
    organisationId: season.organisationId,
    seasonKey,
    dryRun,
    successorPlanActivationId,
    ...counts,
    state: 'receiving',
    createdAt: now,
    updatedAt: now,
    committedAt: null,
    open: true,
    turnsSeen: await turnsOfEnded(store, successorPlanActivationId),
    notes: [
      {
        callId: importId,
        action: 'season.holders.imported',
        actorKind: actorOf(scope),
        details: { importId, successorPlanActivationId },
        at: now,
      },
    ],
  };
  await store.insert(imports, importId, begun);
  const kept = await store.get(imports, importId);
  if (kept?.value.seasonKey !== seasonKey) return importUnknown();
  const record = recordOf(seasonKey, season);
  return done({ import: importOf(importId, kept.value), season: record, eventKeys: plan.eventKeys });
}

function importUnknown(): Outcome<never> {
  return refuse('not_found', 'There is no such import. Check its id.');
}

export async function importRows(
  { store, clock }: RightsPorts,
  { seasonKey, importId, at, rows }: CatalogInput<'rights.import-rows'>,
): Promise<Outcome<{ receivedCount: number; acceptedCount: number }>> {
  const found = await store.get(imports, importId);
  if (found?.value.seasonKey !== seasonKey) return importUnknown();
  const { value } = found;
  if (value.state !== 'receiving') return done(value);
  const labels = rows.flatMap((row) => (row.fault === null ? row.labels : []));
  const claimed = await claimedSeats(store, value.successorPlanActivationId, labels);
  const judged = rows.map((row) => ({ ...judge(importId, value, row, claimed), isBooked: row.isBooked }));
  const id = pieceId(importId, at);
  const before = await store.get(importPieces, id);
  const piece: ImportPiece = { importId, at, rows: judged };
  if (!before) await store.insert(importPieces, id, piece);
  else if (!before.value.isDecided) await store.replace(importPieces, id, before.version, piece);
  const counted = await change(store, imports, importId, importUnknown, (one) => {
    if (one.state !== 'receiving') return done(one);
    const receivedCount = Math.max(one.receivedCount, at + rows.length);
    return done({ ...one, receivedCount, updatedAt: Math.max(clock.now(), one.updatedAt + 1) });
  });
  const acceptedCount = judged.filter(({ decision }) => decision === 'accepted').length;
  return counted.ok ? done({ receivedCount: counted.value.value.receivedCount, acceptedCount }) : counted;
}

/** The labels that an active contract of the plan has. */
async function claimedSeats(store: Store, planActivationId: string, all: readonly string[]): Promise<Set<string>> {
  const labels = [...new Set(all)];
  const claimed = new Set<string>();
  for (let at = 0; at < labels.length; at += importSeatsAtOnce) {
    await Promise.all(
      labels.slice(at, at + importSeatsAtOnce).map(async (label) => {
        if (await findOne(store, rights, 'bySeat', [seatKey(planActivationId, label)])) claimed.add(label);
      }),
    );
  }
  return claimed;
}

function judge(
  importId: string,
  { dryRun }: ImportDocument,
  { fault, isBooked: _, ...row }: SeenRow,
  claimed: ReadonlySet<string>,
): JudgedRow {
  const none = { contractId: null, rightId: null };
  if (fault) return { ...row, ...fault, ...none };
  if (row.labels.some((label) => claimed.has(label))) {
    return { ...row, decision: 'conflict', errorCode: 'seat_claimed', ...none };
  }
  const made = { contractId: derivedId('sco', importId, row.rowId), rightId: derivedId('ssr', importId, row.rowId) };
  return { ...row, decision: 'accepted', errorCode: null, ...(dryRun ? none : made) };
}

/** Counts the stored rows and decides. */
export async function endImport(
  { store, clock }: RightsPorts,
  work: ImportWork,
  { seasonKey, importId, rowCount, waitMs }: CatalogInput<'rights.end-import'>,
): Promise<Outcome<{ import: Import }>> {
  const found = await store.get(imports, importId);
  if (found?.value.seasonKey !== seasonKey) return importUnknown();
  const counts = found.value.state === 'receiving' ? await countRows(store, importId) : null;
  const written = await change(store, imports, importId, importUnknown, (one) => {
    if (one.state !== 'receiving' || !counts) return done(one);
    const { acceptedCount, rejectedCount } = counts;
    if (acceptedCount + rejectedCount !== rowCount) return incomplete;
    const updatedAt = laterThan(one, clock.now());
    const isOver = one.dryRun || acceptedCount === 0;
    // The counts before the decision are shown as progress.
    return done(isOver ? { ...counted(one, counts), updatedAt } : { ...one, ...counts, state: 'deciding', updatedAt });
  });
  if (!written.ok) return written;
  work.begin(importId);
  const after = waitMs > 0 ? await work.carryOn(importId, waitMs) : null;
  return done({ import: importOf(importId, after?.value ?? written.value.value) });
}

/** The import as its rows decide it. */
function counted(value: ImportDocument, { acceptedCount, rejectedCount }: Counts): ImportDocument {
  const state = value.dryRun ? 'dry_run' : acceptedCount === 0 ? 'rejected' : 'writing';
  const notes = value.notes.map((note) => {
    return { ...note, details: { ...(note.details as object), state, acceptedCount, rejectedCount } };
  });
  return { ...value, acceptedCount, rejectedCount, state, notes };
}

const incomplete = refuse('overloaded', 'Some rows of the import did not arrive. Send it again.', { retryable: true });

type Counts = { acceptedCount: number; rejectedCount: number };

async function countRows(store: Store, importId: string): Promise<Counts> {
  const counts = { acceptedCount: 0, rejectedCount: 0 };
  for await (const { value } of piecesOf(store, importId)) {
    for (const { decision } of value.rows) {
      if (decision === 'accepted') counts.acceptedCount++;
      else counts.rejectedCount++;
    }
  }
  return counts;
}

/** One piece in memory at a time. */
async function* piecesOf(store: Store, importId: string): AsyncGenerator<Stored<ImportPiece>> {
  let after: Parameters<Store['page']>[1]['after'] | null;
  do {
    const query = { index: 'byImport', equal: [importId], limit: 1, ...(after && { after }) };
    const { documents, next } = await store.page(importPieces, query);
    yield* documents;
    after = next;
  } while (after !== null);
}

async function advance(ports: RightsPorts, { id, value }: Stored<ImportDocument>): Promise<ImportDocument | null> {
  const { store, clock } = ports;
  const now = clock.now();
  const updatedAt = laterThan(value, now);
  switch (value.state) {
    case 'receiving':
      return now - value.updatedAt > importIdleMs ? { ...value, state: 'rejected', updatedAt } : null;
    case 'deciding': {
      const turns = await takeLock(store, value.successorPlanActivationId, id);
      if (turns === null) return null;
      if (turns === value.turnsSeen) return { ...counted(value, value), updatedAt };
      await decideRows(store, id, value);
      return { ...counted(value, await countRows(store, id)), updatedAt };
    }
    case 'writing': {
      const piece = await store.get(importPieces, pieceId(id, value.rowsDone));
      if (!piece) return { ...value, state: 'committed', committedAt: now, updatedAt };
      const rows = piece.value.rows.filter(({ decision }) => decision === 'accepted');
      const writes = rows.map((row, index): Write => rightWrite(id, value, row, updatedAt, index));
      const written = await store.writeMany(writes);
      // A right that stands already is a repetition's.
      const known = await store.getMany(
        rights,
        writes.flatMap((write, at) => (stands(written[at]!) ? [] : [write.id])),
      );
      const count = written.filter(stands).length + known.length;
      if (count < rows.length) return null;
      const writtenCount = value.writtenCount + rows.length;
      return { ...value, rowsDone: value.rowsDone + piece.value.rows.length, writtenCount, updatedAt };
    }
    default: {
      const season = await store.get(seasons, value.seasonKey);
      if (season) await keepNotes(store, value.seasonKey, season.value, value.notes);
      return { ...value, notes: [], open: null, updatedAt };
    }
  }
}

/**
 * Takes the plan's lock for this import. Resolves with the number of imports that had the lock before, and with null
 * while another import has it. An import keeps the lock until its rights are written.
 */
async function takeLock(store: Store, planActivationId: string, importId: string): Promise<number | null> {
  const turn = await store.get(importLocks, planActivationId);
  if (!turn) {
    const first = await store.insert(importLocks, planActivationId, { importId, turns: 1 });
    return first === 'inserted' ? 0 : null;
  }
  const { turns } = turn.value;
  if (turn.value.importId === importId) return turns - 1;
  if (await isUnderWay(store, turn.value)) return null;
  const taken = await store.replace(importLocks, planActivationId, turn.version, { importId, turns: turns + 1 });
  return taken === 'replaced' ? turns : null;
}

/** The number of imports that have had the plan's lock. Null while an import has it: its rights come later. */
async function turnsOfEnded(store: Store, planActivationId: string): Promise<number | null> {
  const turn = await store.get(importLocks, planActivationId);
  if (!turn) return 0;
  return (await isUnderWay(store, turn.value)) ? null : turn.value.turns;
}

async function isUnderWay(store: Store, { importId }: ImportLock): Promise<boolean> {
  const state = (await store.get(imports, importId))?.value.state;
  return state === 'deciding' || state === 'writing';
}

/** A row whose seat another import has given meanwhile is a conflict. A decided piece stays as it is. */
async function decideRows(store: Store, importId: string, value: ImportDocument): Promise<void> {
  for await (const { id, version, value: piece } of piecesOf(store, importId)) {
    if (piece.isDecided) continue;
    const open = piece.rows.filter(({ decision }) => decision === 'accepted');
    const claimed = await claimedSeats(
      store,
      value.successorPlanActivationId,
      open.flatMap(({ labels }) => labels),
    );
    const rows = piece.rows.map((row) => {
      const { contractId: _, rightId: __, ...seen } = row;
      const fault = row.decision === 'accepted' ? null : { decision: row.decision, errorCode: row.errorCode };
      return { ...judge(importId, value, { ...seen, fault } as SeenRow, claimed), isBooked: row.isBooked };
    });
    // Another catalog has decided the piece where the write is stale.
    await store.replace(importPieces, id, version, { ...piece, rows, isDecided: true });
  }
}

/** The next piece begins where this piece ends. */
function pieceId(importId: string, at: number): string {
  return `${importId} ${at}`;
}

function rightWrite(
  importId: string,
  { organisationId, seasonKey, successorPlanActivationId }: ImportDocument,
  row: ImportPiece['rows'][number],
  now: number,
  index: number,
): Write {
  const { holderRef, labels, contractId, rightId, existingBookingRef, isBooked } = row;
  const contract: Contract = {
    contractId: contractId!,
    rightId: rightId!,
    seasonKey,
    holderRef,
    labels,
    source: 'import',
    state: 'active',
    planActivationId: successorPlanActivationId,
    bookingRef: isBooked ? existingBookingRef : null,
    operationId: null,
    importId,
    offerId: null,
    createdAt: now,
    priorPlanActivationId: row.priorPlanActivationId,
    priorContractRef: row.priorContractRef,
  };
  // In the order of rows.
  const right = newRight(
    { organisationId, seasonKey, holderRef, labels, source: 'import' },
    contract,
    now,
    now + index / 1_000,
  );
  return { collection: rights, id: rightId!, version: null, value: right };
}

export async function readImport(
  store: Store,
  input: CatalogInput<'rights.import'>,
): Promise<Outcome<{ import: Import }>> {
  const season = await findSeason(store, input);
  if (!season.ok) return season;
  const found = await store.get(imports, input.importId);
  if (found?.value.seasonKey !== input.seasonKey) return importUnknown();
  return done({ import: importOf(found.id, found.value) });
}

export async function readRows(
  store: Store,
  { at, ...input }: CatalogInput<'rights.rows'>,
): Promise<Outcome<{ rows: JudgedRow[]; next: number | null }>> {
  const known = await readImport(store, input);
  if (!known.ok) return known;
  const found = await store.get(importPieces, pieceId(input.importId, at));
  if (!found) return done({ rows: [], next: null });
  const rows = found.value.rows.map(({ isBooked: _, ...row }) => row);
  return done({ rows, next: at + rows.length });
}

function importOf(importId: string, { state, ...value }: ImportDocument): Import {
  const { dryRun, successorPlanActivationId, acceptedCount, rejectedCount } = value;
  const { receivedCount, writtenCount, createdAt, committedAt } = value;
  const isRunning = state === 'receiving' || state === 'deciding' || state === 'writing';
  const shown = isRunning ? 'running' : state;
  return {
    importId,
    dryRun,
    state: shown,
    successorPlanActivationId,
    acceptedCount,
    rejectedCount,
    receivedCount,
    writtenCount,
    createdAt,
    committedAt,
  };
}

function laterThan({ updatedAt }: ImportDocument, now: number): number {
  return Math.max(now, updatedAt + 1);
}
