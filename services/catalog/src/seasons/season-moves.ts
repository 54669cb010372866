/** The changes of a season that are one checked write: details, plans, sales, and the deletion of a draft. */
import type { Scope } from '@parterre/shared/protocol/catalog/scope';
import type {
  PlanStep,
  SeasonIssue,
  SeasonNote,
  SeasonPlan,
  SeasonRecord,
} from '@parterre/shared/protocol/catalog/seasons';
import type { CatalogInput } from '@parterre/shared/protocol/catalog-api';
import { done, nothingToUpdate, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { derivedId, idFor, newId } from '@parterre/shared/protocol/ids';
import { begun, lifecycleNamed } from '../lifecycles/rules/lifecycle-state.ts';
import { issueAt } from '../lifecycles/rules/member-issues.ts';
import { seasonPlansMax } from '../store/rules/bounds.ts';
import type { SeasonDocument } from '../store/rules/season-records.ts';
import type { Stored } from '../store/store.ts';
import { groupIssues, type NamedGroup } from './rules/compatibility.ts';
import { planNamed, withPublished, withSuperseded } from './rules/plans.ts';
import { actorKindOf, checkAtRest, checkRevision, checkStructure, movedSales, revised } from './rules/season-state.ts';
import { changeSeason, findSeason, type SeasonPorts, seasonOf } from './season-access.ts';
import { incompatible, readGroups } from './season-selections.ts';

export async function updateSeason(
  ports: SeasonPorts,
  { scope, seasonKey, expectedRevision, callId, ...changes }: CatalogInput<'seasons.update'>,
): Promise<Outcome<{ season: SeasonRecord }>> {
  const now = ports.clock.now();
  const note = { callId: callId ?? newId('call'), action: 'season.updated', actorKind: actorKindOf(scope) };
  const written = await changeSeason(ports, { scope, seasonKey }, callId, (season) => {
    const allowed = passAll(
      () => checkRevision(season, expectedRevision),
      () => checkStructure(season, 'draft', 'active', 'closed'),
    );
    if (!allowed.ok) return allowed;
    if (Object.keys(changes).length === 0) return nothingToUpdate(['name', 'edition']);
    return done(revised(season, changes, [{ ...note, details: changes, at: now }], now));
  });
  return written.ok ? done(seasonOf(written.value)) : written;
}

/** The document stays without a list, so that its audit stays and its key is never given again. */
export async function deleteSeason(
  ports: SeasonPorts,
  { scope, seasonKey, callId }: CatalogInput<'seasons.delete'>,
): Promise<Outcome<{ ok: true }>> {
  const at = ports.clock.now();
  const note = {
    callId: callId ?? newId('call'),
    action: 'season.deleted',
    actorKind: actorKindOf(scope),
    details: {},
  };
  const written = await changeSeason(ports, { scope, seasonKey }, callId, (season) => {
    const allowed = passAll(
      () => checkAtRest(season),
      () => checkStructure(season, 'draft'),
    );
    return allowed.ok ? done(revised(season, { gone: true }, [{ ...note, at }], at)) : allowed;
  });
  return written.ok ? done({ ok: true }) : written;
}

export async function createPlan(
  ports: SeasonPorts,
  { scope, seasonKey, name, selection, callId }: CatalogInput<'seasons.create-plan'>,
): Promise<Outcome<{ season: SeasonRecord; plan: SeasonPlan }>> {
  const key = idFor('spl', callId);
  const now = ports.clock.now();
  const found = await findSeason(ports.store, { scope, seasonKey });
  if (!found.ok) return found;
  const groups = await readGroups(ports.store, scope, selection.sourcePerformanceGroupKeys ?? []);
  const written = await changeSeason(ports, { scope, seasonKey }, callId, (season) => {
    const allowed = passAll(
      () => checkAtRest(season),
      () => checkStructure(season, 'draft', 'active'),
      () => checkRoom(season),
    );
    if (!allowed.ok) return allowed;
    const { eventKeys, sourcePerformanceGroups, issues } = occurrencesOf(season, selection.eventKeys, groups);
    if (issues.length > 0) return incompatible(issues);
    const plan: SeasonPlan = {
      key,
      name,
      publicationState: 'draft',
      publishedRevision: null,
      activationId: null,
      eventKeys,
      sourcePerformanceGroups,
      createdAt: now,
      updatedAt: now,
      publishedAt: null,
    };
    const note = noteOf(scope, callId, 'season.plan.created', { planKey: key, name, eventKeys }, now);
    return done(revised(season, { plans: [...season.plans, plan] }, [note], now));
  });
  if (!written.ok) return written;
  const plan = planNamed(written.value.value, key);
  return plan.ok ? done({ ...seasonOf(written.value), plan: plan.value }) : plan;
}

function checkRoom({ plans }: SeasonDocument): Outcome<true> {
  if (plans.length < seasonPlansMax) return done(true);
  return refuse('conflict', `A season has at most ${seasonPlansMax} plans.`, { reason: 'plan_limit_reached' });
}

/** The occurrences that a plan selects; all of them without a selection. */
function occurrencesOf(season: SeasonDocument, named: string[] | undefined, groups: NamedGroup[]) {
  const sourcePerformanceGroups = groups.flatMap(({ group, isActive }) => (group && isActive ? [group] : []));
  const further = sourcePerformanceGroups.flatMap((group) => group.eventKeys);
  const chosen = [...(named ?? []), ...further.filter((key) => !named?.includes(key))];
  const eventKeys = named === undefined && groups.length === 0 ? season.eventKeys : chosen;
  const issues: SeasonIssue[] = [
    ...groupIssues(groups),
    ...eventKeys.flatMap((key, at) =>
      season.eventKeys.includes(key) ? [] : [planIssue('event_not_in_season', key, at)],
    ),
    ...eventKeys.flatMap((key, at) => (eventKeys.indexOf(key) < at ? [planIssue('duplicate_event', key, at)] : [])),
  ];
  if (eventKeys.length === 0) {
    issues.push({ code: 'too_few_events', message: 'A plan has at least one occurrence.', ...issueAt('eventKeys') });
  }
  return { eventKeys, sourcePerformanceGroups, issues };
}

const planFaults = {
  event_not_in_season: 'The event is no occurrence of the season.',
  duplicate_event: 'This event is named twice. Name each event once.',
};

function planIssue(code: keyof typeof planFaults, eventKey: string, at: number): SeasonIssue {
  return { code, message: planFaults[code], ...issueAt(`eventKeys.${at}`), eventId: eventKey };
}

export function publishPlan(
  ports: SeasonPorts,
  input: CatalogInput<'seasons.publish-plan'>,
): Promise<Outcome<PlanStep>> {
  const { seasonKey, planKey, expectedRevision } = input;
  const activationId = derivedId('spa', seasonKey, planKey, String(expectedRevision));
  return changePlan(ports, input, 'season.plan.published', (season, now) =>
    withPublished(season, planKey, activationId, now),
  );
}

export function supersedePlan(
  ports: SeasonPorts,
  input: CatalogInput<'seasons.supersede-plan'>,
): Promise<Outcome<PlanStep>> {
  return changePlan(ports, input, 'season.plan.superseded', (season, now) =>
    withSuperseded(season, input.planKey, now),
  );
}

/** The step is over with its write. A repeated step of the same revision finds itself by its id. */
async function changePlan(
  ports: SeasonPorts,
  { scope, seasonKey, planKey, expectedRevision }: CatalogInput<'seasons.publish-plan'>,
  action: 'season.plan.published' | 'season.plan.superseded',
  plansAfter: (season: SeasonDocument, now: number) => Outcome<SeasonPlan[]>,
): Promise<Outcome<PlanStep>> {
  const now = ports.clock.now();
  const operationId = derivedId('slc', seasonKey, action, planKey, String(expectedRevision));
  const written = await changeSeason(ports, { scope, seasonKey }, operationId, (season) => {
    // A plan of another season is unknown at any revision.
    const named = planNamed(season, planKey);
    if (!named.ok) return named;
    const current = checkRevision(season, expectedRevision);
    if (!current.ok) return current;
    const plans = plansAfter(season, now);
    if (!plans.ok) return plans;
    const over = begun(season, { operationId, kind: 'PLAN_PUBLICATION', step: 'published' }, now);
    const data = { planKey, eventKeys: named.value.eventKeys };
    const note = { ...noteOf(scope, operationId, action, data, now), occurrence: { eventName: action, data } };
    return done(revised(over, { plans: plans.value }, [note], now));
  });
  return written.ok ? planStepOf(written.value, planKey, operationId) : written;
}

function planStepOf(season: Stored<SeasonDocument>, planKey: string, operationId: string): Outcome<PlanStep> {
  const lifecycle = lifecycleNamed(season.value, operationId)!;
  const plan = planNamed(season.value, planKey);
  return plan.ok ? done({ ...seasonOf(season), lifecycle, plan: plan.value }) : plan;
}

export async function moveSales(
  ports: SeasonPorts,
  { scope, seasonKey, expectedRevision, move }: CatalogInput<'seasons.move-sales'>,
): Promise<Outcome<{ season: SeasonRecord }>> {
  const now = ports.clock.now();
  const callId = `${move} ${expectedRevision}`;
  const written = await changeSeason(ports, { scope, seasonKey }, callId, (season) => {
    const current = checkRevision(season, expectedRevision);
    if (!current.ok) return current;
    const salesState = movedSales(season, move);
    if (!salesState.ok) return salesState;
    const action = `season.sales.${salesState.value}` as const;
    const data = { from: season.salesState, to: salesState.value };
    const note = { ...noteOf(scope, callId, action, data, now), occurrence: { eventName: action, data } };
    return done(revised(season, { salesState: salesState.value }, [note], now));
  });
  return written.ok ? done(seasonOf(written.value)) : written;
}

function noteOf(
  scope: Scope,
  callId: string | undefined,
  action: string,
  details: Record<string, unknown>,
  at: number,
): SeasonNote {
  return { callId: callId ?? newId('call'), action, actorKind: actorKindOf(scope), details, at };
}

function passAll(...checks: (() => Outcome<true>)[]): Outcome<true> {
  for (const check of checks) {
    const outcome = check();
    if (!outcome.ok) return outcome;
  }
  return done(true);
}
