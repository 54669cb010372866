/**
 * The thread of the plan compiler: compiles each document that the loop sends, and sends the plan back. An exception
 * ends the thread, and the loop starts another.
 */
import { parentPort } from 'node:worker_threads';
import type { ToCompile } from './compiler-messages.ts';
import { compiled } from './compiler-program.ts';
import { buffersOf } from './packed-plan.ts';

parentPort!.on('message', (job: ToCompile) => {
  const told = compiled(job);
  parentPort!.postMessage(told, told.kind === 'ok' ? buffersOf(told.plan) : []);
});
