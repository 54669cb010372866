/** The demo page and the picker, as the description has them. */
import type { Description } from './description.ts';

const headers = ['ETag', 'Cache-Control'] as const;

export const demo = {
  'GET /demo': {
    operationId: 'getDemoPage',
    tag: 'Buyers',
    summary: 'A page to choose and hold seats on',
    description:
      'It shows the event whose key and publishable key stand after the `#` of its address: `/demo#event=…&key=pk_…`. The origin of this very address has to be registered for the key.',
    answer: null,
    mediaTypes: ['text/html'],
    headers,
    refusals: ['not_found'],
    examples: [{ summary: 'The page' }],
  },
  'GET /demo/{file}': {
    operationId: 'getDemoFile',
    tag: 'Buyers',
    summary: 'The picker, and what else the page is made of',
    description:
      '`parterre.js` is the picker as an ECMAScript module, for any page: it defines `<parterre-map event="…" public-key="pk_…" base-url="…">` and exports `createMap(container, options)`.',
    answer: null,
    mediaTypes: ['text/javascript', 'text/css', 'text/html'],
    headers,
    refusals: ['not_found'],
    examples: [
      { summary: 'The picker', path: { file: 'parterre.js' } },
      { summary: 'One that is not there', path: { file: 'secret.js' }, answers: 'not_found' },
    ],
  },
} as const satisfies Record<string, Description>;
