/**
 * The front door: HTTP and WebSocket in, commands to the owners of partitions out. A front door keeps only caches, so
 * any number of front doors may run.
 *
 * A request goes http → admission → a file of api → shards, and returns as an answer. A room imports only rooms below
 * it in this list, and only the file that opens a room (`http/http.ts`, `feeds/feeds.ts`).
 *
 *   sockets/          viewers' WebSockets: upgrade, admission with ticket or key, messages, close
 *   http/             the server library's rules: framing, bodies, router, CORS, sending, streams
 *   access-log/       every refusal and some successes: the log, and the memory of `npx parterre why`
 *   api/              a file for each concept: path, schemas, description, examples and handler of each endpoint
 *     api.ts          the list of the files
 *     records.ts      parts of bodies and answers that several concepts share
 *     calls/          how a file declares routes, reads queries and asks an event's actor; the ports of all handlers
 *     rules/          pure rules of the concepts
 *   openapi/          the generator of the API's description
 *   admission/        credential, budget, rights, scope and Idempotency-Key of a request: the steps before a handler
 *   control-room/     what this front door counts and follows for control rooms
 *   summaries/        sale summaries: whether an event has something to buy, and the lowest price
 *   feeds/            replicas of watched events, frames, viewers
 *   tickets/          signed tickets, which open sockets without a credential
 *   pictures/         each audience's view of an event
 *   logs/             journal records as callers read them
 *   shards/           commands to the owners of partitions: client, bus, owners
 *   chart-files/      files of charts: imports and exports, each in a process
 *   caches/           bounded caches in front of the catalog
 *   oidc/             sign-in with OpenID Connect: the issuer's pages and answers
 *   answers/          outcomes as status, headers and body
 *
 *   config.ts         the environment as settings
 *   body-thread-main.ts  the thread that reads large bodies
 *   start.ts          wires all rooms, and stops them
 *   announcements.ts  follows announcements on NATS, and the link itself
 *   readiness.ts      whether anything can be sold
 *   metrics.ts        the metrics of the health port
 */
import { createLog } from '@parterre/shared/runtime/log';
import { runService, settingsOf } from '@parterre/shared/runtime/service';
import { readConfig } from './config.ts';
import { startFrontDoor } from './start.ts';

const config = settingsOf('frontdoor', () => readConfig(process.env));
const log = createLog('frontdoor', config.logLevel);

await runService(
  { log, healthPort: config.healthPort, healthHost: config.healthHost, environment: process.env },
  (metrics) => startFrontDoor(config, log, metrics),
);
