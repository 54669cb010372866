/** What has happened to an event, read from the catalog's projections of its journal. */
import type { JournalRecord } from '../records.ts';
import type { Page } from './scope.ts';

/** A record of the journal. `id` grows from entry to entry of an event; units are those of `plan`. */
export type JournalEntry = { id: number; at: number; plan: string; record: JournalRecord };

const ofChannels: ReadonlySet<JournalRecord['type']> = new Set([
  'channel-created',
  'channel-changed',
  'channel-state-set',
  'channels-assigned',
  'channel-archived',
]);

/** Whether it says what was done to channels, and nothing else. */
export function isOfChannels({ type }: JournalRecord): boolean {
  return ofChannels.has(type);
}

/** More than the records of any group: its commands' and its expiries', see `commandsPerGroupMax` and `expiriesPerGroupMax`. */
const recordsPerGroup = 8_192;

/** A number for one record of a partition's journal; of an event, later ones have higher ones. Safe up to 10^12 groups. */
export function entryId(seq: number, index: number): number {
  return seq * recordsPerGroup + index;
}

/** Where the numbers of entries begin that no record of the group has: what was done to access links stands behind a group. */
export const linkEntriesFrom = 6_144;

export function placeOfEntry(id: number): { seq: number; index: number } {
  return { seq: Math.floor(id / recordsPerGroup), index: id % recordsPerGroup };
}

/**
 * What was done to an access link, which is told in the audit of channels and in no journal. `id` has its place among those of the
 * journal's entries.
 */
export type LinkEntry = {
  id: number;
  at: number;
  action: 'create' | 'rotate' | 'revoke';
  channelId: string;
  linkId: string;
  /** The link that is in its place. */
  rotatedTo: string | null;
  /** Its sessions were ended with it. */
  sessionsEnded: boolean;
  actor: string;
  source: 'server' | 'operator';
  reason: string | null;
};

export type AuditedEntry = JournalEntry | LinkEntry;

export const bookingStates = ['booked', 'partially_cancelled', 'cancelled'] as const;
export type BookingState = (typeof bookingStates)[number];

/** A unit that is booked again under its reference after it was cancelled counts as one more. */
export type KeptBooking = {
  bookingRef: string;
  state: BookingState;
  bookedAt: number;
  updatedAt: number;
  /** Set while all of it is cancelled. */
  cancelledAt: number | null;
  /** All that was booked and unbooked under the reference and, before what it bought of another one, the record that says so; oldest first. */
  entries: JournalEntry[];
};

/**
 * Whose event it is has been checked by who asks. `version` is a version of the event that the answer is to cover: it is waited for,
 * for a moment; 0 asks for whatever there is.
 */
type Asked = { eventKey: string; version: number };

/** operation → [input, output] */
export type HistoryOperations = {
  /** Newest first, those below `before`. A page ends early where its records are large. */
  'history.log': [Asked & { limit: number; before?: number }, { entries: JournalEntry[]; nextBefore: number | null }];
  /** The same of what was done to channels and their access links, and of holds and bookings that had private seats by an override. */
  'history.audit': [Asked & { limit: number; before?: number }, { entries: AuditedEntry[]; nextBefore: number | null }];
  /** Newest first by their first booking. `q` is looked for in bookingRefs. A page may be short of `limit` before the end. */
  'history.bookings': [
    Asked & { page: Page; state?: BookingState; q?: string },
    { bookings: KeptBooking[]; nextCursor?: string },
  ];
  /** Refused with `booking_not_found`. */
  'history.booking': [Asked & { bookingRef: string }, { booking: KeptBooking }];
};
