/** A real nats-server with JetStream for one test or one file: a temporary folder, a free port, ended by its pid. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findNatsServer } from '../../scripts/launch/find-nats-server.ts';
import { type RunningNats, startNatsServer } from '../../scripts/launch/nats-server.ts';

export type TestNatsOptions = {
  /** Kept when given; without it a temporary folder that goes with `stop()`. */
  storeDir?: string;
  port?: number;
  /** More lines for nats.conf. */
  config?: string;
  /** `always` as in production; a duration such as `2m` makes a test of many appends quicker. */
  sync?: string;
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

export async function startNats(options: TestNatsOptions = {}): Promise<TestNats> {
  const found = await findNatsServer({ say: (line) => console.log(line) });
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
  let running = await start(options.port ?? 0);
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
