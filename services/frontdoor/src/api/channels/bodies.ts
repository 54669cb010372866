/** Request bodies of channels. The event's actor checks everything that depends on the chart. */
import { channelMarkLengthMax, priceMax, priceOverridesMax } from '@parterre/shared/limits';
import { visibleText } from '@parterre/shared/names';
import type { PriceOverride } from '@parterre/shared/records';
import { z } from 'zod';
import { bulkLabels } from '../inventory/inventory.ts';
import { externalRef, id, name, optional, reason, recordById } from '../records/records.ts';

const price = z.int().min(0).max(priceMax);
const byKey = <Value extends z.ZodType>(value: Value) => recordById(value, 'The chart has no such category or tier.');

/** A list as in answers, or a map by category and tier. Null is the empty list. The order has no meaning. */
const priceOverrides = z
  .union(
    [
      z.null().transform(() => []),
      z.array(z.object({ categoryKey: id, tierId: id.nullable().default(null), price })),
      byKey(z.union([price, byKey(price)])).transform(listOf),
    ],
    {
      error:
        'Must be a list of { categoryKey, tierId, price }, or prices by category and tier. A price is a whole number.',
    },
  )
  .refine((list) => list.length <= priceOverridesMax, `Must have at most ${priceOverridesMax} prices.`);

function listOf(prices: Record<string, number | Record<string, number>>): PriceOverride[] {
  return Object.entries(prices).flatMap(([categoryKey, priced]): PriceOverride[] => {
    if (typeof priced === 'number') return [{ categoryKey, tierId: null, price: priced }];
    return Object.entries(priced).map(([tierId, each]) => ({ categoryKey, tierId, price: each }));
  });
}

const mark = visibleText.min(1).max(channelMarkLengthMax);
const why = { reason: optional(reason.nullable()) };

/** The details of a channel, for its creation and later changes. Null clears. */
const details = {
  color: optional(mark.nullable()),
  marker: optional(mark.nullable()),
  externalRef: optional(externalRef.nullable()),
  accessIntent: optional(z.enum(['none', 'internal', 'server', 'hosted_link'])),
  priceOverrides: optional(priceOverrides),
};

export const channelBody = z.object({ name, ...details, ...why });

export const channelChangesBody = z.object({
  name: optional(name),
  ...details,
  acknowledgeLiveAccess: optional(
    z.boolean().describe('Changes the access intent although the channel has live sessions or links.'),
  ),
  expectedPricingVersion: optional(z.int().min(0)),
  pricingVersion: optional(z.int().min(0).describe('The same as expectedPricingVersion.')),
  ...why,
});

/** A channel, or public sale under either of its names. */
const target = z
  .union([id, z.null()])
  .describe('The id of a channel; `public` or null for public sale.')
  .transform((named) => (named === 'public' ? null : named));

export const assignmentsBody = z.compile(
  z.object({
    targetChannelId: target,
    labels: bulkLabels,
    assignmentVersion: z.int().min(0),
    ...why,
  }),
);
export const channelArchiveBody = z.object({ destination: target, ...why });
export const channelStateBody = z.object(why);
