/** How services get into a NATS that knows its users: each kind of credential, and one clear line for a wrong one. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nkeys } from '@nats-io/transport-node';
import { createLog } from '@parterre/shared/runtime/log';
import { connectNats } from '@parterre/shared/runtime/nats';
import { readNatsAccess } from '@parterre/shared/runtime/nats-access';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { pickPorts } from '../../../scripts/launch/port.ts';
import { createAuthority } from '../../support/servers/authority.ts';
import { startNats, type TestNats } from '../../support/servers/nats.ts';
import { createNatsOperator } from '../../support/servers/nats-operator.ts';
import { launch } from '../../support/servers/server.ts';
import { startService } from '../../support/servers/service.ts';

let folder = '';
let server: TestNats | null = null;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parterre-test-access-'));
});

afterEach(async () => {
  await server?.stop();
  server = null;
  await rm(folder, { recursive: true, force: true });
});

async function fileWith(text: string, name = 'secret'): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, text);
  return file;
}

async function serverWith(config: string): Promise<TestNats> {
  server = await startNats({ sync: '2m', config });
  return server;
}

type Environment = Record<string, string>;

/** `in`, or the reason why not. */
async function entered(environment: Environment): Promise<string> {
  try {
    const nats = await connectNats({ ...readNatsAccess(environment), name: 'test' }, createLog('test', 'silent'));
    await nats.flush();
    await nats.close();
    return 'in';
  } catch (error) {
    return (error as Error).message;
  }
}

/** The output of a front door that ends with exit code 1. */
async function lastWordsOf(environment: Environment): Promise<string[]> {
  const service = startService('frontdoor', environment);
  try {
    expect(await service.exited).toBe(1);
    return service.lastWords();
  } finally {
    await service.stop();
  }
}

const refused = /^enter NATS at 127\.0\.0\.1: the server refuses the credentials \(Authorization Violation\)$/;

describe('a NATS that knows its users', () => {
  test('takes a user and password, from variables, from a file and from the address', async () => {
    const { url } = await serverWith('authorization { user: shop, password: "s3cret:/@" }');
    const file = await fileWith('s3cret:/@\n');
    expect(await entered({ NATS_URL: url, NATS_USER: 'shop', NATS_PASSWORD: 's3cret:/@' })).toBe('in');
    expect(await entered({ NATS_URL: url, NATS_USER: 'shop', NATS_PASSWORD_FILE: file })).toBe('in');
    const address = url.replace('://', `://shop:${encodeURIComponent('s3cret:/@')}@`);
    expect(await entered({ NATS_URL: address })).toBe('in');
    expect(await entered({ NATS_URL_FILE: await fileWith(address, 'address') })).toBe('in');
  });

  test('takes a token', async () => {
    const { url } = await serverWith('authorization { token: "a-long-token" }');
    expect(await entered({ NATS_URL: url, NATS_TOKEN_FILE: await fileWith('a-long-token\n') })).toBe('in');
    expect(await entered({ NATS_URL: url.replace('://', '://a-long-token@') })).toBe('in');
    expect(await entered({ NATS_URL: url, NATS_TOKEN: 'another' })).toMatch(refused);
  });

  test('takes an nkey, of which it knows the public half alone', async () => {
    const user = nkeys.createUser();
    const { url } = await serverWith(`authorization { users: [{ nkey: ${user.getPublicKey()} }] }`);
    const seedOf = (pair: typeof user): string => new TextDecoder().decode(pair.getSeed());
    expect(await entered({ NATS_URL: url, NATS_NKEY_FILE: await fileWith(`${seedOf(user)}\n`) })).toBe('in');
    expect(await entered({ NATS_URL: url, NATS_NKEY: seedOf(nkeys.createUser()) })).toMatch(refused);
  });

  test('takes the creds file of a user whom its operator’s account signed', async () => {
    const operator = createNatsOperator();
    const { url } = await serverWith(operator.config);
    expect(await entered({ NATS_URL: url, NATS_CREDS_FILE: await fileWith(operator.creds()) })).toBe('in');
    const stranger = await fileWith(createNatsOperator().creds());
    expect(await entered({ NATS_URL: url, NATS_CREDS_FILE: stranger })).toMatch(refused);
    expect(await entered({ NATS_URL: url, NATS_CREDS_FILE: await fileWith(operator.creds(-60_000)) })).toMatch(
      /refuses the credentials/,
    );
  });

  test('gets a changed password at the next reconnect', async () => {
    const users = (password: string) => `authorization { user: shop, password: ${password} }`;
    const { url, port, storeDir } = await serverWith(users('first'));
    const file = await fileWith('first');
    const access = readNatsAccess({ NATS_URL: url, NATS_USER: 'shop', NATS_PASSWORD_FILE: file });
    const nats = await connectNats({ ...access, name: 'test' }, createLog('test', 'silent'));
    try {
      await server!.kill();
      await rm(file);
      server = await startNats({ sync: '2m', config: users('second'), port, storeDir });
      await fileWith('second');
      await expect.poll(() => nats.flush().then(() => 'back', String), { timeout: 10_000 }).toBe('back');
    } finally {
      await nats.close();
      await rm(storeDir, { recursive: true, force: true });
    }
  });
});

describe('a NATS with TLS', () => {
  test('is known by its authority, and knows a client by its certificate', async () => {
    const [authority, other] = await Promise.all([createAuthority(), createAuthority('Another authority')]);
    const [own, client, stranger] = await Promise.all([
      authority.issue('server'),
      authority.issue('client'),
      other.issue('stranger'),
    ]);
    const { port } = await serverWith(
      `tls { cert_file: "${own.certFile}", key_file: "${own.keyFile}", ca_file: "${authority.caFile}", verify: true }`,
    );
    const url = `tls://localhost:${port}`;
    const certificate = ({ certFile, keyFile }: typeof client) => ({
      NATS_TLS_CERT_FILE: certFile,
      NATS_TLS_KEY_FILE: keyFile,
    });
    const trusted = { NATS_URL: url, NATS_TLS_CA_FILE: authority.caFile };
    try {
      expect(await entered({ ...trusted, ...certificate(client) })).toBe('in');
      const notOurs = 'enter NATS at localhost: the server ';
      expect(await entered({ ...trusted, ...certificate(stranger) })).toContain(notOurs);
      expect(await entered(trusted)).toContain(`${notOurs}does not accept the client certificate`);
      expect(await entered({ ...trusted, NATS_TLS_CA_FILE: other.caFile, ...certificate(client) })).toMatch(
        /^enter NATS at localhost: the certificates do not fit/,
      );
      expect(await lastWordsOf(trusted)).toEqual([expect.stringContaining(notOurs)]);
    } finally {
      await Promise.all([authority.remove(), other.remove()]);
    }
  });

  test('is asked for: a server without TLS gets no credentials', async () => {
    const { port } = await serverWith('authorization { token: "a-long-token" }');
    const words = await entered({ NATS_URL: `tls://localhost:${port}`, NATS_TOKEN: 'a-long-token' });
    expect(words).toBe('enter NATS at localhost: the server has no TLS');
  });
});

describe('a service with a wrong credential', () => {
  test.each(['catalog', 'notifier', 'inventory-shard', 'frontdoor'] as const)(
    '%s ends with one line and exit code 1',
    async (name) => {
      const { url } = await serverWith('authorization { user: shop, password: right }');
      const env = { NATS_URL: url, NATS_USER: 'shop', NATS_PASSWORD: 'wrong', PARTERRE_DATA: folder };
      const service = startService(name, env);
      expect(await service.exited).toBe(1);
      expect(service.lastWords()).toEqual([expect.stringMatching(refused)]);
    },
  );

  test('ends with one line when a secret cannot be read', async () => {
    const missing = join(folder, 'missing');
    expect(await lastWordsOf({ NATS_USER: 'shop', NATS_PASSWORD_FILE: missing })).toEqual([
      `read NATS_PASSWORD_FILE: ${missing} cannot be read (ENOENT)`,
    ]);
    expect(await lastWordsOf({ PARTERRE_ROOT_TOKEN_FILE: await fileWith('short\n') })).toEqual([
      'read PARTERRE_ROOT_TOKEN: it needs at least 32 characters',
    ]);
  });
});

test('npm start enters the NATS of NATS_URL with the given credentials, and tells a refusal in one line', async () => {
  const { url } = await serverWith('authorization { user: shop, password: right }');
  const env = { NATS_URL: url, NATS_USER: 'shop', MONGODB_URL: '' };
  const refusing = launch(folder, { ...env, NATS_PASSWORD: 'wrong' });
  expect(await refusing.exited).toBe(1);
  const told = refusing.output.text().match(/Parterre did not start.*/)?.[0];
  expect(told).toMatch(
    /did not start: it ended \(code 1\): enter NATS at 127.0.0.1: the server refuses the credentials/,
  );
  const started = launch(folder, { ...env, NATS_PASSWORD: 'right' });
  await expect.poll(() => started.output.text(), { timeout: 30_000 }).toContain('Parterre is ready');
  started.child.kill('SIGINT');
  expect(await started.exited).toBe(0);
}, 60_000);

test('health is open before NATS answers, and readiness follows NATS', async () => {
  const [port, healthPort] = (await pickPorts(2)) as [number, number];
  const env = { NATS_URL: `nats://127.0.0.1:${port}`, HEALTH_PORT: String(healthPort), PARTERRE_DATA: folder };
  const statusOf = (path: string) =>
    fetch(`http://127.0.0.1:${healthPort}/${path}`).then(
      ({ status }) => status,
      () => 0,
    );
  const service = startService('catalog', env);
  try {
    await expect.poll(() => statusOf('healthz'), { timeout: 20_000 }).toBe(200);
    expect(await statusOf('readyz')).toBe(503);
    server = await startNats({ sync: '2m', port });
    await service.ready;
    expect(await statusOf('readyz')).toBe(200);
  } finally {
    await service.stop();
  }
});
