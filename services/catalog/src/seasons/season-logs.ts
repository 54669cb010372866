/** Reads the audit and the outbox of a season, and notes the acts of other rooms. */
import type { AuditEntry, OutboxOccurrence } from '@parterre/shared/catalog/seasons';
import type { CatalogInput } from '@parterre/shared/catalog-api';
import { done, type Outcome, refuse } from '@parterre/shared/errors';
import { change } from '../store/operations.ts';
import { seasonEntriesShownMax } from '../store/rules/bounds.ts';
import type { SeasonOutbox } from '../store/rules/season-records.ts';
import { seasonAudits, seasonOutbox, seasons } from '../store/season-collections.ts';
import type { Collection, Store, Stored } from '../store/store.ts';
import { findSeason, type SeasonPorts, type SeasonTarget, seasonUnknown } from './season-access.ts';
import { keepNotes } from './season-notes.ts';

export async function noteSeason(
  store: Store,
  { seasonKey, note }: CatalogInput<'seasons.note'>,
): Promise<Outcome<{ ok: true }>> {
  const found = await store.get(seasons, seasonKey);
  if (!found) return seasonUnknown();
  await keepNotes(store, seasonKey, found.value, [note]);
  return done({ ok: true });
}

export async function readAudit(
  store: Store,
  input: SeasonTarget,
): Promise<Outcome<{ audit: AuditEntry[]; truncated: boolean }>> {
  const found = await newest(store, input, seasonAudits);
  if (!found.ok) return found;
  const { entries, truncated } = found.value;
  const audit = entries.map(({ value: { order, action, actorKind, details, at } }) => {
    return { id: order, action, actorKind, details, at };
  });
  return done({ audit, truncated });
}

export async function readOutbox(
  store: Store,
  input: SeasonTarget,
): Promise<Outcome<{ outbox: OutboxOccurrence[]; undelivered: number; delivered: number; truncated: boolean }>> {
  const found = await newest(store, input, seasonOutbox);
  if (!found.ok) return found;
  const inState = (delivered: boolean) =>
    store.count(seasonOutbox, { index: 'byDelivered', equal: [input.seasonKey, delivered], above: 0 });
  const [undelivered, delivered] = await Promise.all([inState(false), inState(true)]);
  const { entries, truncated } = found.value;
  return done({ outbox: entries.map(occurrenceOf), undelivered, delivered, truncated });
}

/** Puts the occurrence out once more, under its own id. */
export async function replayOccurrence(
  { store, clock }: SeasonPorts,
  { scope, seasonKey, occurrenceId }: CatalogInput<'seasons.replay'>,
): Promise<Outcome<{ occurrence: OutboxOccurrence }>> {
  const season = await findSeason(store, { scope, seasonKey });
  if (!season.ok) return season;
  await keepNotes(store, seasonKey, season.value.value, season.value.value.notes);
  const written = await change(store, seasonOutbox, occurrenceId, occurrenceUnknown, (occurrence) => {
    if (occurrence.seasonKey !== seasonKey) return occurrenceUnknown();
    const replayedAt = Math.max(clock.now(), (occurrence.replayedAt ?? 0) + 1);
    return done({ ...occurrence, replayedAt, replayCount: occurrence.replayCount + 1 });
  });
  return written.ok ? done({ occurrence: occurrenceOf(written.value) }) : written;
}

function occurrenceUnknown(): Outcome<never> {
  return refuse('not_found', 'The outbox of the season has no such occurrence. Check its id.');
}

/** The newest entries, behind the notes of the last change. */
async function newest<V extends object>(
  store: Store,
  input: SeasonTarget,
  collection: Collection<V>,
): Promise<Outcome<{ entries: Stored<V>[]; truncated: boolean }>> {
  const found = await findSeason(store, input);
  if (!found.ok) return found;
  await keepNotes(store, input.seasonKey, found.value.value, found.value.value.notes);
  const query = { index: 'bySeason', equal: [input.seasonKey], descending: true, limit: seasonEntriesShownMax };
  const { documents, next } = await store.page(collection, query);
  return done({ entries: documents, truncated: next !== null });
}

function occurrenceOf({ id, value }: Stored<SeasonOutbox>): OutboxOccurrence {
  const { eventName, payloadSha256, payloadText, createdAt, deliveredAt, replayedAt, replayCount } = value;
  const payload = JSON.parse(payloadText) as Record<string, unknown>;
  return { occurrenceId: id, eventName, payloadSha256, payload, createdAt, deliveredAt, replayedAt, replayCount };
}
