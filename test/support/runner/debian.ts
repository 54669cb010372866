/** Programs of Debian packages: looks in PATH, or installs with apt-get. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type RunOptions, runCommand } from '../../../scripts/launch/run-command.ts';

const installMsMax = 300_000;
/** Another process may be using apt. */
const lockSecondsMax = 120;

/** The first of these programs in PATH. */
export function inPath(names: readonly string[]): string | null {
  // Not every user has the folders of servers in PATH.
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  const files = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  return files.find(isExecutable) ?? null;
}

/**
 * Installs with apt-get, and starts no service. Null, or the failure. Only one process may call this at a time: apt has
 * one lock.
 */
export async function installPackages(
  packages: readonly string[],
  say: (line: string) => void,
): Promise<string | null> {
  if (process.getuid?.() !== 0) return `On Debian: apt-get install ${packages.join(' ')}`;
  say(`Installing ${packages.join(' and ')} with apt-get …`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  const options: RunOptions = { deadlineMs: installMsMax, env };
  const common = ['-qq', '-o', `DPkg::Lock::Timeout=${lockSecondsMax}`];
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', ...packages]]) {
    const ran = await runCommand('apt-get', [...common, ...args], options);
    if (!ran.ok) return `apt-get ${args[0]} failed: ${ran.why}`;
  }
  return null;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
