/**
 * The closed loop: each connection has one request under way, and sends the next at the answer. It measures how much a
 * server can do. A slow server is asked less often, so latencies at equal load come from open-loop.ts.
 */
import type { Buyer } from './buyers.ts';
import type { Client } from './connection.ts';

export type Loaded = {
  successes: number;
  /** Of the successes, and of requests that were given up. */
  latenciesMs: number[];
  /** From the first request to the end of the round. */
  seconds: number;
};

/** Runs for `seconds`. Ends sooner when no seat is left, as some connections would be idle from then on. */
export async function runClosedLoop(clients: Client[], buyers: Buyer[], seconds: number): Promise<Loaded> {
  const latenciesMs: number[] = [];
  const started = performance.now();
  let until = started + seconds * 1000;
  const runs = clients.map((client, number) => {
    const buyer = buyers[number]!;
    let sentAt = 0;
    const send = (): void => {
      const request = buyer.ask();
      sentAt = performance.now();
      if (request === null) {
        until = Math.min(until, sentAt);
        client.end();
      } else {
        client.send(request);
      }
    };
    client.onAnswer = (answer) => {
      const now = performance.now();
      buyer.hear(answer);
      if (now > until) {
        client.end();
      } else {
        latenciesMs.push(now - sentAt);
        send();
      }
    };
    send();
    return client.ended;
  });
  await Promise.all(runs);
  return { successes: latenciesMs.length, latenciesMs, seconds: (until - started) / 1000 };
}
