/** Answers of buyers' reads. */
import { z } from 'zod';
import { chartDocument } from '../charts/charts.ts';
import { buyerEvent, count, currency, epochMs, optional, price, text, textOrNull } from '../records/records.ts';

const minorUnits = z.int().min(0).describe('Minor units of the currency.').nullable();

const saleWindow = z
  .object({
    index: count.min(1).describe('The place in the list of ticket releases, from 1.'),
    count,
    remaining: count.nullable(),
    id: text,
    name: text,
    categoryKey: textOrNull,
    startsAt: epochMs.nullable(),
    endsAt: epochMs.nullable(),
  })
  .nullable();

const priceOverride = z.object({ categoryKey: text, tierId: textOrNull, price });

export const summary = z.object({
  state: z.enum(['on-sale', 'low', 'sold-out', 'presale', 'closed']),
  waiting: z
    .object({
      reason: z.enum(['event_closed', 'sales_paused', 'channel_paused', 'sold_out', 'nothing_for_sale', 'presale']),
      opensAt: epochMs.nullable(),
    })
    .nullable()
    .describe('The one reason why a buyer waits; null while there is something to buy.'),
  fromPrice: minorUnits,
  previousPrice: minorUnits,
  currency,
  release: saleWindow,
  upcoming: saleWindow,
  offers: z.array(
    z.object({
      offerId: text,
      offerName: text,
      categoryKey: textOrNull,
      price,
      previousPrice: price.nullable(),
      remaining: count.nullable(),
      startsAt: epochMs.nullable(),
      endsAt: epochMs.nullable(),
    }),
  ),
  prices: z.array(
    z.object({
      categoryKey: text,
      free: count.describe('Units of the category that this buyer may have now.'),
      lowestPrice: price.nullable(),
      highestPrice: price.nullable(),
      price,
      previousPrice: price.nullable(),
      offerId: optional(text),
      offerName: optional(text),
      remaining: optional(count),
      startsAt: optional(epochMs),
      endsAt: optional(epochMs),
    }),
  ),
  channelPricing: z
    .object({
      assignmentVersion: count,
      channels: z.array(z.object({ channelId: text, pricingVersion: count, priceOverrides: z.array(priceOverride) })),
      objects: z.array(z.object({ label: text, channelId: text })),
    })
    .nullable(),
});

export const buyerSummary = summary.extend({
  heldByOthers: count.describe("The units that the map shows as held, without the caller's own."),
});

export const getBuyerChartAnswer = z.object({ event: buyerEvent, doc: chartDocument });
