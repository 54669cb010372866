/** The plan compiler as a worker thread of this process. */
import { Worker } from 'node:worker_threads';
import type { CompilerListener, StartCompiler } from './plan-compiler.ts';

/** `program` is the file of compiler-main.ts after the build. */
export function compilerThread(program: URL): StartCompiler {
  return ({ onCompiled, onError, onExit }: CompilerListener) => {
    const worker = new Worker(program, { name: 'plan-compiler' });
    worker.on('message', onCompiled);
    worker.on('error', onError);
    worker.on('exit', onExit);
    // The thread keeps no process alive. A listener that is added later would undo this.
    worker.unref();
    return worker;
  };
}
