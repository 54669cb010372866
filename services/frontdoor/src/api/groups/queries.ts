/** The queries of performance groups. */
import { z } from 'zod';
import { choice, cursor, limit, text } from '../calls/calls.ts';

export const groupsQuery = z.object({
  limit: limit({ usual: 100, most: 200 }),
  cursor,
  externalRef: text('Only groups with this externalRef.'),
  workspaceId: text('Only groups of this workspace.'),
  state: choice(
    'Only groups in this state.',
    ['draft', 'active', 'closing', 'closed', 'archived'],
    'There is no such state of a group. Leave out the state, or name a state of a group.',
  ),
});
