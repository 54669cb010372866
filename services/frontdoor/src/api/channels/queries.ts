/** The queries of the reads of channels. */
import { z } from 'zod';
import { isOne, limit, text } from '../calls/query.ts';

export const channelsQuery = z.object({
  includeArchived: isOne('1: those in the archive too.', z.literal('1')),
});

export const allocationQuery = z.object({
  afterLabel: text('The nextAfterLabel of the page before; one that the chart has not any more begins anew.'),
  limit: limit({ usual: 1_000, most: 10_000 }, z.int().default(1_000), 'At most 10,000.'),
});

export const previewQuery = z.object({
  channelIds: text('Ids of channels, with commas between them.'),
  includePublic: text('1 or true: with public sale. Left out, that is so where no channel is named.'),
});
