/**
 * The front door of bench/door/door.ts: HTTP, admission, routes, shard client and direct link as in the service, in
 * front of a stand-in for the shard (door-shard.ts). Key and event are known from the start, and NATS is absent.
 */
import { App, us_socket_local_port } from 'uWebSockets.js';
import type { Plan } from '@parterre/shared/charts/plan';
import type { Principal } from '@parterre/shared/protocol/catalog/scope';
import { done, refuse } from '@parterre/shared/protocol/errors';
import { journalForm } from '@parterre/shared/protocol/journal/heads';
import type { CatalogClient } from '@parterre/shared/runtime/catalog-client';
import { systemClock } from '@parterre/shared/runtime/clock';
import { keyFor } from '@parterre/shared/runtime/deployment-secret';
import { pino } from 'pino';
import { AccessLog } from '../../services/frontdoor/src/access-log/access-log.ts';
import {
  createBudgets,
  createEventsCache,
  createPrincipals,
} from '../../services/frontdoor/src/admission/admission.ts';
import { routes } from '../../services/frontdoor/src/api/api.ts';
import { createEventWords } from '../../services/frontdoor/src/caches/caches.ts';
import { createRouter, newHttpCounters, serveHttp } from '../../services/frontdoor/src/http/http.ts';
import type { CommandBus } from '../../services/frontdoor/src/shards/command-bus.ts';
import { createShardClient } from '../../services/frontdoor/src/shards/shard-client.ts';
import { ShardLinks } from '../../services/frontdoor/src/shards/shard-links.ts';
import { benchEvent } from '../shard/event-config.ts';
import { doorEpoch, doorEvent, doorPartitions, doorRow, doorSecret, partitionOf } from './door-world.ts';

const [addressGiven = '', budgetsOn] = process.argv.slice(2);
const address = decodeURIComponent(addressGiven);
const beatEveryMs = 250;
const payloadBytesMax = 1024 * 1024;
const clock = systemClock;
const partitions = Array.from({ length: doorPartitions }, (_, partition) => partition);

const principal: Principal = {
  kind: 'secret',
  keyId: 'key_bench',
  organisationId: doorEvent.organisationId,
  mode: 'test',
  environment: null,
  workspaceId: null,
};

const catalog = (async (operation: string, input: { eventKey: string }) => {
  if (operation === 'credentials.resolve') return done(principal);
  if (operation === 'events.get')
    return done({ event: { ...doorEvent, key: input.eventKey }, config: benchEvent('plan') });
  return refuse('not_found', `The bench has no ${operation}.`);
}) as CatalogClient;

/** Commands leave over the direct link alone. */
function busOf(links: ShardLinks): CommandBus {
  return {
    payloadBytesMax: () => payloadBytesMax,
    linkTo: (partition, epoch) => links.to(partition, epoch ?? doorEpoch),
    send() {
      throw new Error('the link is not open');
    },
    reportOrphan() {},
    listen(handlers) {
      links.listen(`bench-${process.pid}`, handlers);
      const beat = (): void => {
        links.hear({
          id: 'shd_bench',
          owns: partitions.map((partition) => [partition, doorEpoch]),
          regions: [],
          leaving: false,
          form: journalForm,
          link: address,
        });
        for (const partition of partitions) handlers.onOwner(partition, doorEpoch);
        setTimeout(beat, beatEveryMs);
      };
      beat();
    },
    openLinks: () => links.open,
    close: () => links.close(),
  };
}

const shards = createShardClient({
  bus: busOf(new ShardLinks([keyFor('links', doorSecret)], clock, () => true)),
  placement: ({ key }) => partitionOf(key),
  clock,
  onVersion() {},
  atTurnEnd: setImmediate,
  isHopeless: () => false,
  onFault: console.error,
  configOf: async () => refuse('not_found', 'The bench creates no event.'),
});

const budgets = budgetsOn === 'on' ? createBudgets(clock, shards, new Map([['server-holds', 999_999_999]])) : null;
/** The words of places come from the row of door-shard.ts. */
const plans = async () =>
  ({
    objects: [{ ...doorRow, type: 'row', bookingMode: 'individual', firstUnit: 0, unitCount: 0 }],
    categories: [{ key: 'stalls', label: 'Stalls' }],
  }) as unknown as Plan;
const ports = {
  clock,
  catalog,
  shards,
  principals: createPrincipals(catalog, clock, []),
  events: createEventsCache(catalog, clock),
  budgets,
  clientAddress: (peer: string) => peer,
  words: createEventWords({ plans, clock, onFault: console.error }),
  holdIdKey: keyFor('hold ids', doorSecret),
  linked: () => true,
  onFault: console.error,
};
const app = App();
/** As the service's own, with lines that nobody reads. */
const accessLog = new AccessLog(pino(pino.destination('/dev/null')), clock, {
  sampleEvery: 1_000,
  refusalLinesMax: 10,
});
serveHttp(app, createRouter(routes), ports as never, newHttpCounters(clock, accessLog));
app.listen('127.0.0.1', 0, (socket) => {
  if (socket) tellWhenLinked(us_socket_local_port(socket));
});

function tellWhenLinked(port: number): void {
  if (shards.openLinks() > 0) process.send!({ port });
  else setTimeout(tellWhenLinked, 10, port);
}
process.on('message', () => process.send!({ cpu: process.cpuUsage() }));
process.on('disconnect', () => process.exit(0));
