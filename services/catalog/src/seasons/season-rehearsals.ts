/**
 * A rehearsal shows that a shop sells a season and hears of its sales: a hold, its booking and its cancellation, and
 * one subscription that has received the occurrences of all three. The outbox has the proof. Sales need no rehearsal.
 *
 * Failure at each await: the store fails, so the operation fails; a repetition finds the same proof.
 */
import type { Rehearsal } from '@parterre/shared/protocol/catalog/season-outbox';
import type { CatalogInput, CatalogOutput } from '@parterre/shared/protocol/catalog-api';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { outboxScannedMax, seasonEntriesShownMax } from '../store/rules/bounds.ts';
import type { Position } from '../store/rules/paging.ts';
import type { SeasonOutbox } from '../store/rules/season-records.ts';
import { seasonAttempts, seasonOutbox } from '../store/season-collections.ts';
import type { Store, Stored } from '../store/store.ts';
import { actorKindOf, noted } from './rules/season-state.ts';
import { changeSeason, findSeason, type SeasonPorts, seasonOf } from './season-access.ts';

export async function rehearse(
  ports: SeasonPorts,
  { scope, seasonKey }: CatalogInput<'seasons.rehearse'>,
): Promise<Outcome<CatalogOutput<'seasons.rehearse'>>> {
  const { store, clock } = ports;
  const season = await findSeason(store, { scope, seasonKey });
  if (!season.ok) return season;
  const rehearsal = await findRehearsal(store, seasonKey);
  if (!rehearsal.ok) return rehearsal;
  const callId = `rehearsed ${rehearsal.value.cancelActionId}`;
  const written = await changeSeason(ports, { scope, seasonKey }, callId, (found) => {
    const at = clock.now();
    const note = { callId, action: 'season.rehearsed', actorKind: actorKindOf(scope), details: rehearsal.value, at };
    return done(noted(found, { rehearsedAt: at }, [note], at));
  });
  return written.ok ? done({ ...seasonOf(written.value), rehearsal: rehearsal.value }) : written;
}

const steps = ['season.hold.committed', 'season.booking.booked', 'season.booking.cancelled'];

/** The delivered occurrences of one sale, in the order of `steps`. */
type Sale = Stored<SeasonOutbox>[];

/** The newest sale with all steps that one subscription has received. */
async function findRehearsal(store: Store, seasonKey: string): Promise<Outcome<Rehearsal>> {
  const sales = new Map<string, Sale>();
  let furthest = 0;
  let after: Position | null | undefined;
  for (let scanned = 0; scanned < outboxScannedMax && after !== null; scanned += seasonEntriesShownMax) {
    const query = { index: 'byDelivered', equal: [seasonKey, true], descending: true, limit: seasonEntriesShownMax };
    const { documents, next } = await store.page(seasonOutbox, { ...query, after });
    after = next;
    for (const occurrence of documents) {
      const step = steps.indexOf(occurrence.value.eventName);
      if (step < 0) continue;
      const { operationId } = dataOf(occurrence);
      const sale = sales.get(operationId!) ?? [];
      sales.set(operationId!, sale);
      sale[step] = occurrence;
      const known = steps.filter((_, at) => sale[at]);
      furthest = Math.max(furthest, known.length);
      const rehearsal = known.length === steps.length ? await rehearsalOf(store, sale) : null;
      if (rehearsal) return done(rehearsal);
    }
  }
  return incomplete(furthest);
}

/** Null where no subscription has received all occurrences of the sale. */
async function rehearsalOf(store: Store, sale: Sale): Promise<Rehearsal | null> {
  const receivers = await Promise.all(sale.map(({ id }) => receiversOf(store, id)));
  const subscriptionId = receivers[0]!.find((subId) => receivers.every((each) => each.includes(subId)));
  if (subscriptionId === undefined) return null;
  const { operationId, bookActionId, cancelActionId } = dataOf(sale[2]!);
  return {
    holdOperationId: operationId!,
    bookActionId: bookActionId!,
    cancelActionId: cancelActionId!,
    subscriptionId,
    occurrenceIds: sale.map(({ id }) => id),
    payloadSha256: sale.map(({ value }) => value.payloadSha256),
  };
}

async function receiversOf(store: Store, occurrenceId: string): Promise<string[]> {
  const query = { index: 'byOccurrence', equal: [occurrenceId, true], limit: seasonEntriesShownMax };
  return (await store.page(seasonAttempts, query)).documents.map(({ value }) => value.subId);
}

function dataOf({ value }: Stored<SeasonOutbox>): Record<string, string | undefined> {
  return (JSON.parse(value.payloadText) as { data: Record<string, string> }).data;
}

function incomplete(furthest: number): Outcome<never> {
  const why =
    furthest === 0
      ? 'No receiver has accepted a webhook of a sale of this season.'
      : `The furthest sale has ${furthest} of these three, or no receiver has accepted all of them.`;
  return refuse(
    'rehearsal_incomplete',
    `A rehearsal needs a hold, its booking and its cancellation, whose webhooks one receiver has accepted. ${why}`,
  );
}
