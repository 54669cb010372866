/**
 * Cancellations of season bookings whose processes die in their middle. A shard stops, so its events do not answer. The
 * front door that asks and a catalog that carries on are killed meanwhile. Every cancellation ends in all events all
 * the same, its repetition gets the same end, and the bookings that nobody cancelled stay.
 */
import { categoryOf } from '@parterre/shared/charts/plan';
import { expect, test } from 'vitest';
import { theatreAndArena } from '../../scripts/generate-charts.mjs';
import { startCluster } from '../support/servers/cluster.ts';
import { type Access, call, createEvents } from './load/aftermath.ts';
import { openSeason } from './load/owners-on-sale.ts';

const nights = 8;
const cancelled = 10;
const kept = 2;
const middleMs = 300;
const firstNight = Date.parse('2031-05-01T18:00:00Z');
const nightMs = 86_400_000;
const origin = 'https://shop.example';
const endMs = 60_000;

type Booking = { booking: { state: string; cancellation: { state: string; outcomes: { state: string }[] } | null } };

test('a cancellation ends in every event though its processes die', { timeout: 300_000 }, async () => {
  const sizes = { PARTERRE_SHARDS: '2', PARTERRE_CATALOGS: '2', PARTERRE_FRONTDOORS: '2', PARTERRE_NOTIFIERS: '1' };
  const cluster = await startCluster({ env: { ...sizes, PARTERRE_BUDGETS: 'off', PARTERRE_NATS_SYNC: '2m' } });
  try {
    const [first, second] = cluster.urls.map((url): Access => ({ url, token: cluster.demo.keys.secretTest })) as [
      Access,
      Access,
    ];
    const chart = { name: 'Hall', doc: theatreAndArena() };
    const { meta } = await call<{ meta: { id: string } }>(second, 'POST', '/v1/charts', chart);
    await call(second, 'POST', `/v1/charts/${meta.id}/publish`, {});
    const { plan, eventKeys } = await createEvents(second, meta.id, nights);
    for (const [night, key] of eventKeys.entries()) {
      await call(second, 'PATCH', `/v1/events/${key}`, { startsAt: firstNight + night * nightMs });
    }
    const season = await openSeason(second, { eventKeys, buyers: 1, origin });
    const at = `/v1/seasons/${season.key}`;
    const forSale = plan.labels.all().filter((_, unit) => !categoryOf(plan, unit).notForSale);
    const labels = forSale.slice(0, cancelled + kept);
    await Promise.all(labels.map((label, number) => book(second, season, label, number)));
    const cancel = (by: Access, number: number) =>
      call<Booking>(by, 'POST', `${at}/bookings/book-${number}/cancel`, {
        cancelActionId: `cancel-${number}`,
        bookingRef: `order-${number}`,
        planActivationId: season.planActivationId,
        rightDisposition: 'release',
      });
    const numbers = Array.from({ length: cancelled }, (_, number) => number);
    cluster.pause('inventory-shard-2');
    const asked = Promise.allSettled(numbers.map((number) => cancel(number % 2 ? first : second, number)));
    await new Promise((resolve) => setTimeout(resolve, middleMs));
    for (const victim of ['catalog-1', 'frontdoor-1']) cluster.kill(victim);
    cluster.resume('inventory-shard-2');
    await asked;
    // A caller who got no answer asks again, under the same name.
    const ends = () =>
      Promise.all(
        numbers.map(async (number) => {
          const { booking } = await cancel(second, number);
          return `${booking.state} ${booking.cancellation?.outcomes.map(({ state }) => state)}`;
        }),
      ).catch((error: unknown) => [String(error)]);
    const whole = `cancelled ${eventKeys.map(() => 'cancelled')}`;
    await expect.poll(ends, { timeout: endMs, interval: 500 }).toEqual(numbers.map(() => whole));
    for (const key of eventKeys) {
      const { seats } = await call<{ seats: Record<string, string> }>(second, 'GET', `/v1/events/${key}/objects`);
      const statuses = labels.map((label) => seats[label] ?? 'free');
      expect(statuses).toEqual([...Array(cancelled).fill('free'), ...Array(kept).fill('booked')]);
    }
  } finally {
    await cluster.stop();
  }
});

async function book(by: Access, season: { key: string; sessions: string[] }, label: string, number: number) {
  const response = await fetch(`${by.url}/pub/seasons/${season.key}/holds`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${season.sessions[0]}`, Origin: origin, 'Content-Type': 'application/json' },
    body: JSON.stringify({ operationId: `sop_${number}`, labels: [label] }),
  });
  expect(response.status, await response.text()).toBe(201);
  const named = { bookActionId: `book-${number}`, bookingRef: `order-${number}` };
  const { booking } = await call<Booking>(by, 'POST', `/v1/seasons/${season.key}/holds/sop_${number}/book`, named);
  expect(booking.state).toBe('booked');
}
