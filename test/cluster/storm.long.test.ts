/**
 * Everything at once. Thirty clients compete for a few seats of three events through two front doors. For at least 40
 * seconds shards, front doors and NATS servers are killed, paused, restarted and cut off. In the end the journal is
 * folded and compared with the served map. Every acknowledged call stands in it once, and every history is
 * linearizable. Desks of a box office exchange seats all the while: every booking ends with the seats that its desk was
 * told, and every exchange stands in the journal once.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { foldJournals } from '../support/partition/journal-fold.ts';
import { type Cluster, startCluster } from '../support/servers/cluster.ts';
import { createEvents, servedOtherwise, violationsAfter } from './load/aftermath.ts';
import { openBoxOffice } from './load/box-office.ts';
import { runClients } from './load/clients.ts';

const STORM_MS = 40_000;
const CLIENTS = 30;
const DESKS = 8;
const EVENTS = 3;
const SEATS = 40;
const PARTITIONS = 8;
/** Successes that must come between two faults, so that each fault hits a working, busy system. */
const SUCCESSES_BETWEEN_FAULTS = 100;
const FAULT_MS = 2_500;

type Fault = { name: string; run(cluster: Cluster, round: number): Promise<void> };

const shard = (round: number): string => `inventory-shard-${1 + (round % 3)}`;

const faults: Fault[] = [
  { name: 'kill of a shard', run: async (cluster, round) => cluster.kill(shard(round)) },
  {
    name: 'a shard that sleeps',
    async run(cluster, round) {
      await cluster.untilReady(shard(round + 1));
      cluster.pause(shard(round + 1));
      await pause(FAULT_MS);
      cluster.resume(shard(round + 1));
    },
  },
  { name: 'kill of a NATS server', run: async (cluster, round) => cluster.kill(`nats-${1 + (round % 3)}`) },
  {
    name: 'a shard without its link',
    async run(cluster) {
      for (const link of cluster.linksOf('inventory-shard-2')) link.cut();
      await pause(FAULT_MS);
      for (const link of cluster.linksOf('inventory-shard-2')) link.restore();
    },
  },
  {
    name: 'a shard whose link hangs',
    async run(cluster) {
      for (const link of cluster.linksOf('inventory-shard-2')) link.freeze();
      await pause(FAULT_MS);
      for (const link of cluster.linksOf('inventory-shard-2')) link.restore();
    },
  },
  {
    name: 'a front door whose link hangs',
    async run(cluster) {
      for (const link of cluster.linksOf('frontdoor-2')) link.freeze();
      await pause(FAULT_MS);
      for (const link of cluster.linksOf('frontdoor-2')) link.restore();
    },
  },
  { name: 'restart of a shard', run: (cluster, round) => cluster.restart(shard(round)) },
  { name: 'kill of a front door', run: async (cluster) => cluster.kill('frontdoor-1') },
];

test('Kills, pauses, restarts and cut links lose no acknowledged call and sell no unit twice', async () => {
  const env = {
    PARTERRE_BUDGETS: 'off',
    PARTERRE_NATS_SYNC: '2m',
    JOURNAL_PARTITIONS: String(PARTITIONS),
  };
  const cluster = await startCluster({ env, linked: ['inventory-shard-2', 'frontdoor-2'] });
  try {
    const access = { url: cluster.urls[0]!, token: cluster.demo.keys.secretTest };
    const { plan, eventKeys: made } = await createEvents(access, cluster.demo.chartId, EVENTS + 1);
    const [boxOfficeKey, ...eventKeys] = made;
    const seats = plan.labels.all().slice(0, SEATS);
    const ofDesks = { eventKey: boxOfficeKey!, seats: seats.slice(0, 3 * DESKS), desks: DESKS };
    const boxOffice = await openBoxOffice(cluster.urls, access, ofDesks);
    const load = runClients({ urls: cluster.urls, token: access.token, eventKeys, seats, clients: CLIENTS });
    const endsAt = performance.now() + STORM_MS;
    let fault = 0;
    for (; fault < faults.length || performance.now() < endsAt; fault++) {
      const { name, run } = faults[fault % faults.length]!;
      await load.moreSuccesses(SUCCESSES_BETWEEN_FAULTS, `before fault ${fault}, ${name}`);
      await run(cluster, Math.floor(fault / faults.length));
    }
    await load.moreSuccesses(SUCCESSES_BETWEEN_FAULTS, 'after the last fault');
    const history = await load.stop();
    await boxOffice.stop();
    const told = `${history.operations.length} calls, ${load.successes()} successes, ${boxOffice.exchanges()} exchanges`;
    console.log(`storm: ${fault} faults, ${told}`);
    const natsUrl = cluster.natsUrls.join(',');
    expect(await violationsAfter(history, { access, natsUrl, partitions: PARTITIONS, planOf: () => plan })).toEqual([]);
    const event = (await foldJournals(natsUrl, PARTITIONS, () => plan)).get(boxOfficeKey!)!;
    expect(boxOffice.violationsIn(event)).toEqual([]);
    expect(await servedOtherwise(access, boxOfficeKey!, event)).toEqual([]);
    expect(boxOffice.exchanges()).toBeGreaterThan(fault);
  } finally {
    await cluster.stop();
  }
}, 300_000);
