/** What people see when the stream of a partition is gone (I9), on the product as `npm start` runs it. */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { root } from '../../../scripts/launch/root.ts';
import { partitionOf } from '../../../shared/src/protocol/subjects.ts';
import { type Parterre, startParterre } from '../../support/servers/server.ts';
import { type Json, openShop } from '../shop.ts';

/** With budgets: half of them belong to the lost partition. */
const env = { PARTERRE_NATS_SYNC: '2m', JOURNAL_PARTITIONS: '2' };

let dataDir: string;
let again: Parterre | null = null;
let other: string;
let lost: { key: string; call: (method: string, path: string, body?: unknown) => Promise<Response> };

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'parterre-test-'));
  const shop = await openShop({ dataDir, env });
  const event = await shop.event();
  expect((await event.post('hold', { labels: ['A-1'] })).status).toBe(200);
  do other = (await shop.event()).key;
  while (partitionOf(other, [0, 1]) === partitionOf(event.key, [0, 1]));
  await shop.stop();
  const stream = `JOURNAL-${partitionOf(event.key, [0, 1])}`;
  const folders = await readdir(dataDir, { recursive: true, withFileTypes: true });
  const folder = folders.find((entry) => entry.isDirectory() && entry.name === stream)!;
  await rm(join(folder.parentPath, folder.name), { recursive: true });
  again = await startParterre({ dataDir, env });
  const { url } = again;
  const headers = { Authorization: `Bearer ${shop.token}`, 'Content-Type': 'application/json' };
  const call = (method: string, path: string, body?: unknown) =>
    fetch(url + path, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  lost = { key: event.key, call };
}, 120_000);
afterAll(async () => {
  await again?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const path = (action: string) => `/v1/events/${lost.key}/${action}`;

test('Sales are refused for good, and the map shows the last known state', async () => {
  const sale = await lost.call('POST', path('hold'), { labels: ['A-2'] });
  expect(sale.status).toBe(503);
  expect(sale.headers.get('retry-after')).toBeNull();
  const refusal = (await sale.json()) as Json;
  expect(refusal.code).toBe('journal_lost_records');
  expect(refusal).not.toHaveProperty('retryable');
  const objects = await lost.call('GET', path('objects'));
  expect(objects.status).toBe(200);
  expect(await objects.json()).toMatchObject({ stale: true, seats: { 'A-1': 'held' } });
  const chart = (await (await lost.call('GET', path('chart'))).json()) as Json;
  expect(chart.stale).toBe(true);
});

test('An event of the other partition sells on', async () => {
  expect((await lost.call('POST', `/v1/events/${other}/hold`, { labels: ['A-2'] })).status).toBe(200);
});

test('Readiness counts the halted event and stays 200, since the other partition sells', async () => {
  const read = async () => (await fetch(`${again!.url}/health/ready`)).json();
  // The demo's event may be in the same partition.
  await expect
    .poll(read)
    .toMatchObject({ status: 'ok', haltedEvents: expect.toSatisfy((count: number) => count >= 1) });
});

test('parterre status names the halted event and its partition, and ends with 1', async () => {
  const ran = await new Promise<{ code: number; out: string }>((resolve) => {
    const options = { env: { PATH: process.env.PATH, PARTERRE_DATA: dataDir } };
    execFile(process.execPath, [join(root, 'dist/parterre.js'), 'status', '--json'], options, (error, out) => {
      resolve({ code: error ? Number(error.code) : 0, out });
    });
  });
  expect(ran.code).toBe(1);
  const report = JSON.parse(ran.out);
  expect(report).toMatchObject({ haltedPartitions: 1, haltedEvents: report.halted.length });
  const partition = partitionOf(lost.key, [0, 1]);
  expect(report.halted).toContainEqual({ event: lost.key, partition, reason: 'the stream is missing' });
});
