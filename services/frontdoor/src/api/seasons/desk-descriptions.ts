/** The description of the reads about a season's sales. */
import { type Description, standIn } from '../../openapi/openapi.ts';
import { known, unknownSeason } from './descriptions.ts';

export const seasonDeskDescriptions = {
  'GET /v1/seasons/{key}/reports': {
    operationId: 'reportSeason',
    tag: 'Seasons',
    summary: 'Bookings, operations and occurrences of a season in numbers',
    description: 'An allocation is the part of an operation in one event. The newest 20,000 operations are counted.',
    refusals: known,
    examples: [{ summary: 'Now' }, unknownSeason],
  },
  'GET /v1/seasons/{key}/operations': {
    operationId: 'listSeasonOperations',
    tag: 'Seasons',
    summary: 'The newest 200 holds and bookings of a season',
    description: 'An answer that shows something unfinished has `Retry-After`.',
    headers: ['Retry-After'],
    refusals: known,
    examples: [{ summary: 'The newest' }, unknownSeason],
  },
  'GET /v1/seasons/{key}/support-lookups': {
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
  'POST /v1/seasons/{key}/buyer-rehearsals/validate': {
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
  'GET /v1/seasons/{key}/export': {
    operationId: 'exportSeason',
    tag: 'Seasons',
    summary: 'A season with everything that its support reads, as one document',
    description: 'Each list has its newest entries; of each plan the first 100 contracts.',
    refusals: known,
    examples: [{ summary: 'The season' }, unknownSeason],
  },
} as const satisfies Record<string, Description>;
