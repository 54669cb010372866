/** The stored values of rights. right-collections.ts has their indexes. */
import type { LineItem } from '@parterre/shared/protocol/answers';
import type { Contract, Import, JudgedRow, Offer, OfferState, SeenRow } from '@parterre/shared/protocol/catalog/rights';
import type { SeasonNote } from '@parterre/shared/protocol/catalog/seasons';
import type { Caller } from '@parterre/shared/protocol/commands';

/** Work is left to do. Any catalog does it. */
export type Open = { open: true | null; updatedAt: number };

/**
 * The id is the right's. The right and its contracts are one document, so that a renewal and a cancellation are one
 * checked write.
 */
export type RightDocument = {
  organisationId: string;
  seasonKey: string;
  holderRef: string;
  labels: string[];
  /** `released`: the holder has no right any more. */
  state: 'active' | 'released';
  source: Contract['source'];
  contracts: Contract[];
  createdAt: number;
  updatedAt: number;
  order: number;
  /** For indexes (rights/rules/right-state.ts). */
  contractIds: string[];
  bookings: string[];
  active: string[];
  offerable: string[];
  seats: string[];
};

/** The id is the offer's. `preparing` and `refused` are never shown. */
export type OfferDocument = Omit<Offer, 'offerId' | 'state'> &
  Open & {
    organisationId: string;
    seasonKey: string;
    eventKeys: string[];
    state: OfferState | 'preparing' | 'refused';
    callId: string | null;
    /** The reservations of a preparing offer may act until then. */
    actsUntil: number;
    /** The events still have the seats reserved, and the offer has ended without a booking. */
    freeing: boolean;
    notes: SeasonNote[];
    /** The contract, while the offer is open; later the offer itself. */
    openOf: string;
    /** The season, once the offer is shown. */
    listedIn: string | null;
    /** True while the deadline counts. */
    timed: true | null;
    booking: string | null;
    /** The key or user that commits the offer. [the timer] */
    committedBy?: Pick<Caller, 'source' | 'actor'>;
  };

/** The frozen items of an offer in all events. The id is the offer's. */
export type OfferItems = { items: LineItem[] };

/** The id is the import's. */
export type ImportDocument = Omit<Import, 'importId' | 'state'> &
  Open & {
    organisationId: string;
    seasonKey: string;
    state: 'receiving' | 'deciding' | 'writing' | 'dry_run' | 'committed' | 'rejected';
    /** The rows whose rights are written, rejected rows included. */
    rowsDone: number;
    /**
     * The number of imports that had had the plan's lock when this import began. The rows were judged with the rights
     * of those imports. [null] Null: judge again.
     */
    turnsSeen?: number | null;
    notes: SeasonNote[];
  };

/** Some rows of an import, from number `at` on. `isDecided`: the rows are judged for good. */
export type ImportPiece = {
  importId: string;
  at: number;
  rows: (JudgedRow & Pick<SeenRow, 'isBooked'>)[];
  isDecided?: true;
};

/**
 * The lock of a plan: one import at a time decides about the plan's seats. The id is the plan's activation. `turns`
 * counts the imports that have had the lock, this import included.
 */
export type ImportLock = { importId: string; turns: number };
