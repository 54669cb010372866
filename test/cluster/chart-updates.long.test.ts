/**
 * kill -9 of the shard while an event changes charts and sells. Every acknowledged booking keeps its seats on each
 * chart, and the served event equals the fold of the journal.
 */
import { expect, test } from 'vitest';
import { foldJournals } from '../support/partition/journal-fold.ts';
import { partitionsOfTests, startParterre } from '../support/servers/server.ts';
import { plansOf } from './load/aftermath.ts';
import { openChangingChart } from './load/changing-chart.ts';

const KILLS = 6;
const UPDATES_BETWEEN_KILLS = 3;

test(`${KILLS} kills of the shard while charts change lose no booking`, { timeout: 240_000 }, async () => {
  const parterre = await startParterre({ env: { PARTERRE_BUDGETS: 'off', PARTERRE_NATS_SYNC: '2m' } });
  const { planOf, close } = await plansOf(parterre.natsUrl);
  try {
    const access = { url: parterre.url, token: parterre.demo.keys.secretTest };
    const chart = await openChangingChart([parterre.url], access);
    let updates = 0;
    for (let n = 1; updates < KILLS * UPDATES_BETWEEN_KILLS; n++) {
      const changing = chart.change();
      if (n % UPDATES_BETWEEN_KILLS === 0) process.kill(parterre.pidOf('inventory-shard'), 'SIGKILL');
      if (await changing) updates++;
    }
    await chart.stop();
    const folded = await foldJournals(parterre.natsUrl, partitionsOfTests, planOf);
    expect(await chart.violationsIn(folded.get(chart.eventKey)!)).toEqual([]);
    expect(chart.bookings()).toBeGreaterThan(40);
  } finally {
    await close();
    await parterre.stop();
  }
});
