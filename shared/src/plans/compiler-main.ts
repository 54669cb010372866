/**
 * The program of the plan compiler: compiles each document that the loop sends, and sends the plan back. A document
 * that cannot be compiled is answered `failed`. Any other exception ends the thread, and the loop starts another.
 */
import { parentPort } from 'node:worker_threads';
import { compileDocument } from './compile-document.ts';
import type { Compiled, ToCompile } from './compiler-messages.ts';
import { buffersOf, packPlan } from './packed-plan.ts';

parentPort!.on('message', ({ doc, hash }: ToCompile) => {
  const compiled = compile(doc, hash);
  parentPort!.postMessage(compiled, compiled.kind === 'ok' ? buffersOf(compiled.plan) : []);
});

function compile(doc: Uint8Array, hash: string): Compiled {
  try {
    return { kind: 'ok', plan: packPlan(compileDocument(doc, hash)) };
  } catch (error) {
    return { kind: 'failed', message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
