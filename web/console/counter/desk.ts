/**
 * The parts of the counter share this: the event, its calls, the fields of the sale, and the ways from part to part.
 */
import type { Result } from '../../src/sale/calls.ts';
import type { Item } from '../event/line-items.ts';
import type { EventRoom } from '../event/tab.ts';
import type { SaleFields } from './kept.ts';

export type Quote = {
  /** The body of the sale without the reference. */
  body: Record<string, unknown>;
  items: readonly Item[];
  total: number;
};

export type Desk = {
  room: EventRoom;
  /** `events/gala`. */
  path: string;
  /** The fields of the sale. The caller changes them and calls `keep`. */
  fields: SaleFields;
  keep(): void;
  post<T>(action: string, body: object, key: string): Promise<Result<T>>;
  /** The sale goes on with this hold. */
  openHold(holdId: string): void;
  /** Back to the choice. */
  leaveHold(): void;
  openQuote(quote: Quote | null): void;
  sold(bookingRef: string): void;
};

/** The call of a sale at the counter without a hold, which goes on while sales to buyers are closed. */
export const counterSale = ({ room }: Desk): string =>
  room.meta().ownership === 'managed' ? 'box-office/sale' : 'box-book';
