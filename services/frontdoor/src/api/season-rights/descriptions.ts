/** The description of imports, and of nights that holders could be given beside. */
import { type Description, standIn } from '../../openapi/openapi.ts';
import { known, unknownSeason } from '../seasons/seasons.ts';

const row = {
  ...{ rowId: '1', holderRef: 'member-17', priorPlanActivationId: 'season-2026', priorContractRef: 'sub-17' },
  labels: ['A-11', 'A-12'],
};
const plan = standIn.planActivation;
const lines = (...rows: object[]) => {
  const text = rows.map((each) => JSON.stringify(each)).join('\n');
  return { mediaType: 'application/x-ndjson', base64: Buffer.from(text).toString('base64') };
};

export const importDescriptions = {
  'POST /v1/seasons/{key}/imports': {
    operationId: 'importSeasonHolders',
    tag: 'Seasons',
    summary: 'Give the holders of an earlier season their seats in a plan',
    description:
      'Each accepted row makes a right and a contract of the plan. Other rows have a `decision`: `invalid` ' +
      '(`row_id_repeated`, `labels_missing`, `label_repeated`, `label_not_found`, `invalid_row`) or `conflict` ' +
      '(`seat_repeated`, `seat_claimed`, `seat_held`, `seat_booked`, `seat_not_for_sale`). A dry run judges the rows ' +
      'and writes nothing. An import reserves no seat: offers do. `existingBookingRef` tells that the seats are booked ' +
      'under this reference in every event of the plan.',
    refusals: [...known, 'invalid_season_state', 'shard_unavailable'],
    examples: [
      { summary: 'A dry run', body: { successorPlanActivationId: plan, dryRun: true, rows: [row] } },
      {
        summary: 'Two holders, of which one has an unknown seat',
        body: {
          successorPlanActivationId: plan,
          rows: [row, { ...row, rowId: '2', holderRef: 'member-18', labels: ['Z-1'] }],
        },
      },
      {
        summary: 'An unknown plan',
        body: { successorPlanActivationId: 'spa_0', rows: [row] },
        answers: 'invalid_request',
      },
      { ...unknownSeason, body: { successorPlanActivationId: plan, rows: [row] } },
    ],
  },
  'POST /v1/seasons/{key}/imports/ndjson': {
    operationId: 'importSeasonHolderLines',
    tag: 'Seasons',
    summary: 'Import many holders as lines of JSON',
    description:
      'The body has one row a line, up to 64 MiB and 100,000 rows. The answer is 202 while the rights are written: poll ' +
      'the address in `Location`, whose `writtenCount` grows. The rows and decisions are those of the other import.',
    takes: ['application/x-ndjson'],
    headers: ['Location', 'Retry-After'],
    refusals: [...known, 'invalid_season_state', 'shard_unavailable', 'conflict'],
    examples: [
      {
        summary: 'A dry run',
        query: { successorPlanActivationId: plan, dryRun: '1' },
        bytes: lines(row, { ...row, rowId: '2', labels: ['A-9'] }),
      },
      {
        summary: 'Two holders',
        query: { successorPlanActivationId: plan },
        bytes: lines(row, { ...row, rowId: '2', labels: ['A-9'] }),
        status: 202,
      },
      { summary: 'No plan', bytes: lines(row), answers: 'invalid_request' },
    ],
  },
  'GET /v1/seasons/{key}/imports/{importId}': {
    operationId: 'getSeasonImport',
    tag: 'Seasons',
    summary: 'An import with its rows',
    refusals: known,
    examples: [
      { summary: 'The import' },
      { summary: 'An unknown import', path: { importId: 'shi_0' }, answers: 'not_found' },
    ],
  },
  'POST /v1/seasons/{key}/additions/validate': {
    operationId: 'validateSeasonAddition',
    tag: 'Seasons',
    summary: 'Tell which holders another event can give their seats',
    description:
      'Lists every seat of the active contracts of a plan, and whether the event has it free. Writes nothing. `limit` ' +
      'counts rights.',
    refusals: [...known, 'shard_unavailable'],
    examples: [
      { summary: 'Another evening', body: { eventKey: standIn.evening } },
      { summary: 'An unknown event', body: { eventKey: 'no-such-event' }, answers: 'not_found' },
    ],
  },
} as const satisfies Record<string, Description>;
