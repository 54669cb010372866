/**
 * node:http and Redis: the seats of an event in one hash. Hold and book are one Lua script each, so both are atomic.
 * The client sends the requests of one turn of the event loop as one pipeline (node-redis does so by itself), and
 * scripts by their digest. A hold's key expires by itself, after which its seats are free again. It lacks the points of
 * json-server.mjs, and prices, channels, ticket releases, areas with a quantity, a change feed, an audit trail, more
 * than one server: Redis here has no replica. With `appendfsync everysec`, a power failure loses up to a second of
 * acknowledged sales. Argument: the port of the Redis server.
 */
import { randomUUID } from 'node:crypto';
import { createClient, defineScript } from 'redis';
import { serveSeats } from './json-server.mjs';

const holdTtlMs = 15 * 60_000;

/** A seat's field is '' while it is free, else the holdId, or `=` and the bookingRef. */
const hold = `
  for i = 3, #ARGV do
    local owner = redis.call('HGET', KEYS[1], ARGV[i])
    if not owner then return 0 end
    if owner ~= '' and (owner:sub(1, 1) == '=' or redis.call('EXISTS', 'hold:' .. owner) == 1) then return 0 end
  end
  for i = 3, #ARGV do redis.call('HSET', KEYS[1], ARGV[i], ARGV[1]) end
  redis.call('SET', KEYS[2], cjson.encode({ unpack(ARGV, 3) }), 'PX', ARGV[2])
  return 1`;

const book = `
  local held = redis.call('GET', KEYS[2])
  if not held then return nil end
  for _, label in ipairs(cjson.decode(held)) do redis.call('HSET', KEYS[1], label, '=' .. ARGV[1]) end
  redis.call('DEL', KEYS[2])
  return held`;

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
  scripts: { holdSeats: script(2, hold), bookSeats: script(2, book) },
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
