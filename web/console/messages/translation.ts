/** What a language is. A message with a number has a form for each plural of its language. */
import type { Plural } from '../../src/messages/filled.ts';

export type Messages = Record<string, string | Plural>;

/** An area in another language than English. A plural message of English is a plural message everywhere. */
export type In<English extends Messages> = { [Key in keyof English]: English[Key] extends string ? string : Plural };
