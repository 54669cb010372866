/** What a service asks of its NATS server before it works with it. */
import { createLog } from '@parterre/shared/log';
import { connectNats } from '@parterre/shared/nats';
import { expect, test } from 'vitest';
import { startNats } from '../support/nats.ts';

test('a server that takes only small messages is refused, and told what it lacks', async () => {
  const server = await startNats({ config: 'max_payload: 1048576' });
  try {
    const connecting = connectNats({ url: server.url, name: 'test' }, createLog('test', 'silent'));
    await expect(connecting).rejects.toThrow(/max_payload is 1048576, and must be 8388608/);
  } finally {
    await server.stop();
  }
});
