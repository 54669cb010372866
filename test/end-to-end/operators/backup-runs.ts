/** `npx parterre backup|restore|drill` as an operator types them, and deployments that are restored. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../../../scripts/launch/root.ts';
import { startParterre } from '../../support/servers/server.ts';
import type { Json, Shop } from '../shop.ts';

export const backupEnv = { PARTERRE_NATS_SYNC: '2m', PARTERRE_BUDGETS: 'off', JOURNAL_PARTITIONS: '2' };

type Ran = { code: number | null; out: string; said: string };

/** Runs a command in `folder`, on the data folder `data` in it. The process is killed at a line that `killAt` names. */
export async function parterreIn(folder: string, data: string, args: string[], killAt?: RegExp): Promise<Ran> {
  const child = spawn(process.execPath, [join(root, 'dist/parterre.js'), ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, PORT: '0', PARTERRE_DATA: join(folder, data) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ran: Ran = { code: null, out: '', said: '' };
  child.stdout.on('data', (chunk) => (ran.out += chunk));
  child.stderr.on('data', (chunk) => {
    ran.said += chunk;
    if (killAt?.test(ran.said)) child.kill('SIGKILL');
  });
  [ran.code] = await once(child, 'close');
  return ran;
}

export type Ask = (method: string, path: string, body?: unknown) => Promise<{ status: number; body: Json }>;

/** Starts a restored deployment. `ask` has the key of the shop that was backed up. */
export async function startRestored(
  dataDir: string,
  shop: Pick<Shop, 'token'>,
  env: Record<string, string> = backupEnv,
) {
  const restored = await startParterre({ dataDir, env });
  const ask: Ask = async (method, path, body) => {
    const response = await fetch(restored.url + path, {
      method,
      headers: { Authorization: `Bearer ${shop.token}`, 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Json };
  };
  return { restored, ask };
}

/** The files of the journals in a backup, with the time of their last change. */
export async function segmentsOf(backup: string): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for (const entry of await readdir(join(backup, 'journals'), { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) found.set(path, (await stat(path)).mtimeMs);
  }
  return found;
}
