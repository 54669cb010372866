/**
 * `npm run check`: style is a test. It checks types, lint and formatting, dead exports, files and dependencies
 * (knip.json), the rooms of the services (check/rooms.mjs), the length of functions (check/functions.mjs) and the
 * comments (check/comments.mjs). biome.json also checks the direction of imports, circles of files and banned calls.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './build.mjs';
import { checkNode, installIfNeeded, Missing, run, runInForeground, say } from './prepare.mjs';

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
  for (const [name, faults] of await treeFaults()) {
    for (const fault of faults) say(`FAIL ${fault}`);
    if (faults.length === 0) say(`ok   ${name}`);
    else failed.push(name);
  }
  if (failed.length > 0) throw new Missing(`npm run check failed: ${failed.join(', ')}.`);
});

/** The faults that the checks of this folder find in the files that git knows or would add. */
async function treeFaults() {
  // The checks' parser is a package, so it is loaded after packages are installed.
  const { roomFaults } = await import('./check/rooms.mjs');
  const { functionFaults } = await import('./check/functions.mjs');
  const { commentFaults } = await import('./check/comments.mjs');
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  });
  const all = [...new Set(listed.split('\n'))].filter((file) => existsSync(join(root, file)));
  const sources = all.filter((file) =>
    /^(bench|examples|scripts|services|shared|test|web)\/.*\.m?ts$|\.mjs$/.test(file),
  );
  return [
    ['rooms', roomFaults(root)],
    [
      'functions',
      functionFaults(
        root,
        sources.filter((file) => !/(^|\/)test\//.test(file)),
      ),
    ],
    ['comments', commentFaults(root, sources, all)],
  ];
}
