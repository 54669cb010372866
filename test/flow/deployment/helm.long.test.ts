/**
 * The chart in deploy/helm, by the real helm: linted and rendered with several values, then validated against the
 * schemas of Kubernetes and of the Prometheus Operator, and compose.yaml against the schema of Compose. helm and the
 * schemas are fetched once from their package registries, at fixed versions, into .cache/. The test needs go and
 * python3.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { cacheFolder, root } from '../../../scripts/launch/root.ts';
import { runCommand } from '../../../scripts/launch/run-command.ts';
import type { Json } from '../../end-to-end/shop.ts';

const versions = {
  helm: 'v3.22.0',
  'kubernetes-validate': '1.37.0',
  'github.com/compose-spec/compose-go/v2': 'v2.16.2',
  'github.com/prometheus-operator/prometheus-operator': 'v0.85.0',
};
const MINUTES = 60_000;
/** The oldest that the chart allows, and a new one. */
const kubernetes = ['1.27', '1.33'];
const folder = join(cacheFolder, 'helm');
const chart = join(root, 'deploy', 'helm', 'parterre');

async function run(command: string, args: string[]): Promise<string> {
  const env = { ...process.env, GOBIN: folder };
  const ran = await runCommand(command, args, { deadlineMs: 12 * MINUTES, cwd: folder, env });
  if (!ran.ok) throw new Error(`${command} ${args.join(' ')}: ${ran.why}`);
  return ran.stdout;
}

const helm = (...args: string[]) => run(join(folder, 'helm'), args);

/** The folder of a Go module. */
async function moduleFolder(name: keyof typeof versions): Promise<string> {
  return JSON.parse(await run('go', ['mod', 'download', '-json', `${name}@${versions[name]}`])).Dir;
}

beforeAll(async () => {
  mkdirSync(folder, { recursive: true });
  const has = await runCommand(join(folder, 'helm'), ['version', '--short'], { deadlineMs: 10_000 });
  if (!has.ok || !has.stdout.includes(versions.helm)) {
    await run('go', ['install', `helm.sh/helm/v3/cmd/helm@${versions.helm}`]);
  }
  await run('python3', ['-m', 'venv', 'venv']);
  const validator = `kubernetes-validate==${versions['kubernetes-validate']}`;
  await run(join(folder, 'venv', 'bin', 'python'), ['-m', 'pip', 'install', '--quiet', validator]);
}, 15 * MINUTES);

const keys = ['root-token', 'deployment-secret', 'nats-frontdoor', 'nats-inventory-shard', 'nats-catalog'];
const plain = Object.fromEntries([...keys, 'nats-notifier', 'mongodb-url'].map((key) => [key, 'x'.repeat(32)]));
const peers = [{ namespaceSelector: { matchLabels: { team: 'a' } } }];

const variants: Record<string, Json> = {
  'plain secrets': { secrets: { values: plain } },
  'a secret that stands': { secrets: { existing: 'mine' }, podDisruptionBudget: { enabled: false } },
  'everything on': {
    image: { digest: `sha256:${'a'.repeat(64)}` },
    imagePullSecrets: [{ name: 'pull' }],
    nats: { url: 'tls://nats-1:4222,tls://nats-2:4222', tlsSecret: 'nats-tls' },
    regions: 'western-europe=0-15,africa=16-23',
    placementTags: 'western-europe=eu,default=eu',
    secrets: { external: { enabled: true, store: { name: 'vault' } } },
    frontdoor: {
      trustedProxies: '10.0.0.0/8',
      autoscaling: { enabled: true },
      env: { PARTERRE_VIEWER_IDLE_SECONDS: '40' },
      tolerations: [{ key: 'sale', operator: 'Exists' }],
    },
    notifier: { autoscaling: { enabled: true } },
    inventoryShard: {
      pools: [
        { name: 'eu', replicas: 3, regions: 'western-europe', nodeSelector: { 'topology.kubernetes.io/region': 'eu' } },
        { name: 'africa', replicas: 2, regions: 'africa' },
      ],
    },
    ingress: { enabled: true },
    serviceMonitor: { enabled: true, labels: { release: 'prometheus' } },
    networkPolicy: { enabled: true, ingressFrom: peers, monitoringFrom: peers, natsTo: peers, mongodbTo: peers },
    podAnnotations: { 'example.com/a': 'b' },
  },
  'IPv6, HAProxy, and a hard spread': {
    secrets: { existing: 'mine' },
    inventoryShard: { links: { enabled: true, port: 4700, ipv6: true } },
    ingress: { enabled: true, controller: 'haproxy', className: 'haproxy', tlsSecret: '' },
    topologySpread: { zones: 'DoNotSchedule', nodes: 'DoNotSchedule' },
    networkPolicy: { enabled: true },
  },
  'no links': {
    secrets: { existing: 'mine' },
    inventoryShard: { links: { enabled: false } },
    networkPolicy: { enabled: true },
  },
};

const environmentOf = (deployment: Json): Record<string, Json> =>
  Object.fromEntries(
    deployment.spec.template.spec.containers[0].env.map(({ name, value, valueFrom }: Json) => [
      name,
      value ?? valueFrom,
    ]),
  );

describe.each(Object.entries(variants))('with %s', (name, values) => {
  const file = join(folder, `${name.replace(/\W+/g, '-')}.yaml`);
  const rendered = `${file}.out.yaml`;
  let objects: Json[] = [];
  const named = (kind: string, ending: string) =>
    objects.find((object) => object.kind === kind && object.metadata.name.endsWith(ending));

  beforeAll(async () => {
    writeFileSync(file, JSON.stringify(values));
    const text = await helm('template', 'sale', chart, '--kube-version', `${kubernetes[1]}.0`, '--values', file);
    writeFileSync(rendered, text);
    objects = parseAllDocuments(text)
      .map((document) => document.toJS())
      .filter(Boolean);
  });

  it('the chart has no lint, and fits the schemas of Kubernetes', async () => {
    await helm('lint', chart, '--strict', '--kube-version', `${kubernetes[1]}.0`, '--values', file);
    for (const version of kubernetes) {
      await run(join(folder, 'venv', 'bin', 'kubernetes-validate'), ['-k', version, '--strict', rendered]);
    }
  });

  it('every pod is closed, probed, bounded, and sees its own secrets alone', () => {
    const deployments = objects.filter(({ kind }) => kind === 'Deployment');
    expect(deployments.length).toBeGreaterThanOrEqual(4);
    for (const { spec, metadata } of deployments) {
      const pod = spec.template.spec;
      const [container] = pod.containers;
      const service = metadata.labels['app.kubernetes.io/component'];
      expect(pod).toMatchObject({ automountServiceAccountToken: false, securityContext: { runAsNonRoot: true } });
      expect(container).toMatchObject({
        args: [`dist/${service}.js`],
        securityContext: {
          readOnlyRootFilesystem: true,
          allowPrivilegeEscalation: false,
          capabilities: { drop: ['ALL'] },
        },
        livenessProbe: { httpGet: { path: '/healthz' } },
        readinessProbe: { httpGet: { path: '/readyz' } },
        resources: { limits: { memory: expect.any(String) }, requests: { cpu: expect.any(String) } },
      });
      const { items } = pod.volumes.find((volume: Json) => volume.name === 'secrets').secret;
      const passwords = items.map(({ key }: Json) => key).filter((key: string) => key.startsWith('nats-'));
      expect(passwords).toEqual([`nats-${service}`]);
      const { HEALTH_PORT, NATS_USER } = environmentOf({ spec });
      expect([NATS_USER, Number(HEALTH_PORT)]).toEqual([service, container.ports[0].containerPort]);
      expect(pod.topologySpreadConstraints).toHaveLength(2);
      const grace = Number(environmentOf({ spec }).PARTERRE_DRAIN_GRACE_SECONDS ?? 0);
      expect(pod.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(grace + 15);
    }
  });

  it('front doors are told the address of a shard that they reach, or none', () => {
    for (const shard of objects.filter(
      ({ kind, metadata }) => kind === 'Deployment' && /inventory-shard/.test(metadata.name),
    )) {
      const { LINK_LISTEN, LINK_ADDRESS, POD_IP } = environmentOf(shard);
      if (name === 'no links') expect([LINK_LISTEN, LINK_ADDRESS]).toEqual(['off', undefined]);
      else {
        const ipv6 = name.startsWith('IPv6');
        expect(POD_IP).toEqual({ fieldRef: { fieldPath: 'status.podIP' } });
        expect([LINK_LISTEN, LINK_ADDRESS]).toEqual(
          ipv6 ? ['[::]:4700', '[$(POD_IP)]:4700'] : ['0.0.0.0:4700', '$(POD_IP):4700'],
        );
      }
    }
  });

  it('the parts that are asked for are there', () => {
    const isAll = name === 'everything on';
    expect(objects.filter(({ kind }) => kind === 'HorizontalPodAutoscaler')).toHaveLength(isAll ? 2 : 0);
    expect(objects.filter(({ kind }) => kind === 'ServiceMonitor')).toHaveLength(isAll ? 1 : 0);
    expect(objects.filter(({ kind }) => kind === 'ExternalSecret')).toHaveLength(isAll ? 1 : 0);
    expect(objects.filter(({ kind }) => kind === 'Secret')).toHaveLength(name === 'plain secrets' ? 1 : 0);
    expect(objects.filter(({ kind }) => kind === 'NetworkPolicy')).toHaveLength(values.networkPolicy ? 4 : 0);
    expect(objects.filter(({ kind }) => kind === 'PodDisruptionBudget')).toHaveLength(
      values.podDisruptionBudget ? 0 : 4,
    );
    expect(Boolean(named('Ingress', ''))).toBe(Boolean(values.ingress));
    if (!isAll) return;
    expect(environmentOf(named('Deployment', 'inventory-shard-eu'))).toMatchObject({
      PARTERRE_REGION: 'western-europe',
      JOURNAL_PLACEMENT_TAGS: 'western-europe=eu,default=eu',
    });
    expect(named('Deployment', 'frontdoor').spec.replicas).toBeUndefined();
    expect(environmentOf(named('Deployment', 'frontdoor'))).toMatchObject({
      PARTERRE_VIEWER_IDLE_SECONDS: '40',
      NATS_TLS_CA_FILE: '/run/secrets/nats-tls/ca.crt',
    });
    expect(named('Ingress', '').metadata.annotations).toMatchObject({
      'nginx.ingress.kubernetes.io/proxy-read-timeout': '75',
      'nginx.ingress.kubernetes.io/proxy-next-upstream': 'error timeout',
    });
  });

  if (!values.serviceMonitor) return;
  it(
    'a ServiceMonitor fits the schema of its operator',
    async () => {
      const operator = await moduleFolder('github.com/prometheus-operator/prometheus-operator');
      const file = join(operator, 'example/prometheus-operator-crd/monitoring.coreos.com_servicemonitors.yaml');
      const { openAPIV3Schema } = parse(readFileSync(file, 'utf8')).spec.versions[0].schema;
      const fits = new Ajv({ strict: false, validateFormats: false }).compile(closed(openAPIV3Schema));
      for (const monitor of objects.filter(({ kind }) => kind === 'ServiceMonitor')) {
        expect(fits({ ...monitor, metadata: {} }) || fits.errors).toBe(true);
      }
    },
    MINUTES,
  );
});

/** The same schema, which refuses unknown fields. */
function closed(schema: Json): Json {
  if (schema === null || typeof schema !== 'object') return schema;
  if (schema.properties) schema.additionalProperties ??= false;
  for (const part of Object.values(schema)) closed(part);
  return schema;
}

it('values without secrets are refused, with the remedy', async () => {
  const template = `${join(folder, 'helm')} template sale ${chart} --kube-version ${kubernetes[1]}.0 2>&1 | head -n 1`;
  expect(await run('sh', ['-c', template])).toContain('secrets.values has no root-token. Set secrets.existing');
});

it(
  'compose.yaml fits the schema of Compose',
  async () => {
    const file = join(await moduleFolder('github.com/compose-spec/compose-go/v2'), 'schema', 'compose-spec.json');
    const fits = new Ajv2020({ strict: false, validateFormats: false }).compile(JSON.parse(readFileSync(file, 'utf8')));
    const composed = parse(readFileSync(join(root, 'compose.yaml'), 'utf8'), { merge: true, maxAliasCount: -1 });
    expect(fits(composed) || fits.errors).toBe(true);
  },
  MINUTES,
);
