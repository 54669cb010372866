/** The reads of an operator's console of one event, apart from its chart, map, log and report. */
import type { JournalEntry } from '@parterre/shared/catalog/history';
import type { CatalogOutput } from '@parterre/shared/catalog-api';
import { done, type Outcome } from '@parterre/shared/errors';
import { eventMeta } from '@parterre/shared/event-meta';
import { controlRoomPagesMax } from '@parterre/shared/limits';
import { MINUTE_MS } from '@parterre/shared/units';
import type { z } from 'zod';
import { budgets, credentialHash, endOfAccess } from '../../admission/admission.ts';
import { shortened } from '../../feeds/feeds.ts';
import { entriesFor, logEntryOf, seesChannels, seesMoney, withMoneyFor } from '../../logs/logs.ts';
import { originMark, type TicketAccess } from '../../tickets/tickets.ts';
import { ask, type EventCall, eventRoute, inTime } from '../calls/calls.ts';
import { plansOf } from '../history/history.ts';
import { assetAnswer } from '../posters/posters.ts';
import { emptyBody, ticket } from '../records/records.ts';
import { controlRoomAnswer } from './answers.ts';
import { totalsOf, velocityOf } from './control-room.ts';
import { controlRoomQuery } from './queries.ts';

const counted = { budget: budgets.serverCalls };

const view = { capability: 'event:view' } as const;

const ENTRIES_PER_PAGE = 200;
const ACTIVITY_SHOWN = 20;

export const consoleRoutes = [
  eventRoute(
    'POST /v1/events/{key}/subscribe-tickets',
    { ...counted, answer: ticket, ...view, body: emptyBody, bodyOptional: true },
    async (call) =>
      call.ports.tickets.issue({
        eventKey: call.event.event.key,
        sees: sightOf(call.principal),
        keyHash: credentialHash(call.principal, call.request.authorization),
        accessEndsAt: endOfAccess(call.principal),
        origin: originMark(call.request.origin),
      }),
  ),
  eventRoute(
    'GET /v1/events/{key}/control-room',
    { ...counted, ...view, answer: controlRoomAnswer, query: controlRoomQuery },
    controlRoom,
  ),
  eventRoute('GET /v1/events/{key}/assets/{assetId}', { ...counted, ...view, answer: null }, ({ ports, request }) =>
    assetAnswer(ports, request, request.params[1]!, 'private'),
  ),
];

function sightOf(principal: EventCall['principal']): TicketAccess['sees'] {
  const sees = seesChannels(principal) ? 'console' : 'channelless-console';
  return seesMoney(principal) ? `${sees}-with-money` : sees;
}

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
    event: eventMeta(event.event, counted.value),
    currency: event.event.currency,
    ...withMoneyFor(principal, sold),
    presence: presence.value,
    activity: entries.slice(0, ACTIVITY_SHOWN).map((entry) => shortened(logEntryOf(plans.value, entry))),
  });
}

type Page = Outcome<CatalogOutput<'history.log'>>;

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
