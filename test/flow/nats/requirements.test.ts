/** The demands of a service on its NATS server. */
import { createLog } from '@parterre/shared/log';
import { connectNats } from '@parterre/shared/nats';
import { expect, test } from 'vitest';
import { debianNatsVersion, startNats } from '../../support/servers/nats.ts';
import { startService } from '../../support/servers/service.ts';

test('a server that takes only small messages is refused, with the limit that it lacks', async () => {
  const server = await startNats({ config: 'max_payload: 1048576' });
  try {
    const connecting = connectNats({ url: server.url, name: 'test' }, createLog('test', 'silent'));
    await expect(connecting).rejects.toThrow(/max_payload is 1048576, and must be 8388608/);
  } finally {
    await server.stop();
  }
});

test('a shard keeps no copies of its journal on a server that is too old for them', async () => {
  const server = await startNats({ version: debianNatsVersion });
  const shard = startService('inventory-shard', { NATS_URL: server.url, JOURNAL_REPLICAS: '3' });
  try {
    expect(await shard.exited).toBe(1);
    expect(shard.lastWords()).toEqual([expect.stringContaining('keep 3 copies of the journal on NATS 2.9.10')]);
  } finally {
    await shard.stop();
    await server.stop();
  }
});
