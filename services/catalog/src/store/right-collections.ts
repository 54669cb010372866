/** The collections of rights, with the invariant of each unique index. */
import type {
  ImportDocument,
  ImportLock,
  ImportPiece,
  OfferDocument,
  OfferItems,
  RightDocument,
} from './rules/right-records.ts';
import type { Collection } from './store.ts';

const byOpen = { fields: ['open'], order: 'updatedAt', only: { field: 'open', values: [true] } } as const;

export const rights = {
  name: 'season-rights',
  indexes: {
    byContract: { fields: ['contractIds'], order: 'order' },
    byHolder: { fields: ['seasonKey', 'holderRef'], order: 'order' },
    byBooking: { fields: ['bookings'], order: 'order' },
    byActivePlan: { fields: ['active'], order: 'order' },
    /** Plans with a contract that has no booking. */
    byOfferable: { fields: ['offerable'], order: 'order' },
    bySeat: { fields: ['seats'], order: 'order' },
  },
} as Collection<RightDocument>;

export const offers = {
  name: 'season-offers',
  indexes: {
    byOpen,
    /** A contract has one open offer. */
    byContract: { fields: ['openOf'], order: 'createdAt', unique: true },
    bySeason: { fields: ['listedIn'], order: 'createdAt' },
    byState: { fields: ['listedIn', 'state'], order: 'createdAt' },
    byHolder: { fields: ['listedIn', 'holderRef'], order: 'createdAt' },
    byBooking: { fields: ['booking'], order: 'createdAt' },
    byCall: { fields: ['seasonKey', 'callId'], order: 'createdAt' },
    byDeadline: { fields: ['timed'], order: 'deadlineAt', only: { field: 'timed', values: [true] } },
  },
} as Collection<OfferDocument>;

export const offerItems = { name: 'season-offer-items', indexes: {} } as Collection<OfferItems>;

export const imports = { name: 'season-imports', indexes: { byOpen } } as Collection<ImportDocument>;

export const importPieces = {
  name: 'season-import-pieces',
  indexes: { byImport: { fields: ['importId'], order: 'at' } },
} as Collection<ImportPiece>;

export const importLocks = { name: 'season-import-turns', indexes: {} } as Collection<ImportLock>;

export const rightCollections = [rights, offers, offerItems, imports, importPieces, importLocks] as const;
