/**
 * Ports, settled before the first start, so that a restarted process opens the same port again. They are picked below
 * the ranges that systems hand out by themselves (from 32768 on): in those ranges an outgoing connection may take the
 * port while its process restarts, and a process that tries the port may even connect to itself.
 */
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import type { Settings } from './config.ts';
import { instancesOf, type Kind } from './topology.ts';

const pickedFrom = 20_000;
const pickedBelow = 32_768;
const picksMax = 1_000;
const portMax = 65_535;

/** `count` ports from `first` on when they are free, any free ports when `first` is 0, else the problem. */
export async function settlePorts(
  first: number,
  count: number,
  host: string,
): Promise<{ ports: number[] } | { problem: string }> {
  const ports = Array.from({ length: count }, (_, index) => (first === 0 ? 0 : first + index));
  for (const port of ports) {
    const code = await whyNot(port, host);
    if (code === null) continue;
    const why = code === 'EADDRINUSE' ? 'is taken by another program' : `cannot be opened (${code})`;
    return {
      problem: `Port ${port} on ${host} ${why}. Choose another: PORT=8081 npm start (PORT=0 picks a free one).`,
    };
  }
  return { ports: first === 0 ? await pickPorts(count, host) : ports };
}

/** The usual health ports, one after the other. Number n of a kind has a port ten above that of number n - 1. */
const healthPortUsually = 9090;
const healthKinds = ['frontdoor', 'inventory-shard', 'catalog', 'notifier'] as const satisfies Kind[];
const healthPortsBetween = 10;

/**
 * The ports of /healthz, /readyz and /metrics, by the service's name. They are the same at every start, so that a list
 * of targets for Prometheus stays true. A taken port of HEALTH_PORT is a problem. Without HEALTH_PORT a service whose
 * usual port is taken gets a free one, and the launcher says so: a second deployment and a Prometheus on 9090 are no
 * reason against a start.
 */
export async function settleHealthPorts(
  { healthPort, topology, environment }: Pick<Settings, 'healthPort' | 'topology' | 'environment'>,
  say: (line: string) => void,
): Promise<{ ports: Map<string, number> } | { problem: string }> {
  const ports = new Map<string, number>();
  if (healthPort === 0) return { ports };
  const host = environment.HEALTH_HOST || '127.0.0.1';
  for (const [offset, kind] of healthKinds.entries()) {
    for (const { name, number } of instancesOf(topology, kind)) {
      const port = (healthPort ?? healthPortUsually) + offset + healthPortsBetween * (number - 1);
      const code = port > portMax ? 'ERR_SOCKET_BAD_PORT' : await whyNot(port, host);
      if (code === null) {
        ports.set(name, port);
        continue;
      }
      const why = `Port ${port} on ${host}, for the metrics of ${name}, ${code === 'EADDRINUSE' ? 'is taken' : `cannot be opened (${code})`}`;
      if (healthPort !== null)
        return { problem: `${why}. HEALTH_PORT=<first of them> names others, 0 picks free ones.` };
      const [free = 0] = await pickPorts(1, host);
      say(`${why}. Port ${free} takes its place; HEALTH_PORT=<first of them> names others.`);
      ports.set(name, free);
    }
  }
  return { ports };
}

/** `count` different free ports. Picked at random, so that concurrent callers pick different ports. */
export async function pickPorts(count: number, host = '127.0.0.1'): Promise<number[]> {
  const ports = new Set<number>();
  for (let picks = 0; ports.size < count; picks++) {
    const port = randomInt(pickedFrom, pickedBelow);
    const code = await whyNot(port, host);
    if (code === null) ports.add(port);
    else if (picks === picksMax) throw new Error(`no free port was found on ${host} (${code})`);
  }
  return [...ports];
}

/** Null when the port can be opened here, else the error's code. */
function whyNot(port: number, host: string): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(null)));
  });
}
