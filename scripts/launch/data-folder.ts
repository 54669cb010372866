/**
 * The data folder belongs to one launcher at a time (launch.pid) and lists its processes (run.json). A new launcher can
 * therefore end the processes that a killed launcher left behind, before it opens the data.
 */
import { chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { runCommand } from './run-command.ts';

/**
 * `urls` are the front doors', `natsUrl` has every server's address, `processes` the pid of every process, `health` the
 * address of each service's /healthz, /readyz and /metrics.
 */
export type RunFile = {
  pid: number;
  urls: string[];
  natsUrl: string;
  processes: Record<string, number>;
  health: Record<string, string>;
};

const psMs = 5_000;
const goneMs = 5_000;
const pollMs = 20;
/** The bit of a folder such as /tmp, which every user writes to. */
const sharedByAll = 0o1000;

/** Claims the folder, or names the present claimant. */
export async function claimDataFolder(folder: string): Promise<{ claimed: true } | { problem: string }> {
  const shared = closeToOthers(folder);
  if (shared) return shared;
  const file = join(folder, 'launch.pid');
  for (;;) {
    try {
      writeFileSync(file, String(process.pid), { flag: 'wx', mode: 0o600 });
      return { claimed: true };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
        return {
          problem: `${folder} is not writable (${(error as Error).message}). Name another folder: PARTERRE_DATA=<folder>.`,
        };
      }
    }
    const holder = Number(readFileSync(file, 'utf8'));
    if (await runs(holder, /launch\.js|start\.mjs/)) {
      return {
        problem:
          `Parterre already runs on ${folder} (process ${holder}).\n` +
          `Stop it with \`kill ${holder}\`, or start another one beside it: PORT=0 PARTERRE_DATA=.parterre-2 npm start`,
      };
    }
    rmSync(file, { force: true });
  }
}

/**
 * The folder has secrets, so its owner alone may look into it, however it was made. New files are closed too, because
 * every process here inherits the launcher's umask (main.ts).
 */
function closeToOthers(folder: string): { problem: string } | null {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if ((statSync(folder).mode & sharedByAll) !== 0) {
      return {
        problem: `${folder} belongs to all users of this machine. Name a folder of its own: PARTERRE_DATA=<folder>.`,
      };
    }
    chmodSync(folder, 0o700);
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.isDirectory()) chmodSync(join(folder, entry.name), 0o700);
      else if (entry.isFile()) chmodSync(join(folder, entry.name), 0o600);
    }
    return null;
  } catch (error) {
    return {
      problem:
        `${folder} cannot be closed to other users of this machine (${(error as Error).message}). ` +
        'Name another folder: PARTERRE_DATA=<folder>.',
    };
  }
}

export function leaveDataFolder(folder: string): void {
  rmSync(join(folder, 'run.json'), { force: true });
  rmSync(join(folder, 'launch.pid'), { force: true });
}

/** Acknowledged work is journaled, so processes of an earlier launcher may be ended at once. */
export async function endLeftovers(folder: string, say: (line: string) => void): Promise<void> {
  const left = readJson<RunFile>(join(folder, 'run.json'));
  for (const [name, pid] of Object.entries(left?.processes ?? {})) {
    if (!(await runs(pid, /dist\/[\w-]+\.js|nats\.conf/))) continue;
    say(`Ending ${name} (process ${pid}), left behind by a launcher that was killed`);
    process.kill(pid, 'SIGKILL');
    for (let waited = 0; isAlive(pid) && waited < goneMs; waited += pollMs) await pause(pollMs);
  }
}

export function writeRunFile(folder: string, run: RunFile): void {
  writeJson(join(folder, 'run.json'), run);
}

/** The file of a restore that has not ended: no service may run on the folder. */
export const markFile = (folder: string): string => join(folder, 'restore.json');

/** The file that tells front doors the keys under which visitors of the demo draw. */
export const demoKeysFile = (folder: string): string => join(folder, 'demo-keys.json');

/** Null for an absent or incomplete file. */
export function readJson<T>(file: string): T | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as T;
  } catch {
    return null;
  }
}

/** Readable for its owner only, and replaced as a whole. */
export function writeJson(file: string, value: unknown): void {
  writeFileSync(`${file}.new`, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

/** Process numbers are used again: a process is Parterre's only when its command line says so. */
async function runs(pid: number, ours: RegExp): Promise<boolean> {
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid || !isAlive(pid)) return false;
  const ran = await runCommand('ps', ['-o', 'command=', '-p', String(pid)], { deadlineMs: psMs });
  // Slim images have no ps. /proc has the command line there.
  if (ran.ok) return ours.test(ran.stdout);
  try {
    return ours.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' '));
  } catch {
    return false;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
