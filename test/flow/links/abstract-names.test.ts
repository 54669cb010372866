/** The Unix socket of a shard goes with its process: no file stays behind, however the process ends. */
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { systemClock } from '@parterre/shared/clock';
import { keyFor } from '@parterre/shared/deployment-secret';
import { createLog } from '@parterre/shared/log';
import { expect, test } from 'vitest';
import { LinkServer } from '../../../services/inventory-shard/src/links/links.ts';

const folders = (): string[] => readdirSync(tmpdir()).filter((name) => name.startsWith('parterre-link-'));

test.runIf(process.platform === 'linux')('a listening shard has no file in the temporary folder', async () => {
  const before = folders();
  const key = keyFor('links', 'the secret of this deployment, long enough');
  const server = new LinkServer({ key, clock: systemClock, log: createLog('test', 'silent') });
  try {
    expect(await server.listen(null)).toMatch(/^\0parterre-link-/);
    expect(folders().filter((name) => !before.includes(name))).toEqual([]);
  } finally {
    server.close();
  }
});
