/** The description of the calls of a performance group's buyers. */
import { type Description, standIn } from '../../openapi/openapi.ts';

const ofEvents = ['shard_unavailable', 'overloaded'] as const;
const isUnknown = { path: { operationId: 'pghop_0' }, answers: 'not_found' } as const;
const aboutStates =
  'A hold is `preparing` until every performance has answered, then `committed` or `aborted`. An answer that shows ' +
  'something unfinished has `Retry-After`, and polling ends in committed, booked, expired or aborted.';

export const groupBuyerDescriptions = {
  'GET /pub/performance-groups/{key}/descriptor': {
    operationId: 'getGroupForBuyers',
    tag: 'Groups',
    summary: 'The group and its performances',
    examples: [{ summary: 'The group' }],
  },
  'GET /pub/performance-groups/{key}/chart': {
    operationId: 'getGroupChart',
    tag: 'Groups',
    summary: 'The chart of a group',
    description: 'The bare document. A division that every performance hides is left out.',
    headers: ['ETag'],
    refusals: ofEvents,
    examples: [{ summary: 'The chart' }],
  },
  'GET /pub/performance-groups/{key}/objects': {
    operationId: 'getGroupObjects',
    tag: 'Groups',
    summary: 'One map of all performances',
    description:
      'Every label has the firmest of its statuses: not_for_sale, booked, held, free. `partial` names the labels that ' +
      'some performances have free, with the performances that lack them. The ETag is the revision.',
    headers: ['ETag'],
    refusals: ['invalid_request', ...ofEvents],
    examples: [
      { summary: 'One map' },
      { summary: 'And the map of each performance', query: { view: 'per-performance' } },
      { summary: 'An unknown view', query: { view: 'all' }, answers: 'invalid_request' },
    ],
  },
  'GET /pub/performance-groups/{key}/availability': {
    operationId: 'getGroupSaleSummaries',
    tag: 'Groups',
    summary: 'The prices and the sale of each performance',
    description:
      'Each performance has the fields of `GET /pub/events/{key}/availability`. A place of the group costs the sum of ' +
      'its prices in all performances. The line items of a hold are the truth.',
    refusals: ofEvents,
    examples: [{ summary: 'Every performance' }, { summary: 'Live', query: { live: '1' } }],
  },
  'POST /pub/performance-groups/{key}/hold': {
    operationId: 'holdForGroup',
    tag: 'Groups',
    summary: 'Hold the same seats of every performance, all or none',
    description:
      'With `labels` the seats are the same in every performance; with selectionMode per_performance each allocation ' +
      'names its own. `operationId` names the hold: a repetition finds the first one, and another content under the ' +
      'same name is 409. A conflict names each label with the performance that lacks it. 202, or 504, while a ' +
      `performance does not answer: poll the address in \`Location\`. ${aboutStates} With \`expectedTotal\`, prices that ` +
      'have changed are 409 `price_changed`, with the `total` of now and the `items` of each performance.',
    headers: ['Location', 'Retry-After'],
    refusals: [
      'conflict',
      'event_closed',
      'channel_access_denied',
      'channel_paused',
      'max_quantity_exceeded',
      'public_limit',
      'selection_rules_broken',
      'price_changed',
      'unknown_labels',
      'unknown_tier',
      'not_for_sale',
      'invalid_quantity',
      'ticket_option_not_applicable',
      'companion_pair_required',
      ...ofEvents,
    ],
    examples: [
      { summary: 'Two seats in every performance', body: { operationId: 'pghop_order-2002', labels: ['B-1', 'B-2'] } },
      {
        summary: 'Other seats in each performance',
        body: {
          operationId: 'pghop_order-2003',
          selectionMode: 'per_performance',
          allocations: [
            { eventKey: standIn.groupEvent, selections: [{ label: 'B-3' }] },
            { eventKey: standIn.groupLaterEvent, selections: [{ label: 'B-4' }] },
          ],
        },
      },
      {
        summary: 'A seat that is held',
        body: { operationId: 'pghop_order-2004', labels: ['A-1'] },
        answers: 'conflict',
      },
      {
        summary: 'At a price that was shown before',
        body: { operationId: 'pghop_order-2006', labels: ['B-5'], expectedTotal: 1 },
        answers: 'price_changed',
      },
      { summary: 'Without seats', body: { operationId: 'pghop_order-2005' }, answers: 'invalid_request' },
    ],
  },
  'GET /pub/performance-groups/{key}/operations/{operationId}': {
    operationId: 'getGroupOperation',
    tag: 'Groups',
    summary: 'One hold of this buyer',
    description: aboutStates,
    headers: ['Retry-After'],
    refusals: ofEvents,
    examples: [{ summary: 'The hold' }, { summary: 'An unknown hold', ...isUnknown }],
  },
  'POST /pub/performance-groups/{key}/operations/{operationId}/release': {
    operationId: 'releaseGroupHold',
    tag: 'Groups',
    summary: 'Release a hold in every performance',
    headers: ['Retry-After'],
    refusals: ['conflict', 'hold_not_found', ...ofEvents],
    examples: [
      { summary: 'The hold', body: {} },
      { summary: 'An unknown hold', body: {}, ...isUnknown },
    ],
  },
  'POST /pub/performance-groups/{key}/operations/{operationId}/extend': {
    operationId: 'extendGroupHold',
    tag: 'Groups',
    summary: 'Extend a hold in every performance',
    headers: ['Retry-After'],
    refusals: ['conflict', 'cannot_extend', 'hold_not_found', ...ofEvents],
    examples: [
      { summary: 'For ten minutes', body: { ttlMs: 600_000 } },
      { summary: 'An unknown hold', body: {}, ...isUnknown },
    ],
  },
  'POST /pub/performance-groups/{key}/session/adopt': {
    operationId: 'adoptGroupSession',
    tag: 'Groups',
    summary: 'Take over the holds of an earlier session',
    description:
      'The bearer is the new session. The previous token is of the same group and Origin, and may have expired. After ' +
      'this the holds of both sessions belong to the new one.',
    refusals: ['catalog_unavailable'],
    examples: [
      { summary: 'The token of an earlier visit', body: { previousToken: standIn.groupSessionToken } },
      { summary: 'Another text', body: { previousToken: 'bgs_0' }, answers: 'buyer_access_invalid' },
    ],
  },
} as const satisfies Record<string, Description>;
