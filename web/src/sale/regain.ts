/**
 * The way back after a hold has ended: holds its places again, as far as they are still free. A refusal is told like
 * that of any hold, and leaves the places chosen.
 */
import { takenText } from '../messages/places.ts';
import type { Words } from '../messages/words.ts';
import type { Sale } from './sale.ts';

export async function regain(sale: Sale, words: Words): Promise<boolean> {
  const { lost, hold } = sale.state;
  if (!lost || hold) return false;
  const { selection, gone } = sale.choice.bringBack([...lost.values()]);
  sale.forgetLost();
  if (selection.size === 0) {
    sale.inform(words.text('lost.gone'));
    return false;
  }
  const isHeld = await sale.hold();
  if (isHeld && gone.length > 0) sale.inform(takenText(words, gone));
  return isHeld;
}
