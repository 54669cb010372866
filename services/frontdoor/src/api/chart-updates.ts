/**
 * An event moves to the latest version of its chart, or to another chart of its workspace, and a preview of the move.
 *
 * States of a move: the event's chart is asked of its actor → the published version to move to is found, and another
 * chart is noted with the event in the catalog (`events.aim-chart`) → the operator's own changes of the event's chart
 * are carried over to a document of its own → the event's actor moves to it → settled in the catalog → answered.
 *
 * Failure at each await: the catalog does not answer → nothing has moved, and a note of another chart ends by itself;
 * the actor refuses → the refusal is the answer; the actor does not answer → the event may have moved, so the 503 has
 * `outcome: "unknown"`; the event moved to another chart in between → the call starts over, a few times; the last step
 * fails → the move stands, and the catalog's projection of the journal shows it.
 */

import { accessibilityKinds } from '@parterre/shared/charts/accessibility';
import { placeTextsIn, wordsOfUnit } from '@parterre/shared/charts/place-names';
import { categoryOf, objectIdOf, type Plan } from '@parterre/shared/charts/plan';
import type { Answers, ChartPreview, RenumberedPlaces } from '@parterre/shared/protocol/answers';
import type { DroppedAdjustment } from '@parterre/shared/protocol/catalog/charts';
import type { EventRecord } from '@parterre/shared/protocol/catalog/events';
import { done, type Outcome, type Refusal, refuse } from '@parterre/shared/protocol/errors';
import { eventMeta } from '@parterre/shared/protocol/event-meta';
import { missingLabelsMax } from '@parterre/shared/protocol/limits';
import { z } from 'zod';
import { budgets, scopeOf } from '../admission/admission.ts';
import { standIn } from '../openapi/openapi.ts';
import { ask, askOnChart, newCallId, planOf } from './calls/ask.ts';
import { type Answering, type EventCall, eventRoute } from './calls/route.ts';
import { settle } from './calls/settle.ts';
import { archived, inspect, locked, type MoveCall, moveAnswer } from './events.ts';
import {
  chartMoves,
  count,
  droppedAssignments,
  droppedPrices,
  id,
  inMoney,
  moneyOf,
  optional,
  reason,
  text,
} from './records.ts';

const droppedAdjustments = z
  .array(
    z.object({
      reason: z.enum([
        'unknown_label',
        'unknown_category',
        'part_of_area',
        'unknown_table',
        'occupancy',
        'not_sellable',
      ]),
      count: z.int().min(0).describe('The number of changes.'),
      names: z.array(text).describe('Labels, or ids of tables; the first thousand.'),
    }),
  )
  .describe("Changes of the event's own chart that do not fit the new version and were dropped.");

const renumbered = z
  .array(z.object({ label: text, to: text }))
  .describe('Places of areas that are held, booked or reserved, with their new numbers. No word is needed for them.');

const updateEventChartAnswer = moveAnswer.extend({
  updated: z.boolean(),
  renumbered: z.exactOptional(renumbered),
  renumberedCount: z.exactOptional(count),
  droppedScopes: z.exactOptional(z.array(z.string())),
  droppedAssignments: z.exactOptional(droppedAssignments),
  droppedPrices: z.exactOptional(droppedPrices),
  droppedAdjustments: z.exactOptional(droppedAdjustments),
  ...inMoney,
});

const chartId = optional(
  id.describe(
    "A published chart of the event's workspace. Left out, it is the event's own chart in its latest version.",
  ),
);

const chartUpdateOfEventBody = z.object({
  chartId,
  acknowledgeDroppedAssignments: optional(z.boolean()),
  acknowledgeMoved: optional(z.boolean().describe('With a `reason`: takes the moves that the preview lists.')),
  reason: optional(reason.nullable()),
});

type UpdateBody = z.output<typeof chartUpdateOfEventBody>;

const ofAnother =
  '`chartId` may name another published chart of the workspace: the event belongs to it from then on, and follows its ' +
  'publishes. Viewers get a new snapshot. ';

const updateEventChart = eventRoute(
  'POST /v1/events/{key}/update-chart',
  {
    budget: budgets.serverCalls,
    answer: updateEventChartAnswer,
    body: chartUpdateOfEventBody,
    bodyOptional: true,
    description: {
      operationId: 'updateEventChart',
      tag: 'Events',
      summary: 'Move an event to the latest published version of its chart, or to another chart',
      description:
        `All or nothing. Seats are matched by label. Held and booked seats keep their holders and prices. ${ofAnother}` +
        '`updated` is false if the event already had that version. Refused with `seats_would_vanish` if the new version ' +
        `lacks held or booked seats: \`missingLabels\` names the first ${missingLabelsMax} of them, \`missingCount\` ` +
        'gives their number. An area may shrink to its held, booked and reserved places: places whose number the new ' +
        'version lacks get free numbers of the area (`renumbered`), and `seat.booked` and `seat.released` tell each such ' +
        'booking as an exchange. Availability rules and section states of divisions that the new version lacks are ' +
        'dropped, and the units that they hid or closed are open; `droppedScopes` names these divisions, if there are ' +
        'any. Seats of channels that the new version lacks are dropped only with `acknowledgeDroppedAssignments` and a ' +
        '`reason`. A held, booked, blocked or reserved seat that the new version has as another object or in another ' +
        'section, category or accessibility is moved only with `acknowledgeMoved` and a `reason`; else 409 ' +
        '`seats_would_move`, with `moved` as in the preview. Blocked seats that the new version lacks are dropped and ' +
        'named in the log. Dropped units are also missing from the items of ended holds, so a hold without any unit ' +
        'left shows none.',
      refusals: [
        'invalid_event_state',
        ...locked,
        'chart_not_found',
        'chart_not_published',
        'conflict',
        'seats_would_vanish',
        'assignments_would_drop',
        'seats_would_move',
      ],
      examples: [
        { summary: 'Without a body' },
        { summary: 'To an unknown chart', body: { chartId: 'cht_0' }, answers: 'chart_not_found' },
        { summary: 'To a draft chart', body: { chartId: standIn.draftChart }, answers: 'chart_not_published' },
        { summary: 'With a reason', body: { acknowledgeDroppedAssignments: true, reason: 'New rows' } },
        { summary: 'An empty reason', body: { reason: '' }, answers: 'invalid_request' },
        { summary: 'An archived event', path: archived, answers: 'invalid_event_state' },
        {
          summary: 'The latest version lacks a booked seat',
          path: { key: standIn.eventWithLostSeats },
          answers: 'seats_would_vanish',
        },
      ],
    },
  },
  updateChart,
);

const previewAnswer = z.object({
  vanishing: z.array(text).describe('Held, booked and reserved seats that the version lacks: the move is refused.'),
  vanishingCount: count,
  moved: chartMoves,
  movedCount: count,
  renumbered,
  renumberedCount: count,
  droppedAssignments,
});

const previewChartUpdate = eventRoute(
  'POST /v1/events/{key}/update-chart/preview',
  {
    budget: budgets.serverCalls,
    answer: previewAnswer,
    body: z.object({ chartId }),
    bodyOptional: true,
    description: {
      operationId: 'previewEventChartUpdate',
      tag: 'Events',
      summary: "What a move to the latest version of the event's chart, or to another chart, would do",
      description:
        `Changes nothing. Each list names the first ${missingLabelsMax} seats; the counts are whole. With the answer ` +
        'the caller decides about `acknowledgeMoved` and `acknowledgeDroppedAssignments` of update-chart.',
      refusals: ['chart_not_found', 'chart_not_published', 'conflict'],
      examples: [
        { summary: 'Without a body' },
        { summary: 'Of an unknown chart', body: { chartId: 'cht_0' }, answers: 'chart_not_found' },
        { summary: 'A lost seat', path: { key: standIn.eventWithLostSeats } },
      ],
    },
  },
  previewUpdate,
);

/** A published version, its chart, and the chart that the event is on. */
type Aim = { planHash: string; chartVersion: number; chartId: string; fromChart: string };

async function previewUpdate(call: MoveCall<Pick<UpdateBody, 'chartId'>>): Answering<typeof previewAnswer> {
  return askOnChart(call, async (from, present) => {
    const aimed = await aimOf(call, present, { dryRun: true });
    if (!aimed.ok) return aimed;
    const { aim } = aimed.value;
    const carried = await call.ports.catalog('plans.carry-adjustments', { from, to: aim.planHash });
    if (!carried.ok) return carried;
    const named = { ...aim, planHash: carried.value.hash, from, isPreview: true } as const;
    const answer = await ask(call, { type: 'update-chart', callId: newCallId(), ...named });
    if (!answer.ok) return answer;
    // Without a preview the event has this version already.
    const { preview = noMoves } = answer.value;
    const moved = await movesOf(call, preview, from, named.planHash);
    if (!moved.ok) return moved;
    const { vanishing, vanishingCount, movedCount, droppedAssignments: dropped } = preview;
    const told = { vanishing, vanishingCount, moved: moved.value, movedCount, droppedAssignments: dropped };
    return done({ renumbered: [], renumberedCount: 0, ...told, ...renumberedIn(preview.renumbered) });
  });
}

const noMoves: ChartPreview = { vanishing: [], vanishingCount: 0, moved: [], movedCount: 0, droppedAssignments: [] };

function renumberedIn(places: RenumberedPlaces | undefined) {
  if (!places) return {};
  const { count: renumberedCount, labels, to } = places;
  return { renumbered: labels.map((label, nth) => ({ label, to: to[nth]! })), renumberedCount };
}

/** Both places of each label, in the words of the event's language. */
async function movesOf(
  call: EventCall,
  { moved, movedTo = moved }: Pick<ChartPreview, 'moved' | 'movedTo'>,
  from: string,
  to: string,
): Promise<Outcome<z.output<typeof chartMoves>>> {
  if (moved.length === 0) return done([]);
  const before = await planOf(call, from);
  if (!before.ok) return before;
  const after = await planOf(call, to);
  if (!after.ok) return after;
  const texts = placeTextsIn(call.event.event.locale);
  const standOn = (plan: Plan, label: string) => {
    const unit = plan.labels.unitOf(label)!;
    return {
      place: wordsOfUnit(plan, unit, texts),
      objectId: objectIdOf(plan, unit),
      category: categoryOf(plan, unit).key,
      accessibility: accessibilityKinds.filter((_, bit) => (plan.accessibilityOfUnit[unit]! & (1 << bit)) !== 0),
    };
  };
  return done(
    moved.map((label, nth) => ({
      label,
      from: standOn(before.value, label),
      to: standOn(after.value, movedTo[nth]!),
    })),
  );
}

/** `present`: the chart that the actor knows the event on, if the event has ever moved to another chart. */
async function aimOf(
  call: MoveCall<Pick<UpdateBody, 'chartId'>>,
  present: string | undefined,
  look: { dryRun?: true } = {},
): Promise<Outcome<{ aim: Aim; event: EventRecord }>> {
  const scope = scopeOf(call.principal);
  const inspected = await inspect(call.ports, scope, call.event.event.key);
  if (!inspected.ok) return inspected;
  const { latest, event } = inspected.value;
  const { chartId: fromChart } = present === undefined ? event : { chartId: present };
  const { chartId: asked = fromChart } = call.body;
  const charts = { chartId: asked, fromChart };
  if (asked === event.chartId && asked === fromChart) {
    return latest ? done({ aim: { ...latest, ...charts }, event }) : chartGone();
  }
  // The record of an event that has just moved may still name the chart before.
  const isOther = asked !== fromChart && !look.dryRun;
  const aim = { scope, eventKey: event.key, chartId: asked, ...(!isOther && { dryRun: true as const }) };
  const aimed = await call.ports.catalog('events.aim-chart', aim);
  return aimed.ok ? done({ aim: { ...aimed.value, ...charts }, event }) : aimed;
}

const chartGone = () =>
  refuse(
    'chart_not_found',
    'The chart of this event was deleted. The event keeps its seats, and there is no version to move it to.',
  );

type Moved = {
  answer: Answers['update-chart'];
  droppedAdjustments: DroppedAdjustment[];
  aim: Aim;
  event: EventRecord;
};

async function updateChart(call: MoveCall<UpdateBody>): Answering<typeof updateEventChartAnswer> {
  const moved = await moveToAim(call);
  if (!moved.ok) return moved;
  const { answer, droppedAdjustments, aim, event: known } = moved.value;
  const { updated, planHash, chartVersion, seatTotal, at, counts, renumbered: places, ...dropped } = answer;
  const { chartId } = aim;
  const facts = { planHash, chartVersion, seatTotal, ...(chartId !== aim.fromChart && { chartId }) };
  // Without a move nothing changed, so nothing is settled.
  const event = updated ? await settle(call, { at, facts }) : { ...known, ...facts };
  const told = updated && droppedAdjustments.length > 0 ? { ...dropped, droppedAdjustments } : dropped;
  return done({
    ok: true,
    updated,
    ...told,
    ...renumberedIn(places),
    ...moneyOf(event),
    meta: eventMeta(event, { counts }),
  });
}

/** Carries over the operator's own changes of the event's chart. */
function moveToAim(call: MoveCall<UpdateBody>): Promise<Outcome<Moved>> {
  return askOnChart(call, async (from, present) => {
    const aimed = await aimOf(call, present);
    if (!aimed.ok) return aimed;
    const { aim, event } = aimed.value;
    const carried = await call.ports.catalog('plans.carry-adjustments', { from, to: aim.planHash });
    if (!carried.ok) return carried;
    const { hash: planHash, dropped: droppedAdjustments } = carried.value;
    const { chartId: _, ...body } = call.body;
    const answer = await ask(call, { type: 'update-chart', callId: newCallId(), ...aim, planHash, from, ...body });
    if (answer.ok) return done({ answer: answer.value, droppedAdjustments, aim, event });
    const { refusal } = answer;
    return refusal.code === 'seats_would_move' ? withPlaces(call, refusal, from, planHash) : answer;
  });
}

async function withPlaces(call: EventCall, refusal: Refusal, from: string, to: string): Promise<Outcome<never>> {
  const { movedTo: _, ...details } = refusal.details ?? {};
  const moved = await movesOf(call, refusal.details as Pick<ChartPreview, 'moved' | 'movedTo'>, from, to);
  return moved.ok ? { ok: false, refusal: { ...refusal, details: { ...details, moved: moved.value } } } : moved;
}

export const chartUpdatesRoutes = [updateEventChart, previewChartUpdate];
