/**
 * Runs once before vitest's workers: installs the programs that the selected test files need (programs.ts). Ends the
 * servers that the workers shared (worker-servers.ts) after them.
 */
import { relative } from 'node:path';
import type { TestProject } from 'vitest/node';
import { endSharedServers, openRunFolder } from '../servers/worker-servers.ts';
import { installPrograms } from './programs.ts';

export default async function setup({ vitest }: TestProject): Promise<() => Promise<void>> {
  const files = vitest.state.getPaths().map((path) => relative(vitest.config.root, path));
  await installPrograms(files, (line) => console.log(line));
  openRunFolder();
  return endSharedServers;
}
