/**
 * `npm start` under each supported release of Node: it finds a Node for the services, starts, and sells. The releases
 * come from npm.
 */
import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { root } from '../../../scripts/launch/root.ts';
import { runCommand } from '../../../scripts/launch/run-command.ts';
import { openShop } from '../shop.ts';

/** The oldest release, and the newest one of each supported line. */
const releases = ['20.19', '22', '24'];
const downloadMs = 240_000;
const cache = join(root, '.cache');

let checkout: string;

beforeAll(async () => {
  checkout = await copyOfCheckout();
});
afterAll(() => rm(checkout, { recursive: true, force: true }));

test('the releases are those of package.json', () => {
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const named = engines.node.split(' || ').map((range: string) => /^\^(\d+)/.exec(range)?.[1]);
  expect(named).toEqual(releases.map((release) => release.split('.')[0]));
});

test.each(releases)('Node %s starts and sells', { timeout: 3 * downloadMs }, async (release) => {
  const shop = await openShop({ node: await nodeOf(release), checkout, prepares: true });
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

/**
 * A built copy whose uWebSockets.js the launcher may replace (scripts/runtime.mjs). All other packages and the
 * downloads are those of this checkout. Files keep their times, so that nothing is installed or built again.
 */
async function copyOfCheckout(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parterre-test-checkout-'));
  const packages = join(root, 'node_modules');
  const copy = (name: string) =>
    cp(join(root, name), join(folder, name), { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  for (const name of await readdir(root)) {
    if (!['.git', '.cache', 'node_modules'].includes(name)) await copy(name);
  }
  await mkdir(cache, { recursive: true });
  await symlink(cache, join(folder, '.cache'));
  await mkdir(join(folder, 'node_modules'));
  await copy('node_modules/uWebSockets.js');
  for (const name of await readdir(packages)) {
    if (name !== 'uWebSockets.js') await symlink(join(packages, name), join(folder, 'node_modules', name));
  }
  return folder;
}

/** The program of this release, which is fetched once. Throws where the release cannot be had. */
async function nodeOf(release: string): Promise<string> {
  const folder = join(cache, `node-${release}`);
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
