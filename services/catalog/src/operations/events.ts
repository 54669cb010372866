/**
 * Events as the catalog knows them: created, found by key, listed. What sells, and to whom, is the event's actor's;
 * `sold`, `status` and `holdTtlMs` are read from the projection of its journal.
 */
import type { EventDraft, EventRecord } from '@parterre/shared/catalog/events';
import type { Scope } from '@parterre/shared/catalog/scope';
import { done, Fault, type Outcome, refuse } from '@parterre/shared/errors';
import { eventKeyFor, idFor, randomText } from '@parterre/shared/ids';
import type { EventConfig } from '@parterre/shared/records';
import { charts, events, listIndex, organisations } from '../collections.ts';
import { findOne, type Store, type Stored } from '../outbound/store.ts';
import { slugSuffixesAtRandomMax, slugSuffixesInOrderMax } from '../rules/bounds.ts';
import { configOf, draftIssues, type EventGround, eventDocument } from '../rules/event-draft.ts';
import { clampLimit, decodeCursor, encodeCursor, type Position } from '../rules/paging.ts';
import type { EventDocument, EventProjection } from '../rules/records.ts';
import { keyCandidate, withSuffix } from '../rules/slugs.ts';
import { chartUnknown, findChart } from './chart-access.ts';
import type { OperationTable, Ports } from './operations.ts';
import { organisationUnknown } from './organisations.ts';
import { creditBalance, eventProjections } from './projected.ts';
import { activeWorkspace } from './workspaces.ts';

type EventOperation = 'events.create' | 'events.list' | 'events.get';
type Created = { event: EventRecord; config: EventConfig };

const SUFFIX_DIGITS = 6;

export function createEventOperations(ports: Ports): OperationTable<EventOperation> {
  const { store } = ports;
  return {
    'events.create': ({ scope, draft, callId }) => createEvent(ports, scope, draft, callId),

    async 'events.list'({ scope, page, externalRef, workspaceId }) {
      const index = listIndex(workspaceId, externalRef);
      const equal = [scope.organisationId, scope.mode ?? 'live', workspaceId, externalRef].filter(
        (value) => value !== undefined,
      );
      const found = await listEvents(store, { index, equal }, clampLimit(page.limit), decodeCursor(page.cursor));
      return done({ events: found.events, ...(found.next && { nextCursor: encodeCursor(found.next) }) });
    },

    async 'events.get'({ eventKey }) {
      const event = await store.get(events, eventKey);
      if (!event) return refuse('not_found', 'There is no such event.');
      const record = recordOf(event, (await eventProjections(store, [eventKey])).get(eventKey));
      return done({ event: record, config: configOf(record) });
    },
  };
}

async function createEvent(
  { store, clock, announce }: Ports,
  scope: Scope,
  draft: EventDraft,
  callId: string | undefined,
): Promise<Outcome<Created>> {
  const ground = await groundOf(store, scope, draft, { id: idFor('evt', callId), now: clock.now() });
  if (!ground.ok) return ground;
  const issues = draftIssues(draft);
  if (issues.length > 0) return refuse('invalid_request', 'The event cannot be as asked for.', { details: { issues } });
  const inserted = await insertEvent(store, draft, ground.value, callId);
  if (!inserted.ok) return inserted;
  const { id: key, version } = inserted.value;
  // The other half of charts.delete: whichever of the two comes second sees the first.
  const chart = await store.get(charts, draft.chartId);
  if (!chart || chart.value.deleting) {
    await store.delete(events, key, version);
    return chartUnknown();
  }
  announce({ kind: 'event', eventKey: key });
  const event = recordOf(inserted.value, undefined);
  return done({ event, config: configOf(event) });
}

/** All that a new event stands on, or why it cannot be. */
async function groundOf(
  store: Store,
  scope: Scope,
  draft: EventDraft,
  made: Pick<EventGround, 'id' | 'now'>,
): Promise<Outcome<EventGround>> {
  const { organisationId } = scope;
  const mode = scope.mode ?? draft.mode ?? 'live';
  const organisation = await store.get(organisations, organisationId);
  if (!organisation) return organisationUnknown();
  const found = await findChart(store, scope, draft.chartId);
  if (!found.ok) return found;
  const chart = found.value.value;
  const { published } = chart;
  if (!published || chart.archived) {
    return refuse(
      'chart_not_published',
      'An event needs a published chart.',
      chart.archived ? { reason: 'chart_archived' } : {},
    );
  }
  const workspace = await activeWorkspace(store, scope, chart.workspaceId);
  if (!workspace.ok) return workspace;
  const { currency } = organisation.value;
  if (mode === 'live' && (await creditBalance(store, organisation)) <= 0) {
    return refuse('insufficient_credits', 'A live event needs a positive balance of credits.');
  }
  return done({
    ...made,
    organisationId,
    mode,
    chart: { ...chart, published },
    organisationCurrency: currency,
    workspaceRegion: workspace.value.value.defaultRegion,
  });
}

/**
 * Inserts the event under the first free key. Both the key and (workspace, slug) are unique in the store, so two
 * catalogs that create at once get two keys, or one of them hears that the workspace has the slug already.
 */
async function insertEvent(
  store: Store,
  draft: EventDraft,
  ground: EventGround,
  callId: string | undefined,
): Promise<Outcome<Stored<EventDocument>>> {
  const { slug } = draft;
  const attempts = slugSuffixesInOrderMax + slugSuffixesAtRandomMax;
  for (let attempt = 0; attempt < attempts; attempt++) {
    const key = slug === undefined ? eventKeyFor(callId && `${callId} ${attempt}`) : candidate(slug, attempt);
    const value = eventDocument(draft, ground, key);
    if ((await store.insert(events, key, value)) === 'inserted') return done({ id: key, version: 1, value });
    const standing = await findOne(store, events, 'bySlug', [value.workspaceId, value.slugClaim]);
    // The call was made before: this is what it made.
    if (standing?.value.id === ground.id) return done(standing);
    if (standing && slug !== undefined) {
      return refuse('event_exists', 'The workspace already has an event with this slug.');
    }
  }
  throw new Fault(`find a free key for slug ${slug} in ${attempts} tries`);
}

function candidate(slug: string, attempt: number): string {
  return attempt < slugSuffixesInOrderMax
    ? keyCandidate(slug, attempt)
    : withSuffix(slug, `-${randomText(SUFFIX_DIGITS, 10)}`);
}

/** A page of records without the deleted ones, which the index still holds: it is refilled until it is full. */
async function listEvents(
  store: Store,
  from: { index: string; equal: string[] },
  limit: number,
  start: Position | undefined,
): Promise<{ events: EventRecord[]; next: Position | null }> {
  const records: EventRecord[] = [];
  let after = start;
  while (true) {
    const page = await store.page(events, { ...from, limit: limit - records.length, after, descending: true });
    records.push(...(await recordsOf(store, page.documents)).filter(({ status }) => status !== 'deleted'));
    if (!page.next || records.length === limit) return { events: records, next: page.next };
    after = page.next;
  }
}

async function recordsOf(store: Store, documents: Stored<EventDocument>[]): Promise<EventRecord[]> {
  const ids = documents.map(({ id }) => id);
  const known = await eventProjections(store, ids);
  return documents.map((document) => recordOf(document, known.get(document.id)));
}

function recordOf({ id: key, value }: Stored<EventDocument>, projection: EventProjection | undefined): EventRecord {
  const { slugClaim: _, ...event } = value;
  return {
    ...event,
    key,
    sold: projection?.sold ?? 0,
    status: projection?.status ?? event.status,
    salesPaused: projection?.salesPaused ?? event.salesPaused,
    holdTtlMs: projection?.holdTtlMs ?? event.holdTtlMs,
    planHash: projection?.planHash ?? event.planHash,
    chartVersion: projection?.chartVersion ?? event.chartVersion,
    seatTotal: projection?.seatTotal ?? event.seatTotal,
  };
}
