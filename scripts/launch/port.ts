/**
 * Ports, settled before the first start, so that a restarted process opens the same port again. They are picked below
 * the ranges that systems hand out by themselves (from 32768 on): in those ranges an outgoing connection may take the
 * port while its process restarts, and a process that tries the port may even connect to itself.
 */
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

const pickedFrom = 20_000;
const pickedBelow = 32_768;
const picksMax = 1_000;

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
