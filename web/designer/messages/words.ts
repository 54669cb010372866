/** The designer's voice: its own texts, and the picker's numbers, dates and lists. */
import { type Filled, filler } from '../../src/messages/filled.ts';
import { type Words as PickerWords, wordsOf } from '../../src/messages/words.ts';
import { english } from './english.ts';

export type MessageKey = keyof typeof english;

export type Words = Omit<PickerWords, 'text'> & {
  text<Key extends MessageKey>(key: Key, ...values: Filled<typeof english, Key>): string;
};

export function designerWords(locale = 'en'): Words {
  const fill = filler(locale);
  const text = (key: MessageKey, values: Record<string, string | number> = {}): string => fill(english[key], values);
  return { ...wordsOf(locale), text: text as Words['text'] };
}

/** A sentence whose key or values are known only when it is told. */
export type Sentence = { readonly key: MessageKey; readonly values?: Readonly<Record<string, string | number>> };

export function tell({ text }: Words, { key, values = {} }: Sentence): string {
  return (text as (key: MessageKey, values: Sentence['values']) => string)(key, values);
}
