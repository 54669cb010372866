/**
 * A Chromium for the browser tests: the one in PATH, or Debian's. The global set-up installs Debian's before the
 * workers start; test files only look it up. Without a graphics card Chromium draws in software, so frame times are
 * those of a slow machine. The headless shell comes first: it has no windows, and a page costs a fraction of the time.
 */
import { type Browser, chromium } from 'playwright-core';
import { inPath, installPackages } from '../runner/debian.ts';

const headlessShell = 'chromium-headless-shell';
const names = [headlessShell, 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const packages = [headlessShell, 'fonts-dejavu-core'];

export type FoundChromium = { path: string } | { missing: string };

/** Looks in PATH and installs nothing. */
export function findChromium(): FoundChromium {
  const path = inPath(names);
  return path
    ? { path }
    : { missing: 'There is no Chromium in PATH. On Debian: apt-get install chromium-headless-shell' };
}

/**
 * Finds the headless shell, or installs it with apt-get. Where that fails, another Chromium of the machine serves. Only
 * one process may call this at a time: apt has one lock.
 */
export async function installChromium(say: (line: string) => void): Promise<FoundChromium> {
  const failure = inPath([headlessShell]) ? null : await installPackages(packages, say);
  const found = findChromium();
  return 'path' in found || failure === null ? found : { missing: `There is no Chromium in PATH. ${failure}` };
}

/**
 * Chromium without an emulated graphics card: the software compositor draws the same pages in a fraction of the time.
 * Chromium's sandbox does not run as root. The tests open only pages of this repository.
 */
export function launchChromium(path: string): Promise<Browser> {
  const args = ['--disable-gpu', '--no-sandbox', '--disable-dev-shm-usage'];
  return chromium.launch({ executablePath: path, args });
}

let shared: Browser | null = null;

/** The Chromium that the files of this worker share. Chromium ends when the worker ends. */
export async function sharedChromium(path: string): Promise<Browser> {
  if (!shared?.isConnected()) shared = await launchChromium(path);
  return shared;
}
