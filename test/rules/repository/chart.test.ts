/** The chart in deploy/helm and the values beside it, without helm: names that other parts of the repository have. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { root } from '../../../scripts/launch/root.ts';

const folder = 'deploy/helm';
const text = (file: string): string => readFileSync(join(root, file), 'utf8');
const templates = readdirSync(join(root, folder, 'parterre/templates'))
  .map((name) => text(`${folder}/parterre/templates/${name}`))
  .join('\n');
const values = parse(text(`${folder}/parterre/values.yaml`));

test('every environment variable of the chart stands in docs/settings.md', () => {
  const settings = text('docs/settings.md');
  const named = [...templates.matchAll(/- \{ name: ([A-Z][A-Z_]+),/g)].map(([, name]) => name!);
  expect(named.length).toBeGreaterThan(15);
  // The chart itself reads the address of the pod, for LINK_ADDRESS.
  for (const name of named.filter((other) => other !== 'POD_IP')) expect(settings).toContain(`\`${name}\``);
});

test('every metric of an autoscaler is one of a service, or is made of one by the adapter', () => {
  const sources = execFileSync('git', ['grep', '-hoE', "'(frontdoor|notifier)_[a-z_]+'", '--', 'services'], {
    cwd: root,
    encoding: 'utf8',
  });
  const { custom, external } = parse(text(`${folder}/prometheus-adapter.yaml`)).rules;
  const made = [...custom, ...external].map(({ name, seriesQuery }) => {
    expect(seriesQuery).toContain(`${name.matches}{`);
    expect(sources).toContain(`'${name.matches}'`);
    return name.as ?? name.matches;
  });
  const asked = [...templates.matchAll(/metric: \{ name: (\w+) \}/g)].map(([, name]) => name);
  expect(asked).toEqual(made);
});

test('the values name every secret once, and the health ports of the documents', () => {
  const [, keys = ''] = /\$keys := list (.*) \}\}/.exec(templates) ?? [];
  for (const key of keys.match(/[a-z-]{5,}/g)!) {
    expect(text(`${folder}/parterre/values.yaml`)).toContain(key);
  }
  const ports = parse(/define "parterre\.components" -\}\}\n([\s\S]*?)\{\{-/.exec(templates)![1]!);
  expect(ports).toEqual({ frontdoor: 9090, 'inventory-shard': 9091, catalog: 9092, notifier: 9093 });
  for (const [name, port] of Object.entries(ports)) expect(templates).toContain(`"${name}" "port" ${port}`);
  expect(values.frontdoor.replicas).toBeGreaterThan(1);
});

test("the values of NATS's chart have the needs of deploy/nats.conf, and MongoDB has three members", () => {
  const nats = parse(text(`${folder}/nats.yaml`));
  const file = text('deploy/nats.conf');
  expect(nats.config.jetstream.merge).toEqual({ sync_interval: 'always' });
  expect(nats.config.merge).toMatchObject({ max_payload: '<< 17MB >>', ping_interval: '2s', ping_max: 2 });
  for (const line of ['sync_interval: always', 'max_payload: 17MB', 'ping_interval: "2s"', 'ping_max: 2']) {
    expect(file).toContain(line);
  }
  expect(nats.container.image.tag).toBe(/image: nats:(\S+)/.exec(text('compose.yaml'))![1]);
  expect(parse(text(`${folder}/mongodb.yaml`)).spec).toMatchObject({
    members: 3,
    version: /image: mongo:([\d.]+)/.exec(text('compose.yaml'))![1],
  });
});
