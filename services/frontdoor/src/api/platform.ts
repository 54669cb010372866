/**
 * Readiness, the description of the API, the demo page with the picker, and the designer's page.
 *
 * The Content-Security-Policy limits each page to this front door's own scripts, and to requests to this front door. A
 * script within a page is named by its hash. Pictures alone come from elsewhere: a chart may name pictures of any
 * https address. Their hosts learn no address of a page (Referrer-Policy). Only the page that the designer's address
 * names with a seal may frame the designer, and no page that opened the designer in a tab of its own keeps a hold of
 * it.
 */

import { done, refuse } from '@parterre/shared/protocol/errors';
import { sha256 } from '@parterre/shared/protocol/ids';
import { z } from 'zod';
import { budgets, type Request } from '../admission/admission.ts';
import {
  asBytes,
  type CompressedJson,
  compressed,
  type Encoding,
  formsOf,
  framerOf,
  type Header,
  nothingHere,
  Prepared,
  preparedJson,
  preparedWhole,
  type Spelled,
  spell,
  takesHtml,
  unchanged,
} from '../answers/answers.ts';
import type { PageFile, PageFiles } from '../caches/caches.ts';
import { text } from './calls/query.ts';
import { type Answering, openRoute } from './calls/route.ts';
import { readinessChecks } from './records.ts';

const checkReadinessAnswer = z.object({
  status: z.literal('ok'),
  checks: readinessChecks,
  haltedEvents: z.int().min(0),
});

const checkReadiness = openRoute(
  'GET /health/ready',
  {
    answer: checkReadinessAnswer,
    budget: budgets.readiness,
    description: {
      operationId: 'checkReadiness',
      tag: 'Health',
      summary: 'Whether anything can be sold',
      description:
        '503 only while nothing can be sold; its `checks` and `haltedEvents` are those of the 200. `nats` is the link of ' +
        'this front door, `store` the storage of the journal as the shards see it, `disk` the fullest of the disks of ' +
        'shards and embedded stores and of the storage of NATS (`filling`: a fifth or less is free, `low`: a tenth or ' +
        'less), `haltedEvents` the number of events that sell nothing because their journal has lost records. While `catalog` is `down`, known events are sold to known keys. Each front door ' +
        'counts the budget of this address by itself.',
      refusals: ['shard_unavailable'],
      examples: [{ summary: 'Is it ready?' }],
    },
  },
  async ({ ports }): Answering<typeof checkReadinessAnswer> => {
    const { sellable, health, haltedEvents } = await ports.readiness.look();
    if (sellable) return done({ status: 'ok', checks: health, haltedEvents });
    const details = { checks: health, haltedEvents };
    return refuse('shard_unavailable', 'Nothing can be sold now. Try again.', { retryable: true, details });
  },
);

const toDemo = new Prepared(
  302,
  [
    ['Location', '/demo'],
    ['Cache-Control', 'no-cache'],
    ['Vary', 'Accept'],
  ],
  '',
);

// A person who opens the bare address in a browser gets the demo page. Programs get 404.
const openFrontPage = openRoute(
  'GET /',
  {
    budget: budgets.publicFiles,
    answer: null,
    status: 302,
    description: {
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
  },
  async ({ ports, request }) => {
    const isServed = takesHtml(request.accept) && (await ports.demo.get('index.html')) !== null;
    return isServed ? done(toDemo) : nothingHere;
  },
);

const headers = ['ETag'] as const;

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  // A chart may name pictures anywhere.
  "img-src 'self' data: https:",
  // Some browsers do not count a WebSocket of the same host as 'self', and need its scheme.
  "connect-src 'self' ws: wss:",
  // The designer, in the page on which visitors draw.
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
];

const getDemoPage = openRoute(
  'GET /demo',
  {
    budget: budgets.publicFiles,
    answer: null,
    description: {
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
  },
  ({ ports, request }) => pageFile(ports.demo, request, 'index.html', policy),
);

const noReferrer: Header = ['Referrer-Policy', 'no-referrer'];

/** Browsers fetch modules under CORS. The scripts are public, so a page of any origin may load them. */
const forAnyPage: readonly Header[] = [
  ['Access-Control-Allow-Origin', '*'],
  ['Cross-Origin-Resource-Policy', 'cross-origin'],
];

/**
 * A file of a page as an answer: compressed, with an ETag, and for ever where its name changes with its content.
 *
 * `policy` lists the directives of the Content-Security-Policy.
 */
async function pageFile(
  files: PageFiles,
  request: Request,
  name: string,
  policy: readonly string[],
  more: readonly Header[] = [],
) {
  const file = await files.get(name);
  if (!file) return nothingHere;
  const { bytes, encoded, contentType, etag, isImmutable } = file;
  const freshness = isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache';
  const forms = formsOf(request, etag, freshness, (encoding) => encoded[encoding] !== undefined);
  const { encoding } = forms;
  const headers = [
    ...forms.headersOf(encoding),
    noReferrer,
    limitsOf(file, policy),
    ...more,
    ...(name.endsWith('.js') ? forAnyPage : []),
  ];
  if (forms.isKnown) return done(unchanged(headers));
  const type: Header[] = [['Content-Type', contentType]];
  if (encoding === null) return done(new Prepared(200, [...type, ...headers], bytes));
  return done(new Prepared(200, [...type, ['Content-Encoding', encoding], ...headers], encoded[encoding]!));
}

/** The Content-Security-Policy of a file, made once under each list of directives that lasts. */
function limitsOf(file: PageFile, policy: readonly string[]): Header {
  const ofFiles = limits.get(policy) ?? new WeakMap<PageFile, Header>();
  limits.set(policy, ofFiles);
  const known = ofFiles.get(file);
  if (known) return known;
  const scripts = file.inlineScripts.map((each) => ` ${each}`).join('');
  const directives = policy.map((each) => (each.startsWith('script-src ') ? each + scripts : each));
  const header: Header = ['Content-Security-Policy', directives.join('; ')];
  ofFiles.set(file, header);
  return header;
}

const limits = new WeakMap<readonly string[], WeakMap<PageFile, Header>>();

const getDemoFile = openRoute(
  'GET /demo/{file}',
  {
    budget: budgets.publicFiles,
    answer: null,
    description: {
      operationId: 'getDemoFile',
      tag: 'Buyers',
      summary: 'The picker, and the other files of the page',
      description:
        '`parterre.js` is the picker as an ECMAScript module, for any page. It defines `<parterre-map event="…" ' +
        'public-key="pk_…" base-url="…">`. In place of a key the element takes a link\'s capability as `access`, or ' +
        "the token of a buyer's session as its property `token`. The module exports `createMap(container, options)`. " +
        '`parterre-early.js` before it asks for the sale and the files of the picker while the page still loads.',
      mediaTypes: ['text/javascript', 'text/css', 'text/html'],
      headers,
      refusals: ['not_found'],
      examples: [
        { summary: 'The picker', path: { file: 'parterre.js' } },
        { summary: 'An unknown file', path: { file: 'secret.js' }, answers: 'not_found' },
      ],
    },
  },
  ({ ports, path, request }) => pageFile(ports.demo, request, path.file, policy),
);

const designerPageQuery = z.object({
  parent: text('The origin whose pages may frame the designer.'),
  seal: text('Proves that this deployment has named the origin, in `designerUrl`.'),
});

const platformPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob: https:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
];

const unframedPolicy = [...platformPolicy, "frame-ancestors 'none'"];

const alone: Header = ['Cross-Origin-Opener-Policy', 'same-origin'];

const getDesignerPage = openRoute(
  'GET /designer',
  {
    budget: budgets.publicFiles,
    answer: null,
    query: designerPageQuery,
    description: {
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
  },
  ({ ports, request }) => {
    const framer = framerOf(ports.framerKeys, request.query);
    const policy = framer === null ? unframedPolicy : [...platformPolicy, `frame-ancestors ${framer}`];
    return pageFile(ports.designer, request, 'index.html', policy, [alone]);
  },
);

const platformFile = { budget: budgets.publicFiles, answer: null };

const getDesignerFile = openRoute(
  'GET /designer/{file}',
  {
    ...platformFile,
    description: {
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
  },
  ({ ports, path, request }) => pageFile(ports.designer, request, path.file, unframedPolicy),
);

const getConsolePage = openRoute(
  'GET /console',
  {
    budget: budgets.publicFiles,
    answer: null,
    description: {
      operationId: 'getConsolePage',
      tag: 'Dashboard',
      summary: 'The page of the people who sell',
      description: 'It signs a user in, and calls this API with the session. No page may show it in a frame.',
      mediaTypes: ['text/html'],
      headers,
      refusals: ['not_found'],
      examples: [{ summary: 'The page' }],
    },
  },
  ({ ports, request }) => pageFile(ports.console, request, 'index.html', unframedPolicy, [alone]),
);

const getConsoleFile = openRoute(
  'GET /console/{file}',
  {
    ...platformFile,
    description: {
      operationId: 'getConsoleFile',
      tag: 'Dashboard',
      summary: 'The files of the console',
      description:
        '`parterre-console.js` defines `<parterre-control-room>` and `<parterre-event-manager>`, for pages of a platform ' +
        'with manage sessions. Scripts whose names change with their content may be kept for ever.',
      mediaTypes: ['text/javascript', 'text/html'],
      headers,
      refusals: ['not_found'],
      examples: [
        { summary: 'The script', path: { file: 'console.js' } },
        { summary: 'The elements', path: { file: 'parterre-console.js' } },
        { summary: 'An unknown file', path: { file: 'secret.js' }, answers: 'not_found' },
      ],
    },
  },
  ({ ports, path, request }) => pageFile(ports.console, request, path.file, unframedPolicy),
);

const describeApiAnswer = z.looseObject({
  openapi: z.literal('3.1.1'),
  info: z.looseObject({ version: z.string() }),
});

type Described = z.output<typeof describeApiAnswer>;

const file = { budget: budgets.publicFiles };

/**
 * `describe` makes the description of all routes, this route included. It is made at the first request (about 200 ms),
 * compressed on a thread of the pool, and kept. A first request that fails makes the next request try again.
 */
export function descriptionRoute(describe: () => Described) {
  let made: Promise<DescriptionForms> | null = null;
  const forget = () => {
    made = null;
  };
  return openRoute(
    'GET /openapi.json',
    {
      ...file,
      answer: describeApiAnswer,
      description: {
        operationId: 'describeApi',
        tag: 'Health',
        summary: 'This description',
        description:
          'The OpenAPI description of every address of this server. It needs no credential, and its ETag changes with ' +
          'the version of the server.',
        headers: ['ETag'],
        examples: [{ summary: 'The whole description' }],
      },
    },
    async ({ request }): Answering<typeof describeApiAnswer> => {
      if (made === null) {
        made = formsOfDescription(describe());
        made.catch(forget);
      }
      const { full, etag, encoded } = await made;
      const { encoding, headersOf, isKnown } = formsOf(request, etag, 'no-cache');
      const headers = headersOf(encoding);
      if (isKnown) return done(unchanged(headers));
      if (encoding === null) return done(preparedJson(full, headers));
      return done(preparedWhole<Described>(encoded[encoding], headers));
    },
  );
}

type DescriptionForms = {
  full: Spelled<Described, string>;
  etag: string;
  encoded: Record<Encoding, CompressedJson<Described>>;
};

async function formsOfDescription(described: Described): Promise<DescriptionForms> {
  const full = spell(described);
  const bytes = asBytes(full);
  const [br, gzip] = await Promise.all([compressed(bytes, 'br'), compressed(bytes, 'gzip')]);
  return { full, etag: `"${sha256(full)}"`, encoded: { br, gzip } };
}

export const platformRoutes = [
  checkReadiness,
  openFrontPage,
  getDemoPage,
  getDemoFile,
  getDesignerPage,
  getDesignerFile,
  getConsolePage,
  getConsoleFile,
];
