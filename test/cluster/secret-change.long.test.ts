/**
 * The deployment secret changes under a sale, as docs/upgrading.md tells: every shard and front door gets the new
 * secret and the former one beside it, one after the other, and later the new one alone. No call is refused, and direct
 * links stay open. As long as both secrets count, a repeated call is the same call at both front doors. The last step
 * is for a quiet hour: front doors name calls by different secrets then.
 */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest';
import { type RunFile, readJson } from '../../scripts/launch/data-folder.ts';
import { type Cluster, startCluster } from '../support/servers/cluster.ts';
import { createEvents } from './load/aftermath.ts';

const shards = ['inventory-shard-1', 'inventory-shard-2'];
const doors = ['frontdoor-1', 'frontdoor-2'];
const secret = 'a-new-secret-of-the-deployment-0123456789';
const clients = 4;

/** The cluster reads these at each start of a process. */
const envOf: Record<string, Record<string, string>> = {};
let cluster: Cluster;

beforeAll(async () => {
  const env = { PARTERRE_SHARDS: '2', PARTERRE_BUDGETS: 'off', PARTERRE_NATS_SYNC: '2m', JOURNAL_PARTITIONS: '4' };
  cluster = await startCluster({ env, envOf });
}, 120_000);
afterAll(() => cluster?.stop());

/** The answer of one front door; null while it restarts. */
async function ask(door: number, path: string, body: object, name: string) {
  try {
    const response = await fetch(cluster.urls[door]! + path, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${cluster.demo.keys.secretTest}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': name,
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(15_000),
    });
    return { status: response.status, body: (await response.json()) as { holdId?: string; code?: string } };
  } catch {
    return null;
  }
}

/** The first answer, from one front door or the other. */
async function askUntilAnswered(door: number, path: string, body: object, name: string) {
  for (let turn = 0; ; turn++) {
    const answer = await ask((door + turn) % doors.length, path, body, name);
    if (answer !== null) return answer;
    await pause(50);
  }
}

/** Each client holds a seat at one front door, repeats the call at the other, and releases the seat. */
function sell(eventKey: string, labels: readonly string[]) {
  const told = { sold: 0, faults: [] as string[], repeats: true };
  let isOver = false;
  const client = async (index: number): Promise<void> => {
    const path = `/v1/events/${eventKey}`;
    for (let turn = 0; !isOver; turn++) {
      const body = { labels: [labels[index]!] };
      const name = `turn-${index}-${turn}`;
      const held = await askUntilAnswered(turn % 2, `${path}/hold`, body, name);
      const { holdId } = held.body;
      if (held.status !== 200) told.faults.push(`hold ${held.status} ${held.body.code}`);
      if (told.repeats) {
        const again = await askUntilAnswered((turn + 1) % 2, `${path}/hold`, body, name);
        if (again.body.holdId !== holdId) told.faults.push(`the repeat is no such hold: ${again.status}`);
      }
      const released = await askUntilAnswered(turn % 2, `${path}/release`, { holdId }, `${name}-end`);
      if (released.status !== 200) told.faults.push(`release ${released.status} ${released.body.code}`);
      told.sold++;
    }
  };
  const running = Array.from({ length: clients }, (_, index) => client(index));
  return {
    told,
    async stop() {
      isOver = true;
      await Promise.all(running);
    },
  };
}

const healthOf = (name: string): string => readJson<RunFile>(join(cluster.dataDir, 'run.json'))!.health[name]!;

async function linksOf(door: string): Promise<number> {
  const text = await (await fetch(`${healthOf(door)}/metrics`)).text();
  return Number(/^frontdoor_shard_links (\d+)$/m.exec(text)?.[1]);
}

async function roll(env: Record<string, string>): Promise<void> {
  for (const name of [...shards, ...doors]) {
    envOf[name] = env;
    await cluster.restart(name);
    for (const door of doors)
      await expect.poll(() => linksOf(door), { message: `links of ${door}` }).toBe(shards.length);
  }
}

test('The secret of the deployment changes without a refused call, and links stay open', {
  timeout: 240_000,
}, async () => {
  onTestFailed(() => console.log(cluster.output()));
  const access = { url: cluster.urls[0]!, token: cluster.demo.keys.secretTest };
  const { eventKeys, plan } = await createEvents(access, cluster.demo.chartId, 1);
  const sale = sell(eventKeys[0]!, plan.labels.all());
  try {
    await roll({ PARTERRE_SECRET: secret, PARTERRE_SECRET_PREVIOUS: 'kept' });
    sale.told.repeats = false;
    await roll({ PARTERRE_SECRET: secret });
  } finally {
    await sale.stop();
  }
  console.log(`sold while the secret changed: ${sale.told.sold}`);
  expect(sale.told.faults).toEqual([]);
  expect(sale.told.sold).toBeGreaterThan(100);
});
