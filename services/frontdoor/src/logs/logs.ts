/** Journal records as callers read them, reduced to the facts that a caller may see. */

export {
  activityMax,
  bookingOf,
  type Plans,
  planHashesOf,
  type ShareOfOperation,
  shareOfOperation,
} from './rules/bookings.ts';
export { entriesFor, seesChannels, withoutChannels } from './rules/channel-sight.ts';
export { type LogDetails, type LogEntry, logActions, logEntryOf } from './rules/event-log.ts';
export { holdAsSeenBy, holdRef } from './rules/hold-ref.ts';
export { seesMoney, withMoneyFor } from './rules/money.ts';
