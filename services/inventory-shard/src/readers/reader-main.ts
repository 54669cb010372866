/** The program of the reader thread. An exception ends the thread, and the loop starts another. */
import { parentPort } from 'node:worker_threads';
import { createReader } from './reader-program.ts';

parentPort!.on(
  'message',
  createReader((told, transfer) => parentPort!.postMessage(told, transfer)),
);
