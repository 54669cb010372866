/**
 * One machine whose disk fills up while it sells (`npm start` on a small file system). The warnings come before the
 * end. Then nothing is sold, while the launcher, its services and the maps stay. With room again, sales go on, and no
 * booking is lost.
 */
import { execFileSync } from 'node:child_process';
import { closeSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Parterre, startParterre } from '../support/servers/server.ts';
import { call, createEvents } from './load/aftermath.ts';

const diskMib = 96;
/** Programs of the machine, no packages. */
const programs = { mount: 'mount', unmount: 'umount' };
const needsRoot = process.platform !== 'linux' || process.getuid?.() !== 0;
const testOnDisk = needsRoot ? test.skip : test;

let folder: string;
let parterre: Parterre;

beforeAll(async () => {
  if (needsRoot) return;
  folder = await mkdtemp(join(tmpdir(), 'parterre-test-full-disk-'));
  execFileSync(programs.mount, ['-t', 'tmpfs', '-o', `size=${diskMib}m,mode=700`, 'tmpfs', folder]);
  parterre = await startParterre({ dataDir: folder, env: { PARTERRE_NATS_SYNC: '2m' } });
});
afterAll(async () => {
  await parterre?.stop();
  if (folder === undefined) return;
  execFileSync(programs.unmount, ['--lazy', folder]);
  await rm(folder, { recursive: true, force: true });
});

/** Writes a file until so little of the disk is free; without room for a byte at 0. */
function fillTo(bytesFree: number): void {
  const file = openSync(join(folder, 'other data'), 'a');
  const block = Buffer.alloc(64 * 1024);
  try {
    for (;;) {
      const { bavail, bsize } = statfsSync(folder);
      if (bytesFree > 0 && bavail * bsize <= bytesFree) return;
      writeSync(file, block);
    }
  } catch (error) {
    expect((error as NodeJS.ErrnoException).code).toBe('ENOSPC');
  } finally {
    closeSync(file);
  }
}

async function ready(): Promise<unknown[]> {
  const answer = await fetch(`${parterre.url}/health/ready`);
  const { checks } = (await answer.json()) as { checks?: { disk: string } };
  return [answer.status, checks?.disk];
}

testOnDisk('a full disk stops sales alone, and is told before', { timeout: 180_000 }, async () => {
  const { url, demo } = parterre;
  const access = { url, token: demo.keys.secretTest };
  const { eventKeys, plan } = await createEvents(access, demo.chartId, 2);
  const [key, other] = eventKeys as [string, string];
  const labels = plan.labels.all().slice(0, 30);
  const book = (event: string, label: string) =>
    call(access, 'POST', `/v1/events/${event}/book`, { labels: [label], bookingRef: `order ${event} ${label}` });
  const headers = { Authorization: `Bearer ${demo.keys.publishableTest}`, Origin: url };
  const map = async () => (await fetch(`${url}/pub/events/${key}/objects`, { headers })).status;
  const booked = labels.slice(0, 10);
  for (const label of booked) await book(key, label);
  expect(await map()).toBe(200);
  const poll = { interval: 2_500, timeout: 20_000 };
  fillTo(0.17 * diskMib * 1024 * 1024);
  await expect.poll(ready, poll).toEqual([200, 'filling']);
  fillTo(0.09 * diskMib * 1024 * 1024);
  await expect.poll(ready, poll).toEqual([200, 'low']);
  const pid = parterre.pidOf('frontdoor');
  fillTo(0);
  const deadline = performance.now() + 60_000;
  let hasStopped = false;
  for (let nth = 10; !hasStopped && performance.now() < deadline; nth++) {
    const label = labels[nth % labels.length]!;
    await book(key, label).then(
      () => booked.push(label),
      () => {},
    );
    await fetch(`${url}/v1/events`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${access.token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ chartId: demo.chartId }),
    }).then(({ status }) => expect([201, 503, 500]).toContain(status));
    expect(await map()).toBe(200);
    hasStopped = (await ready())[0] === 503;
  }
  console.log(`booked until the end: ${booked.length}; stopped: ${hasStopped}`);
  expect(await map()).toBe(200);
  expect((await ready())[1] ?? 'full').toBe('full');
  expect(parterre.pidOf('frontdoor')).toBe(pid);
  rmSync(join(folder, 'other data'));
  // NATS switches JetStream off on a full disk, until it is started again.
  process.kill(parterre.pidOf('nats'), 'SIGTERM');
  await expect.poll(ready, { interval: 2_500, timeout: 60_000 }).toEqual([200, 'ok']);
  await book(other, labels[0]!);
  for (const label of booked) {
    await call(access, 'GET', `/v1/events/${key}/bookings/${encodeURIComponent(`order ${key} ${label}`)}`);
  }
});
