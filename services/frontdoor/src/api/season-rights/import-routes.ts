/**
 * Imports of the holders of an earlier season: as one JSON body, or as lines for many rows.
 *
 * Failure at each await: an event or the catalog does not answer → the refusal, and nothing is imported, since the
 * import's last call decides it. A repetition with the same Idempotency-Key goes on with the same import.
 */
import type { Import, JudgedRow, SeenRow } from '@parterre/shared/catalog/rights';
import type { CatalogOutput } from '@parterre/shared/catalog-api';
import { done, type Outcome, refuse } from '@parterre/shared/errors';
import { importLinesBytesMax, importRowsMax } from '@parterre/shared/group-limits';
import { bulkBodyBytesMax } from '@parterre/shared/limits';
import { SECOND_MS } from '@parterre/shared/units';
import { z } from 'zod';
import { callIdOf } from '../../admission/admission.ts';
import { type Header, preparedJson, spell } from '../../answers/answers.ts';
import { type Call, isOne, serverLinesRoute, serverRoute, text } from '../calls/calls.ts';
import { counted, target } from '../seasons/seasons.ts';
import { importOf, importProgress, oneImport } from './answers.ts';
import { importBody } from './bodies.ts';
import { judgedLines, judgedRows, piecesOf, rowOf } from './import-rows.ts';
import { RowJudge } from './row-judge.ts';
import { seatsOf } from './seat-sight.ts';

type ServerCall = Call<'server', unknown, null, unknown>;
type Asked = { successorPlanActivationId: string; dryRun: boolean };

const deadlineMs = 60 * SECOND_MS;
/** How long the answer waits for the rights to be written. */
const waitMs = 30 * SECOND_MS;
const again: Header = ['Retry-After', '1'];

const linesQuery = z.object({
  successorPlanActivationId: text('The `activationId` of a published plan of this season. Needed.'),
  dryRun: isOne('1: judge the rows, and write no right.'),
});

export const importRoutes = [
  serverRoute(
    'POST /v1/seasons/{key}/imports',
    {
      ...{ ...counted, answer: oneImport, body: importBody, status: 201, idempotent: true },
      ...{ bodyBytesMax: bulkBodyBytesMax, deadlineMs },
      labelsIn: ({ rows }) => rows.reduce((sum, { labels }) => sum + labels.length, 0),
    },
    async (call) => {
      const { rows, dryRun = false, successorPlanActivationId } = call.body;
      const made = await carryOut(call, { successorPlanActivationId, dryRun }, waitMs, (judge) =>
        judgedRows(rows.map(rowOf), judge),
      );
      return made.ok ? whole(call, made.value.importId) : made;
    },
  ),
  serverLinesRoute(
    'POST /v1/seasons/{key}/imports/ndjson',
    {
      ...{ ...counted, answer: importProgress, query: linesQuery, status: 201 },
      ...{ bodyBytesMax: importLinesBytesMax, deadlineMs },
    },
    async (call) => {
      const { successorPlanActivationId, dryRun } = call.query;
      if (!successorPlanActivationId) return noPlan;
      if (call.body.length === 0) return noLines;
      const made = await carryOut(call, { successorPlanActivationId, dryRun }, 0, (judge) =>
        judgedLines(call.body, judge),
      );
      if (!made.ok) return made;
      const at = `/v1/seasons/${encodeURIComponent(call.request.params[0]!)}/imports/${made.value.importId}`;
      const isRunning = made.value.state === 'running';
      const headers: Header[] = isRunning ? [['Location', at], again] : [['Location', at]];
      return done(preparedJson(spell({ import: made.value }), headers, isRunning ? 202 : 201));
    },
  ),
  serverRoute('GET /v1/seasons/{key}/imports/{importId}', { ...counted, answer: oneImport, deadlineMs }, (call) =>
    whole(call, call.request.params[1]!),
  ),
];

const noPlan = refuse('invalid_request', 'The query names no plan.', {
  details: { issues: [{ path: 'successorPlanActivationId', message: 'Must be sent.' }] },
});
const noLines = refuse('invalid_request', 'Send one row a line, as JSON.', {
  details: { issues: [{ path: '', message: 'Must not be empty.' }] },
});
const tooMany = refuse('payload_too_large', `An import has at most ${importRowsMax} rows.`);

async function carryOut(
  call: ServerCall,
  asked: Asked,
  wait: number,
  rowsOf: (judge: RowJudge) => Iterable<SeenRow>,
): Promise<Outcome<Import>> {
  const { catalog } = call.ports;
  const { seasonKey } = target(call);
  const begun = await catalog('rights.begin-import', { ...target(call), ...asked, ...callIdOf(call) });
  if (!begun.ok) return begun;
  const { importId, state } = begun.value.import;
  if (state !== 'running') return done(begun.value.import);
  const seats = await seatsOf(call, begun.value.eventKeys);
  if (!seats.ok) return seats;
  let rowCount = 0;
  for (const rows of piecesOf(rowsOf(new RowJudge(seats.value)))) {
    if (rowCount + rows.length > importRowsMax) return tooMany;
    const sent = await catalog('rights.import-rows', { seasonKey, importId, at: rowCount, rows });
    if (!sent.ok) return sent;
    rowCount += rows.length;
  }
  const ended = await catalog('rights.end-import', { seasonKey, importId, rowCount, waitMs: wait });
  return ended.ok ? done(ended.value.import) : ended;
}

/** The import with all its rows. */
async function whole(call: ServerCall, importId: string) {
  const of = { ...target(call), importId };
  const found = await call.ports.catalog('rights.import', of);
  if (!found.ok) return found;
  const rows: JudgedRow[] = [];
  for (let at: number | null = 0; at !== null; ) {
    const page: Outcome<CatalogOutput<'rights.rows'>> = await call.ports.catalog('rights.rows', { ...of, at });
    if (!page.ok) return page;
    rows.push(...page.value.rows);
    at = page.value.next;
  }
  const isRunning = found.value.import.state === 'running';
  return done(
    preparedJson(
      spell(importOf(found.value.import, rows)),
      isRunning ? [again] : [],
      call.request.method === 'POST' ? 201 : 200,
    ),
  );
}
