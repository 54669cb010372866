/** `npx parterre backup` and `restore` as an operator types them, while the deployment sells. */
import { appendFile, cp, mkdir, mkdtemp, readdir, readFile, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openShop, type Shop } from '../shop.ts';
import { type Ask, backupEnv, parterreIn, segmentsOf, startRestored } from './backup-runs.ts';

let folder: string;
let shop: Shop;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parterre-test-backup-'));
  shop = await openShop({ dataDir: join(folder, 'first'), env: backupEnv });
}, 120_000);
afterAll(async () => {
  await shop?.stop();
  await rm(folder, { recursive: true, force: true });
});

const parterre = (data: string, args: string[]) => parterreIn(folder, data, args);

async function backUp(to: string) {
  const ran = await parterre('first', ['backup', to, '--json']);
  expect([ran.code, ran.said]).toEqual([0, expect.stringContaining('The cut: ')]);
  return JSON.parse(ran.out) as { run: number; cutAt: string; messages: number };
}

type Sale = { event: string; label: string; bookingRef: string; answeredAt: number };

/** Books one seat after the other until `running.now` is false. Every sale is of two calls. */
async function sell(events: Awaited<ReturnType<Shop['event']>>[], row: string, running: { now: boolean }) {
  const sales: Sale[] = [];
  for (let n = 1; running.now && n <= 20; n++) {
    for (const event of events) {
      const label = `${row}-${n}`;
      const bookingRef = `order-${event.key}-${label}`;
      const { status } = await event.post('book', { labels: [label], bookingRef });
      expect([status, label]).toEqual([200, label]);
      sales.push({ event: event.key, label, bookingRef, answeredAt: Date.now() });
    }
  }
  return sales;
}

/** Every sale that was answered before the cut is there, and is the booking's. */
async function expectSales(ask: Ask, sales: Sale[]) {
  for (const { event, label, bookingRef } of sales) {
    const other = await ask('POST', `/v1/events/${event}/book`, { labels: [label], bookingRef: 'another' });
    expect([other.status, label]).toEqual([409, label]);
    const again = await ask('POST', `/v1/events/${event}/book`, { labels: [label], bookingRef });
    expect([again.status, label]).toEqual([200, label]);
  }
}

test('a backup without the store of the catalog is refused before it begins', async () => {
  await mkdir(join(folder, 'elsewhere'));
  await cp(join(folder, 'first', 'run.json'), join(folder, 'elsewhere', 'run.json'));
  const ran = await parterre('elsewhere', ['backup', 'never']);
  expect([ran.code, ran.said]).toEqual([1, expect.stringMatching(/^\S+catalog has no store of a catalog\. /)]);
  expect(await readdir(folder)).not.toContain('never');
});

describe('a backup while the deployment sells', { timeout: 240_000 }, () => {
  test('each sale that was answered before the cut is in the restored deployment, which sells on', async () => {
    const events = await Promise.all([shop.event(), shop.event(), shop.event()]);
    const running = { now: true };
    const selling = sell(events, 'A', running);
    const first = await backUp('backup');
    running.now = false;
    const sales = await selling;
    expect(first.run).toBe(1);
    const firstSegments = await segmentsOf(join(folder, 'backup'));

    const more = await sell(events, 'B', { now: true });
    const second = await backUp('backup');
    expect(second).toMatchObject({ run: 2 });
    expect(second.messages).toBeGreaterThan(first.messages);
    // What was copied before is not written again.
    for (const [file, written] of firstSegments)
      expect((await segmentsOf(join(folder, 'backup'))).get(file)).toEqual(written);

    expect(await parterre('second', ['restore', 'backup'])).toMatchObject({
      code: 0,
      said: expect.stringContaining('Everything that was restored equals the backup.'),
    });
    const { restored, ask } = await startRestored(join(folder, 'second'), shop);
    try {
      await expectSales(ask, [...sales, ...more]);
      const key = events[0]!.key;
      const sold = await ask('GET', `/v1/events/${key}/bookings/${more[0]!.bookingRef}`);
      expect(sold).toMatchObject({ status: 200, body: { booking: { state: 'booked' } } });
      const fresh = await ask('POST', `/v1/events/${key}/hold`, { selections: [{ label: 'Floor', quantity: 2 }] });
      expect([fresh.status, fresh.body.code]).toEqual([200, undefined]);
      expect(JSON.parse((await parterre('second', ['backup', 'backup', '--json'])).out).run).toBe(3);
      // The backup is the second deployment's now. The first has another history.
      for (const event of events) await event.post('block', { labels: ['B-20'] });
      await events[0]!.post('hold', { selections: [{ label: 'Floor', quantity: 2 }] });
      const other = await parterre('first', ['backup', 'backup']);
      expect(other).toMatchObject({
        code: 1,
        said: expect.stringMatching(/JOURNAL-\d up to message \d+, and the running/),
      });
    } finally {
      await restored.stop();
    }
  });
});

describe('a backup that is not whole', { timeout: 120_000 }, () => {
  beforeAll(async () => {
    await backUp('whole');
  }, 60_000);

  async function restoreDamaged(
    name: string,
    damage: (backup: string) => Promise<unknown>,
  ): ReturnType<typeof parterre> {
    await cp(join(folder, 'whole'), join(folder, name), { recursive: true });
    await damage(join(folder, name));
    return parterre(`from-${name}`, ['restore', name]);
  }

  test('a missing, changed or short file is named, and nothing is made', async () => {
    const [segment] = [...(await segmentsOf(join(folder, 'whole'))).keys()];
    const inside = segment!.slice(join(folder, 'whole').length + 1);
    const missing = await restoreDamaged('missing', (backup) => rm(join(backup, inside)));
    expect(missing).toMatchObject({ code: 1, said: expect.stringContaining(`${inside} is missing`) });
    const longer = await restoreDamaged('longer', (backup) => appendFile(join(backup, inside), 'x'));
    expect(longer).toMatchObject({ code: 1, said: expect.stringContaining('The backup is damaged: journals') });
    const short = await restoreDamaged('short', async (backup) => {
      const run = (await readdir(backup)).find((entry) => entry.startsWith('run-'))!;
      await truncate(join(backup, run, 'catalog'), 10);
    });
    expect(short).toMatchObject({ code: 1, said: expect.stringMatching(/damaged: run-\d+.catalog/) });
    await expect(readdir(join(folder, 'from-missing'))).rejects.toThrow('ENOENT');
  });

  test('a backup without its manifest is refused, and so is a changed manifest', async () => {
    const none = await restoreDamaged('no-manifest', (backup) => rm(join(backup, 'backup.json')));
    expect(none).toMatchObject({ code: 1, said: expect.stringContaining('its first run was interrupted') });
    const changed = await restoreDamaged('other-manifest', async (backup) => {
      const file = join(backup, 'backup.json');
      const text = await readFile(file, 'utf8');
      await rm(file);
      await appendFile(file, text.replace('"last": ', '"last": 1'));
    });
    expect(changed).toMatchObject({ code: 1, said: expect.stringContaining('backup.json is not the file') });
  });

  test('a folder with data is refused, and keeps its data', async () => {
    const ran = await parterre('first', ['restore', 'whole']);
    expect(ran).toMatchObject({ code: 1, said: expect.stringContaining('has data') });
    expect((await (await shop.event()).post('book', { labels: ['A-1'], bookingRef: 'order-1' })).status).toBe(200);
  });

  test('a folder with other files takes no backup', async () => {
    const ran = await parterre('first', ['backup', 'first']);
    expect(ran).toMatchObject({ code: 1, said: expect.stringContaining('has other files') });
  });
});
