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
  fromPrice: minorUnits,
  previousPrice: minorUnits,
  currency,
  release: saleWindow,
  upcoming: saleWindow,
  prices: z.array(
    z.object({
      categoryKey: text,
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
