/** The console's voice: its own texts, and the picker's numbers, dates and lists. */
import { type Filled, filler } from '../../src/messages/filled.ts';
import { languageOf, type Words as PickerWords, wordsOf } from '../../src/messages/words.ts';
import { english, type MessageKey, type Translation } from './english.ts';

/** A message that needs no values. */
export type PlainKey = {
  [Key in MessageKey]: [] extends Filled<typeof english, Key> ? Key : never;
}[MessageKey];

export type Words = Omit<PickerWords, 'text'> & {
  text<Key extends MessageKey>(key: Key, ...values: Filled<typeof english, Key>): string;
};

/** A time that belongs to no event: in the reader's zone, which is named. */
export const timeOf = ({ words }: { words: Words }, at: number): string => words.date(at, null, 'medium', true);

const loaders: Record<string, () => Promise<Translation>> = {
  ar: async () => (await import('./arabic.ts')).arabic,
  de: async () => (await import('./german.ts')).german,
};

/**
 * The first of the reader's languages that the console has, else English. A language that cannot be loaded is English.
 */
export async function consoleWords(readers: readonly string[]): Promise<Words> {
  const locale = readers.find((reader) => languageOf(reader) === 'en' || languageOf(reader) in loaders) ?? 'en';
  const messages = (await loaders[languageOf(locale)]?.().catch(() => undefined)) ?? null;
  return wordsIn(messages === null && languageOf(locale) !== 'en' ? 'en' : locale, messages ?? english);
}

function wordsIn(locale: string, messages: Translation): Words {
  const fill = filler(locale);
  const text = (key: MessageKey, values: Record<string, string | number> = {}): string => fill(messages[key], values);
  return { ...wordsOf(locale), text: text as Words['text'] };
}
