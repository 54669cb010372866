/**
 * Carries out one job in a process of its own: neither a long file nor a hostile one stops the loop of the front door,
 * and the memory of a job goes with its process. A thread would not be enough. Where a single allocation of a thread
 * goes far past its limit, V8 ends the whole process.
 *
 * States of a job: started → told, or ended without a result. Failure at the wait: the file needs more memory than
 * `chartFileMemoryMiBMax`, or the system kills the process → `too_much_memory`; more time than `chartFileMsMax` →
 * `too_slow`; the front door stops → `interrupted`; an exception, or a process that does not start → the promise
 * rejects, since it is a bug.
 */
import { fork } from 'node:child_process';
import { chartFileMemoryMiBMax, chartFileMsMax } from '@parterre/shared/charts/chart-file-limits';
import type { ImportFailure } from '@parterre/shared/protocol/catalog/chart-imports';
import { Fault } from '@parterre/shared/protocol/errors';
import type { Clock } from '@parterre/shared/runtime/clock';
import { SECOND_MS } from '@parterre/shared/runtime/units';
import type { FileJob, FileResult, ToldByProcess } from './file-jobs.ts';

export type Ended = { kind: 'failed'; failure: ImportFailure };

/** `stopping` ends the job. */
export type RunFileJob = (job: FileJob, stopping: AbortSignal) => Promise<FileResult | Ended>;

/** `program` is the file of file-main.ts after the build. */
export function fileProcesses(program: URL, clock: Clock, memoryMiBMax = chartFileMemoryMiBMax): RunFileJob {
  return async (job, stopping) => {
    if (stopping.aborted) return interrupted;
    // The process reads files of strangers, so it gets none of the secrets in the environment.
    const child = fork(program, [], {
      env: {},
      execArgv: [`--max-old-space-size=${memoryMiBMax}`],
      serialization: 'advanced',
      stdio: ['pipe', 'ignore', 'inherit', 'ipc'],
    });
    // The child keeps no front door alive.
    child.unref();
    child.channel?.unref();
    const { bytes, ...asked } = job;
    let ending: Ended | null = null;
    const end = (failure: Ended) => {
      ending ??= failure;
      child.kill('SIGKILL');
    };
    const cancel = clock.after(chartFileMsMax, () => end(tooSlow));
    const onStop = () => end(interrupted);
    stopping.addEventListener('abort', onStop);
    try {
      return await new Promise((resolve, reject) => {
        const broken = (cause: unknown) => reject(new Fault(`${job.kind} a chart's file`, cause));
        child.once('message', (told: ToldByProcess) => (told.kind === 'broken' ? broken(told.error) : resolve(told)));
        child.on('error', broken);
        child.once('close', (code, signal) => {
          const reason = ending ?? reasonOf(signal);
          if (reason === null) broken(new Error(`The process ended with code ${code} and without a result.`));
          else resolve(reason);
        });
        // The event "error" tells the reason.
        if (!child.connected) return;
        // A child that dies before it has read everything tells the reason by its end.
        child.stdin!.on('error', () => {});
        child.send(asked, () => {});
        // A message would copy the bytes at one stroke, and stop the loop meanwhile.
        child.stdin!.end(bytes);
      });
    } finally {
      cancel();
      stopping.removeEventListener('abort', onStop);
      child.kill('SIGKILL');
    }
  };
}

/** The reason of a child that somebody else has ended; null if it has ended by itself. V8 aborts at its limit. */
function reasonOf(signal: NodeJS.Signals | null): Ended | null {
  if (signal === null) return null;
  return signal === 'SIGTERM' || signal === 'SIGINT' || signal === 'SIGHUP' ? interrupted : tooMuchMemory;
}

export const interrupted = ended(
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
