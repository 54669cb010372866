/** The load generator beside a server whose pauses are known. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { type LoadOrder, runLoad } from '../../../bench/load/load.ts';

let server: Server | null = null;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
  server = null;
});

type SentRequest = { action: string; body: { labels?: string[]; holdId?: string } };

/** Answers every request with `status`, but not before `silentUntil`. Returns the order, and the requests so far. */
async function serve(order: Partial<LoadOrder>, { status = 200, silentMs = 0 } = {}) {
  const asked: SentRequest[] = [];
  let silentUntil: number | null = null;
  server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => (text += chunk));
    request.on('end', () => {
      asked.push({ action: request.url!.split('/').at(-1)!, body: JSON.parse(text) });
      silentUntil ??= performance.now() + silentMs;
      const answer = JSON.stringify({ holdId: `hold-${asked.length}` });
      setTimeout(
        () => response.writeHead(status, { 'Content-Length': answer.length }).end(answer),
        Math.max(0, silentUntil - performance.now()),
      );
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const labels = Array.from({ length: 1_000 }, (_, seat) => `A-${seat}`);
  const ports = [(server.address() as AddressInfo).port];
  const whole: LoadOrder = {
    ports,
    token: 'none',
    connections: 4,
    seconds: 0.5,
    seats: { events: ['gala'], labels, next: 0 },
    task: { type: 'sales' },
    ...order,
  };
  return { asked, run: () => runLoad(whole) };
}

test('offered sales come at the given rate, whatever the server does', async () => {
  const { run, asked } = await serve({ task: { type: 'offered sales', perSecond: 400 } });
  expect((await run()).successes).toBe(200);
  expect(asked).toHaveLength(200);
});

test('a pause of the server shows in all requests that were due in it', async () => {
  const silentMs = 400;
  const task = { type: 'offered sales', perSecond: 400 } as const;
  const { run } = await serve({ task }, { silentMs });
  // 160 of 200 requests are due in the pause, so half of all requests wait for at least 60 requests' time.
  const { successes, p50Ms, p99Ms } = await run();
  expect(successes).toBe(200);
  expect(p50Ms).toBeGreaterThan(100);
  expect(p99Ms).toBeGreaterThan(silentMs - 50);
});

test('an offered round ends before the seats do', async () => {
  const seats = { events: ['gala'], labels: ['A-1', 'A-2', 'A-3', 'A-4', 'A-5', 'A-6'], next: 0 };
  const { run } = await serve({ seats, task: { type: 'offered sales', perSecond: 400 } });
  expect(await run()).toMatchObject({ successes: 8, next: expect.toSatisfy((next: number) => next <= 6) });
});

test('each seat is held, then booked under its hold', async () => {
  const { run, asked } = await serve({ connections: 1, seconds: 0.1 });
  await run();
  expect(asked.slice(0, 3)).toMatchObject([
    { action: 'hold', body: { labels: ['A-0'] } },
    { action: 'book', body: { holdId: 'hold-1' } },
    { action: 'hold', body: { labels: ['A-1'] } },
  ]);
});

test('a refusal of a sold seat is a success of the refusals', async () => {
  const task = { type: 'refusals', status: 409 } as const;
  const seats = { events: ['gala'], labels: ['A-1', 'A-2'], next: 0 };
  const { run, asked } = await serve({ task, seats, seconds: 0.1 }, { status: 409 });
  const { successes } = await run();
  expect(successes).toBeGreaterThan(2);
  expect(asked.every(({ action }) => action === 'hold')).toBe(true);
});

test('any other answer ends the round with an error', async () => {
  const { run } = await serve({ seconds: 0.1 }, { status: 503 });
  await expect(run()).rejects.toThrow('expected 200: HTTP/1.1 503');
});
