/**
 * compose.yaml, deploy/nats.conf, the Dockerfile and the scripts around them: the same topology as `npm run cluster`,
 * durable, watched, closed, and without root. The scripts run with a docker that only notes its arguments.
 */

import { once as untilFirst } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { findNatsServer } from '../../../scripts/launch/find-nats-server.ts';
import { root } from '../../../scripts/launch/root.ts';
import { runCommand } from '../../../scripts/launch/run-command.ts';
import { clusterCounts } from '../../../scripts/launch/topology.ts';

type Service = {
  image: string;
  user?: string;
  command?: string[];
  environment?: Record<string, string>;
  deploy?: { replicas?: number; resources: { limits: { cpus: string; memory: string } } };
  cap_drop: string[];
  cap_add?: string[];
  security_opt: string[];
  read_only: boolean;
  logging: { options: Record<string, string> };
  ports?: string[];
  healthcheck?: { test: string[] };
  depends_on?: Record<string, { condition: string }>;
  restart: string;
  volumes?: string[];
  secrets?: (string | { source: string; target: string })[];
  networks?: string[];
};

const text = (file: string): string => readFileSync(join(root, file), 'utf8');
const { services, volumes, secrets, networks } = parse(text('compose.yaml'), { merge: true, maxAliasCount: -1 }) as {
  networks: Record<string, { ipam?: { config: { subnet: string }[] } }>;
  services: Record<string, Service>;
  secrets: Record<string, { file: string }>;
  volumes: Record<string, object>;
};
const ours = Object.entries(services).filter(([, { command }]) => command?.[0]?.startsWith('dist/'));
const namesOf = (kind: string): string[] =>
  Object.keys(services).filter((name) => new RegExp(`^${kind}-\\d$`).test(name));

/** They end when their work is done, and start again when it failed. */
const once = ['nats-folders', 'mongo-set'];

/** A copy of deploy/ with secrets, laid out as the containers of NATS see it. */
let folder = '';

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parterre-deploy-'));
  for (const file of ['nats.conf', 'nats-users.conf']) copyFileSync(join(root, 'deploy', file), join(folder, file));
  expect(await makeSecrets()).toBe(true);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function makeSecrets(): Promise<boolean | string> {
  const ran = await runCommand('sh', [join(root, 'deploy', 'make-secrets.sh'), folder], { deadlineMs: 10_000 });
  return ran.ok || ran.why;
}

const secretOf = (name: string): string => readFileSync(join(folder, name), 'utf8');

test('there are as many of each part as the cluster on one machine has', () => {
  const counts = Object.fromEntries(ours.map(([name, { deploy }]) => [name, deploy?.replicas]));
  expect({ ...counts, nats: namesOf('nats').length }).toEqual(clusterCounts);
  expect(namesOf('mongo')).toHaveLength(3);
});

test('every long-running part has a health check, and is started again', () => {
  for (const [name, { healthcheck, restart }] of Object.entries(services)) {
    if (once.includes(name)) {
      expect(restart).toBe('on-failure');
      continue;
    }
    expect({ name, restart, watched: (healthcheck?.test.length ?? 0) > 1 }).toEqual({
      name,
      restart: 'unless-stopped',
      watched: true,
    });
  }
});

test('every part is closed, rotates its log, has an exact version and a limit, and few are root', () => {
  for (const [name, service] of Object.entries(services)) {
    const { image, cap_drop, cap_add = [], security_opt, read_only, logging, deploy, user } = service;
    expect({ name, cap_drop, security_opt, read_only }).toEqual({
      name,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      read_only: true,
    });
    expect(logging.options).toEqual({ 'max-size': '10m', 'max-file': '5' });
    expect(cap_add).toEqual(name === 'nats-folders' ? ['CHOWN', 'DAC_READ_SEARCH'] : []);
    if (image !== 'parterre') expect(image).toMatch(/^[a-z]+:\d+\.\d+\.\d+(-alpine)?(@sha256:[0-9a-f]{64})?$/);
    if (/^(nats|mongo)-\d$/.test(name)) expect(user).toBe(name.startsWith('nats') ? '1000:1000' : 'mongodb');
    if (once.includes(name)) continue;
    expect(deploy?.resources.limits).toMatchObject({
      cpus: expect.any(String),
      memory: expect.stringMatching(/^\dG$/),
    });
  }
  for (const from of text('Dockerfile').match(/^FROM .*/gm)!) expect(from).toMatch(/:\d+\.\d+\.\d+-/);
});

test('the proxy alone has open ports, asks the front doors, and is the one that they believe', () => {
  const open = Object.keys(services).filter((name) => services[name]!.ports);
  expect(open).toEqual(['proxy']);
  const { proxy, frontdoor } = services;
  expect([proxy!.networks, frontdoor!.networks]).toEqual([['edge'], ['default', 'edge']]);
  expect(frontdoor!.environment!.PARTERRE_TRUSTED_PROXIES).toBe(networks.edge!.ipam!.config[0]!.subnet);
  expect(services[proxy!.environment!.FRONT_DOORS!]).toBe(frontdoor);
  expect(frontdoor!.environment).toMatchObject({ PORT: '8080', HEALTH_PORT: '9090', HEALTH_HOST: '0.0.0.0' });
  const file = text('deploy/haproxy.cfg');
  expect(file).toContain(`server-template door 1-8 "$\{FRONT_DOORS}:8080"`);
  expect(file).toContain('default-server check port 9090');
});

test('the health check of a service is a few lines of shell, and tells ready from not ready', async () => {
  let status = 200;
  const server = createServer((_, response) => response.writeHead(status).end('{}')).listen(0, '127.0.0.1');
  await untilFirst(server, 'listening');
  const [, program, ...args] = services.frontdoor!.healthcheck!.test.map((part) => part.replaceAll('$$', '$'));
  expect(program).toBe('bash');
  const ask = async () => {
    const env = { ...process.env, HEALTH_PORT: String((server.address() as AddressInfo).port) };
    return (await runCommand(program!, args, { deadlineMs: 10_000, env })).ok;
  };
  try {
    expect(await ask()).toBe(true);
    status = 503;
    expect(await ask()).toBe(false);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test('every service runs its own program, knows every NATS server, and waits for all of them and the stores', () => {
  const nats = namesOf('nats');
  for (const [name, { command, environment, depends_on }] of ours) {
    expect(command).toEqual([`dist/${name}.js`]);
    expect(environment).toMatchObject({
      NATS_URL: nats.map((server) => `nats://${server}:4222`).join(','),
      JOURNAL_REPLICAS: '3',
    });
    expect(Object.keys(depends_on ?? {})).toEqual([...nats, ...(name === 'catalog' ? ['mongo-set'] : [])]);
    // A set-up that fails once is tried again, and stops nobody.
    if (name === 'catalog') expect(depends_on!['mongo-set']!.condition).toBe('service_started');
  }
  const [, address = ''] = /@([^/]*)\//.exec(secretOf('mongodb-url')) ?? [];
  expect(address.split(',')).toEqual(namesOf('mongo'));
});

test('every service has its own user of NATS, and no secret of another', () => {
  const more: Record<string, string[]> = {
    frontdoor: ['root-token', 'deployment-secret'],
    'inventory-shard': ['deployment-secret'],
    catalog: ['mongodb-url'],
  };
  for (const [name, service] of ours) {
    expect(service.environment).toMatchObject({
      NATS_USER: name,
      NATS_PASSWORD_FILE: `/run/secrets/nats-${name}`,
    });
    expect(service.secrets).toEqual([`nats-${name}`, ...(more[name] ?? [])]);
    expect(text('deploy/nats-users.conf')).toContain(`user: ${name}\n`);
    expect(service.networks?.includes('store') ?? false).toBe(name === 'catalog');
  }
});

test('one command makes every secret, and never a second one in its place', async () => {
  for (const { file } of Object.values(secrets)) expect(existsSync(join(folder, basename(file)))).toBe(true);
  expect(secretOf('root-token').length).toBeGreaterThanOrEqual(32);
  const files = readdirSync(folder).filter((name) => name !== '.made');
  const made = files.filter((name) => !name.endsWith('.conf') && name !== 'mongodb-url');
  expect(new Set(made.map(secretOf)).size).toBe(made.length);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  const before = files.map((name) => [name, secretOf(name)]);
  expect(await makeSecrets()).toBe(true);
  expect(files.map((name) => [name, secretOf(name)])).toEqual(before);
  expect(secretOf('certificate.pem')).toMatch(/BEGIN CERTIFICATE[\s\S]*BEGIN PRIVATE KEY/);
  expect(text('.gitignore')).toContain('deploy/secrets/');
  expect(text('.dockerignore')).toContain('deploy/secrets');
});

test('a new password comes into the files that have it, and a file that somebody has edited stays', async () => {
  rmSync(join(folder, 'nats-catalog'));
  rmSync(join(folder, 'mongo-catalog-password'));
  rmSync(join(folder, 'nats-route'));
  const own = '"nats://route:word@nats-4.example:6222"';
  appendFileSync(join(folder, 'nats-routes.conf'), own);
  const url = 'mongodb://catalog:word@mongo.example/parterre';
  writeFileSync(join(folder, 'mongodb-url'), url);
  expect(await makeSecrets()).toBe(true);
  expect(secretOf('nats-passwords.conf')).toContain(`PARTERRE_NATS_CATALOG: "${secretOf('nats-catalog')}"`);
  expect([secretOf('nats-routes.conf').endsWith(own), secretOf('mongodb-url')]).toEqual([true, url]);
  expect(secretOf('.made/mongodb-url.new')).toContain(secretOf('mongo-catalog-password'));
  for (const name of ['nats-routes.conf', 'mongodb-url']) rmSync(join(folder, name));
  expect(await makeSecrets()).toBe(true);
  expect(secretOf('nats-routes.conf')).toContain(secretOf('nats-route'));
});

/** A docker that notes its arguments, and tells the digest of an image. */
function noteDocker(): { env: NodeJS.ProcessEnv; calls(): string[] } {
  const programs = join(folder, 'programs');
  mkdirSync(programs, { recursive: true });
  const notes = join(folder, 'calls');
  const digest = `sha256:${'a'.repeat(64)}`;
  writeFileSync(
    join(programs, 'docker'),
    `#!/bin/sh\necho "$@" >> ${notes}\ncase "$*" in *inspect*) echo ${digest};; esac\n`,
  );
  chmodSync(join(programs, 'docker'), 0o755);
  return {
    env: { ...process.env, PATH: `${programs}:/usr/bin:/bin` },
    calls: () => readFileSync(notes, 'utf8').trim().split('\n'),
  };
}

test('a script writes the digest of every image, and a second time the same', async () => {
  const copies = ['compose.yaml', 'Dockerfile'].map((name) => {
    copyFileSync(join(root, name), join(folder, name));
    return join(folder, name);
  });
  const { env } = noteDocker();
  for (let time = 0; time < 2; time++) {
    const ran = await runCommand('sh', [join(root, 'deploy/pin-images.sh'), ...copies], { deadlineMs: 20_000, env });
    expect(ran.ok || ran.why).toBe(true);
    const lines = copies.flatMap((file) => readFileSync(file, 'utf8').match(/^(FROM| *image:) .*/gm)!);
    const pinned = lines.filter((line) => !line.endsWith('image: parterre'));
    expect(pinned.length).toBeGreaterThan(6);
    for (const line of pinned) expect(line).toMatch(/:[\d.]+(-[a-z-]+)?@sha256:a{64}( AS build)?$/);
  }
});

test('a script builds the image, looks inside, and says how to sign what it pushed', async () => {
  const { env, calls } = noteDocker();
  const args = [join(root, 'deploy/build-image.sh'), 'registry.example/parterre', '--push'];
  const ran = await runCommand('sh', args, { deadlineMs: 20_000, env });
  expect(ran.ok || ran.why).toBe(true);
  const said = ran.ok ? ran.stdout : '';
  expect(said).toContain(`cosign sign registry.example/parterre@sha256:${'a'.repeat(64)}`);
  expect(calls().join('\n')).toMatch(
    /--load[\s\S]*run --rm --entrypoint sh[\s\S]*vitest[\s\S]*--push --provenance=mode=max --sbom=true/,
  );
});

test('production needs no package of the tests', () => {
  const { packages } = JSON.parse(text('package-lock.json')) as { packages: Record<string, { dev?: boolean }> };
  const shipped = Object.keys(packages).filter((name) => name.startsWith('node_modules/') && !packages[name]!.dev);
  for (const tool of ['vitest', 'typescript', 'esbuild', 'playwright-core', 'testcontainers', 'fast-check', 'yaml']) {
    expect(shipped).not.toContain(`node_modules/${tool}`);
  }
});

test('data that must survive has a volume of its own', () => {
  const stores = [...namesOf('nats'), ...namesOf('mongo')];
  expect(Object.keys(volumes)).toEqual(stores);
  for (const name of stores) expect(services[name]!.volumes!.join()).toContain(`${name}:/data`);
});

test('a NATS server takes its configuration, which syncs before it acknowledges', async () => {
  const found = await findNatsServer({ say: () => {} });
  if (!found.found) throw new Error(found.message);
  const env = { ...process.env, NATS_NAME: 'nats-1' };
  const checked = await runCommand(found.path, ['-c', join(folder, 'nats.conf'), '-t'], {
    deadlineMs: 10_000,
    env,
  });
  expect(checked.ok || checked.why).toBe(true);
  expect(text('deploy/nats.conf')).toMatch(/^ {2}sync_interval: always$/m);
  for (const server of namesOf('nats')) expect(secretOf('nats-routes.conf')).toContain(`@${server}:6222`);
});

test('the image runs as a user that is not root, and is built from the lock file', () => {
  const stages = text('Dockerfile')
    .split(/^FROM /m)
    .slice(1);
  expect(stages).toHaveLength(2);
  expect(stages[0]).toContain('npm ci');
  expect(stages[1]).toMatch(/^USER node$/m);
});
