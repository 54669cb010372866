/** The description of the calls of a season's buyers. */
import type { Description } from '../../openapi/openapi.ts';

const ofEvents = ['shard_unavailable', 'overloaded'] as const;
const aboutStates =
  'A hold is `preparing` until every occurrence has answered, then `committed` or `aborted`. An answer that shows ' +
  'something unfinished has `Retry-After`, and polling ends in committed, booked, expired or aborted.';

export const seasonBuyerDescriptions = {
  'GET /pub/seasons/{key}': {
    operationId: 'getSeasonForBuyers',
    tag: 'Seasons',
    summary: 'The season, and the occurrences of the plan that this session buys',
    refusals: ['event_closed'],
    examples: [{ summary: 'The season' }],
  },
  'GET /pub/seasons/{key}/chart': {
    operationId: 'getSeasonChart',
    tag: 'Seasons',
    summary: 'The chart of a season',
    description: 'The bare document. A division that every occurrence hides is left out.',
    headers: ['ETag'],
    refusals: ['event_closed', ...ofEvents],
    examples: [{ summary: 'The chart' }],
  },
  'GET /pub/seasons/{key}/availability': {
    operationId: 'getSeasonAvailability',
    tag: 'Seasons',
    summary: 'One map of all occurrences of the plan',
    description: 'Every label has the firmest of its statuses: not_for_sale, booked, held, free.',
    headers: ['ETag'],
    refusals: ['event_closed', ...ofEvents],
    examples: [{ summary: 'The map' }],
  },
  'POST /pub/seasons/{key}/holds': {
    operationId: 'holdForSeason',
    tag: 'Seasons',
    summary: 'Hold the same seats in every occurrence of the plan, all or none',
    description:
      '`operationId` names the hold: a repetition finds the first one, and another content under the same name is 409. ' +
      'A conflict names each label with the event that lacks it. 202 while an occurrence does not answer: poll the ' +
      `address in \`Location\`. Seats of private channels are not sold. ${aboutStates}`,
    headers: ['Location', 'Retry-After'],
    refusals: [
      'conflict',
      'event_closed',
      'channel_access_denied',
      'channel_paused',
      'max_quantity_exceeded',
      'public_limit',
      'selection_rules_broken',
      'unknown_labels',
      'not_for_sale',
      'invalid_quantity',
      'ticket_option_not_applicable',
      'companion_pair_required',
      ...ofEvents,
    ],
    examples: [
      { summary: 'Two seats', body: { operationId: 'sop_order-3002', labels: ['B-1', 'B-2'] } },
      { summary: 'A seat that is held', body: { operationId: 'sop_order-3003', labels: ['A-1'] }, answers: 'conflict' },
      { summary: 'Without seats', body: { operationId: 'sop_order-3004' }, answers: 'invalid_request' },
    ],
  },
  'GET /pub/seasons/{key}/operations/{operationId}': {
    operationId: 'getSeasonOperation',
    tag: 'Seasons',
    summary: 'One hold of this buyer',
    description: aboutStates,
    headers: ['Retry-After'],
    refusals: ['event_closed', ...ofEvents],
    examples: [
      { summary: 'The hold' },
      { summary: 'An unknown hold', path: { operationId: 'sop_0' }, answers: 'not_found' },
    ],
  },
  'POST /pub/seasons/{key}/holds/{holdId}/release': {
    operationId: 'releaseSeasonHold',
    tag: 'Seasons',
    summary: 'Release a hold in every occurrence',
    description: 'The path has the id of the hold, or its `operationId`. `releaseActionId` names the release.',
    headers: ['Location', 'Retry-After'],
    refusals: ['conflict', 'event_closed', 'hold_not_found', ...ofEvents],
    examples: [
      { summary: 'The hold', body: { releaseActionId: 'release-3001' } },
      {
        summary: 'An unknown hold',
        path: { holdId: 'hld_0' },
        body: { releaseActionId: 'release-3001' },
        answers: 'not_found',
      },
    ],
  },
} as const satisfies Record<string, Description>;
