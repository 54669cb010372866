/**
 * Deployments whose NATS storage can be struck: one server as `npm start` runs it, or three. Both name their processes
 * in run.json, and both start a killed process again.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { names } from '@parterre/shared/protocol/subjects';
import { type RunFile, readJson } from '../../../scripts/launch/data-folder.ts';
import type { Demo } from '../../../scripts/launch/demo.ts';
import { pickPorts } from '../../../scripts/launch/port.ts';
import { startCluster } from '../../support/servers/cluster.ts';
import { connectTo } from '../../support/servers/nats.ts';
import { startParterre } from '../../support/servers/server.ts';
import { mountDisk, type Store } from './faults.ts';

export const partitions = 2;

/** The servers whose storage is struck. `withServices`: the disk has the catalog too, and all processes are killed. */
export type StruckServers = { name: string; servers: string[]; of: number; withServices?: boolean };

export const oneServer: StruckServers = { name: 'one server', servers: ['nats'], of: 1 };
export const oneOfThree: StruckServers = { name: 'one of three', servers: ['nats-1'], of: 3 };
export const oneMachine: StruckServers = { ...oneServer, name: 'one machine with all services', withServices: true };
export const twoOfThree: StruckServers = { name: 'two of three', servers: ['nats-1', 'nats-2'], of: 3 };

export type Struck = Awaited<ReturnType<typeof openStruck>>;

/** `sync` is that of NATS. `onDisks`: each struck server has a file system of its own. */
export async function openStruck({ servers, of, withServices = false }: StruckServers, sync: string, onDisks: boolean) {
  const dataDir = await mkdtemp(join(tmpdir(), 'parterre-test-storage-'));
  const folders = withServices ? [dataDir] : servers.map((name) => join(dataDir, name));
  const stores: Store[] = folders.map((folder) => {
    return { folder, disk: onDisks ? mountDisk(folder) : null };
  });
  const [port] = await pickPorts(1);
  const few = { PARTERRE_SHARDS: '2', PARTERRE_FRONTDOORS: '1', PARTERRE_CATALOGS: '1', PARTERRE_NOTIFIERS: '1' };
  const env = {
    PARTERRE_BUDGETS: 'off',
    PARTERRE_NATS_SYNC: sync,
    JOURNAL_PARTITIONS: String(partitions),
    PORT: String(port),
    ...(of > 1 && few),
  };
  const start = (): Promise<{ demo: Demo; output(): string; stop(): Promise<unknown> }> =>
    of > 1 ? startCluster({ dataDir, env }) : startParterre({ dataDir, env });
  let running = await start();
  const run = (): RunFile => readJson<RunFile>(join(dataDir, 'run.json'))!;
  const shards = Object.keys(run().processes).filter((name) => name.startsWith('inventory-shard'));

  function signal(named: readonly string[], how: NodeJS.Signals): void {
    const { processes } = run();
    for (const name of named) process.kill(processes[name]!, how);
  }

  /** Kills processes, and resolves when each has a successor. */
  async function kill(named: readonly string[]): Promise<void> {
    const before = run().processes;
    signal(named, 'SIGKILL');
    const isBack = (name: string): boolean => ![undefined, before[name]].includes(run().processes[name]);
    while (!named.every(isBack)) await pause(50);
  }

  async function strikeMachine(act: (store: Store) => void): Promise<void> {
    const pids = [run().pid, ...Object.values(run().processes)];
    for (const pid of pids) process.kill(pid, 'SIGSTOP');
    stores.forEach(act);
    for (const pid of pids) process.kill(pid, 'SIGKILL');
    running = await start();
  }

  return {
    access: { url: run().urls[0]!, token: running.demo.keys.secretTest },
    natsUrl: () => run().natsUrl,
    dataDir,
    output: () => running.output(),
    /** The addresses of the shards' metrics. */
    metrics: () => shards.map((name) => `${run().health[name]}/metrics`),
    /** Stops the servers, does something with the storage of each, and lets them go on. */
    beneath(act: (store: Store) => void): void {
      signal(servers, 'SIGSTOP');
      stores.forEach(act);
      signal(servers, 'SIGCONT');
    },
    /** Stops the servers, strikes the storage of each, and kills them. They start again. */
    async strike(act: (store: Store) => void): Promise<void> {
      if (withServices) return strikeMachine(act);
      signal(servers, 'SIGSTOP');
      stores.forEach(act);
      await kill(servers);
    },
    /**
     * Stops the whole deployment in good order, strikes the storage of the servers, and starts it again. The shards are
     * killed first, and sell nothing any more: a shard that stops in good order stores snapshots, and its heir would
     * not read what is damaged.
     */
    async strikeAtRest(act: (store: Store) => void): Promise<void> {
      await kill(shards);
      await running.stop();
      stores.forEach(act);
      running = await start();
    },
    /** The first struck server becomes the leader of every journal, if NATS lets it: it refuses a copy that lags. */
    async makeLeader(): Promise<void> {
      const nats = await connectTo(run().natsUrl);
      for (let partition = 0; partition < partitions; partition++) {
        const stream = names.journalStream(partition);
        const step = JSON.stringify({ placement: { preferred: servers[0] } });
        await nats.request(`$JS.API.STREAM.LEADER.STEPDOWN.${stream}`, step, { timeout: 5_000 }).catch(() => {});
      }
      await nats.close();
    },
    killShards: () => kill(shards),
    async stop(): Promise<void> {
      await running.stop();
      for (const { disk } of stores) disk?.remove();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
