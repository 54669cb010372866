/** Reads the audit of a season, and notes the acts of other rooms. */
import type { AuditEntry } from '@parterre/shared/protocol/catalog/seasons';
import type { CatalogInput } from '@parterre/shared/protocol/catalog-api';
import { done, type Outcome } from '@parterre/shared/protocol/errors';
import { seasonEntriesShownMax } from '../store/rules/bounds.ts';
import { seasonAudits, seasons } from '../store/season-collections.ts';
import type { Collection, Store, Stored } from '../store/store.ts';
import { findSeason, type SeasonTarget, seasonUnknown } from './season-access.ts';
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
  const found = await newestEntries(store, input, seasonAudits);
  if (!found.ok) return found;
  const { entries, truncated } = found.value;
  const audit = entries.map(({ value: { order, action, actorKind, details, at } }) => {
    return { id: order, action, actorKind, details, at };
  });
  return done({ audit, truncated });
}

/** The newest entries, behind the notes of the last change. */
export async function newestEntries<V extends object>(
  store: Store,
  input: SeasonTarget,
  collection: Collection<V>,
  limit = seasonEntriesShownMax,
): Promise<Outcome<{ entries: Stored<V>[]; truncated: boolean }>> {
  const found = await findSeason(store, input);
  if (!found.ok) return found;
  await keepNotes(store, input.seasonKey, found.value.value, found.value.value.notes);
  const query = { index: 'bySeason', equal: [input.seasonKey], descending: true, limit };
  const { documents, next } = await store.page(collection, query);
  return done({ entries: documents, truncated: next !== null });
}
