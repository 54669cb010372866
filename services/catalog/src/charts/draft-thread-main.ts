/** The thread that reads large chart documents. An exception ends the thread, and the loop starts another. */
import { parentPort } from 'node:worker_threads';
import { readDraft, type ToDraftThread } from './draft-program.ts';

parentPort!.on('message', (job: ToDraftThread) => parentPort!.postMessage(readDraft(job)));
