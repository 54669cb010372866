/** `npm start` after the set-up, for real: the printed commands work, dead processes come back, and data survives. */
import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunFile, readJson } from '../../../scripts/launch/data-folder.ts';
import { pickPorts } from '../../../scripts/launch/port.ts';
import { root } from '../../../scripts/launch/root.ts';
import { promtool } from '../../support/servers/promtool.ts';
import { launch, type Parterre, type ServiceName, startParterre } from '../../support/servers/server.ts';

const everything: ServiceName[] = ['frontdoor', 'inventory-shard', 'notifier', 'catalog', 'nats'];
const run = promisify(execFile);
let dataDir = '';
let healthPort = 0;
/** The settings of a person who sets nothing, on ports of this test. */
const usual = () => ({ JOURNAL_PARTITIONS_AT_FIRST: '', PARTERRE_DEMO: '', HEALTH_PORT: String(healthPort) });
let parterre: Parterre;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'parterre-test-launch-'));
  // A folder that was made with the usual rights, before the first start.
  await mkdir(join(dataDir, 'catalog'));
  await chmod(join(dataDir, 'catalog'), 0o755);
  await chmod(dataDir, 0o755);
  [healthPort = 0] = await pickPorts(1);
  parterre = await startParterre({ dataDir, env: usual() });
});

afterAll(async () => {
  await parterre.stop();
  await rm(dataDir, { recursive: true, force: true });
});

function pids(): number[] {
  return everything.map((service) => parterre.pidOf(service));
}

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
}

async function booked(): Promise<number> {
  const { url, demo } = parterre;
  const headers = { Authorization: `Bearer ${demo.keys.secretTest}` };
  const response = await fetch(`${url}/v1/events/${demo.eventKey}/report`, { headers });
  return ((await response.json()) as { report: { byStatus: { booked: number } } }).report.byStatus.booked;
}

test('demo.json is for its owner only and names what runs', async () => {
  expect((await stat(join(dataDir, 'demo.json'))).mode & 0o777).toBe(0o600);
  const { demo, pid } = parterre;
  expect(demo).toMatchObject({ pid, eventKey: 'demo-night', liveEventKey: 'demo-night-live' });
  expect(demo.keys.secretTest).toMatch(/^sk_test_/);
  expect(demo.keys.publishableLive).toMatch(/^pk_live_/);
});

test('every file of the data folder is for its owner only', async () => {
  const open: string[] = [];
  const entries = await readdir(dataDir, { withFileTypes: true, recursive: true });
  const paths = entries
    .filter((entry) => entry.isFile() || entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name));
  for (const path of [dataDir, ...paths]) {
    const mode = await stat(path).then(
      (found) => found.mode & 0o077,
      () => 0,
    );
    if (mode !== 0) open.push(`${path} ${mode.toString(8)}`);
  }
  expect(paths.map((path) => path.slice(dataDir.length + 1))).toEqual(
    expect.arrayContaining(['catalog/data.mdb', 'demo.json', 'logs/catalog.log', 'nats/nats.conf', 'run.json']),
  );
  expect(open).toEqual([]);
});

test('services log JSON alone, warnings of Node included', async () => {
  for (const service of ['catalog', 'notifier', 'inventory-shard', 'frontdoor']) {
    const lines = (await readFile(join(dataDir, 'logs', `${service}.log`), 'utf8')).trim().split('\n');
    expect(lines.filter((line) => !line.startsWith('{'))).toEqual([]);
  }
});

test.skipIf(process.platform !== 'linux')('no service has the secrets of another one', async () => {
  const environmentOf = async (service: ServiceName) =>
    (await readFile(`/proc/${parterre.pidOf(service)}/environ`, 'utf8')).split('\0');
  for (const service of ['catalog', 'notifier', 'inventory-shard'] as const) {
    expect((await environmentOf(service)).filter((line) => line.includes(parterre.rootToken))).toEqual([]);
  }
  expect(await environmentOf('frontdoor')).toContain(`PARTERRE_ROOT_TOKEN=${parterre.rootToken}`);
});

test('the first start prints the root token, its file, and the live secret', async () => {
  const file = join(dataDir, 'setup.json');
  expect(parterre.output()).toContain(
    `root token       ${parterre.demo.rootToken}\n  It is printed once. ${file} keeps it, for its owner alone.`,
  );
  expect(await readFile(file, 'utf8')).toContain(parterre.demo.rootToken);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(parterre.output()).toContain(`live secret      ${parterre.demo.keys.secretLive}`);
});

test('the five printed commands sell two seats when pasted in order', async () => {
  const commands = parterre
    .output()
    .split('\n')
    .filter((line) => /^(curl|HOLD=)/.test(line));
  expect(commands).toHaveLength(5);
  const quick = commands.map((command) => command.replace('--max-time 10', '--max-time 1'));
  const { stdout } = await run('sh', ['-c', quick.join('\n')]);
  const [map, hold, book, ...rest] = stdout.trim().split('\n');
  expect(JSON.parse(map!)).toMatchObject({ doc: { name: 'Demo theatre' } });
  expect(hold).toMatch(/^hld_/);
  expect(JSON.parse(book!)).toMatchObject({ ok: true, booked: ['A-1', 'A-2'] });
  expect(rest[0]).toMatch(/^data: \{"type":"snapshot"/);
  expect(JSON.parse(rest.at(-1)!).report.byStatus.booked).toBe(2);
});

const metricsOf = async (url: string) => (await fetch(`${url}/metrics`)).text();

test('the metrics of each service have a fixed port, and run.json names it', async () => {
  const { health } = readJson<RunFile>(join(dataDir, 'run.json'))!;
  const at = (offset: number): string => `http://127.0.0.1:${healthPort + offset}`;
  expect(health).toEqual({ frontdoor: at(0), 'inventory-shard': at(1), catalog: at(2), notifier: at(3) });
  for (const url of Object.values(health)) {
    expect(await metricsOf(url)).toContain('process_cpu_seconds_total');
  }
  expect(await metricsOf(health['inventory-shard']!)).toMatch(/^inventory_partitions_owned 16$/m);
  expect(parterre.output()).toContain(`${join(dataDir, 'run.json')} says where the metrics`);
});

test('docs/metrics.md describes every family of the four services and no other, and promtool finds no fault', async () => {
  const { health } = readJson<RunFile>(join(dataDir, 'run.json'))!;
  const served = new Set<string>();
  for (const url of Object.values(health)) {
    const text = await metricsOf(url);
    expect(await promtool(['check', 'metrics'], text)).toEqual({ code: 0, said: '' });
    for (const [, family] of text.matchAll(/^# TYPE (\w+) /gm)) served.add(family!);
  }
  const page = await readFile(join(root, 'docs/metrics.md'), 'utf8');
  const described = [...page.matchAll(/^\| (`.*?`) \| /gm)].flatMap(([, names]) => names!.match(/\w+/g)!);
  const families = described.filter((name) => /^(frontdoor|inventory|notifier|parterre|nodejs|process)_/.test(name));
  expect(families.filter((family) => !served.has(family))).toEqual([]);
  const own = [...served].filter((family) => !/^(nodejs|process)_/.test(family));
  expect(own.filter((family) => !families.includes(family))).toEqual([]);
});

test('metrics answer the questions of an operator', async () => {
  const { health } = readJson<RunFile>(join(dataDir, 'run.json'))!;
  const { url, demo } = parterre;
  const post = (path: string, body: object) =>
    fetch(`${url}/v1/events/${demo.eventKey}/${path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${demo.keys.secretTest}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  expect((await post('hold', { labels: ['D-1'] })).status).toBe(200);
  expect((await post('hold', { labels: ['D-1'] })).status).toBe(409);
  const frontDoor = await metricsOf(health.frontdoor!);
  const hold = 'method="POST",route="/v1/events/{key}/hold"';
  expect(frontDoor).toContain(`frontdoor_request_seconds_count{${hold},status="2xx"} `);
  expect(frontDoor).toContain(`frontdoor_request_seconds_bucket{${hold},status="4xx",le="+Inf"} `);
  expect(frontDoor).toContain(`frontdoor_refusals_total{${hold},code="conflict",reason=""} `);
  const shard = await metricsOf(health['inventory-shard']!);
  expect(shard).toMatch(/^inventory_refusals_total\{command="hold",code="conflict",reason=""\} [1-9]/m);
  expect(shard).toMatch(/^inventory_commands_total\{command="hold",result="done"\} [1-9]/m);
  expect(shard).toMatch(/^inventory_places_held_total [1-9]/m);
  expect(shard).toMatch(/^inventory_append_seconds_count [1-9]/m);
  expect(shard).toMatch(/^inventory_mailbox_wait_seconds_count [1-9]/m);
  expect(shard).toMatch(/^inventory_event_commands_per_second\{event="demo-night"\} 0?\.?\d/m);
  expect(shard.match(/^inventory_partition_owner\{partition="\d+"\} 1$/gm)).toHaveLength(16);
  expect(shard).toMatch(/^parterre_disk_free_bytes\{folder=".+"\} [1-9]/m);
  expect(await metricsOf(health.catalog!)).toMatch(/^parterre_projection_lag_seconds\{stream="JOURNAL-1"\} \d/m);
  const notifier = await metricsOf(health.notifier!);
  for (const stream of ['journal', 'retries', 'backlogs']) {
    expect(notifier).toMatch(new RegExp(`^notifier_lag_seconds\\{stream="${stream}"\\} \\d`, 'm'));
  }
  expect(notifier).toMatch(/^parterre_build_info\{version="[\d.]+",node="[\d.]+"\} 1$/m);
});

test('a second start on the same data folder is refused with a clear message', async () => {
  const second = launch(dataDir, {});
  expect(await second.exited).toBe(1);
  expect(second.output.text()).toContain(`already runs on ${dataDir} (process ${parterre.pid})`);
  expect(second.output.text()).not.toMatch(/^ +at /m);
});

test('a NATS_URL without an answer is refused with a clear message, without its password', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parterre-test-launch-'));
  const start = launch(folder, { NATS_URL: 'nats://user:hidden@127.0.0.1:1' });
  expect(await start.exited).toBe(1);
  expect(start.output.text()).toContain('NATS_URL names no NATS server that answers: 127.0.0.1:1');
  expect(start.output.text()).not.toContain('hidden');
  await rm(folder, { recursive: true, force: true });
});

test('a cluster prints every front door, and a command that kills a part of it', { timeout: 90_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parterre-test-launch-'));
  const few = { PARTERRE_NATS_SERVERS: '1', PARTERRE_SHARDS: '1', PARTERRE_CATALOGS: '1', PARTERRE_NOTIFIERS: '1' };
  const start = launch(folder, few, ['cluster']);
  try {
    await once(start.output.lines, 'ready');
    const printed = (form: RegExp) => expect.poll(() => form.exec(start.output.text())?.[0]).toMatch(form);
    await printed(/^Front doors: http:\/\/localhost:\d+ {2}http:\/\/localhost:\d+$/m);
    await printed(/^Ctrl-C stops everything/m);
    const urls = /^Front doors: (.*)$/m.exec(start.output.text())![1]!.split('  ');
    for (const url of urls) expect((await fetch(`${url}/v1/charts`)).status).toBe(401);
    const kill = /^kill -9 .*$/m.exec(start.output.text())![0];
    await run('sh', ['-c', kill]);
    await printed(/^inventory-shard-1 ended \(SIGKILL\); starting it again/m);
  } finally {
    start.child.kill('SIGINT');
    expect(await start.exited).toBe(0);
    await rm(folder, { recursive: true, force: true });
  }
});

test.each(['catalog', 'notifier', 'inventory-shard', 'frontdoor'])(
  '%s that still waits for NATS ends with its parent',
  async (service) => {
    const env = { ...process.env, NATS_URL: 'nats://127.0.0.1:1', PORT: '0', PARTERRE_DATA: dataDir };
    const child = fork(join('dist', `${service}.js`), { env, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
    const exited = once(child, 'exit');
    child.disconnect();
    expect(await exited).toEqual([0, null]);
  },
);

test('a front door does not share the port of another one', async () => {
  const { url, natsUrl } = parterre;
  const env = { ...process.env, NATS_URL: natsUrl, HOST: '127.0.0.1', PORT: new URL(url).port };
  const child = fork(join('dist', 'frontdoor.js'), { env, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  let said = '';
  child.stderr!.on('data', (chunk) => {
    said += chunk;
  });
  expect(await once(child, 'close')).toEqual([1, null]);
  expect(said).toContain(`listen on 127.0.0.1:${env.PORT}`);
});

test.each(everything)('%s that dies comes back, at the same address', async (service) => {
  const before = parterre.pidOf(service);
  process.kill(before, 'SIGKILL');
  const comesBack = () => {
    expect(parterre.pidOf(service)).not.toBe(before);
  };
  await expect.poll(() => tries(comesBack), { timeout: 15_000 }).toBe(true);
  await expect.poll(() => booked().catch(() => null), { timeout: 15_000 }).toBe(2);
});

function tries(attempt: () => void): boolean {
  try {
    attempt();
    return true;
  } catch {
    return false;
  }
}

test('a stop ends every process, and the next start has the same keys and sales', async () => {
  const { demo } = parterre;
  const before = pids();
  expect(await parterre.stop()).toBe(0);
  expect(before.filter((pid) => !isGone(pid))).toEqual([]);
  parterre = await startParterre({ dataDir, env: usual() });
  expect(parterre.demo).toEqual({ ...demo, url: parterre.url, pid: parterre.pid });
  expect(await booked()).toBe(2);
  // Journals and containers keep the output, so only the first start prints what opens everything.
  expect(parterre.output()).not.toContain(demo.rootToken);
  expect(parterre.output()).not.toMatch(/[ps]k_(test|live)_/);
  await expect.poll(() => parterre.output()).toContain('`npx parterre demo` prints the keys of the demo');
  expect(parterre.output()).toContain('`npm start -- --demo` opens it here.');
  // The former shard left in good order: its leases cause no warning.
  expect(parterre.output()).not.toContain('counts as dead');
});

test('a start with --demo after a killed launcher ends what it left, and has a page with a key of its own', async () => {
  const { demo } = parterre;
  const before = pids();
  await parterre.kill();
  parterre = await startParterre({ dataDir, env: usual(), args: ['--demo'] });
  expect(before.filter((pid) => !isGone(pid))).toEqual([]);
  expect(await booked()).toBe(2);
  // On another port the demo page has another origin, so its key is made anew.
  const keys = { ...demo.keys, publishableTest: expect.stringMatching(/^pk_test_/) };
  expect(parterre.demo).toEqual({ ...demo, keys, url: parterre.url, pid: parterre.pid });
  expect(parterre.demo.keys.publishableTest).not.toBe(demo.keys.publishableTest);
  await expect.poll(() => parterre.output()).toContain('Hold seats A-3 and A-4');
  expect(parterre.output()).not.toContain(demo.rootToken);
});

test('a start names no event of the demo that was deleted', async () => {
  const { url, demo } = parterre;
  const headers = { Authorization: `Bearer ${demo.keys.secretTest}` };
  expect((await fetch(`${url}/v1/events/${demo.eventKey}`, { method: 'DELETE', headers })).status).toBe(200);
  await parterre.stop();
  parterre = await startParterre({ dataDir, env: { ...usual(), PARTERRE_DEMO: 'on' } });
  await expect.poll(() => parterre.output()).toContain('Ctrl-C stops everything');
  expect(parterre.output()).toContain(`  chart ${demo.chartId}, live event ${demo.liveEventKey}\n`);
  expect(parterre.output()).not.toMatch(/demo-night\b(?!-live)|^(curl|HOLD=)/m);
});
