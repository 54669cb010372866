/**
 * uWebSockets.js and Redis, with the scripts of redis-scripts.mjs: the best that a good engineer builds in a week. One
 * connection to Redis, without a client library. The scripts of one turn of the event loop leave by their digest as one
 * pipeline, in one write. The answers of one read are written to the callers in the same turn. It lacks what redis.mjs
 * lacks, and a second try after a lost connection: the process ends then. Argument: the port of the Redis server.
 *
 * States of a request: received (its body is whole) → waiting (its script is in the pipeline) → answered. Redis answers
 * in order, so the waiting requests are a queue. Failure: an error of Redis is answered with 500; a caller who has gone
 * gets no answer.
 */

import { App, us_socket_local_port } from 'uWebSockets.js';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { bookScript, holdScript, holdTtlMs } from './redis-scripts.mjs';

const path = /^\/v1\/events\/([\w-]+)(?:\/(hold|book))?$/;

const redis = connect({ host: '127.0.0.1', port: Number(process.argv[2]), noDelay: true });
await once(redis, 'connect');

/** The callers of the commands under way, in their order: each gets the reply, an Error for a refused command. */
const waiting = [];
let pipeline = '';
let unread = '';

function command(args, hear) {
  if (pipeline === '') setImmediate(flush);
  pipeline += `*${args.length}\r\n`;
  for (const arg of args) pipeline += `$${Buffer.byteLength(arg)}\r\n${arg}\r\n`;
  waiting.push(hear);
}

function flush() {
  redis.write(pipeline);
  pipeline = '';
}

/**
 * Replies in RESP: `:` a number, `$` a text by its length in bytes or nil, `+` a line, `-` an error. The texts are
 * labels, digests and JSON in ASCII.
 */
redis.on('data', (chunk) => {
  const text = unread + chunk.toString('latin1');
  let at = 0;
  for (;;) {
    const end = text.indexOf('\r\n', at);
    if (end < 0) break;
    const line = text.slice(at + 1, end);
    let next = end + 2;
    let reply = line;
    if (text[at] === '$') {
      const length = Number(line);
      reply = length < 0 ? null : text.slice(next, next + length);
      if (length >= 0) next += length + 2;
      if (next > text.length) break;
    } else if (text[at] === '-') {
      reply = new Error(line);
    }
    at = next;
    waiting.shift()(reply);
  }
  unread = text.slice(at);
});
redis.on('close', () => process.exit(1));

const load = (script) =>
  new Promise((resolve, reject) => {
    command(['SCRIPT', 'LOAD', script], (reply) => (reply instanceof Error ? reject(reply) : resolve(reply)));
  });
const [holdDigest, bookDigest] = await Promise.all([load(holdScript), load(bookScript)]);

function hold(event, { labels }, send) {
  const holdId = randomUUID();
  const keys = ['2', `seats:${event}`, `hold:${holdId}`];
  command(['EVALSHA', holdDigest, ...keys, holdId, String(holdTtlMs), ...labels], (taken) => {
    if (taken instanceof Error) send('500 Internal Server Error', { error: String(taken) });
    else if (taken === '1') send('200 OK', { holdId, labels });
    else send('409 Conflict', { error: 'not free' });
  });
}

function book(event, { holdId, bookingRef }, send) {
  const keys = ['2', `seats:${event}`, `hold:${holdId}`];
  command(['EVALSHA', bookDigest, ...keys, bookingRef], (held) => {
    if (held instanceof Error) send('500 Internal Server Error', { error: String(held) });
    else if (held === null) send('409 Conflict', { error: 'no such hold' });
    else send('200 OK', { bookingRef, labels: JSON.parse(held) });
  });
}

function open(event, { labels }, send) {
  command(['HSET', `seats:${event}`, ...labels.flatMap((label) => [label, ''])], (reply) => {
    if (reply instanceof Error) send('500 Internal Server Error', { error: String(reply) });
    else send('200 OK', { event });
  });
}

App()
  .post('/*', (response, request) => {
    const [, event, action] = path.exec(request.getUrl()) ?? [];
    let isGone = false;
    let body = null;
    const send = (status, value) => {
      if (isGone) return;
      const text = JSON.stringify(value);
      response.cork(() => response.writeStatus(status).writeHeader('Content-Type', 'application/json').end(text));
    };
    response.onAborted(() => {
      isGone = true;
    });
    response.onData((chunk, isLast) => {
      // The library takes the chunk back after this call.
      if (!isLast) body = Buffer.concat([body ?? Buffer.alloc(0), Buffer.from(chunk)]);
      else {
        const whole = body === null ? Buffer.from(chunk) : Buffer.concat([body, Buffer.from(chunk)]);
        const value = JSON.parse(whole.toString());
        if (!event) send('404 Not Found', { error: 'no such route' });
        else if (action === 'hold') hold(event, value, send);
        else if (action === 'book') book(event, value, send);
        else open(event, value, send);
      }
    });
  })
  .listen('127.0.0.1', 0, (socket) => process.send({ port: us_socket_local_port(socket) }));

process.on('disconnect', () => process.exit(0));
