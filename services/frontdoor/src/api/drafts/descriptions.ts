/** The description of the demo's drafts. */
import { type Description, standIn } from '../../openapi/openapi.ts';

const where = 'Only where the operator runs a demo with drawing visitors; elsewhere the answer is 404. ';

export const draftDescriptions = {
  'GET /demo/drafts': {
    operationId: 'listDraftTemplates',
    tag: 'Buyers',
    summary: 'The templates from which a visitor of the demo may draw',
    description: `${where}The templates of \`GET /v1/templates\`.`,
    refusals: ['not_found'],
    examples: [{ summary: 'All templates' }],
  },
  'POST /demo/drafts': {
    operationId: 'startDraft',
    tag: 'Buyers',
    summary: 'Draw a chart in the demo, without an account',
    description: `${where}The answer opens the designer for one chart. The demo deletes the drawing after a while. A page of another origin is refused.`,
    refusals: ['not_found', 'overloaded', 'invalid_request', 'forbidden'],
    examples: [
      { summary: 'From a template', body: { template: 'cabaret', sizes: { tables: 12 }, name: 'My club' } },
      { summary: 'Empty' },
      { summary: 'An unknown template', body: { template: 'moon-base' }, answers: 'not_found' },
      { summary: 'Bad sizes', body: { template: 'club', sizes: { capacity: 1 } }, answers: 'invalid_request' },
    ],
  },
  'POST /demo/drafts/{id}/sale': {
    operationId: 'sellDraft',
    tag: 'Buyers',
    summary: 'Publish a drawing of the demo, and put it on sale',
    description: `${where}The same drawing again is the same event; a changed drawing is a new event.`,
    refusals: ['not_found', 'unauthorized', 'chart_not_found', 'invalid_chart', 'conflict'],
    examples: [
      { summary: 'Put it on sale', path: { id: standIn.demoDraft }, body: { token: standIn.demoDraftToken } },
      {
        summary: 'With an unknown token',
        path: { id: standIn.demoDraft },
        body: { token: 'dse_unknown' },
        answers: 'unauthorized',
      },
      {
        summary: 'Of another visitor',
        path: { id: standIn.chart },
        body: { token: standIn.demoDraftToken },
        answers: 'chart_not_found',
      },
    ],
  },
} as const satisfies Record<string, Description>;
