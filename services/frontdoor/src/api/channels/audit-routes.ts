/** The audit of an event's channels, which the catalog keeps. */
import { done } from '@parterre/shared/errors';
import { budgets } from '../../admission/admission.ts';
import { eventRoute } from '../calls/calls.ts';
import { logPage, logQuery, plansOf } from '../history/history.ts';
import { auditEntryOf } from './channel-audit.ts';
import { getChannelAuditAnswer } from './read-answers.ts';

const counted = { budget: budgets.serverCalls };

export const auditRoutes = [
  eventRoute(
    'GET /v1/events/{key}/channels/audit',
    { ...counted, answer: getChannelAuditAnswer, query: logQuery, capability: 'event:channels:view' },
    async (call) => {
      const found = await call.ports.catalog('history.audit', await logPage(call));
      if (!found.ok) return found;
      const { entries, nextBefore } = found.value;
      const plans = await plansOf(
        call,
        entries.filter((entry) => 'record' in entry),
      );
      if (!plans.ok) return plans;
      return done({ entries: entries.map((entry) => auditEntryOf(plans.value, entry)), nextBefore });
    },
  ),
];
