/** The demands of a service on its NATS server. */
import { createLog } from '@parterre/shared/runtime/log';
import { connectNats } from '@parterre/shared/runtime/nats';
import { expect, test } from 'vitest';
import { startNats } from '../../support/servers/nats.ts';

test('a server that takes only small messages is refused, with the limit that it lacks', async () => {
  const server = await startNats({ config: 'max_payload: 1048576' });
  try {
    const connecting = connectNats({ url: server.url, name: 'test' }, createLog('test', 'silent'));
    await expect(connecting).rejects.toThrow(/max_payload is 1048576, and must be 8388608/);
  } finally {
    await server.stop();
  }
});
