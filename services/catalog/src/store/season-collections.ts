/** The collections of seasons, with the invariant of each unique index. */
import type {
  AmendmentRecord,
  CancellationRecord,
  SeasonAttempt,
  SeasonAudit,
  SeasonDocument,
  SeasonOutbox,
} from './rules/season-records.ts';
import type { Collection } from './store.ts';

export const seasons = {
  name: 'seasons',
  indexes: {
    byList: { fields: ['lists'], order: 'createdAt' },
    byOpen: { fields: ['open'], order: 'updatedAt', only: { field: 'open', values: [true] } },
    byUntold: { fields: ['untold'], order: 'updatedAt', only: { field: 'untold', values: [true] } },
  },
} as Collection<SeasonDocument>;

export const seasonAmendments = {
  name: 'season-amendments',
  indexes: { bySeason: { fields: ['seasonKey'], order: 'revision' } },
} as Collection<AmendmentRecord>;

export const seasonAudits = {
  name: 'season-audits',
  indexes: {
    bySeason: { fields: ['seasonKey'], order: 'order' },
    /** One entry for each number. */
    byOrder: { fields: ['seasonKey', 'order'], order: 'order', unique: true },
  },
} as Collection<SeasonAudit>;

export const seasonOutbox = {
  name: 'season-outbox',
  indexes: {
    bySeason: { fields: ['seasonKey'], order: 'order' },
    byDelivered: { fields: ['seasonKey', 'delivered'], order: 'order' },
    byDue: { fields: ['due'], order: 'dueAt', only: { field: 'due', values: [true] } },
    /** One occurrence for each number. */
    byOrder: { fields: ['seasonKey', 'order'], order: 'order', unique: true },
  },
} as Collection<SeasonOutbox>;

export const seasonAttempts = {
  name: 'season-attempts',
  indexes: {
    bySeason: { fields: ['seasonKey', 'delivered'], order: 'at' },
    byOccurrence: { fields: ['occurrenceId', 'delivered'], order: 'at' },
  },
} as Collection<SeasonAttempt>;

/** The id is the internal id of the operation: a booking has one cancellation. */
export const seasonCancellations = {
  name: 'season-cancellations',
  indexes: { byOpen: { fields: ['open'], order: 'updatedAt', only: { field: 'open', values: [true] } } },
} as Collection<CancellationRecord>;

export const seasonCollections = [
  seasons,
  seasonAmendments,
  seasonAudits,
  seasonOutbox,
  seasonAttempts,
  seasonCancellations,
] as const;
