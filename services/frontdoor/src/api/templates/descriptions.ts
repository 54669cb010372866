/** The description of templates. */
import type { Description } from '../../openapi/openapi.ts';

export const templateDescriptions = {
  'GET /v1/templates': {
    operationId: 'listTemplates',
    tag: 'Charts',
    summary: 'Venues to start from',
    description: 'Each template draws a kind of venue in sizes of your choice.',
    examples: [{ summary: 'All templates' }],
  },
  'POST /v1/templates/{id}/instantiate': {
    operationId: 'instantiateTemplate',
    tag: 'Charts',
    summary: 'Create a chart from a template, as a draft',
    description:
      'The draft can be published as it is, and changed like any other chart. Without `name` the chart has the name of ' +
      'the template. The document remembers the template and its sizes in `template`.',
    refusals: ['not_found', 'workspace_not_found_or_disabled'],
    examples: [
      { summary: 'A theatre in usual sizes', path: { id: 'theatre' } },
      {
        summary: 'A large cabaret',
        path: { id: 'cabaret' },
        body: { sizes: { tables: 60, seatsPerTable: 6 }, name: 'Winter garden', externalRef: 'venue-14' },
      },
      {
        summary: 'Sizes that the template does not have',
        path: { id: 'theatre' },
        body: { sizes: { rows: 1_000, tables: 4 } },
        answers: 'invalid_request',
      },
      { summary: 'An unknown template', path: { id: 'moon-base' }, answers: 'not_found' },
      {
        summary: 'In an unknown workspace',
        path: { id: 'theatre' },
        body: { workspaceId: 'ws_0' },
        answers: 'workspace_not_found_or_disabled',
      },
    ],
  },
} as const satisfies Record<string, Description>;
