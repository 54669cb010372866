/**
 * Runs once before vitest's workers: installs the programs that the selected test files need (programs.ts), and moves
 * temporary folders to memory. Ends the servers that the workers shared (worker-servers.ts) after them.
 */
import { existsSync, readFileSync, statfsSync } from 'node:fs';
import { freemem } from 'node:os';
import { relative } from 'node:path';
import type { TestProject } from 'vitest/node';
import { endSharedServers, openRunFolder } from '../servers/worker-servers.ts';
import { installPrograms } from './programs.ts';

export default async function setup({ vitest }: TestProject): Promise<() => Promise<void>> {
  const files = vitest.state.getPaths().map((path) => relative(vitest.config.root, path));
  await installPrograms(files, (line) => console.log(line));
  useMemoryForFolders();
  openRunFolder();
  return endSharedServers;
}

const memoryFolder = '/dev/shm';
/** A run's servers keep less than a GiB at a time. */
const memoryBytesMin = 6 * 1024 ** 3;

/**
 * Every write of a catalog and many writes of NATS wait for the disk, and no test cuts the power. A small memory folder
 * (Docker's has 64 MB) or one that runs no programs stays unused, and so does memory where `TMPDIR` names a folder.
 */
function useMemoryForFolders(): void {
  if (process.env.TMPDIR !== undefined || !existsSync(memoryFolder) || freemem() < memoryBytesMin) return;
  const { bavail, bsize } = statfsSync(memoryFolder);
  const [, options] = readFileSync('/proc/mounts', 'utf8').match(/ \/dev\/shm \S+ (\S+)/) ?? [];
  if (bavail * bsize < memoryBytesMin || options === undefined || options.split(',').includes('noexec')) return;
  process.env.TMPDIR = memoryFolder;
}
