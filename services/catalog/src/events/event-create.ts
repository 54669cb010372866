/**
 * Creates events.
 *
 * States of a create: the event's ground is checked (chart, workspace, credits, poster) → inserted under a free key →
 * its chart and workspace are checked again → answered. The last check is the counterpart of charts.delete,
 * charts.archive and the disabling of a workspace: either the check sees their change and takes the event back, or they
 * see the event. A process that dies before the check leaves an event that no caller knows. A repeated named call finds
 * it again.
 */

import { scopeIdsOf } from '@parterre/shared/charts/compile';
import { type SelectionRules, selectionRuleIssues } from '@parterre/shared/charts/selection-rules';
import type { EventDraft, EventRecord } from '@parterre/shared/protocol/catalog/events';
import type { Scope } from '@parterre/shared/protocol/catalog/scope';
import type { CatalogInput } from '@parterre/shared/protocol/catalog-api';
import { done, Fault, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { eventKeyFor, idFor, randomText } from '@parterre/shared/protocol/ids';
import type { PriceUnit } from '@parterre/shared/protocol/money';
import type { EventConfig } from '@parterre/shared/protocol/records';
import { type ChartPorts, chartInUse, findChart } from '../charts/chart-access.ts';
import { readDocument } from '../charts/chart-documents.ts';
import { readRecord } from '../projections/event-records.ts';
import { creditBalance } from '../projections/projected.ts';
import { events, organisations } from '../store/collections.ts';
import type { Ports } from '../store/operations.ts';
import { madeOnce } from '../store/repeats.ts';
import { slugSuffixesAtRandomMax, slugSuffixesInOrderMax } from '../store/rules/bounds.ts';
import type { ChartRecord, EventDocument } from '../store/rules/records.ts';
import { findOne, type Store, type Stored } from '../store/store.ts';
import { activeWorkspace, organisationUnknown, stillActive } from '../tenants/tenants.ts';
import { isAssetOf, protectAsset } from './assets.ts';
import { configOf, type EventGround, eventDocument } from './rules/event-draft.ts';
import { checkTimes, withoutClaim } from './rules/event-state.ts';
import { keyCandidate, withSuffix } from './rules/slugs.ts';

const SUFFIX_DIGITS = 6;
const keyAttemptsMax = slugSuffixesInOrderMax + slugSuffixesAtRandomMax;

export async function createEvent(
  ports: Ports,
  { scope, draft, callId }: CatalogInput<'events.create'>,
): Promise<Outcome<{ event: EventRecord; config: EventConfig }>> {
  const { store, clock, announce } = ports;
  const made = { id: idFor('evt', callId), now: clock.now() };
  const document = await madeOnce({
    scope,
    callId,
    find: () => findMade(store, scope, draft, made.id, callId!),
    async make() {
      const ground = await groundOf(store, scope, draft, made);
      return ground.ok ? makeEvent(ports, draft, ground.value, callId) : ground;
    },
  });
  if (!document.ok) return document;
  announce({ kind: 'event', eventKey: document.value.id });
  const event = await readRecord(store, document.value);
  return done({ event, config: configOf(event) });
}

/**
 * The event that an earlier run of the call has made: under a key that follows from the call, or under the slug in its
 * chart's workspace.
 */
async function findMade(
  store: Store,
  scope: Scope,
  { slug, chartId }: EventDraft,
  id: string,
  callId: string,
): Promise<Stored<EventDocument> | null> {
  if (slug !== undefined) {
    const chart = await findChart(store, scope, chartId);
    const standing = chart.ok ? await findOne(store, events, 'bySlug', [chart.value.value.workspaceId, slug]) : null;
    return standing?.value.id === id ? standing : null;
  }
  for (let attempt = 0; attempt < keyAttemptsMax; attempt++) {
    const standing = await store.get(events, keyOfCall(callId, attempt));
    if (!standing) return null;
    if (standing.value.id === id && !standing.value.gone) return standing;
  }
  return null;
}

async function makeEvent(
  ports: Ports,
  draft: EventDraft,
  ground: EventGround,
  callId: string | undefined,
): Promise<Outcome<Stored<EventDocument> | 'taken'>> {
  const inserted = await insertEvent(ports.store, draft, ground, callId);
  if (!inserted.ok || inserted.value === 'taken') return inserted;
  const stands = await lookAgain(ports, inserted.value);
  if (stands.ok) return inserted;
  await ports.store.delete(events, inserted.value.id, inserted.value.version);
  return stands;
}

/** The ground of a new event, or the reason why it cannot be made. */
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
  const unit = checkUnit(draft, chart.value.published);
  if (!unit.ok) return unit;
  const fits = await draftFits(store, organisationId, draft, chart.value.published.hash);
  if (!fits.ok) return fits;
  if (mode === 'live' && (await creditBalance(store, organisation)) <= 0) {
    return refuse(
      'insufficient_credits',
      'A live event needs a positive balance of credits. Ask the operator for credits.',
    );
  }
  return done({
    ...made,
    organisationId,
    mode,
    environment: scope.environment,
    ownership: scope.role === null ? 'platform' : (draft.ownership ?? 'managed'),
    chart: chart.value,
    organisationCurrency: organisation.value.currency,
    workspaceRegion: workspace.value.value.defaultRegion,
  });
}

export function publishedOf(chart: ChartRecord): Outcome<EventGround['chart']> {
  const { published, archived } = chart;
  if (published && !archived) return done({ ...chart, published });
  return refuse(
    'chart_not_published',
    archived
      ? 'The chart is archived. Unarchive it first.'
      : 'An event needs a published chart. Publish the chart first.',
    archived ? { reason: 'chart_archived' } : {},
  );
}

/** The event has the unit of its chart. A chart that names none leaves the choice to the event. */
function checkUnit({ priceUnit }: EventDraft, { priceUnit: ofChart }: { priceUnit?: PriceUnit }): Outcome<true> {
  if (priceUnit === undefined || ofChart === undefined || priceUnit === ofChart) return done(true);
  return refuse('invalid_request', `The prices of the chart are in ${ofChart} units. Leave out priceUnit.`, {
    details: { issues: [{ path: 'priceUnit', message: `Must be "${ofChart}", as the chart has it.` }] },
  });
}

async function draftFits(
  store: Store,
  organisationId: string,
  draft: EventDraft,
  planHash: string,
): Promise<Outcome<true>> {
  const times = checkTimes(draft);
  if (!times.ok) return times;
  const { posterAssetId, sectionStates, selectionRules } = draft;
  if (posterAssetId == null || (await isAssetOf(store, organisationId, posterAssetId))) {
    return fitsChart(store, planHash, Object.keys(sectionStates ?? {}), selectionRules ?? {});
  }
  return posterUnknown();
}

function posterUnknown(): Outcome<never> {
  return refuse(
    'invalid_request',
    'The poster is unknown. Leave out posterAssetId, and send the picture to the poster of the event.',
    {
      details: { issues: [{ path: 'posterAssetId', message: 'There is no such asset.' }] },
    },
  );
}

async function fitsChart(
  store: Store,
  planHash: string,
  sections: readonly string[],
  rules: SelectionRules,
): Promise<Outcome<true>> {
  if (sections.length === 0 && Object.keys(rules).length === 0) return done(true);
  const bytes = await store.getBlob(planHash);
  if (!bytes) throw new Fault(`read the published chart ${planHash}`);
  const document = await readDocument(planHash, bytes);
  const scopeIds = scopeIdsOf(document);
  const unknown = sections.filter((id) => !scopeIds.has(id));
  const issues = [
    ...unknown.map((id) => ({
      path: `sectionStates.${id}`,
      message: 'There is no such section or zone on the chart.',
    })),
    ...selectionRuleIssues(document.categories, rules),
  ];
  if (issues.length === 0) return done(true);
  return refuse('invalid_request', 'The settings name parts that the chart lacks. The issues list them.', {
    details: { issues },
  });
}

/**
 * Inserts the event under the first free key. Both the key and (workspace, slug) are unique in the store. Of two
 * catalogs that create at once, each gets a key of its own, or one is refused since the workspace has the slug already.
 */
async function insertEvent(
  store: Store,
  draft: EventDraft,
  ground: EventGround,
  callId: string | undefined,
): Promise<Outcome<Stored<EventDocument> | 'taken'>> {
  const { slug } = draft;
  for (let attempt = 0; attempt < keyAttemptsMax; attempt++) {
    const key = slug === undefined ? keyOfCall(callId, attempt) : candidate(slug, attempt);
    const value = eventDocument(draft, ground, key);
    if ((await store.insert(events, key, value)) === 'inserted') {
      return done({ id: key, version: 1, value });
    }
    const standing = await findOne(store, events, 'bySlug', [value.workspaceId, value.slugClaim]);
    if (standing?.value.id === ground.id) return done('taken');
    if (standing && slug !== undefined && !(await freesSlug(store, standing))) {
      return refuse('event_exists', 'The workspace already has an event with this slug. Send another slug, or none.');
    }
  }
  throw new Fault(`find a free key for slug ${slug} in ${keyAttemptsMax} tries`);
}

function keyOfCall(callId: string | undefined, attempt: number): string {
  return eventKeyFor(callId && `${callId} ${attempt}`);
}

function candidate(slug: string, attempt: number): string {
  return attempt < slugSuffixesInOrderMax
    ? keyCandidate(slug, attempt)
    : withSuffix(slug, `-${randomText(SUFFIX_DIGITS, 10)}`);
}

/** Whether the event that has the slug is deleted. It then gives up the slug. */
async function freesSlug(store: Store, standing: Stored<EventDocument>): Promise<boolean> {
  if ((await readRecord(store, standing)).status !== 'deleted') return false;
  await store.replace(events, standing.id, standing.version, withoutClaim(standing.id, standing.value));
  return true;
}

async function lookAgain(ports: ChartPorts, { value }: Stored<EventDocument>): Promise<Outcome<true>> {
  const chart = await chartInUse(ports, value.chartId);
  if (!chart.ok) return chart;
  const published = publishedOf(chart.value.value);
  if (!published.ok) return published;
  const { posterAssetId } = value;
  if (posterAssetId !== null && !(await protectAsset(ports.store, posterAssetId))) return posterUnknown();
  return stillActive(ports.store, value.organisationId, value.workspaceId);
}
