/**
 * Openings of one map, in a closed loop: each connection is a visitor who opens the map, and the next visitor follows
 * at once.
 *
 * Failure: an unexpected answer, or a connection that the server ends, ends all openings with an error.
 */
import { type Client, connectClient } from '../load/connection.ts';
import { type MapPage, openMap } from '../load/open-map.ts';
import { quantile } from '../load/quantile.ts';

export type OpeningsOrder = { port: number; connections: number; count: number; page: MapPage };

export type OpeningsReport = {
  openings: number;
  seconds: number;
  /** The latency of a whole opening. The calls of an opening follow each other. */
  latency: Latency;
  callsPerOpening: number;
  bytesPerOpening: number;
};

/** In milliseconds. */
export type Latency = { count: number; p50: number; p99: number; worst: number };

export function latencyOf(latenciesMs: readonly number[]): Latency {
  const sorted = Float64Array.from(latenciesMs).sort();
  return {
    count: sorted.length,
    p50: quantile(sorted, 0.5),
    p99: quantile(sorted, 0.99),
    worst: sorted.at(-1) ?? Number.NaN,
  };
}

export async function runOpenings({ port, connections, count, page }: OpeningsOrder): Promise<OpeningsReport> {
  const clients = await Promise.all(Array.from({ length: connections }, () => connectClient(port)));
  const latenciesMs: number[] = [];
  let calls = 0;
  let bytes = 0;
  let begun = 0;
  const visit = async (client: Client): Promise<void> => {
    const ask = (request: string): Promise<string> =>
      new Promise((resolve) => {
        client.onAnswer = resolve;
        client.send(request);
      });
    while (begun++ < count) {
      const startedAt = performance.now();
      const opened = await openMap(ask, page);
      latenciesMs.push(performance.now() - startedAt);
      calls += opened.calls;
      bytes += opened.bytes;
    }
  };
  const startedAt = performance.now();
  const lost = clients.map(({ ended }) => ended.then(() => Promise.reject(new Error('the server ended a connection'))));
  await Promise.race([Promise.all(clients.map(visit)), ...lost]);
  const seconds = (performance.now() - startedAt) / 1000;
  for (const end of lost) end.catch(() => {});
  for (const client of clients) client.end();
  const openings = latenciesMs.length;
  return {
    openings,
    seconds,
    latency: latencyOf(latenciesMs),
    callsPerOpening: calls / openings,
    bytesPerOpening: bytes / openings,
  };
}
