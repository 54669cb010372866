/** What fields of forms say, and times beside lists. */
import type { Words } from '../messages/words.ts';

/** Of times that belong to no event: in the reader's zone, which is named. */
export const timeOf = ({ words }: { words: Words }, at: number): string => words.date(at, null, 'medium', true);

/** The text of a field, without outer spaces. */
export const fieldOf = (form: FormData, name: string): string => String(form.get(name) ?? '').trim();
