/** The description of seasons and their lifecycle. */
import { type Description, standIn } from '../../openapi/openapi.ts';

const polling =
  'The answer is 200 if the step has ended, else 202: then poll the address in `Location`. Every step ends in a ' +
  'terminal state. A repeated step at the same revision finds the first one.';
const step = ['not_found', 'mode_mismatch', 'invalid_season_state', 'conflict'] as const;
export const known = ['not_found', 'mode_mismatch'] as const;
export const unknownSeason = { summary: 'An unknown season', path: { key: 'sea_0' }, answers: 'not_found' } as const;
export const staleRevision = {
  summary: 'A stale revision',
  body: { expectedRevision: 99 },
  answers: 'conflict',
} as const;

export const seasonDescriptions = {
  'GET /v1/seasons': {
    operationId: 'listSeasons',
    tag: 'Seasons',
    summary: 'The seasons, newest first, without plans',
    refusals: ['invalid_request'],
    examples: [
      { summary: 'All of them' },
      { summary: 'The active ones', query: { structureState: 'active' } },
      { summary: 'An unknown state', query: { structureState: 'open' }, answers: 'invalid_request' },
    ],
  },
  'POST /v1/seasons/validate': {
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
  'POST /v1/seasons': {
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
  'GET /v1/seasons/{key}': {
    operationId: 'getSeason',
    tag: 'Seasons',
    summary: 'One season with its plans',
    refusals: known,
    examples: [{ summary: 'The season' }, unknownSeason],
  },
  'PATCH /v1/seasons/{key}': {
    operationId: 'updateSeason',
    tag: 'Seasons',
    summary: 'Change name and edition',
    refusals: [...step, 'nothing_to_update'],
    examples: [
      { summary: 'Another name', body: { expectedRevision: 6, name: 'Pass' } },
      { summary: 'Without an edition', body: { expectedRevision: 6, edition: null } },
      { summary: 'No change', body: { expectedRevision: 6 }, answers: 'nothing_to_update' },
      { ...staleRevision, body: { expectedRevision: 99, name: 'Pass' } },
      { ...unknownSeason, body: { expectedRevision: 1, name: 'Pass' } },
    ],
  },
  'DELETE /v1/seasons/{key}': {
    operationId: 'deleteSeason',
    tag: 'Seasons',
    summary: 'Delete a draft',
    refusals: step,
    examples: [
      { summary: 'A draft', path: { key: standIn.draftSeason } },
      { summary: 'An active season', answers: 'invalid_season_state' },
      unknownSeason,
    ],
  },
  'POST /v1/seasons/{key}/duplicate-to-live': {
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
  'POST /v1/seasons/{key}/activate': {
    operationId: 'activateSeason',
    tag: 'Seasons',
    summary: 'Lock the events of a draft',
    description:
      'While the season is active or closing, its events keep chart, times, venue and currency, and cannot be closed, ' +
      'archived or deleted (409 `season_event_locked`); an amendment passes the lock. If an event refuses, the step ' +
      `ends with a \`code\`, and the season is a draft again. ${polling}`,
    headers: ['Location', 'Retry-After'],
    refusals: [...step, 'incompatible_events'],
    examples: [
      { summary: 'A draft', path: { key: standIn.draftSeason }, body: { expectedRevision: 1 } },
      { ...staleRevision, path: { key: standIn.draftSeason } },
      { summary: 'An active season', body: { expectedRevision: 6 }, answers: 'invalid_season_state' },
      { ...unknownSeason, body: { expectedRevision: 1 } },
    ],
  },
  'POST /v1/seasons/{key}/close': {
    operationId: 'closeSeason',
    tag: 'Seasons',
    summary: 'End a season for good',
    description: `Sales end at once. The step waits for live holds, then unlocks the events. ${polling}`,
    headers: ['Location', 'Retry-After'],
    refusals: step,
    examples: [
      { summary: 'The season', body: { expectedRevision: 6 } },
      staleRevision,
      { ...unknownSeason, body: { expectedRevision: 1 } },
    ],
  },
  'POST /v1/seasons/{key}/archive': {
    operationId: 'archiveSeason',
    tag: 'Seasons',
    summary: 'Put a closed season into the archive',
    headers: ['Location', 'Retry-After'],
    refusals: step,
    examples: [
      { summary: 'A closed season', path: { key: standIn.closedSeason }, body: { expectedRevision: 8 } },
      { summary: 'An active season', body: { expectedRevision: 6 }, answers: 'invalid_season_state' },
      { ...unknownSeason, body: { expectedRevision: 1 } },
    ],
  },
  'GET /v1/seasons/{key}/lifecycle/{operationId}': {
    operationId: 'getSeasonLifecycle',
    tag: 'Seasons',
    summary: 'One step of the lifecycle, or one publication',
    headers: ['Retry-After'],
    refusals: known,
    examples: [
      { summary: 'The activation' },
      { summary: 'An unknown step', path: { operationId: 'slc_0' }, answers: 'not_found' },
    ],
  },
} as const satisfies Record<string, Description>;
