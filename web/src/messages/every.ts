import type { Plural } from './words.ts';

/** A text that does not change with its number, in a language of six plurals. */
export const every = (text: string): Plural => ({
  zero: text,
  one: text,
  two: text,
  few: text,
  many: text,
  other: text,
});
