/**
 * A load balancer for TCP connections, in this process. It asks each server's /readyz every POLL_MS, and gives new
 * connections to the ready servers in turn. A connection stays with its server. A server that answers 503, or whose
 * process is gone, gets no new connections at once; a server that is slow to answer, after SILENT_MAX questions. Where
 * no server is ready, a new connection is destroyed, and `refused` counts it.
 */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

const POLL_MS = 50;
const SILENT_MAX = 5;

export type Balanced = { name: string; port: number };

/** `healthOf` gives the health address of a server as it runs now; undefined while it does not run. */
export async function startBalancer(servers: Balanced[], healthOf: (name: string) => string | undefined) {
  const ready = new Set<string>();
  const sockets = new Set<Socket>();
  const given: Record<string, number> = Object.fromEntries(servers.map(({ name }) => [name, 0]));
  const seen: string[] = [];
  let refused = 0;
  let turn = 0;
  let running = true;

  async function watch({ name }: Balanced): Promise<void> {
    let silent = 0;
    while (running) {
      const health = healthOf(name);
      const status = health === undefined ? 503 : await statusOf(`${health}/readyz`);
      silent = status === 0 ? silent + 1 : 0;
      const isReady = ready.has(name) ? status !== 503 && silent < SILENT_MAX : status === 200;
      if (isReady !== ready.has(name)) seen.push(`${name} ${isReady ? 'ready' : 'not ready'}`);
      if (isReady) ready.add(name);
      else ready.delete(name);
      await pause(POLL_MS);
    }
  }

  const server = createServer((client) => {
    const open = servers.filter(({ name }) => ready.has(name));
    const chosen = open[turn++ % open.length];
    if (!chosen) {
      refused++;
      client.destroy();
      return;
    }
    given[chosen.name]!++;
    const upstream = connect(chosen.port, '127.0.0.1');
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one);
      one.pipe(other);
      one.on('error', () => other.destroy());
      one.on('close', () => sockets.delete(one));
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const watching = servers.map(watch);
  while (ready.size < servers.length) await pause(POLL_MS);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** The connections that each server got so far. */
    given,
    /** The changes of readiness so far. */
    seen,
    refused: () => refused,
    async stop() {
      running = false;
      await Promise.all(watching);
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** 0 without an answer. */
async function statusOf(url: string): Promise<number> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(1_000) });
    await response.text();
    return response.status;
  } catch {
    return 0;
  }
}
