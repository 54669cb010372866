/** The sale's own sentences, of which each has several parts. Pure. */
import { takenText, withdrawnText } from '../messages/places.ts';
import type { Words } from '../messages/words.ts';
import type { Hold } from '../rules/hold.ts';

/** `key` names the button that gives a fixed hold up. */
export const changeText = ({ text }: Words, key: 'note.firstHeld' | 'note.fixed'): string =>
  text(key, { change: text('hold.changePlaces') });

export function heldText(
  { text, list, minutes }: Words,
  { labels, expiresAt }: Hold,
  now: number,
  isBest: boolean,
): string {
  const time = minutes(expiresAt - now);
  return isBest ? text('say.heldBest', { names: list(labels), time }) : text('say.held', { time });
}

export const stillHeldText = ({ text, list, left }: Words, { labels, expiresAt }: Hold, now: number): string =>
  text('say.stillHeld', { names: list(labels), time: left(expiresAt - now) });

/** Seats of a choice that others have taken, or that the box office has withdrawn. */
export function lostText(
  words: Words,
  lost: readonly string[],
  isWithdrawn: (label: string) => boolean,
  lackingOf: (label: string) => string[],
): string {
  const withdrawn = lost.filter(isWithdrawn);
  const taken = lost.filter((label) => !isWithdrawn(label));
  const texts: string[] = [];
  if (taken.length > 0) texts.push(takenText(words, taken, [...new Set(taken.flatMap(lackingOf))]));
  if (withdrawn.length > 0) texts.push(withdrawnText(words, withdrawn));
  return texts.join(' ');
}
