/** The queries of seasons. */
import { structureStates } from '@parterre/shared/catalog/seasons';
import { z } from 'zod';
import { choice, cursor, limit, text } from '../calls/calls.ts';

export const seasonsQuery = z.object({
  limit: limit({ usual: 100, most: 200 }),
  cursor,
  workspaceId: text('Only seasons of this workspace.'),
  structureState: choice(
    'Only seasons in this state.',
    structureStates,
    'There is no such state of a season. Leave out structureState, or name a state of a season.',
  ),
});

export const lookupQuery = z.object({
  bookingRef: text('The reference of a booking.'),
  holderRef: text('The reference of a holder.'),
});
