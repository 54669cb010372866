import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    reporters: ['default', './test/support/plain-summary.ts'],
    // Services that tests start have it from them: passwords at the usual cost take most of a second of a core each.
    env: { PARTERRE_PASSWORD_COST: '10' },
    // Every one of them may run servers of its own.
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 90_000,
  },
});
