/** The description of the catalog's projections of the journal. */
import type { Description } from '../../openapi/openapi.ts';

export const projectionDescriptions = {
  'GET /v1/admin/projections': {
    operationId: 'getProjections',
    tag: 'Operator',
    summary: 'How far sold counts, bookings, logs and credits have been counted',
    examples: [{ summary: 'The state' }],
  },
  'POST /v1/admin/projections/rebuild': {
    operationId: 'rebuildProjections',
    tag: 'Operator',
    summary: 'Rebuild sold counts, bookings, logs and credits from the first record of every journal',
    description:
      'The current projections stay in use until the new projections have counted as far. A call during a rebuild ' +
      'does not start another rebuild.',
    examples: [{ summary: 'Begin' }],
  },
} as const satisfies Record<string, Description>;
