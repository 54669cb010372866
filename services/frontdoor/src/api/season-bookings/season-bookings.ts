/** The holds and bookings of a season as the catalog has them, for the rooms that sell a season and look after it. */
export { bookingOf, isOpenBooking, oneSeasonBooking, type SeasonBookingAnswer, seasonBooking } from './answers.ts';
export {
  cancellationsOf,
  eventsOf,
  newestOperations,
  salesOfReference,
  scanOperations,
  type Versions,
} from './season-operations.ts';
