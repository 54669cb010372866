/** The deployment secret with a real NATS: made once by shards, found by front doors, and the same after a restart. */
import { systemClock } from '@parterre/shared/runtime/clock';
import { askedLayout } from '@parterre/shared/runtime/cluster-layout';
import {
  askedSecrets,
  awaitSecret,
  findSecrets,
  keyFor,
  keysFor,
  nameKeyFor,
  settleSecret,
} from '@parterre/shared/runtime/deployment-secret';
import { createLog } from '@parterre/shared/runtime/log';
import { connectNats, type NatsConnection } from '@parterre/shared/runtime/nats';
import { settleLayout } from '@parterre/shared/runtime/standing-layout';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { impatient } from '../../support/impatient.ts';
import { startNats, type TestNats } from '../../support/servers/nats.ts';
import { startService } from '../../support/servers/service.ts';

const log = createLog('test', 'silent');
let server: TestNats;
let nats: NatsConnection;

beforeEach(async () => {
  server = await startNats({ sync: '2m' });
  nats = await connectNats({ url: server.url, name: 'test' }, log);
});
afterEach(async () => {
  await nats.close();
  await server.stop();
});

/** The first steps of a shard. */
async function startShard(link = nats): Promise<void> {
  await settleLayout(link, askedLayout({}), 1);
  await settleSecret(link);
}

test('Shards that start at once make one secret, and later ones keep it', async () => {
  const links = await Promise.all([1, 2, 3].map(() => connectNats({ url: server.url, name: 'test' }, log)));
  const waiting = links.map((link) => awaitSecret({ nats: link, clock: systemClock, log }));
  await Promise.all(links.map(startShard));
  const found = new Set(await Promise.all(waiting));
  await startShard();
  found.add(await awaitSecret({ nats, clock: systemClock, log }));
  expect(found.size).toBe(1);
  expect([...found][0]).toMatch(/^[0-9A-Za-z]{48}$/);
  await Promise.all(links.map((link) => link.close()));
});

test('A front door that finds no secret says so after a while, and goes on when the secret comes', async () => {
  const { clock, log: listening, warnings } = impatient(log);
  // A shard from before the secret.
  await settleLayout(nats, askedLayout({}), 1);
  const secret = awaitSecret({ nats, clock, log: listening });
  await expect.poll(() => warnings.length).toBeGreaterThan(0);
  expect(warnings[0]).toContain('set PARTERRE_SECRET');
  await startShard();
  expect(await secret).toHaveLength(48);
});

test('Each use of a secret has a key of its own', () => {
  const keys = [keyFor('tickets', 'a'), keyFor('hold ids', 'a'), keyFor('tickets', 'b')];
  expect(new Set(keys.map((key) => key.export().toString('hex'))).size).toBe(3);
  expect(keyFor('tickets', 'a').equals(keys[0]!)).toBe(true);
});

const before = 'b'.repeat(32);
const next = 'n'.repeat(32);

test.each([
  [{}, { current: 'of NATS', previous: null }],
  [{ PARTERRE_SECRET: next }, { current: next, previous: null }],
  [
    { PARTERRE_SECRET: next, PARTERRE_SECRET_PREVIOUS: before },
    { current: next, previous: before },
  ],
  [
    { PARTERRE_SECRET: next, PARTERRE_SECRET_PREVIOUS: 'kept' },
    { current: next, previous: 'of NATS' },
  ],
])('The secrets of %o are %o', async (environment, secrets) => {
  expect(await findSecrets(askedSecrets(environment), async () => 'of NATS')).toEqual(secrets);
});

test('While the secret changes, both sign and the previous one names', () => {
  const secrets = { current: next, previous: before };
  expect(keysFor('tickets', secrets).map((key) => key.equals(keyFor('tickets', before)))).toEqual([false, true]);
  expect(nameKeyFor('hold ids', secrets).equals(keyFor('hold ids', before))).toBe(true);
  expect(nameKeyFor('hold ids', { ...secrets, previous: null }).equals(keyFor('hold ids', next))).toBe(true);
});

test.each([
  [{ PARTERRE_SECRET_PREVIOUS: before }, 'PARTERRE_SECRET, the secret after it, is not set'],
  [{ PARTERRE_SECRET: next, PARTERRE_SECRET_PREVIOUS: 'short' }, 'PARTERRE_SECRET_PREVIOUS: it needs at least 32'],
])('The secrets of %o are refused', (environment, words) => {
  expect(() => askedSecrets(environment)).toThrow(words);
});

test('A front door refuses a secret that is too short, in one line', async () => {
  const service = startService('frontdoor', { NATS_URL: server.url, PARTERRE_SECRET: 'short' });
  expect(await service.exited).toBe(1);
  expect(service.lastWords()).toEqual([
    expect.stringContaining('read PARTERRE_SECRET: it needs at least 32 characters'),
  ]);
});
