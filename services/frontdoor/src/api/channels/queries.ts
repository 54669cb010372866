/** The queries of the reads of channels. */
import { z } from 'zod';
import { isOne, limit, text } from '../calls/calls.ts';

export const channelsQuery = z.object({
  includeArchived: isOne('1 includes archived channels.', z.literal('1')),
});

export const allocationQuery = z.object({
  afterLabel: text("The previous page's nextAfterLabel. If the chart no longer has this label, the list starts over."),
  limit: limit({ usual: 1_000, most: 10_000 }, z.int().default(1_000), 'At most 10,000.'),
});

export const previewQuery = z.object({
  channelIds: text('Ids of channels, separated by commas.'),
  includePublic: text(
    '1 or true includes public sale. If absent, public sale is included only if no channel is named.',
  ),
});
