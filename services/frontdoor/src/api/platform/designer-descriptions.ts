/** The description of the designer's page. */
import type { Description } from '../../openapi/openapi.ts';

const headers = ['ETag'] as const;

export const designerDescriptions = {
  'GET /designer': {
    operationId: 'getDesignerPage',
    tag: 'Charts',
    summary: 'The page to draw a chart',
    description:
      "`designerUrl` of a designer session is its address. The session's token stands after the `#`, which browsers " +
      "send to no server. Only pages of the session's allowedOrigin may show this page in a frame: `parent` names " +
      'this origin and `seal` proves it. Without both the page opens in a tab of its own alone.',
    mediaTypes: ['text/html'],
    headers,
    refusals: ['not_found'],
    examples: [
      { summary: 'The page' },
      { summary: 'With a seal that proves nothing', query: { parent: 'https://elsewhere.example', seal: 'forged' } },
    ],
  },
  'GET /designer/{file}': {
    operationId: 'getDesignerFile',
    tag: 'Charts',
    summary: 'The designer, and the other files of its page',
    description:
      '`parterre-designer.js` is an ECMAScript module for the page around the designer. It defines ' +
      '`<parterre-designer designer-url="…">`.',
    mediaTypes: ['text/javascript', 'text/css', 'text/html'],
    headers,
    refusals: ['not_found'],
    examples: [
      { summary: 'The element', path: { file: 'parterre-designer.js' } },
      { summary: 'An unknown file', path: { file: 'secret.js' }, answers: 'not_found' },
    ],
  },
} as const satisfies Record<string, Description>;
