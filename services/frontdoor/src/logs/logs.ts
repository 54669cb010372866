/** Journal records as callers read them, reduced to the facts that a caller may see. */
export { activityMax, bookingOf, labelsOfOperation, type Plans, planHashesOf } from './bookings.ts';
export { entriesFor, seesChannels, withoutChannels } from './channel-sight.ts';
export { type LogDetails, type LogEntry, logActions, logEntryOf } from './event-log.ts';
export { holdAsSeenBy } from './hold-ref.ts';
export { seesMoney, withMoneyFor } from './money.ts';
