/** The report of an event: its units and sales by status, category, section, ticket release and accessibility. */
import { done } from '@parterre/shared/errors';
import { eventMeta } from '@parterre/shared/event-meta';
import { budgets } from '../../admission/admission.ts';
import { seesChannels, withMoneyFor } from '../../logs/logs.ts';
import { usualPrice } from '../../summaries/summaries.ts';
import { askShared, eventRoute, planOf } from '../calls/calls.ts';
import { getReportAnswer } from './answers.ts';

const counted = { budget: budgets.serverCalls };

export const reportRoutes = [
  eventRoute(
    'GET /v1/events/{key}/report',
    { ...counted, answer: getReportAnswer, capability: ['event:view', 'event:reports'] },
    async (call) => {
      const { event } = call.event;
      const answer = await askShared(call, { type: 'report' });
      if (!answer.ok) return answer;
      const { planHash, ...inventory } = answer.value;
      const plan = await planOf(call, planHash);
      if (!plan.ok) return plan;
      const report = { ...inventory, byChannel: seesChannels(call.principal) ? (inventory.byChannel ?? []) : [] };
      const categories = plan.value.categories.map((category) => {
        const { key, label, color } = category;
        return { key, label, color, price: usualPrice(category) };
      });
      const { booked, free, held, not_for_sale: blocked } = answer.value.byStatus;
      const meta = eventMeta(event, { counts: { free, held, booked, blocked } });
      return done({ report: withMoneyFor(call.principal, report), event: meta, categories });
    },
  ),
];
