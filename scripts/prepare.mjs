/**
 * The preconditions of every command: packages, a build, and a Node that loads uWebSockets.js. Plain Node without
 * dependencies, because it runs before they are installed. A failure prints a sentence with the missing thing, the
 * reason, and the command that helps, and no stack trace.
 */
import { spawn } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './build.mjs';

/** A failure with a text for the person at the terminal. */
export class Missing extends Error {}

/** A slower step reports its progress. */
const patienceMs = 2_000;

export const say = (line) => process.stdout.write(`${line}\n`);

/** Runs a script's main function, and prints its failure in words. */
export async function run(main) {
  try {
    await main();
  } catch (error) {
    const words = error instanceof Missing ? error.message : `${error?.message ?? error}`;
    process.stderr.write(`\n${words}\n`);
    process.exit(1);
  }
}

export function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  throw new Missing(
    `Parterre needs Node 20.19 or newer (20, 22 and 24 are tested); this is ${process.versions.node}.\n` +
      'With npm alone: npx -y -p node@22 npm start',
  );
}

/** `npm ci`, when node_modules is absent or older than the lock file. */
export async function installIfNeeded() {
  const installed = join(root, 'node_modules', '.package-lock.json');
  const lock = join(root, 'package-lock.json');
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return;
  say('Installing packages with npm ci …');
  const since = performance.now();
  const ran = await npm(['ci', '--no-audit', '--no-fund', '--loglevel=error'], { told: 'Still installing packages' });
  if (!ran.ok) {
    throw new Missing(`The packages could not be installed:\n${indent(ran.output)}\nSee what is wrong with: npm ci`);
  }
  say(`Installed packages in ${seconds(since)}.`);
}

export async function buildIfNeeded() {
  const { build, isStale } = await import('./build.mjs');
  if (!isStale()) return;
  const since = performance.now();
  try {
    await build();
  } catch (error) {
    throw new Missing(`The build failed: ${error.message}\nRun it alone with: npm run build`);
  }
  say(`Built the services in ${seconds(since)}.`);
}

/** The npm that runs this script, which need not be the one in PATH. */
export function npm(args, options = {}) {
  const own = process.env.npm_execpath?.endsWith('npm-cli.js') ? process.env.npm_execpath : null;
  return own ? runQuietly(process.execPath, [own, ...args], options) : runQuietly('npm', args, options);
}

/** Runs to the end and keeps the output; `told` is printed every few seconds, so that a long wait is not silent. */
export function runQuietly(command, args, { told, deadlineMs, cwd = root } = {}) {
  return new Promise((resolve) => {
    let output = '';
    const since = performance.now();
    const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    const progress = told ? setInterval(() => say(`  ${told} (${seconds(since)}) …`), 2.5 * patienceMs) : undefined;
    const deadline = deadlineMs ? setTimeout(() => child.kill('SIGKILL'), deadlineMs) : undefined;
    const end = (ok, more = '') => {
      clearInterval(progress);
      clearTimeout(deadline);
      resolve({ ok, output: (output + more).trim() });
    };
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output = (output + chunk).slice(-20_000);
      });
    }
    child.once('error', (error) => end(false, error.message));
    child.once('close', (code, signal) => end(code === 0, signal ? `ended by ${signal} after ${seconds(since)}` : ''));
  });
}

/** Runs in the foreground with this terminal, passes SIGTERM on, and resolves with the exit code. */
export function runInForeground(command, args, env = process.env) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: 'inherit', env });
    // The terminal sends Ctrl-C to the child as well, and the child decides when to leave.
    const ignore = () => {};
    const passOn = () => child.kill('SIGTERM');
    process.on('SIGINT', ignore);
    process.on('SIGTERM', passOn);
    child.once('error', reject);
    child.once('close', (code) => {
      process.off('SIGINT', ignore);
      process.off('SIGTERM', passOn);
      resolve(code ?? 1);
    });
  });
}

function seconds(since) {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`;
}

/** The first lines of npm's output have the error; usage follows. */
export function indent(text) {
  return text
    .split('\n')
    .slice(0, 8)
    .map((line) => `  ${line}`)
    .join('\n');
}
