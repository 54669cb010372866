import { defineConfig } from 'vitest/config';
import LongFirst from './test/support/runner/long-first.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/support/runner/seed.ts'],
    globalSetup: ['test/support/runner/global-setup.ts'],
    reporters: ['default', './test/support/runner/plain-summary.ts'],
    // Services that tests start inherit this. A password at the usual cost takes most of a second of a core.
    env: { PARTERRE_PASSWORD_COST: '10' },
    // Each worker may run servers of its own.
    maxWorkers: 2,
    // A process for each file costs more than many of the files. No file changes global state.
    isolate: false,
    sequence: { sequencer: LongFirst },
    // For a machine that runs other programs as well.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // `expect.poll` gives up after one second otherwise, and a busy machine takes longer.
    expect: { poll: { timeout: 20_000 } },
  },
});
