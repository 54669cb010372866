/**
 * `npm run check`: style is a test. It checks types, lint and formatting, dead exports, files and dependencies
 * (knip.json), and the rooms of the services (check/rooms.mjs).
 * biome.json also checks the direction of imports, circles of files, banned calls and the length of functions.
 */
import { join } from 'node:path';
import { root } from './build.mjs';
import { checkNode, installIfNeeded, Missing, run, runInForeground, say } from './prepare.mjs';

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
  const faults = await roomFaults();
  for (const fault of faults) say(`FAIL ${fault}`);
  if (faults.length === 0) say('ok   rooms');
  else failed.push('rooms');
  if (failed.length > 0) throw new Missing(`npm run check failed: ${failed.join(', ')}.`);
});

async function roomFaults() {
  // The check's parser is a package, so it is loaded after packages are installed.
  const rooms = await import('./check/rooms.mjs');
  return rooms.roomFaults(root, unfinishedRooms);
}
