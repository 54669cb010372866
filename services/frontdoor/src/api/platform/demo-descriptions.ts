/** The demo page and the picker, as the description has them. */
import type { Description } from '../../openapi/description.ts';

const headers = ['ETag', 'Cache-Control'] as const;

export const demoDescriptions = {
  'GET /': {
    operationId: 'openFrontPage',
    tag: 'Buyers',
    summary: 'Leads browsers to the demo page',
    description:
      'Only requests whose Accept names text/html are led to /demo, where it is served; for others there is nothing here.',
    headers: ['Location', 'Cache-Control'],
    refusals: ['not_found'],
    examples: [
      { summary: 'A browser', headers: { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } },
      { summary: 'A program', headers: { Accept: 'application/json' }, answers: 'not_found' },
    ],
  },
  'GET /demo': {
    operationId: 'getDemoPage',
    tag: 'Buyers',
    summary: 'A page to choose and hold seats on',
    description:
      'It shows the event whose key stands after the `#` of its address, with a publishable key (`/demo#event=…&key=pk_…`), for ' +
      'which the origin of this very address has to be registered, or with the capability of an access link ' +
      '(`/demo#event=…&access=acl_…`).',
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
      '`parterre.js` is the picker as an ECMAScript module, for any page: it defines `<parterre-map event="…" public-key="pk_…" ' +
      `base-url="…">\`, which takes a link's capability as \`access\` or a session of the page's own by its property \`token\` in ` +
      'place of a key, and exports `createMap(container, options)`.',
    mediaTypes: ['text/javascript', 'text/css', 'text/html'],
    headers,
    refusals: ['not_found'],
    examples: [
      { summary: 'The picker', path: { file: 'parterre.js' } },
      { summary: 'One that is not there', path: { file: 'secret.js' }, answers: 'not_found' },
    ],
  },
} as const satisfies Record<string, Description>;
