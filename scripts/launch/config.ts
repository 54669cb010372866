/** Environment → the launcher's settings; the only reader of process.env here. docs/settings.md lists all of them. */

import { isIPv4 } from 'node:net';
import { resolve } from 'node:path';
import { SettingFault, secretOf } from '../../shared/src/runtime/environment.ts';
import { clusterCounts, type Kind, oneOfEach, type Topology } from './topology.ts';

export type Settings = {
  topology: Topology;
  /** The first front door's port; the others follow. 0 picks free ports. */
  port: number;
  /**
   * The first front door's health port; the others follow (port.ts). 0 picks free ports, null prefers the usual ones.
   */
  healthPort: number | null;
  host: string;
  /** Absolute. Its content survives a restart. */
  dataFolder: string;
  rootToken: string | null;
  /** A running NATS; null makes the launcher run one. May carry credentials: never logged. */
  natsUrl: string | null;
  mongodbUrl: string | null;
  /** `always`, or a duration such as `2m`: when NATS writes appends to the disk. */
  natsSync: string;
  budgets: boolean;
  demo: DemoWish;
  /** Visitors of the demo page draw charts and put them on sale, without an account. */
  visitorsDraw: boolean;
  /** Webhooks may go to receivers on this machine, and over plain http. */
  loopbackWebhooks: boolean;
  /** True when the services' logs go to the terminal instead of to files. */
  logToTerminal: boolean;
  searchPath: string | undefined;
  /** Handed on to the services, which read their own settings: partitions, log level, deadlines. */
  environment: NodeJS.ProcessEnv;
};

/** Whether a start makes the demo: always, never, or the first start of a data folder alone. */
export type DemoWish = 'on' | 'off' | 'first-start';

const rootTokenLengthMin = 32;
const instancesMax = 99;

const countVariables: Record<Kind, string> = {
  nats: 'PARTERRE_NATS_SERVERS',
  catalog: 'PARTERRE_CATALOGS',
  'inventory-shard': 'PARTERRE_SHARDS',
  notifier: 'PARTERRE_NOTIFIERS',
  frontdoor: 'PARTERRE_FRONTDOORS',
};

/**
 * A fault of the environment comes back as a sentence for the operator. A cluster has a data folder of its own, because
 * its streams differ from a single server's.
 */
export function readSettings(
  env: NodeJS.ProcessEnv,
  size: 'one-of-each' | 'cluster' = 'one-of-each',
): { settings: Settings } | { problem: string } {
  const counted = size === 'cluster' ? clusterOf(env) : { topology: oneOfEach };
  if ('problem' in counted) return counted;
  const port = portOf(env, 'PORT') ?? 8080;
  const healthPort = portOf(env, 'HEALTH_PORT') ?? (port === 0 ? 0 : null);
  for (const [name, number] of Object.entries({ PORT: port, HEALTH_PORT: healthPort ?? 0 })) {
    if (Number.isInteger(number) && number >= 0 && number <= 65_535) continue;
    return { problem: `${name} is "${env[name]}", and must be a number from 0 to 65535 (0 picks a free port).` };
  }
  const demo = env.PARTERRE_DEMO || 'first-start';
  if (demo !== 'on' && demo !== 'off' && demo !== 'first-start') {
    return { problem: `PARTERRE_DEMO is "${demo}", and must be on, off or first-start.` };
  }
  const secrets = secretsOf(env);
  if ('problem' in secrets) return secrets;
  const { rootToken, natsUrl, mongodbUrl } = secrets;
  if (rootToken !== null && rootToken.length < rootTokenLengthMin) {
    return {
      problem: `PARTERRE_ROOT_TOKEN has ${rootToken.length} characters, and needs ${rootTokenLengthMin} or more.`,
    };
  }
  const host = env.HOST || '127.0.0.1';
  const natsSync = env.PARTERRE_NATS_SYNC || 'always';
  if (!/^(always|\d+(ms|s|m|h))$/.test(natsSync)) {
    return { problem: `PARTERRE_NATS_SYNC is "${natsSync}", and must be "always" or a duration such as 10s or 2m.` };
  }
  const settings = {
    topology: counted.topology,
    port,
    healthPort,
    // This machine only: the printed keys open everything. A container or a LAN sets 0.0.0.0.
    host,
    dataFolder: resolve(env.PARTERRE_DATA || (size === 'cluster' ? '.parterre-cluster' : '.parterre')),
    rootToken,
    natsUrl,
    mongodbUrl,
    natsSync,
    budgets: env.PARTERRE_BUDGETS !== 'off',
    demo: demo as DemoWish,
    visitorsDraw: env.PARTERRE_DEMO_DRAFTS ? env.PARTERRE_DEMO_DRAFTS === 'on' : isOfThisMachine(host),
    loopbackWebhooks: env.PARTERRE_WEBHOOK_LOOPBACK ? env.PARTERRE_WEBHOOK_LOOPBACK === '1' : isOfThisMachine(host),
    logToTerminal: env.PARTERRE_LOG === 'stderr',
    searchPath: env.PATH,
    environment: env,
  };
  return { settings };
}

/** Null when the variable is not set; NaN for no number. */
function portOf(env: NodeJS.ProcessEnv, name: string): number | null {
  return env[name] ? Number(env[name]) : null;
}

/**
 * Whether this machine alone reaches the front door. Only then are the demo's drafts and loopback webhooks open by
 * default: otherwise a stranger would draw charts, or read the metrics of this machine's services through a webhook.
 */
function isOfThisMachine(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
}

type Secrets = Pick<Settings, 'rootToken' | 'natsUrl' | 'mongodbUrl'>;

function secretsOf(env: NodeJS.ProcessEnv): Secrets | { problem: string } {
  try {
    return {
      rootToken: secretOf(env, 'PARTERRE_ROOT_TOKEN'),
      natsUrl: secretOf(env, 'NATS_URL'),
      mongodbUrl: secretOf(env, 'MONGODB_URL'),
    };
  } catch (error) {
    if (error instanceof SettingFault) return { problem: `${error.message}.` };
    throw error;
  }
}

function clusterOf(env: NodeJS.ProcessEnv): { topology: Topology } | { problem: string } {
  const counts = { ...clusterCounts };
  for (const [kind, variable] of Object.entries(countVariables) as [Kind, string][]) {
    const count = Number(env[variable] || counts[kind]);
    if (!Number.isInteger(count) || count < 1 || count > instancesMax) {
      return { problem: `${variable} is "${env[variable]}", and must be a number from 1 to ${instancesMax}.` };
    }
    counts[kind] = count;
  }
  return { topology: { counts, numbered: true } };
}
