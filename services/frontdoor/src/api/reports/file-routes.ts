/**
 * `GET …/report.csv`: the report with one line for each unit.
 *
 * The event's actor gives its units in answers of bounded size (report-pieces.ts); only very large events need several.
 * States of a call: waiting for its turn, one call of an organisation at a time → asking, until all units are there →
 * writing, some lines in each turn of the event loop → answered.
 *
 * Failure at each await. If the turn does not come by the deadline, the answer is 503. If the actor does not answer, its refusal is the answer. If the event changes all the time, or
 * the plan cannot be read, the answer is 503. The number of reports under way is bounded, since a large one takes some
 * tens of megabytes.
 */
import type { UnitColumns } from '@parterre/shared/answers';
import type { Plan } from '@parterre/shared/chart/plan';
import { pause } from '@parterre/shared/clock';
import { done, type Outcome } from '@parterre/shared/errors';
import { reportFileDeadlineMs, reportLinesPerTurn } from '@parterre/shared/limits';
import type { KnownEvent } from '../../admission/admission.ts';
import { budgets } from '../../admission/admission.ts';
import { type Header, Prepared } from '../../answers/answers.ts';
import { holdAsSeenBy } from '../../logs/logs.ts';
import { ask, type Call, eventRoute, inTime, planOf } from '../calls/calls.ts';
import { reportFileHead, reportLines } from './report-file.ts';
import { readPieces } from './report-pieces.ts';

const counted = { budget: budgets.reportFiles };

type ReportCall = Call<'console', unknown, KnownEvent>;

export const reportFileRoutes = [
  eventRoute(
    'GET /v1/events/{key}/report.csv',
    { ...counted, answer: null, capability: 'event:reports', deadlineMs: reportFileDeadlineMs },
    inTurn,
  ),
];

async function inTurn(call: ReportCall): ReturnType<typeof reportFile> {
  const turn = await call.ports.reportFiles.acquire(call.principal.organisationId, call.request.deadlineAt);
  if (!turn.ok) return turn;
  return inTime(call, reportFile(call).finally(turn.value.release));
}

async function reportFile(call: ReportCall): Promise<Outcome<Prepared>> {
  const read = await readPieces({
    unitsFrom: (from, version) => ask(call, { type: 'unit-columns', from, ...(version !== undefined && { version }) }),
    plan: (hash) => planOf(call, hash),
  });
  if (!read.ok) return read;
  const { plan, pieces } = read.value;
  const headers: Header[] = [
    ['Content-Type', 'text/csv; charset=utf-8'],
    ['Content-Disposition', `attachment; filename="${call.event.event.key}-report.csv"`],
  ];
  return done(new Prepared(200, headers, await written(call, plan, pieces)));
}

async function written(
  { ports, principal }: ReportCall,
  plan: Plan,
  pieces: readonly UnitColumns[],
): Promise<Uint8Array[]> {
  const holdAs = holdAsSeenBy(principal);
  const parts: Uint8Array[] = [Buffer.from(reportFileHead)];
  for (const piece of pieces) {
    const next = reportLines(plan, piece, holdAs);
    for (let text = next(reportLinesPerTurn); text !== ''; text = next(reportLinesPerTurn)) {
      parts.push(Buffer.from(text));
      await pause(ports.clock, 0);
    }
  }
  return parts;
}
