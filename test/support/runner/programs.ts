/**
 * The programs that tests run, installed one after the other before vitest's workers start. Test files only look
 * programs up: two workers that install at the same moment would fight for apt's lock or for a folder.
 */
import { readFileSync } from 'node:fs';
import { findNatsServer } from '../../../scripts/launch/find-nats-server.ts';
import { installSpin } from '../../model/spin.ts';
import { installChromium } from '../servers/chromium.ts';
import { installMongo } from '../servers/mongo.ts';
import { debianNatsVersion } from '../servers/nats.ts';
import { installPromtool } from '../servers/promtool.ts';
import { installProxies } from '../servers/proxies.ts';
import { tier } from './tier.ts';

type Say = (line: string) => void;

type Program = {
  name: string;
  /** Whether a test file runs the program; `source` is the file's text. */
  isNeededBy(file: string, source: string): boolean;
  /** Null, or why the program cannot be had. */
  install(say: Say): Promise<string | null>;
  /**
   * `always`: no test can run without the program. `in CI`: a developer's run skips the tests that need the program.
   */
  isRequired: 'always' | 'in CI' | 'never';
};

const foldersWithoutNats = /^test\/(rules|web|simulation|store|model)\//;

const programs: Program[] = [
  {
    name: 'nats-server',
    isNeededBy: (file) => !foldersWithoutNats.test(file),
    install: (say) => installNats(say),
    isRequired: 'always',
  },
  {
    name: `nats-server ${debianNatsVersion}`,
    isNeededBy: (_, source) =>
      source.includes('debianNatsVersion') || (tier === 'long' && source.includes('natsReleases')),
    install: (say) => installNats(say, debianNatsVersion),
    isRequired: 'never',
  },
  {
    name: 'MongoDB',
    isNeededBy: (_, source) => source.includes('/support/servers/mongo.ts'),
    install: installMongo,
    isRequired: 'in CI',
  },
  {
    name: 'Chromium',
    isNeededBy: (_, source) => source.includes('describeInBrowser('),
    async install(say) {
      const found = await installChromium(say);
      return 'missing' in found ? found.missing : null;
    },
    isRequired: 'in CI',
  },
  {
    name: 'nginx and HAProxy',
    isNeededBy: (_, source) => source.includes('/support/servers/proxies.ts'),
    install: installProxies,
    isRequired: 'in CI',
  },
  {
    name: 'promtool',
    isNeededBy: (_, source) => source.includes('/support/servers/promtool.ts'),
    install: installPromtool,
    isRequired: 'in CI',
  },
  {
    name: 'SPIN',
    isNeededBy: (file) => file.startsWith('test/model/'),
    install: installSpin,
    isRequired: 'in CI',
  },
];

/**
 * Installs the programs that the test files need; paths of `files` are relative to the repository's root, where it
 * runs. Throws when a required program is missing. Reports any other missing program: the tests that need it fail or
 * are skipped.
 */
export async function installPrograms(files: string[], say: Say): Promise<void> {
  const sources = files.map((file) => ({ file, source: readFileSync(file, 'utf8') }));
  for (const { name, isNeededBy, install, isRequired } of programs) {
    if (!sources.some(({ file, source }) => isNeededBy(file, source))) continue;
    const missing = await install(say);
    if (missing === null) continue;
    const text = `The tests need ${name}. ${missing}`;
    if (isRequired === 'always' || (isRequired === 'in CI' && process.env.CI)) throw new Error(text);
    say(text);
  }
}

async function installNats(say: Say, version?: string): Promise<string | null> {
  const found = await findNatsServer({ say, version });
  return found.found ? null : found.message;
}
