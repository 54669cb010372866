/** The time of a real NATS server, as a shard asks for it. */
import { jetstreamManager } from '@nats-io/jetstream';
import { systemClock } from '@parterre/shared/runtime/clock';
import { createLog } from '@parterre/shared/runtime/log';
import { connectNats } from '@parterre/shared/runtime/nats';
import { expect, test } from 'vitest';
import { createNatsTime } from '../../../services/inventory-shard/src/steady-clock/nats-time.ts';
import { startNats } from '../../support/servers/nats.ts';

test('a server on this machine tells the time of this machine', async () => {
  const server = await startNats();
  const nats = await connectNats({ url: server.url, name: 'test' }, createLog('test', 'silent'));
  try {
    const manager = await jetstreamManager(nats);
    await manager.streams.add({ name: 'JOURNAL-0', subjects: ['journal.0.>'] });
    const time = await createNatsTime(manager, 1, systemClock)();
    const here = systemClock.now() - systemClock.elapsed();
    expect(Math.abs((time as number) - here)).toBeLessThan(1_000);
  } finally {
    await nats.close();
    await server.stop();
  }
});
