/**
 * The HTTP side of the baselines with seats: node:http with keep-alive, JSON in and out, the two calls of Parterre that
 * the benchmark makes, and a call that opens an event for sale. Compared with Parterre's front door it lacks
 * authentication, request budgets, idempotency keys, schemas (a body is trusted), CORS, webhooks, viewers, and retries
 * when a store is gone.
 */
import { createServer } from 'node:http';

const path = /^\/v1\/events\/([\w-]+)(?:\/(hold|book))?$/;

/**
 * Serves `store` on a free port, sent to the parent process as `{ port }`: `open(event, labels)`; `hold(event, labels)`
 * gives a holdId, or null when a seat is not free; `book(event, holdId, bookingRef)` gives the labels, or null when
 * there is no such hold.
 */
export function serveSeats(store) {
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const body = JSON.parse(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks));
      answer(store, request.url, body).then(
        ([status, value]) => send(response, status, value),
        (error) => send(response, 500, { error: String(error) }),
      );
    });
  });
  server.listen(0, '127.0.0.1', 1024, () => process.send({ port: server.address().port }));
  process.on('disconnect', () => process.exit(0));
}

async function answer(store, url, body) {
  const [, event, action] = path.exec(url) ?? [];
  if (!event) return [404, { error: 'no such route' }];
  if (action === 'hold') {
    const holdId = await store.hold(event, body.labels);
    return holdId === null ? [409, { error: 'not free' }] : [200, { holdId, labels: body.labels }];
  }
  if (action === 'book') {
    const labels = await store.book(event, body.holdId, body.bookingRef);
    return labels === null ? [409, { error: 'no such hold' }] : [200, { bookingRef: body.bookingRef, labels }];
  }
  await store.open(event, body.labels);
  return [200, { event }];
}

function send(response, status, value) {
  const text = JSON.stringify(value);
  response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) });
  response.end(text);
}
