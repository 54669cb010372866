/**
 * `GET …/report.csv`: the report with one line for each unit.
 *
 * The event's actor gives its units in answers of bounded size; only very large events need several. The front door
 * asks for these answers one after the other. States of a call: asking, until all units are there → writing, some lines
 * in each turn of the event loop → answered.
 *
 * Failure at each await. If the actor does not answer, its refusal is the answer. If something was sold between two
 * answers, or the event moved to another chart, reading begins again, a few times. In the last try the units may be a
 * moment apart, but if they are of two charts, the answer is 503. If the plan cannot be read, the answer is 503. The
 * number of reports under way is bounded, since a large one takes some tens of megabytes.
 */
import type { UnitColumns } from '@parterre/shared/answers';
import type { Plan } from '@parterre/shared/chart/plan';
import { type Clock, pause } from '@parterre/shared/clock';
import { done, type Outcome, refuse } from '@parterre/shared/errors';
import { reportFileTriesMax, reportLinesPerTurn } from '@parterre/shared/limits';
import type { KnownEvent } from '../../admission/admission.ts';
import { type Header, Prepared } from '../../answers/answers.ts';
import { ask, type Call, eventRoute, planOf } from '../calls/calls.ts';
import { reportFileHead, reportLines } from './report-file.ts';

type ReportCall = Call<'console', unknown, KnownEvent>;

export const reportFileRoutes = [
  eventRoute('GET /v1/events/{key}/report.csv', { answer: null, capability: 'event:reports' }, (call) =>
    call.ports.reportFiles(() => reportFile(call)),
  ),
];

async function reportFile(call: ReportCall) {
  const read = await readUnits(call);
  if (!read.ok) return read;
  const { plan, pieces } = read.value;
  const headers: Header[] = [
    ['Content-Type', 'text/csv; charset=utf-8'],
    ['Content-Disposition', `attachment; filename="${call.event.event.key}-report.csv"`],
  ];
  return done(new Prepared(200, headers, await written(call.ports.clock, plan, pieces)));
}

async function readUnits(call: ReportCall): Promise<Outcome<{ plan: Plan; pieces: UnitColumns[] }>> {
  let pieces: UnitColumns[] = [];
  for (let tries = 0; tries < reportFileTriesMax; tries++) {
    const first = await ask(call, { type: 'unit-columns', from: 0 });
    if (!first.ok) return first;
    const plan = await planOf(call, first.value.planHash);
    if (!plan.ok) return plan;
    pieces = [first.value];
    const isLast = tries === reportFileTriesMax - 1;
    for (let told = toldBy(first.value); told < plan.value.unitCount; ) {
      const piece = await ask(call, { type: 'unit-columns', from: told });
      if (!piece.ok) return piece;
      const isSame = piece.value.planHash === plan.value.hash;
      if (!isSame || (piece.value.version !== first.value.version && !isLast)) break;
      pieces.push(piece.value);
      told = toldBy(piece.value);
    }
    if (toldBy(pieces.at(-1)!) >= plan.value.unitCount) return done({ plan: plan.value, pieces });
  }
  return refuse('overloaded', 'The chart of this event is changing. Try again.', { retryable: true });
}

function toldBy({ from, statuses }: UnitColumns): number {
  return from + statuses.length;
}

async function written(clock: Clock, plan: Plan, pieces: readonly UnitColumns[]): Promise<Uint8Array[]> {
  const parts: Uint8Array[] = [Buffer.from(reportFileHead)];
  for (const piece of pieces) {
    const next = reportLines(plan, piece);
    for (let text = next(reportLinesPerTurn); text !== ''; text = next(reportLinesPerTurn)) {
      parts.push(Buffer.from(text));
      await pause(clock, 0);
    }
  }
  return parts;
}
