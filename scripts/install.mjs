/**
 * What must be there before anything of ours can run, without a dependency of its own: a Node that fits, the packages of
 * the lock file, and a uWebSockets.js binary that loads. Whatever is missing is fetched or told, never thrown.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const githubSeconds = 15;
/** The author's own binaries, for libraries and Nodes that the packed ones do not fit. */
const authorsPackage = 'github:uNetworking/uWebSockets.js#v20.52.0';

/** Leaves with 1 and one sentence when this Node is too old or too new to run the sources. */
export function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  const fits = (major === 20 && minor >= 19) || major >= 22;
  if (!fits)
    fail(
      `Parterre needs Node 20.19 or newer, or Node 22; this is ${process.versions.node}.`,
      'npx node@22 scripts/start.mjs',
    );
}

/** `npm ci` when node_modules is missing or older than the lock file. */
export function installPackages() {
  const stamp = join(root, 'node_modules/.package-lock.json');
  const isFresh = existsSync(stamp) && statSync(stamp).mtimeMs >= statSync(join(root, 'package-lock.json')).mtimeMs;
  if (isFresh) return;
  console.log('Installing packages (half a minute the first time) …');
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (status !== 0) fail('The packages could not be installed; npm said why above.', 'npm ci');
}

/**
 * The node program that the services run under: this one when uWebSockets.js loads in it, else, after trying the
 * author's package, a Node 22 fetched into .cache/.
 */
export function nodeForServices() {
  const why = whyItDoesNotLoad(process.execPath);
  if (!why) return process.execPath;
  console.log(`uWebSockets.js does not load under Node ${process.versions.node}: ${why}`);
  console.log("Trying the author's package …");
  const author = npm(['install', '--no-save', '--prefix', root, `uWebSockets.js@${authorsPackage}`], githubSeconds);
  if (author && !whyItDoesNotLoad(process.execPath)) return process.execPath;
  console.log(
    `That did not help (${author ? 'it does not load either' : 'it could not be fetched'}). Trying node@22 from npm …`,
  );
  const folder = join(root, '.cache/node22');
  mkdirSync(folder, { recursive: true });
  const fetched = npm(['install', '--prefix', folder, 'node@22'], 300);
  const node22 = join(folder, 'node_modules/node/bin/node');
  const why22 = fetched && existsSync(node22) ? whyItDoesNotLoad(node22) : 'it could not be fetched';
  if (!why22) return node22;
  return fail(
    `uWebSockets.js, which serves HTTP, does not load here: ${why}\nUnder Node 22 neither: ${why22}\nIts binaries are for glibc on Linux, macOS and Windows, Node 18 to 22.`,
    'npx --yes node@22 scripts/start.mjs',
  );
}

function npm(args, seconds) {
  const { status } = spawnSync('npm', [...args, '--no-audit', '--no-fund', '--loglevel=error', '--allow-scripts'], {
    cwd: root,
    stdio: 'ignore',
    timeout: seconds * 1000,
    shell: process.platform === 'win32',
  });
  return status === 0;
}

/** Tried in a process of its own: a binary of the wrong kind may take its process down. Null when it loads. */
function whyItDoesNotLoad(node) {
  const probe =
    "import('uWebSockets.js').catch((error) => { console.error(error.message.split('\\n')[0]); process.exit(1); })";
  const { status, stderr, error } = spawnSync(node, ['--input-type=module', '-e', probe], {
    cwd: root,
    encoding: 'utf8',
  });
  if (status === 0) return null;
  return error?.message ?? (stderr.trim().split('\n').at(-1) || `the probe left with ${status}`);
}

/** Says what is missing and the command that mends it, and leaves. */
function fail(what, command) {
  console.error(`\n${what}\nTo mend it: ${command}\n`);
  process.exit(1);
}
