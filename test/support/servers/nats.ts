/**
 * Real nats-servers with JetStream: one that the files of a worker use one after the other, or servers of a test's own,
 * single or in a cluster, in temporary folders, on free ports, ended by pid.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jetstreamManager } from '@nats-io/jetstream';
import { type ConnectionOptions, connect, type NatsConnection } from '@nats-io/transport-node';
import { natsAddresses } from '@parterre/shared/runtime/nats-access';
import { findNatsServer } from '../../../scripts/launch/find-nats-server.ts';
import { jetStreamReady } from '../../../scripts/launch/jetstream-ready.ts';
import { natsMembers } from '../../../scripts/launch/nats-cluster.ts';
import { type RunningNats, startNatsServer } from '../../../scripts/launch/nats-server.ts';
import { pickPorts } from '../../../scripts/launch/port.ts';
import { tier } from '../runner/tier.ts';
import { runs, sharedServerFolder } from './worker-servers.ts';

/** The version of Debian 12, the oldest one that Parterre supports. */
export const debianNatsVersion = '2.9.10';

/** Options of `startNats` for trials on each supported release. The old releases are tried in the long tier. */
export const natsReleases: readonly Pick<TestNatsOptions, 'version'>[] = [
  ...(tier === 'long' ? [{ version: debianNatsVersion }] : []),
  {},
];

/** Connects to the servers of the comma-separated addresses, with the credentials that they carry. */
export function connectTo(url: string, options: ConnectionOptions = {}): Promise<NatsConnection> {
  const { servers, credentials } = natsAddresses(url);
  return connect({ servers, ...(credentials && { authenticator: credentials }), ...options });
}

export type TestNatsOptions = {
  /** Kept when given. Otherwise a temporary folder, which `stop()` deletes. */
  storeDir?: string;
  port?: number;
  /** More lines for nats.conf. */
  config?: string;
  /** `always` as in production; a duration such as `2m` makes a test of many appends quicker. */
  sync?: string | undefined;
  /** This exact version; without it the server that `npm start` would run. An unavailable version fails the test. */
  version?: string | undefined;
};

export type TestNats = {
  url: string;
  port: number;
  readonly pid: number;
  storeDir: string;
  /** Ends the server in good order, and deletes a temporary store. */
  stop(): Promise<void>;
  /** SIGKILL; resolves when the process is gone. The store stays. */
  kill(): Promise<void>;
  /** Starts again on the same port and data, killing the server first when it still runs. */
  restart(): Promise<void>;
};

/**
 * An empty server. Without options other than `sync` the worker lends its own server, which syncs every two minutes:
 * `stop` gives the server back, and the next borrower gets it empty. A borrower may kill and restart it. While the
 * server is lent, or outside of a run, the caller gets a server of its own.
 */
export async function startNats(options: TestNatsOptions = {}): Promise<TestNats> {
  const { sync, ...others } = options;
  return Object.values(others).every((value) => value === undefined) ? borrowNats(sync) : startOwnNats(options);
}

/** The server of this worker. Null before its first use, and after a borrower that left it dead. */
let shared: TestNats | null = null;
let isLent = false;

async function borrowNats(sync: string | undefined): Promise<TestNats> {
  if (isLent) return startOwnNats({ sync });
  isLent = true;
  if (shared === null || !runs(shared.pid)) {
    const storeDir = sharedServerFolder('shared-nats');
    if (storeDir === null) {
      isLent = false;
      return startOwnNats({ sync });
    }
    shared = await startOwnNats({ storeDir, sync: '2m' });
  }
  await deleteStreams(shared.url);
  const server = shared;
  return {
    ...server,
    get pid() {
      return server.pid;
    },
    async stop() {
      isLent = false;
    },
  };
}

/** JetStream keeps everything in streams: messages, keys and objects. */
async function deleteStreams(url: string): Promise<void> {
  const nats = await connect({ servers: url });
  const manager = await jetstreamManager(nats);
  for await (const { config } of manager.streams.list()) await manager.streams.delete(config.name);
  await nats.close();
}

async function startOwnNats(options: TestNatsOptions): Promise<TestNats> {
  const found = await findNatsServer({ say: (line) => console.log(line), version: options.version });
  if (!found.found) throw new Error(found.message);
  const storeDir = options.storeDir ?? (await mkdtemp(join(tmpdir(), 'parterre-test-nats-')));
  const start = (port: number): Promise<RunningNats> =>
    startNatsServer({
      path: found.path,
      version: found.version,
      folder: storeDir,
      port,
      sync: options.sync ?? 'always',
      ...(options.config === undefined ? {} : { config: options.config }),
    });
  let running = await start(options.port ?? (await pickPorts(1))[0]!);
  const { url, port } = running;
  return {
    url,
    port,
    storeDir,
    get pid() {
      return running.pid;
    },
    async stop() {
      await running.end('SIGTERM');
      if (options.storeDir === undefined) await rm(storeDir, { recursive: true, force: true });
    },
    kill: () => running.end('SIGKILL'),
    async restart() {
      await running.end('SIGKILL');
      running = await start(port);
    },
  };
}

export type TestNatsCluster = {
  servers: TestNats[];
  /** All addresses, comma-separated, in the services' form. */
  url: string;
  stop(): Promise<void>;
};

/** Servers that form a JetStream cluster, ready to take streams of as many copies (at most three). */
export async function startNatsCluster(
  size: number,
  options: Pick<TestNatsOptions, 'sync' | 'version'> = {},
): Promise<TestNatsCluster> {
  const members = await natsMembers(Array.from({ length: size }, (_, index) => `nats-${index + 1}`));
  const servers = await Promise.all(
    members.map(({ port, config }, index) =>
      startNats({ ...options, port, config: `${config}\nserver_tags: ["tag-${index + 1}"]` }),
    ),
  );
  const urls = members.map(({ url }) => url);
  await jetStreamReady(urls, Math.min(size, 3));
  return {
    servers,
    url: urls.join(','),
    async stop() {
      await Promise.all(servers.map((server) => server.stop()));
    },
  };
}
