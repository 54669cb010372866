/** compose.yaml, deploy/nats.conf and the Dockerfile: the same topology as `npm run cluster`, durable, watched and without root. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
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
};

const text = (file: string): string => readFileSync(join(root, file), 'utf8');
const { services, volumes } = parse(text('compose.yaml'), { merge: true }) as {
  services: Record<string, Service>;
  volumes: Record<string, object>;
};
const ours = Object.entries(services).filter(([, { command }]) => command[0]?.startsWith('dist/'));
const namesOf = (kind: string): string[] =>
  Object.keys(services).filter((name) => new RegExp(`^${kind}-\\d$`).test(name));

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
  const [address = ''] = services.catalog!.environment!.MONGODB_URL!.match(/mongo-[^/]*/) ?? [];
  expect(address.split(',')).toEqual(namesOf('mongo'));
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
  const checked = await runCommand(found.path, ['-c', join(root, 'deploy', 'nats.conf'), '-t'], {
    deadlineMs: 10_000,
    env,
  });
  expect(checked.ok || checked.why).toBe(true);
  expect(text('deploy/nats.conf')).toMatch(/^ {2}sync_interval: always$/m);
  for (const server of namesOf('nats')) expect(text('deploy/nats.conf')).toContain(`nats://${server}:6222`);
});

test('the image runs as a user that is not root, and is built from the lock file', () => {
  const stages = text('Dockerfile')
    .split(/^FROM /m)
    .slice(1);
  expect(stages).toHaveLength(2);
  expect(stages[0]).toContain('npm ci');
  expect(stages[1]).toMatch(/^USER node$/m);
});
