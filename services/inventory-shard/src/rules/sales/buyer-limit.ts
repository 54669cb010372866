/**
 * The most places of one buyer: `buyerLimit` of the event. A buyer is named by `buyerRef`, which a session has from its
 * creator, and which a server sends with a hold or a sale. Places of all sessions, active holds and bookings of the
 * event count together (state/buyers.ts). A hold or sale without a `buyerRef` does not count.
 *
 * Only new holds and sales are refused (`buyer_limit`). A limit that shrinks below what a buyer has takes nothing away:
 * holds are extended and booked, and a hold may replace another one with no more places. An exchange keeps the number
 * of places and their buyer. An import of bookings counts, and is not refused.
 */
import { refuse } from '@parterre/shared/protocol/errors';
import type { JournalRecord, Line } from '@parterre/shared/protocol/records';
import { type EventState, type Hold, heldLines, quantityOfLines, type ReadState } from '../state/state.ts';

/** The refusal of lines beyond the buyer's limit. `replaced` is the hold that these lines replace. */
export function beyondBuyerLimit(
  state: ReadState,
  buyerRef: string | undefined,
  lines: readonly Line[],
  replaced?: Readonly<Hold>,
): ReturnType<typeof refuse> | null {
  const { buyerLimit } = state.config;
  if (buyerLimit === undefined || buyerRef === undefined) return null;
  const back = replaced?.buyerRef === buyerRef ? quantityOfLines(heldLines(state, replaced)) : 0;
  const limit = buyerLimit.perBuyer;
  const left = Math.max(limit - state.buyers.placesOf(buyerRef) + back, back);
  const asked = quantityOfLines(lines);
  if (asked <= left) return null;
  const why =
    `A buyer may have ${limit} places of this event, and ${left} are left. The call asks for ${asked}. ` +
    'Ask for fewer, or release or cancel places of this buyer first.';
  return refuse('buyer_limit', why, { details: { limit, left } });
}

/** For folds: runs before a hold loses these units, and when it is made (`by` 1). */
export function countOfBuyer(
  { buyers }: EventState,
  hold: Readonly<Hold>,
  units: readonly number[] | null,
  by: 1 | -1,
): void {
  if (hold.buyerRef === null) return;
  const gone = units && new Set(units);
  const lines = gone ? hold.lines.filter(({ unit }) => gone.has(unit)) : hold.lines;
  buyers.change(hold.buyerRef, by * quantityOfLines(lines));
}

/** For folds: lines are booked for the buyer of their record. */
export function countBooked(
  { buyers, plan }: EventState,
  { buyerRef, lines }: JournalRecord & { type: 'booked' },
): void {
  if (buyerRef === undefined) return;
  for (const { unit, quantity = 1 } of lines) buyers.book(unit, buyerRef, quantity, plan.unitCount);
}

/** For folds: runs before a booking loses these units. */
export function countUnbooked({ buyers }: EventState, lines: readonly Line[], units: readonly number[]): void {
  if (buyers.size === 0) return;
  const gone = new Set(units);
  for (const { unit, quantity = 1 } of lines) if (gone.has(unit)) buyers.free(unit, quantity);
}
