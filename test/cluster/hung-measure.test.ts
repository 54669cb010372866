import { setTimeout as pause } from 'node:timers/promises';
import { cpSync } from 'node:fs';
import { partitionOf } from '@parterre/shared/protocol/subjects';
import { test } from 'vitest';
import { startCluster } from '../support/servers/cluster.ts';
import { call, createEvents } from './load/aftermath.ts';

test('measure', { timeout: 400_000 }, async () => {
  const cluster = await startCluster({
    env: { PARTERRE_NOTIFIERS: '1', PARTERRE_BUDGETS: 'off', PARTERRE_NATS_SYNC: '2m', JOURNAL_PARTITIONS: '8' },
  });
  try {
    const access = cluster.urls.map((url) => ({ url, token: cluster.demo.keys.secretTest }));
    const { eventKeys, plan } = await createEvents(access[0]!, cluster.demo.chartId, 12);
    const labels = plan.labels.all();
    const gaps = new Map<string, { last: number; gap: number }>();
    const fails: string[] = [];
    let answered = 0;
    let running = true;
    const loops = eventKeys.map(async (key, index) => {
      const at = access[index % 2]!;
      gaps.set(key, { last: performance.now(), gap: 0 });
      for (let n = 0; running; n++) {
        try {
          const held = await call<{ holdId: string }>(at, 'POST', `/v1/events/${key}/hold`, {
            labels: [labels[n % 100]],
          });
          await call(at, 'POST', `/v1/events/${key}/release`, { holdId: held.holdId });
          answered++;
          const g = gaps.get(key)!;
          const now = performance.now();
          g.gap = Math.max(g.gap, now - g.last);
          g.last = now;
        } catch (error) {
          fails.push(`${partitionOf(key, [0, 1, 2, 3, 4, 5, 6, 7])} ${String(error).slice(0, 160)}`);
        }
        await pause(50);
      }
    });
    const reset = () => {
      for (const g of gaps.values()) {
        g.gap = 0;
      }
      answered = 0;
      fails.length = 0;
    };
    const report = (what: string) => {
      const now = performance.now();
      const worst = [...gaps].map(([k, g]) => `${Math.round(Math.max(g.gap, now - g.last))}@${partitionOf(k, [0, 1, 2, 3, 4, 5, 6, 7])}/fd${1 + (eventKeys.indexOf(k) % 2)}`).sort((a, b) => Number.parseInt(b) - Number.parseInt(a));
      console.log(what, 'answered', answered, 'gaps', worst.join(' '), 'fails', fails.length, fails.filter((f) => !f.includes('companion')));
    };
    await pause(4_000);
    reset();
    await pause(4_000);
    report('healthy 4 s');
    const scenes = (process.env.SCENES ?? 'shard,nats,catalog,catalogs').split(',');
    for (const scene of scenes) {
      reset();
      const names = {
        shard: ['inventory-shard-2'],
        nats: ['nats-2'],
        nats1: ['nats-1'],
        nats3: ['nats-3'],
        catalog: ['catalog-1'],
        catalogs: ['catalog-1', 'catalog-2'],
      }[scene]!;
      for (const name of names) cluster.pause(name);
      console.log('PAUSED', scene, Date.now(), names.map((n) => cluster.pidOf(n)));
      const slow: number[] = [];
      if (scene.startsWith('catalog')) await pause(31_000);
      if (scene === 'catalog')
        for (let i = 0; i < 12; i++) {
          const t = performance.now();
          try {
            await call(
              access[i % 2]!,
              i % 4 < 2 ? 'GET' : 'POST',
              i % 4 < 2 ? '/v1/charts' : '/v1/events',
              i % 4 < 2 ? undefined : { chartId: cluster.demo.chartId },
            );
          } catch (e) {
            fails.push('cat ' + String(e).slice(0, 100));
          }
          slow.push(Math.round(performance.now() - t));
        }
      await pause(15_000);
      report(scene + ' ' + slow.join(','));
      for (const name of names) cluster.resume(name);
      await pause(8_000);
    }
    running = false;
    cpSync(`${cluster.dataDir}/logs`, '/tmp/th/logs', { recursive: true });
    await Promise.all(loops);
  } finally {
    await cluster.stop();
  }
});
