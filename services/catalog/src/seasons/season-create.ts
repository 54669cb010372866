/**
 * New seasons: judged, inserted, or copied from a test season to live events.
 *
 * A named call (Idempotency-Key) makes one season, whose key follows from the call. Events may stand in any number of
 * drafts, so a draft locks nothing. The activation judges the events again.
 *
 * Failure at each await: the store fails, so the create fails; the call is repeated and finds the season.
 */
import type { EventRecord } from '@parterre/shared/protocol/catalog/events';
import type { Scope } from '@parterre/shared/protocol/catalog/scope';
import type { SeasonCheck, SeasonIssue, SeasonPlan, SeasonRecord } from '@parterre/shared/protocol/catalog/seasons';
import type { CatalogInput } from '@parterre/shared/protocol/catalog-api';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { idFor, newId } from '@parterre/shared/protocol/ids';
import { issueAt } from '../lifecycles/rules/member-issues.ts';
import { madeOnce } from '../store/repeats.ts';
import type { SeasonDocument } from '../store/rules/season-records.ts';
import { seasons } from '../store/season-collections.ts';
import { stillActive } from '../tenants/tenants.ts';
import { sharedValue } from './rules/compatibility.ts';
import { actorKindOf, listed } from './rules/season-state.ts';
import { findSeason, type SeasonPorts, seasonOf } from './season-access.ts';
import { keepNotes } from './season-notes.ts';
import { incompatible, readSelection, type Selection } from './season-selections.ts';

export async function validateSeason(
  { store }: SeasonPorts,
  { scope, selection }: CatalogInput<'seasons.validate'>,
): Promise<Outcome<SeasonCheck>> {
  const { eventKeys, events, sourcePerformanceGroups, issues } = await readSelection(store, scope, selection);
  const mode = scope.mode ?? events[0]?.mode ?? 'live';
  return done({ valid: issues.length === 0, mode, eventKeys, sourcePerformanceGroups, issues });
}

export function createSeason(
  ports: SeasonPorts,
  { scope, name, edition = null, selection, callId }: CatalogInput<'seasons.create'>,
): Promise<Outcome<{ season: SeasonRecord }>> {
  return makeSeason(ports, scope, callId, 'season.created', async () => {
    const selected = await readSelection(ports.store, scope, selection);
    return selected.issues.length === 0 ? done({ name, edition, selected, plans: [] }) : incompatible(selected.issues);
  });
}

export async function duplicateToLive(
  ports: SeasonPorts,
  { scope, seasonKey, eventKeys, name, callId }: CatalogInput<'seasons.duplicate-to-live'>,
): Promise<Outcome<{ season: SeasonRecord }>> {
  const { store } = ports;
  const found = await findSeason(store, { scope, seasonKey });
  if (!found.ok) return found;
  const source = found.value.value;
  if (source.mode !== 'test') {
    return refuse('invalid_season_state', 'The season is live already. Only a test season has a live copy.');
  }
  const live: Scope = { ...scope, mode: 'live' };
  return makeSeason(ports, live, callId, 'season.duplicated', async () => {
    const selected = await readSelection(store, live, { eventKeys });
    const issues = [...selected.issues, ...copyIssues(source, eventKeys, selected.events)];
    if (issues.length > 0) return incompatible(issues);
    const counterparts = new Map(source.eventKeys.map((key, at) => [key, eventKeys[at]!]));
    const plans = source.plans.map((plan, at) => copied(plan, counterparts, callId, at, ports.clock.now()));
    return done({ name: name ?? source.name, edition: source.edition, selected, plans });
  });
}

/** A copy has an event for each occurrence, on the chart of the source. */
function copyIssues(
  { eventKeys: occurrences, chartId, chartVersion }: SeasonDocument,
  eventKeys: readonly string[],
  events: readonly EventRecord[],
): SeasonIssue[] {
  const issues: SeasonIssue[] = [];
  if (eventKeys.length !== occurrences.length) {
    issues.push({
      code: 'occurrence_count_mismatch',
      message: `The season has ${occurrences.length} occurrences, and the call names ${eventKeys.length} events.`,
      ...issueAt('eventKeys'),
      expected: occurrences.length,
      actual: eventKeys.length,
      remediation: 'Name one live event for each occurrence, in the order of the occurrences.',
    });
  }
  for (const event of events) {
    const isSame = event.chartId === chartId && event.chartVersion === chartVersion;
    if (isSame) continue;
    issues.push({
      code: event.chartId === chartId ? 'chart_version_mismatch' : 'chart_mismatch',
      message: `The event ${event.key} is not on the chart of the season.`,
      ...issueAt('eventKeys'),
      eventId: event.id,
      expected: `${chartId} ${chartVersion}`,
      actual: `${event.chartId} ${event.chartVersion}`,
      remediation: 'Name live events that are on the chart of the season.',
    });
  }
  return issues;
}

function copied(
  plan: SeasonPlan,
  counterparts: ReadonlyMap<string, string>,
  callId: string | undefined,
  at: number,
  now: number,
): SeasonPlan {
  return {
    ...plan,
    key: idFor('spl', callId && `${callId} ${at}`),
    publicationState: 'draft',
    publishedRevision: null,
    activationId: null,
    eventKeys: plan.eventKeys.map((key) => counterparts.get(key)!),
    sourcePerformanceGroups: [],
    createdAt: now,
    updatedAt: now,
    publishedAt: null,
  };
}

type Draft = Pick<SeasonRecord, 'name' | 'edition' | 'plans'> & { selected: Selection };

async function makeSeason(
  { store, clock }: SeasonPorts,
  scope: Scope,
  callId: string | undefined,
  action: string,
  draft: () => Promise<Outcome<Draft>>,
): Promise<Outcome<{ season: SeasonRecord }>> {
  const key = idFor('sea', callId);
  const made = await madeOnce({
    scope,
    callId,
    find: () => store.get(seasons, key),
    async make() {
      const drawn = await draft();
      if (!drawn.ok) return drawn;
      const value = seasonDocument(drawn.value, scope, action, callId ?? newId('call'), clock.now());
      const active = await stillActive(store, value.organisationId, value.workspaceId);
      if (!active.ok) return active;
      const inserted = await store.insert(seasons, key, value);
      return done(inserted === 'inserted' ? { id: key, version: 1, value } : ('taken' as const));
    },
  });
  if (!made.ok) return made;
  await keepNotes(store, key, made.value.value, made.value.value.notes);
  return done(seasonOf(made.value));
}

/** All events agree on the fields that the season takes over from the first. */
function seasonDocument(
  { name, edition, selected, plans }: Draft,
  scope: Scope,
  action: string,
  callId: string,
  at: number,
): SeasonDocument {
  const { events, eventKeys, sourcePerformanceGroups } = selected;
  const { organisationId, workspaceId, mode, chartId, planHash, chartVersion, currency, priceUnit, region } =
    events[0]!;
  const details = { name, edition, eventKeys };
  return listed({
    organisationId,
    workspaceId,
    mode,
    environment: scope.environment,
    name,
    edition,
    chartId,
    planHash,
    chartVersion,
    currency,
    ...(priceUnit && { priceUnit }),
    region,
    eventKeys,
    sourcePerformanceGroups,
    venue: sharedValue(events, ({ venue }) => venue),
    timezone: sharedValue(events, ({ timezone }) => timezone),
    revision: 1,
    structureState: 'draft',
    salesState: 'closed',
    plans,
    rehearsedAt: null,
    createdAt: at,
    updatedAt: at,
    activatedAt: null,
    closedAt: null,
    lists: [],
    lifecycles: [],
    open: null,
    gone: null,
    amending: null,
    amendments: 0,
    lockId: null,
    notes: [{ callId, action, actorKind: actorKindOf(scope), details, at }],
    untold: null,
  });
}
