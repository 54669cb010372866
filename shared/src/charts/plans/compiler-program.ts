/** The program of the plan compiler, without its thread: from a document to the message with its plan. */
import { compileDocument } from './compile-document.ts';
import type { Compiled, ToCompile } from './compiler-messages.ts';
import { packPlan } from './packed-plan.ts';

/** A document that cannot be compiled is answered `failed`. */
export function compiled({ doc, hash }: ToCompile): Compiled {
  try {
    return { kind: 'ok', plan: packPlan(compileDocument(doc, hash)) };
  } catch (error) {
    return { kind: 'failed', message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
