/**
 * `npm run bench`: hold and book over HTTP on events of 20,000 seats, all features on, budgets lifted, beside the
 * baselines of bench/README.md under the same load in the same run. passes.ts has the scenarios, race.ts runs them,
 * record.ts keeps the results, and guard.ts compares a run with the record.
 */
import { writeFileSync } from 'node:fs';
import { findNatsServer } from '../../scripts/launch/find-nats-server.ts';
import { knowsSyncInterval } from '../../shared/src/runtime/nats-version.ts';
import { endWith } from '../arguments.ts';
import { startGenerator } from '../load/generator.ts';
import { compare, verdictOf } from './guard.ts';
import { type Options, readOptions } from './options.ts';
import { labelsForSale } from './parterre.ts';
import type { Pass } from './passes.ts';
import { type Report, runAll, runPass } from './race.ts';
import { readResults, writeResults } from './record.ts';
import { jsonOf, type Results, resultsOf } from './results.ts';
import { pageOf } from './results-page.ts';

async function main(options: Options): Promise<void> {
  const recorded = readResults();
  if (options.guard && !recorded) endWith('--guard needs bench/RESULTS.json, which a whole run writes');
  const nats = await findNatsServer({ say: (line) => console.log(line) });
  if (!nats.found) throw new Error(nats.message);
  const { version } = nats;
  const settings = { ...options, labels: labelsForSale() };
  const report: Report = { missing: {}, versions: {}, scenarios: [] };
  const generator = startGenerator();
  const started = performance.now();
  const run = async (pass: Pass): Promise<void> => {
    // A NATS server without `sync_interval` cannot sync every append.
    if (pass.durability === 'relaxed' || knowsSyncInterval(version)) await runPass(pass, settings, generator, report);
    else report.missing['sync always'] = `nats-server ${version} has no sync_interval`;
  };
  const cause = await runAll(options.passes, run, report);
  generator.stop();
  for (const [name, why] of Object.entries(report.missing)) {
    console.log(`\nMISSING: ${name} was not measured: ${why}`);
  }
  const results = resultsOf(report, settings, version);
  if (options.json) writeFileSync(options.json, jsonOf({ ...results, scenarios: report.scenarios }));
  record(results, options, cause !== null);
  console.log(`The run took ${((performance.now() - started) / 60_000).toFixed(1)} minutes.`);
  if (cause !== null) {
    console.error(cause);
    // A round that a signal cut short may still be under way.
    process.exit(1);
  } else if (options.guard) guard(recorded!, results);
}

function record(results: Results, { isPartial, write }: Options, isCutShort: boolean): void {
  if ((isCutShort || isPartial || results.missing.length > 0) && !write) {
    if (isCutShort) console.log(`\nThe scenarios that were finished:\n\n${pageOf(results)}`);
    console.log('\nA partial run: bench/RESULTS.md stays as it is (--write replaces it).');
  } else {
    writeResults(results);
    console.log('\nWritten: bench/RESULTS.md and bench/RESULTS.json.');
  }
}

function guard(recorded: Results, results: Results): void {
  const { lines, hasGrown } = verdictOf(compare(recorded, results));
  console.log(`\nBeside bench/RESULTS.json of ${recorded.date}:\n${lines.join('\n')}`);
  if (hasGrown) process.exitCode = 1;
}

await main(readOptions());
