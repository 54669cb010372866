/**
 * The operations of a season, from the catalog's projection of the journals. A read waits a moment until the present
 * versions of the season's events are counted, so it shows a call that has ended.
 *
 * Failure at each await: an event does not answer → its version is not waited for; the catalog does not answer → its
 * refusal.
 */
import type { KeptOperation } from '@parterre/shared/catalog/operations';
import type { SeasonCancellation } from '@parterre/shared/catalog/season-sales';
import type { SeasonRecord } from '@parterre/shared/catalog/seasons';
import { done, type Outcome } from '@parterre/shared/errors';
import { knownInTime } from '../../admission/admission.ts';
import { type Call, callerOf } from '../calls/calls.ts';

type ServerCall = Call<'server', unknown, null, unknown>;

/** A page of the projection, and the operations that one report or look-up reads at most. */
const pageMax = 200;
const scannedMax = 20_000;

/** The ids of these events, by key, and their present versions. */
export async function eventsOf(
  { ports, request, principal }: Pick<ServerCall, 'ports' | 'request' | 'principal'>,
  { eventKeys }: { eventKeys: readonly string[] },
) {
  const eventIds = new Map<string, string>();
  const versions: Versions = [];
  const ask = async (eventKey: string) => {
    const known = await knownInTime(ports, eventKey, request.deadlineAt);
    if (!known.ok) return;
    const { event } = known.value;
    eventIds.set(eventKey, event.id);
    const told = await ports.shards.submit(event, callerOf(principal), { type: 'count' }, request.deadlineAt);
    if (told.ok) versions.push({ eventKey, version: told.value.version });
  };
  await Promise.all(eventKeys.map(ask));
  return { eventIds, versions };
}

export type Versions = { eventKey: string; version: number }[];

/** The cancellations of these operations, by operation. */
export async function cancellationsOf(
  { ports }: Pick<ServerCall, 'ports'>,
  seasonKey: string,
  operationIds: readonly string[],
): Promise<Outcome<ReadonlyMap<string, SeasonCancellation>>> {
  if (operationIds.length === 0) return done(new Map());
  const found = await ports.catalog('seasons.cancellations', { seasonKey, operationIds });
  if (!found.ok) return found;
  return done(new Map(found.value.cancellations.map((each) => [each.operationId, each])));
}

/** An operation with the cancellation of its booking. */
type Sale = { operation: KeptOperation; cancellation: SeasonCancellation | null };

/** The newest operations. `isOpen`: something goes on with one of them. */
export async function newestOperations(
  call: ServerCall,
  season: SeasonRecord,
  versions: Versions,
): Promise<Outcome<{ operations: KeptOperation[]; isOpen: boolean; truncated: boolean }>> {
  const found = await salesPage(call, season, versions, undefined);
  if (!found.ok) return found;
  const { sales, nextCursor } = found.value;
  return done({
    operations: sales.map(({ operation }) => operation),
    isOpen: sales.some(({ operation, cancellation }) => operation.isOpen || cancellation?.state === 'cancel_pending'),
    truncated: nextCursor !== undefined,
  });
}

/** The newest sales whose bookings have this reference, or were tried with it. */
export async function salesOfReference(
  call: ServerCall,
  { key }: SeasonRecord,
  versions: Versions,
  bookingRef: string,
): Promise<Outcome<Sale[]>> {
  const asked = { owner: { kind: 'season' as const, key }, versions, bookingRef };
  const found = await call.ports.catalog('operations.by-booking-ref', asked);
  return found.ok ? salesOf(call, key, found.value.operations) : found;
}

/** Shows every operation to `see`, the newest first, up to `scannedMax`. */
export async function scanOperations(
  call: ServerCall,
  season: SeasonRecord,
  versions: Versions,
  see: (sale: Sale) => void,
): Promise<Outcome<true>> {
  let cursor: string | undefined;
  for (let scanned = 0; scanned < scannedMax; scanned += pageMax) {
    const found = await salesPage(call, season, versions, cursor);
    if (!found.ok) return found;
    for (const sale of found.value.sales) see(sale);
    cursor = found.value.nextCursor;
    if (cursor === undefined) break;
  }
  return done(true);
}

async function salesPage(
  call: ServerCall,
  { key }: SeasonRecord,
  versions: Versions,
  cursor: string | undefined,
): Promise<Outcome<{ sales: Sale[]; nextCursor?: string }>> {
  const page = { limit: pageMax, ...(cursor !== undefined && { cursor }) };
  const found = await call.ports.catalog('operations.list', { owner: { kind: 'season', key }, versions, page });
  if (!found.ok) return found;
  const { operations, ...more } = found.value;
  const sales = await salesOf(call, key, operations);
  return sales.ok ? done({ sales: sales.value, ...more }) : sales;
}

async function salesOf(
  call: ServerCall,
  seasonKey: string,
  operations: readonly KeptOperation[],
): Promise<Outcome<Sale[]>> {
  const booked = operations.filter(({ actions }) => actions.some(({ state }) => state === 'booked'));
  const ids = booked.map(({ operationId }) => operationId);
  const cancellations = await cancellationsOf(call, seasonKey, ids);
  if (!cancellations.ok) return cancellations;
  return done(operations.map((each) => saleOf(each, cancellations.value.get(each.operationId) ?? null)));
}

/** A cancelled booking may have units that an event had freed before, which its part still counts. */
function saleOf(operation: KeptOperation, cancellation: SeasonCancellation | null): Sale {
  const isOver = cancellation?.state === 'cancelled';
  return { operation: isOver ? { ...operation, state: 'cancelled' } : operation, cancellation };
}
