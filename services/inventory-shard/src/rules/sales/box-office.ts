/**
 * Sales at a counter. They are the organiser's own and go on while sales to buyers are closed. On an event that a
 * platform owns, they are bookings like others. On a managed event, the answer shows the total, and the operator may
 * choose a ticket release.
 */
import type { Answers } from '@parterre/shared/protocol/answers';
import type { Caller, Command } from '@parterre/shared/protocol/commands';
import { refuse } from '@parterre/shared/protocol/errors';
import { lineItemsOf } from '@parterre/shared/protocol/line-items';
import type { JournalRecord, Line } from '@parterre/shared/protocol/records';
import { attributed } from '../reach/attribution.ts';
import { type Decision, knownBooking, type ReadState } from '../state/state.ts';
import { bookSelections } from './book.ts';
import { splitByReference } from './booked-before.ts';

export function boxBook(
  state: ReadState,
  command: Command & { type: 'box-book' },
  caller: Caller,
  now: number,
): Decision<'box-book'> {
  if (state.config.ownership !== 'platform') {
    return refuse(
      'not_platform_owned',
      'This call sells only events whose ownership is "platform". This event is managed: use box-office/sale.',
    );
  }
  return bookSelections(state, { ...command, counter: true }, { caller, now });
}

export function boxOfficeSale(
  state: ReadState,
  command: Command & { type: 'box-office-sale' },
  caller: Caller,
  now: number,
): Decision<'box-office-sale'> {
  if (state.config.ownership !== 'managed') {
    return refuse(
      'not_managed',
      'The box office sells only events whose ownership is "managed". A platform owns this event: use box-book.',
    );
  }
  const { bookingRef, selections, releaseId } = command;
  const terms = { caller, now, ...(releaseId !== undefined && { releaseId }) };
  const sale = bookSelections(state, { ...command, counter: true }, terms);
  if (!sale.ok) return sale;
  const { had } = splitByReference(state, bookingRef, selections);
  const known = knownBooking(state, bookingRef, now);
  const linesOf = (record: JournalRecord): Line[] => {
    if (record.type !== 'booked') return [];
    return known ? attributed(known, record) : record.lines;
  };
  const lines = sale.records.flatMap(linesOf).concat(had);
  const accessSource = known?.accessSource ?? caller.accessSource;
  return { ...sale, answer: { ...sale.answer, ...worthOf(state, lines, accessSource) } };
}

/** In unit order, so that a repetition, which finds all units booked, gives the same answer. */
function worthOf(
  state: ReadState,
  lines: readonly Line[],
  accessSource: Caller['accessSource'],
): Omit<Answers['box-office-sale'], 'booked'> {
  const { currency } = state.config;
  const inOrder = lines.toSorted((a, b) => a.unit - b.unit);
  const items = lineItemsOf(state.plan, inOrder, { currency, accessSource });
  const total = items.reduce((sum, { unitPrice, quantity = 1 }) => sum + unitPrice * quantity, 0);
  return { items, total, currency };
}
