/**
 * `npm run check`: style is a test. It checks types, lint and formatting, dead exports, files and dependencies
 * (knip.json), the rooms of the services (check/rooms.mjs), the length of files, and the number of files in a folder.
 * biome.json also checks the direction of imports, circles of files, banned calls and the length of functions.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './build.mjs';
import { checkNode, installIfNeeded, Missing, run, runInForeground, say } from './prepare.mjs';

const fileLinesSoft = 250;
const fileLinesHard = 350;
const folderFilesMax = 15;
/** Folders of sources whose number of files is bounded. */
const boundedFolders = /^((services\/[^/]+|web)\/src|web\/designer|test|bench)(\/|$)/;

/** Services that still break a rule of rooms. Only remove names from these lists. */
const unfinishedRooms = {
  circles: ['catalog'],
  openings: ['catalog', 'notifier'],
};

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
  for (const [name, faultsOf] of [
    ['rooms', roomFaults],
    ['file sizes', tooLongFiles],
    ['folder sizes', tooFullFolders],
  ]) {
    const faults = await faultsOf();
    for (const fault of faults) say(`FAIL ${fault}`);
    if (faults.length === 0) say(`ok   ${name}`);
    else failed.push(name);
  }
  if (failed.length > 0) throw new Missing(`npm run check failed: ${failed.join(', ')}.`);
});

async function roomFaults() {
  // The check's parser is a package, so it is loaded after packages are installed.
  const rooms = await import('./check/rooms.mjs');
  return rooms.roomFaults(root, unfinishedRooms);
}

/** Reports each file above the soft bound, and returns those above the hard bound as faults. */
function tooLongFiles() {
  const faults = [];
  for (const file of sources()) {
    const lines = readFileSync(join(root, file), 'utf8').trimEnd().split('\n').length;
    const text = `${file} has ${lines} lines (${fileLinesSoft}, at most ${fileLinesHard})`;
    if (lines > fileLinesHard) faults.push(text);
    else if (lines > fileLinesSoft) say(`note ${text}`);
  }
  return faults;
}

function tooFullFolders() {
  const counts = new Map();
  for (const folder of sources().map(dirname)) counts.set(folder, (counts.get(folder) ?? 0) + 1);
  return [...counts]
    .filter(([folder, files]) => boundedFolders.test(folder) && files > folderFilesMax)
    .map(([folder, files]) => `${folder} has ${files} files (at most ${folderFilesMax})`);
}

/** Sources that git tracks, and new ones that git does not ignore. */
function sources() {
  const args = ['ls-files', '-co', '--exclude-standard', '--', '*.ts', '*.mjs', '*.java'];
  const listed = execFileSync('git', args, { cwd: root, encoding: 'utf8' });
  return listed.split('\n').filter((name) => name && existsSync(join(root, name)));
}
