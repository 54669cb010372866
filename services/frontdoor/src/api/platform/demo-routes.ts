/**
 * The demo page, and the buyer's picker, which any page may load. The Content-Security-Policy limits the page
 * to this front door's own scripts, and to requests to this front door.
 */
import { done } from '@parterre/shared/errors';
import { budgets } from '../../admission/admission.ts';
import { formsOf, type Header, nothingHere, Prepared, takesHtml, unchanged } from '../../answers/answers.ts';
import { openRoute, type Ports, type Request } from '../calls/calls.ts';

const file = { budget: budgets.publicFiles };

export const demoRoutes = [
  // A person who opens the bare address in a browser gets the demo page. Programs get 404.
  openRoute('GET /', { ...file, answer: null, status: 302 }, async ({ ports, request }) => {
    const isServed = takesHtml(request.accept) && (await ports.demo.get('index.html')) !== null;
    return isServed ? done(toDemo) : nothingHere;
  }),
  openRoute('GET /demo', { ...file, answer: null }, ({ ports, request }) => serve(ports, request, 'index.html')),
  openRoute('GET /demo/{file}', { ...file, answer: null }, ({ ports, request }) =>
    serve(ports, request, request.params[0]!),
  ),
];

const toDemo = new Prepared(
  302,
  [
    ['Location', '/demo'],
    ['Cache-Control', 'no-cache'],
    ['Vary', 'Accept'],
  ],
  '',
);

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  // Some browsers do not count a WebSocket of the same host as 'self', and need its scheme.
  "connect-src 'self' ws: wss:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ');

const always: readonly Header[] = [
  ['X-Content-Type-Options', 'nosniff'],
  ['Content-Security-Policy', policy],
  ['Referrer-Policy', 'no-referrer'],
];
/** Browsers fetch modules under CORS. The picker is public, so a page of any origin may load it. */
const forAnyPage: readonly Header[] = [
  ['Access-Control-Allow-Origin', '*'],
  ['Cross-Origin-Resource-Policy', 'cross-origin'],
];

async function serve({ demo }: Ports, request: Request, name: string) {
  const file = await demo.get(name);
  if (!file) return nothingHere;
  const { bytes, encoded, contentType, etag, isImmutable } = file;
  const freshness = isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache';
  const forms = formsOf(request, etag, freshness, (encoding) => encoded[encoding] !== undefined);
  const { encoding } = forms;
  const headers = [...forms.headersOf(encoding), ...always, ...(name.endsWith('.js') ? forAnyPage : [])];
  if (forms.isKnown) return done(unchanged(headers));
  const type: Header[] = [['Content-Type', contentType]];
  if (encoding === null) return done(new Prepared(200, [...type, ...headers], bytes));
  return done(new Prepared(200, [...type, ['Content-Encoding', encoding], ...headers], encoded[encoding]!));
}
