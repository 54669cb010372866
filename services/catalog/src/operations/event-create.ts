/**
 * Creating events.
 *
 * States of a create: what the event stands on is looked at → inserted under a free key → its chart and workspace are
 * looked at again → answered. The last look is the other half of charts.delete, charts.archive and the disabling of a
 * workspace: whichever of the two comes second sees the first, and an event that came second is taken back. A process that
 * dies before the look leaves an event that nobody was told of; a call that its caller has named finds it again.
 */

import type { EventDraft, EventRecord } from '@parterre/shared/catalog/events';
import type { Scope } from '@parterre/shared/catalog/scope';
import type { CatalogInput } from '@parterre/shared/catalog-api';
import { compilePlan } from '@parterre/shared/chart/compile';
import type { ChartDocument } from '@parterre/shared/chart/document';
import { done, Fault, type Outcome, refuse } from '@parterre/shared/errors';
import { eventKeyFor, idFor, randomText } from '@parterre/shared/ids';
import type { EventConfig } from '@parterre/shared/records';
import { events, organisations } from '../collections.ts';
import { findOne, type Store, type Stored } from '../outbound/store.ts';
import { slugSuffixesAtRandomMax, slugSuffixesInOrderMax } from '../rules/bounds.ts';
import { configOf, type EventGround, eventDocument } from '../rules/event-draft.ts';
import { checkTimes, withoutClaim } from '../rules/event-state.ts';
import type { ChartRecord, EventDocument } from '../rules/records.ts';
import { keyCandidate, withSuffix } from '../rules/slugs.ts';
import { isAssetOf } from './assets.ts';
import { type ChartPorts, chartInUse, findChart } from './chart-access.ts';
import { textOf } from './chart-documents.ts';
import { readRecord } from './event-access.ts';
import type { Ports } from './operations.ts';
import { organisationUnknown } from './organisations.ts';
import { creditBalance } from './projected.ts';
import { activeWorkspace, stillActive } from './workspaces.ts';

const SUFFIX_DIGITS = 6;

export async function createEvent(
  ports: Ports,
  { scope, draft, callId }: CatalogInput<'events.create'>,
): Promise<Outcome<{ event: EventRecord; config: EventConfig }>> {
  const { store, clock, announce } = ports;
  const ground = await groundOf(store, scope, draft, { id: idFor('evt', callId), now: clock.now() });
  if (!ground.ok) return ground;
  const inserted = await insertEvent(store, draft, ground.value, callId);
  if (!inserted.ok) return inserted;
  const { document, isNew } = inserted.value;
  const stands = isNew ? await lookAgain(ports, document) : done(true);
  if (!stands.ok) {
    await store.delete(events, document.id, document.version);
    return stands;
  }
  announce({ kind: 'event', eventKey: document.id });
  const event = await readRecord(store, document);
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
  const chart = publishedOf(found.value.value);
  if (!chart.ok) return chart;
  const workspace = await activeWorkspace(store, scope, chart.value.workspaceId);
  if (!workspace.ok) return workspace;
  const fits = await draftFits(store, organisationId, draft, chart.value.published.hash);
  if (!fits.ok) return fits;
  if (mode === 'live' && (await creditBalance(store, organisation)) <= 0) {
    return refuse('insufficient_credits', 'A live event needs a positive balance of credits.');
  }
  return done({
    ...made,
    organisationId,
    mode,
    ownership: scope.role === null ? 'platform' : (draft.ownership ?? 'managed'),
    chart: chart.value,
    organisationCurrency: organisation.value.currency,
    workspaceRegion: workspace.value.value.defaultRegion,
  });
}

function publishedOf(chart: ChartRecord): Outcome<EventGround['chart']> {
  const { published, archived } = chart;
  if (published && !archived) return done({ ...chart, published });
  return refuse(
    'chart_not_published',
    archived ? 'The chart is archived.' : 'An event needs a published chart.',
    archived ? { reason: 'chart_archived' } : {},
  );
}

async function draftFits(
  store: Store,
  organisationId: string,
  draft: EventDraft,
  planHash: string,
): Promise<Outcome<true>> {
  const times = checkTimes(draft);
  if (!times.ok) return times;
  const { posterAssetId, sectionStates } = draft;
  if (posterAssetId == null || (await isAssetOf(store, organisationId, posterAssetId))) {
    return sectionsAreKnown(store, planHash, Object.keys(sectionStates ?? {}));
  }
  return refuse('invalid_request', 'The poster is not known.', {
    details: { issues: [{ path: 'posterAssetId', message: 'There is no such asset.' }] },
  });
}

async function sectionsAreKnown(store: Store, planHash: string, ids: readonly string[]): Promise<Outcome<true>> {
  if (ids.length === 0) return done(true);
  const bytes = await store.getBlob(planHash);
  if (!bytes) throw new Fault(`read the published chart ${planHash}`);
  const { scopeIds } = compilePlan(JSON.parse(await textOf(bytes)) as ChartDocument, planHash);
  const issues = ids
    .filter((id) => !scopeIds.has(id))
    .map((id) => ({ path: `sectionStates.${id}`, message: 'There is no such section or zone on the chart.' }));
  if (issues.length === 0) return done(true);
  return refuse('invalid_request', 'sectionStates names what the chart has not.', { details: { issues } });
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
): Promise<Outcome<{ document: Stored<EventDocument>; isNew: boolean }>> {
  const { slug } = draft;
  const attempts = slugSuffixesInOrderMax + slugSuffixesAtRandomMax;
  for (let attempt = 0; attempt < attempts; attempt++) {
    const key = slug === undefined ? eventKeyFor(callId && `${callId} ${attempt}`) : candidate(slug, attempt);
    const value = eventDocument(draft, ground, key);
    if ((await store.insert(events, key, value)) === 'inserted') {
      return done({ document: { id: key, version: 1, value }, isNew: true });
    }
    const standing = await findOne(store, events, 'bySlug', [value.workspaceId, value.slugClaim]);
    // The call was made before: this is what it made.
    if (standing?.value.id === ground.id) return done({ document: standing, isNew: false });
    if (standing && slug !== undefined && !(await letGo(store, standing))) {
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

/** Whether an event that has a slug is a deleted one, which then has it no longer. */
async function letGo(store: Store, standing: Stored<EventDocument>): Promise<boolean> {
  if ((await readRecord(store, standing)).status !== 'deleted') return false;
  await store.replace(events, standing.id, standing.version, withoutClaim(standing.id, standing.value));
  return true;
}

async function lookAgain(ports: ChartPorts, { value }: Stored<EventDocument>): Promise<Outcome<true>> {
  const chart = await chartInUse(ports, value.chartId);
  if (!chart.ok) return chart;
  const published = publishedOf(chart.value.value);
  return published.ok ? stillActive(ports.store, value.organisationId, value.workspaceId) : published;
}
