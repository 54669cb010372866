/**
 * Performance groups: list, create, read and delete them, the steps of their lifecycle.
 */

import type { EventRecord } from '@parterre/shared/protocol/catalog/events';
import type { GroupDetail, GroupRecord, GroupStep } from '@parterre/shared/protocol/catalog/groups';
import { isOpenStep, type LockingStep } from '@parterre/shared/protocol/catalog/lifecycles';
import { done, type Outcome } from '@parterre/shared/protocol/errors';
import { inventoryModelVersion } from '@parterre/shared/protocol/event-meta';
import { groupDraftKeysMax } from '@parterre/shared/protocol/group-limits';
import { unitOf } from '@parterre/shared/protocol/money';
import { z } from 'zod';
import { budgets, callIdOf, scopeOf } from '../admission/admission.ts';
import { noContent } from '../answers/answers.ts';
import { standIn } from '../openapi/openapi.ts';
import { inTime } from './calls/ask.ts';
import { choice, cursor, limit, namedIn, pageOf, text as textOfQuery } from './calls/query.ts';
import { type Call, serverRoute, type WithPath } from './calls/route.ts';
import { type StepOwner, stepReadRoute, stepRoute } from './owner-lifecycles.ts';
import {
  count,
  epochMs,
  externalRef,
  id,
  idOf,
  inMoney,
  mode,
  name,
  nextCursor,
  optional,
  text,
  textOrNull,
} from './records.ts';

export const groupState = z.enum(['draft', 'active', 'closing', 'closed', 'archived']);

const groupFields = {
  key: idOf('pg'),
  kind: z.literal('performance_run'),
  name: text,
  externalRef: textOrNull,
  state: groupState,
  revision: count.min(1).describe('Grows with each step of the lifecycle. A step names the revision that it saw.'),
  workspaceId: idOf('ws'),
  mode,
  environment: textOrNull,
  chartId: idOf('cht'),
  sourceChartKey: idOf('cht'),
  inventoryModelVersion: z.literal(2),
  ...inMoney,
  venue: textOrNull.describe('Null where the events differ.'),
  timezone: textOrNull.describe('An IANA zone name; null where the events differ.'),
  performanceCount: count,
  firstStartsAt: epochMs.describe('0 for a draft whose events have lost their starts.'),
  lastStartsAt: epochMs,
  createdAt: epochMs,
  updatedAt: epochMs,
  activatedAt: epochMs.nullable(),
  closedAt: epochMs.nullable(),
};

const group = z.object(groupFields);

const listGroupsAnswer = z.object({ performanceGroups: z.array(group), nextCursor });

const groupsQuery = z.object({
  limit: limit({ usual: 100, most: 200 }),
  cursor,
  externalRef: textOfQuery('Only groups with this externalRef.'),
  workspaceId: textOfQuery('Only groups of this workspace.'),
  state: choice(
    'Only groups in this state.',
    ['draft', 'active', 'closing', 'closed', 'archived'],
    'There is no such state of a group. Leave out the state, or name a state of a group.',
  ),
});

const listPerformanceGroups = serverRoute(
  'GET /v1/performance-groups',
  {
    budget: budgets.serverCalls,
    answer: listGroupsAnswer,
    query: groupsQuery,
    description: {
      operationId: 'listPerformanceGroups',
      tag: 'Groups',
      summary: 'The performance groups, newest first',
      description: "The groups of the caller's workspaces and mode, each with its state. The list has pages.",
      refusals: ['invalid_request'],
      examples: [
        { summary: 'All of them' },
        { summary: 'The active ones', query: { state: 'active' } },
        { summary: 'An unknown state', query: { state: 'open' }, answers: 'invalid_request' },
      ],
    },
  },
  async ({ ports, principal, query }) => {
    const { state } = query;
    const filter = { ...namedIn(query), ...(state !== undefined && { state }) };
    const listed = await ports.catalog('groups.list', { scope: scopeOf(principal), page: pageOf(query), ...filter });
    if (!listed.ok) return listed;
    const { groups, ...more } = listed.value;
    return done({ performanceGroups: groups.map(groupOf), ...more });
  },
);

function groupOf({ group: record, events }: GroupDetail): z.output<typeof group> {
  const { organisationId: _, chartVersion: __, region: ___, eventKeys, ...fields } = record;
  const starts = events.flatMap(({ startsAt }) => startsAt ?? []);
  return {
    ...fields,
    priceUnit: unitOf(record),
    kind: 'performance_run',
    sourceChartKey: record.chartId,
    inventoryModelVersion,
    venue: common(events, 'venue'),
    timezone: common(events, 'timezone'),
    performanceCount: eventKeys.length,
    firstStartsAt: starts.length === 0 ? 0 : Math.min(...starts),
    lastStartsAt: Math.max(0, ...starts),
  };
}

/** The value that all events have; null where they differ. */
function common(events: readonly EventRecord[], field: 'venue' | 'timezone'): string | null {
  const [first] = events;
  return first && events.every((event) => event[field] === first[field]) ? first[field] : null;
}

const performance = z.object({
  position: count.min(1),
  eventKey: text,
  name: text,
  startsAt: epochMs,
  endsAt: epochMs.nullable(),
  venue: textOrNull,
  timezone: textOrNull,
  externalRef: textOrNull,
  salesState: z.enum(['open', 'closed']),
  status: z.enum(['active', 'closed', 'archived', 'deleted']),
});

const groupDetail = z.object({ ...groupFields, performances: z.array(performance) });

export const oneGroup = z.object({ performanceGroup: groupDetail });

const groupBody = z.object({
  name,
  eventKeys: z
    .array(id)
    .max(groupDraftKeysMax)
    .describe('2 to 8 events of one chart version, mode, workspace, region and currency, in the order of the run.'),
  externalRef: optional(externalRef.nullable()),
});

const createPerformanceGroup = serverRoute(
  'POST /v1/performance-groups',
  {
    budget: budgets.serverCalls,
    answer: oneGroup,
    body: groupBody,
    status: 201,
    idempotent: true,
    description: {
      operationId: 'createPerformanceGroup',
      tag: 'Groups',
      summary: 'Create a draft of a performance group',
      description:
        'The events have one chart version, mode, workspace, region and currency, and each has a start. An event may be ' +
        'in several drafts, and in one active group. Events that do not fit are refused with all `issues` at once.',
      refusals: ['incompatible_events'],
      examples: [
        { summary: 'Two evenings', body: { name: 'Spring run', eventKeys: [standIn.evening, standIn.nextEvening] } },
        {
          summary: 'One event',
          body: { name: 'Spring run', eventKeys: [standIn.evening] },
          answers: 'incompatible_events',
        },
        {
          summary: 'An unknown event',
          body: { name: 'Spring run', eventKeys: [standIn.evening, 'no-such-event'] },
          answers: 'incompatible_events',
        },
      ],
    },
  },
  async (call) => {
    const input = { scope: scopeOf(call.principal), draft: call.body, ...callIdOf(call) };
    const created = await call.ports.catalog('groups.create', input);
    return created.ok ? done({ performanceGroup: groupDetailOf(created.value) }) : created;
  },
);

export function groupDetailOf(detail: GroupDetail): z.output<typeof groupDetail> {
  return { ...groupOf(detail), performances: performancesOf(detail) };
}

function performancesOf({ group: { eventKeys }, events }: GroupDetail) {
  return events.map((event) => ({
    position: eventKeys.indexOf(event.key) + 1,
    eventKey: event.key,
    name: event.name,
    startsAt: event.startsAt ?? 0,
    endsAt: event.endsAt,
    venue: event.venue,
    timezone: event.timezone,
    externalRef: event.externalRef,
    salesState: isOnSale(event) ? ('open' as const) : ('closed' as const),
    status: event.status,
  }));
}

export function isOnSale({ status, salesPaused }: Pick<EventRecord, 'status' | 'salesPaused'>): boolean {
  return status === 'active' && !salesPaused;
}

export const unknownGroup = { summary: 'An unknown group', path: { key: 'pg_0' }, answers: 'not_found' } as const;

const getPerformanceGroup = serverRoute(
  'GET /v1/performance-groups/{key}',
  {
    budget: budgets.serverCalls,
    answer: oneGroup,
    description: {
      operationId: 'getPerformanceGroup',
      tag: 'Groups',
      summary: 'One performance group with its performances',
      description:
        'The group with its revision, which the next change must name, and with each performance, its event ' +
        'and its place in the order.',
      refusals: ['not_found', 'mode_mismatch'],
      examples: [{ summary: 'The group' }, unknownGroup],
    },
  },
  async (call) => {
    const found = await call.ports.catalog('groups.get', target(call));
    return found.ok ? done({ performanceGroup: groupDetailOf(found.value) }) : found;
  },
);

export function target({ principal, path }: Pick<Call<'server'>, 'principal'> & WithPath<'key'>) {
  return { scope: scopeOf(principal), groupKey: path.key };
}

/** The group that a page's path names, from the cache. */
export function groupOfPath(
  call: Pick<Call<'none'>, 'ports' | 'request'> & WithPath<'key'>,
): Outcome<GroupRecord> | Promise<Outcome<GroupRecord>> {
  return inTime(call, call.ports.groups.get(call.path.key));
}

const deletePerformanceGroup = serverRoute(
  'DELETE /v1/performance-groups/{key}',
  {
    budget: budgets.serverCalls,
    answer: null,
    status: 204,
    idempotent: true,
    description: {
      operationId: 'deletePerformanceGroup',
      tag: 'Groups',
      summary: 'Delete a draft',
      description:
        'A draft has sold nothing, so nothing else changes. Anything but a draft is answered 409 with its ' + 'state.',
      refusals: ['not_found', 'mode_mismatch', 'invalid_group_state', 'conflict'],
      examples: [
        { summary: 'A draft', path: { key: standIn.draftGroup } },
        { summary: 'An active group', answers: 'invalid_group_state' },
        unknownGroup,
      ],
    },
  },
  async (call) => {
    const deleted = await call.ports.catalog('groups.delete', target(call));
    return deleted.ok ? done(noContent) : deleted;
  },
);

const phase = z.enum([
  'activation_locking',
  'activation_registry',
  'activation_aborting',
  'active',
  'activation_failed',
  'close_registry',
  'close_draining',
  'close_finalize',
  'close_unlocking',
  'close_failed',
  'closed',
]);

/** The phase of each step of the catalog. No step has the phases `close_finalize` and `close_failed`. */
const phaseAt: Record<LockingStep, z.output<typeof phase>> = {
  locking: 'activation_locking',
  noting: 'activation_registry',
  aborting: 'activation_aborting',
  active: 'active',
  failed: 'activation_failed',
  cleared: 'activation_failed',
  draining: 'close_registry',
  waiting: 'close_draining',
  unlocking: 'close_unlocking',
  closed: 'closed',
};

const lifecycle = z.object({
  operationId: idOf('op'),
  kind: z.enum(['ACTIVATION', 'CLOSE']),
  phase,
  terminal: z.boolean(),
  totalLocks: count,
  ackedLocks: count,
  remainingOperations: count.nullable().describe('Live holds that a close waits for.'),
  code: textOrNull.describe('Why the step failed.'),
});

const groupStep = z.object({ performanceGroup: groupDetail, lifecycleOperation: lifecycle });

const stepBody = z.object({
  expectedRevision: z.int().min(1).describe('The revision of the group that the caller has read.'),
});

const steps: StepOwner<GroupStep> = {
  owners: 'performance-groups',
  noun: 'PerformanceGroup',
  tag: 'Groups',
  budget: budgets.serverCalls,
  body: stepBody,
  answer: groupStep,
  show: groupStepOf,
};

function groupStepOf({ lifecycle, ...detail }: GroupStep): z.output<typeof groupStep> {
  const { operationId, kind, step, ackedLocks, remainingOperations, code } = lifecycle;
  const lifecycleOperation = {
    operationId,
    kind,
    phase: phaseAt[step],
    terminal: !isOpenStep(step),
    totalLocks: detail.group.eventKeys.length,
    ackedLocks,
    remainingOperations,
    code,
  };
  return { performanceGroup: groupDetailOf(detail), lifecycleOperation };
}

const polling =
  'The answer is 200 if the step has ended, else 202: then poll the address in `Location`. Every step ends in a ' +
  'terminal phase.';

const activatePerformanceGroup = stepRoute(
  steps,
  'activate',
  {
    summary: 'Put a draft on sale',
    description:
      'Locks every event: while the group is active or closing, its events keep chart, times, venue and currency, and ' +
      'cannot be closed, archived or deleted (409 `performance_group_locked`). If an event does not fit any more, the ' +
      `step ends in \`activation_failed\` with a \`code\`, and the group is a draft again. ${polling}`,
    refusals: ['not_found', 'mode_mismatch', 'invalid_group_state', 'conflict'],
    examples: [
      { summary: 'A draft', path: { key: standIn.draftGroup }, body: { expectedRevision: 1 } },
      {
        summary: 'A stale revision',
        path: { key: standIn.draftGroup },
        body: { expectedRevision: 99 },
        answers: 'conflict',
      },
      { ...unknownGroup, body: { expectedRevision: 1 } },
    ],
  },
  (call) => call.ports.catalog('groups.activate', { ...target(call), ...call.body }),
);

const closePerformanceGroup = stepRoute(
  steps,
  'close',
  {
    summary: 'Take a group off sale for good',
    description: `New holds are refused at once. The step waits for live holds, then unlocks the events. ${polling}`,
    refusals: ['not_found', 'mode_mismatch', 'invalid_group_state', 'conflict'],
    examples: [
      { summary: 'The group, which has a live hold', body: { expectedRevision: 3 }, status: 202 },
      { summary: 'A stale revision', body: { expectedRevision: 99 }, answers: 'conflict' },
      { ...unknownGroup, body: { expectedRevision: 1 } },
    ],
  },
  (call) => call.ports.catalog('groups.close', { ...target(call), ...call.body }),
);

const getPerformanceGroupLifecycle = stepReadRoute(
  steps,
  {
    summary: 'One step of the lifecycle',
    description:
      'The state of an activation, a close or an archiving, by the id that its first answer gave. An open step ' +
      'has `Retry-After`.',
    refusals: ['not_found', 'mode_mismatch'],
    examples: [
      { summary: 'The activation', path: { operationId: standIn.groupStep } },
      { summary: 'An unknown step', path: { operationId: 'op_0' }, answers: 'not_found' },
    ],
  },
  (call, operationId) => call.ports.catalog('groups.lifecycle', { ...target(call), operationId }),
);

export const groupsRoutes = [
  listPerformanceGroups,
  createPerformanceGroup,
  getPerformanceGroup,
  deletePerformanceGroup,
  activatePerformanceGroup,
  closePerformanceGroup,
  getPerformanceGroupLifecycle,
];

export const groupsSchemas = {
  PerformanceGroup: group,
  PerformanceGroupDetail: groupDetail,
};
