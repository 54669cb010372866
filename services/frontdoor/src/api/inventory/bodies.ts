/**
 * Request bodies of holds, bookings and blocks. The bodies of sales are compiled: the schema library writes their checks
 * as one function, which takes a body in a tenth of the time. A body that this function refuses is checked again in the
 * usual way, for its issues.
 */
import {
  bookingRefLengthMax,
  channelsPerEventMax,
  gaCapacityMax,
  idLengthMax,
  labelsPerBulkMax,
  labelsPerSaleMax,
  noteLengthMax,
} from '@parterre/shared/limits';
import { z } from 'zod';
import { count, id, unitLabel as label, moment, optional, reason } from '../records/records.ts';

/** The event's actor clamps the value. */
export const ttlMs = z.int().min(1).describe('Milliseconds from now; more than an hour means an hour.');
/**
 * Labels of a sale. A seat that is named twice counts once, an area counts as often as it is named. Only the event can
 * tell a seat from an area, so repetitions stay in the list.
 */
export const soldLabels = z.array(label).min(1).max(labelsPerSaleMax);

/**
 * Labels of a bulk call. The event counts a unit once, however often it is named. Its labels stay as they are here: a set
 * of 50,000 texts takes as long as all other checks of the body.
 */
export const bulkLabels = z.array(label).min(1).max(labelsPerBulkMax);

/** A label that is named twice counts once. */
export function labels(most: number) {
  return z
    .array(label)
    .min(1)
    .max(most)
    .transform((named) => (named.length === 1 ? named : [...new Set(named)]));
}

/** Of a hold by a buyer's page. */
export const expectedTotal = optional(
  count.describe(
    'The price of all places that the page has shown, in major units. Another total is 409 `price_changed`.',
  ),
);

export const saleSelection = z.object({
  label,
  tierId: optional(z.string().max(idLengthMax).nullable()),
  quantity: optional(z.int().min(1).max(gaCapacityMax)),
});
const selections = z.array(saleSelection).min(1).max(labelsPerSaleMax);

export const access = {
  channelIds: optional(
    z
      .array(id)
      .max(channelsPerEventMax)
      .describe(
        'Channels whose seats may be sold beside the seats of public sale. A seat of a channel is sold in the name ' +
          'of its channel.',
      ),
  ),
  ignoreChannelRestrictions: optional(z.boolean()),
  reason: optional(reason),
};

/** The audit of channels shows each override with its reason. */
export const saysWhy = (body: { ignoreChannelRestrictions?: boolean; reason?: string | null }): boolean =>
  body.ignoreChannelRestrictions !== true || typeof body.reason === 'string';
export const saysWhyMessage = { message: 'Send a reason with ignoreChannelRestrictions.', path: ['reason'] };

export const bookingRef = z
  .string()
  .trim()
  .min(1)
  .max(bookingRefLengthMax)
  .describe("The caller's name for the order, which owns the booked units. Trimmed.");

type Named = { labels?: string[]; selections?: z.output<typeof selections> };
export const namesUnitsOnce = (body: Named) => (body.labels === undefined) !== (body.selections === undefined);
export const namesUnitsOnceMessage = { message: 'Send exactly one of labels and selections.', path: ['labels'] };

export const holdBody = z.compile(
  z
    .object({
      labels: optional(soldLabels),
      selections: optional(selections),
      ttlMs: optional(ttlMs),
      replaceHoldId: optional(id),
      ...access,
    })
    .refine(saysWhy, saysWhyMessage)
    .refine(namesUnitsOnce, namesUnitsOnceMessage),
);

export const extendBody = z.compile(
  z.object({ holdId: id, ttlMs: optional(ttlMs), ...access }).refine(saysWhy, saysWhyMessage),
);
export const releaseBody = z.compile(z.object({ holdId: id, labels: optional(labels(labelsPerSaleMax)) }));

export const bookBody = z.compile(
  z
    .object({
      holdId: optional(id),
      labels: optional(soldLabels),
      selections: optional(selections),
      bookingRef,
      ...access,
    })
    .refine(saysWhy, saysWhyMessage)
    .refine((body) => body.holdId !== undefined || namesUnitsOnce(body), {
      message: 'Send holdId, or exactly one of labels and selections.',
      path: ['holdId'],
    })
    .refine((body) => body.holdId === undefined || body.selections === undefined, {
      message: 'A hold has its selections already. Choose a part of it with labels.',
      path: ['selections'],
    }),
);

export const boxBookBody = z.object({ labels: soldLabels, bookingRef, ...access }).refine(saysWhy, saysWhyMessage);
export const boxOfficeSaleBody = z
  .object({
    selections,
    bookingRef,
    releaseId: optional(id.nullable()),
    note: optional(z.string().trim().max(noteLengthMax).nullable()),
    ...access,
  })
  .refine(saysWhy, saysWhyMessage);

export const unbookBody = z.object({ bookingRef, labels: optional(labels(labelsPerSaleMax)) });
export const blockBody = z.compile(
  z.object({
    labels: bulkLabels,
    releaseAt: optional(moment.nullable()),
    reason: optional(reason.nullable()),
  }),
);
export const unblockBody = z.compile(z.object({ labels: bulkLabels }));
export const holdTtlBody = z.object({
  holdTtlMs: z.int().nullable().describe('Milliseconds, clamped to 1 to 60 minutes; null is the default.'),
});
