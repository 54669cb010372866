/**
 * Sales at a counter. They are the organiser's own and go on while sales to buyers are closed. On an event that a
 * platform owns, they are bookings like others. On a managed event, the operator may choose a ticket release. Both
 * answers show the total.
 */
import type { CounterSaleAnswer } from '@parterre/shared/protocol/answers';
import type { Caller, Command } from '@parterre/shared/protocol/commands';
import { refuse } from '@parterre/shared/protocol/errors';
import { totalOfItems } from '@parterre/shared/protocol/money';
import type { JournalRecord } from '@parterre/shared/protocol/records';
import { invalidState, isMutable } from '../event/lifecycle.ts';
import type { Terms } from '../selection/selection.ts';
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
  return counterSale(state, command, { caller, now, fromBlock: command.fromBlock ?? false });
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
  const { releaseId, fromBlock = false } = command;
  return counterSale(state, command, { caller, now, fromBlock, ...(releaseId !== undefined && { releaseId }) });
}

/** The answer of such a sale, under the same refusals. Writes nothing. */
export function quoteSale(
  state: ReadState,
  { of, releaseId, ...quoted }: Command & { type: 'quote-sale' },
  caller: Caller,
  now: number,
): Decision<'quote-sale'> {
  const sale = { ...quoted, callId: noCall };
  const told =
    of === 'box-book'
      ? boxBook(state, { ...sale, type: of }, caller, now)
      : boxOfficeSale(state, { ...sale, type: of, ...(releaseId !== undefined && { releaseId }) }, caller, now);
  if (!told.ok) return told;
  return isMutable(state) ? { ...told, records: [] } : invalidState(state);
}

/** No sale has this name, so a quote repeats none. */
const noCall = '';

function counterSale(
  state: ReadState,
  command: Command & { type: 'box-book' | 'box-office-sale' },
  terms: Terms,
): { ok: true; records: JournalRecord[]; answer: CounterSaleAnswer } | ReturnType<typeof refuse> {
  const sale = bookSelections(state, { ...command, counter: true }, terms);
  if (!sale.ok) return sale;
  const items = itemsOfSale(state, command, sale.records, terms);
  const answer = { ...sale.answer, items, total: totalOfItems(items), currency: state.config.currency };
  return { ...sale, answer };
}
