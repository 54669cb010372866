/** Runs once before vitest's workers: installs the programs that the selected test files need (programs.ts). */
import { relative } from 'node:path';
import type { TestProject } from 'vitest/node';
import { installPrograms } from './programs.ts';

export default async function setup({ vitest }: TestProject): Promise<void> {
  const files = vitest.state.getPaths().map((path) => relative(vitest.config.root, path));
  await installPrograms(files, (line) => console.log(line));
}
