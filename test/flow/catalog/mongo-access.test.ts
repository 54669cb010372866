/** How the catalog gets into a MongoDB that knows its users, and the one clear line for a wrong credential. */
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { collections } from '../../../services/catalog/src/store/collections.ts';
import { openMongoStore } from '../../../services/catalog/src/store/mongo-store.ts';
import { createAuthority } from '../../support/servers/authority.ts';
import { type MongoDoor, openMongoDoor } from '../../support/servers/mongo-door.ts';
import { startService } from '../../support/servers/service.ts';

const known = { user: 'catalog', password: 's3cret:/@' };
let folder = '';
let door: MongoDoor | null = null;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parterre-test-mongo-'));
});

afterEach(async () => {
  await door?.close();
  door = null;
  await rm(folder, { recursive: true, force: true });
});

function urlOf(password: string, options = '', host = '127.0.0.1'): string {
  return `mongodb://${known.user}:${encodeURIComponent(password)}@${host}:${door!.port}/shop?authSource=shop${options}`;
}

/** `in`, or the reason why not. */
async function entered(url: string): Promise<string> {
  try {
    const store = await openMongoStore(url, collections);
    await store.close();
    return 'in';
  } catch (error) {
    return `${(error as Error).message}`;
  }
}

/** The words of a catalog that ends with exit code 1. */
async function lastWordsOf(env: Record<string, string>): Promise<string[]> {
  const service = startService('catalog', { PARTERRE_DATA: folder, ...env });
  try {
    expect(await service.exited).toBe(1);
    return service.lastWords();
  } finally {
    await service.stop();
  }
}

test('a user enters with the right password', async () => {
  door = await openMongoDoor(known);
  expect(await entered(urlOf(known.password))).toBe('in');
});

test('a wrong password, and no password, end the start with one line', async () => {
  door = await openMongoDoor(known);
  const words = 'enter MongoDB at MONGODB_URL: Authentication failed.';
  expect(await entered(urlOf('wrong'))).toBe(words);
  const MONGODB_URL_FILE = join(folder, 'mongodb-url');
  await writeFile(MONGODB_URL_FILE, `${urlOf('wrong')}\n`);
  expect(await lastWordsOf({ MONGODB_URL: '', MONGODB_URL_FILE })).toEqual([words]);
  expect(await lastWordsOf({ MONGODB_URL: `mongodb://127.0.0.1:${door.port}/` })).toEqual([
    'enter MongoDB at MONGODB_URL: Command listCollections requires authentication',
  ]);
});

test('an address that cannot be read ends the start with one line, which keeps the password', async () => {
  const [line = '', ...more] = await lastWordsOf({ MONGODB_URL: 'mongodb://catalog:s3cr@et@:/shop' });
  expect(more).toEqual([]);
  expect(line).toMatch(/^read MONGODB_URL: /);
  expect(line).not.toContain('s3cr');
});

test('TLS takes an authority and a client certificate from files', { timeout: 60_000 }, async () => {
  const [authority, other] = await Promise.all([createAuthority(), createAuthority('Another authority')]);
  try {
    const [server, client] = await Promise.all([authority.issue('server'), authority.issue('client')]);
    door = await openMongoDoor(known, {
      cert: readFileSync(server.certFile),
      key: readFileSync(server.keyFile),
      ca: readFileSync(authority.caFile),
      requestCert: true,
      rejectUnauthorized: true,
    });
    const both = join(folder, 'client.pem');
    await writeFile(both, Buffer.concat([readFileSync(client.certFile), readFileSync(client.keyFile)]));
    const tls = (caFile: string) => `&tls=true&tlsCAFile=${encodeURIComponent(caFile)}`;
    const certificate = `&tlsCertificateKeyFile=${encodeURIComponent(both)}`;
    expect(await entered(urlOf(known.password, tls(authority.caFile) + certificate, 'localhost'))).toBe('in');
    const distrusted = await entered(urlOf(known.password, tls(other.caFile) + certificate, 'localhost'));
    expect(distrusted).toMatch(/^enter MongoDB at MONGODB_URL: .*certificate/);
  } finally {
    await Promise.all([authority.remove(), other.remove()]);
  }
});
