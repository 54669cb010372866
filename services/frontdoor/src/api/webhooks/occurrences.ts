/** Webhook posts: the body and headers of every occurrence, and the meaning of the receiver's answer. */
import type { webhookEvents } from '@parterre/shared/vocabulary';
import { z } from 'zod';
import { count, epochMs, eventMeta, idOf, lineItem, optional } from '../records/records.ts';

type WebhookEvent = (typeof webhookEvents)[number];

const labels = z.array(z.string());
const source = z.enum(['server', 'buyer', 'operator', 'timer']).describe('The role of the actor; never the actor.');
const bookingRef = z.string();
const exchangeId = idOf('exc').describe('One for both occurrences of an exchange.');
const heldData = z.object({ holdId: idOf('hld'), labels, expiresAt: epochMs, source });

const meaning = {
  'seat.booked': 'Units were booked.',
  'seat.released':
    'Units are free again. Units of an ended hold are left out if another hold takes them over or if they are ' +
    'listed for resale.',
  'seat.blocked': 'Units were taken off sale.',
  'hold.created': 'Units are held.',
  'hold.extended': 'A hold was extended.',
  'hold.expired': 'A hold has expired. A seat.released names its units as well.',
  'event.created': 'An event was created.',
  'object.resale.sold': 'Units that were listed for resale were booked by another order. They were never free.',
  'event.soldout': 'Every unit that is for sale is booked. Sent again only after a unit was free in between.',
  ping:
    'A test of the subscription. It is sent whichever events the subscription names, and is not listed as a ' +
    'delivery.',
  'season.*':
    "An occurrence of a season's own, from its outbox. `event` has its name, for example `season.activated` or " +
    '`season.booking.booked`. A subscription without `season.*` hears of holds with `hold.created`, of bookings with ' +
    '`seat.booked`, of cancellations with `seat.released`, and of everything else with `event.created`.',
} as const satisfies Record<WebhookEvent, string>;

const dataOf = {
  'seat.booked': z.object({
    bookingRef,
    items: z.array(lineItem.extend({ channelExternalRef: z.string().nullable(), partnerRef: z.string().nullable() })),
    labels,
    quantity: count,
    currency: z.string(),
    configuredValue: count.describe('The sum of unitPrice × quantity, in major units.'),
    source,
    reason: optional(z.literal('exchanged').describe('The units came for others of the same booking.')),
    exchangeId: optional(exchangeId),
  }),
  'seat.released': z.discriminatedUnion('reason', [
    z.object({ labels, reason: z.literal('unbooked'), bookingRef }),
    z
      .object({ labels, reason: z.literal('exchanged'), bookingRef, exchangeId })
      .describe('The booking has other units instead. A seat.booked with the same `exchangeId` names them.'),
    z.object({ labels, reason: z.enum(['released', 'hold_expired']), holdId: idOf('hld') }),
    z.object({ labels, reason: z.literal('unblocked') }).describe('By an operator, or at its `releaseAt`.'),
  ]),
  'seat.blocked': z.object({ labels, releaseAt: epochMs.nullable(), reason: z.string().nullable(), by: source }),
  'hold.created': heldData,
  'hold.extended': heldData,
  'hold.expired': heldData,
  'event.created': z.object({ event: eventMeta }),
  'object.resale.sold': z.object({ labels, fromBookingRef: bookingRef, toBookingRef: bookingRef }),
  'event.soldout': z.object({ at: epochMs, seatTotal: count.describe('All units of the chart.') }),
  ping: z.object({}),
  'season.*': z.record(z.string(), z.unknown()),
} as const satisfies Record<WebhookEvent, z.ZodType>;

const ofEvent = {
  eventKey: z.string(),
  eventId: idOf('evt'),
  externalRef: optional(z.string().describe('If the event has one.')),
  workspaceId: idOf('ws'),
  performanceGroupKey: optional(idOf('pg').describe('If a performance group has sold the units.')),
  seasonKey: optional(idOf('sea').describe('If a season has sold or reserved the units.')),
  operationId: optional(z.string().describe("The caller's name of this sale of the group or season.")),
};
const ofPing = {
  workspaceId: optional(idOf('ws').describe('If the subscription is bound to a workspace.')),
  test: z.literal(true),
};

const ofSeason = { workspaceId: idOf('ws'), seasonKey: idOf('sea') };

function bodyOf(name: WebhookEvent) {
  const spelling = name === 'season.*' ? z.string().regex(/^season\./) : z.literal(name);
  return z.object({
    occurrenceId: idOf('occ').describe('The same in every attempt and after a retry by hand.'),
    event: spelling,
    type: spelling.describe('The same as event.'),
    at: epochMs.describe('The time of the occurrence, the same in every attempt.'),
    livemode: z.boolean(),
    ...(name === 'ping' ? ofPing : name === 'season.*' ? ofSeason : ofEvent),
    data: dataOf[name],
  });
}

export const occurrences = Object.entries(meaning).map(([name, summary]) => ({
  name,
  summary,
  body: bodyOf(name as WebhookEvent),
}));

export const webhookHeaders = {
  'webhook-id': 'The occurrence id.',
  'webhook-timestamp': 'The time of the attempt in seconds since the epoch.',
  'webhook-signature':
    '`v1,` and the HMAC-SHA256 of `id.timestamp.body` in base64, keyed with the decoded part of the secret after ' +
    '`whsec_`. One signature for each valid secret, separated by spaces.',
  'X-Parterre-Signature':
    '`sha256=` and the HMAC-SHA256 of the body in hex, keyed with the bytes of the whole secret as written. After a ' +
    'rotation only the new secret signs.',
};

export const webhookAnswers = {
  '2XX': 'Delivered.',
  '410': 'The receiver is gone. The subscription is paused, and this delivery is not tried again.',
  '429':
    'Try later. The next attempt waits for `Retry-After` if it is longer than the pause of the schedule. 503 has the ' +
    'same effect.',
  default:
    'A failed attempt. A redirect, or no answer within 15 seconds, is a failed attempt, too. A delivery has up to ' +
    'eight attempts over about 30 hours.',
};
