import { chmod, mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { readSettings } from '../../../scripts/launch/config.ts';
import { claimDataFolder, leaveDataFolder, writeJson } from '../../../scripts/launch/data-folder.ts';
import { rootTokenOf } from '../../../scripts/launch/demo.ts';
import { findNatsServer } from '../../../scripts/launch/find-nats-server.ts';
import { openLog } from '../../../scripts/launch/logs.ts';
import { pickPorts, settleHealthPorts, settlePorts } from '../../../scripts/launch/port.ts';
import { type ServiceName, withoutOthersSecrets } from '../../../scripts/launch/service-process.ts';
import { type LiveProcess, supervise } from '../../../scripts/launch/supervise.ts';
import { copiesOf, instancesOf, oneOfEach } from '../../../scripts/launch/topology.ts';

let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parterre-launch-'));
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

describe('the log of a service', () => {
  test('that cannot be written drops its lines, says so once, and goes on', async () => {
    const said: string[] = [];
    const path = join(folder, 'shard.log');
    await symlink('/dev/full', path);
    const log = openLog(folder, 'shard', false, (line) => said.push(line));
    for (const line of ['one', 'two', '[1] [ERR] no space left']) log.line(line);
    expect(said).toEqual([
      expect.stringMatching(/^ {2}shard: its log cannot be written, lines are dropped: ENOSPC/),
      '  shard: no space left',
    ]);
  });
});

describe('finding a nats-server', () => {
  async function install(name: string, script: string): Promise<string> {
    const path = join(folder, name, 'nats-server');
    await mkdir(join(folder, name));
    await writeFile(path, `#!/bin/sh\n${script}\n`);
    await chmod(path, 0o755);
    return path;
  }

  test('takes the one in PATH before the cached copy', async () => {
    const path = await install('bin', 'echo "nats-server: v2.14.3"');
    await install('cache', 'echo "nats-server: v2.15.1"');
    const said: string[] = [];
    const options = {
      searchPath: join(folder, 'bin'),
      cache: join(folder, 'cache'),
      say: (line: string) => said.push(line),
    };
    expect(await findNatsServer(options)).toEqual({ found: true, path, version: '2.14.3', source: 'PATH' });
    expect(said).toEqual([`nats-server 2.14.3 of this machine (${path})`]);
  });

  test('skips one in PATH that is too old, and a cached copy of another version', async () => {
    await install('bin', 'echo "nats-server: v2.9.9"');
    await install('cache', 'echo "nats-server: v2.15.0"');
    await onlyTools();
    const options = { searchPath: join(folder, 'bin'), cache: join(folder, 'cache'), say: () => {} };
    const result = await findNatsServer(options);
    expect(result).toMatchObject({ found: false, message: expect.stringContaining('needs 2.9.10 or newer') });
    expect(result).toMatchObject({ message: expect.stringContaining('version 2.15.0 instead of 2.15.1') });
  });

  /** PATH has these programs alone. */
  async function onlyTools(tools: Record<string, string> = {}): Promise<void> {
    await mkdir(join(folder, 'tools'));
    for (const [name, script] of Object.entries(tools)) {
      await writeFile(join(folder, 'tools', name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    }
    vi.stubEnv('PATH', join(folder, 'tools'));
  }

  const wrongModule = JSON.stringify({ Sum: 'h1:wrong=', Dir: '/nowhere' });

  test('refuses a fetched file with a wrong checksum, from every source, and never runs it', async () => {
    const ran = join(folder, 'ran');
    const note = `echo "$@" >> ${ran};`;
    await onlyTools({
      python3: `for last; do :; done; for to; do [ "$before" = -d ] && break; before=$to; done
        case "$*" in *download*) echo wrong > "$to/nats.whl";; *) ${note} esac`,
      'apt-get': 'echo wrong > nats-server.deb',
      'dpkg-deb': note,
      go: `case "$*" in *download*) echo '${wrongModule}';; *) ${note} esac`,
    });
    for (const version of ['2.15.1', '2.9.10']) {
      const cache = join(folder, 'cache');
      const result = await findNatsServer({ searchPath: '', cache, say: () => {}, version });
      expect(result).toMatchObject({
        found: false,
        message: expect.stringContaining('the checksum h1:wrong= instead of h1:'),
      });
      const file = version === '2.15.1' ? 'nats.whl' : 'nats-server.deb';
      expect(result).toMatchObject({
        message: expect.stringMatching(`${file} has the SHA-256 [0-9a-f]{64} instead of [0-9a-f]{64}`),
      });
      await expect(stat(cache)).rejects.toThrow('ENOENT');
    }
    await expect(stat(ran)).rejects.toThrow('ENOENT');
  });

  test('fetches no version whose checksum is not fixed', async () => {
    await onlyTools();
    const result = await findNatsServer({
      searchPath: '',
      cache: join(folder, 'cache'),
      say: () => {},
      version: '2.11.0',
    });
    expect(result).toMatchObject({
      found: false,
      message: expect.stringContaining('no checksum of nats-server 2.11.0'),
    });
  });

  test('skips a program in PATH that does not run here', async () => {
    await install('bin', 'echo "version GLIBC_2.38 not found" >&2; exit 1');
    const path = await install('cache', 'echo "nats-server: v2.15.1"');
    const options = { searchPath: join(folder, 'bin'), cache: join(folder, 'cache'), say: () => {} };
    expect(await findNatsServer(options)).toEqual({ found: true, path, version: '2.15.1', source: 'cached copy' });
  });
});

describe('a supervised process', () => {
  /** A process that is a number, and dies when told to. */
  function fakePart(failingStarts: number[] = []) {
    const lives: { end: (how: string) => void; signals: string[] }[] = [];
    let starts = 0;
    return {
      lives,
      name: 'fake',
      async start(): Promise<LiveProcess> {
        starts += 1;
        if (failingStarts.includes(starts)) throw new Error(`start ${starts} fails`);
        const signals: string[] = [];
        let end: (how: string) => void = () => {};
        const exited = new Promise<string>((resolve) => {
          end = resolve;
        });
        lives.push({ end, signals });
        return {
          pid: starts,
          healthUrl: null,
          exited,
          signal(signal) {
            signals.push(signal);
            if (signal === 'SIGKILL') end(signal);
          },
        };
      },
    };
  }

  function watcher() {
    const said: string[] = [];
    const pids: (number | null)[] = [];
    return {
      said,
      pids,
      say: (line: string) => said.push(line),
      changed: (_: string, live: { pid: number } | null) => pids.push(live?.pid ?? null),
    };
  }

  test('is started again when it dies, also after a failed start, and each restart is logged', async () => {
    const part = fakePart([2]);
    const watching = watcher();
    const supervised = await supervise(part, watching);
    part.lives[0]!.end('SIGKILL');
    await expect.poll(() => watching.pids).toEqual([1, null, 3]);
    expect(watching.said).toEqual([
      'fake ended (SIGKILL); starting it again in 0.1 s',
      'fake did not start: start 2 fails; starting it again in 0.2 s',
    ]);
    const stopped = supervised.stop(10_000);
    part.lives[1]!.end('code 0');
    await stopped;
    expect(part.lives).toHaveLength(2);
  });

  test('starts again at once when it ran for longer than the pause', async () => {
    const part = fakePart();
    const watching = watcher();
    const now = vi.spyOn(performance, 'now').mockReturnValue(0);
    const supervised = await supervise(part, watching);
    now.mockReturnValue(150);
    part.lives[0]!.end('SIGKILL');
    await new Promise(setImmediate);
    now.mockRestore();
    expect(watching.said).toEqual(['fake ended (SIGKILL); starting it again at once']);
    expect(watching.pids).toEqual([1, null, 2]);
    await supervised.stop(1);
  });

  test('that ignores SIGTERM is killed at the deadline', async () => {
    const part = fakePart();
    const supervised = await supervise(part, watcher());
    await supervised.stop(1);
    expect(part.lives[0]!.signals).toEqual(['SIGTERM', 'SIGKILL']);
  });

  test('that is stopped during a restart gets the signal as soon as it runs', async () => {
    const part = fakePart();
    let goOn: () => void = () => {};
    const slow = {
      name: 'slow',
      async start() {
        if (part.lives.length > 0) await new Promise<void>((resolve) => (goOn = resolve));
        return part.start();
      },
    };
    const supervised = await supervise(slow, watcher());
    const firstWait = goOn;
    part.lives[0]!.end('SIGKILL');
    await expect.poll(() => goOn).not.toBe(firstWait);
    const stopped = supervised.stop(10_000);
    goOn();
    await expect.poll(() => part.lives[1]?.signals).toEqual(['SIGTERM']);
    part.lives[1]!.end('SIGTERM');
    await stopped;
  });

  test('that fails its first start rejects to the caller', async () => {
    await expect(supervise(fakePart([1]), watcher())).rejects.toThrow('start 1 fails');
  });
});

describe('the data folder', () => {
  test('is taken from a launcher that is gone, and from no other process of the same number', async () => {
    // The parent process of this test is alive and is no launcher.
    await writeFile(join(folder, 'launch.pid'), String(process.ppid));
    expect(await claimDataFolder(folder)).toEqual({ claimed: true });
    leaveDataFolder(folder);
    expect(await claimDataFolder(folder)).toEqual({ claimed: true });
  });

  test('is closed to other users, with everything in it, whatever it was before', async () => {
    await mkdir(join(folder, 'catalog'));
    await writeFile(join(folder, 'demo.json'), '{}');
    for (const [path, mode] of [
      ['', 0o755],
      ['catalog', 0o755],
      ['demo.json', 0o644],
    ] as const)
      await chmod(join(folder, path), mode);
    expect(await claimDataFolder(folder)).toEqual({ claimed: true });
    const modes = ['', 'catalog', 'demo.json', 'launch.pid'].map(
      async (path) => (await stat(join(folder, path))).mode & 0o777,
    );
    expect(await Promise.all(modes)).toEqual([0o700, 0o700, 0o600, 0o600]);
  });

  test('is never a folder that every user writes to', async () => {
    await chmod(folder, 0o1777);
    expect(await claimDataFolder(folder)).toEqual({ problem: expect.stringContaining('all users of this machine') });
    expect((await stat(folder)).mode & 0o7777).toBe(0o1777);
  });

  test('keeps the root token, unless another is given, and for its owner only', async () => {
    const first = rootTokenOf(folder, null);
    expect(first.length).toBeGreaterThanOrEqual(32);
    expect(rootTokenOf(folder, null)).toBe(first);
    expect(rootTokenOf(folder, 'x'.repeat(32))).toBe('x'.repeat(32));
    expect(rootTokenOf(folder, null)).toBe('x'.repeat(32));
    expect((await stat(join(folder, 'setup.json'))).mode & 0o777).toBe(0o600);
  });

  test('never has demo.json of an earlier start while the next one is on its way', async () => {
    writeJson(join(folder, 'demo.json'), { rootToken: 'y'.repeat(40), keys: {}, pid: 1 });
    expect(rootTokenOf(folder, null)).toBe('y'.repeat(40));
    await expect(stat(join(folder, 'demo.json'))).rejects.toThrow('ENOENT');
  });
});

describe('logs', () => {
  test('show a warning once on the terminal, and keep everything in the file', async () => {
    const said: string[] = [];
    const log = openLog(folder, 'frontdoor', false, (line) => said.push(line));
    const warning = JSON.stringify({ level: 'warn', msg: 'NATS connection lost' });
    for (const line of [JSON.stringify({ level: 'info', msg: 'ready' }), warning, warning]) log.line(line);
    expect(said).toEqual(['  frontdoor: NATS connection lost']);
    expect((await stat(log.path)).size).toBeGreaterThan(2 * warning.length);
  });

  test('have the last words of a dead process', () => {
    const log = openLog(folder, 'catalog', false, () => {});
    for (const line of ['file:///x.js:1', 'Fault: read PORT: it is a whole number', '    at main (x.js:1:1)'])
      log.line(line);
    expect(log.lastWords()).toBe('Fault: read PORT: it is a whole number');
  });
});

describe('settings', () => {
  test.each([
    [{}, true],
    [{ HOST: 'localhost' }, true],
    [{ HOST: '::1' }, true],
    [{ HOST: '127.0.0.2' }, true],
    [{ HOST: '0.0.0.0' }, false],
    [{ HOST: '::' }, false],
    [{ HOST: '127.example' }, false],
    [{ HOST: '192.168.1.4' }, false],
    [{ HOST: '0.0.0.0', PARTERRE_WEBHOOK_LOOPBACK: '1', PARTERRE_DEMO_DRAFTS: 'on' }, true],
    [{ PARTERRE_WEBHOOK_LOOPBACK: '0', PARTERRE_DEMO_DRAFTS: 'off' }, false],
  ])('%o: webhooks to this machine and drawing visitors are allowed: %s', (env, allowed) => {
    const read = readSettings(env);
    if ('problem' in read) throw new Error(read.problem);
    expect(read.settings).toMatchObject({ loopbackWebhooks: allowed, visitorsDraw: allowed });
  });

  test('each service gets its own secrets alone', () => {
    const secrets = {
      PARTERRE_ROOT_TOKEN: 'r',
      PARTERRE_SECRET_FILE: 's',
      PARTERRE_ROOT_TOKEN_PREVIOUS: 'p',
      PARTERRE_SECRET_PREVIOUS_FILE: 'q',
      MONGODB_URL: 'm',
      PARTERRE_DEMO_KEYS_FILE: 'd',
    };
    const given = (service: ServiceName) =>
      Object.keys(withoutOthersSecrets(service, { ...secrets, NATS_URL: 'n', PATH: 'p' })).sort();
    expect(given('frontdoor')).toEqual([
      'NATS_URL',
      'PARTERRE_DEMO_KEYS_FILE',
      'PARTERRE_ROOT_TOKEN',
      'PARTERRE_ROOT_TOKEN_PREVIOUS',
      'PARTERRE_SECRET_FILE',
      'PARTERRE_SECRET_PREVIOUS_FILE',
      'PATH',
    ]);
    expect(given('inventory-shard')).toEqual([
      'NATS_URL',
      'PARTERRE_SECRET_FILE',
      'PARTERRE_SECRET_PREVIOUS_FILE',
      'PATH',
    ]);
    expect(given('catalog')).toEqual(['MONGODB_URL', 'NATS_URL', 'PATH']);
    expect(given('notifier')).toEqual(['NATS_URL', 'PATH']);
  });

  test.each([
    [{ PORT: 'http' }, 'PORT is "http"'],
    [{ PORT: '70000' }, 'from 0 to 65535'],
    [{ HEALTH_PORT: 'x' }, 'HEALTH_PORT is "x"'],
    [{ PARTERRE_DEMO: 'yes' }, 'must be on, off or first-start'],
    [{ PARTERRE_ROOT_TOKEN: 'short' }, 'has 5 characters, and needs 32'],
    [{ PARTERRE_NATS_SYNC: 'often' }, 'must be "always" or a duration'],
  ])('%o is refused in a sentence', (env, words) => {
    const read = readSettings(env);
    expect('problem' in read && read.problem).toContain(words);
  });

  test('a taken port is reported before anything starts', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    expect(await settlePorts(port, 1, '127.0.0.1')).toEqual({
      problem: expect.stringContaining(`Port ${port} on 127.0.0.1 is taken`),
    });
    await new Promise((resolve) => server.close(resolve));
    expect(await settlePorts(port, 1, '127.0.0.1')).toEqual({ ports: [port] });
  });

  test('the health ports are fixed; a taken one is a problem where it was asked for, else a free one takes its place', async () => {
    const [base = 0] = await pickPorts(1);
    const counts = { ...oneOfEach.counts, catalog: 2 };
    const settings = { topology: { counts, numbered: true }, environment: {} };
    const said: string[] = [];
    const settle = (healthPort: number | null) =>
      settleHealthPorts({ ...settings, healthPort }, (line) => said.push(line));
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(base + 12, '127.0.0.1', resolve));
    expect(await settle(base)).toEqual({
      problem: expect.stringContaining(`Port ${base + 12} on 127.0.0.1, for the metrics of catalog-2, is taken`),
    });
    await new Promise((resolve) => server.close(resolve));
    const names = ['frontdoor-1', 'inventory-shard-1', 'catalog-1', 'catalog-2', 'notifier-1'];
    const ports = [0, 1, 2, 12, 3].map((offset) => base + offset);
    expect(await settle(base)).toEqual({ ports: new Map(names.map((name, at) => [name, ports[at]])) });
    expect(await settle(0)).toEqual({ ports: new Map() });
    const usual = createServer();
    // Another program of this machine may have the port already.
    await new Promise<void>((resolve) => usual.once('error', () => resolve()).listen(9091, '127.0.0.1', resolve));
    const settled = await settle(null);
    await new Promise((resolve) => usual.close(resolve));
    expect('ports' in settled && settled.ports.get('inventory-shard-1')).toBeGreaterThanOrEqual(20_000);
    expect(said.join()).toContain('Port 9091 on 127.0.0.1, for the metrics of inventory-shard-1, is taken. Port');
  });

  test('a start asked for free ports has free health ports too', () => {
    const portOf = (env: NodeJS.ProcessEnv) => {
      const read = readSettings(env);
      return 'settings' in read && read.settings.healthPort;
    };
    expect([{}, { PORT: '0' }, { PORT: '0', HEALTH_PORT: '9190' }, { HEALTH_PORT: '0' }].map(portOf)).toEqual([
      null,
      0,
      9190,
      0,
    ]);
  });

  test('the ports of several front doors follow the first, and free ones differ', async () => {
    // The port after a free port may be taken by another program.
    const settled = async () => {
      const [first = 0] = await pickPorts(1);
      const pair = await settlePorts(first, 2, '127.0.0.1');
      return 'ports' in pair && pair.ports.map((port) => port - first);
    };
    await expect.poll(settled).toEqual([0, 1]);
    const picked = await settlePorts(0, 20, '127.0.0.1');
    expect('ports' in picked && new Set(picked.ports).size).toBe(20);
  });

  test('a cluster has the parts of its settings, each under a name with its number', () => {
    const env = { PARTERRE_SHARDS: '1', PARTERRE_NATS_SERVERS: '5' };
    const read = readSettings(env, 'cluster');
    const topology = 'settings' in read ? read.settings.topology : oneOfEach;
    expect(topology.counts).toEqual({ nats: 5, catalog: 2, 'inventory-shard': 1, notifier: 2, frontdoor: 2 });
    expect(instancesOf(topology, 'inventory-shard').map(({ name }) => name)).toEqual(['inventory-shard-1']);
    expect(copiesOf(topology)).toBe(3);
    const refused = readSettings({ PARTERRE_SHARDS: '0' }, 'cluster');
    expect('problem' in refused && refused.problem).toContain('PARTERRE_SHARDS is "0"');
  });

  test('a start with one of each part has names without numbers', () => {
    const read = readSettings({ PARTERRE_SHARDS: '4' });
    const topology = 'settings' in read ? read.settings.topology : null;
    expect(topology).toEqual(oneOfEach);
    expect(instancesOf(oneOfEach, 'inventory-shard').map(({ name }) => name)).toEqual(['inventory-shard']);
  });
});
