/**
 * The product under each supported release of Node: it starts, and sells. The releases come from npm. As with `npm
 * start`, the release itself finds the runtime of the services (scripts/runtime.mjs): the installed server library has
 * no binary for Node 24.
 */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { root } from '../../../scripts/launch/root.ts';
import { runCommand } from '../../../scripts/launch/run-command.ts';
import { openShop } from '../shop.ts';

const releases = ['20.19', '22', '24'];
const downloadMs = 240_000;

test('the releases are those of package.json', () => {
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const named = engines.node.split(' || ').map((range: string) => /^\^(\d+)/.exec(range)?.[1]);
  expect(named).toEqual(releases.map((release) => release.split('.')[0]));
});

test.each(releases)('Node %s starts and sells', { timeout: 2 * downloadMs }, async (release) => {
  const shop = await openShop({ node: await runtimeUnder(await nodeOf(release)) });
  try {
    const event = await shop.event();
    const held = await event.post('hold', { labels: ['A-1', 'A-2'] });
    expect(held.status).toBe(200);
    const booked = await event.post('book', { holdId: held.body.holdId, bookingRef: 'order-1' });
    expect([booked.status, booked.body.booked]).toEqual([200, ['A-1', 'A-2']]);
  } finally {
    await shop.stop();
  }
});

/** The program that runs the services when `npm start` runs under `node`. */
async function runtimeUnder(node: string): Promise<string> {
  const runtime = pathToFileURL(join(root, 'scripts', 'runtime.mjs')).href;
  const code = `import(${JSON.stringify(runtime)}).then((m) => m.findRuntime()).then((found) => console.log(found))`;
  const { stdout } = await promisify(execFile)(node, ['-e', code], { cwd: root, timeout: downloadMs });
  return stdout.trim().split('\n').at(-1)!;
}

/** The program of this release, which is fetched once. Throws where the release cannot be had. */
async function nodeOf(release: string): Promise<string> {
  const folder = join(root, '.cache', `node-${release}`);
  const program = join(folder, 'node_modules', 'node', 'bin', 'node');
  if (existsSync(program)) return program;
  await mkdir(folder, { recursive: true });
  // The package fetches its binary in an install script. Newer versions of npm run such scripts only for named
  // packages.
  await writeFile(join(folder, 'package.json'), '{ "private": true, "allowScripts": { "node": true } }\n');
  const args = ['install', '--prefix', folder, '--no-save', '--no-audit', '--no-fund', `node@${release}`];
  const ran = await runCommand('npm', args, { deadlineMs: downloadMs });
  if (!ran.ok) throw new Error(`Node ${release} cannot be fetched from npm: ${ran.why}`);
  return program;
}
