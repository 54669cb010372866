/**
 * The outbox of a season: occurrences as callers read them, and their way to the notifiers. The outbox is the queue of
 * first attempts. The notifiers have queues of their own for everything that comes after.
 *
 * States of an occurrence: due → taken by a notifier, and due again after `outboxLeaseMs` → settled: each of its
 * deliveries was attempted or is queued. A replay makes it due again.
 *
 * Failure at each await: the store fails, so the operation fails, and the occurrence stays as it is; the answer to a
 * notifier is lost, or the notifier dies → its occurrences are due again after the lease; a slow notifier settles after
 * another has taken it → the receiver may hear of it twice, under one id; a notifier settles an occurrence that was
 * replayed meanwhile → the replay stays due; the process that changed a season dies before the outbox has the notes →
 * `untold` finds the season.
 */
import type { DueOccurrence, OutboxOccurrence } from '@parterre/shared/protocol/catalog/season-outbox';
import type { CatalogInput, CatalogOutput } from '@parterre/shared/protocol/catalog-api';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { change } from '../store/operations.ts';
import { outboxLeaseMs, outboxTakenBytesMax, outboxTakenMax, untoldMs } from '../store/rules/bounds.ts';
import type { SeasonOutbox } from '../store/rules/season-records.ts';
import { seasonAttempts, seasonOutbox, seasons } from '../store/season-collections.ts';
import { type Store, type Stored, stands, type Write } from '../store/store.ts';
import { findSeason, type SeasonPorts, type SeasonTarget } from './season-access.ts';
import { newestEntries } from './season-logs.ts';
import { keepNotes } from './season-notes.ts';

type OutboxPorts = Pick<SeasonPorts, 'store' | 'clock'>;

export async function readOutbox(store: Store, input: SeasonTarget): Promise<Outcome<CatalogOutput<'seasons.outbox'>>> {
  const found = await newestEntries(store, input, seasonOutbox);
  if (!found.ok) return found;
  const { entries, truncated } = found.value;
  const undelivered = await countDelivered(store, input.seasonKey, false);
  return done({ outbox: entries.map(occurrenceOf), undelivered, truncated });
}

export async function countOutbox(
  store: Store,
  input: SeasonTarget,
): Promise<Outcome<CatalogOutput<'seasons.outbox-numbers'>>> {
  const { seasonKey } = input;
  const found = await newestEntries(store, input, seasonOutbox, 1);
  if (!found.ok) return found;
  const countAttempts = (delivered: boolean) =>
    store.count(seasonAttempts, { index: 'bySeason', equal: [seasonKey, delivered], above: 0 });
  const [undelivered, delivered, failedAttempts, successfulAttempts] = await Promise.all([
    countDelivered(store, seasonKey, false),
    countDelivered(store, seasonKey, true),
    countAttempts(false),
    countAttempts(true),
  ]);
  const attempts = failedAttempts + successfulAttempts;
  const lastEventName = found.value.entries[0]?.value.eventName ?? null;
  return done({ undelivered, delivered, lastEventName, attempts, successfulAttempts, failedAttempts });
}

function countDelivered(store: Store, seasonKey: string, delivered: boolean): Promise<number> {
  return store.count(seasonOutbox, { index: 'byDelivered', equal: [seasonKey, delivered], above: 0 });
}

/** Posts the occurrence once more under its own id, to every subscription that hears of it now. */
export async function replayOccurrence(
  { store, clock }: OutboxPorts,
  { scope, seasonKey, occurrenceId }: CatalogInput<'seasons.replay'>,
): Promise<Outcome<{ occurrence: OutboxOccurrence }>> {
  const season = await findSeason(store, { scope, seasonKey });
  if (!season.ok) return season;
  await keepNotes(store, seasonKey, season.value.value, season.value.value.notes);
  const written = await change(store, seasonOutbox, occurrenceId, occurrenceUnknown, (occurrence) => {
    if (occurrence.seasonKey !== seasonKey) return occurrenceUnknown();
    const replayedAt = Math.max(clock.now(), (occurrence.replayedAt ?? 0) + 1);
    const replayCount = occurrence.replayCount + 1;
    return done({ ...occurrence, replayedAt, replayCount, due: true, dueAt: replayedAt });
  });
  return written.ok ? done({ occurrence: occurrenceOf(written.value) }) : written;
}

function occurrenceUnknown(): Outcome<never> {
  return refuse('not_found', 'The outbox of the season has no such occurrence. Check its id.');
}

export async function takeDue({ store, clock }: OutboxPorts): Promise<Outcome<{ due: DueOccurrence[] }>> {
  const now = clock.now();
  await tellUntold(store, now);
  const query = { index: 'byDue', equal: [true], limit: outboxTakenMax };
  const { documents } = await store.page(seasonOutbox, query);
  const taken: Stored<SeasonOutbox>[] = [];
  let bytes = 0;
  for (const document of documents) {
    bytes += Buffer.byteLength(document.value.payloadText);
    if (document.value.dueAt > now || (taken.length > 0 && bytes > outboxTakenBytesMax)) break;
    taken.push(document);
  }
  if (taken.length === 0) return done({ due: [] });
  const writes = taken.map(({ id, version, value }): Write<SeasonOutbox> => {
    return { collection: seasonOutbox, id, version, value: { ...value, dueAt: now + outboxLeaseMs } };
  });
  // Another notifier that took one of them first has it.
  const written = await store.writeMany(writes);
  return done({ due: taken.filter((_, at) => stands(written[at]!)).map(dueOf) });
}

/** Notes that stand in their seasons alone, because the process of their change has died. */
async function tellUntold(store: Store, now: number): Promise<void> {
  const query = { index: 'byUntold', equal: [true], limit: outboxTakenMax };
  const { documents } = await store.page(seasons, query);
  for (const { id, version, value } of documents) {
    if (value.updatedAt > now - untoldMs) continue;
    await keepNotes(store, id, value, value.notes);
    // A season that has changed meanwhile is found again.
    await store.replace(seasons, id, version, { ...value, untold: null });
  }
}

function dueOf({ id, value }: Stored<SeasonOutbox>): DueOccurrence {
  const { season, organisationId, mode, eventName, createdAt, replayedAt, replayCount, payloadText: body } = value;
  const at = replayedAt ?? createdAt;
  return { occurrenceId: id, season, organisationId, mode, eventName, at, replayCount, body };
}

export async function settleDue(
  store: Store,
  { occurrenceId, replayCount }: CatalogInput<'seasons.settle-due'>,
): Promise<Outcome<{ ok: true }>> {
  const written = await change(store, seasonOutbox, occurrenceId, occurrenceUnknown, (occurrence) =>
    done(occurrence.replayCount > replayCount ? occurrence : { ...occurrence, due: null }),
  );
  return written.ok ? done({ ok: true }) : written;
}

function occurrenceOf({ id, value }: Stored<SeasonOutbox>): OutboxOccurrence {
  const { eventName, payloadSha256, payloadText, createdAt, deliveredAt, replayedAt, replayCount } = value;
  const payload = JSON.parse(payloadText) as Record<string, unknown>;
  return { occurrenceId: id, eventName, payloadSha256, payload, createdAt, deliveredAt, replayedAt, replayCount };
}
