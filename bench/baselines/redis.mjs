/**
 * node:http and Redis, with the scripts of redis-scripts.mjs. The client sends the requests of one turn of the event
 * loop as one pipeline (node-redis does so by itself), and scripts by their digest. It lacks the points of
 * json-server.mjs, and prices, channels, ticket releases, areas with a quantity, a change feed, an audit trail, more
 * than one server: Redis here has no replica. With `appendfsync everysec`, a power failure loses up to a second of
 * acknowledged sales. Argument: the port of the Redis server.
 */
import { randomUUID } from 'node:crypto';
import { createClient, defineScript } from 'redis';
import { serveSeats } from './json-server.mjs';
import { bookScript, holdScript, holdTtlMs } from './redis-scripts.mjs';

const script = (keys, source) =>
  defineScript({
    SCRIPT: source,
    NUMBER_OF_KEYS: keys,
    parseCommand: (parser, keysOf, args) => {
      for (const key of keysOf) parser.pushKey(key);
      parser.push(...args);
    },
    transformReply: (reply) => reply,
  });

const client = createClient({
  socket: { host: '127.0.0.1', port: Number(process.argv[2]) },
  scripts: { holdSeats: script(2, holdScript), bookSeats: script(2, bookScript) },
});
await client.connect();

serveSeats({
  async open(event, labels) {
    await client.hSet(`seats:${event}`, Object.fromEntries(labels.map((label) => [label, ''])));
  },
  async hold(event, labels) {
    const holdId = randomUUID();
    const taken = await client.holdSeats([`seats:${event}`, `hold:${holdId}`], [holdId, String(holdTtlMs), ...labels]);
    return taken === 1 ? holdId : null;
  },
  async book(event, holdId, bookingRef) {
    const held = await client.bookSeats([`seats:${event}`, `hold:${holdId}`], [bookingRef]);
    return held === null ? null : JSON.parse(held);
  },
});
