/** The stored values of seasons. collections.ts has their indexes. */
import type { DueOccurrence, OutboxOccurrence } from '@parterre/shared/protocol/catalog/season-outbox';
import type { GroupCancellation, SeasonCancellation } from '@parterre/shared/protocol/catalog/season-sales';
import type { Amendment, AuditEntry, SeasonNote, SeasonRecord } from '@parterre/shared/protocol/catalog/seasons';
import type { Caller } from '@parterre/shared/protocol/commands';
import type { Living } from './records.ts';

/** The id is the season's key. */
export type SeasonDocument = Omit<SeasonRecord, 'key'> &
  Living & {
    /** Every list that shows the season (lists.ts). */
    lists: string[];
    /** Set when a draft is deleted. */
    gone: true | null;
    /** The notes of the last change, which stand here before they have documents of their own. */
    notes: SeasonNote[];
    /** Set with notes for the outbox. Cleared once they are known to stand there. */
    untold: true | null;
    /** The amendment that its event may not show yet. */
    amending: AmendmentRecord | null;
    /** The number of amendments so far. */
    amendments: number;
    /** The lock of the season in its events, from the begin of an activation to the end of the close. */
    lockId: string | null;
  };

/** The id is the amendment's. */
export type AmendmentRecord = Amendment & { seasonKey: string };

/** The id follows from the season and the act. `order` is the entry's number. */
export type SeasonAudit = Omit<AuditEntry, 'id'> & { seasonKey: string; order: number };

/** The id is the occurrence's. `order` grows with time. */
export type SeasonOutbox = Omit<OutboxOccurrence, 'occurrenceId' | 'payload'> &
  Pick<DueOccurrence, 'season' | 'organisationId' | 'mode'> & {
    seasonKey: string;
    order: number;
    /** The JSON text whose SHA-256 receivers may check. */
    payloadText: string;
    delivered: boolean;
    /** Set while a notifier has to post it, from `dueAt` on; null once its deliveries are settled or queued. */
    due: true | null;
    dueAt: number;
  };

/** An attempt to deliver an occurrence of a season. The id follows from the delivery and the attempt. */
export type SeasonAttempt = { seasonKey: string; occurrenceId: string; subId: string; delivered: boolean; at: number };

/** The id is the internal id of the operation. */
export type CancellationRecord = SeasonCancellation & CancelWork;

/** `operation` is the internal id of the operation. The id is made of it and of the name of the cancellation. */
export type GroupCancellationRecord = GroupCancellation & CancelWork & { operation: string };

type CancelWork = {
  /** By event key: the units that the operation had booked at the decision. */
  labels: Record<string, string[]>;
  by: Caller;
  /** True while events lack the cancellation, else null. */
  open: true | null;
  updatedAt: number;
};
