/**
 * Reads a chart file in a thread, without the server: the report and the picture are there before anything is saved.
 *
 * States: idle → reading → read or failed. Another question ends the thread of the one before. A thread that ends
 * without an answer (too little memory, a fault) is a failure.
 */
import type { ChartDocument } from '@parterre/shared/charts/document';
import type { ImportEncoding, ImportFormat, ImportReport } from '@parterre/shared/charts/imports/imports';

export type ReadRequest = { bytes: ArrayBuffer; format: ImportFormat | null; encoding: ImportEncoding | null };
export type Failure = { code: string; message: string; line?: number; column?: number };
export type ReadAnswer =
  | { kind: 'read'; document: ChartDocument; report: ImportReport }
  | { kind: 'failed'; failure: Failure | null };

export class Reader {
  #thread: Worker | null = null;

  /** `failure` is null where the thread ended without an answer. Null if another question came. */
  read(request: ReadRequest): Promise<ReadAnswer | null> {
    this.close();
    const thread = new Worker(new URL('./console-import.js', import.meta.url), { type: 'module' });
    this.#thread = thread;
    return new Promise((resolve) => {
      const end = (answer: ReadAnswer): void => {
        resolve(this.#thread === thread ? answer : null);
        thread.terminate();
      };
      thread.onmessage = ({ data }: MessageEvent<ReadAnswer>) => end(data);
      thread.onerror = (event) => {
        event.preventDefault();
        end({ kind: 'failed', failure: null });
      };
      thread.postMessage(request, [request.bytes]);
    });
  }

  close(): void {
    this.#thread?.terminate();
    this.#thread = null;
  }
}
