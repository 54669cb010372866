/**
 * Everything at once, for a minute. Clients compete for seats, desks exchange seats, buyers buy groups and a season and
 * cancel bookings, and an event changes charts while it sells. Viewers watch, and receivers hear of the sales. All the
 * while shards, front doors, catalogs, notifiers, NATS servers and receivers die, sleep, restart, move or lose their
 * links. In the end:
 * - every acknowledged call stands in the journal once, and the history of each event is linearizable,
 * - front doors serve the map that the fold of the journal has, and every viewer shows the same map,
 * - every exchange, every sale of several events and every cancellation is whole or not made at all, and no booking
 *   that
 *   moves between two nights is on both,
 * - every acknowledged booking keeps its seats on each chart,
 * - every receiver has each occurrence at least once, under one id.
 * The long tier (`*.long.test.ts`) has a scenario for each kind of fault.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { jetstreamManager } from '@nats-io/jetstream';
import { names } from '@parterre/shared/protocol/subjects';
import { expect, onTestFailed, test } from 'vitest';
import { theatreAndArena } from '../../scripts/generate-charts.mjs';
import { type FoldedEvent, foldJournals } from '../support/partition/journal-fold.ts';
import { type Cluster, startCluster } from '../support/servers/cluster.ts';
import { connectTo } from '../support/servers/nats.ts';
import { type Access, call, createEvents, type Deployment, plansOf, violationsAfter } from './load/aftermath.ts';
import { openBoxOffice } from './load/box-office.ts';
import { openChangingChart } from './load/changing-chart.ts';
import { runClients } from './load/clients.ts';
import { MapViewer } from './load/feed-viewers.ts';
import { operationViolationsAfter } from './load/operation-aftermath.ts';
import { runOperationBuyers } from './load/operation-buyers.ts';
import { openGroup, openSeason } from './load/owners-on-sale.ts';
import { expectAllHeard, Receiver } from './load/receivers.ts';
import { openTravellers } from './load/travellers.ts';

const stormMs = 60_000;
const faultMs = 2_000;
/** Successes that must come between two faults, so that each fault hits a working, busy system. */
const successesBetweenFaults = 40;
const partitions = 8;
const clients = 12;
const desks = 4;
const travellers = 3;
const buyers = 10;
const competedSeats = 40;
const operationSeats = 1_000;
const firstNight = Date.parse('2031-05-01T18:00:00Z');
const nightMs = 86_400_000;
const origin = 'https://shop.example';

type Storm = { cluster: Cluster; viewers: MapViewer[]; dying: Receiver };
type Fault = { name: string; run(storm: Storm, round: number): Promise<void> };

const shard = (round: number): string => `inventory-shard-${1 + (round % 3)}`;

function killOf(nameOf: (round: number) => string): Fault {
  return {
    name: `kill of ${nameOf(0)}`,
    async run({ cluster }, round) {
      await cluster.untilReady(nameOf(round));
      cluster.kill(nameOf(round));
    },
  };
}

function linkFault(service: string, how: 'cut' | 'freeze'): Fault {
  return {
    name: `${how} of the links of ${service}`,
    async run({ cluster }) {
      for (const link of cluster.linksOf(service)) link[how]();
      await pause(faultMs);
      for (const link of cluster.linksOf(service)) link.restore();
    },
  };
}

const faults: Fault[] = [
  killOf(shard),
  killOf((round) => `catalog-${1 + (round % 2)}`),
  {
    name: 'a shard that sleeps',
    async run({ cluster }, round) {
      await cluster.untilReady(shard(round + 1));
      cluster.pause(shard(round + 1));
      await pause(faultMs);
      cluster.resume(shard(round + 1));
    },
  },
  killOf((round) => `notifier-${1 + (round % 2)}`),
  killOf((round) => `nats-${1 + (round % 3)}`),
  linkFault('inventory-shard-2', 'cut'),
  {
    name: 'a receiver that dies',
    async run({ dying }) {
      await dying.die();
      await pause(faultMs);
      await dying.revive();
    },
  },
  linkFault('frontdoor-2', 'freeze'),
  killOf(() => 'frontdoor-1'),
  {
    name: 'a shard that joins, and leaves again',
    async run({ cluster }) {
      await cluster.add('inventory-shard-4');
      await pause(faultMs);
      await cluster.remove('inventory-shard-4');
    },
  },
  {
    name: 'cut sockets of the viewers',
    async run({ viewers }) {
      for (const viewer of viewers) viewer.cut();
    },
  },
  linkFault('inventory-shard-2', 'freeze'),
  { name: 'restart of a shard', run: ({ cluster }, round) => cluster.restart(shard(round)) },
  killOf((round) => `catalog-${1 + ((round + 1) % 2)}`),
];

test('a minute of every fault under every load loses nothing, sells nothing twice, and misleads nobody', {
  timeout: 420_000,
}, async () => {
  const env = { PARTERRE_BUDGETS: 'off', PARTERRE_NATS_SYNC: '2m', JOURNAL_PARTITIONS: String(partitions) };
  const cluster = await startCluster({ env, linked: ['inventory-shard-2', 'frontdoor-2'] });
  onTestFailed(() => console.log(cluster.output()));
  const natsUrl = cluster.natsUrls.join(',');
  const plans = await plansOf(natsUrl);
  const receivers = [
    new Receiver(['seat.booked', 'seat.released', 'hold.created', 'hold.expired']),
    new Receiver(['seat.booked', 'hold.created'], { failEvery: 25 }),
    new Receiver(['seat.booked'], { delayMs: 30 }),
  ];
  const viewers: MapViewer[] = [];
  try {
    await expect.poll(() => copiesIn(natsUrl)).toEqual(threeCopies);
    const access = { url: cluster.urls[0]!, token: cluster.demo.keys.secretTest };
    const deployment = { access, natsUrl, partitions, planOf: plans.planOf };
    for (const receiver of receivers) await receiver.subscribe(access);
    const loads = await startLoads(cluster, access, viewers);
    const faultCount = await runStorm({ cluster, viewers, dying: receivers[0]! }, loads.competition);
    const history = await loads.stop();
    await untilWhole(cluster);
    console.log(`everything: ${faultCount} faults, ${history.operations.length} calls, ${loads.told()}`);

    // Receivers, viewers and catalogs that end sales may all be behind, so the checks wait beside each other.
    await Promise.all([
      expect(violationsAfter(history, deployment)).resolves.toEqual([]),
      expect(operationViolationsAfter(loads.operations, deployment)).resolves.toEqual([]),
      expectAllHeard(deployment, receivers, new Set(loads.competedKeys)),
      expectSeenByAll(deployment, viewers),
    ]);
    const folded = await foldJournals(natsUrl, partitions, plans.planOf);
    expect(loads.boxOffice.violationsIn(folded.get(loads.boxOfficeKey)!)).toEqual([]);
    expect(loads.travelling.violationsIn(loads.nightKeys.map((key) => folded.get(key)!))).toEqual([]);
    expect(await loads.chart.violationsIn(folded.get(loads.chart.eventKey)!)).toEqual([]);
    loads.expectProgress(faultCount);
  } finally {
    await Promise.all(viewers.map((viewer) => viewer.stop()));
    for (const receiver of receivers) await receiver.die();
    await plans.close();
    await cluster.stop();
  }
});

/** Every stream, bucket and object store, each on three servers. */
const threeCopies = Object.fromEntries(
  [
    ...Array.from({ length: partitions }, (_, partition) => names.journalStream(partition)),
    ...['KV_CLUSTER', 'KV_OWNERS', 'OBJ_SNAPSHOTS', names.deliveryStream, names.backlogStream],
  ].map((name) => [name, 3]),
);

async function copiesIn(natsUrl: string): Promise<Record<string, number>> {
  const nats = await connectTo(natsUrl);
  try {
    const streams = await (await jetstreamManager(nats)).streams.list().next();
    return Object.fromEntries(
      streams.map(({ config, cluster }) => [config.name, 1 + (cluster?.replicas?.length ?? 0)]),
    );
  } finally {
    await nats.close();
  }
}

/** All loads, each on events of its own. The viewers watch the first event for which clients compete. */
async function startLoads(cluster: Cluster, access: Access, viewers: MapViewer[]) {
  const { urls, demo } = cluster;
  const { token } = access;
  const { plan, eventKeys } = await createEvents(access, demo.chartId, 5);
  const [boxOfficeKey, friday, saturday, ...competedKeys] = eventKeys as [string, string, string, ...string[]];
  const nightKeys = [friday, saturday];
  const labels = plan.labels.all();
  const boxOffice = await openBoxOffice(urls, access, {
    eventKey: boxOfficeKey,
    seats: labels.slice(0, 3 * desks),
    desks,
  });
  const travelling = await openTravellers(urls, access, {
    eventKeys: nightKeys,
    seats: labels.slice(0, 2 * travellers),
    orders: travellers,
  });
  const { owners, seats } = await openOwners(access);
  const chart = await openChangingChart(urls, access);
  for (const binary of [false, true]) {
    const name = binary ? 'binary' : 'text';
    const watched = { name, eventKey: competedKeys[0]!, urls, origin: null, token, binary };
    viewers.push(new MapViewer({ ...watched, chance: Math.random }));
  }
  const competed = { eventKeys: competedKeys, seats: labels.slice(0, competedSeats) };
  const competition = runClients({ urls, token, clients, ...competed });
  const operations = runOperationBuyers({ urls, token, origin, owners, seats, buyers });
  let changes = 0;
  let isOver = false;
  const changing = (async () => {
    for (; !isOver; await pause(faultMs)) if (await chart.change()) changes++;
  })();
  const counts = () => ({ group: operations.counts('group'), season: operations.counts('season') });
  return {
    boxOfficeKey,
    nightKeys,
    competedKeys,
    boxOffice,
    travelling,
    chart,
    competition,
    operations,
    told: () =>
      `${boxOffice.exchanges()} exchanges, ${travelling.moves()} moves, ${changes} charts, ${JSON.stringify(counts())}`,
    async stop() {
      isOver = true;
      await Promise.all([changing, operations.stop(), boxOffice.stop(), travelling.stop(), chart.stop()]);
      return competition.stop();
    },
    /** A load without successes proves nothing. */
    expectProgress(faultCount: number) {
      expect(boxOffice.exchanges()).toBeGreaterThan(faultCount);
      expect(travelling.moves()).toBeGreaterThan(20);
      expect(chart.bookings()).toBeGreaterThan(20);
      expect(changes).toBeGreaterThan(1);
      const { group, season } = counts();
      expect(Math.min(group.booked, season.booked, season.cancelled)).toBeGreaterThan(2);
    },
  };
}

/** Two groups, and a season with events of both. */
async function openOwners(access: Access) {
  const chart = { name: 'Hall', doc: theatreAndArena() };
  const { meta } = await call<{ meta: { id: string } }>(access, 'POST', '/v1/charts', chart);
  await call(access, 'POST', `/v1/charts/${meta.id}/publish`, {});
  const { plan, eventKeys } = await createEvents(access, meta.id, 4);
  for (const [night, key] of eventKeys.entries()) {
    await call(access, 'PATCH', `/v1/events/${key}`, { startsAt: firstNight + night * nightMs });
  }
  const terms = { buyers, origin };
  const owners = [
    await openGroup(access, { ...terms, eventKeys: eventKeys.slice(0, 2) }),
    await openGroup(access, { ...terms, eventKeys: eventKeys.slice(2) }),
    await openSeason(access, { ...terms, eventKeys: eventKeys.slice(1, 3) }),
  ];
  return { owners, seats: plan.labels.all().slice(0, operationSeats) };
}

/** Every fault at least once. Returns the number of faults. */
async function runStorm(storm: Storm, load: ReturnType<typeof runClients>): Promise<number> {
  const endsAt = performance.now() + stormMs;
  let fault = 0;
  for (; fault < faults.length || performance.now() < endsAt; fault++) {
    const { name, run } = faults[fault % faults.length]!;
    await load.moreSuccesses(successesBetweenFaults, `before fault ${fault}, ${name}`);
    await run(storm, Math.floor(fault / faults.length));
  }
  await load.moreSuccesses(successesBetweenFaults, 'after the last fault');
  return fault;
}

async function untilWhole(cluster: Cluster): Promise<void> {
  const names = ['nats-1', 'nats-2', 'nats-3', 'inventory-shard-1', 'inventory-shard-2', 'inventory-shard-3'];
  names.push('catalog-1', 'catalog-2', 'notifier-1', 'notifier-2', 'frontdoor-1', 'frontdoor-2');
  await Promise.all(names.map((name) => cluster.untilReady(name)));
}

/** Every viewer shows the map of the journal (I7). Holds go on expiring, so each look reads the journal anew. */
async function expectSeenByAll({ natsUrl, partitions, planOf }: Deployment, viewers: MapViewer[]): Promise<void> {
  for (const viewer of viewers) {
    const seenOtherwise = async () => {
      const folded = await foldJournals(natsUrl, partitions, planOf);
      const statuses = statusesOf(folded.get(viewer.options.eventKey)!);
      return statuses.filter(([label, status]) => viewer.statusOf(label) !== status).slice(0, 10);
    };
    await expect.poll(seenOtherwise, { timeout: 40_000, message: viewer.options.name }).toEqual([]);
    expect(viewer.complaints).toEqual([]);
  }
}

function statusesOf({ state }: FoldedEvent): [label: string, status: string][] {
  const words = ['free', 'held', 'booked', 'blocked'];
  return Array.from(state.statuses, (status, unit) => [state.plan.labels.at(unit), words[status]!]);
}
