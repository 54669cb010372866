/**
 * A Chromium for the browser tests: the one in PATH, or Debian's. The global set-up installs Debian's before the workers
 * start; test files only look it up. Without a graphics card Chromium draws in software, so frame times are those of a slow
 * machine.
 */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { type RunOptions, runCommand } from '../../../scripts/launch/run-command.ts';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const packages = ['chromium', 'fonts-dejavu-core'];
const installMsMax = 300_000;
/** Another process may be using apt. */
const lockSecondsMax = 120;

export type FoundChromium = { path: string } | { missing: string };

/** Looks in PATH and installs nothing. */
export function findChromium(): FoundChromium {
  const path = inPath();
  return path ? { path } : { missing: 'There is no Chromium in PATH. On Debian: apt-get install chromium' };
}

/** Finds Chromium, or installs it with apt-get. Only one process may call this at a time: apt has one lock. */
export async function installChromium(say: (line: string) => void): Promise<FoundChromium> {
  const found = findChromium();
  if ('path' in found || process.getuid?.() !== 0) return found;
  say(`Installing ${packages.join(' and ')} with apt-get …`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const options: RunOptions = { deadlineMs: installMsMax, env };
  const common = ['-qq', '-o', `DPkg::Lock::Timeout=${lockSecondsMax}`];
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', ...packages]]) {
    const ran = await runCommand('apt-get', [...common, ...args], options);
    if (!ran.ok) return { missing: `There is no Chromium in PATH, and apt-get ${args[0]} failed: ${ran.why}` };
  }
  return findChromium();
}

function inPath(): string | null {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const files = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  return files.find(isExecutable) ?? null;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export function launchChromium(path: string): Promise<Browser> {
  // Chromium's sandbox does not run as root. The tests open only pages of this repository.
  const args = ['--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--no-sandbox', '--disable-dev-shm-usage'];
  return chromium.launch({ executablePath: path, args });
}
