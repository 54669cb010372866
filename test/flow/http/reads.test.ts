/** One connection neither keeps the loop nor piles up answers. */
import { connect } from 'node:net';
import { bodyPiecesMax } from '@parterre/shared/protocol/limits';
import { afterEach, expect, it } from 'vitest';
import type { AdmissionPorts } from '../../../services/frontdoor/src/admission/admission.ts';
import { EventStream, type StreamReader } from '../../../services/frontdoor/src/answers/answers.ts';
import { answersIn, anyJson, converse, startHttp } from '../../support/servers/raw-http.ts';

let server: Awaited<ReturnType<typeof startHttp>> | undefined;
afterEach(() => server?.stop());

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
const chunked = 'Transfer-Encoding: chunked\r\n\r\n';

it.each(['/now', '/nothing', '/events/x'])(
  'Requests that do not wait for their answers lose the connection: %s',
  async (path) => {
    server = await startHttp({ 'GET /now': {} });
    const { received, closed } = await converse(server.port, [get(path).repeat(1_000)]);
    expect([answersIn(received).length <= 1, closed, server.counters.underWay]).toEqual([true, true, 0]);
    expect(server.asked.length).toBeLessThanOrEqual(1);
  },
);

it('A caller who sends requests and does not read the answers loses the connection', async () => {
  server = await startHttp({ 'GET /': { handle: () => 'x'.repeat(50_000) } });
  const { asked, counters, port } = server;
  const socket = connect(port, '127.0.0.1').pause().setNoDelay(true);
  socket.on('error', () => {});
  // The kernel keeps some megabytes for a reader. The answer behind them stays pending.
  let sent = 0;
  while (sent < 2_000 && counters.underWay === 0) {
    socket.write(get('/'));
    sent++;
    await expect.poll(() => asked.length, { interval: 1 }).toBe(sent);
    await new Promise((answered) => setTimeout(answered, 2));
  }
  expect(counters.underWay).toBe(1);
  socket.write(get('/'));
  await expect.poll(() => counters.underWay).toBe(0);
  expect(asked.length).toBe(sent);
  socket.destroy();
});

it('A flood of chunks is answered within its read, also while its caller is being admitted', async () => {
  const principals = { server: () => new Promise(() => {}) } as unknown as AdmissionPorts['principals'];
  const route = { schema: anyJson, credential: 'server' as const, bodyBytesMax: 16 * 1024 * 1024 };
  server = await startHttp({ 'POST /long': route }, { principals });
  const bytes = `POST /long HTTP/1.1\r\nHost: a\r\n${chunked}${'1\r\nx\r\n'.repeat(bodyPiecesMax + 1)}`;
  const { received, closed } = await converse(server.port, [bytes], 5_000);
  expect([answersIn(received), closed, server.counters.underWay]).toEqual([[413], true, 0]);
});

it('A stream ends with its last chunk, or with its connection where a request in chunks asked for it', async () => {
  const readers: StreamReader[] = [];
  let stopped = 0;
  const stream = () =>
    new EventStream((reader) => {
      readers.push(reader);
      reader.write('data: 1\n\n');
      return () => stopped++;
    });
  server = await startHttp({ 'GET /stream': { handle: stream }, 'GET /now': {} });
  const plain = converse(server.port, [get('/stream'), 100, get('/now')]);
  const inChunks = converse(server.port, [
    get('/stream').replace('\r\n\r\n', `\r\n${chunked}0\r\n\r\n`),
    100,
    get('/now'),
  ]);
  await expect.poll(() => readers.length).toBe(2);
  for (const reader of readers) reader.end();
  const [one, other] = await Promise.all([plain, inChunks]);
  expect(one.received).toMatch(/\r\n\r\n9\r\ndata: 1\n\n\r\n0\r\n\r\nHTTP\/1.1 200 OK\r\n/);
  expect(one.closed).toBe(false);
  expect(other.received).toMatch(/\r\nConnection: close\r\n.*\r\n\r\n9\r\ndata: 1\n\n$/s);
  expect([other.closed, stopped, server.asked]).toEqual([true, 2, ['GET /stream', 'GET /stream', 'GET /now']]);
});
