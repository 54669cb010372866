/**
 * The moves of an event from status to status, and its move to the latest version of its chart.
 *
 * States of a call: decided and journaled by the event's actor → settled in the catalog → answered. If the catalog does
 * not answer, the move stands all the same, and lists show it when the journal is projected. If the actor does not
 * answer, the event may have moved. The same move of a moved event is refused, or finds no event if the move was the
 * deletion. So this 503 has `outcome: "unknown"`.
 */
import type { Answers } from '@parterre/shared/answers';
import type { DroppedAdjustment } from '@parterre/shared/catalog/charts';
import type { EventRecord } from '@parterre/shared/catalog/events';
import { done, type Outcome, refuse } from '@parterre/shared/errors';
import { eventMeta } from '@parterre/shared/event-meta';
import { derivedId } from '@parterre/shared/ids';
import type { EventMove } from '@parterre/shared/records';
import type { z } from 'zod';
import { budgets, type KnownEvent, scopeOf } from '../../admission/admission.ts';
import { type Answering, ask, askOnChart, type Call, eventRoute, newCallId, planOf, settle } from '../calls/calls.ts';
import { chartUpdateOfEventBody } from './bodies.ts';
import { inspect } from './event-reads.ts';
import { archiveEventAnswer, deleteEventAnswer, moveAnswer, updateEventChartAnswer } from './move-answers.ts';
import { reopenGate } from './reopen-gate.ts';

const counted = { budget: budgets.serverCalls };

type EventCall<Body = unknown> = Call<'console', Body, KnownEvent>;

export const eventMoveRoutes = [
  eventRoute('POST /v1/events/{key}/close', { ...counted, answer: moveAnswer }, (call) => moveAndTell(call, 'close')),
  eventRoute('POST /v1/events/{key}/reopen', { ...counted, answer: moveAnswer }, async (call) => {
    const gate = await mayReopen(call);
    return gate.ok ? moveAndTell(call, 'reopen') : gate;
  }),
  eventRoute('POST /v1/events/{key}/archive', { ...counted, answer: archiveEventAnswer }, async (call) => {
    const moved = await move(call, 'archive');
    if (!moved.ok) return moved;
    const { event, answer } = moved.value;
    // The snapshot was stored before the actor answered. Its name follows from the event and this version.
    const id = derivedId('snp', event.id, String(answer.version));
    return done({ ok: true, meta: eventMeta(event, answer), snapshot: { id, at: answer.at, counts: answer.counts } });
  }),
  eventRoute('POST /v1/events/{key}/unarchive', { ...counted, answer: moveAnswer }, (call) =>
    moveAndTell(call, 'unarchive'),
  ),
  eventRoute('DELETE /v1/events/{key}', { ...counted, answer: deleteEventAnswer }, async (call) => {
    const moved = await move(call, 'delete');
    return moved.ok ? done({ ok: true }) : moved;
  }),
  eventRoute(
    'POST /v1/events/{key}/update-chart',
    { ...counted, answer: updateEventChartAnswer, body: chartUpdateOfEventBody, bodyOptional: true },
    updateChart,
  ),
];

/** The gate applies only to moves that the event's status allows. The actor refuses the others. */
async function mayReopen(call: EventCall): Promise<Outcome<true>> {
  const { ports, principal, event } = call;
  const [inspected, counted] = await Promise.all([
    inspect(ports, scopeOf(principal), event.event.key),
    ask(call, { type: 'count' }),
  ]);
  if (!inspected.ok) return inspected;
  if (!counted.ok) return counted;
  const { status, salesPaused, planHash } = counted.value;
  if (status !== 'closed' && !(status === 'active' && salesPaused)) return done(true);
  const plan = await planOf(call, planHash);
  return plan.ok ? reopenGate(inspected.value, plan.value, ports.clock.now()) : plan;
}

async function moveAndTell(call: EventCall, step: EventMove): Answering<typeof moveAnswer> {
  const moved = await move(call, step);
  if (!moved.ok) return moved;
  const { event, answer } = moved.value;
  return done({ ok: true, meta: eventMeta(event, answer) });
}

async function move(
  call: EventCall,
  step: EventMove,
): Promise<Outcome<{ event: EventRecord; answer: Answers['move'] }>> {
  const moved = await ask(call, { type: 'move', callId: newCallId(), move: step });
  if (!moved.ok) return moved;
  const { status, salesPaused, at } = moved.value;
  const event = await settle(call, { at, facts: { status, salesPaused } });
  return done({ event, answer: moved.value });
}

type UpdateBody = z.output<typeof chartUpdateOfEventBody>;

async function updateChart(call: EventCall<UpdateBody>): Answering<typeof updateEventChartAnswer> {
  const inspected = await inspect(call.ports, scopeOf(call.principal), call.event.event.key);
  if (!inspected.ok) return inspected;
  const { latest } = inspected.value;
  if (!latest)
    return refuse(
      'chart_not_found',
      'The chart of this event was deleted. The event keeps its seats, and there is no version to move it to.',
    );
  const moved = await moveToLatest(call, latest);
  if (!moved.ok) return moved;
  const { answer, droppedAdjustments } = moved.value;
  const { updated, planHash, chartVersion, seatTotal, at, counts, ...dropped } = answer;
  const facts = { planHash, chartVersion, seatTotal };
  // Without a move nothing changed, so nothing is settled.
  const event = updated ? await settle(call, { at, facts }) : { ...inspected.value.event, ...facts };
  const told = updated && droppedAdjustments.length > 0 ? { ...dropped, droppedAdjustments } : dropped;
  return done({ ok: true, updated, ...told, meta: eventMeta(event, { counts }) });
}

type Latest = { planHash: string; chartVersion: number };
type Moved = { answer: Answers['update-chart']; droppedAdjustments: DroppedAdjustment[] };

/** Carries over the operator's own changes of the event's chart. */
function moveToLatest(call: EventCall<UpdateBody>, { planHash: to, chartVersion }: Latest): Promise<Outcome<Moved>> {
  return askOnChart(call, async (from) => {
    const carried = await call.ports.catalog('plans.carry-adjustments', { from, to });
    if (!carried.ok) return carried;
    const { hash: planHash, dropped } = carried.value;
    const named = { planHash, chartVersion, from, ...call.body };
    const answer = await ask(call, { type: 'update-chart', callId: newCallId(), ...named });
    return answer.ok ? done({ answer: answer.value, droppedAdjustments: dropped }) : answer;
  });
}
