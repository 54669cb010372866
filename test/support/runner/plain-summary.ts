/**
 * The last line of a run in a form that any tool can read: `N passed, N failed`, and `, N skipped` when there are any.
 * The lines before it name the tests that passed at their second try only.
 */
import type { Reporter, TestModule } from 'vitest/node';

export default class PlainSummary implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const counts = { passed: 0, failed: unhandledErrors.length, skipped: 0 };
    const again: string[] = [];
    for (const module of modules) {
      const tests = [...module.children.allTests()];
      for (const test of tests) {
        const { state } = test.result();
        if (state !== 'pending') counts[state]++;
        if (test.diagnostic()?.flaky) again.push(`${module.relativeModuleId} > ${test.fullName}`);
      }
      // A file that could not be loaded has no tests to fail.
      if (tests.length === 0 && module.state() === 'failed') counts.failed++;
    }
    const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : '';
    const tries = again.map((name) => `Passed at the second try: ${name}\n`).join('');
    process.on('exit', () =>
      process.stdout.write(`\n${tries}${counts.passed} passed, ${counts.failed} failed${skipped}\n`),
    );
  }
}
