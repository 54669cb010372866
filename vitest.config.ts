import { defineConfig } from 'vitest/config';
import LongFirst from './test/support/long-first.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    reporters: ['default', './test/support/plain-summary.ts'],
    // Services that tests start have it from them: passwords at the usual cost take most of a second of a core each.
    env: { PARTERRE_PASSWORD_COST: '10' },
    // Every one of them may run servers of its own.
    maxWorkers: 2,
    // A process for each file costs more than many of them do. No file changes what is global.
    isolate: false,
    sequence: { sequencer: LongFirst },
    // Of a machine that is doing other things as well.
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
