/** The time of a real NATS server, as a shard asks for it. */
import { jetstreamManager } from '@nats-io/jetstream';
import { systemClock } from '@parterre/shared/clock';
import { createLog } from '@parterre/shared/log';
import { connectNats } from '@parterre/shared/nats';
import { expect, test } from 'vitest';
import { createNatsTime } from '../../../services/inventory-shard/src/steady-clock/steady-clock.ts';
import { debianNatsVersion, startNats } from '../../support/servers/nats.ts';

async function natsTime(version?: string) {
  const server = await startNats(version === undefined ? {} : { version });
  const nats = await connectNats({ url: server.url, name: 'test' }, createLog('test', 'silent'));
  try {
    const manager = await jetstreamManager(nats);
    await manager.streams.add({ name: 'JOURNAL-0', subjects: ['journal.0.>'] });
    return { time: await createNatsTime(manager, 1, systemClock)(), here: systemClock.now() - systemClock.elapsed() };
  } finally {
    await nats.close();
    await server.stop();
  }
}

test('a server on this machine tells the time of this machine', async () => {
  const { time, here } = await natsTime();
  expect(Math.abs((time as number) - here)).toBeLessThan(1_000);
});

test('a server of 2.9 does not tell its time', async () => {
  expect((await natsTime(debianNatsVersion)).time).toBe('untold');
});
