/** The reads of an operator's console of one event, apart from its chart, map, log and report. */

import type { JournalEntry } from '@parterre/shared/protocol/catalog/history';
import type { CatalogOutput } from '@parterre/shared/protocol/catalog-api';
import { done, type Outcome } from '@parterre/shared/protocol/errors';
import { eventMeta as eventMetaOf } from '@parterre/shared/protocol/event-meta';
import { controlRoomPagesMax } from '@parterre/shared/protocol/limits';
import { MINUTE_MS } from '@parterre/shared/runtime/units';
import { z } from 'zod';
import { budgets, credentialHash, endOfAccess } from '../admission/admission.ts';
import { shortened } from '../feeds/activity.ts';
import { entriesFor, logEntryOf, seesChannels, seesMoney, withMoneyFor } from '../logs/logs.ts';
import { standIn } from '../openapi/openapi.ts';
import { originMark, type TicketAccess } from '../tickets/ticket-token.ts';
import { ask, inTime } from './calls/ask.ts';
import { clamped } from './calls/query.ts';
import { type EventCall, eventRoute } from './calls/route.ts';
import { assetAnswer } from './events.ts';
import { count, counts, emptyBody, epochMs, eventMeta, inMoney, moneyOf, taken, text, ticket } from './records.ts';
import { logEntry, plansOf } from './reports.ts';
import { totalsOf, velocityOf } from './rules/control-room.ts';

const createConsoleTicket = eventRoute(
  'POST /v1/events/{key}/subscribe-tickets',
  {
    budget: budgets.serverCalls,
    answer: ticket,
    capability: 'event:view',
    body: emptyBody,
    bodyOptional: true,
    description: {
      operationId: 'createConsoleTicket',
      tag: 'Realtime',
      summary: "A ticket for one socket of an operator's console",
      description:
        'For /pub/events/{key}/subscribe, valid once, within 30 seconds; a ticket that a page asked for, only for pages ' +
        'of its origin. The socket has the true statuses, and `activity` frames in addition to the frames of all viewers. A manage session needs event:channels:view for ' +
        'activity about channels.',
      refusals: ['overloaded'],
      examples: [{ summary: 'Without a body' }, { summary: 'With an empty body', body: {} }],
    },
  },
  async (call) =>
    call.ports.tickets.issue({
      eventKey: call.event.event.key,
      sees: sightOf(call.principal),
      keyHash: credentialHash(call.principal, call.request.authorization),
      accessEndsAt: endOfAccess(call.principal),
      origin: originMark(call.request.origin),
    }),
);

function sightOf(principal: EventCall['principal']): TicketAccess['sees'] {
  const sees = seesChannels(principal) ? 'console' : 'channelless-console';
  return seesMoney(principal) ? `${sees}-with-money` : sees;
}

const controlRoomAnswer = z.object({
  event: eventMeta,
  ...inMoney,
  totals: counts,
  bookedValue: z.object({
    gross: taken,
    bySection: z.array(
      z.object({ sectionId: text, sectionLabel: text, total: count, booked: count, bookedValue: taken }),
    ),
  }),
  velocity: z.object({
    windowMinutes: z.int(),
    since: epochMs.describe(
      'The beginning of the window; later if the window has more log entries than one call reads.',
    ),
    bySection: z
      .array(
        z.object({
          sectionId: text,
          netBooked: z.int().describe('Units booked minus units unbooked.'),
          trend: z
            .enum(['rising', 'steady', 'cooling'])
            .describe('Whether the second half of the window had more net bookings than the first, as many, or fewer.'),
          bookedValue: taken.describe(
            'The value of the bookings in the window. Null for a manage session without event:reports.',
          ),
        }),
      )
      .describe('Sections with a booking or cancellation in the window.'),
  }),
  presence: z.object({ shoppingSessions: count, activeHolds: count }),
  activity: z.array(logEntry).describe('The last 20 entries of the log, newest first, each with its first labels.'),
});

export const controlRoomQuery = z.object({
  window: clamped('Minutes that velocity looks back: 5 to 60, 15 if absent. Clamped.', z.string(), {
    usual: 15,
    least: 5,
    most: 60,
  }),
});

const ACTIVITY_SHOWN = 20;

const ENTRIES_PER_PAGE = 200;

type Page = Outcome<CatalogOutput<'history.log'>>;

const getControlRoom = eventRoute(
  'GET /v1/events/{key}/control-room',
  {
    budget: budgets.serverCalls,
    capability: 'event:view',
    answer: controlRoomAnswer,
    query: controlRoomQuery,
    description: {
      operationId: 'getControlRoom',
      tag: 'Reports',
      summary: 'The current sales of an event at a glance',
      description:
        'A manage session needs event:view. It sees revenue only with event:reports as well, and activity about ' +
        'channels only with event:channels:view.',
      refusals: ['overloaded'],
      examples: [
        { summary: 'Of the last quarter of an hour', path: { key: standIn.soldEvent } },
        { summary: 'Of the last hour', query: { window: '60' } },
      ],
    },
  },
  controlRoom,
);

async function controlRoom(call: EventCall<unknown, z.output<typeof controlRoomQuery>>) {
  const { ports, principal, event } = call;
  const windowMinutes = call.query.window;
  const [counted, reported, presence] = await Promise.all([
    ask(call, { type: 'count' }),
    ask(call, { type: 'report' }),
    inTime(call, ports.feeds.presence(event.event)),
  ]);
  if (!counted.ok) return counted;
  if (!reported.ok) return reported;
  if (!presence.ok) return presence;
  const now = ports.clock.now();
  const read = await entriesSince(call, counted.value.version, now - windowMinutes * MINUTE_MS);
  if (!read.ok) return read;
  const { entries, since } = read.value;
  const plans = await plansOf(call, entries);
  if (!plans.ok) return plans;
  const sold = {
    ...totalsOf(reported.value, counted.value.counts),
    velocity: { windowMinutes, since, bySection: velocityOf(plans.value, entries, since, now) },
  };
  return done({
    event: eventMetaOf(event.event, counted.value),
    ...moneyOf(event.event),
    ...withMoneyFor(principal, sold),
    presence: presence.value,
    activity: entries.slice(0, ACTIVITY_SHOWN).map((entry) => shortened(logEntryOf(plans.value, entry))),
  });
}

/**
 * The entries that the asker may see, newest first, back to `from`, and at least `ACTIVITY_SHOWN`. `since` is later
 * than `from` if there were more entries than are read at once.
 */
async function entriesSince(
  { ports, event, principal }: EventCall,
  version: number,
  from: number,
): Promise<Outcome<{ entries: JournalEntry[]; since: number }>> {
  const entries: JournalEntry[] = [];
  let before: number | null = null;
  let oldest = 0;
  for (let pages = 1; ; pages++) {
    const asked = { eventKey: event.event.key, version, limit: ENTRIES_PER_PAGE };
    const page: Page = await ports.catalog('history.log', before === null ? asked : { ...asked, before });
    if (!page.ok) return page;
    entries.push(...entriesFor(principal, page.value.entries));
    before = page.value.nextBefore;
    oldest = page.value.entries.at(-1)?.at ?? oldest;
    if (before === null || (oldest < from && entries.length >= ACTIVITY_SHOWN)) return done({ entries, since: from });
    if (pages === controlRoomPagesMax) return done({ entries, since: Math.max(from, oldest) });
  }
}

const getEventAsset = eventRoute(
  'GET /v1/events/{key}/assets/{assetId}',
  {
    budget: budgets.serverCalls,
    capability: 'event:view',
    answer: null,
    description: {
      operationId: 'getEventAsset',
      tag: 'Events',
      summary: 'A picture',
      description: 'The same as /pub/assets/{assetId}.',
      mediaTypes: ['image/png', 'image/jpeg', 'image/webp'],
      headers: ['ETag'],
      refusals: ['not_found'],
      examples: [
        { summary: 'A poster' },
        { summary: 'An unknown picture', path: { assetId: 'ast_0' }, answers: 'not_found' },
      ],
    },
  },
  ({ ports, path, request }) => assetAnswer(ports, request, path.assetId, 'private'),
);

export const consoleRoutes = [createConsoleTicket, getControlRoom, getEventAsset];
