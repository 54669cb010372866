/**
 * The thread that reads large bodies. It has the route table, because a row's schema checks the body. An exception ends
 * the thread, and the loop starts another.
 */
import { parentPort } from 'node:worker_threads';
import { createBodyProgram, type ToBodyThread } from './admission/admission.ts';
import { routes } from './api/api.ts';

const answer = createBodyProgram(routes);

parentPort!.on('message', async (job: ToBodyThread) => parentPort!.postMessage(await answer(job)));
