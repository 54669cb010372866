/**
 * The whole of Parterre as `npm start` runs it, on a free port and a temporary data folder: `startParterre` for a test
 * that needs a product of its own, `sharedParterre` for all others.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type RunFile, readJson } from '../../../scripts/launch/data-folder.ts';
import type { Demo } from '../../../scripts/launch/demo.ts';
import { root } from '../../../scripts/launch/root.ts';
import { runs, sharedServerFolder } from './worker-servers.ts';

export type ServiceName = 'catalog' | 'notifier' | 'inventory-shard' | 'frontdoor' | 'nats';

export type Parterre = {
  url: string;
  natsUrl: string;
  demo: Demo;
  rootToken: string;
  dataDir: string;
  /** The launcher's. */
  pid: number;
  /** The pid of a child as it runs now, another one after a restart. Throws while there is none. */
  pidOf(service: ServiceName): number;
  /** Everything the launcher printed so far. */
  output(): string;
  /** Ctrl-C, and waits until the launcher is gone. Deletes a temporary data folder. Returns its exit code. */
  stop(): Promise<number | null>;
  /** SIGKILL for the launcher alone; its children notice. The data folder stays. */
  kill(): Promise<void>;
};

/**
 * `checkout` is another built checkout, whose services run instead of this one's. `node` is another Node that runs the
 * launcher. `prepares`: the launcher first sets up what is missing, as `npm start` does, and may run the services with
 * a Node that it finds itself.
 */
export type StartOptions = {
  env?: Record<string, string>;
  dataDir?: string;
  checkout?: string;
  node?: string;
  prepares?: boolean;
  args?: string[];
};

/**
 * Streams cost time at each of the many starts. A test of a usual start names no number: `JOURNAL_PARTITIONS_AT_FIRST:
 * ''`.
 */
export const partitionsOfTests = 2;
const fewPartitions = { JOURNAL_PARTITIONS_AT_FIRST: String(partitionsOfTests) };

const startMsMax = 60_000;
/** With downloads. */
const preparationMsMax = 240_000;

/** Starts from dist/, which `npm test` has built. */
export async function startParterre(options: StartOptions = {}): Promise<Parterre> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'parterre-test-')));
  const { prepares = false } = options;
  const script = prepares ? 'scripts/start.mjs' : 'dist/launch.js';
  const { child, output, exited } = launch(
    dataDir,
    options.env ?? {},
    options.args ?? [],
    options.checkout,
    options.node,
    script,
  );
  // The welcome comes after demo.json is written.
  const ready = once(output.lines, 'ready', { signal: AbortSignal.timeout(prepares ? preparationMsMax : startMsMax) });
  const outcome = await Promise.race([
    ready.then(() => 'ready', String),
    exited.then((code) => `it left with ${code}`),
  ]);
  if (outcome !== 'ready') {
    child.kill('SIGKILL');
    throw new Error(`Parterre did not start: ${outcome}\n${output.text()}`);
  }
  const demo = readJson<Demo>(join(dataDir, 'demo.json'))!;
  const run = (): RunFile | null => readJson<RunFile>(join(dataDir, 'run.json'));
  return {
    url: demo.url,
    natsUrl: run()!.natsUrl,
    demo,
    rootToken: demo.rootToken,
    dataDir,
    pid: child.pid!,
    pidOf(service) {
      const pid = run()?.processes[service];
      if (pid === undefined) throw new Error(`${service} is not running just now`);
      return pid;
    },
    output: output.text,
    async stop() {
      // A launcher that runs the services with another Node leaves Ctrl-C to the terminal.
      child.kill(prepares ? 'SIGTERM' : 'SIGINT');
      const code = await exited;
      if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true });
      noRightIsMissing(output.text());
      return code;
    },
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

const sharedFolderName = 'shared-product';

/**
 * The request budgets that count by the caller's address, lifted: all files of a worker call from one address.
 * `chart-imports` goes too. Ten imports an hour are too few for tests of imports. `large-bodies` goes too, since tests
 * of every route send too much.
 */
const liftedBudgets = [
  'buyer-holds',
  'buyer-reads',
  'buyer-calls',
  'season-renewals',
  'logins',
  'demo-drafts',
  'demo-sales',
  'public-files',
  'failed-credentials',
  'unknown-credentials',
  'chart-imports',
  'large-bodies',
  'large-bodies-of-session',
];

/** A sync of the disk before each answer proves nothing here: no test cuts the power. */
const sharedEnv = { PARTERRE_NATS_SYNC: '2m' };

const usualEnv = {
  PARTERRE_BUDGETS: liftedBudgets.map((name) => `${name}=off`).join(','),
  // Tests send addresses of buyers, as a proxy does.
  PARTERRE_TRUSTED_PROXIES: '127.0.0.0/8',
  // A busy machine is late with its pings.
  PARTERRE_VIEWER_IDLE_SECONDS: '240',
};

/**
 * The other environments. Each one costs a start of the product, so files whose settings do not meet share one.
 */
export const environments = {
  /** No budget, and silent viewers leave soon. */
  unbounded: { PARTERRE_BUDGETS: 'off', PARTERRE_TRUSTED_PROXIES: '127.0.0.0/8', PARTERRE_VIEWER_IDLE_SECONDS: '8' },
  /** Few calls a minute, and no drawings of the demo's visitors. */
  scarce: {
    PARTERRE_BUDGETS:
      'buyer-holds=3,buyer-reads=5,server-holds=4,manage-sessions=2,buyer-calls=4,server-calls=90,logins=6,' +
      'public-files=2,failed-credentials=6,unknown-credentials=4,labels=250,report-files=2',
    PARTERRE_TRUSTED_PROXIES: '127.0.0.0/8',
    PARTERRE_DEMO_DRAFTS: 'off',
  },
  /** Few events in view, and an address that other machines reach. */
  crowded: { PARTERRE_WATCHED_EVENTS: '12', HOST: '0.0.0.0' },
};

type SharedProduct = { key: string; parterre: Parterre };

/** The shared products of this worker: the usual one, and the latest one with another environment. */
let usual: SharedProduct | null = null;
let special: SharedProduct | null = null;

/**
 * The product with this environment that the files of this worker share. It starts when no earlier file started it.
 * `stop` ends no process: it checks that no service lacked a right in NATS since this call. A program without vitest
 * gets a product of its own.
 */
export async function sharedParterre(env?: Record<string, string>): Promise<Parterre> {
  let parterre: Parterre;
  if (env === undefined) {
    usual = await sharedProduct(usual, usualEnv);
    parterre = usual.parterre;
  } else {
    special = await sharedProduct(special, env);
    parterre = special.parterre;
  }
  if (!parterre.dataDir.includes(sharedFolderName)) return parterre;
  const printedBefore = parterre.output().length;
  return {
    ...parterre,
    async stop() {
      noRightIsMissing(parterre.output().slice(printedBefore));
      return null;
    },
  };
}

/** The running product with this environment, or a new one in its place. */
async function sharedProduct(before: SharedProduct | null, env: Record<string, string>): Promise<SharedProduct> {
  const key = JSON.stringify(env);
  const isAlive = before !== null && runs(before.parterre.pid);
  if (isAlive && before.key === key) return before;
  if (isAlive) await before.parterre.stop();
  const dataDir = sharedServerFolder(sharedFolderName);
  return { key, parterre: await startParterre({ env: { ...sharedEnv, ...env }, ...(dataDir && { dataDir }) }) };
}

/**
 * A service that lacks a right in NATS goes on, and one of its answers never comes. So each test of all looks for it.
 */
export function noRightIsMissing(output: string): void {
  const [line] = output.match(/.*NATS denies.*/) ?? [];
  if (line) throw new Error(`deploy/nats-users.conf lacks a right: ${line}`);
}

/** Runs the launcher without waiting, for tests of refused starts and of the printed text. */
export function launch(
  dataDir: string,
  env: Record<string, string>,
  args: string[] = [],
  checkout = root,
  node = process.execPath,
  script = 'dist/launch.js',
) {
  const file = join(checkout, script);
  if (!existsSync(file)) throw new Error(`${file} is not built: npm run build`);
  const child = spawn(node, [file, ...args], {
    env: { ...process.env, PORT: '0', ...fewPartitions, PARTERRE_DEMO: 'on', ...env, PARTERRE_DATA: dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said: string[] = [];
  const lines = createInterface({ input: child.stdout });
  const hear = (line: string): void => {
    said.push(line);
    if (line.startsWith('Parterre is ready')) lines.emit('ready');
  };
  lines.on('line', hear);
  createInterface({ input: child.stderr }).on('line', hear);
  const exited = once(child, 'close').then(([code]) => code as number | null);
  return { child, exited, output: { lines, text: () => said.join('\n') } };
}
