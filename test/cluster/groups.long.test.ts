/**
 * Sales of groups and of a season while processes die. Thirty buyers compete for a few seats of two groups and a
 * season, and some buy single seats of the same events. The season has events of both groups. For 60 seconds shards,
 * catalogs, front doors and NATS servers are killed. Every sale of several events is made in all events or in none, so
 * is every cancellation, and a repeated call gets its first answer.
 */
import { expect, test } from 'vitest';
import { theatreAndArena } from '../../scripts/generate-charts.mjs';
import { startCluster } from '../support/servers/cluster.ts';
import { call, createEvents } from './load/aftermath.ts';
import { operationViolationsAfter } from './load/operation-aftermath.ts';
import { runOperationBuyers } from './load/operation-buyers.ts';
import { openGroup, openSeason } from './load/owners-on-sale.ts';

const killsMs = 60_000;
const betweenKillsMs = 3_000;
const buyers = 30;
const seats = 2_000;
const partitions = 8;
const firstNight = Date.parse('2031-05-01T18:00:00Z');
const nightMs = 86_400_000;
const origin = 'https://shop.example';

/** The parts that die, in turn. Each comes back by itself. */
const victims = [
  'inventory-shard-1',
  'catalog-1',
  'frontdoor-1',
  'inventory-shard-2',
  'nats-1',
  'catalog-2',
  'inventory-shard-3',
  'frontdoor-2',
  'nats-2',
];

test('sales of groups and seasons stay whole while every kind of process is killed', { timeout: 400_000 }, async () => {
  const sizes = { PARTERRE_SHARDS: '3', PARTERRE_CATALOGS: '2', PARTERRE_FRONTDOORS: '2', PARTERRE_NOTIFIERS: '1' };
  const env = { ...sizes, PARTERRE_BUDGETS: 'off', PARTERRE_NATS_SYNC: '2m', JOURNAL_PARTITIONS: String(partitions) };
  const cluster = await startCluster({ env });
  try {
    const access = { url: cluster.urls[0]!, token: cluster.demo.keys.secretTest };
    const chart = { name: 'Hall', doc: theatreAndArena() };
    const { meta } = await call<{ meta: { id: string } }>(access, 'POST', '/v1/charts', chart);
    await call(access, 'POST', `/v1/charts/${meta.id}/publish`, {});
    const { plan, eventKeys } = await createEvents(access, meta.id, 5);
    for (const [night, key] of eventKeys.entries()) {
      await call(access, 'PATCH', `/v1/events/${key}`, { startsAt: firstNight + night * nightMs });
    }
    const terms = { buyers, origin };
    const owners = [
      await openGroup(access, { ...terms, eventKeys: eventKeys.slice(0, 3) }),
      await openGroup(access, { ...terms, eventKeys: eventKeys.slice(3) }),
      await openSeason(access, { ...terms, eventKeys: eventKeys.slice(1, 4) }),
    ];
    const { urls } = cluster;
    const labels = plan.labels.all().slice(0, seats);
    const load = runOperationBuyers({ urls, token: access.token, origin, owners, seats: labels, buyers });
    const endsAt = performance.now() + killsMs;
    let kills = 0;
    for (; performance.now() < endsAt; kills++) {
      await new Promise((resolve) => setTimeout(resolve, betweenKillsMs));
      const victim = victims[kills % victims.length]!;
      await cluster.untilReady(victim);
      cluster.kill(victim);
    }
    for (const victim of victims) await cluster.untilReady(victim);
    await load.stop();
    const { sales, singles } = load;
    const unanswered = sales.filter(({ held, bookings }) =>
      [held, ...bookings.flatMap(({ outcome, cancelled }) => [outcome, cancelled])].includes('unknown'),
    );
    const groups = load.counts('group');
    const season = load.counts('season');
    const booked = `${groups.booked} bookings of groups, ${season.booked} of the season, ${season.cancelled} cancelled`;
    const told = `${booked}, ${unanswered.length} without an answer, ${singles.length} single sales`;
    console.log(`groups: ${kills} kills, ${sales.length} sales of several events, ${told}`);
    const natsUrl = cluster.natsUrls.join(',');
    expect(await operationViolationsAfter(load, { access, natsUrl, partitions, planOf: () => plan })).toEqual([]);
    expect(groups.booked).toBeGreaterThan(30);
    expect(season.booked).toBeGreaterThan(15);
    expect(season.cancelled).toBeGreaterThan(3);
  } finally {
    await cluster.stop();
  }
});
