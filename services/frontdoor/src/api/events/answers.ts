/** Answers of events. */
import { z } from 'zod';
import { chartDocument } from '../charts/charts.ts';
import {
  counts,
  eventListItem,
  eventMeta,
  holdTtlMs,
  nextCursor,
  publicSale,
  selectionRules,
} from '../records/records.ts';

export const sectionStates = z.record(z.string(), z.enum(['open', 'closed', 'hidden']));

export const eventDetail = z.object({
  meta: eventMeta,
  counts,
  holdTtlMs,
  chartUpdate: z
    .object({ behind: z.boolean(), canAutoUpdate: z.boolean() })
    .describe(
      "`behind`: a later version of the event's chart is published. `canAutoUpdate`: the next publish moves this " +
        'event along, because nothing is held, booked, blocked or assigned to a channel, and the latest version has ' +
        'every section and zone that has a rule or is hidden or closed here.',
    ),
  sectionStates,
  selectionRules,
  publicSale,
});

export const createEventAnswer = z.object({ meta: eventMeta });

export const listEventsAnswer = z.object({ events: z.array(eventListItem), nextCursor });

export const getEventChartAnswer = z.object({ event: eventMeta, doc: chartDocument });
