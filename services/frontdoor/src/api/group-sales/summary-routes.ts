/**
 * What each performance of a group costs a buyer. Events of one chart may have other ticket releases and other channels'
 * prices, so a page adds the prices of all of them.
 */
import { done } from '@parterre/shared/errors';
import { z } from 'zod';
import { budgets } from '../../admission/admission.ts';
import { preparedJson, type Spelled } from '../../answers/answers.ts';
import { summary, summaryQuery } from '../buyers/buyers.ts';
import { groupBuyerRoute, inTime } from '../calls/calls.ts';
import { audienceIn, membersOf } from '../owner-maps/owner-maps.ts';
import { text } from '../records/records.ts';
import { groupOfPath } from './group-calls.ts';

const performance = summary.extend({ eventKey: text });
const groupSummary = z.object({ performances: z.array(performance).describe('In the order of the performances.') });

export const groupSummaryRoutes = [
  groupBuyerRoute(
    'GET /pub/performance-groups/{key}/availability',
    { budget: budgets.buyerReads, answer: groupSummary, query: summaryQuery },
    async (call) => {
      const group = await groupOfPath(call);
      if (!group.ok) return group;
      const members = await membersOf(call, group.value.eventKeys);
      if (!members.ok) return members;
      const { summaries } = call.ports;
      const asked = members.value.map((known) => {
        const audience = audienceIn(call.principal, known.event.key);
        return inTime(call, summaries.of(known, audience, call.query.live));
      });
      const performances: string[] = [];
      for (const [index, told] of (await Promise.all(asked)).entries()) {
        if (!told.ok) return told;
        const eventKey = JSON.stringify(members.value[index]!.event.key);
        performances.push(`{"eventKey":${eventKey},${told.value.slice(1)}`);
      }
      const body = `{"performances":[${performances}]}` as Spelled<z.output<typeof groupSummary>, string>;
      return done(preparedJson(body));
    },
  ),
];
