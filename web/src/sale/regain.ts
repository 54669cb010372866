/**
 * The way back after a hold has ended: holds its places again, as far as they are still free. The map may be too old to
 * tell, so the server decides. A refusal is shown as after any hold. The places stay chosen.
 */
import type { Words } from '../messages/words.ts';
import type { Sale } from './sale.ts';

export async function regain(sale: Sale, words: Words): Promise<boolean> {
  const { lost, hold, busy } = sale.state;
  if (!lost || hold || busy) return false;
  const isChosen = (label: string) => sale.state.selection.has(label);
  const gone = sale.choice.bringBack([...lost.values()]);
  // Too many places, or closed sales: the choice has said so.
  if (gone === null) return false;
  if (gone.length === lost.size) {
    sale.forgetLost();
    sale.notices.inform(words.text('lost.gone'));
    return false;
  }
  let isHeld = await sale.hold();
  const { notice, lost: left } = sale.state;
  if (!isHeld && left && notice?.code === 'conflict') {
    // The refusal has named the places of others; otherwise the next map shows them.
    if (left.size < lost.size) isHeld = await sale.hold();
    else sale.forgetLost();
  }
  const taken = [...lost.keys()].filter((label) => !isChosen(label));
  if (isHeld && taken.length > 0) sale.notices.gone(taken);
  return isHeld;
}
