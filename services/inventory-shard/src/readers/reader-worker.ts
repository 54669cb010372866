/** The reader as a worker thread of this process. */
import { Worker } from 'node:worker_threads';
import type { ReaderListener, StartReader } from './reader-thread.ts';

/** `program` is the file of reader-main.ts after the build. */
export function workerOf(program: URL): StartReader {
  return ({ onAnswer, onError, onExit }: ReaderListener) => {
    const worker = new Worker(program, { name: 'reader' });
    worker.on('message', onAnswer);
    worker.on('error', onError);
    worker.on('exit', onExit);
    // The thread keeps no process alive. A listener that is added later would undo this.
    worker.unref();
    return worker;
  };
}
