/**
 * A Chromium for the browser tests: the one in PATH, else Debian's, installed where this may be done. Without a graphics card it
 * draws in software, so that frame times are those of a slow machine.
 */
import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { type Browser, chromium } from 'playwright-core';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const installMsMax = 300_000;
const run = promisify(execFile);

export type FoundChromium = { path: string } | { missing: string };

export async function findChromium(): Promise<FoundChromium> {
  const known = inPath();
  if (known) return { path: known };
  if (process.getuid?.() !== 0) return { missing: 'no Chromium in PATH (Debian: apt-get install chromium)' };
  try {
    console.log('Installing chromium with apt-get …');
    const options = { timeout: installMsMax, env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
    await run('apt-get', ['update', '-qq'], options);
    const packages = ['chromium', 'fonts-dejavu-core'];
    await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], options);
  } catch (error) {
    return { missing: `no Chromium in PATH, and apt-get did not install it: ${String(error).slice(0, 300)}` };
  }
  const installed = inPath();
  return installed ? { path: installed } : { missing: 'apt-get installed chromium, and it is not in PATH' };
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
  // Root may not have a sandbox, and pages here are our own.
  const args = ['--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--no-sandbox', '--disable-dev-shm-usage'];
  return chromium.launch({ executablePath: path, args });
}
