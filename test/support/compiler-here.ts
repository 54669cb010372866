/** Compiles plans in the thread of the test. */
import { compileDocument } from '@parterre/shared/charts/plans/compile-document';

export const compilerHere = {
  compile: async (doc: Uint8Array, hash: string) => compileDocument(doc, hash),
};
