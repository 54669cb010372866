/**
 * A load generator that costs little: keep-alive sockets, one request under way on each, answers read by Content-Length.
 * A full HTTP client would be measured instead of the server: both share two cores here.
 */
import { connect } from 'node:net';

export type Answer = { status: number; body: string };
/** From the last answer (null at first) to the next request, or null to end. */
export type Script = (answer: Answer | null) => { path: string; body: unknown } | null;

export type Load = { latenciesMs: number[]; seconds: number; statuses: Record<number, number> };

/** Runs `connections` clients against `port`, client c by `script(c)`, until each script has ended. */
export async function runLoad(options: {
  port: number;
  connections: number;
  token: string;
  script: (client: number) => Script;
}): Promise<Load> {
  const { port, connections, token, script } = options;
  const latenciesMs: number[] = [];
  const statuses: Record<number, number> = {};
  const note = (status: number, latencyMs: number): void => {
    statuses[status] = (statuses[status] ?? 0) + 1;
    latenciesMs.push(latencyMs);
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: connections }, (_, client) => runClient(port, token, script(client), note)));
  return { latenciesMs, seconds: (performance.now() - started) / 1000, statuses };
}

function runClient(
  port: number,
  token: string,
  next: Script,
  note: (status: number, latencyMs: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let pending = '';
    let sentAt = 0;

    const send = (answer: Answer | null): void => {
      const request = next(answer);
      if (!request) {
        socket.end();
        resolve();
        return;
      }
      const body = JSON.stringify(request.body);
      sentAt = performance.now();
      socket.write(
        `POST ${request.path} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${token}\r\n` +
          `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      );
    };

    const receive = (chunk: string): void => {
      pending += chunk;
      const headEnd = pending.indexOf('\r\n\r\n');
      if (headEnd < 0) return;
      const length = Number(/content-length: (\d+)/i.exec(pending.slice(0, headEnd))?.[1] ?? 0);
      if (pending.length < headEnd + 4 + length) return;
      const status = Number(pending.slice(9, 12));
      const body = pending.slice(headEnd + 4, headEnd + 4 + length);
      pending = '';
      note(status, performance.now() - sentAt);
      send({ status, body });
    };

    socket.setEncoding('latin1');
    socket.on('connect', () => send(null));
    socket.on('error', reject);
    socket.on('data', (chunk: string) => {
      try {
        receive(chunk);
      } catch (error) {
        socket.destroy();
        reject(error);
      }
    });
  });
}

/** The value below which `share` (0 to 1) of `values` lie. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}
