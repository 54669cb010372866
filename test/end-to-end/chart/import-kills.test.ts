/** kill -9 of the front door and of the catalog while a chart is imported: there is a whole chart, or none. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ServiceName } from '../../support/servers/server.ts';
import { type Json, openShop, type Shop } from '../shop.ts';

let shop: Shop;
let write: Record<string, string>;

beforeAll(async () => {
  shop = await openShop();
  ({ write } = await shop.logIn(await shop.user()));
}, 120_000);
afterAll(() => shop?.stop());

/** Reading it takes about a second. */
const large = (() => {
  const seats = (row: number) =>
    Array.from({ length: 100 }, (_, i) => ({ label: String(i + 1), x: i * 20, y: row * 24, categoryKey: 1 }));
  const rows = Array.from({ length: 200 }, (_, row) => ({ label: `R${row}`, seats: seats(row) }));
  const categories = { list: [{ key: 1, label: 'All', color: '#336699' }] };
  return JSON.stringify({ name: 'Large', version: 21, categories, subChart: { rows } });
})();

async function begin(body: string): Promise<string> {
  const headers = { ...write, 'Content-Type': 'application/octet-stream' };
  const response = await fetch(`${shop.url}/v1/chart-imports`, { method: 'POST', headers, body });
  expect(response.status).toBe(202);
  return response.headers.get('location')!;
}

/** Null while the server does not answer. */
async function read(path: string): Promise<Json> {
  try {
    const { status, body } = await shop.call('GET', path, { headers: write });
    return status === 200 ? body : null;
  } catch {
    return null;
  }
}

const charts = async () => (await read('/v1/charts'))?.charts.length ?? null;
const stateOf = async (path: string) => (await read(path))?.import.state ?? null;

async function kill(service: ServiceName): Promise<void> {
  const pid = shop.server.pidOf(service);
  process.kill(pid, 'SIGKILL');
  await expect.poll(() => isAlive(pid), { timeout: 30_000 }).toBe(false);
  await expect.poll(charts, { timeout: 60_000 }).not.toBeNull();
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test('a front door that dies leaves no chart, and its successor imports the file', { timeout: 120_000 }, async () => {
  const before = await charts();
  const lost = await begin(large);
  await kill('frontdoor');
  expect([await stateOf(lost), await charts()]).toEqual(['running', before]);
  const again = await begin(large);
  await expect.poll(() => stateOf(again), { timeout: 60_000 }).toBe('done');
  // Nobody reads the lost file any more: it fails when its time is up (test/flow/chart-files).
  expect([await stateOf(lost), await charts()]).toEqual(['running', before + 1]);
});

test('a catalog that dies is told the end of the import again, and makes one chart', { timeout: 120_000 }, async () => {
  const before = await charts();
  const path = await begin(large);
  await kill('catalog');
  await expect.poll(() => stateOf(path), { timeout: 60_000 }).toBe('done');
  expect(await charts()).toBe(before + 1);
});
