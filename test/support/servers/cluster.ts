/**
 * The whole topology as `npm run cluster` runs it, on free ports and a temporary data folder. A test can kill, pause,
 * restart, add and remove its parts, or cut them off from NATS. The supervisor starts dead parts again.
 */
import { EventEmitter, once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSettings } from '../../../scripts/launch/config.ts';
import { leaveDataFolder } from '../../../scripts/launch/data-folder.ts';
import { type Demo, ensureDemo } from '../../../scripts/launch/demo.ts';
import { prepareDeployment } from '../../../scripts/launch/deployment.ts';
import type { Fleet } from '../../../scripts/launch/fleet.ts';
import { Link } from './link.ts';
import { noRightIsMissing } from './server.ts';

export type ClusterOptions = {
  /** As for `npm run cluster`: PARTERRE_SHARDS, PARTERRE_FRONTDOORS, PARTERRE_NATS_SYNC, PARTERRE_BUDGETS … */
  env?: Record<string, string>;
  /** Settings of single processes, by name. */
  envOf?: Record<string, Record<string, string>>;
  /** Names of services that reach NATS through links of their own, one to each server. */
  linked?: string[];
  /** Kept when given. */
  dataDir?: string;
};

const readyMsMax = 60_000;

export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'parterre-test-cluster-')));
  // The tests must not use a NATS_URL or a MONGODB_URL of their caller's environment.
  const own = { NATS_URL: '', MONGODB_URL: '', HOST: '', PORT: '0' };
  const read = readSettings({ ...process.env, ...own, ...options.env, PARTERRE_DATA: dataDir }, 'cluster');
  if ('problem' in read) throw new Error(read.problem);
  const said: string[] = [];
  const changes = new EventEmitter();
  const links = new Map<string, Link[]>();
  const prepared = await prepareDeployment(read.settings, {
    say: (line) => said.push(line),
    changed: (name, pid) => changes.emit(name, pid),
    async environmentOf({ name }, natsUrls) {
      if (!options.linked?.includes(name)) return options.envOf?.[name] ?? {};
      // Called before every start: a restarted service finds its links as they are.
      if (!links.has(name)) links.set(name, await Promise.all(natsUrls.map((url) => Link.to(url))));
      const NATS_URL = links
        .get(name)!
        .map(({ url }) => url)
        .join(',');
      return { ...options.envOf?.[name], NATS_URL };
    },
  });
  if ('problem' in prepared) throw new Error(prepared.problem);
  const { fleet } = prepared;
  const end = async (): Promise<void> => {
    await fleet.stop();
    await Promise.all([...links.values()].flat().map((link) => link.close()));
    leaveDataFolder(dataDir);
    if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true });
  };
  try {
    await fleet.start();
    const { demo } = await ensureDemo(dataDir, fleet.urls());
    return new Cluster({ fleet, demo, dataDir, changes, links, end, output: () => said.join('\n') });
  } catch (error) {
    await end();
    throw new Error(`the cluster did not start\n${said.join('\n')}`, { cause: error });
  }
}

type ClusterParts = {
  fleet: Fleet;
  demo: Demo;
  dataDir: string;
  changes: EventEmitter;
  links: Map<string, Link[]>;
  end(): Promise<void>;
  output(): string;
};

export class Cluster {
  /** The front doors' addresses. */
  readonly urls: string[];
  readonly natsUrls: string[];
  readonly demo: Demo;
  readonly rootToken: string;
  readonly dataDir: string;
  /** All output of the launcher so far. */
  readonly output: () => string;
  private readonly asleep = new Map<string, number>();
  /** The pid of each process that was ended, by name: its successor has another pid. */
  private readonly ended = new Map<string, number>();

  constructor(private readonly parts: ClusterParts) {
    const { fleet, demo, dataDir, output } = parts;
    this.urls = fleet.urls();
    this.natsUrls = fleet.addresses();
    this.demo = demo;
    this.rootToken = demo.rootToken;
    this.dataDir = dataDir;
    this.output = output;
  }

  /** The pid of a process as it runs now, another one after a restart. Throws while there is none. */
  pidOf(name: string): number {
    const pid = this.parts.fleet.pidOf(name);
    if (pid === null) throw new Error(`${name} is not running just now`);
    return pid;
  }

  /** Sends the signal. The supervisor starts a process that dies of it again: see `untilReady`. */
  kill(name: string, signal: NodeJS.Signals = 'SIGKILL'): void {
    const pid = this.pidOf(name);
    this.ended.set(name, pid);
    process.kill(pid, signal);
  }

  pause(name: string): void {
    const pid = this.pidOf(name);
    this.asleep.set(name, pid);
    process.kill(pid, 'SIGSTOP');
  }

  resume(name: string): void {
    const pid = this.asleep.get(name);
    this.asleep.delete(name);
    if (pid !== undefined && pid === this.parts.fleet.pidOf(name)) process.kill(pid, 'SIGCONT');
  }

  /** Resolves with the process's pid when it is ready for work; after a kill, with its successor's. */
  async untilReady(name: string): Promise<number> {
    const signal = AbortSignal.timeout(readyMsMax);
    for (;;) {
      const pid = this.parts.fleet.pidOf(name);
      if (pid !== null && pid !== this.ended.get(name)) return pid;
      await once(this.parts.changes, name, { signal });
    }
  }

  /** Ends the process in good order, and resolves when its successor is ready. */
  async restart(name: string): Promise<void> {
    this.kill(name, 'SIGTERM');
    await this.untilReady(name);
  }

  /** Adds a part, such as `inventory-shard-4`, or starts a removed part again. Resolves when it is ready. */
  add(name: string): Promise<void> {
    return this.parts.fleet.add(name);
  }

  /** Ends a part in good order and for good. Resolves when it is gone. */
  remove(name: string): Promise<void> {
    return this.parts.fleet.remove(name);
  }

  /** The links of a `linked` service, one to each NATS server. */
  linksOf(name: string): Link[] {
    const links = this.parts.links.get(name);
    if (!links) throw new Error(`${name} has no links`);
    return links;
  }

  async stop(): Promise<void> {
    for (const name of [...this.asleep.keys()]) this.resume(name);
    for (const link of [...this.parts.links.values()].flat()) link.restore();
    await this.parts.end();
    noRightIsMissing(this.output());
  }
}
