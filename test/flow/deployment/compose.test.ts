/**
 * compose.yaml, deploy/nats.conf and the Dockerfile: the same topology as `npm run cluster`, durable, watched and
 * without root.
 */
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { findNatsServer } from '../../../scripts/launch/find-nats-server.ts';
import { root } from '../../../scripts/launch/root.ts';
import { runCommand } from '../../../scripts/launch/run-command.ts';
import { clusterCounts } from '../../../scripts/launch/topology.ts';

type Service = {
  command: string[];
  environment?: Record<string, string>;
  deploy?: { replicas: number };
  healthcheck?: { test: string[] };
  depends_on?: Record<string, { condition: string }>;
  restart: string;
  volumes?: string[];
  secrets?: (string | { source: string; target: string })[];
  networks?: string[];
};

const text = (file: string): string => readFileSync(join(root, file), 'utf8');
const { services, volumes, secrets } = parse(text('compose.yaml'), { merge: true }) as {
  services: Record<string, Service>;
  secrets: Record<string, { file: string }>;
  volumes: Record<string, object>;
};
const ours = Object.entries(services).filter(([, { command }]) => command[0]?.startsWith('dist/'));
const namesOf = (kind: string): string[] =>
  Object.keys(services).filter((name) => new RegExp(`^${kind}-\\d$`).test(name));

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
    if (name === 'mongo-set') continue;
    expect({ name, restart, watched: (healthcheck?.test.length ?? 0) > 1 }).toEqual({
      name,
      restart: 'unless-stopped',
      watched: true,
    });
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
    expect(Object.keys(depends_on ?? {})).toEqual([...nats, 'mongo-set']);
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
  const made = readdirSync(folder).filter((name) => !name.endsWith('.conf') && name !== 'mongodb-url');
  expect(new Set(made.map(secretOf)).size).toBe(made.length);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  const before = readdirSync(folder).map((name) => [name, secretOf(name)]);
  expect(await makeSecrets()).toBe(true);
  expect(readdirSync(folder).map((name) => [name, secretOf(name)])).toEqual(before);
  expect(text('.gitignore')).toContain('deploy/secrets/');
  expect(text('.dockerignore')).toContain('deploy/secrets');
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
