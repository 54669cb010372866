/** The description of the demo page and of the picker. */
import type { Description } from '../../openapi/openapi.ts';

const headers = ['ETag'] as const;

export const demoDescriptions = {
  'GET /': {
    operationId: 'openFrontPage',
    tag: 'Buyers',
    summary: 'Redirect browsers to the demo page',
    description:
      'Only requests whose Accept names text/html are redirected to /demo, and only if the page was built. All other ' +
      'requests get 404.',
    headers: ['Location'],
    refusals: ['not_found'],
    examples: [
      { summary: 'A browser', headers: { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } },
      { summary: 'A program', headers: { Accept: 'application/json' }, answers: 'not_found' },
    ],
  },
  'GET /demo': {
    operationId: 'getDemoPage',
    tag: 'Buyers',
    summary: 'A page to choose and hold seats',
    description:
      'It shows the event whose key stands after the `#` of its address. The address also has a publishable key ' +
      "(`/demo#event=…&key=pk_…`), for which the page's origin must be registered, or the capability of an access " +
      'link (`/demo#event=…&access=acl_…`).',
    mediaTypes: ['text/html'],
    headers,
    refusals: ['not_found'],
    examples: [{ summary: 'The page' }],
  },
  'GET /demo/{file}': {
    operationId: 'getDemoFile',
    tag: 'Buyers',
    summary: 'The picker, and the other files of the page',
    description:
      '`parterre.js` is the picker as an ECMAScript module, for any page. It defines `<parterre-map event="…" ' +
      'public-key="pk_…" base-url="…">`. In place of a key the element takes a link\'s capability as `access`, or ' +
      "the token of a buyer's session as its property `token`. The module exports `createMap(container, options)`.",
    mediaTypes: ['text/javascript', 'text/css', 'text/html'],
    headers,
    refusals: ['not_found'],
    examples: [
      { summary: 'The picker', path: { file: 'parterre.js' } },
      { summary: 'An unknown file', path: { file: 'secret.js' }, answers: 'not_found' },
    ],
  },
} as const satisfies Record<string, Description>;
