/** Seasons: list, judge, create, read, change and delete them, their live copies, and the steps of their lifecycle. */
import type { SeasonStep } from '@parterre/shared/catalog/seasons';
import { done, type Outcome } from '@parterre/shared/errors';
import { budgets, callIdOf, scopeOf } from '../../admission/admission.ts';
import { type Header, noContent, preparedJson, spell } from '../../answers/answers.ts';
import { type Call, pageOf, serverRoute } from '../calls/calls.ts';
import { duplicateBody, seasonBody, seasonUpdateBody, selectionBody, stepBody } from './bodies.ts';
import { seasonsQuery } from './queries.ts';
import {
  listSeasonsAnswer,
  oneSeason,
  seasonDetailOf,
  seasonOf,
  seasonStep,
  stepOf,
  validateSeasonAnswer,
} from './season-answers.ts';

export const counted = { budget: budgets.seasons };

export const seasonRoutes = [
  serverRoute(
    'GET /v1/seasons',
    { ...counted, answer: listSeasonsAnswer, query: seasonsQuery },
    async ({ ports, principal, query }) => {
      const { workspaceId, structureState } = query;
      const filter = { ...(workspaceId !== undefined && { workspaceId }), ...(structureState && { structureState }) };
      const listed = await ports.catalog('seasons.list', { scope: scopeOf(principal), page: pageOf(query), ...filter });
      if (!listed.ok) return listed;
      const { seasons, ...more } = listed.value;
      return done({ seasons: seasons.map(seasonOf), ...more });
    },
  ),
  serverRoute(
    'POST /v1/seasons/validate',
    { ...counted, answer: validateSeasonAnswer, body: selectionBody },
    async ({ ports, principal, body }) => {
      const checked = await ports.catalog('seasons.validate', { scope: scopeOf(principal), selection: body });
      return checked.ok ? done({ ...checked.value, occurrenceCount: checked.value.eventKeys.length }) : checked;
    },
  ),
  serverRoute(
    'POST /v1/seasons',
    { ...counted, answer: oneSeason, body: seasonBody, status: 201, idempotent: true },
    async (call) => {
      const { name, edition = null, ...selection } = call.body;
      const input = { scope: scopeOf(call.principal), name, edition, selection, ...callIdOf(call) };
      return told(await call.ports.catalog('seasons.create', input));
    },
  ),
  serverRoute('GET /v1/seasons/{key}', { ...counted, answer: oneSeason }, async (call) =>
    told(await call.ports.catalog('seasons.get', target(call))),
  ),
  serverRoute(
    'PATCH /v1/seasons/{key}',
    { ...counted, answer: oneSeason, body: seasonUpdateBody, idempotent: true },
    async (call) =>
      told(await call.ports.catalog('seasons.update', { ...target(call), ...call.body, ...callIdOf(call) })),
  ),
  serverRoute('DELETE /v1/seasons/{key}', { ...counted, answer: null, status: 204, idempotent: true }, async (call) => {
    const deleted = await call.ports.catalog('seasons.delete', { ...target(call), ...callIdOf(call) });
    return deleted.ok ? done(noContent) : deleted;
  }),
  serverRoute(
    'POST /v1/seasons/{key}/duplicate-to-live',
    { ...counted, answer: oneSeason, body: duplicateBody, status: 201, idempotent: true },
    async (call) => {
      const input = { ...target(call), ...call.body, ...callIdOf(call) };
      return told(await call.ports.catalog('seasons.duplicate-to-live', input));
    },
  ),
  serverRoute('POST /v1/seasons/{key}/activate', { ...counted, answer: seasonStep, body: stepBody }, async (call) =>
    taken(call, await call.ports.catalog('seasons.activate', { ...target(call), ...call.body })),
  ),
  serverRoute('POST /v1/seasons/{key}/close', { ...counted, answer: seasonStep, body: stepBody }, async (call) =>
    taken(call, await call.ports.catalog('seasons.close', { ...target(call), ...call.body })),
  ),
  serverRoute('POST /v1/seasons/{key}/archive', { ...counted, answer: seasonStep, body: stepBody }, async (call) =>
    taken(call, await call.ports.catalog('seasons.archive', { ...target(call), ...call.body })),
  ),
  serverRoute('GET /v1/seasons/{key}/lifecycle/{operationId}', { ...counted, answer: seasonStep }, async (call) => {
    const operationId = call.request.params[1]!;
    const found = await call.ports.catalog('seasons.lifecycle', { ...target(call), operationId });
    return found.ok ? done(preparedJson(spell(stepOf(found.value)), againAfter(found.value))) : found;
  }),
];

export function target({ principal, request }: Pick<Call<'server'>, 'principal' | 'request'>) {
  return { scope: scopeOf(principal), seasonKey: request.params[0]! };
}

export function told(outcome: Outcome<Pick<SeasonStep, 'season'>>) {
  return outcome.ok ? done({ season: seasonDetailOf(outcome.value.season) }) : outcome;
}

/** 200 for a step that has ended, 202 for a step under way, which the caller polls at Location. */
function taken({ request }: Pick<Call<'server'>, 'request'>, step: Outcome<SeasonStep>) {
  if (!step.ok) return step;
  const headers = [locationOf(request, step.value), ...againAfter(step.value)];
  return done(preparedJson(spell(stepOf(step.value)), headers, step.value.lifecycle.terminal ? 200 : 202));
}

export function locationOf({ params }: Call<'server'>['request'], { lifecycle }: SeasonStep): Header {
  return ['Location', `/v1/seasons/${encodeURIComponent(params[0]!)}/lifecycle/${lifecycle.operationId}`];
}

function againAfter({ lifecycle }: SeasonStep): Header[] {
  return lifecycle.terminal ? [] : [['Retry-After', '1']];
}
