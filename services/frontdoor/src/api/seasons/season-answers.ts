/** Answers of seasons, their plans and their lifecycle. */
import type { PlanStep, SeasonLifecycle, SeasonPlan, SeasonRecord, SeasonStep } from '@parterre/shared/catalog/seasons';
import { structureStates } from '@parterre/shared/catalog/seasons';
import { z } from 'zod';
import {
  count,
  currency,
  epochMs,
  idOf,
  issue,
  mode,
  nextCursor,
  optional,
  text,
  textOrNull,
} from '../records/records.ts';

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

const sourceGroup = z.object({
  key: idOf('pg'),
  activationId: text,
  memberSetSha256: sha256,
  activationSpecSha256: sha256,
  eventKeys: z.array(text),
});

export const seasonPlan = z.object({
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
  currency,
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

export const season = z.object(seasonFields);
export const seasonDetail = z.object({ ...seasonFields, plans: z.array(seasonPlan) });

const lifecycle = z.object({
  operationId: idOf('slc'),
  kind: z.enum(['ACTIVATION', 'CLOSE', 'ARCHIVE', 'PLAN_PUBLICATION']),
  phase: z
    .enum(['decided', 'active', 'closed', 'archived', 'published'])
    .describe('A step that failed ends as `decided`, with a code.'),
  terminal: z.boolean(),
  code: optional(text.describe('Why the step failed. The season is then as before the step.')),
});

export const oneSeason = z.object({ season: seasonDetail });
export const onePlan = z.object({ plan: seasonPlan });
export const listSeasonsAnswer = z.object({ seasons: z.array(season), nextCursor });
export const seasonStep = z.object({ season: seasonDetail, lifecycleOperation: lifecycle });
export const planStep = seasonStep.extend({ plan: seasonPlan });
export const validateSeasonAnswer = z.object({
  valid: z.boolean(),
  mode,
  eventKeys: z.array(text),
  occurrenceCount: count,
  sourcePerformanceGroups: z.array(sourceGroup),
  issues: z.array(issue),
});

export function seasonOf(record: SeasonRecord): z.output<typeof season> {
  const { organisationId: _, planHash, chartVersion: __, region: ___, rehearsedAt, ...more } = record;
  const { plans: ____, eventKeys, sourcePerformanceGroups: _____, ...fields } = more;
  return {
    ...fields,
    sourceChartKey: record.chartId,
    sourceChartSha256: Buffer.from(planHash, 'base64url').toString('hex'),
    audience: 'embed_only',
    occurrenceCount: eventKeys.length,
    buyerRehearsalReady: rehearsedAt !== null,
  };
}

export function seasonDetailOf(record: SeasonRecord): z.output<typeof seasonDetail> {
  return { ...seasonOf(record), plans: record.plans.map(planOf) };
}

export function planOf(plan: SeasonPlan): z.output<typeof seasonPlan> {
  return { ...plan, channelPolicy: 'exclude_restricted' };
}

export function stepOf(step: SeasonStep): z.output<typeof seasonStep> {
  return { season: seasonDetailOf(step.season), lifecycleOperation: lifecycleOf(step.lifecycle) };
}

export function planStepOf(step: PlanStep): z.output<typeof planStep> {
  return { ...stepOf(step), plan: planOf(step.plan) };
}

function lifecycleOf({ operationId, kind, phase, terminal, code }: SeasonLifecycle): z.output<typeof lifecycle> {
  return { operationId, kind, phase, terminal, ...(code !== null && { code }) };
}
