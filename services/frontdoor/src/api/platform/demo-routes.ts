/**
 * The demo page, and the buyer's picker, which any page may load. The Content-Security-Policy limits the page
 * to this front door's own scripts, and to requests to this front door. Pictures alone come from elsewhere: a chart may
 * name pictures of any https address, as in the designer. Their hosts learn no address of a page (Referrer-Policy).
 */
import { done } from '@parterre/shared/errors';
import { budgets } from '../../admission/admission.ts';
import { nothingHere, Prepared, takesHtml } from '../../answers/answers.ts';
import { openRoute } from '../calls/calls.ts';
import { pageFile } from './page-file.ts';

const file = { budget: budgets.publicFiles };

export const demoRoutes = [
  // A person who opens the bare address in a browser gets the demo page. Programs get 404.
  openRoute('GET /', { ...file, answer: null, status: 302 }, async ({ ports, request }) => {
    const isServed = takesHtml(request.accept) && (await ports.demo.get('index.html')) !== null;
    return isServed ? done(toDemo) : nothingHere;
  }),
  openRoute('GET /demo', { ...file, answer: null }, ({ ports, request }) =>
    pageFile(ports.demo, request, 'index.html', policy),
  ),
  openRoute('GET /demo/{file}', { ...file, answer: null }, ({ ports, request }) =>
    pageFile(ports.demo, request, request.params[0]!, policy),
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
