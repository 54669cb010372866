/** The session behind a group's page: no hold is lost when a session follows another. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { createGroupApi } from '../../web/src/group/group-api.ts';
import { createClock } from '../../web/src/sale/clock.ts';
import { keptIn } from './kept-in.ts';

describe('the session of a group’s page', () => {
  let server: Server | null = null;
  afterEach(() => server?.close());

  type GroupRequest = { path: string; token: string; body: string };
  /** A server of one group, whose answers the test gives. */
  async function serve(answer: (seen: GroupRequest) => [status: number, body: object]) {
    const calls: GroupRequest[] = [];
    server = createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      const path = request.url!.replace('/pub/performance-groups/pg_1/', '');
      const seen = { path, token: request.headers.authorization?.replace('Bearer ', '') ?? '', body };
      calls.push(seen);
      const [status, told] = answer(seen);
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(told));
    });
    await new Promise<void>((resolve) => server!.listen(0, resolve));
    return { calls, url: `http://localhost:${(server.address() as AddressInfo).port}` };
  }

  test('that has expired is followed by one that takes its holds over', async () => {
    const expired = new Set<string>();
    const { calls, url } = await serve(({ path, token }) => {
      if (path === 'sessions') return [200, { token: 'bgs_2' }];
      return expired.has(token) ? [401, { code: 'buyer_access_expired' }] : [200, { ok: true }];
    });
    const stored = new Map<string, string>();
    let session = 'bgs_1';
    const access = { token: async () => session };
    const api = createGroupApi(url, 'pg_1', access, createClock(), keptIn(stored), 'ada');
    await api.call('GET', 'descriptor');
    expired.add('bgs_1');
    session = 'bgs_2';
    expect(await api.call('GET', 'objects')).toMatchObject({ ok: true });
    expect(calls.map(({ path, token }) => `${path} ${token}`)).toEqual([
      'descriptor bgs_1',
      'objects bgs_1',
      'session/adopt bgs_2',
      'objects bgs_2',
    ]);
    expect(calls[2]!.body).toBe('{"previousToken":"bgs_1"}');
    // The next page of this buyer begins with the latest session, and of another buyer with none.
    session = 'bgs_3';
    await createGroupApi(url, 'pg_1', access, createClock(), keptIn(stored), 'ada').call('GET', 'descriptor');
    expect(calls.at(-2)).toMatchObject({ path: 'session/adopt', token: 'bgs_3', body: '{"previousToken":"bgs_2"}' });
    await createGroupApi(url, 'pg_1', access, createClock(), keptIn(stored), 'ben').call('GET', 'descriptor');
    expect(calls.filter(({ path }) => path === 'session/adopt')).toHaveLength(2);
  });

  test('is not replaced while nobody knows whether its holds were taken over', async () => {
    let isDown = true;
    const { calls, url } = await serve(({ path }) =>
      path === 'session/adopt' && isDown ? [503, { code: 'catalog_unavailable' }] : [200, { token: 'bgs_2' }],
    );
    const stored = new Map([['parterre:session:pg_1:session:', 'bgs_1']]);
    const api = createGroupApi(url, 'pg_1', { token: async () => 'bgs_2' }, createClock(), keptIn(stored));
    expect(await api.call('GET', 'descriptor')).toMatchObject({ ok: false, status: 503 });
    isDown = false;
    expect(await api.call('GET', 'descriptor')).toMatchObject({ ok: true });
    const adoptions = calls.filter(({ path }) => path === 'session/adopt');
    expect(adoptions.map(({ body }) => body)).toEqual(Array(2).fill('{"previousToken":"bgs_1"}'));
  });

  test('of a key is kept over a reload, and replaced when the server does not know it', async () => {
    const { calls, url } = await serve(({ path, token }) => {
      if (path === 'sessions') return [200, { token: 'bgs_2' }];
      if (path === 'session/adopt') return [401, { code: 'buyer_access_invalid' }];
      return token === 'bgs_2' ? [200, {}] : [401, { code: 'buyer_access_invalid' }];
    });
    const stored = new Map([['parterre:session:pg_1:key-aaaaaaaa:', 'bgs_1']]);
    const access = { publicKey: 'pk_test_aaaaaaaa' };
    expect(await createGroupApi(url, 'pg_1', access, createClock(), keptIn(stored)).enter('descriptor')).toMatchObject({
      ok: true,
    });
    expect(calls.map(({ path }) => path)).toEqual(['descriptor', 'sessions', 'session/adopt', 'descriptor']);
    await createGroupApi(url, 'pg_1', access, createClock(), keptIn(stored)).enter('descriptor');
    expect(calls.slice(4).map(({ path }) => path)).toEqual(['descriptor']);
  });
});
