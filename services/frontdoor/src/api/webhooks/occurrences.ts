/** What subscribed back ends are posted: the body of every webhook, its headers, and what an answer to it means. */
import type { webhookEvents } from '@parterre/shared/vocabulary';
import { z } from 'zod';
import { count, epochMs, eventMeta, idOf, lineItem, optional } from '../records/records.ts';

type WebhookEvent = (typeof webhookEvents)[number];

const labels = z.array(z.string());
const source = z.enum(['server', 'buyer', 'operator', 'timer']).describe('In which role somebody acted; never who.');
const bookingRef = z.string();
const heldData = z.object({ holdId: idOf('hld'), labels, expiresAt: epochMs, source });

const meaning = {
  'seat.booked': 'Units were booked.',
  'seat.released':
    'Units are free again. Of a hold that ends, neither those that another one takes over nor those that are listed for resale.',
  'seat.blocked': 'Units were taken out of sale.',
  'hold.created': 'Units are held.',
  'hold.extended': 'A hold lasts longer.',
  'hold.expired': 'A hold has run out; its units are told of by seat.released too.',
  'event.created': 'An event was created.',
  'object.resale.sold': 'Units that were listed for resale were booked anew; they were never free.',
  'event.soldout': 'Every unit that is for sale is booked. Told again only after one was free in between.',
  ping: 'Somebody tries the subscription. It is sent whatever events it names, and told of in no history.',
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
  }),
  'seat.released': z.discriminatedUnion('reason', [
    z.object({ labels, reason: z.literal('unbooked'), bookingRef }),
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
} as const satisfies Record<WebhookEvent, z.ZodType>;

const ofEvent = {
  eventKey: z.string(),
  eventId: idOf('evt'),
  externalRef: optional(z.string().describe('Where the event has one.')),
  workspaceId: idOf('ws'),
};
const ofPing = {
  workspaceId: optional(idOf('ws').describe('Of a subscription that hears of one workspace.')),
  test: z.literal(true),
};

function bodyOf(name: WebhookEvent) {
  return z.object({
    occurrenceId: idOf('occ').describe('The same in every attempt and after a retry by hand.'),
    event: z.literal(name),
    type: z.literal(name).describe('The same as event.'),
    at: epochMs.describe('When it happened: the same however late it is delivered.'),
    livemode: z.boolean(),
    ...(name === 'ping' ? ofPing : ofEvent),
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
  'webhook-timestamp': 'Seconds since the epoch.',
  'webhook-signature':
    '`v1,` and the HMAC-SHA256 of `id.timestamp.body` in base64, keyed with the decoded part of the secret after `whsec_`; one ' +
    'for each secret that is live, parted by spaces.',
  'X-Parterre-Signature':
    '`sha256=` and the HMAC-SHA256 of the body in hex, keyed with the bytes of the whole secret as it is written; after a rotation with the new one alone.',
};

export const webhookAnswers = {
  '2XX': 'Taken.',
  '410': 'The receiver is gone: the subscription is paused, and this delivery is not tried again.',
  '429': 'Later: `Retry-After` is waited for where it is longer than the pause of the schedule. The same of 503.',
  default:
    'An attempt that failed, as is a redirect, or no answer within 15 seconds: eight are made, over some 30 hours.',
};
