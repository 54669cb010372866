/** The thread that reads or writes one file of a chart. It carries out one job, tells the result and ends. */
import { parentPort } from 'node:worker_threads';
import { carryOut, type FileJob } from './file-jobs.ts';

parentPort!.once('message', (job: FileJob) => parentPort!.postMessage(carryOut(job)));
