/**
 * The servers that the test files of one worker share. A server starts when the first file asks for it, serves the
 * files one after the other, and ends with the worker. Each file makes what it needs in the server: an organisation in
 * a product, an account in a NATS server, a context in a browser.
 *
 * End: the folder of a shared server lies in the run's folder and has the pid of the server (`launch.pid`, `nats.pid`).
 * A worker that is told to end, or whose vitest is gone, signals its servers. `endSharedServers` runs in vitest's own
 * process after all workers: it signals the servers again, waits until they are gone, and deletes the run's folder.
 */
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** The variable that names the run's folder to vitest's workers. A program without vitest shares nothing. */
const folderVariable = 'TEST_RUN_FOLDER';

const endMsMax = 30_000;
const pollMs = 50;

/** In vitest's own process, before the workers start. Each project of vitest calls this. */
export function openRunFolder(): void {
  process.env[folderVariable] ??= mkdtempSync(join(tmpdir(), 'parterre-run-'));
}

/** A new folder for a server that the files of this worker share. Null outside of a run. */
export function sharedServerFolder(name: string): string | null {
  const runFolder = process.env[folderVariable];
  if (runFolder === undefined) return null;
  endServersWithWorker(runFolder);
  return mkdtempSync(join(runFolder, `${name}-${process.pid}-`));
}

let endsWithWorker = false;

function endServersWithWorker(runFolder: string): void {
  if (endsWithWorker) return;
  endsWithWorker = true;
  const endServers = (): void => {
    for (const folder of foldersOf(runFolder)) {
      if (folder.includes(`-${process.pid}-`)) signal(folder, 'SIGINT');
    }
  };
  // Vitest ends a worker with SIGTERM. A worker whose vitest was killed loses its channel.
  for (const end of ['SIGTERM', 'disconnect'] as const) {
    process.once(end, () => {
      endServers();
      process.kill(process.pid, 'SIGTERM');
    });
  }
}

/** In vitest's own process, after the workers. Throws when a server had to be killed. */
export async function endSharedServers(): Promise<void> {
  const runFolder = process.env[folderVariable];
  if (runFolder === undefined) return;
  delete process.env[folderVariable];
  const folders = foldersOf(runFolder);
  for (const folder of folders) signal(folder, 'SIGINT');
  const running = (): string[] => folders.filter((folder) => pidIn(folder) !== null);
  for (let waitedMs = 0; running().length > 0 && waitedMs < endMsMax; waitedMs += pollMs) await pause(pollMs);
  const left = running();
  for (const folder of left) signal(folder, 'SIGKILL');
  await rm(runFolder, { recursive: true, force: true });
  if (left.length > 0) throw new Error(`Shared servers did not end within ${endMsMax} ms: ${left.join(', ')}`);
}

const foldersOf = (runFolder: string): string[] => readdirSync(runFolder).map((name) => join(runFolder, name));

function signal(folder: string, name: NodeJS.Signals): void {
  const pid = pidIn(folder);
  if (pid !== null) process.kill(pid, name);
}

/** The pid of the folder's server while it runs. */
function pidIn(folder: string): number | null {
  const pids = ['launch.pid', 'nats.pid'].map((file) => Number(textOf(join(folder, file)) ?? 0));
  return pids.find((pid) => pid > 0 && runs(pid)) ?? null;
}

/** Whether the process runs. The dead child of a dead worker may stay in the system's list as a zombie. */
export function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  return !/\) Z /.test(textOf(`/proc/${pid}/stat`) ?? '');
}

function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
