/**
 * kill -9 of the shard while an event changes charts and sells. Every acknowledged booking keeps its seats on each
 * chart, and the served event equals the fold of the journal.
 */
import { createCatalogClient } from '@parterre/shared/catalog-client';
import { createPlanSource } from '@parterre/shared/plans/plans';
import { expect, test } from 'vitest';
import { partitionsOfOneMachine } from '../../scripts/launch/topology.ts';
import { heldLines } from '../../services/inventory-shard/src/rules/state/holding.ts';
import { compilerHere } from '../support/compiler-here.ts';
import { type FoldedEvent, foldJournals } from '../support/partition/journal-fold.ts';
import { connectTo } from '../support/servers/nats.ts';
import { startParterre } from '../support/servers/server.ts';

const KILLS = 6;
const UPDATES_BETWEEN_KILLS = 3;

const row = (label: string, seatCount: number) => ({
  type: 'row',
  id: `row-${label}`,
  label,
  origin: { x: 0, y: label.charCodeAt(0) },
  rotation: 0,
  curve: 0,
  seatCount,
  seatSpacing: 20,
  categoryKey: 'all',
});
const document = (...objects: unknown[]) => ({
  version: 1,
  name: 'Hall',
  venueType: 'SIMPLE',
  focalPoint: { x: 0, y: 0 },
  categories: [{ key: 'all', label: 'All', color: '#112233', price: 50 }],
  objects,
});
/** The second document lacks the seats of row A that are only ever held, and numbers the other units anew. */
const documents = [document(row('A', 60), row('B', 60)), document(row('B', 60), row('C', 5), row('A', 40))];

// biome-ignore lint/suspicious/noExplicitAny: a client reads answers without types.
type Told = { status: number; body: any };

test(`${KILLS} kills of the shard while charts change lose no booking`, { timeout: 240_000 }, async () => {
  const parterre = await startParterre({ env: { PARTERRE_BUDGETS: 'off', PARTERRE_NATS_SYNC: '2m' } });
  try {
    const call = async (method: string, path: string, body?: unknown): Promise<Told> => {
      const response = await fetch(parterre.url + path, {
        method,
        headers: { Authorization: `Bearer ${parterre.demo.keys.secretTest}`, 'Content-Type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: response.status, body: await response.json() };
    };
    const chart = (await call('POST', '/v1/charts', { name: 'Hall', doc: documents[0] })).body.meta;
    await call('POST', `/v1/charts/${chart.id}/publish`);
    const eventKey = (await call('POST', '/v1/events', { chartId: chart.id })).body.meta.key;
    const event = `/v1/events/${eventKey}`;

    let isOver = false;
    const booked = new Map<string, string>();
    async function sell(seller: number): Promise<void> {
      for (let n = 0; !isOver; n++) {
        // Both charts have rows A (1 to 40) and B. Seats are held for a moment only.
        const seat = `${n % 2 === 0 ? 'A' : 'B'}-${1 + ((seller * 10 + (n >> 1)) % 40)}`;
        const bookingRef = `order-${seller}-${n}`;
        const { status, body } = await call('POST', `${event}/book`, { labels: [seat], bookingRef });
        if (status === 200) for (const label of body.booked) booked.set(label, bookingRef);
        else expect([409, 503]).toContain(status);
        await call('POST', `${event}/hold`, { labels: [`A-${41 + (n % 20)}`], ttlMs: 30 });
      }
    }
    const sellers = [0, 1, 2, 3].map(sell);

    let updates = 0;
    for (let n = 1; updates < KILLS * UPDATES_BETWEEN_KILLS; n++) {
      const { updatedAt } = (await call('GET', `/v1/charts/${chart.id}`)).body.meta;
      await call('PUT', `/v1/charts/${chart.id}`, { doc: documents[n % 2], expectedUpdatedAt: updatedAt });
      await call('POST', `/v1/charts/${chart.id}/publish`);
      const update = call('POST', `${event}/update-chart`);
      if (n % UPDATES_BETWEEN_KILLS === 0) process.kill(parterre.pidOf('inventory-shard'), 'SIGKILL');
      const { status, body } = await update;
      if (status === 200) updates++;
      else expect([status, body.code]).toEqual(status === 503 ? [503, body.code] : [409, 'seats_would_vanish']);
    }
    isOver = true;
    await Promise.all(sellers);

    const { state, violations } = await folded(parterre.natsUrl, eventKey);
    expect(violations).toEqual([]);
    const owned = new Map<string, string>();
    for (const booking of state.bookings.values()) {
      for (const { unit } of heldLines(state, booking)) owned.set(state.plan.labels.at(unit), booking.ref);
    }
    expect([...booked].filter(([label, ref]) => owned.get(label) !== ref)).toEqual([]);
    expect(booked.size).toBeGreaterThan(40);
    const shown = (await call('GET', event)).body;
    expect(shown.counts.booked).toBe(owned.size);
    expect((await call('GET', `${event}/chart`)).body.doc.objects.length).toBe(state.plan.objects.length);
  } finally {
    await parterre.stop();
  }
});

async function folded(natsUrl: string, eventKey: string): Promise<FoldedEvent> {
  const nats = await connectTo(natsUrl);
  try {
    const plans = createPlanSource(createCatalogClient(nats), compilerHere);
    return (await foldJournals(natsUrl, partitionsOfOneMachine, (_key, hash) => plans(hash))).get(eventKey)!;
  } finally {
    await nats.close();
  }
}
