/**
 * An operator's changes of one event's chart: categories of seats, and how tables are sold. For these changes the event
 * gets a chart document of its own.
 *
 * States of a call: asking for the event's chart → its changed document is made and kept by the catalog → the event's
 * actor moves to it → settled in the catalog → answered. Failure at each await: if the actor refuses or does not
 * answer, the refusal is the answer (the unused document stays, and harms nothing); if the catalog does not answer, the
 * answer is `catalog_unavailable`; if the event moved to another chart in between, the call starts over, a few times.
 * If the last step fails, the change stands, and the catalog's projection of the journal shows it.
 */
import type { AdjustmentDraft, DroppedAdjustment } from '@parterre/shared/catalog/charts';
import { objectOf } from '@parterre/shared/chart/plan';
import { done, type Outcome, type Refusal, refuse } from '@parterre/shared/errors';
import { bulkBodyBytesMax, missingLabelsMax } from '@parterre/shared/limits';
import { budgets } from '../../admission/admission.ts';
import { ask, askOnChart, type EventCall, eventRoute, labelsIn, newCallId, planOf, settle } from '../calls/calls.ts';
import { assignCategoryAnswer, setTableBookingAnswer } from './answers.ts';
import { categoryAssignmentsBody, tableBookingBody } from './bodies.ts';

const counted = { budget: budgets.serverCalls };

export const adjustmentRoutes = [
  eventRoute(
    'POST /v1/events/{key}/category-assignments',
    {
      ...counted,
      labelsIn,
      answer: assignCategoryAnswer,
      capability: 'event:categories:manage',
      body: categoryAssignmentsBody,
      bodyBytesMax: bulkBodyBytesMax,
    },
    async (call) => {
      const { labels, categoryKey } = call.body;
      const adjusted = await adjust(call, { labels, categoryKey });
      return adjusted.ok ? done({ ok: true, labels }) : adjusted;
    },
  ),
  eventRoute(
    'POST /v1/events/{key}/table-booking',
    { ...counted, answer: setTableBookingAnswer, capability: 'event:tables:manage', body: tableBookingBody },
    async (call) => {
      const { tableIds, ...booking } = call.body;
      const adjusted = await adjust(call, { tableIds, booking });
      return adjusted.ok ? done({ ok: true, tableIds }) : adjusted;
    },
  ),
];

function adjust(call: EventCall, change: AdjustmentDraft): Promise<Outcome<true>> {
  return askOnChart(call, async (from) => {
    const made = await call.ports.catalog('plans.adjust', { hash: from, change });
    if (!made.ok) return made;
    const { hash: planHash, dropped } = made.value;
    if (planHash === null) return unfit(dropped);
    const answer = await ask(call, { type: 'adjust-chart', callId: newCallId(), planHash, from });
    if (!answer.ok) {
      const isOfTables = answer.refusal.reason === 'seats_in_use' && 'tableIds' in change;
      return isOfTables ? tablesInUse(call, from, answer.refusal) : answer;
    }
    const { updated, chartVersion, seatTotal, at } = answer.value;
    if (updated) await settle(call, { at, facts: { planHash, chartVersion, seatTotal } });
    return done(true);
  });
}

const told: Record<DroppedAdjustment['reason'], { path: string; message: string }> = {
  unknown_label: {
    path: 'labels',
    message: 'The chart of the event has no such labels. GET the chart to read its labels.',
  },
  unknown_category: {
    path: 'categoryKey',
    message: 'The chart of the event has no such category. Name a category of the chart.',
  },
  part_of_area: { path: 'labels', message: 'An area has one category. Name it by its own label.' },
  unknown_table: { path: 'tableIds', message: 'The chart of the event has no such tables. Name tables by their ids.' },
  occupancy: {
    path: 'maxOccupancy',
    message: 'These tables have fewer chairs than maxOccupancy. Send a smaller maxOccupancy.',
  },
  not_sellable: {
    path: '',
    message: 'Nothing in the changed chart could be sold. Leave some of its seats as they are.',
  },
};

function unfit(dropped: readonly DroppedAdjustment[]): Outcome<never> {
  const { reason, names } = dropped[0]!;
  const { path, message } = told[reason];
  const named = names.slice(0, missingLabelsMax);
  if (reason === 'unknown_label') return refuse('unknown_labels', message, { details: { labels: named } });
  const which = path === 'labels' ? { labels: named } : path === 'categoryKey' ? {} : { tableIds: named };
  return refuse('invalid_request', message, { reason, details: { issues: [{ path, message }], ...which } });
}

/** Refuses with the tables of the conflicting seats. */
async function tablesInUse(call: EventCall, planHash: string, { details }: Refusal): Promise<Outcome<never>> {
  const plan = await planOf(call, planHash);
  if (!plan.ok) return plan;
  const conflicts = details?.conflicts as { label: string }[];
  const units = conflicts.map(({ label }) => plan.value.labels.unitOf(label)!);
  const tableIds = [...new Set(units.map((unit) => objectOf(plan.value, unit).id))];
  return refuse(
    'table_inventory_in_use',
    'Seats of these tables are held, booked or blocked. Nothing was changed. Release them first, or leave out these tables.',
    {
      details: { tableIds, conflicts },
    },
  );
}
