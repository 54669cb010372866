/** The run cannot go on; the message is a sentence for the operator. */
export class Refused extends Error {}

/** The reason of any error, for the end of such a sentence. */
export function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
