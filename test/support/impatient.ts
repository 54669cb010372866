/** A waiter that soon loses its patience with the first shard, and a log that keeps its warnings. */

import { layoutPatienceMs } from '@parterre/shared/protocol/limits';
import { systemClock } from '@parterre/shared/runtime/clock';
import type { Logger } from '@parterre/shared/runtime/log';

export function impatient(log: Logger) {
  const warnings: string[] = [];
  const listening: Logger = Object.assign(Object.create(log), {
    warn: (_: object, line: string) => warnings.push(line),
  });
  let now = 0;
  const clock = {
    ...systemClock,
    elapsed: () => now,
    after(delayMs: number, run: () => void) {
      now += layoutPatienceMs / 3;
      return systemClock.after(delayMs / 50, run);
    },
  };
  return { clock, log: listening, warnings };
}
