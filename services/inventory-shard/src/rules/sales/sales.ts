/**
 * Opens the room of sales: hold, book, block, sell at the box office, list for resale, count the quantities of access
 * sessions. Units change hands only by the rules of this room and by the clock.
 */
import { labelsOf } from '@parterre/shared/charts/plan';
import { finish } from '../packed/packed.ts';
import { answerNoted, type CallRules, type Folds, type Rules } from '../state/state.ts';
import { block, blockedAgain, blockFolds, lookAtBlock, unblock, undoBlock } from './block.ts';
import { book, bookDirect } from './book.ts';
import { bookingFolds } from './booking-folds.ts';
import { boxBook, boxOfficeSale, quoteSale } from './box-office.ts';
import { endHolds, endHoldsFolds } from './end-holds.ts';
import { hold } from './hold.ts';
import { extend, inspectHold, release } from './hold-changes.ts';
import { holdFolds } from './hold-folds.ts';
import { inspectHolders } from './holders.ts';
import { importBookings } from './import-bookings.ts';
import { listingFolds } from './listing-folds.ts';
import { listResale, removeResale } from './resale.ts';
import { unbook } from './unbook.ts';

export { block, blocked, blockedAgain, isInTheFuture, lookAtBlock, unblock } from './block.ts';
export { booked, labelsOfCall, noSuchHold, noteBlocked, whyNotHeld } from './book.ts';
export { beyondBuyerLimit } from './buyer-limit.ts';
export { atOtherPrice, firstHeldAnswer, held, heldInPlace } from './hold.ts';
export { itemsOf } from './hold-changes.ts';
export { codedFaults, faultsIn } from './import-bookings.ts';
export { endListing } from './listing-folds.ts';
export { bookedLabels, type MissingBookings, missingBookings } from './missing-bookings.ts';
export { beginningOf, beyondPublicSale } from './public-sale.ts';
export { removalsBefore } from './resale.ts';
export { beforeOwnStart, notOnSale } from './sale-times.ts';
export { tooMany } from './session-use.ts';
export { mayChangeRefusals, staysTrue } from './staying-booked.ts';
export { noSuchBooking } from './unbook.ts';

type SalesCommand =
  | 'hold'
  | 'extend'
  | 'release'
  | 'book'
  | 'book-direct'
  | 'unbook'
  | 'box-book'
  | 'box-office-sale'
  | 'import-bookings';

/** A repetition of such a command finds the hold or booking of its first run, and gets the first answer (I5). */
export const salesRules: Rules<SalesCommand> = {
  hold,
  extend,
  release,
  book,
  'book-direct': bookDirect,
  unbook,
  'box-book': boxBook,
  'box-office-sale': boxOfficeSale,
  'import-bookings': importBookings,
};

/** May be refused, but never writes. */
export const salesInspections: Rules<'inspect-hold' | 'inspect-holders' | 'quote-sale' | 'look-block'> = {
  'look-block': (state, command, caller, now) => finish(lookAtBlock(state, command, caller, now)),
  'inspect-hold': inspectHold,
  'inspect-holders': inspectHolders,
  'quote-sale': quoteSale,
};

export const salesCalls: CallRules<'end-holds' | 'block' | 'unblock' | 'undo-block' | 'list-resale' | 'remove-resale'> =
  {
    block: { decide: (state, command, caller, now) => finish(block(state, command, caller, now)), again: blockedAgain },
    unblock: {
      decide: (state, command, caller) => finish(unblock(state, command, caller)),
      again: ({ plan }, { units }) => ({ unblocked: labelsOf(plan, units ?? []) }),
    },
    'end-holds': {
      decide: endHolds,
      again: ({ plan }, { units }) => ({ released: labelsOf(plan, units ?? []) }),
    },
    'undo-block': {
      decide: undoBlock,
      again: ({ plan }, { units }) => ({ unblocked: labelsOf(plan, units ?? []) }),
    },
    'list-resale': {
      decide: listResale,
      again: ({ plan }, noted) => {
        const answer = answerNoted(noted) as { listingId: string };
        return { ...answer, labels: labelsOf(plan, noted.units ?? []) };
      },
    },
    'remove-resale': {
      decide: removeResale,
      again: ({ plan }, { units }) => ({ labels: labelsOf(plan, units ?? []) }),
    },
  };

type SalesRecord =
  | 'holds-ended'
  | 'held'
  | 'extended'
  | 'released'
  | 'expired'
  | 'booked'
  | 'unbooked'
  | 'blocked'
  | 'unblocked'
  | 'resale-listed'
  | 'resale-removed';

export const salesFolds: Folds<SalesRecord> = {
  ...holdFolds,
  ...bookingFolds,
  ...blockFolds,
  ...listingFolds,
  ...endHoldsFolds,
};
