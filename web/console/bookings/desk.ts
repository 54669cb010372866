/** The parts of the page of one booking share this. */
import type { EventRoom } from '../event/tab.ts';
import type { BookedItem, Booking } from './booking.ts';

export type Listing = { listingId: string; labels: string[] };

export type BookingDesk = {
  room: EventRoom;
  /** `events/gala`. */
  path: string;
  booking(): Booking;
  /** The chosen lines; all active ones where none is chosen. */
  chosen(): BookedItem[];
  /** The act is done: the booking is read anew. */
  done(): void;
  /** Changes the query of the address; undefined takes a part away. */
  go(changes: Readonly<Record<string, string | undefined>>): void;
};
