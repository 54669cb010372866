/** The records of channels, for the descriptions of all rooms. */
import type { Channel } from '@parterre/shared/records';
import { z } from 'zod';
import { count, epochMs, idOf, text, textOrNull } from './parts.ts';

/** The list is sparse: a category or tier without an entry has its usual price. */
const priceOverride = z.object({
  categoryKey: text,
  tierId: textOrNull.describe('Null in a category without tiers.'),
  price: count.describe('Major units.'),
});

export const droppedPrices = z
  .array(z.object({ channelId: idOf('chn'), priceOverrides: z.array(priceOverride) }))
  .describe('Prices of channels for categories or tiers that the new chart lacks.');

export const channel = z.object({
  id: idOf('chn'),
  name: text,
  color: textOrNull,
  marker: textOrNull,
  externalRef: textOrNull,
  state: z.enum(['active', 'paused', 'archived']),
  archiveDestination: textOrNull.describe(
    'Where the units of the archived channel went: the id of a channel, or public.',
  ),
  accessIntent: z.enum(['none', 'internal', 'server', 'hosted_link']),
  priceOverrides: z.array(priceOverride),
  pricingVersion: count.describe('Grows with each change of the price overrides.'),
  createdAt: epochMs,
  updatedAt: epochMs,
  archivedAt: epochMs.nullable(),
}) satisfies z.ZodType<Channel>;

export const assignmentVersion = count.describe(
  'Grows with every change of the seats that a buyer may select: an assignment, a pause, an archive.',
);

/** How a sale reaches the seats of channels, and its refusals. */
export const aboutAccess =
  "A call that names a channel in `channelIds` may sell the channel's seats, at its prices and in its name, beside " +
  'the seats of public sale. A call with `ignoreChannelRestrictions` and a `reason` may sell seats of all ' +
  'channels; the audit of channels shows the reason. Otherwise seats of channels are refused: ' +
  '`channel_access_denied` with their `labels`, or `channel_paused`.';
export const ofAccess = ['channel_access_denied', 'channel_paused', 'invalid_channel_scope'] as const;
