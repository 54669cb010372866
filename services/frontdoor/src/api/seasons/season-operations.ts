/**
 * The operations of a season, from the catalog's projection of the journals. A read waits a moment until the present
 * versions of the season's events are counted, so it shows a call that has ended.
 *
 * Failure at each await: an event does not answer → its version is not waited for; the catalog does not answer → its
 * refusal.
 */
import type { KeptOperation } from '@parterre/shared/catalog/operations';
import type { SeasonRecord } from '@parterre/shared/catalog/seasons';
import { done, type Outcome } from '@parterre/shared/errors';
import { derivedId } from '@parterre/shared/ids';
import { internalIdOf } from '@parterre/shared/operations/operation';
import { knownInTime } from '../../admission/admission.ts';
import { type Call, callerOf } from '../calls/calls.ts';

type ServerCall = Call<'server', unknown, null, unknown>;

/** A page of the projection, and the operations that one report or look-up reads at most. */
const pageMax = 200;
const scannedMax = 20_000;

/** The id of a season's hold. No caller ever sees the ids of its parts. */
export function seasonHoldId(key: string, operationId: string): string {
  return derivedId('hld', internalIdOf({ kind: 'season', key }, operationId));
}

/** The ids of the season's events, by key, and their present versions. */
export async function eventsOf({ ports, request, principal }: ServerCall, { eventKeys }: SeasonRecord) {
  const eventIds = new Map<string, string>();
  const versions: { eventKey: string; version: number }[] = [];
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

type Versions = Awaited<ReturnType<typeof eventsOf>>['versions'];

/** The newest operations. */
export async function newestOperations(
  { ports }: ServerCall,
  { key }: SeasonRecord,
  versions: Versions,
): Promise<Outcome<{ operations: KeptOperation[]; truncated: boolean }>> {
  const input = { owner: { kind: 'season' as const, key }, versions, page: { limit: pageMax } };
  const found = await ports.catalog('operations.list', input);
  if (!found.ok) return found;
  return done({ operations: found.value.operations, truncated: found.value.nextCursor !== undefined });
}

/** Shows every operation to `see`, the newest first, up to `scannedMax`. */
export async function scanOperations(
  { ports }: ServerCall,
  { key }: SeasonRecord,
  versions: Versions,
  see: (operation: KeptOperation) => void,
): Promise<Outcome<true>> {
  let cursor: string | undefined;
  for (let scanned = 0; scanned < scannedMax; scanned += pageMax) {
    const page = { limit: pageMax, ...(cursor !== undefined && { cursor }) };
    const found = await ports.catalog('operations.list', { owner: { kind: 'season', key }, versions, page });
    if (!found.ok) return found;
    for (const operation of found.value.operations) see(operation);
    cursor = found.value.nextCursor;
    if (cursor === undefined) break;
  }
  return done(true);
}
