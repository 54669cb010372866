/** The history of an event, from the catalog's projections of its journal. */
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

/** True for a record that is about channels alone. */
export function isOfChannels({ type }: JournalRecord): boolean {
  return ofChannels.has(type);
}

/**
 * More than any group has records of commands and of expiries: see `commandsPerGroupMax` and `expiriesPerGroupMax`.
 */
const recordsPerGroup = 8_192;

/**
 * A number for one record of a partition's journal. Later records of an event have higher numbers. Safe up to 10^12
 * groups.
 */
export function entryId(seq: number, index: number): number {
  return seq * recordsPerGroup + index;
}

/** The first number of entries after the records of a group: changes of access links stand behind a group. */
export const linkEntriesFrom = 6_144;

export function placeOfEntry(id: number): { seq: number; index: number } {
  return { seq: Math.floor(id / recordsPerGroup), index: id % recordsPerGroup };
}

/**
 * A change of an access link, which the audit of channels shows and no journal has. `id` orders it among the journal's
 * entries.
 */
export type LinkEntry = {
  id: number;
  at: number;
  action: 'create' | 'rotate' | 'revoke';
  channelId: string;
  linkId: string;
  /** The link that replaces this link. */
  rotatedTo: string | null;
  /** The link's sessions ended with it. */
  sessionsEnded: boolean;
  actor: string;
  source: 'server' | 'operator';
  reason: string | null;
};

export type AuditedEntry = JournalEntry | LinkEntry;

export const bookingStates = ['booked', 'partially_cancelled', 'cancelled'] as const;
export type BookingState = (typeof bookingStates)[number];

/** A unit that is booked again under its reference after its cancellation counts again. */
export type KeptBooking = {
  bookingRef: string;
  state: BookingState;
  bookedAt: number;
  updatedAt: number;
  /** Set while the whole booking is cancelled. */
  cancelledAt: number | null;
  /**
   * Every record of bookings and cancellations under the reference, oldest first, and before them the records of units
   * that the booking bought from other bookings.
   */
  entries: JournalEntry[];
};

/**
 * The caller has checked the organisation of the event. `version` is a version of the event that the answer should
 * include: the read waits a moment for it; 0 asks for the present state.
 */
type EventAtVersion = { eventKey: string; version: number };

/** A part of a commit of the event, as the journal had it at this sequence. */
export type CountedPart = { sequence: number; data: Uint8Array };

/** A shard may be asked for an event of another partition, which has nothing in its stream. */
type EventInStream = { eventKey: string; stream: string };

/** operation → [input, output] */
export type HistoryOperations = {
  /** Newest first, the entries below `before`. A page ends early when its records are large. */
  'history.log': [
    EventAtVersion & { limit: number; before?: number },
    { entries: JournalEntry[]; nextBefore: number | null },
  ];
  /**
   * The same for changes of channels and their access links, and for holds and bookings with units that an override
   * allowed.
   */
  'history.audit': [
    EventAtVersion & { limit: number; before?: number },
    { entries: AuditedEntry[]; nextBefore: number | null },
  ];
  /**
   * Newest first by their first booking. `q` is searched in bookingRefs. A page may be shorter than `limit` before the
   * end.
   */
  'history.bookings': [
    EventAtVersion & { page: Page; state?: BookingState; q?: string },
    { bookings: KeptBooking[]; nextCursor?: string },
  ];
  /** Refused with `booking_not_found`. Without `isCounted`, the booking may have later records. */
  'history.booking': [EventAtVersion & { bookingRef: string }, { booking: KeptBooking; isCounted: boolean }];
  /**
   * For shards, as evidence (I9): the event's counted parts in this stream, byte for byte. `parts` stand behind the
   * sequence `after`, in order. A page ends early when its parts are large; `isCut` says that more follow.
   */
  'history.last-part': [EventInStream, CountedPart | null];
  'history.parts': [EventInStream & { after: number }, { parts: CountedPart[]; isCut: boolean }];
};
