/**
 * Carries out one job in a thread of its own: neither a long file nor a hostile one stops the loop, and the memory of a
 * job goes with its thread.
 *
 * States of a job: started → told, or ended without a result. Failure at the wait: the file needs more memory than
 * `chartFileMemoryMiBMax` → `too_much_memory`; more time than `chartFileMsMax` → `too_slow`; the front door stops →
 * `interrupted`; an exception → the promise rejects, since it is a bug.
 */
import { Worker } from 'node:worker_threads';
import type { ImportFailure } from '@parterre/shared/catalog/chart-imports';
import { chartFileMemoryMiBMax, chartFileMsMax } from '@parterre/shared/chart-file-limits';
import type { Clock } from '@parterre/shared/clock';
import { Fault } from '@parterre/shared/errors';
import { SECOND_MS } from '@parterre/shared/units';
import type { FileJob, FileResult } from './file-jobs.ts';

export type Ended = { kind: 'failed'; failure: ImportFailure };

/** `stopping` ends the job. The bytes of the job are gone afterwards. */
export type RunFileJob = (job: FileJob, stopping: AbortSignal) => Promise<FileResult | Ended>;

/** Shorter bytes may share their memory with others, so they are copied. */
const TRANSFER_BYTES_MIN = 64 * 1024;

/** `program` is the file of file-main.ts after the build. */
export function fileThreads(program: URL, clock: Clock): RunFileJob {
  return (job, stopping) =>
    new Promise((resolve, reject) => {
      const worker = new Worker(program, {
        name: 'chart-file',
        resourceLimits: { maxOldGenerationSizeMb: chartFileMemoryMiBMax },
      });
      // The thread keeps no process alive.
      worker.unref();
      let ending = interrupted;
      const end = (failure: Ended) => {
        ending = failure;
        void worker.terminate();
      };
      const cancel = clock.after(chartFileMsMax, () => end(tooSlow));
      const onStop = () => end(interrupted);
      stopping.addEventListener('abort', onStop);
      worker.once('message', resolve);
      worker.once('error', (error: NodeJS.ErrnoException) => {
        if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') resolve(tooMuchMemory);
        else reject(new Fault(`${job.kind} a chart's file`, error));
      });
      worker.once('exit', () => {
        cancel();
        stopping.removeEventListener('abort', onStop);
        resolve(ending);
      });
      const bytes = job.kind === 'import' ? job.bytes : job.doc;
      worker.postMessage(job, bytes.length < TRANSFER_BYTES_MIN ? [] : [bytes.buffer as ArrayBuffer]);
      if (stopping.aborted) onStop();
    });
}

const interrupted = ended(
  'interrupted',
  'The server stopped while it read the file. No chart was made. Import the file again.',
);
const tooSlow = ended(
  'too_slow',
  `Reading the file took longer than ${chartFileMsMax / SECOND_MS} s. No chart was made. Split the file, and import each part.`,
);
const tooMuchMemory = ended(
  'too_much_memory',
  `Reading the file took more than ${chartFileMemoryMiBMax} MiB of memory. No chart was made. Split the file, and import each part.`,
);

function ended(code: ImportFailure['code'], message: string): Ended {
  return { kind: 'failed', failure: { code, message } };
}
