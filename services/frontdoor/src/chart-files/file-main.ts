/**
 * The process that reads or writes one file of a chart. It carries out one job, tells the result and ends. The front
 * door ends a slow job. Where no front door is left, the process ends by itself after the same time.
 */
import { writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { buffer } from 'node:stream/consumers';
import { runInNewContext } from 'node:vm';
import { chartFileMsMax } from '@parterre/shared/charts/chart-file-limits';
import { carryOut, type FileJob, type JobWithoutBytes, type ToldByProcess } from './file-jobs.ts';

/** A nice value: sales on a busy machine go before files. */
const PRIORITY = 5;

setPriority(PRIORITY);
endFirstWithoutMemory();
process.once('message', async (asked: JobWithoutBytes) => {
  const job = { ...asked, bytes: await buffer(process.stdin) } as FileJob;
  const told: ToldByProcess = runInNewContext('tell()', { tell: () => tell(job) }, { timeout: chartFileMsMax });
  // If the front door is gone meanwhile, nobody needs the result.
  process.send!(told, undefined, undefined, () => {});
});

function tell(job: FileJob): ToldByProcess {
  try {
    return carryOut(job);
  } catch (error) {
    return { kind: 'broken', error };
  }
}

/** Linux ends this process before the front door when memory runs out. */
function endFirstWithoutMemory(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // Another system.
  }
}
