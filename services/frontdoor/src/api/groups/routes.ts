/** Performance groups: list, create, read and delete them, and the steps of their lifecycle. */
import type { GroupStep } from '@parterre/shared/catalog/groups';
import { done, type Outcome } from '@parterre/shared/errors';
import type { z } from 'zod';
import { budgets, callIdOf, scopeOf } from '../../admission/admission.ts';
import { type Header, noContent, preparedJson, spell } from '../../answers/answers.ts';
import { type Call, namedIn, pageOf, serverRoute } from '../calls/calls.ts';
import { groupBody, stepBody } from './bodies.ts';
import { groupDetailOf, groupOf, groupStep, groupStepOf, listGroupsAnswer, oneGroup } from './group-answers.ts';
import { groupsQuery } from './queries.ts';

const counted = { budget: budgets.serverCalls };

export const groupRoutes = [
  serverRoute(
    'GET /v1/performance-groups',
    { ...counted, answer: listGroupsAnswer, query: groupsQuery },
    async ({ ports, principal, query }) => {
      const { state } = query;
      const filter = { ...namedIn(query), ...(state !== undefined && { state }) };
      const listed = await ports.catalog('groups.list', { scope: scopeOf(principal), page: pageOf(query), ...filter });
      if (!listed.ok) return listed;
      const { groups, ...more } = listed.value;
      return done({ performanceGroups: groups.map(groupOf), ...more });
    },
  ),
  serverRoute(
    'POST /v1/performance-groups',
    { ...counted, answer: oneGroup, body: groupBody, status: 201, idempotent: true },
    async (call) => {
      const input = { scope: scopeOf(call.principal), draft: call.body, ...callIdOf(call) };
      const created = await call.ports.catalog('groups.create', input);
      return created.ok ? done({ performanceGroup: groupDetailOf(created.value) }) : created;
    },
  ),
  serverRoute('GET /v1/performance-groups/{key}', { ...counted, answer: oneGroup }, async (call) => {
    const found = await call.ports.catalog('groups.get', target(call));
    return found.ok ? done({ performanceGroup: groupDetailOf(found.value) }) : found;
  }),
  serverRoute(
    'DELETE /v1/performance-groups/{key}',
    { ...counted, answer: null, status: 204, idempotent: true },
    async (call) => {
      const deleted = await call.ports.catalog('groups.delete', target(call));
      return deleted.ok ? done(noContent) : deleted;
    },
  ),
  serverRoute(
    'POST /v1/performance-groups/{key}/activate',
    { ...counted, answer: groupStep, body: stepBody },
    async (call) => taken(call, await call.ports.catalog('groups.activate', { ...target(call), ...call.body })),
  ),
  serverRoute(
    'POST /v1/performance-groups/{key}/close',
    { ...counted, answer: groupStep, body: stepBody },
    async (call) => taken(call, await call.ports.catalog('groups.close', { ...target(call), ...call.body })),
  ),
  serverRoute(
    'GET /v1/performance-groups/{key}/lifecycle/{operationId}',
    { ...counted, answer: groupStep },
    async (call) => {
      const operationId = call.request.params[1]!;
      const found = await call.ports.catalog('groups.lifecycle', { ...target(call), operationId });
      return found.ok ? done(preparedJson(spell(groupStepOf(found.value)), againAfter(found.value))) : found;
    },
  ),
];

export function target({ principal, request }: Pick<Call<'server'>, 'principal' | 'request'>) {
  return { scope: scopeOf(principal), groupKey: request.params[0]! };
}

/** 200 for a step that has ended, 202 for a step under way, which the caller polls at Location. */
function taken({ request }: Pick<Call<'server'>, 'request'>, step: Outcome<GroupStep>) {
  if (!step.ok) return step;
  const { lifecycle } = step.value;
  const at = `/v1/performance-groups/${encodeURIComponent(request.params[0]!)}/lifecycle/${lifecycle.operationId}`;
  const headers: Header[] = [['Location', at], ...againAfter(step.value)];
  const body: z.output<typeof groupStep> = groupStepOf(step.value);
  return done(preparedJson(spell(body), headers, lifecycle.terminal ? 200 : 202));
}

function againAfter({ lifecycle }: GroupStep): Header[] {
  return lifecycle.terminal ? [] : [['Retry-After', '1']];
}
