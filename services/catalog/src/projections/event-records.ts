/**
 * The record of an event as callers see it: the event's document, joined with the projection of its journal. The
 * actor decides status, sales, plan and hold window. These facts come from the projection or from the actor's last
 * answer, whichever is later.
 */
import type { EventRecord, SettledFacts } from '@parterre/shared/protocol/catalog/events';
import { isInWorkspace } from '@parterre/shared/protocol/catalog/owner-scope';
import type { Scope } from '@parterre/shared/protocol/catalog/scope';
import { events } from '../store/collections.ts';
import type { EventDocument, EventProjection } from '../store/rules/records.ts';
import type { Store, Stored } from '../store/store.ts';
import { eventProjections } from './projected.ts';

/** The event's record from its document and the projection of its journal. */
export async function readRecord(store: Store, document: Stored<EventDocument>): Promise<EventRecord> {
  return recordOf(document, (await eventProjections(store, [document.id])).get(document.id));
}

export async function readRecords(store: Store, documents: Stored<EventDocument>[]): Promise<EventRecord[]> {
  const known = await eventProjections(
    store,
    documents.map(({ id }) => id),
  );
  return documents.map((document) => recordOf(document, known.get(document.id)));
}

/** The events of these keys, by key, deleted ones too. */
export async function eventsByKey(store: Store, keys: readonly string[]): Promise<Map<string, EventRecord>> {
  const records = await readRecords(store, await store.getMany(events, [...new Set(keys)]));
  return new Map(records.map((event) => [event.key, event]));
}

/** As `eventsByKey`: the events in the scope's organisation and workspace, in any mode, deleted ones left out. */
export async function livingEvents(
  store: Store,
  scope: Pick<Scope, 'organisationId' | 'workspaceId'>,
  keys: readonly string[],
): Promise<Map<string, EventRecord>> {
  const known = await eventsByKey(store, keys);
  return new Map([...known].filter(([, event]) => event.status !== 'deleted' && isInWorkspace(event, scope)));
}

function recordOf(
  { id: key, value }: { id: string; value: EventDocument },
  projection: EventProjection | undefined,
): EventRecord {
  const {
    slugClaim: _,
    gone: __,
    locks: ___,
    amended: ____,
    untold: _____,
    hasUntold: ______,
    isComing: _______,
    comingChartId: ________,
    comingAt: _________,
    ahead,
    ...event
  } = value;
  return {
    ...event,
    key,
    environment: event.environment ?? null,
    sold: projection?.sold ?? 0,
    status: projection?.status ?? event.status,
    salesPaused: projection?.salesPaused ?? event.salesPaused,
    currency: projection?.currency ?? event.currency,
    // Null is a fact too: the rules or bounds were removed.
    selectionRules: (projection?.selectionRules === undefined ? event : projection).selectionRules ?? null,
    publicSale: (projection?.publicSale === undefined ? event : projection).publicSale ?? null,
    holdTtlMs: projection?.holdTtlMs ?? event.holdTtlMs,
    chartId: projection?.chartId ?? event.chartId,
    planHash: projection?.planHash ?? event.planHash,
    chartVersion: projection?.chartVersion ?? event.chartVersion,
    seatTotal: projection?.seatTotal ?? event.seatTotal,
    ...factsAfter(projection?.at ?? 0, ahead),
  };
}

/**
 * Facts that the projection does not have yet. Each fact has a time of its own, so an overtaken fact never replaces a
 * later one.
 */
function factsAfter(at: number, ahead: EventDocument['ahead']): SettledFacts {
  const later = Object.entries(ahead ?? {}).filter(([, settled]) => settled.at > at);
  return Object.fromEntries(later.map(([name, { fact }]) => [name, fact]));
}
