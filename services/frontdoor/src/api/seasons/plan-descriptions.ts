/** The description of a season's plans and sales. */
import { type Description, standIn } from '../../openapi/openapi.ts';
import { known, staleRevision, unknownSeason } from './descriptions.ts';

const step = [...known, 'invalid_season_state', 'conflict'] as const;
const atRevision = (expectedRevision: number) => ({ expectedRevision });
const unknownPlan = { summary: 'An unknown plan', path: { planKey: 'spl_0' }, answers: 'not_found' } as const;

export const planDescriptions = {
  'POST /v1/seasons/{key}/plans': {
    operationId: 'createSeasonPlan',
    tag: 'Seasons',
    summary: 'Add a plan to a draft or an active season',
    description: 'A plan without a selection has every occurrence. A season has at most 50 plans.',
    refusals: [...step, 'incompatible_events'],
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
  'GET /v1/seasons/{key}/plans/{planKey}': {
    operationId: 'getSeasonPlan',
    tag: 'Seasons',
    summary: 'One plan',
    refusals: known,
    examples: [{ summary: 'The plan' }, unknownPlan],
  },
  'POST /v1/seasons/{key}/plans/{planKey}/publish': {
    operationId: 'publishSeasonPlan',
    tag: 'Seasons',
    summary: 'Publish a draft of a plan',
    description:
      'The publication gets an `activationId`. Sessions sell the plan that was published last. A repeated publication ' +
      'at the same revision finds the first one.',
    headers: ['Location'],
    refusals: step,
    examples: [
      { summary: 'A draft', path: { planKey: standIn.draftPlan }, body: atRevision(6) },
      { summary: 'A published plan', body: atRevision(6), answers: 'invalid_season_state' },
      staleRevision,
      { ...unknownPlan, body: atRevision(6) },
    ],
  },
  'POST /v1/seasons/{key}/plans/{planKey}/supersede': {
    operationId: 'supersedeSeasonPlan',
    tag: 'Seasons',
    summary: 'Take a published plan out of sale',
    description: 'Only while sales are closed or ended.',
    headers: ['Location'],
    refusals: step,
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
  'POST /v1/seasons/{key}/sales/open': {
    operationId: 'openSeasonSales',
    tag: 'Seasons',
    summary: 'Open the sales',
    description: 'The season is active and has a published plan.',
    refusals: step,
    examples: [
      { summary: 'The season', body: atRevision(6) },
      {
        summary: 'A draft',
        path: { key: standIn.draftSeason },
        body: atRevision(1),
        answers: 'invalid_season_state',
      },
      staleRevision,
    ],
  },
  'POST /v1/seasons/{key}/sales/pause': {
    operationId: 'pauseSeasonSales',
    tag: 'Seasons',
    summary: 'Pause the sales',
    refusals: step,
    examples: [
      { summary: 'A season on sale', path: { key: standIn.openSeason }, body: atRevision(7) },
      { summary: 'A season whose sales are closed', body: atRevision(6), answers: 'invalid_season_state' },
    ],
  },
  'POST /v1/seasons/{key}/sales/resume': {
    operationId: 'resumeSeasonSales',
    tag: 'Seasons',
    summary: 'Open paused sales again',
    refusals: step,
    examples: [
      { summary: 'A paused season', path: { key: standIn.pausedSeason }, body: atRevision(8) },
      { summary: 'A season whose sales are closed', body: atRevision(6), answers: 'invalid_season_state' },
    ],
  },
  'POST /v1/seasons/{key}/sales/end': {
    operationId: 'endSeasonSales',
    tag: 'Seasons',
    summary: 'End the sales for good',
    refusals: step,
    examples: [
      { summary: 'A season on sale', path: { key: standIn.openSeason }, body: atRevision(7) },
      { summary: 'A season whose sales are closed', body: atRevision(6), answers: 'invalid_season_state' },
    ],
  },
} as const satisfies Record<string, Description>;
