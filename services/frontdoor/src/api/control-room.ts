/**
 * The control room of an event as one answer, for a screen that asks every second or two during an on-sale.
 *
 * It asks no actor and adds nothing to a sale: the state is that of this front door's replica, which follows the
 * event's feed, the sales of the last hour are folded from the log (control-room/sales-windows.ts), and refusals and
 * budgets are counted in the memory of all front doors (control-room/door-figures.ts).
 *
 * Failure at each await: no replica → its refusal; a log, a front door, a catalog or a notifier that does not answer →
 * what was known last, with its age, or null. So one silent part does not blind the screen.
 */
import { labelsOf, type Plan } from '@parterre/shared/charts/plan';
import { placeOfEntry } from '@parterre/shared/protocol/catalog/history';
import { done } from '@parterre/shared/protocol/errors';
import { eventMeta as eventMetaOf } from '@parterre/shared/protocol/event-meta';
import { soldLabelsMax } from '@parterre/shared/protocol/limits';
import { z } from 'zod';
import { budgets, scopeOf } from '../admission/admission.ts';
import {
  type BudgetUse,
  type PlacesLeft,
  placesLeft,
  type SalesWindow,
  type SoldPlaces,
} from '../control-room/control-room.ts';
import type { Replica } from '../feeds/feeds.ts';
import { withMoneyFor } from '../logs/logs.ts';
import { standIn } from '../openapi/openapi.ts';
import { consoleAudience } from '../pictures/pictures.ts';
import { inTime, planOf } from './calls/ask.ts';
import { before } from './calls/query.ts';
import { type EventCall, eventRoute } from './calls/route.ts';
import { count, counts, epochMs, eventMeta, inMoney, moneyOf, taken, text, textOrNull } from './records.ts';

const sales = z.object({
  since: epochMs.describe(
    'All sales since then are counted: an hour ago, or later while older entries are being read.',
  ),
  readAt: epochMs.describe('When the log was read last. Older than a few seconds: the log does not answer.'),
  minutes: z
    .array(
      z.object({
        at: epochMs.describe("The minute's beginning."),
        holds: count.describe('New holds.'),
        held: z
          .int()
          .describe('Places that new holds added. All counts from here on are places, unless they say otherwise.'),
        bookedFromHolds: count,
        ended: z.int().describe('Given back by the buyer, or ended by an operator.'),
        expired: count.describe('Their hold ran past its deadline.'),
        bookings: count.describe('Bookings.'),
        booked: count,
        cancelled: count,
        bookedValue: taken,
      }),
    )
    .describe('Minutes in which something happened, oldest first.'),
});

const liveAnswer = z.object({
  at: epochMs.describe('The time of the server at the answer.'),
  event: eventMeta,
  ...inMoney,
  totals: counts,
  bookedValue: z.object({ gross: taken }),
  byCategory: z.array(z.object({ key: text, label: text, ...counts.shape })),
  bySection: z.array(z.object({ sectionId: text, sectionLabel: text, ...counts.shape })),
  presence: z.object({ shoppingSessions: count, activeHolds: count }),
  sales: sales.nullable().describe('Null while the log cannot be read.'),
  sold: z
    .object({
      upTo: z.int().min(0).describe('The `soldAfter` of the next call.'),
      places: z.array(z.object({ at: epochMs, labels: z.array(text) })).describe('Oldest first.'),
    })
    .nullable()
    .describe('Places that were sold in the last 15 minutes, behind `soldAfter`. Null without the parameter.'),
  refusals: z.object({
    since: epochMs.describe('Counted since then: an hour ago, or since the last start of a front door.'),
    doors: count.describe('The front doors whose counts are in the sum.'),
    byReason: z
      .array(
        z.object({
          code: text,
          reason: textOrNull,
          count,
          lately: count.describe('Of them, in the last five minutes.'),
        }),
      )
      .describe('The most frequent first. Calls about one event count, not those about a group or a season.'),
  }),
  budgets: z
    .array(z.object({ budget: text, key: textOrNull, used: count, limit: count, endsAt: epochMs }))
    .nullable()
    .describe(
      'Budgets of the organisation that are at least half used, the fullest first, until `endsAt`. `key` is the id of a ' +
        'key; null for a user or a session. Null for a manage session.',
    ),
  lag: z.object({
    changedAt: epochMs.describe('The time of the last change that is shown.'),
    feedMs: count.describe('How long that change took from its commit to this front door.'),
    isStale: z.boolean().describe('The event is halted: this is its last known state.'),
    logMs: count.describe('How far the log is behind the last change; 0: it has it.'),
    webhooks: z
      .object({ subscriptions: count, paused: count, waiting: count, oldestAt: epochMs.nullable() })
      .nullable()
      .describe('Deliveries that wait. Null for a manage session, and while no notifier answers.'),
  }),
});

const liveQuery = z.object({
  soldAfter: before('Asks for the sold places, too: 0 at first, then `sold.upTo` of the answer before.'),
});

type LiveCall = EventCall<unknown, z.output<typeof liveQuery>>;

const getLiveControlRoom = eventRoute(
  'GET /v1/events/{key}/control-room/live',
  {
    budget: budgets.serverCalls,
    capability: 'event:view',
    answer: liveAnswer,
    query: liveQuery,
    description: {
      operationId: 'getLiveControlRoom',
      tag: 'Reports',
      summary: 'The on-sale of an event, for a screen that asks every second or two',
      description:
        'What is left, the sales of the last hour by the minute, the refusals of the last hour by reason, budgets near ' +
        'their bound, and how far feed, log and webhooks are behind. The answer costs no sale anything. A manage ' +
        'session sees revenue only with event:reports, and neither budgets nor webhooks.',
      refusals: ['overloaded'],
      examples: [
        { summary: 'At a glance', path: { key: standIn.soldEvent } },
        { summary: 'With the places that were sold', path: { key: standIn.soldEvent }, query: { soldAfter: '0' } },
      ],
    },
  },
  liveControlRoom,
);

async function liveControlRoom(call: LiveCall) {
  const { ports, principal } = call;
  const { event } = call.event;
  const found = await inTime(call, ports.feeds.replicaOf(event));
  if (!found.ok) return found;
  const replica = found.value;
  const { controlRoom } = ports;
  const window = controlRoom.sales.of(event.key);
  const [presence, figures, webhooks] = await Promise.all([
    inTime(call, ports.feeds.presence(event)),
    controlRoom.doors.of({ eventKey: event.key, organisationId: event.organisationId }),
    principal.kind === 'manage' ? null : controlRoom.webhooks.of(scopeOf(principal), event),
    window.read(),
  ]);
  if (!presence.ok) return presence;
  const left = leftOf(replica);
  return done({
    at: ports.clock.now(),
    event: eventMetaOf(event, { status: replica.status, salesPaused: replica.salesPaused, counts: left.totals }),
    ...moneyOf(event),
    ...left,
    ...withMoneyFor(principal, {
      bookedValue: { gross: replica.picture.bookedValue },
      sales: window.readAt === null ? null : salesOf(window, window.readAt),
    }),
    presence: presence.value,
    sold: call.query.soldAfter === undefined ? null : await soldIn(call, window, replica.plan, call.query.soldAfter),
    refusals: { since: figures.since, doors: figures.doors, byReason: figures.refusals },
    budgets: budgetsFor(call, figures.budgets),
    lag: { ...lagOf(replica, window), webhooks },
  });
}

/** The units are counted once for each sight of the replica, however many screens ask. */
const counted = new WeakMap<Replica, { sight: number; left: PlacesLeft }>();

function leftOf(replica: Replica): PlacesLeft {
  const statuses = replica.seenBy(consoleAudience);
  const known = counted.get(replica);
  if (known?.sight === replica.sight) return known.left;
  const left = placesLeft(replica.plan, statuses);
  counted.set(replica, { sight: replica.sight, left });
  return left;
}

function salesOf({ since, minutes }: SalesWindow, readAt: number) {
  return { since, readAt, minutes: minutes.minutes() };
}

/** As many sales as name `soldLabelsMax` labels; the next call gets the others. */
async function soldIn(call: LiveCall, window: SalesWindow, present: Plan, after: number) {
  const places: { at: number; labels: string[] }[] = [];
  let upTo = after;
  let room = soldLabelsMax;
  for (const sale of window.minutes.soldAfter(after)) {
    room -= sale.units.length;
    if (room < 0 && places.length > 0) break;
    places.push({ at: sale.at, labels: await labelsOfSale(call, present, sale) });
    upTo = sale.id;
  }
  return { upTo, places };
}

/** Empty where the plan of that time cannot be read: the map shows the sale without its glow. */
async function labelsOfSale(call: LiveCall, present: Plan, { plan, units }: SoldPlaces): Promise<string[]> {
  if (plan === present.hash) return labelsOf(present, units);
  const earlier = await planOf(call, plan);
  return earlier.ok ? labelsOf(earlier.value, units) : [];
}

/**
 * Of the event's mode, so no key of one mode learns of the keys of the other. A key that is bound to a workspace sees
 * the budgets of this workspace alone.
 */
function budgetsFor({ principal, event: { event } }: LiveCall, uses: readonly BudgetUse[]) {
  if (principal.kind === 'manage') return null;
  const workspace = principal.kind === 'secret' ? principal.workspaceId : null;
  return uses.flatMap(({ workspaceId, mode, ...use }) => {
    const isSeen = (mode === null || mode === event.mode) && (workspace === null || workspaceId === workspace);
    return isSeen ? [use] : [];
  });
}

function lagOf(replica: Replica, { newest }: SalesWindow) {
  const isBehind = newest !== null && placeOfEntry(newest.id).seq < replica.version;
  return {
    changedAt: replica.updatedAt,
    feedMs: replica.lagMs,
    isStale: replica.isStale,
    logMs: isBehind ? Math.max(0, replica.updatedAt - newest.at) : 0,
  };
}

export const controlRoomRoutes = [getLiveControlRoom];
