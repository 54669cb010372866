/** Large bodies are sent as the reader takes them, and documents are fetched once. */
import { App, us_listen_socket_close, us_socket_local_port } from 'uWebSockets.js';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { done } from '@parterre/shared/protocol/errors';
import type { CatalogClient } from '@parterre/shared/runtime/catalog-client';
import { afterEach, expect, test } from 'vitest';
import { createChartDocuments } from '../../../services/frontdoor/src/caches/chart-documents.ts';
import { bodyToSend, sendPieces } from '../../../services/frontdoor/src/http/sending.ts';

const MIB = 1024 * 1024;
const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

/** A server that answers every request with these parts, and records how its answers end. */
async function server(parts: readonly Uint8Array[]) {
  const ends: Promise<'sent' | 'aborted'>[] = [];
  const app = App();
  app.any('/*', (response) => {
    ends.push(
      new Promise((resolve) => {
        response.onAborted(() => resolve('aborted'));
        response.cork(() => sendPieces(response, parts, () => resolve('sent')));
      }),
    );
  });
  const port = await new Promise<number>((resolve, reject) => {
    app.listen('127.0.0.1', 0, (socket) => {
      if (!socket) return reject(new Error('listen'));
      stops.push(() => {
        us_listen_socket_close(socket);
        app.close();
      });
      resolve(us_socket_local_port(socket));
    });
  });
  return { port, ends };
}

const hashOf = (...parts: Uint8Array[]): string => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
};

test('a large body arrives whole and in order, at slow readers and at several readers at once', async () => {
  const parts = [Buffer.from('{"head":1,'), randomBytes(20 * MIB), randomBytes(70_000), Buffer.from('}')];
  const { port, ends } = await server(parts);
  const bodies = await Promise.all(
    [1, 2, 3].map(async () => {
      const answer = await fetch(`http://127.0.0.1:${port}/`);
      const chunks: Uint8Array[] = [];
      for await (const chunk of answer.body!) {
        chunks.push(chunk);
        // Another turn of the loop for each chunk: the server fills the socket meanwhile.
        await new Promise((resolve) => setImmediate(resolve));
      }
      return hashOf(...chunks);
    }),
  );
  expect(new Set(bodies)).toEqual(new Set([hashOf(...parts)]));
  expect(await Promise.all(ends)).toEqual(['sent', 'sent', 'sent']);
});

test('a reader that leaves half-way ends the sending', async () => {
  const { port, ends } = await server([randomBytes(64 * MIB)]);
  const socket = connect(port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(socket, 'data');
  socket.destroy();
  expect(await ends[0]).toBe('aborted');
});

test('two answers follow each other on one connection', async () => {
  const part = Buffer.alloc(3 * MIB, 'x');
  const { port, ends } = await server([part]);
  const socket = connect(port, '127.0.0.1');
  let received = 0;
  let heads = 0;
  const all = new Promise<void>((resolve) => {
    socket.on('data', (chunk) => {
      heads += chunk.toString('latin1').split('HTTP/1.1 200').length - 1;
      received += chunk.length;
      if (heads === 1 && received > part.length) socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
      if (received > 2 * part.length) resolve();
    });
  });
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await all;
  socket.destroy();
  expect(heads).toBe(2);
  expect(ends).toHaveLength(2);
});

test('small bodies go to the library in one piece', () => {
  expect(bodyToSend('{}')).toBe('{}');
  expect(bodyToSend([Buffer.from('{'), Buffer.from('}')])).toEqual(Buffer.from('{}'));
  expect(bodyToSend('x'.repeat(100_000))).toEqual([Buffer.from('x'.repeat(100_000))]);
});

test('a draft is fetched once for each of its states, however many callers ask', async () => {
  let updatedAt = 1;
  let fetched = 0;
  const catalog = (async (operation: string) => {
    if (operation !== 'charts.get') throw new Error(operation);
    fetched++;
    const meta = { id: 'cht_1', updatedAt };
    return done({ meta, categorySeats: { seat: updatedAt }, doc: gzipSync(`{"state":${updatedAt}}`) });
  }) as unknown as CatalogClient;
  const documents = createChartDocuments(catalog);
  const read = async () => {
    const meta = { id: 'cht_1', updatedAt } as Parameters<typeof documents.draft>[1];
    const draft = await documents.draft({} as Parameters<typeof documents.draft>[0], meta);
    return draft.ok && [draft.value.document.toString(), draft.value.categorySeats];
  };
  expect(await Promise.all([read(), read()])).toEqual(Array(2).fill(['{"state":1}', { seat: 1 }]));
  expect(await read()).toEqual(['{"state":1}', { seat: 1 }]);
  expect(fetched).toBe(1);
  updatedAt = 2;
  expect(await read()).toEqual(['{"state":2}', { seat: 2 }]);
  expect(fetched).toBe(2);
});
