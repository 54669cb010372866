/**
 * Seasons: list, judge, create, read, change and delete them, their live copies, the steps of their lifecycle, their
 * plans and publications, the moves of their sales, occurrences, amendments, audit and outbox, and the sales as support
 * reads them: report, operations, look-ups by reference, and an export.
 */

import { isOpenStep, type Lifecycle, type LifecycleStep } from '@parterre/shared/protocol/catalog/lifecycles';
import type { KeptBookingAction, KeptOperation, KeptPart } from '@parterre/shared/protocol/catalog/operations';
import type { Contract } from '@parterre/shared/protocol/catalog/rights';
import {
  cancellationStates,
  rightDispositions,
  type SeasonCancellation,
} from '@parterre/shared/protocol/catalog/season-sales';
import {
  type Amendment,
  amendmentKinds,
  type Occurrence,
  type PlanStep,
  type SalesMove,
  type SeasonPlan,
  type SeasonRecord,
  type SeasonStep,
  structureStates,
} from '@parterre/shared/protocol/catalog/seasons';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { groupDraftKeysMax } from '@parterre/shared/protocol/group-limits';
import { unitOf } from '@parterre/shared/protocol/money';
import { MINUTE_MS } from '@parterre/shared/runtime/units';
import { z } from 'zod';
import { budgets, callIdOf, knownInTime, scopeOf } from '../admission/admission.ts';
import { noContent, preparedJson, spell } from '../answers/answers.ts';
import { type Description, standIn } from '../openapi/openapi.ts';
import { callerOf } from './calls/ask.ts';
import { choice, cursor, limit, pageOf, text as textOfQuery } from './calls/query.ts';
import { type Call, type Route, serverRoute, type WithPath } from './calls/route.ts';
import { type StepCall, type StepOwner, stepReadRoute, stepRoute, takenStep } from './owner-lifecycles.ts';
import {
  count,
  epochMs,
  id,
  idOf,
  inMoney,
  issue,
  mode,
  moment,
  name,
  nextCursor,
  optional,
  text,
  textOrNull,
} from './records.ts';
import { visibleText } from './rules/visible-text.ts';
import { again, ownerHoldId } from './sales-over-events.ts';

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

const seasonFields = {
  key: idOf('sea'),
  name: text,
  edition: textOrNull,
  workspaceId: idOf('ws'),
  mode,
  environment: textOrNull,
  chartId: idOf('cht'),
  sourceChartKey: idOf('cht'),
  sourceChartSha256: sha256,
  ...inMoney,
  venue: textOrNull.describe('Null where the occurrences differ.'),
  timezone: textOrNull.describe('An IANA zone name; null where the occurrences differ.'),
  audience: z.literal('embed_only'),
  revision: count.min(1).describe('Grows with each change of details, lifecycle, plans and sales.'),
  structureState: z.enum(structureStates),
  salesState: z.enum(['closed', 'open', 'paused', 'ended']),
  occurrenceCount: count,
  createdAt: epochMs,
  updatedAt: epochMs,
  activatedAt: epochMs.nullable(),
  closedAt: epochMs.nullable(),
  buyerRehearsalReady: z.boolean(),
};

const season = z.object(seasonFields);

const listSeasonsAnswer = z.object({ seasons: z.array(season), nextCursor });

const seasonsQuery = z.object({
  limit: limit({ usual: 100, most: 200 }),
  cursor,
  workspaceId: textOfQuery('Only seasons of this workspace.'),
  structureState: choice(
    'Only seasons in this state.',
    structureStates,
    'There is no such state of a season. Leave out structureState, or name a state of a season.',
  ),
});

const listSeasons = serverRoute(
  'GET /v1/seasons',
  {
    budget: budgets.seasons,
    answer: listSeasonsAnswer,
    query: seasonsQuery,
    description: {
      operationId: 'listSeasons',
      tag: 'Seasons',
      summary: 'The seasons, newest first, without plans',
      description: "The seasons of the caller's workspaces and mode. `GET /v1/seasons/{key}` has the plans of one.",
      refusals: ['invalid_request'],
      examples: [
        { summary: 'All of them' },
        { summary: 'The active ones', query: { structureState: 'active' } },
        { summary: 'An unknown state', query: { structureState: 'open' }, answers: 'invalid_request' },
      ],
    },
  },
  async ({ ports, principal, query }) => {
    const { workspaceId, structureState } = query;
    const filter = { ...(workspaceId !== undefined && { workspaceId }), ...(structureState && { structureState }) };
    const listed = await ports.catalog('seasons.list', { scope: scopeOf(principal), page: pageOf(query), ...filter });
    if (!listed.ok) return listed;
    const { seasons, ...more } = listed.value;
    return done({ seasons: seasons.map(seasonOf), ...more });
  },
);

function seasonOf(record: SeasonRecord): z.output<typeof season> {
  const { organisationId: _, planHash, chartVersion: __, region: ___, rehearsedAt, ...more } = record;
  const { plans: ____, eventKeys, sourcePerformanceGroups: _____, ...fields } = more;
  return {
    ...fields,
    priceUnit: unitOf(record),
    sourceChartKey: record.chartId,
    sourceChartSha256: Buffer.from(planHash, 'base64url').toString('hex'),
    audience: 'embed_only',
    occurrenceCount: eventKeys.length,
    buyerRehearsalReady: rehearsedAt !== null,
  };
}

const sourceGroup = z.object({
  key: idOf('pg'),
  activationId: text,
  memberSetSha256: sha256,
  activationSpecSha256: sha256,
  eventKeys: z.array(text),
});

const validateSeasonAnswer = z.object({
  valid: z.boolean(),
  mode,
  eventKeys: z.array(text),
  occurrenceCount: count,
  sourcePerformanceGroups: z.array(sourceGroup),
  issues: z.array(issue),
});

const keys = z.array(id).max(groupDraftKeysMax);

const selection = {
  eventKeys: optional(keys.describe('In the order of the season.')),
  sourcePerformanceGroupKeys: optional(keys.describe('Active groups, whose events follow the named events.')),
};

const selectionBody = z.object(selection);

const validateSeason = serverRoute(
  'POST /v1/seasons/validate',
  {
    budget: budgets.seasons,
    answer: validateSeasonAnswer,
    body: selectionBody,
    description: {
      operationId: 'validateSeason',
      tag: 'Seasons',
      summary: 'Tell whether a season can sell these events together',
      description: 'Changes nothing. Always 200: `issues` has every fault, and is empty for a selection that fits.',
      examples: [
        { summary: 'Two evenings', body: { eventKeys: [standIn.evening, standIn.nextEvening] } },
        { summary: 'The events of a group', body: { sourcePerformanceGroupKeys: [standIn.sourceGroup] } },
        { summary: 'An unknown event', body: { eventKeys: [standIn.evening, 'no-such-event'] } },
      ],
    },
  },
  async ({ ports, principal, body }) => {
    const checked = await ports.catalog('seasons.validate', { scope: scopeOf(principal), selection: body });
    return checked.ok ? done({ ...checked.value, occurrenceCount: checked.value.eventKeys.length }) : checked;
  },
);

const seasonPlan = z.object({
  key: idOf('spl'),
  name: text,
  publicationState: z.enum(['draft', 'published', 'superseded']),
  publishedRevision: count.min(1).nullable().describe('1 for the first published plan of the season, and so on.'),
  activationId: idOf('spa').nullable().describe('Names the publication. Sessions, imports and offers name it.'),
  channelPolicy: z.literal('exclude_restricted').describe('Seats of private channels are not sold.'),
  eventKeys: z.array(text),
  sourcePerformanceGroups: z.array(sourceGroup),
  createdAt: epochMs,
  updatedAt: epochMs,
  publishedAt: epochMs.nullable(),
});

const seasonDetail = z.object({ ...seasonFields, plans: z.array(seasonPlan) });

const oneSeason = z.object({ season: seasonDetail });

const edition = visibleText.min(1).max(200).nullable();

const seasonBody = z.object({ name, edition: optional(edition), ...selection });

const createSeason = serverRoute(
  'POST /v1/seasons',
  {
    budget: budgets.seasons,
    answer: oneSeason,
    body: seasonBody,
    status: 201,
    idempotent: true,
    description: {
      operationId: 'createSeason',
      tag: 'Seasons',
      summary: 'Create a draft of a season',
      description:
        'A season has 2 to 50 events of one chart version, mode, workspace, region and currency. An event may be in ' +
        'several drafts. Events that do not fit are refused with all `issues` at once.',
      refusals: ['incompatible_events', 'workspace_not_found_or_disabled'],
      examples: [
        {
          summary: 'Two evenings',
          body: { name: 'Subscription', edition: '2027', eventKeys: [standIn.evening, standIn.nextEvening] },
        },
        {
          summary: 'The events of a group',
          body: { name: 'Subscription', sourcePerformanceGroupKeys: [standIn.sourceGroup] },
        },
        { summary: 'One event', body: { name: 'Short', eventKeys: [standIn.evening] }, answers: 'incompatible_events' },
        {
          summary: 'An unknown group',
          body: { name: 'Subscription', sourcePerformanceGroupKeys: ['pg_0'] },
          answers: 'incompatible_events',
        },
      ],
    },
  },
  async (call) => {
    const { name, edition = null, ...selection } = call.body;
    const input = { scope: scopeOf(call.principal), name, edition, selection, ...callIdOf(call) };
    return told(await call.ports.catalog('seasons.create', input));
  },
);

function told(outcome: Outcome<Pick<SeasonStep, 'season'>>) {
  return outcome.ok ? done({ season: seasonDetailOf(outcome.value.season) }) : outcome;
}

function seasonDetailOf(record: SeasonRecord): z.output<typeof seasonDetail> {
  return { ...seasonOf(record), plans: record.plans.map(planOf) };
}

function planOf(plan: SeasonPlan): z.output<typeof seasonPlan> {
  return { ...plan, channelPolicy: 'exclude_restricted' };
}

export const known = ['not_found', 'mode_mismatch'] as const;

export const unknownSeason = { summary: 'An unknown season', path: { key: 'sea_0' }, answers: 'not_found' } as const;

const getSeason = serverRoute(
  'GET /v1/seasons/{key}',
  {
    budget: budgets.seasons,
    answer: oneSeason,
    description: {
      operationId: 'getSeason',
      tag: 'Seasons',
      summary: 'One season with its plans',
      description:
        'The season with its revision, which the next change must name, its sales state, its events and its ' +
        'plans.',
      refusals: known,
      examples: [{ summary: 'The season' }, unknownSeason],
    },
  },
  async (call) => told(await call.ports.catalog('seasons.get', target(call))),
);

export function target({ principal, path }: Pick<Call<'server'>, 'principal'> & WithPath<'key'>) {
  return { scope: scopeOf(principal), seasonKey: path.key };
}

const expectedRevision = z.int().min(1).describe('The revision of the season that the caller has read.');

const seasonUpdateBody = z.object({
  expectedRevision,
  name: optional(name),
  edition: optional(edition.describe('Null clears it.')),
});

const step = ['not_found', 'mode_mismatch', 'invalid_season_state', 'conflict'] as const;

const staleRevision = {
  summary: 'A stale revision',
  body: { expectedRevision: 99 },
  answers: 'conflict',
} as const;

const updateSeason = serverRoute(
  'PATCH /v1/seasons/{key}',
  {
    budget: budgets.seasons,
    answer: oneSeason,
    body: seasonUpdateBody,
    idempotent: true,
    description: {
      operationId: 'updateSeason',
      tag: 'Seasons',
      summary: 'Change name and edition',
      description: 'The words alone change: events, plans and sales stay. The call names the revision that it read.',
      refusals: [...step, 'nothing_to_update'],
      examples: [
        { summary: 'Another name', body: { expectedRevision: 6, name: 'Pass' } },
        { summary: 'Without an edition', body: { expectedRevision: 6, edition: null } },
        { summary: 'No change', body: { expectedRevision: 6 }, answers: 'nothing_to_update' },
        { ...staleRevision, body: { expectedRevision: 99, name: 'Pass' } },
        { ...unknownSeason, body: { expectedRevision: 1, name: 'Pass' } },
      ],
    },
  },
  async (call) =>
    told(await call.ports.catalog('seasons.update', { ...target(call), ...call.body, ...callIdOf(call) })),
);

const deleteSeason = serverRoute(
  'DELETE /v1/seasons/{key}',
  {
    budget: budgets.seasons,
    answer: null,
    status: 204,
    idempotent: true,
    description: {
      operationId: 'deleteSeason',
      tag: 'Seasons',
      summary: 'Delete a draft',
      description:
        'A draft has sold nothing, so nothing else changes. Anything but a draft is answered 409 with its ' + 'state.',
      refusals: step,
      examples: [
        { summary: 'A draft', path: { key: standIn.draftSeason } },
        { summary: 'An active season', answers: 'invalid_season_state' },
        unknownSeason,
      ],
    },
  },
  async (call) => {
    const deleted = await call.ports.catalog('seasons.delete', { ...target(call), ...callIdOf(call) });
    return deleted.ok ? done(noContent) : deleted;
  },
);

const duplicateBody = z.object({
  eventKeys: keys.describe('One live event for each occurrence, in the order of the occurrences.'),
  name: optional(name),
});

const duplicateSeasonToLive = serverRoute(
  'POST /v1/seasons/{key}/duplicate-to-live',
  {
    budget: budgets.seasons,
    answer: oneSeason,
    body: duplicateBody,
    status: 201,
    idempotent: true,
    description: {
      operationId: 'duplicateSeasonToLive',
      tag: 'Seasons',
      summary: 'Make a live draft of a test season',
      description:
        'Takes a key of the test season, and names live events on the same chart version. Plans are copied as drafts. ' +
        'Only a live key reaches the copy.',
      refusals: [...known, 'invalid_season_state', 'incompatible_events', 'workspace_not_found_or_disabled'],
      examples: [
        {
          summary: 'On two live events',
          path: { key: standIn.draftSeason },
          body: { eventKeys: [standIn.liveEvening, standIn.liveNextEvening], name: 'Subscription on sale' },
        },
        {
          summary: 'On too few events',
          path: { key: standIn.draftSeason },
          body: { eventKeys: [standIn.liveEvening] },
          answers: 'incompatible_events',
        },
        { ...unknownSeason, body: { eventKeys: [standIn.liveEvening, standIn.liveNextEvening] } },
      ],
    },
  },
  async (call) => {
    const input = { ...target(call), ...call.body, ...callIdOf(call) };
    return told(await call.ports.catalog('seasons.duplicate-to-live', input));
  },
);

const lifecycle = z.object({
  operationId: idOf('slc'),
  kind: z.enum(['ACTIVATION', 'CLOSE', 'ARCHIVE', 'PLAN_PUBLICATION']),
  phase: z
    .enum(['decided', 'active', 'closed', 'archived', 'published'])
    .describe('A step that failed ends as `decided`, with a code.'),
  terminal: z.boolean(),
  code: optional(text.describe('Why the step failed. The season is then as before the step.')),
});

/** The phase of each step of the catalog. */
const phaseAt: Record<LifecycleStep, z.output<typeof lifecycle>['phase']> = {
  locking: 'decided',
  noting: 'decided',
  aborting: 'decided',
  active: 'active',
  failed: 'decided',
  cleared: 'decided',
  draining: 'decided',
  waiting: 'decided',
  unlocking: 'decided',
  closed: 'closed',
  archived: 'archived',
  published: 'published',
};

const seasonStep = z.object({ season: seasonDetail, lifecycleOperation: lifecycle });

const stepBody = z.object({ expectedRevision });

const steps: StepOwner<SeasonStep> = {
  owners: 'seasons',
  noun: 'Season',
  tag: 'Seasons',
  budget: budgets.seasons,
  body: stepBody,
  answer: seasonStep,
  show: stepOf,
};

function stepOf(step: SeasonStep): z.output<typeof seasonStep> {
  return { season: seasonDetailOf(step.season), lifecycleOperation: lifecycleOf(step.lifecycle) };
}

function lifecycleOf({ operationId, kind, step, code }: Lifecycle): z.output<typeof lifecycle> {
  const terminal = !isOpenStep(step);
  return { operationId, kind, phase: phaseAt[step], terminal, ...(terminal && code !== null && { code }) };
}

const polling =
  'The answer is 200 if the step has ended, else 202: then poll the address in `Location`. Every step ends in a ' +
  'terminal state. A repeated step at the same revision finds the first one.';

const activateSeason = stepRoute(
  steps,
  'activate',
  {
    summary: 'Lock the events of a draft',
    description:
      'While the season is active or closing, its events keep chart, times, venue and currency, and cannot be closed, ' +
      'archived or deleted (409 `season_event_locked`); an amendment passes the lock. If an event refuses, the step ' +
      `ends with a \`code\`, and the season is a draft again. ${polling}`,
    refusals: [...step, 'incompatible_events'],
    examples: [
      { summary: 'A draft', path: { key: standIn.draftSeason }, body: { expectedRevision: 1 } },
      { ...staleRevision, path: { key: standIn.draftSeason } },
      { summary: 'An active season', body: { expectedRevision: 6 }, answers: 'invalid_season_state' },
      { ...unknownSeason, body: { expectedRevision: 1 } },
    ],
  },
  (call) => call.ports.catalog('seasons.activate', { ...target(call), ...call.body }),
);

const closeSeason = stepRoute(
  steps,
  'close',
  {
    summary: 'End a season for good',
    description: `Sales end at once. The step waits for live holds, then unlocks the events. ${polling}`,
    refusals: step,
    examples: [
      { summary: 'The season', body: { expectedRevision: 6 } },
      staleRevision,
      { ...unknownSeason, body: { expectedRevision: 1 } },
    ],
  },
  (call) => call.ports.catalog('seasons.close', { ...target(call), ...call.body }),
);

const archiveSeason = stepRoute(
  steps,
  'archive',
  {
    summary: 'Put a closed season into the archive',
    description: 'The season leaves the usual list, and nothing of it changes any more. Its bookings stay readable.',
    refusals: step,
    examples: [
      { summary: 'A closed season', path: { key: standIn.closedSeason }, body: { expectedRevision: 8 } },
      { summary: 'An active season', body: { expectedRevision: 6 }, answers: 'invalid_season_state' },
      { ...unknownSeason, body: { expectedRevision: 1 } },
    ],
  },
  (call) => call.ports.catalog('seasons.archive', { ...target(call), ...call.body }),
);

const getSeasonLifecycle = stepReadRoute(
  steps,
  {
    summary: 'One step of the lifecycle, or one publication',
    description:
      'The state of a step or of the publication of a plan, by the id that its first answer gave. An open step ' +
      'has `Retry-After`.',
    refusals: known,
    examples: [
      { summary: 'The activation' },
      { summary: 'An unknown step', path: { operationId: 'slc_0' }, answers: 'not_found' },
    ],
  },
  (call, operationId) => call.ports.catalog('seasons.lifecycle', { ...target(call), operationId }),
);

const onePlan = z.object({ plan: seasonPlan });

const planBody = z.object({ name, ...selection });

const refusalsOfStep = [...known, 'invalid_season_state', 'conflict'] as const;

const createSeasonPlan = serverRoute(
  'POST /v1/seasons/{key}/plans',
  {
    budget: budgets.seasons,
    answer: onePlan,
    body: planBody,
    status: 201,
    idempotent: true,
    description: {
      operationId: 'createSeasonPlan',
      tag: 'Seasons',
      summary: 'Add a plan to a draft or an active season',
      description: 'A plan without a selection has every occurrence. A season has at most 50 plans.',
      refusals: [...refusalsOfStep, 'incompatible_events'],
      examples: [
        { summary: 'Every occurrence', body: { name: 'Full pass' } },
        { summary: 'One occurrence', body: { name: 'Opening', eventKeys: [standIn.seasonEvent] } },
        {
          summary: 'An event outside the season',
          body: { name: 'Wrong', eventKeys: [standIn.event] },
          answers: 'incompatible_events',
        },
        {
          summary: 'In a closed season',
          path: { key: standIn.closedSeason },
          body: { name: 'Late' },
          answers: 'invalid_season_state',
        },
        { ...unknownSeason, body: { name: 'Full pass' } },
      ],
    },
  },
  async (call) => {
    const { name, ...selection } = call.body;
    const made = await call.ports.catalog('seasons.create-plan', {
      ...target(call),
      name,
      selection,
      ...callIdOf(call),
    });
    return made.ok ? done({ plan: planOf(made.value.plan) }) : made;
  },
);

const unknownPlan = { summary: 'An unknown plan', path: { planKey: 'spl_0' }, answers: 'not_found' } as const;

const planIsUnknown = refuse('not_found', 'The season has no such plan. Check its key.');

const getSeasonPlan = serverRoute(
  'GET /v1/seasons/{key}/plans/{planKey}',
  {
    budget: budgets.seasons,
    answer: onePlan,
    description: {
      operationId: 'getSeasonPlan',
      tag: 'Seasons',
      summary: 'One plan',
      description: 'The plan with its events, its prices, and its publication, if it has one.',
      refusals: known,
      examples: [{ summary: 'The plan' }, unknownPlan],
    },
  },
  async (call) => {
    const found = await call.ports.catalog('seasons.get', target(call));
    if (!found.ok) return found;
    const plan = found.value.season.plans.find(({ key }) => key === call.path.planKey);
    return plan ? done({ plan: planOf(plan) }) : planIsUnknown;
  },
);

export const counted = { budget: budgets.seasons };

const planStep = seasonStep.extend({ plan: seasonPlan });

const stepRow = { ...counted, answer: planStep, body: stepBody };

const atRevision = (expectedRevision: number) => ({ expectedRevision });

const publishSeasonPlan = serverRoute(
  'POST /v1/seasons/{key}/plans/{planKey}/publish',
  {
    ...stepRow,
    description: {
      operationId: 'publishSeasonPlan',
      tag: 'Seasons',
      summary: 'Publish a draft of a plan',
      description:
        'The publication gets an `activationId`. Sessions sell the plan that was published last. A repeated publication ' +
        'at the same revision finds the first one.',
      headers: ['Location'],
      refusals: refusalsOfStep,
      examples: [
        { summary: 'A draft', path: { planKey: standIn.draftPlan }, body: atRevision(6) },
        { summary: 'A published plan', body: atRevision(6), answers: 'invalid_season_state' },
        staleRevision,
        { ...unknownPlan, body: atRevision(6) },
      ],
    },
  },
  async (call) =>
    takenPlan(call, await call.ports.catalog('seasons.publish-plan', { ...planTarget(call), ...call.body })),
);

/** A publication is over with its answer. */
function takenPlan(call: StepCall, step: Outcome<PlanStep>) {
  return step.ok ? takenStep(call, 'seasons', step.value, spell(planStepOf(step.value))) : step;
}

function planStepOf(step: PlanStep): z.output<typeof planStep> {
  return { ...stepOf(step), plan: planOf(step.plan) };
}

function planTarget(call: StepCall & WithPath<'planKey'>) {
  return { ...target(call), planKey: call.path.planKey };
}

const supersedeSeasonPlan = serverRoute(
  'POST /v1/seasons/{key}/plans/{planKey}/supersede',
  {
    ...stepRow,
    description: {
      operationId: 'supersedeSeasonPlan',
      tag: 'Seasons',
      summary: 'Take a published plan out of sale',
      description: 'Only while sales are closed or ended.',
      headers: ['Location'],
      refusals: refusalsOfStep,
      examples: [
        { summary: 'A published plan', body: atRevision(6) },
        {
          summary: 'A draft',
          path: { planKey: standIn.draftPlan },
          body: atRevision(6),
          answers: 'invalid_season_state',
        },
        {
          summary: 'While sales are open',
          path: { key: standIn.openSeason, planKey: standIn.openPlan },
          body: atRevision(7),
          answers: 'invalid_season_state',
        },
        { ...unknownPlan, body: atRevision(6) },
      ],
    },
  },
  async (call) =>
    takenPlan(call, await call.ports.catalog('seasons.supersede-plan', { ...planTarget(call), ...call.body })),
);

function salesRoute(move: SalesMove, words: Pick<Description, 'summary' | 'description' | 'examples'>): Route {
  return serverRoute(
    `POST /v1/seasons/{key}/sales/${move}`,
    {
      ...counted,
      answer: oneSeason,
      body: stepBody,
      description: { operationId: `${move}SeasonSales`, tag: 'Seasons', refusals: refusalsOfStep, ...words },
    },
    async (call) => told(await call.ports.catalog('seasons.move-sales', { ...target(call), ...call.body, move })),
  );
}

const onSale = { summary: 'A season on sale', path: { key: standIn.openSeason }, body: atRevision(7) };

const offSale = {
  summary: 'A season whose sales are closed',
  body: atRevision(6),
  answers: 'invalid_season_state',
} as const;

const salesRoutes = [
  salesRoute('open', {
    summary: 'Open the sales',
    description: 'The season is active and has a published plan.',
    examples: [
      { summary: 'The season', body: atRevision(6) },
      { summary: 'A draft', path: { key: standIn.draftSeason }, body: atRevision(1), answers: 'invalid_season_state' },
      staleRevision,
    ],
  }),
  salesRoute('pause', {
    summary: 'Pause the sales',
    description: 'Buyers can start no hold. Holds that live go on to their booking or their end.',
    examples: [onSale, offSale],
  }),
  salesRoute('resume', {
    summary: 'Open paused sales again',
    description: 'Buyers can hold again, under the plan that was on sale before.',
    examples: [{ summary: 'A paused season', path: { key: standIn.pausedSeason }, body: atRevision(8) }, offSale],
  }),
  salesRoute('end', {
    summary: 'End the sales for good',
    description: 'Buyers can start no hold, and the sales cannot be opened again. Holds that live go on.',
    examples: [onSale, offSale],
  }),
];

const classification = z.enum(['identity_preserving', 'exception']);

const occurrence = z.object({
  eventKey: text,
  position: count.min(1),
  name: text,
  startsAt: epochMs.nullable(),
  venue: textOrNull,
  timezone: textOrNull,
  latestAmendment: z.object({ amendmentId: idOf('sam'), kind: z.enum(amendmentKinds), classification }).nullable(),
});

const occurrencesAnswer = z.object({ occurrences: z.array(occurrence) });

const listSeasonOccurrences = serverRoute(
  'GET /v1/seasons/{key}/occurrences',
  {
    budget: budgets.seasons,
    answer: occurrencesAnswer,
    description: {
      operationId: 'listSeasonOccurrences',
      tag: 'Seasons',
      summary: 'The events of a season, in order',
      description: 'Each occurrence is an event with its place in the season, its start, and its state.',
      refusals: known,
      examples: [{ summary: 'All of them' }, unknownSeason],
    },
  },
  async (call) => {
    const found = await call.ports.catalog('seasons.occurrences', target(call));
    return found.ok ? done({ occurrences: found.value.occurrences.map(occurrenceOf) }) : found;
  },
);

function occurrenceOf({ event, position, latestAmendment }: Occurrence): z.output<typeof occurrence> {
  const { key: eventKey, name, startsAt, venue, timezone } = event;
  return { eventKey, position, name, startsAt, venue, timezone, latestAmendment };
}

const facts = z.object({
  name: text,
  startsAt: epochMs.nullable(),
  endsAt: epochMs.nullable(),
  cancelled: optional(z.literal(true)),
});

const contractOutcome = z.enum(['unchanged', 'operator_exception']);

const amendment = z.object({
  amendmentId: idOf('sam'),
  revision: count.min(1).describe('Counts the amendments of the season, from 1.'),
  eventKey: text,
  kind: z.enum(amendmentKinds),
  classification,
  planActivationId: idOf('spa').nullable(),
  occurrenceSetSha256: sha256,
  before: facts,
  after: facts,
  state: z.enum(['applied', 'exception']),
  contractOutcomes: z.array(z.object({ contractId: text, outcome: contractOutcome })),
  allocationOutcomes: z.array(z.object({ allocationId: text, eventKey: text, outcome: contractOutcome })),
  createdAt: epochMs,
});

const oneAmendment = z.object({ amendment });

const amendmentBody = z.object({
  eventKey: id,
  kind: z.enum(amendmentKinds),
  startsAt: optional(moment.describe('Needed to reschedule. `endsAt` moves by as much.')),
  name: optional(name.describe('Needed to replace.')),
});

const amendSeason = serverRoute(
  'POST /v1/seasons/{key}/amendments',
  {
    budget: budgets.seasons,
    answer: oneAmendment,
    body: amendmentBody,
    status: 201,
    idempotent: true,
    description: {
      operationId: 'amendSeason',
      tag: 'Seasons',
      summary: 'Change one occurrence of an active season',
      description:
        '`reschedule` moves the start, and the end by as much. `replace` gives another name. Both keep every seat. ' +
        '`cancel_exception` marks the occurrence for the operator, and changes neither its event nor a booking. The ' +
        "season's revision stays.",
      refusals: [...known, 'invalid_season_state', 'conflict'],
      examples: [
        {
          summary: 'A day later',
          body: { eventKey: standIn.seasonEvent, kind: 'reschedule', startsAt: 1_900_172_800_000 },
        },
        { summary: 'Another programme', body: { eventKey: standIn.seasonEvent, kind: 'replace', name: 'Tosca' } },
        {
          summary: 'Without a time',
          body: { eventKey: standIn.seasonEvent, kind: 'reschedule' },
          answers: 'invalid_request',
        },
        {
          summary: 'In a draft',
          path: { key: standIn.draftSeason },
          body: { eventKey: standIn.seasonEvent, kind: 'replace', name: 'Tosca' },
          answers: 'invalid_season_state',
        },
        { ...unknownSeason, body: { eventKey: standIn.seasonEvent, kind: 'replace', name: 'Tosca' } },
      ],
    },
  },
  async (call) => {
    const input = { ...target(call), draft: call.body, ...callIdOf(call) };
    const made = await call.ports.catalog('seasons.amend', input);
    if (!made.ok) return made;
    call.ports.events.drop(call.body.eventKey);
    return done({ amendment: amendmentOf(made.value.amendment) });
  },
);

/** An amendment changes no contract and no seat, so there is no outcome to tell. */
function amendmentOf(record: Amendment): z.output<typeof amendment> {
  return { ...record, contractOutcomes: [], allocationOutcomes: [] };
}

const truncated = z.boolean().describe('Older entries are left out.');

const amendmentsAnswer = z.object({ amendments: z.array(amendment), truncated });

const listSeasonAmendments = serverRoute(
  'GET /v1/seasons/{key}/amendments',
  {
    budget: budgets.seasons,
    answer: amendmentsAnswer,
    description: {
      operationId: 'listSeasonAmendments',
      tag: 'Seasons',
      summary: 'The amendments, newest first',
      description:
        'Each amendment has its state and its classification. `GET …/amendments/{amendmentId}` has the ' + 'outcomes.',
      refusals: known,
      examples: [{ summary: 'All of them' }, unknownSeason],
    },
  },
  async (call) => {
    const found = await call.ports.catalog('seasons.amendments', target(call));
    if (!found.ok) return found;
    const { amendments, truncated } = found.value;
    return done({ amendments: amendments.map(amendmentOf), truncated });
  },
);

const getSeasonAmendment = serverRoute(
  'GET /v1/seasons/{key}/amendments/{amendmentId}',
  {
    budget: budgets.seasons,
    answer: oneAmendment,
    description: {
      operationId: 'getSeasonAmendment',
      tag: 'Seasons',
      summary: 'One amendment',
      description: 'The amendment with its changes, its state, and the outcome for each contract and each event.',
      refusals: known,
      examples: [
        { summary: 'The amendment' },
        { summary: 'An unknown amendment', path: { amendmentId: 'sam_0' }, answers: 'not_found' },
      ],
    },
  },
  async (call) => {
    const amendmentId = call.path.amendmentId;
    const found = await call.ports.catalog('seasons.amendment', { ...target(call), amendmentId });
    return found.ok ? done({ amendment: amendmentOf(found.value.amendment) }) : found;
  },
);

const auditEntry = z.object({ id: z.int(), action: text, actorKind: text, details: z.unknown(), at: epochMs });

const auditAnswer = z.object({ requestId: text, audit: z.array(auditEntry), truncated });

const auditSeason = serverRoute(
  'GET /v1/seasons/{key}/audit',
  {
    budget: budgets.seasons,
    answer: auditAnswer,
    description: {
      operationId: 'auditSeason',
      tag: 'Seasons',
      summary: 'The acts on a season, newest first',
      description: 'One entry for each act: its time, its caller, and the state before and after.',
      refusals: known,
      examples: [{ summary: 'The newest' }, unknownSeason],
    },
  },
  async (call) => {
    const found = await call.ports.catalog('seasons.audit', target(call));
    return found.ok ? done({ requestId: call.request.requestId, ...found.value }) : found;
  },
);

const outboxOccurrence = z.object({
  occurrenceId: idOf('occ'),
  eventName: text,
  payloadSha256: sha256.describe('Of the payload as JSON text, without spaces.'),
  payload: z.record(text, z.unknown()),
  createdAt: epochMs,
  deliveredAt: epochMs.nullable().describe("The first receiver's 2xx."),
  replayedAt: epochMs.nullable(),
  replayCount: count,
});

const outboxAnswer = z.object({
  outbox: z.array(outboxOccurrence),
  undelivered: count.describe('All occurrences that no receiver has accepted.'),
  truncated,
});

const readSeasonOutbox = serverRoute(
  'GET /v1/seasons/{key}/outbox',
  {
    budget: budgets.seasons,
    answer: outboxAnswer,
    description: {
      operationId: 'readSeasonOutbox',
      tag: 'Seasons',
      summary: "The season's own occurrences, newest first",
      description:
        'They are written with or without a subscription, and posted like every webhook. The events of the season have ' +
        'webhooks of their own.',
      refusals: known,
      examples: [{ summary: 'The newest' }, unknownSeason],
    },
  },
  (call) => call.ports.catalog('seasons.outbox', target(call)),
);

const oneOutboxOccurrence = z.object({ occurrence: outboxOccurrence });

const replaySeasonOccurrence = serverRoute(
  'POST /v1/seasons/{key}/outbox/{occurrenceId}/replay',
  {
    budget: budgets.seasons,
    answer: oneOutboxOccurrence,
    description: {
      operationId: 'replaySeasonOccurrence',
      tag: 'Seasons',
      summary: 'Post an occurrence of the outbox once more',
      description:
        'It goes to every subscription that hears of it now, under its own `occurrenceId`. `deliveredAt` keeps the first ' +
        'delivery.',
      refusals: known,
      examples: [
        { summary: 'The first occurrence' },
        { summary: 'An unknown occurrence', path: { occurrenceId: 'occ_0' }, answers: 'not_found' },
      ],
    },
  },
  (call) => call.ports.catalog('seasons.replay', { ...target(call), occurrenceId: call.path.occurrenceId }),
);

const byName = z.record(text, count);

const reportAnswer = z.object({
  report: z.object({
    seasonKey: text,
    generatedAt: epochMs,
    inventory: z.object({
      occurrenceCount: count,
      bookings: count,
      booked: count,
      cancelled: count.describe('Bookings, not seats.'),
    }),
    renewals: byName.describe('Offers by state.'),
    operations: byName,
    allocations: z.object({ total: count, byState: byName, bySource: byName }),
    stuckOperations: count.describe('Operations that have stood unfinished for a minute or more.'),
    webhooks: z.object({
      undelivered: count,
      delivered: count,
      deliveryDefinition: z.literal('at_least_one_receiver_2xx'),
      attempts: count,
      successfulAttempts: count,
      failedAttempts: count,
      lastEventName: textOrNull,
    }),
  }),
});

type SeasonServerCall<Query = unknown> = Call<'server', unknown, null, Query> & WithPath<'key'>;

class Tally {
  readonly operations: Record<string, number> = {};
  readonly byState: Record<string, number> = {};
  readonly bySource: Record<string, number> = {};
  total = 0;
  stuck = 0;
  readonly #now: number;

  constructor(now: number) {
    this.#now = now;
  }

  add({ state, isOpen, changedAt, parts, accessSource }: KeptOperation): void {
    seasonCount(this.operations, state, 1);
    if (isOpen && this.#now - changedAt >= MINUTE_MS) this.stuck++;
    this.total += parts.length;
    seasonCount(this.bySource, accessSource, parts.length);
    for (const part of parts) seasonCount(this.byState, part.state, 1);
  }
}

function seasonCount(counts: Record<string, number>, name: string, more: number): void {
  counts[name] = (counts[name] ?? 0) + more;
}

type ServerCall = Call<'server', unknown, null, unknown>;

export type Versions = { eventKey: string; version: number }[];

/** An operation with the cancellation of its booking. */
type Sale = { operation: KeptOperation; cancellation: SeasonCancellation | null };

const scannedMax = 20_000;

/** A page of the projection, and the operations that one report or look-up reads at most. */
const pageMax = 200;

const reportSeason = serverRoute(
  'GET /v1/seasons/{key}/reports',
  {
    budget: budgets.seasons,
    answer: reportAnswer,
    description: {
      operationId: 'reportSeason',
      tag: 'Seasons',
      summary: 'Bookings, operations and occurrences of a season in numbers',
      description: 'An allocation is the part of an operation in one event. The newest 20,000 operations are counted.',
      refusals: known,
      examples: [{ summary: 'Now' }, unknownSeason],
    },
  },
  report,
);

async function report(call: SeasonServerCall) {
  const [found, outbox, offers] = await Promise.all([
    call.ports.catalog('seasons.get', target(call)),
    call.ports.catalog('seasons.outbox-numbers', target(call)),
    call.ports.catalog('rights.count-offers', target(call)),
  ]);
  if (!found.ok) return found;
  if (!outbox.ok) return outbox;
  if (!offers.ok) return offers;
  const { season } = found.value;
  const generatedAt = call.ports.clock.now();
  const tally = new Tally(generatedAt);
  const { versions } = await eventsOf(call, season);
  const scanned = await scanOperations(call, season, versions, ({ operation }) => tally.add(operation));
  if (!scanned.ok) return scanned;
  const { operations, byState, bySource, total, stuck } = tally;
  const inState = (...states: string[]) => states.reduce((sum, state) => sum + (operations[state] ?? 0), 0);
  return done({
    report: {
      seasonKey: season.key,
      generatedAt,
      renewals: offers.value.states,
      operations,
      stuckOperations: stuck,
      inventory: {
        occurrenceCount: season.eventKeys.length,
        bookings: inState('booked', 'cancel_pending', 'cancelled'),
        booked: inState('booked', 'cancel_pending'),
        cancelled: inState('cancelled'),
      },
      allocations: { total, byState, bySource },
      webhooks: { deliveryDefinition: 'at_least_one_receiver_2xx' as const, ...outbox.value },
    },
  });
}

/**
 * The operations of a season, from the catalog's projection of the journals. A read waits a moment until the present
 * versions of the season's events are counted, so it shows a call that has ended.
 *
 * Failure at each await: an event does not answer → its version is not waited for; the catalog does not answer → its
 * refusal.
 *
 * The ids of these events, by key, and their present versions.
 */
export async function eventsOf(
  { ports, request, principal }: Pick<ServerCall, 'ports' | 'request' | 'principal'>,
  { eventKeys }: { eventKeys: readonly string[] },
) {
  const eventIds = new Map<string, string>();
  const versions: Versions = [];
  const ask = async (eventKey: string) => {
    const known = await knownInTime(ports, eventKey, request.deadlineAt);
    if (!known.ok) return;
    const { event } = known.value;
    eventIds.set(eventKey, event.id);
    const told = await ports.shards.submit(event, callerOf(principal), { type: 'count' }, request.deadlineAt);
    if (told.ok) versions.push({ eventKey, version: told.value.version });
  };
  await Promise.all(eventKeys.map(ask));
  return { eventIds, versions };
}

/** Shows every operation to `see`, the newest first, up to `scannedMax`. */
async function scanOperations(
  call: ServerCall,
  season: SeasonRecord,
  versions: Versions,
  see: (sale: Sale) => void,
): Promise<Outcome<true>> {
  let cursor: string | undefined;
  for (let scanned = 0; scanned < scannedMax; scanned += pageMax) {
    const found = await salesPage(call, season, versions, cursor);
    if (!found.ok) return found;
    for (const sale of found.value.sales) see(sale);
    cursor = found.value.nextCursor;
    if (cursor === undefined) break;
  }
  return done(true);
}

async function salesPage(
  call: ServerCall,
  { key }: SeasonRecord,
  versions: Versions,
  cursor: string | undefined,
): Promise<Outcome<{ sales: Sale[]; nextCursor?: string }>> {
  const page = { limit: pageMax, ...(cursor !== undefined && { cursor }) };
  const found = await call.ports.catalog('operations.list', { owner: { kind: 'season', key }, versions, page });
  if (!found.ok) return found;
  const { operations, ...more } = found.value;
  const sales = await salesOf(call, key, operations);
  return sales.ok ? done({ sales: sales.value, ...more }) : sales;
}

async function salesOf(
  call: ServerCall,
  seasonKey: string,
  operations: readonly KeptOperation[],
): Promise<Outcome<Sale[]>> {
  const booked = operations.filter(({ actions }) => actions.some(({ state }) => state === 'booked'));
  const ids = booked.map(({ operationId }) => operationId);
  const cancellations = await cancellationsOf(call, seasonKey, ids);
  if (!cancellations.ok) return cancellations;
  return done(operations.map((each) => saleOf(each, cancellations.value.get(each.operationId) ?? null)));
}

/** The cancellations of these operations, by operation. */
export async function cancellationsOf(
  { ports }: Pick<ServerCall, 'ports'>,
  seasonKey: string,
  operationIds: readonly string[],
): Promise<Outcome<ReadonlyMap<string, SeasonCancellation>>> {
  if (operationIds.length === 0) return done(new Map());
  const found = await ports.catalog('seasons.cancellations', { seasonKey, operationIds });
  if (!found.ok) return found;
  return done(new Map(found.value.cancellations.map((each) => [each.operationId, each])));
}

/** A cancelled booking may have units that an event had freed before, which its part still counts. */
function saleOf(operation: KeptOperation, cancellation: SeasonCancellation | null): Sale {
  const isOver = cancellation?.state === 'cancelled';
  return { operation: isOver ? { ...operation, state: 'cancelled' } : operation, cancellation };
}

const operation = z.object({
  operationId: text.describe('The name that the caller gave to the hold.'),
  kind: z.enum(['hold', 'booking']),
  state: text,
  holdId: text,
  bookingRef: textOrNull,
  allocations: z.array(z.object({ eventId: text, state: text })),
});

/** Answers about the sales of a season, for the people who look after it: report, operations, look-ups, export. */
const operationsAnswer = z.object({ operations: z.array(operation), truncated: z.boolean() });

const listSeasonOperations = serverRoute(
  'GET /v1/seasons/{key}/operations',
  {
    budget: budgets.seasons,
    answer: operationsAnswer,
    description: {
      operationId: 'listSeasonOperations',
      tag: 'Seasons',
      summary: 'The newest 200 holds and bookings of a season',
      description: 'An answer that shows something unfinished has `Retry-After`.',
      headers: ['Retry-After'],
      refusals: known,
      examples: [{ summary: 'The newest' }, unknownSeason],
    },
  },
  async (call) => {
    const found = await call.ports.catalog('seasons.get', target(call));
    if (!found.ok) return found;
    const listed = await operationsOf(call, found.value.season);
    if (!listed.ok) return listed;
    const { isOpen, ...told } = listed.value;
    return done(preparedJson(spell(told), isOpen ? [again] : []));
  },
);

async function operationsOf(call: SeasonServerCall, season: SeasonRecord) {
  const { eventIds, versions } = await eventsOf(call, season);
  const found = await newestOperations(call, season, versions);
  if (!found.ok) return found;
  const { operations, ...more } = found.value;
  return done({ operations: operations.map((kept) => operationOf(season, kept, eventIds)), ...more });
}

/** The newest operations. `isOpen`: something goes on with one of them. */
async function newestOperations(
  call: ServerCall,
  season: SeasonRecord,
  versions: Versions,
): Promise<Outcome<{ operations: KeptOperation[]; isOpen: boolean; truncated: boolean }>> {
  const found = await salesPage(call, season, versions, undefined);
  if (!found.ok) return found;
  const { sales, nextCursor } = found.value;
  return done({
    operations: sales.map(({ operation }) => operation),
    isOpen: sales.some(({ operation, cancellation }) => operation.isOpen || cancellation?.state === 'cancel_pending'),
    truncated: nextCursor !== undefined,
  });
}

/** `eventIds` is by event key. */
function operationOf(
  { key }: SeasonRecord,
  kept: KeptOperation,
  eventIds: ReadonlyMap<string, string>,
): z.output<typeof operation> {
  const booked = standingAction(kept);
  return {
    operationId: kept.operationId,
    kind: booked ? 'booking' : 'hold',
    state: kept.state,
    holdId: ownerHoldId({ kind: 'season', key }, kept.operationId),
    bookingRef: booked?.bookingRef ?? null,
    allocations: kept.parts.map(({ eventKey, state }) => ({ eventId: eventIds.get(eventKey) ?? eventKey, state })),
  };
}

/** The booking that stands, or is under way. */
function standingAction({ actions }: KeptOperation): KeptBookingAction | null {
  return actions.find(({ state }) => state !== 'refused') ?? null;
}

const lastError = textOrNull.describe('The code of a refusal.');

const cancelOutcome = z.object({
  eventKey: text,
  state: z.enum(['pending', 'cancelled', 'failed']),
  code: textOrNull,
});

/** A booking of a season as its platform and its support see it. */
export const seasonBooking = z.object({
  actionId: text.describe('The `bookActionId` of the call that booked.'),
  operationId: text,
  bookingRef: text,
  planActivationId: textOrNull,
  state: z
    .enum(['book_pending', 'booked', 'book_failed', 'partial_terminal', 'cancelled'])
    .describe('`booked` while it is being cancelled. `partial_terminal` where some events could not cancel.'),
  outcomes: z.array(z.object({ eventKey: text, state: z.enum(['pending', 'booked', 'failed']), code: textOrNull })),
  lastError,
  cancellation: z
    .object({
      cancelActionId: text,
      state: z.enum(cancellationStates),
      rightDisposition: z.enum(rightDispositions),
      outcomes: z.array(cancelOutcome),
      lastError,
    })
    .nullable(),
});

/** Offers as their own calls show them, and contracts as the catalog has them. */
const ofRights = z.array(z.record(text, z.unknown()));

const lookupAnswer = z.object({
  requestId: text,
  lookup: z.object({
    bookingRef: textOrNull,
    holderRef: textOrNull,
    bookings: z.array(seasonBooking),
    offers: ofRights,
    contracts: ofRights.describe(
      'A contract has the `labels` of all nights. `exchanged` lists the nights that have other seats by an exchange, each ' +
        'with `eventKey` and `labels`, until every night has them.',
    ),
  }),
});

const lookupQuery = z.object({
  bookingRef: textOfQuery('The reference of a booking.'),
  holderRef: textOfQuery('The reference of a holder.'),
});

const nothingAsked = refuse('invalid_request', 'A look-up needs bookingRef or holderRef.', {
  details: { issues: [{ path: 'bookingRef', message: 'Must be sent, or holderRef.' }] },
});

const lookUpSeasonSupport = serverRoute(
  'GET /v1/seasons/{key}/support-lookups',
  {
    budget: budgets.seasons,
    answer: lookupAnswer,
    query: lookupQuery,
    description: {
      operationId: 'lookUpSeasonSupport',
      tag: 'Seasons',
      summary: 'The bookings of a reference, or the rights of a holder',
      description:
        'Needs `bookingRef` or `holderRef`. No match is an answer with empty lists. An answer with an unfinished booking ' +
        'has `Retry-After`.',
      headers: ['Retry-After'],
      refusals: [...known, 'invalid_request'],
      examples: [
        { summary: 'By an order', query: { bookingRef: 'order-3000' } },
        { summary: 'By nothing', answers: 'invalid_request' },
        { ...unknownSeason, query: { holderRef: 'holder-1' } },
      ],
    },
  },
  async (call) => {
    const { bookingRef = null, holderRef = null } = call.query;
    if (!bookingRef && !holderRef) return nothingAsked;
    const found = await call.ports.catalog('seasons.get', target(call));
    if (!found.ok) return found;
    const { season } = found.value;
    const { versions } = await eventsOf(call, season);
    const sales = bookingRef ? await salesOfReference(call, season, versions, bookingRef) : done([]);
    if (!sales.ok) return sales;
    const bookings = sales.value.flatMap(({ operation, cancellation }) => {
      const action = standingAction(operation);
      return action?.bookingRef === bookingRef ? [bookingOf(operation, action, cancellation)] : [];
    });
    const asked = { ...target(call), versions, bookingRef, holderRef };
    const kept = await call.ports.catalog('rights.lookup', asked);
    if (!kept.ok) return kept;
    const lookup = { bookingRef, holderRef, bookings, ...kept.value };
    const told = { requestId: call.request.requestId, lookup };
    return done(preparedJson(spell(told), bookings.some(isOpenBooking) ? [again] : []));
  },
);

/** The newest sales whose bookings have this reference, or were tried with it. */
async function salesOfReference(
  call: ServerCall,
  { key }: SeasonRecord,
  versions: Versions,
  bookingRef: string,
): Promise<Outcome<Sale[]>> {
  const asked = { owner: { kind: 'season' as const, key }, versions, bookingRef };
  const found = await call.ports.catalog('operations.by-booking-ref', asked);
  return found.ok ? salesOf(call, key, found.value.operations) : found;
}

export type SeasonBookingAnswer = z.output<typeof seasonBooking>;

/** The booking that the action has made, or tries to make. */
export function bookingOf(
  kept: Pick<KeptOperation, 'operationId' | 'planActivationId' | 'isOpen' | 'parts'>,
  action: Pick<KeptBookingAction, 'actionId' | 'bookingRef' | 'state'>,
  cancellation: SeasonCancellation | null,
): SeasonBookingAnswer {
  const { operationId, planActivationId, parts } = kept;
  const state = stateOf(kept, action, cancellation);
  const code = state === 'book_failed' ? 'conflict' : null;
  return {
    actionId: action.actionId,
    operationId,
    bookingRef: action.bookingRef ?? '',
    planActivationId,
    state,
    outcomes: parts.map((part) => ({ eventKey: part.eventKey, state: code ? 'failed' : outcomeOf(part), code })),
    lastError: code,
    cancellation: cancellation && cancellationOf(cancellation),
  };
}

/** A pin without a decision counts as refused once nothing goes on with it. */
function stateOf(
  { isOpen }: Pick<KeptOperation, 'isOpen'>,
  { state }: Pick<KeptBookingAction, 'state'>,
  cancellation: SeasonCancellation | null,
): SeasonBookingAnswer['state'] {
  if (state === 'pending' && isOpen) return 'book_pending';
  if (state !== 'booked') return 'book_failed';
  const ended = cancellation?.state;
  return ended === 'cancelled' || ended === 'partial_terminal' ? ended : 'booked';
}

function outcomeOf({ state }: Pick<KeptPart, 'state'>): 'pending' | 'booked' {
  return state === 'booked' || state === 'cancelled' ? 'booked' : 'pending';
}

function cancellationOf({ cancelActionId, state, rightDisposition, outcomes }: SeasonCancellation) {
  const failed = outcomes.find((each) => each.state === 'failed');
  return { cancelActionId, state, rightDisposition, outcomes, lastError: failed?.code ?? null };
}

/** Whether polling goes on. */
export function isOpenBooking({ state, cancellation }: SeasonBookingAnswer): boolean {
  return state === 'book_pending' || cancellation?.state === 'cancel_pending';
}

const rehearsalAnswer = z.object({
  season: seasonDetail,
  rehearsal: z.object({
    ready: z.literal(true),
    holdOperationId: text,
    bookActionId: text,
    cancelActionId: text,
    subscriptionId: idOf('whk').describe('The subscription that has received all three.'),
    occurrenceIds: z.array(idOf('occ')).describe('Of hold, booking and cancellation, in this order.'),
    payloadSha256: z.array(sha256),
  }),
});

const validateSeasonRehearsal = serverRoute(
  'POST /v1/seasons/{key}/buyer-rehearsals/validate',
  {
    budget: budgets.seasons,
    answer: rehearsalAnswer,
    description: {
      operationId: 'validateSeasonRehearsal',
      tag: 'Seasons',
      summary: 'Prove that a sale of the season was rehearsed',
      description:
        'Needs a hold, its booking and its cancellation, and one subscription whose receiver has accepted the webhooks of ' +
        'all three. The season then has `buyerRehearsalReady`. Sales open without a rehearsal, too. The body is ignored.',
      refusals: [...known, 'rehearsal_incomplete'],
      examples: [
        { summary: 'After a rehearsal', path: { key: standIn.rehearsedSeason } },
        { summary: 'Before any sale', answers: 'rehearsal_incomplete' },
        unknownSeason,
      ],
    },
  },
  rehearsed,
);

async function rehearsed(call: SeasonServerCall) {
  const found = await call.ports.catalog('seasons.rehearse', target(call));
  if (!found.ok) return found;
  return done({
    season: seasonDetailOf(found.value.season),
    rehearsal: { ready: true as const, ...found.value.rehearsal },
  });
}

const exportAnswer = z.object({
  requestId: text,
  export: z.object({
    version: z.literal('season-support-export.v1'),
    exportedAt: epochMs,
    season: seasonDetail,
    occurrences: z.array(occurrence),
    amendments: z.array(amendment),
    operations: z.array(operation),
    offers: ofRights,
    contracts: ofRights.describe('The active contracts of the plans.'),
    outbox: z.array(outboxOccurrence),
    audit: z.array(auditEntry),
    truncated: z.boolean().describe('One of the lists has more entries than the export.'),
  }),
});

const exportSeason = serverRoute(
  'GET /v1/seasons/{key}/export',
  {
    budget: budgets.seasons,
    answer: exportAnswer,
    description: {
      operationId: 'exportSeason',
      tag: 'Seasons',
      summary: 'A season with everything that its support reads, as one document',
      description: 'Each list has its newest entries; of each plan the first 100 contracts.',
      refusals: known,
      examples: [{ summary: 'The season' }, unknownSeason],
    },
  },
  exported,
);

async function exported(call: SeasonServerCall) {
  const { ports } = call;
  const of = target(call);
  const found = await ports.catalog('seasons.get', of);
  if (!found.ok) return found;
  const { season } = found.value;
  const [occurrences, amendments, audit, outbox, offers, operations] = await Promise.all([
    ports.catalog('seasons.occurrences', of),
    ports.catalog('seasons.amendments', of),
    ports.catalog('seasons.audit', of),
    ports.catalog('seasons.outbox', of),
    ports.catalog('rights.offers', of),
    operationsOf(call, season),
  ]);
  if (!occurrences.ok) return occurrences;
  if (!amendments.ok) return amendments;
  if (!audit.ok) return audit;
  if (!outbox.ok) return outbox;
  if (!offers.ok) return offers;
  if (!operations.ok) return operations;
  // The operations are counted by now, so the contracts of their bookings are found.
  const contracts = await contractsOf(call, season);
  if (!contracts.ok) return contracts;
  const cut = [amendments.value, audit.value, outbox.value, offers.value, operations.value, contracts.value];
  return done({
    requestId: call.request.requestId,
    export: {
      version: 'season-support-export.v1' as const,
      exportedAt: ports.clock.now(),
      season: seasonDetailOf(season),
      occurrences: occurrences.value.occurrences.map(occurrenceOf),
      amendments: amendments.value.amendments.map(amendmentOf),
      operations: operations.value.operations,
      offers: offers.value.offers,
      contracts: contracts.value.contracts,
      outbox: outbox.value.outbox,
      audit: audit.value.audit,
      truncated: cut.some(({ truncated }) => truncated),
    },
  });
}

/** The first page of the contracts of each plan that was ever published. */
async function contractsOf(call: SeasonServerCall, { plans }: SeasonRecord) {
  const pages = await Promise.all(
    plans.flatMap(({ activationId: planActivationId }) => {
      if (planActivationId === null) return [];
      return [call.ports.catalog('rights.contracts', { ...target(call), versions: [], planActivationId, page: {} })];
    }),
  );
  const contracts: Contract[] = [];
  let truncated = false;
  for (const page of pages) {
    if (!page.ok) return page;
    contracts.push(...page.value.contracts);
    truncated ||= page.value.nextCursor !== undefined;
  }
  return done({ contracts, truncated });
}

export const oneSeasonBooking = z.object({ booking: seasonBooking });

export const seasonsRoutes = [
  listSeasons,
  validateSeason,
  createSeason,
  getSeason,
  updateSeason,
  deleteSeason,
  duplicateSeasonToLive,
  activateSeason,
  closeSeason,
  archiveSeason,
  getSeasonLifecycle,
  createSeasonPlan,
  getSeasonPlan,
  publishSeasonPlan,
  supersedeSeasonPlan,
  ...salesRoutes,
  listSeasonOccurrences,
  amendSeason,
  listSeasonAmendments,
  getSeasonAmendment,
  auditSeason,
  readSeasonOutbox,
  replaySeasonOccurrence,
  reportSeason,
  listSeasonOperations,
  lookUpSeasonSupport,
  validateSeasonRehearsal,
  exportSeason,
];

export const seasonsSchemas = { Season: season, SeasonDetail: seasonDetail, SeasonPlan: seasonPlan };
