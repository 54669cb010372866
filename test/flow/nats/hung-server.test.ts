/** A NATS server that hangs keeps its connections, and takes new ones in. Its clients leave it. */
import { createLog } from '@parterre/shared/runtime/log';
import { connectNats } from '@parterre/shared/runtime/nats';
import { expect, test } from 'vitest';
import { Link } from '../../support/servers/link.ts';
import { startNats } from '../../support/servers/nats.ts';

/** 1.8 s, and what a busy machine adds. Without the settings a client takes more than 4 s to notice, then 20 s. */
const leftWithinMs = 3_900;

test('a client leaves a server that hangs, and dials another first', async () => {
  const server = await startNats({ sync: '2m' });
  const links = await Promise.all([Link.to(server.url), Link.to(server.url)]);
  const url = links.map((link) => link.url).join(',');
  const nats = await connectNats({ url, name: 'test' }, createLog('test', 'silent'));
  try {
    // The first link that hangs is left for the other, and that one for the first, which works again.
    for (let round = 0; round < 2; round++) {
      const hung = links.find((link) => link.url.endsWith(nats.getServer()))!;
      expect(hung).toBeDefined();
      const startedAt = performance.now();
      hung.freeze();
      for await (const status of nats.status()) if (status.type === 'reconnect') break;
      expect(performance.now() - startedAt).toBeLessThan(leftWithinMs);
      expect(hung.url.endsWith(nats.getServer())).toBe(false);
      hung.cut();
      hung.restore();
    }
  } finally {
    await nats.close();
    await Promise.all(links.map((link) => link.close()));
    await server.stop();
  }
});
