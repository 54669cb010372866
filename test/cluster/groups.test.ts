/**
 * Group sales while processes die. Thirty buyers compete for a few seats of two groups, and some buy single
 * seats of the same events. For 60 seconds shards, catalogs, front doors and NATS servers are killed. Every group sale is made in all
 * events or in none, and a repeated call gets its first answer.
 */
import { expect, test } from 'vitest';
import { theatreAndArena } from '../../scripts/generate-charts.mjs';
import { startCluster } from '../support/servers/cluster.ts';
import { type Access, createEvents } from './load/aftermath.ts';
import { groupViolationsAfter } from './load/group-aftermath.ts';
import { type GroupOnSale, runGroupBuyers } from './load/group-buyers.ts';

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
  ...['inventory-shard-1', 'catalog-1', 'frontdoor-1', 'inventory-shard-2', 'nats-1', 'catalog-2'],
  ...['inventory-shard-3', 'frontdoor-2', 'nats-2'],
];

type Answer = {
  performanceGroup: { key: string };
  lifecycleOperation: { operationId: string };
  meta: { id: string };
  token: string;
};

async function call({ url, token }: Access, method: string, path: string, body?: object): Promise<Answer> {
  const response = await fetch(`${url}/v1/${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${JSON.stringify(answer)}`);
  return answer as Answer;
}

async function openGroup(access: Access, eventKeys: string[]): Promise<GroupOnSale> {
  const { performanceGroup } = await call(access, 'POST', 'performance-groups', { name: 'Run', eventKeys });
  const { key } = performanceGroup;
  const at = `performance-groups/${key}`;
  const activated = await call(access, 'POST', `${at}/activate`, { expectedRevision: 1 });
  const { operationId } = activated.lifecycleOperation;
  const step = async () => (await call(access, 'GET', `${at}/lifecycle/${operationId}`)).lifecycleOperation;
  await expect.poll(step, { timeout: 20_000 }).toMatchObject({ phase: 'active', code: null });
  const asked = { includePublic: true, allowedOrigin: origin };
  const sessions: string[] = [];
  for (let buyer = 0; buyer < buyers; buyer++) {
    sessions.push((await call(access, 'POST', `${at}/buyer-access-sessions`, asked)).token);
  }
  return { key, eventKeys, sessions };
}

test('group sales stay whole while every kind of process is killed', { timeout: 400_000 }, async () => {
  const sizes = { PARTERRE_SHARDS: '3', PARTERRE_CATALOGS: '2', PARTERRE_FRONTDOORS: '2', PARTERRE_NOTIFIERS: '1' };
  const env = { ...sizes, PARTERRE_BUDGETS: 'off', PARTERRE_NATS_SYNC: '2m', JOURNAL_PARTITIONS: String(partitions) };
  const cluster = await startCluster({ env });
  try {
    const access = { url: cluster.urls[0]!, token: cluster.demo.keys.secretTest };
    const { meta } = await call(access, 'POST', 'charts', { name: 'Hall', doc: theatreAndArena() });
    await call(access, 'POST', `charts/${meta.id}/publish`, {});
    const { plan, eventKeys } = await createEvents(access, meta.id, 5);
    for (const [night, key] of eventKeys.entries()) {
      await call(access, 'PATCH', `events/${key}`, { startsAt: firstNight + night * nightMs });
    }
    const groups = [await openGroup(access, eventKeys.slice(0, 3)), await openGroup(access, eventKeys.slice(3))];
    const { urls } = cluster;
    const labels = plan.labels.all().slice(0, seats);
    const load = runGroupBuyers({ urls, token: access.token, origin, groups, seats: labels, buyers });
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
      [held, ...bookings.map(({ outcome }) => outcome)].includes('unknown'),
    );
    const told = `${load.booked()} booked, ${unanswered.length} without an answer, ${singles.length} single sales`;
    console.log(`groups: ${kills} kills, ${sales.length} group sales, ${told}`);
    const natsUrl = cluster.natsUrls.join(',');
    expect(await groupViolationsAfter(load, { access, natsUrl, partitions, plan })).toEqual([]);
    expect(load.booked()).toBeGreaterThan(30);
  } finally {
    await cluster.stop();
  }
});
