import { configDefaults, defineConfig } from 'vitest/config';
import LongFirst from './test/support/runner/long-first.ts';
import { growing, tier } from './test/support/runner/tier.ts';

const longFiles = 'test/**/*.long.test.ts';

/** Tests of pure rules that take seconds each: the quick tier leaves them out. */
const slowRules = ['model', 'memory', 'size'].map((name) => `test/rules/inventory/state/${name}.test.ts`);

const files = {
  quick: { include: ['test/**/*.test.ts'], exclude: [longFiles, ...slowRules] },
  usual: { include: ['test/**/*.test.ts'], exclude: [longFiles] },
  long: { include: [longFiles, ...growing], exclude: [] },
}[tier];

export default defineConfig({
  test: {
    include: files.include,
    exclude: [...configDefaults.exclude, ...files.exclude],
    setupFiles: ['test/support/runner/seed.ts'],
    reporters: ['default', './test/support/runner/plain-summary.ts'],
    globalSetup: ['test/support/runner/global-setup.ts'],
    // Services that tests start inherit this. A password at the usual cost takes most of a second of a core.
    env: { PARTERRE_PASSWORD_COST: '10' },
    // A process for each file costs more than many of the files. No file changes global state.
    isolate: false,
    sequence: { sequencer: LongFirst },
    // Each worker runs servers that its files share (test/support/servers/worker-servers.ts).
    maxWorkers: 3,
    // For a machine that runs other programs as well.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // A run in which everything times out ends all the same.
    bail: 40,
    // `expect.poll` gives up after one second otherwise, and a busy machine takes longer.
    expect: { poll: { timeout: 20_000 } },
  },
});
