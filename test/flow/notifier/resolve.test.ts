/** Names of receivers, looked up at a DNS server of the test. */
import { readFile } from 'node:fs/promises';
import { receiverAddressesMax } from '@parterre/shared/protocol/webhook-limits';
import { systemClock } from '@parterre/shared/runtime/clock';
import { afterEach, expect, it } from 'vitest';
import { createResolve } from '../../../services/notifier/src/endpoints/resolve.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { startNameServer } from '../../support/servers/name-server.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function open(answer: (name: string) => string[] | null, clock = systemClock) {
  const server = await startNameServer(answer);
  closing.push(server.close);
  const resolve = createResolve(clock, [server.address]);
  const start = (name: string) => {
    let giveUp = () => {};
    const addresses = new Promise<string[]>((done) => {
      giveUp = resolve(name, done);
    });
    closing.push(() => giveUp());
    return { addresses, giveUp };
  };
  return { server, start, addressesOf: (name: string) => start(name).addresses };
}

it('gives the addresses of both families, IPv4 first', async () => {
  const { addressesOf } = await open(() => ['2606:4700::1111', '9.9.9.9']);
  expect(await addressesOf('hooks.example')).toEqual(['9.9.9.9', '2606:4700::1111']);
});

it('gives none for a name that does not exist', async () => {
  const { addressesOf } = await open(() => []);
  expect(await addressesOf('hooks.example')).toEqual([]);
});

it('gives no more addresses than the bound', async () => {
  const { addressesOf } = await open(() => Array.from({ length: 20 }, (_, index) => `9.9.9.${index}`));
  expect(await addressesOf('hooks.example')).toHaveLength(receiverAddressesMax);
});

it.each(['localhost', 'LOCALHOST', 'localhost.', 'shop.localhost'])('asks no server for %s', async (name) => {
  const { addressesOf, server } = await open(() => ['9.9.9.9']);
  expect(await addressesOf(name)).toEqual(['127.0.0.1', '::1']);
  expect(server.asked).toEqual([]);
});

it('fifty names that never resolve stop neither another name nor the file system', async () => {
  const { addressesOf, start } = await open((name) => (name.startsWith('silent') ? null : ['9.9.9.9']));
  const silent = Array.from({ length: 50 }, (_, index) => start(`silent${index}.example`));
  let resolved = 0;
  for (const { addresses } of silent) void addresses.then(() => resolved++);
  expect(await addressesOf('hooks.example')).toEqual(['9.9.9.9']);
  await readFile('package.json');
  expect(resolved).toBe(0);
});

it('ends a look-up without an answer', async () => {
  const clock = new ManualClock();
  const { start } = await open(() => null, clock);
  const { addresses } = start('silent.example');
  clock.advance(5_000);
  expect(await addresses).toEqual([]);
});
