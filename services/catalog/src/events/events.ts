/**
 * Events in the catalog: created, found by key, listed, changed. The event's actor decides sales. The catalog reads
 * them from the projection of its journal.
 */
import type { EventRecord } from '@parterre/shared/protocol/catalog/events';
import type { CatalogInput } from '@parterre/shared/protocol/catalog-api';
import { done } from '@parterre/shared/protocol/errors';
import { readRecord, readRecords } from '../projections/event-records.ts';
import { events, listIndex, modeIndex, organisations } from '../store/collections.ts';
import type { OperationTable, Ports } from '../store/operations.ts';
import { clampLimit, decodeCursor, encodeCursor, type Position } from '../store/rules/paging.ts';
import type { Indexed, Store } from '../store/store.ts';
import { eventUnknown, findEvent, inspectionOf } from './event-access.ts';
import { setPoster, settleEvent, updateEvent } from './event-changes.ts';
import { aimChart } from './event-charts.ts';
import { readConfiguration, setConfiguration } from './event-configuration.ts';
import { createEvent } from './event-create.ts';
import { configOf } from './rules/event-draft.ts';

type EventOperation =
  | 'events.create'
  | 'events.list'
  | 'events.get'
  | 'events.inspect'
  | 'events.update'
  | 'events.settle'
  | 'events.aim-chart'
  | 'events.set-poster'
  | 'events.configuration'
  | 'events.set-configuration';

export function createEventOperations(ports: Ports): OperationTable<EventOperation> {
  const { store } = ports;
  return {
    'events.create': (input) => createEvent(ports, input),
    'events.update': (input) => updateEvent(ports, input),
    'events.settle': (input) => settleEvent(ports, input),
    'events.aim-chart': (input) => aimChart(ports, input),
    'events.set-poster': (input) => setPoster(ports, input),
    'events.configuration': (input) => readConfiguration(ports, input),
    'events.set-configuration': (input) => setConfiguration(ports, input),

    async 'events.list'(input) {
      const range = rangeOf(input);
      if (!range) return done({ events: [] });
      const { page } = input;
      const found = await listEvents(store, range, clampLimit(page.limit), decodeCursor(page.cursor));
      return done({ events: found.events, ...(found.next && { nextCursor: encodeCursor(found.next) }) });
    },

    async 'events.get'({ eventKey }) {
      const event = await store.get(events, eventKey);
      if (!event) return eventUnknown();
      const [record, organisation] = await Promise.all([
        readRecord(store, event),
        store.get(organisations, event.value.organisationId),
      ]);
      const organisationSale = organisation?.value.publicSale;
      return done({ event: record, config: configOf(record), ...(organisationSale && { organisationSale }) });
    },

    async 'events.inspect'({ scope, eventKey }) {
      const found = await findEvent(store, scope, eventKey);
      return found.ok ? done(await inspectionOf(store, found.value)) : found;
    },
  };
}

type Range = { index: string; equal: Indexed[] };

/** The index range of a list; null for the list of a workspace outside the scope. */
function rangeOf({ scope, workspaceId, externalRef }: CatalogInput<'events.list'>): Range | null {
  const { organisationId, mode } = scope;
  const within = workspaceId ?? scope.workspaceId ?? undefined;
  if (scope.workspaceId !== null && within !== scope.workspaceId) return null;
  const index = listIndex(within, externalRef);
  const equal = [organisationId, null, mode ?? undefined, within, externalRef].filter((value) => value !== undefined);
  return { index: mode === null ? index : modeIndex[index], equal };
}

/** Leaves out events whose deletion has reached only the journal yet, and reads on until the page is full. */
async function listEvents(
  store: Store,
  from: Range,
  limit: number,
  start: Position | undefined,
): Promise<{ events: EventRecord[]; next: Position | null }> {
  const records: EventRecord[] = [];
  let after = start;
  while (true) {
    const page = await store.page(events, { ...from, limit: limit - records.length, after, descending: true });
    records.push(...(await readRecords(store, page.documents)).filter(({ status }) => status !== 'deleted'));
    if (!page.next || records.length === limit) return { events: records, next: page.next };
    after = page.next;
  }
}
