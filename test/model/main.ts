/**
 * `npm run model`: checks the models of docs/model (searches.ts). The last line counts the surprises: a right protocol
 * that fails, or a wrong variant that passes.
 *
 *   --wide                  larger worlds as well: minutes, and some gigabytes of memory
 *   --steps FENCE_OF_ONE    one search, with the steps of its counterexample
 */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { createLimiter } from '@parterre/shared/runtime/limiter';
import { type Search, searches, wideSearches } from './searches.ts';
import { installSpin, type Result, runSearch } from './spin.ts';

const { values: options } = parseArgs({ options: { wide: { type: 'boolean' }, steps: { type: 'string' } } });

const missing = await installSpin((line) => console.log(line));
if (missing !== null) {
  console.error(missing);
  process.exit(1);
}
const all = options.wide ? [...searches, ...wideSearches] : searches;
const chosen = options.steps === undefined ? all : all.filter(({ name }) => name === options.steps);
const turns = createLimiter(options.wide ? 1 : availableParallelism());
const surprises = await Promise.all(chosen.map((search) => turns(() => runAndTell(search))));
const count = surprises.filter(Boolean).length;
console.log(`${chosen.length} searches, ${count} surprises`);
process.exitCode = count > 0 || chosen.length === 0 ? 1 : 0;

/** Resolves with true for a surprise. */
async function runAndTell(search: Search): Promise<boolean> {
  const result = await runSearch(search);
  const isSurprise = search.isRight !== (result.violated === null);
  console.log(lineOf(search, result, isSurprise));
  if (result.violated && (isSurprise || options.steps !== undefined)) console.log(result.violated.steps.join('\n'));
  return isSurprise;
}

function lineOf({ name, isRight }: Search, { states, seconds, violated }: Result, isSurprise: boolean): string {
  const verdict = violated ? `fails: ${violated.promise}` : 'holds';
  const expected = isSurprise ? `SURPRISE, expected to ${isRight ? 'hold' : 'fail'}` : 'as expected';
  const size = `${states.toLocaleString('en')} states, ${seconds.toFixed(1)} s`;
  return `${name.padEnd(32)} ${size.padStart(26)}  ${expected}, ${verdict}`;
}
