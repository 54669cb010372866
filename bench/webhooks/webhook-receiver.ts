/**
 * Receivers of webhooks, all in one process and on one port, distinguished by path: `/well/3` answers at once,
 * `/hang/3` never, `/drip/3` with a byte a second. The process reports when the well receivers have all expected
 * webhooks, each counted once.
 */
import { App, type HttpResponse, us_socket_local_port } from 'uWebSockets.js';

export type ReceiverOrder = { order: 'expect'; count: number } | { order: 'bodies' };
/** `perSecond` from the first to the last expected webhook. `bodyBytes`: the mean of the expected webhooks. */
export type Reached = { perSecond: number; again: number; bodyBytes: number };

const bodiesKept = 256;
const dripMs = 1_000;

let seen = new Set<string>();
let expected = 0;
let again = 0;
let firstAt = 0;
let bytes = 0;
/** Spread evenly over the expected webhooks, so that their mean length is that of all. */
let bodies: string[] = [];
const dripping = new Set<HttpResponse>();

const app = App();
app.post('/*', (response, request) => {
  const url = request.getUrl();
  const id = request.getHeader('webhook-id');
  response.onAborted(() => void dripping.delete(response));
  if (url.startsWith('/drip')) dripping.add(response);
  if (!url.startsWith('/well')) return;
  // Bodies of undici's posts come when the expected ones are complete.
  const isKept = seen.size < expected && seen.size >= (bodies.length * expected) / bodiesKept;
  const parts: Buffer[] = [];
  let length = 0;
  response.onData((part, isLast) => {
    length += part.byteLength;
    if (isKept) parts.push(Buffer.from(part.slice(0)));
    if (!isLast) return;
    if (isKept) bodies.push(Buffer.concat(parts).toString());
    response.cork(() => response.writeStatus('204').endWithoutBody());
    note(`${url} ${id}`, length);
  });
});
app.listen('127.0.0.1', 0, (listener) => {
  if (!listener) throw new Error('no port');
  process.send!({ port: us_socket_local_port(listener as never) });
});

setInterval(() => {
  for (const response of dripping) response.cork(() => response.write('.'));
}, dripMs);

function note(delivery: string, length: number): void {
  if (seen.has(delivery)) {
    again++;
    return;
  }
  seen.add(delivery);
  bytes += length;
  if (seen.size === 1) firstAt = performance.now();
  if (seen.size !== expected) return;
  const perSecond = (expected - 1) / ((performance.now() - firstAt) / 1_000);
  process.send!({ perSecond, again, bodyBytes: bytes / expected } satisfies Reached);
}

process.on('message', (order: ReceiverOrder) => {
  if (order.order === 'bodies') {
    process.send!(bodies);
  } else {
    seen = new Set();
    bodies = [];
    [expected, again, bytes] = [order.count, 0, 0];
  }
});
