/** Misbehaving receivers: each costs its own attempt, ends in time, and leaves no connection. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, Server as TlsServer } from 'node:tls';
import { gzipSync } from 'node:zlib';
import {
  idleConnectionsMax,
  postTimeoutMs,
  responseBodyBytesMax,
  responseBodyMs,
} from '@parterre/shared/protocol/webhook-limits';
import { systemClock } from '@parterre/shared/runtime/clock';
import { afterEach, describe, expect, it } from 'vitest';
import { createPoster } from '../../../services/notifier/src/endpoints/post.ts';
import { createResolve } from '../../../services/notifier/src/endpoints/resolve.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { selfSigned } from '../../support/servers/certificate.ts';
import { startNameServer } from '../../support/servers/name-server.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** Calls `onPost` whenever a request begins to arrive, with its number on the connection. */
async function receiver(onPost: (socket: Socket, count: number) => void, server: Server = createServer()) {
  const sockets = new Set<Socket>();
  let opened = 0;
  server.on(server instanceof TlsServer ? 'secureConnection' : 'connection', hear);
  function hear(socket: Socket): void {
    let posts = 0;
    opened++;
    sockets.add(socket);
    socket.on('data', () => onPost(socket, ++posts));
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  }
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    opened: () => opened,
    /** Resolves when no connection is left open. */
    async deserted() {
      // A reset socket reports an error before it closes. The test ignores the error.
      for (const socket of sockets) await new Promise((resolve) => socket.once('close', resolve));
      return sockets.size;
    },
  };
}

/** A manual clock that tells when a timer of a given length is set. */
class HeardClock extends ManualClock {
  readonly #waiting = new Map<number, () => void>();

  asked(delayMs: number): Promise<void> {
    return new Promise((resolve) => this.#waiting.set(delayMs, resolve));
  }

  override after(delayMs: number, run: () => void): () => void {
    this.#waiting.get(delayMs)?.();
    return super.after(delayMs, run);
  }
}

function poster(clock: Parameters<typeof createPoster>[0]['clock'] = systemClock, loopbackOpen = true) {
  const { post, close } = createPoster({ clock, loopbackOpen });
  closing.push(close);
  return post;
}

const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

describe('a receiver that', () => {
  it.each<[string, (socket: Socket) => void]>([
    ['says nothing', () => {}],
    ['drips its headers', (socket) => socket.write('HTTP/1.1 200 OK\r\nX-')],
    ['sends 103 forever', (socket) => socket.write('HTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\n')],
  ])('%s ends with the deadline', async (_what, answer) => {
    const clock = new ManualClock();
    let heard = () => {};
    const asked = new Promise<void>((resolve) => {
      heard = resolve;
    });
    const { url, deserted } = await receiver((socket) => {
      answer(socket);
      heard();
    });
    const result = poster(clock)(url, {}, '{}');
    await asked;
    clock.advance(postTimeoutMs);
    expect(await result).toEqual({ kind: 'failed', error: 'no answer within 15 s' });
    expect(await deserted()).toBe(0);
  });

  it('never resolves fails with its look-up, and delays no other', async () => {
    const names = await startNameServer(() => null);
    const clock = new HeardClock();
    const { post, close } = createPoster({ clock, loopbackOpen: true, resolve: createResolve(clock, [names.address]) });
    closing.push(close, names.close);
    const { url } = await receiver((socket) => socket.write(ok));
    const results = Array.from({ length: 20 }, (_, index) => post(`http://silent${index}.example/`, {}, '{}'));
    expect(await post(url, {}, '{}')).toMatchObject({ status: 200 });
    clock.advance(postTimeoutMs);
    expect(await results[19]).toEqual({ kind: 'failed', error: 'the name silent19.example could not be resolved' });
  });

  it('drips its body keeps its status, after a second', async () => {
    const clock = new HeardClock();
    const { url, deserted } = await receiver((socket) =>
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nso'),
    );
    const reading = clock.asked(responseBodyMs);
    const result = poster(clock)(url, {}, '{}');
    await reading;
    clock.advance(responseBodyMs);
    expect(await result).toMatchObject({ kind: 'answered', status: 200 });
    expect(await deserted()).toBe(0);
  });

  it('answers without end is cut off, after the start of the answer', async () => {
    const { url, deserted } = await receiver((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n');
      const flood = (): void => void (socket.writable && socket.write('x'.repeat(64 * 1024), flood));
      flood();
    });
    const result = await poster()(url, {}, '{}');
    expect(result).toMatchObject({ status: 200, responseBody: 'x'.repeat(responseBodyBytesMax) });
    expect(await deserted()).toBe(0);
  });

  it('compresses its answer is not unpacked', async () => {
    const packed = gzipSync(Buffer.alloc(16 * 1024 * 1024));
    const { url } = await receiver((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${packed.length}\r\n\r\n`);
      socket.write(packed);
    });
    expect(await poster()(url, {}, '{}')).toMatchObject({ status: 200, responseBody: '' });
  });

  it.each<[string, string, string]>([
    ['closes without an answer', '', 'the connection was closed before there was an answer'],
    ['closes in its headers', 'HTTP/1.1 200 OK\r\nX-', 'the connection was closed before there was an answer'],
    ['speaks no HTTP', 'SSH-2.0-OpenSSH_9.2\r\n', 'the answer is not valid HTTP'],
    [
      'switches to another protocol',
      'HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n',
      'the answer is not valid HTTP',
    ],
    ['answers 100', 'HTTP/1.1 100 Continue\r\n\r\n', 'the answer is not valid HTTP'],
    ['sends too many 103', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(99), 'too many 1xx answers'],
    [
      'sends huge headers',
      `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`,
      "the answer's headers are too large",
    ],
  ])('%s fails, and says so', async (_what, answer, error) => {
    const { url, deserted } = await receiver((socket) => socket.end(answer));
    expect(await poster()(url, {}, '{}')).toEqual({ kind: 'failed', error });
    expect(await deserted()).toBe(0);
  });

  it('answers in several parts is read as one, and cut before half a character', async () => {
    const body = 'é'.repeat(responseBodyBytesMax);
    const { url } = await receiver((socket) => {
      socket.write(
        `HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 500 No\r\nContent-Length: ${2 * body.length + 1}\r\n\r\nx`,
      );
      setImmediate(() => socket.write(body));
    });
    const result = await poster()(url, {}, '{}');
    expect(result).toMatchObject({ status: 500, responseBody: `x${'é'.repeat(responseBodyBytesMax / 2 - 1)}` });
  });
});

describe('a connection', () => {
  it('is kept for the next post, also after a longer answer than is read', async () => {
    const { url, opened } = await receiver((socket) =>
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n${'x'.repeat(9999)}`),
    );
    const post = poster();
    for (let i = 0; i < 3; i++) expect(await post(url, {}, '{}')).toMatchObject({ status: 200 });
    expect(opened()).toBe(1);
  });

  it('that its receiver closes at the moment of its use costs no attempt', async () => {
    const { url, opened } = await receiver((socket, count) => {
      if (count === 1) socket.write(ok);
      else socket.destroy();
    });
    const post = poster();
    expect(await post(url, {}, '{}')).toMatchObject({ status: 200 });
    expect(await post(url, {}, '{}')).toMatchObject({ status: 200 });
    expect(opened()).toBe(2);
  });

  it('is new where the others to the receiver are busy, so that a hanging post delays no other', async () => {
    const { url, opened } = await receiver((socket) => void (opened() > 40 && socket.write(ok)));
    const post = poster();
    for (let i = 0; i < 40; i++) void post(url, {}, '{}');
    expect(await post(url, {}, '{}')).toMatchObject({ status: 200 });
  });

  it('is closed when it is idle, or when there are too many', async () => {
    const { url, opened, deserted } = await receiver((socket) => socket.write(ok));
    const { post, close } = createPoster({ clock: systemClock, loopbackOpen: true });
    await Promise.all(Array.from({ length: idleConnectionsMax + 10 }, () => post(url, {}, '{}')));
    expect(opened()).toBe(idleConnectionsMax + 10);
    await Promise.all(Array.from({ length: idleConnectionsMax }, () => post(url, {}, '{}')));
    expect(opened()).toBe(idleConnectionsMax + 10);
    close();
    expect(await deserted()).toBe(0);
  });
});

describe('over TLS', () => {
  it('a certificate without a trusted authority is refused', async () => {
    let posts = 0;
    const { url, deserted } = await receiver(() => posts++, createTlsServer(selfSigned));
    const result = await poster()(url.replace('http:', 'https:'), {}, '{}');
    const error = 'the TLS certificate was not accepted (DEPTH_ZERO_SELF_SIGNED_CERT)';
    expect(result).toEqual({ kind: 'failed', error });
    expect(posts).toBe(0);
    expect(await deserted()).toBe(0);
  });

  it('a certificate must be for the name in the URL', async () => {
    const { url, deserted } = await receiver((socket) => socket.end(ok), createTlsServer(selfSigned));
    const names = await startNameServer(() => ['127.0.0.1']);
    const resolve = createResolve(systemClock, [names.address]);
    const { post, close } = createPoster({ clock: systemClock, loopbackOpen: true, resolve, ca: selfSigned.cert });
    closing.push(close, names.close);
    const at = (name: string): string => url.replace('http://127.0.0.1', `https://${name}`);
    expect(await post(at('hooks.example'), {}, '{}')).toMatchObject({ status: 200 });
    expect(await post(at('hooks.example.'), {}, '{}')).toMatchObject({ status: 200 });
    const error = 'the TLS certificate is for another name';
    expect(await post(at('other.example'), {}, '{}')).toEqual({ kind: 'failed', error });
    expect(await deserted()).toBe(0);
  });

  it('a receiver without TLS fails', async () => {
    const { url, deserted } = await receiver((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    const result = await poster()(url.replace('http:', 'https:'), {}, '{}');
    expect(result).toEqual({ kind: 'failed', error: 'no TLS connection could be made' });
    expect(await deserted()).toBe(0);
  });

  it('a handshake that never ends ends with the deadline', async () => {
    const clock = new ManualClock();
    let heard = () => {};
    const asked = new Promise<void>((resolve) => {
      heard = resolve;
    });
    const { url, deserted } = await receiver(() => heard());
    const result = poster(clock)(url.replace('http:', 'https:'), {}, '{}');
    await asked;
    clock.advance(postTimeoutMs);
    expect(await result).toEqual({ kind: 'failed', error: 'no answer within 15 s' });
    expect(await deserted()).toBe(0);
  });
});
