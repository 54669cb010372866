/**
 * Finds a Node that loads uWebSockets.js. Its binaries are built for certain Nodes and C libraries. When the installed
 * binary does not load, the author's newer build takes its place; when that fails too, the services run under node@22
 * from npm.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './build.mjs';
import { indent, Missing, npm, runQuietly, say } from './prepare.mjs';

const cache = join(root, '.cache');
const installed = join(root, 'node_modules', 'uWebSockets.js');
const authorsCopy = join(cache, 'uwebsockets', 'node_modules', 'uWebSockets.js');
const otherNode = join(cache, 'node-22', 'node_modules', 'node', 'bin', 'node');
/** The last release with binaries for Node 20, 22, 24 and 25; later releases need Node 22, 24 or 26. */
const authorsVersion = Number(process.versions.node.split('.')[0]) > 25 ? 'v20.67.0' : 'v20.55.0';
const probeMs = 10_000;
const networkMs = 3_000;
const downloadMs = 120_000;

/** The path of the Node for the services: this Node, if at all possible. */
export async function findRuntime() {
  const probed = await probe(process.execPath, installed);
  if (probed.ok) return process.execPath;
  const here = `Node ${process.versions.node} on ${process.platform} ${process.arch}`;
  say(`The installed uWebSockets.js does not load under ${here}:\n${indent(reason(probed.output))}`);
  const author = await useAuthorsBuild();
  if (author.ok) return process.execPath;
  say(`The author's build does not help either: ${author.output}`);
  const other = await useNode22();
  if (other.ok) return otherNode;
  throw new Missing(
    'The front door needs uWebSockets.js, and none was found that loads here:\n' +
      `  - installed package: ${reason(probed.output)}\n` +
      `  - author's build ${authorsVersion}: ${author.output}\n` +
      `  - node@22 from npm: ${other.output}\n` +
      'Run Parterre under a Node that has a binary: npx -y -p node@22 npm start',
  );
}

/** Loads a native binary in a process of its own, which a bad binary may crash. */
function probe(node, folder) {
  const code = `import(process.argv[1]).then((m) => m.App || process.exit(3))`;
  const entry = existsSync(join(folder, 'dist/index.mjs')) ? 'dist/index.mjs' : 'ESM_wrapper.mjs';
  return runQuietly(node, ['--input-type=module', '-e', code, join(folder, entry)], { deadlineMs: probeMs });
}

/** The line of a stack trace that has the error. */
function reason(output) {
  const lines = output
    .split('\n')
    .map((line) => line.replace(/^npm error /, '').trim())
    .filter((line) => line && !/^(npm warn|A complete log|code E)/.test(line));
  return (
    lines.find((line) => /GLIBC|Cannot find module|dlopen|Error:/.test(line)) ?? lines.at(-1) ?? 'it gave no reason'
  );
}

async function useAuthorsBuild() {
  if (!existsSync(authorsCopy)) {
    const source = `github:uNetworking/uWebSockets.js#${authorsVersion}`;
    if (!(await reaches('https://github.com'))) return { ok: false, output: 'GitHub cannot be reached from here' };
    say(`Fetching ${source} …`);
    const folder = join(cache, 'uwebsockets');
    const ran = await npm(['install', '--prefix', folder, '--no-save', '--no-audit', '--no-fund', source], {
      told: 'Still fetching uWebSockets.js',
      deadlineMs: downloadMs,
    });
    if (!ran.ok) return { ok: false, output: reason(ran.output) };
  }
  const probed = await probe(process.execPath, authorsCopy);
  if (!probed.ok) return { ok: false, output: reason(probed.output) };
  await rm(installed, { recursive: true, force: true });
  await cp(authorsCopy, installed, { recursive: true });
  say(`Going on with uWebSockets.js ${authorsVersion} in its place.`);
  return { ok: true };
}

async function useNode22() {
  if (!existsSync(otherNode)) {
    say('Fetching node@22 from npm, to run the services with …');
    const folder = join(cache, 'node-22');
    mkdirSync(folder, { recursive: true });
    // The package fetches its binary in an install script. Newer versions of npm run such scripts only for the packages
    // named here.
    writeFileSync(join(folder, 'package.json'), '{ "private": true, "allowScripts": { "node": true } }\n');
    const ran = await npm(
      ['install', '--prefix', folder, '--no-save', '--no-audit', '--no-fund', '--loglevel=error', 'node@22'],
      { told: 'Still fetching node@22', deadlineMs: downloadMs },
    );
    if (!ran.ok) return { ok: false, output: reason(ran.output) };
  }
  const probed = await probe(otherNode, installed);
  if (!probed.ok) return { ok: false, output: reason(probed.output) };
  say('Going on with the services under node@22.');
  return { ok: true };
}

async function reaches(address) {
  try {
    await fetch(address, { method: 'HEAD', signal: AbortSignal.timeout(networkMs) });
    return true;
  } catch {
    return false;
  }
}
