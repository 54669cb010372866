/**
 * `npm run check`: style is a test. Types, lint and formatting (biome.json also holds the directions of imports, banned
 * calls and the length of functions), dead exports and files and dependencies (knip.json), and the length of files.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './build.mjs';
import { checkNode, installIfNeeded, Missing, run, runInForeground, say } from './prepare.mjs';

const fileLinesSoft = 250;
const fileLinesHard = 350;

await run(async () => {
  checkNode();
  await installIfNeeded();
  const failed = [];
  for (const [name, entry, ...args] of [
    ['types', 'typescript/bin/tsc', '-p', '.'],
    ['types of the picker', 'typescript/bin/tsc', '-p', 'web'],
    ['lint and format', '@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '--log-level=warn', '.'],
    ['dead code', 'knip/bin/knip.js', '--no-progress'],
  ]) {
    const since = performance.now();
    const code = await runInForeground(process.execPath, [join(root, 'node_modules', entry), ...args]);
    say(`${code === 0 ? 'ok  ' : 'FAIL'} ${name} (${((performance.now() - since) / 1000).toFixed(1)} s)`);
    if (code !== 0) failed.push(name);
  }
  if (!fileSizesFit()) failed.push('file sizes');
  if (failed.length > 0) throw new Missing(`npm run check failed: ${failed.join(', ')}.`);
});

/** Every source known to git or about to be; what is past the soft bound is told, past the hard one refused. */
function fileSizesFit() {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '--', '*.ts', '*.mjs', '*.java'], {
    cwd: root,
    encoding: 'utf8',
  });
  const long = [];
  for (const file of listed.split('\n').filter((name) => name && existsSync(join(root, name)))) {
    const lines = readFileSync(join(root, file), 'utf8').trimEnd().split('\n').length;
    if (lines > fileLinesSoft) long.push({ file, lines });
  }
  for (const { file, lines } of long) {
    say(
      `${lines > fileLinesHard ? 'FAIL' : 'note'} ${file} has ${lines} lines (${fileLinesSoft}, at most ${fileLinesHard})`,
    );
  }
  const fit = long.every(({ lines }) => lines <= fileLinesHard);
  if (fit) say('ok   file sizes');
  return fit;
}
