/**
 * The process that reads or writes one file of a chart. It carries out one job, tells the result and ends. The front
 * door ends a slow job. Where no front door is left, the process ends by itself after the same time.
 */
import { setPriority } from 'node:os';
import { buffer } from 'node:stream/consumers';
import { runInNewContext } from 'node:vm';
import { chartFileMsMax } from '@parterre/shared/chart-file-limits';
import { carryOut, type FileJob, type JobWithoutBytes, type ToldByProcess } from './file-jobs.ts';

/** A nice value: sales on a busy machine go before files. */
const PRIORITY = 5;

setPriority(PRIORITY);
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
