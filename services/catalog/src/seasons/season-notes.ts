/**
 * The audit and the outbox of a season. A change of the season's document and its notes are one write: the notes stand
 * in the document first. They get documents of their own right after the write, before the next change, and before the
 * audit or the outbox is read.
 *
 * A note has one entry, however often it is written: the ids follow from the season and the act. An entry's number is
 * its time in microseconds, or the next free number.
 *
 * Failure at each await: the store fails, so the operation fails. The notes stand in the season's document until the
 * next change, which writes them first.
 */
import type { SeasonNote } from '@parterre/shared/protocol/catalog/seasons';
import { Fault } from '@parterre/shared/protocol/errors';
import { derivedId, sha256 } from '@parterre/shared/protocol/ids';
import type { SeasonOccurrence } from '@parterre/shared/protocol/vocabulary';
import { noteNumbersTriedMax } from '../store/rules/bounds.ts';
import type { SeasonDocument, SeasonOutbox } from '../store/rules/season-records.ts';
import { seasonAudits, seasonOutbox } from '../store/season-collections.ts';
import type { Collection, Store } from '../store/store.ts';
import { hexOf } from './rules/list-hash.ts';

type OfOutbox = Pick<SeasonDocument, 'organisationId' | 'workspaceId' | 'mode' | 'environment'>;

export async function keepNotes(
  store: Store,
  seasonKey: string,
  season: OfOutbox,
  notes: readonly SeasonNote[],
): Promise<void> {
  for (const { callId, action, actorKind, details, at, occurrence } of notes) {
    const audit = { seasonKey, action, actorKind, details, at };
    await insertNumbered(store, seasonAudits, auditId(seasonKey, callId), at, (order) => ({ ...audit, order }));
    if (occurrence) await keepOccurrence(store, seasonKey, season, { callId, at, ...occurrence });
  }
}

/** An occurrence of the season's own, of the act `callId`. */
export type OwnOccurrence = { callId: string; at: number; eventName: SeasonOccurrence; data: Record<string, unknown> };

/**
 * Puts an occurrence into the outbox, from where the notifiers take it. It has one document, however often it is put.
 */
export async function keepOccurrence(
  store: Store,
  seasonKey: string,
  season: OfOutbox,
  { callId, at, eventName, data }: OwnOccurrence,
): Promise<void> {
  const { organisationId, workspaceId, environment, mode } = season;
  const id = occurrenceIdOf(seasonKey, callId);
  const livemode = mode === 'live';
  const named = { occurrenceId: id, event: eventName, type: eventName, at, sequence: null, index: 0, livemode };
  const payload = { ...named, workspaceId, seasonKey, data };
  const payloadText = JSON.stringify(payload);
  const kept: Omit<SeasonOutbox, 'order'> = {
    seasonKey,
    organisationId,
    mode,
    season: { key: seasonKey, workspaceId, environment },
    eventName,
    payloadSha256: hexOf(sha256(payloadText)),
    payloadText,
    createdAt: at,
    deliveredAt: null,
    delivered: false,
    replayedAt: null,
    replayCount: 0,
    due: true,
    dueAt: at,
  };
  await insertNumbered(store, seasonOutbox, id, at, (order) => ({ ...kept, order }));
}

export function occurrenceIdOf(seasonKey: string, callId: string): string {
  return derivedId('occ', seasonKey, callId);
}

export async function isNoted(store: Store, seasonKey: string, callId: string): Promise<boolean> {
  return (await store.get(seasonAudits, auditId(seasonKey, callId))) !== null;
}

function auditId(seasonKey: string, callId: string): string {
  return sha256(`${seasonKey} ${callId}`);
}

/** The collection has a unique index over season and `order`. */
async function insertNumbered<V extends object>(
  store: Store,
  collection: Collection<V>,
  id: string,
  at: number,
  valueAt: (order: number) => V,
): Promise<void> {
  for (let order = at * 1_000; order < at * 1_000 + noteNumbersTriedMax; order++) {
    if ((await store.insert(collection, id, valueAt(order))) === 'inserted') return;
    if (await store.get(collection, id)) return;
  }
  throw new Fault(`find a free number for ${id} in ${noteNumbersTriedMax} tries`);
}
