/**
 * The front door: HTTP and WebSocket in, commands to the owners of events out. Stateless; any number of them.
 *
 *   config.ts            the environment as settings
 *   submit.ts            the way of a request: identify, budget, validate, admit, handle, answer
 *   idempotency.ts       calls with an Idempotency-Key, answered alike when they are repeated
 *   answer.ts            outcomes as status, headers and body
 *   principals.ts        who a token stands for        ┐
 *   events-cache.ts      whose an event is             ├ caches in front of the catalog
 *   loading-cache.ts     how both of them keep things  ┘
 *   budgets.ts           request budgets, counted by their owners among the shards
 *   too-many.ts          the 429 answers
 *   placement.ts         the partition of an event
 *   start.ts             wires all of it, and stops it
 *   ports.ts             what routes work with
 *   inbound/             http.ts (the server library's rules), framing, body, cors, router, the route tables, bodies,
 *                        sending.ts (large bodies), sockets.ts (WebSockets), stream.ts (server-sent events)
 *   rules/               pure: budgets, protocols, metadata, objects, webhook addresses
 *   openapi/             the description of all routes, made from the route table and its schemas
 *   outbound/            shard-client.ts (batches of commands), command-bus.ts (NATS), notifier-client.ts, chart-documents.ts
 *   feeds/               replicas of watched events, frames, viewers, tickets
 */
import { createLog } from '@parterre/shared/log';
import { runService } from '@parterre/shared/service';
import { readConfig } from './config.ts';
import { startFrontDoor } from './start.ts';

const config = readConfig(process.env);
const log = createLog('frontdoor', config.logLevel);

await runService({ log, healthPort: config.healthPort, healthHost: config.healthHost }, (metrics) =>
  startFrontDoor(config, log, metrics),
);
