/** The description of a season's occurrences, amendments, audit and outbox. */
import { type Description, standIn } from '../../openapi/openapi.ts';
import { known, unknownSeason } from './descriptions.ts';

export const seasonLogDescriptions = {
  'GET /v1/seasons/{key}/occurrences': {
    operationId: 'listSeasonOccurrences',
    tag: 'Seasons',
    summary: 'The events of a season, in order',
    refusals: known,
    examples: [{ summary: 'All of them' }, unknownSeason],
  },
  'POST /v1/seasons/{key}/amendments': {
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
  'GET /v1/seasons/{key}/amendments': {
    operationId: 'listSeasonAmendments',
    tag: 'Seasons',
    summary: 'The amendments, newest first',
    refusals: known,
    examples: [{ summary: 'All of them' }, unknownSeason],
  },
  'GET /v1/seasons/{key}/amendments/{amendmentId}': {
    operationId: 'getSeasonAmendment',
    tag: 'Seasons',
    summary: 'One amendment',
    refusals: known,
    examples: [
      { summary: 'The amendment' },
      { summary: 'An unknown amendment', path: { amendmentId: 'sam_0' }, answers: 'not_found' },
    ],
  },
  'GET /v1/seasons/{key}/audit': {
    operationId: 'auditSeason',
    tag: 'Seasons',
    summary: 'The acts on a season, newest first',
    refusals: known,
    examples: [{ summary: 'The newest' }, unknownSeason],
  },
  'GET /v1/seasons/{key}/outbox': {
    operationId: 'readSeasonOutbox',
    tag: 'Seasons',
    summary: "The season's own occurrences, newest first",
    description:
      'They are written with or without a subscription, and posted like every webhook. The events of the season have ' +
      'webhooks of their own.',
    refusals: known,
    examples: [{ summary: 'The newest' }, unknownSeason],
  },
  'POST /v1/seasons/{key}/outbox/{occurrenceId}/replay': {
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
} as const satisfies Record<string, Description>;
