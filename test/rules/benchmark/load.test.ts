/** The load generator: connections that callers share, and the cut of an open loop. */
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import type { Buyer } from '../../../bench/load/buyers.ts';
import type { Client } from '../../../bench/load/connection.ts';
import { runOpenLoop } from '../../../bench/load/open-loop.ts';
import { createPool, type Pool } from '../../../bench/load/pool.ts';

const answer = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n';

let server: Server | null = null;
afterEach(() => server?.close());

/** A server that notes what it hears, with the number of the connection. `hear` may answer. */
async function listen(hear: (text: string, socket: Socket) => void): Promise<{ port: number; heard: string[] }> {
  const heard: string[] = [];
  let connections = 0;
  server = createServer((socket) => {
    const number = ++connections;
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      heard.push(`${number} ${bytes}`);
      hear(String(bytes), socket);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as { port: number }).port, heard };
}

const asked = (pool: Pool, request: string): Promise<string | null> =>
  new Promise((resolve) => {
    pool.call({
      request,
      answered(told) {
        resolve(told);
        return null;
      },
    });
  });

test('calls beyond the connections wait in line, and the next call of a caller goes first', async () => {
  const { port, heard } = await listen((_, socket) => socket.write(answer));
  const pool = createPool(port, 1);
  const followed = new Promise<string | null>((resolve) => {
    pool.call({
      request: 'hold',
      answered: () => ({
        request: 'book',
        answered(told) {
          resolve(told);
          return null;
        },
      }),
    });
  });
  const later = asked(pool, 'another hold');
  expect(await Promise.all([followed, later])).toEqual([answer, answer]);
  expect(heard).toEqual(['1 hold', '1 book', '1 another hold']);
  pool.end();
});

test('a call is lost with its connection, and the next call opens another one', async () => {
  const { port, heard } = await listen((text, socket) => (text === 'lost' ? socket.destroy() : socket.write(answer)));
  const pool = createPool(port, 1);
  expect(await asked(pool, 'lost')).toBeNull();
  expect(await asked(pool, 'good')).toBe(answer);
  expect(heard).toEqual(['1 lost', '2 good']);
  pool.end();
});

test('an open loop that is cut owes nothing more, and waits for the requests under way', async () => {
  const cut = new AbortController();
  let open = (): void => {};
  const ended = new Promise<void>((resolve) => {
    open = resolve;
  });
  const waiting: (() => void)[] = [];
  const client: Client = {
    send: () => void waiting.push(() => client.onAnswer(answer)),
    end: open,
    onAnswer: () => {},
    ended,
  };
  let sent = 0;
  const buyer: Buyer = { ask: () => `request ${++sent}`, hear: () => {} };
  const running = runOpenLoop([client], [buyer], { perSecond: 1_000, count: 1_000_000 }, cut.signal);
  await expect.poll(() => waiting.length).toBe(1);
  cut.abort();
  while (waiting.length > 0) waiting.shift()!();
  const { successes } = await running;
  expect(successes).toBe(sent);
  expect(successes).toBeLessThan(1_000_000);
});
