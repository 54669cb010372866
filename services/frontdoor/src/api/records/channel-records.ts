/** What is said of channels wherever one is told. */
import type { Channel } from '@parterre/shared/records';
import { z } from 'zod';
import { count, epochMs, idOf, text, textOrNull } from './records.ts';

/** Sparse: what is not named costs what it costs everybody. */
const priceOverride = z.object({
  categoryKey: text,
  tierId: textOrNull.describe('Null in a category without tiers.'),
  price: count.describe('Major units.'),
});

export const droppedPrices = z
  .array(z.object({ channelId: idOf('chn'), priceOverrides: z.array(priceOverride) }))
  .describe('Prices of channels for what the new chart has not.');

export const channel = z.object({
  id: idOf('chn'),
  name: text,
  color: textOrNull,
  marker: textOrNull,
  externalRef: textOrNull,
  state: z.enum(['active', 'paused', 'archived']),
  archiveDestination: textOrNull.describe('Where its seats went: the id of a channel, or public.'),
  accessIntent: z.enum(['none', 'internal', 'server', 'hosted_link']),
  priceOverrides: z.array(priceOverride),
  pricingVersion: count.describe('Grows with each change of the price overrides.'),
  createdAt: epochMs,
  updatedAt: epochMs,
  archivedAt: epochMs.nullable(),
}) satisfies z.ZodType<Channel>;

export const assignmentVersion = count.describe(
  'Grows whenever somebody may select other seats than before: an assignment, a pause, an archive.',
);

/** How a sale reaches private seats, and what it is refused with. */
export const aboutAccess =
  'Seats of a channel are sold to a call that names it in `channelIds`, at its prices and in its name, beside those of public sale; ' +
  'or past all channels with `ignoreChannelRestrictions` and a `reason`, which the audit of channels tells. Else they are ' +
  'refused: `channel_access_denied` with their `labels`, or `channel_paused`.';
export const ofAccess = ['channel_access_denied', 'channel_paused', 'invalid_channel_scope'] as const;
