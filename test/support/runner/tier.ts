/**
 * The tier of a run, which scripts/test.mjs chooses:
 * - `quick`: the tests of pure rules, in less than a minute.
 * - `usual`: everything but `*.long.test.ts`, in some 16 minutes on two cores.
 * - `long`: `*.long.test.ts` and the growing files, in at most an hour.
 */
export type TestTier = 'quick' | 'usual' | 'long';

export const tier = (process.env.TEST_TIER ?? 'usual') as TestTier;

/** Files that play more histories, or try more servers, in the long tier. */
export const growing: readonly string[] = [
  'test/end-to-end/openapi/mutations.test.ts',
  'test/flow/journal/fence.test.ts',
  'test/flow/journal/nats-full.test.ts',
  'test/flow/journal/nats-restarts.test.ts',
  'test/flow/journal/replay-requests.test.ts',
  'test/flow/webhook-queues/queue-bounds.test.ts',
  'test/rules/inventory/state/model.test.ts',
  'test/simulation/saga/saga.test.ts',
  'test/simulation/simulation.test.ts',
];

/** A number of histories or rounds: the first one, and the second one in the long tier. */
export function inTier(usual: number, long: number): number {
  return tier === 'long' ? long : usual;
}
