import { configDefaults, defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import LongFirst from './test/support/runner/long-first.ts';

/** Files with bounds on times of whole servers. They run alone: another worker beside them would be measured as well. */
const timed = [
  'test/cluster/moves.test.ts',
  'test/end-to-end/groups/kills.test.ts',
  'test/flow/partition/many-events.test.ts',
  'test/flow/webhook-queues/full-backlogs.test.ts',
];

/** Tests of pure rules that take seconds each: the quick tier (scripts/test.mjs) leaves them out. */
const slowRules = ['model', 'memory', 'size'].map((name) => `test/rules/inventory/state/${name}.test.ts`);
const leftOut = process.env.TEST_TIER === 'quick' ? slowRules : [];

export default defineConfig({
  test: {
    setupFiles: ['test/support/runner/seed.ts'],
    reporters: ['default', './test/support/runner/plain-summary.ts'],
    globalSetup: ['test/support/runner/global-setup.ts'],
    // Services that tests start inherit this. A password at the usual cost takes most of a second of a core.
    env: { PARTERRE_PASSWORD_COST: '10' },
    // A process for each file costs more than many of the files. No file changes global state.
    isolate: false,
    sequence: { sequencer: LongFirst },
    // For a machine that runs other programs as well.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // `expect.poll` gives up after one second otherwise, and a busy machine takes longer.
    expect: { poll: { timeout: 20_000 } },
    projects: [
      // Each worker may run servers of its own.
      groupOf('beside', { files: ['test/**/*.test.ts'], except: timed, maxWorkers: 2, groupOrder: 0 }),
      groupOf('alone', { files: timed, except: [], maxWorkers: 1, groupOrder: 1 }),
    ],
  },
});

type Group = { files: string[]; except: string[]; maxWorkers: number; groupOrder: number };

/** A group starts when the groups of lower order have ended. */
function groupOf(name: string, { files, except, maxWorkers, groupOrder }: Group): TestProjectInlineConfiguration {
  const exclude = [...configDefaults.exclude, ...except, ...leftOut];
  return { extends: true, test: { name, include: files, exclude, maxWorkers, sequence: { groupOrder } } };
}
