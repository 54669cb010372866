/**
 * The front door: HTTP and WebSocket in, commands to the owners of events out. It is stateless; any number of them may run.
 *
 *   http/        the server library's rules: framing, bodies, router, CORS, sending, streams, sockets
 *   admission/   who asks, how often, with which rights: principals, budgets, scope, idempotency, and the way of a request
 *   api/         one room for each concept: its routes, request schemas, answer schemas and descriptions
 *   shards/      commands to the owners of partitions: client, bus, owners
 *   feeds/       replicas of watched events, frames, viewers, tickets
 *   pictures/    what each audience sees of an event
 *   logs/        journal records as callers read them
 *   summaries/   what a page shows of an event before anybody opens its map
 *   answers/     outcomes as status, headers and body
 *   caches/      bounded caches in front of the catalog
 *   openapi/     the generator of the API's description
 *
 *   config.ts    the environment as settings
 *   ports.ts     what routes work with
 *   start.ts     wires all rooms, and stops them
 */
import { createLog } from '@parterre/shared/log';
import { runService, settingsOf } from '@parterre/shared/service';
import { readConfig } from './config.ts';
import { startFrontDoor } from './start.ts';

const config = settingsOf('frontdoor', () => readConfig(process.env));
const log = createLog('frontdoor', config.logLevel);

await runService({ log, healthPort: config.healthPort, healthHost: config.healthHost }, (metrics) =>
  startFrontDoor(config, log, metrics),
);
