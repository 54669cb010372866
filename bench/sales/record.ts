/** The recorded results: bench/RESULTS.json for the guard, bench/RESULTS.md for readers. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/launch/root.ts';
import { jsonOf, type Results } from './results.ts';
import { pageOf } from './results-page.ts';

const jsonFile = join(root, 'bench', 'RESULTS.json');
const pageFile = join(root, 'bench', 'RESULTS.md');

export function writeResults(results: Results): void {
  writeFileSync(jsonFile, jsonOf(results));
  writeFileSync(pageFile, pageOf(results));
}

/** Null if no run was recorded. */
export function readResults(): Results | null {
  return existsSync(jsonFile) ? (JSON.parse(readFileSync(jsonFile, 'utf8')) as Results) : null;
}
