/**
 * The times between which buyers hold places: `salesStartAt` and `salesEndAt` of the event, and `salesStartAt` of a
 * channel.
 *
 * Bound callers are buyers: a publishable key, and any session. Keys and counters are not bound.
 *
 * States of the sale to a buyer: not begun → begun → ended. Each change happens at its time by the event's clock, in no
 * record: a hold that is decided at the start or later is granted, and a hold before the start is not. A new time takes
 * effect with its record. It may set the sale back to an earlier state.
 *
 * Only new holds are refused, a hold in place of another one included. A repeated call gets its first answer before
 * this room is asked. Holds that live may be extended, resumed, released and booked at any time.
 *
 * Nothing is awaited, and an event without these times pays one look at absent fields.
 */
import type { Caller } from '@parterre/shared/protocol/commands';
import { refuse } from '@parterre/shared/protocol/errors';
import type { Line } from '@parterre/shared/protocol/records';
import { saleStartOf } from '@parterre/shared/protocol/sale-times';
import { isOnSale, type ReadState, salesClosed } from '../state/state.ts';

type Refused = ReturnType<typeof refuse>;

/** The refusal of a new hold or sale: by the state of the event, or by its times. Null while the caller may hold. */
export function notOnSale(state: ReadState, { source, reach }: Caller, now: number): Refused | null {
  if (!isOnSale(state)) return salesClosed;
  if (source !== 'buyer') return null;
  const { salesStartAt, salesEndAt } = state.config;
  if (salesEndAt !== undefined && salesEndAt <= now) return ended;
  if (salesStartAt === undefined && (reach === undefined || reach.channelIds.length === 0)) return null;
  const opensAt = saleStartOf(state.config, reach, (id) => state.channels.byId.get(id));
  return opensAt !== null && now < opensAt ? notStarted(opensAt) : null;
}

/** The refusal of a buyer's places of a channel that begins later than the rest of the buyer's reach. */
export function beforeOwnStart(
  { channels }: ReadState,
  { source }: Caller,
  lines: readonly Line[],
  now: number,
): Refused | null {
  if (source !== 'buyer' || channels.of === null) return null;
  let opensAt = now;
  for (const { channelId } of lines) {
    if (channelId === undefined) continue;
    opensAt = Math.max(opensAt, channels.byId.get(channelId)?.salesStartAt ?? now);
  }
  return opensAt > now ? notStarted(opensAt) : null;
}

function notStarted(opensAt: number): Refused {
  return refuse('sales_not_started', 'The sale has not begun. It begins at opensAt.', { details: { opensAt } });
}

const ended = refuse('sales_ended', 'The sale has ended. Holds that live can still be booked.');
