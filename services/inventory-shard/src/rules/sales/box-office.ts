/**
 * Sales at a counter. They are the organiser's own and go on while sales to buyers are closed. On an event that a
 * platform owns, they are bookings like others. On a managed event, the answer shows the total, and the operator may
 * choose a ticket release.
 */
import type { Caller, Command } from '@parterre/shared/protocol/commands';
import { refuse } from '@parterre/shared/protocol/errors';
import { totalOfItems } from '@parterre/shared/protocol/money';
import type { Decision, ReadState } from '../state/state.ts';
import { bookSelections, itemsOfSale } from './book.ts';

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
  const { releaseId } = command;
  const terms = { caller, now, ...(releaseId !== undefined && { releaseId }) };
  const sale = bookSelections(state, { ...command, counter: true }, terms);
  if (!sale.ok) return sale;
  const items = itemsOfSale(state, command, sale.records, terms);
  const total = totalOfItems(items);
  return { ...sale, answer: { ...sale.answer, items, total, currency: state.config.currency } };
}
