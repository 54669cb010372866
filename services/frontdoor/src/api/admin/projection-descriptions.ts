/** The catalog's projections of the journal, as the description shows them. */
import type { Description } from '../../openapi/description.ts';

export const projectionDescriptions = {
  'GET /v1/admin/projections': {
    operationId: 'getProjections',
    tag: 'Operator',
    summary: 'How far sold counts, bookings, logs and credits are counted',
    examples: [{ summary: 'The state' }],
  },
  'POST /v1/admin/projections/rebuild': {
    operationId: 'rebuildProjections',
    tag: 'Operator',
    summary: 'Count sold counts, bookings, logs and credits anew, from the first record of every journal',
    description:
      'All go on being read as they are until the new ones have counted as far. Asked again meanwhile it begins no other.',
    examples: [{ summary: 'Begin' }],
  },
} as const satisfies Record<string, Description>;
