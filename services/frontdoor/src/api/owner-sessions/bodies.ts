/** Bodies of buyers' sessions to groups and seasons. */
import {
  buyerSessionSecondsMax,
  buyerSessionSecondsMin,
  channelsPerEventMax,
  maxQuantityMax,
} from '@parterre/shared/limits';
import { z } from 'zod';
import { allowedOrigin, ref } from '../access/access.ts';
import { id, optional, recordById } from '../records/records.ts';

export const ownerSessionBody = z.object({
  channelIdsByEvent: optional(
    recordById(z.array(id).max(channelsPerEventMax), 'There is no such event.').describe(
      'Channels by event key. An event that is left out has no channels.',
    ),
  ),
  includePublic: optional(
    z.boolean().describe('Whether public sale is in reach. True if absent and no channel is named.'),
  ),
  allowedOrigin,
  expiresInSeconds: optional(z.int().min(buyerSessionSecondsMin).max(buyerSessionSecondsMax)),
  maxQuantity: optional(
    z
      .int()
      .min(1)
      .max(maxQuantityMax)
      .nullable()
      .describe('The most labels, however many events each label stands for.'),
  ),
  buyerRef: optional(ref.nullable()),
  partnerRef: optional(ref.nullable()),
});
