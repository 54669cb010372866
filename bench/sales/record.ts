/** The recorded results: bench/RESULTS.json for the guard, bench/RESULTS.md for readers, an extract in the README. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/launch/root.ts';
import { jsonOf, type Results } from './results.ts';
import { extractOf, pageOf } from './results-page.ts';

const jsonFile = join(root, 'bench', 'RESULTS.json');
const pageFile = join(root, 'bench', 'RESULTS.md');
const readmeFile = join(root, 'README.md');
const extractInReadme = /(<!-- sales:start -->\n)[\s\S]*?(\n<!-- sales:end -->)/;

export function writeResults(results: Results): void {
  writeFileSync(jsonFile, jsonOf(results));
  writeFileSync(pageFile, pageOf(results));
  writeFileSync(readmeFile, withExtract(readFileSync(readmeFile, 'utf8'), extractOf(results)));
}

/** Null if no run was recorded. */
export function readResults(): Results | null {
  return existsSync(jsonFile) ? (JSON.parse(readFileSync(jsonFile, 'utf8')) as Results) : null;
}

/** The README with another extract. */
export function withExtract(readme: string, extract: string): string {
  if (!extractInReadme.test(readme)) throw new Error('README.md has no place for the extract of the results');
  return readme.replace(extractInReadme, (_, start: string, end: string) => `${start}${extract}${end}`);
}
