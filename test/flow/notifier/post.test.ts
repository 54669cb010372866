/** The real HTTP client against real receivers on this machine. */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { postTimeoutMs, responseBodyBytesMax } from '@parterre/shared/protocol/webhook-limits';
import { type Clock, systemClock } from '@parterre/shared/runtime/clock';
import { afterEach, describe, expect, it } from 'vitest';
import { createPoster, type PosterSettings } from '../../../services/notifier/src/endpoints/post.ts';
import type { Resolve } from '../../../services/notifier/src/endpoints/resolve.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function receiver(listener: RequestListener): Promise<string> {
  const server: Server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function poster(settings: Partial<PosterSettings> = {}) {
  const { post, close } = createPoster({ clock: systemClock, loopbackOpen: true, ...settings });
  closing.push(close);
  return post;
}

/** Fires the timeout of a post, and no other timer, when the test asks for it. */
function timeoutClock(): Clock & { fire(): void } {
  let fire = () => {};
  return {
    now: () => 0,
    elapsed: () => 0,
    after(delayMs, run) {
      expect(delayMs).toBe(postTimeoutMs);
      fire = run;
      return () => {};
    },
    fire: () => fire(),
  };
}

describe('posting a webhook', () => {
  it('sends headers and body as they are and gives status, Retry-After and the answer', async () => {
    const seen: { headers: Record<string, unknown>; body: string; method: string | undefined }[] = [];
    const url = await receiver(async (request, response) => {
      let body = '';
      for await (const part of request) body += part;
      seen.push({ headers: request.headers, body, method: request.method });
      response.writeHead(429, { 'Retry-After': '7' }).end('slow down');
    });
    const result = await poster()(`${url}/hook?a=1`, { 'webhook-id': 'occ_1' }, '{"å":1}');
    expect(result).toEqual({ kind: 'answered', status: 429, retryAfter: '7', responseBody: 'slow down' });
    expect(seen).toMatchObject([{ method: 'POST', body: '{"å":1}', headers: { 'webhook-id': 'occ_1' } }]);
    expect(seen[0]?.headers['content-type']).toBe('application/json');
  });

  it('reads the start of a long answer and drops the rest', async () => {
    const url = await receiver((_request, response) => {
      response.writeHead(200);
      for (let i = 0; i < 64; i++) response.write('x'.repeat(64 * 1024));
      // Never ended: a client that wanted the whole answer would wait.
    });
    const result = await poster()(url, {}, '{}');
    expect(result).toMatchObject({ status: 200, responseBody: 'x'.repeat(responseBodyBytesMax) });
  });

  it('does not follow redirects', async () => {
    let hits = 0;
    const url = await receiver((_request, response) => {
      hits++;
      response.writeHead(302, { Location: '/elsewhere' }).end();
    });
    expect(await poster()(url, {}, '{}')).toMatchObject({ kind: 'answered', status: 302 });
    expect(hits).toBe(1);
  });

  it('gives up on a receiver that hangs', async () => {
    const clock = timeoutClock();
    const url = await receiver(() => clock.fire());
    const result = await poster({ clock })(url, {}, '{}');
    expect(result).toEqual({ kind: 'failed', error: 'no answer within 15 s' });
  });

  it('keeps the status of a receiver whose answer breaks off', async () => {
    const url = await receiver((_request, response) => {
      response.writeHead(200, { 'Content-Length': '100' });
      response.write('so far', () => response.socket?.end());
    });
    expect(await poster()(url, {}, '{}')).toMatchObject({ kind: 'answered', status: 200, responseBody: 'so far' });
  });

  it('names the cause when nobody listens', async () => {
    const result = await poster()('http://127.0.0.1:1/', {}, '{}');
    expect(result).toEqual({ kind: 'failed', error: 'the connection was refused' });
  });
});

describe('the address of a webhook', () => {
  /** Answers each look-up with the next of `lists`; the last one repeats. */
  function resolveTo(...lists: string[][]): Resolve & { asked: string[] } {
    const asked: string[] = [];
    const resolve: Resolve = (name, done) => {
      asked.push(name);
      queueMicrotask(() => done(lists.length > 1 ? lists.shift()! : lists[0]!));
      return () => {};
    };
    return Object.assign(resolve, { asked });
  }

  it.each([
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://10.0.0.1/',
    'https://0x7f.1/',
    'https://0177.0.0.1/',
    'https://127.1/',
    'https://127.0.0.1./',
    'https://2130706433/',
    'https://0xa9fea9fe/latest/',
    'https://169.254.169.254/latest/',
    'https://[::ffff:a9fe:a9fe]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[fd00:ec2::254]/',
    'https://localhost/',
    'https://localhost./',
    'https://hooks.localhost/',
  ])('is refused undialled: %s', async (url) => {
    const result = await poster({ loopbackOpen: false })(url, {}, '{}');
    expect(result).toMatchObject({ kind: 'failed', error: expect.stringContaining('not a public address') });
  });

  it.each(['https://[fe80::1%25eth0]/', 'https:///', 'hooks.example', ''])('must be valid: %s', async (url) => {
    expect(await poster()(url, {}, '{}')).toEqual({ kind: 'failed', error: 'the URL is not a web address' });
  });

  it.each([[['10.0.0.7']], [['::1']], [['8.8.8.8', '192.168.0.1']]])(
    'is refused when its name resolves to %o',
    async (addresses) => {
      const post = poster({ loopbackOpen: false, resolve: resolveTo(addresses) });
      const result = await post('https://hooks.example/', {}, '{}');
      expect(result).toEqual({ kind: 'failed', error: 'hooks.example is not a public address' });
    },
  );

  it('is the checked address: the connection goes where the look-up pointed', async () => {
    const url = new URL(await receiver((_request, response) => response.end('here')));
    const post = poster({ resolve: resolveTo(['127.0.0.1']) });
    expect(await post(`http://hooks.example:${url.port}/`, {}, '{}')).toMatchObject({ responseBody: 'here' });
  });

  it('is looked up once for each connection, which stays when the name points elsewhere', async () => {
    const url = new URL(await receiver((request, response) => response.end(String(request.socket.remotePort))));
    const resolve = resolveTo(['127.0.0.1'], ['10.0.0.1']);
    const post = poster({ resolve });
    const first = await post(`http://hooks.example:${url.port}/`, {}, '{}');
    expect(first).toMatchObject({ status: 200 });
    expect(await post(`http://hooks.example:${url.port}/`, {}, '{}')).toEqual(first);
    expect(resolve.asked).toEqual(['hooks.example']);
  });

  it('is checked again for the next connection', async () => {
    const url = new URL(await receiver((_request, response) => response.setHeader('Connection', 'close').end()));
    const post = poster({ resolve: resolveTo(['127.0.0.1'], ['10.0.0.1']) });
    expect(await post(`http://hooks.example:${url.port}/`, {}, '{}')).toMatchObject({ status: 200 });
    const error = 'hooks.example is not a public address';
    expect(await post(`http://hooks.example:${url.port}/`, {}, '{}')).toEqual({ kind: 'failed', error });
  });

  it('is looked up only where the URL has a name', async () => {
    const result = await poster({ resolve: resolveTo([]) })('https://hooks.example/', {}, '{}');
    expect(result).toEqual({ kind: 'failed', error: 'the name hooks.example could not be resolved' });
  });

  it('must be https unless loopback is opened', async () => {
    let hits = 0;
    const url = await receiver((_request, response) => {
      hits++;
      response.end();
    });
    const result = await poster({ loopbackOpen: false })(url, {}, '{}');
    expect(result).toEqual({ kind: 'failed', error: 'the URL is not an https address' });
    expect(hits).toBe(0);
  });
});
