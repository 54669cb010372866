/**
 * Rights to seats of a season, as the catalog stores them. A **right** keeps seats for a holder. A **contract** is the
 * use of a right in one published plan. An **offer** reserves the seats of a contract in the events of a plan, until
 * its holder renews. A booking, an import and a renewal make contracts. A night that is given back or exchanged by
 * itself changes no right. Once every night of a booking has other places, its contract and its right have them too.
 */
import type { LineItem } from '../answers.ts';
import type { PriceUnit } from '../money.ts';
import type { Page, Scope } from './scope.ts';
import type { SeasonRecord } from './seasons.ts';

export type Contract = {
  contractId: string;
  rightId: string;
  seasonKey: string;
  holderRef: string;
  planActivationId: string;
  labels: string[];
  /** The places of each night whose exchange the other nights have not followed. [none] */
  exchanged?: { eventKey: string; labels: string[] }[];
  source: 'import' | 'booking' | 'renewal';
  /** `renewed`: another contract of the same right has taken its place. */
  state: 'active' | 'renewed' | 'cancelled';
  /** The reference under which the seats are booked; null while they are not. */
  bookingRef: string | null;
  /** The operation that booked the seats; null for an import and a renewal. */
  operationId: string | null;
  importId: string | null;
  offerId: string | null;
  priorPlanActivationId: string | null;
  priorContractRef: string | null;
  createdAt: number;
};

export const offerStates = [
  'offered',
  'intent_received',
  'committing',
  'renewed',
  'declined',
  'lapsed',
  'released',
  'partial_terminal',
] as const;
export type OfferState = (typeof offerStates)[number];
export type CommitOutcome = { eventKey: string; state: 'pending' | 'committed' | 'failed'; code: string | null };

export type Offer = {
  offerId: string;
  contractId: string;
  rightId: string;
  holderRef: string;
  successorPlanActivationId: string;
  labels: string[];
  state: OfferState;
  deadlineAt: number;
  intentId: string | null;
  intentAt: number | null;
  commitActionId: string | null;
  orderRef: string | null;
  bookingRef: string | null;
  successorContractId: string | null;
  commitOutcomes: CommitOutcome[];
  /** The price of all reserved seats, frozen with them, with all fees. [an offer of an earlier build] */
  total?: number;
  currency?: string;
  /** [major] */
  priceUnit?: PriceUnit;
  createdAt: number;
  updatedAt: number;
};

/** An offer with the frozen items of all events. */
export type OfferDetail = Offer & { items: LineItem[] };

/** `commit` is refused unless `planActivationId` is the offer's. */
export type OfferMove =
  | { move: 'extend'; deadlineAt: number }
  | { move: 'commit'; commitActionId: string; orderRef: string; bookingRef: string; planActivationId: string }
  | { move: 'decline' }
  | { move: 'release' }
  | { move: 'intend' };

/** A holder of an earlier season. The prior references and the holder's are opaque. */
export type ImportRow = {
  rowId: string;
  holderRef: string;
  priorPlanActivationId: string;
  priorContractRef: string;
  labels: string[];
  existingBookingRef: string | null;
};

/**
 * A row with the front door's judgement of its form and its seats. `isBooked`: the seats are booked under
 * `existingBookingRef` in every event of the plan.
 */
export type SeenRow = ImportRow & { fault: RowFault | null; isBooked: boolean };
export type RowFault = { decision: 'invalid' | 'conflict'; errorCode: string };

export type JudgedRow = ImportRow & {
  decision: 'accepted' | 'invalid' | 'conflict';
  errorCode: string | null;
  /** Both null where the row is not accepted, and in a dry run. */
  contractId: string | null;
  rightId: string | null;
};

/** `running`: its rows are received, or its rights are written. */
export type Import = {
  importId: string;
  dryRun: boolean;
  state: 'running' | 'dry_run' | 'committed' | 'rejected';
  successorPlanActivationId: string;
  acceptedCount: number;
  rejectedCount: number;
  receivedCount: number;
  /** Accepted rows whose rights are written. */
  writtenCount: number;
  createdAt: number;
  committedAt: number | null;
};

type OfSeason = { scope: Scope; seasonKey: string };
type OfOffer = OfSeason & { offerId: string };
/** The read waits a moment until these versions of events are counted. */
type Counted = { versions: readonly { eventKey: string; version: number }[] };

/** operation → [input, output]. A season outside the scope is unknown. */
export type RightsOperations = {
  'rights.lookup': [
    OfSeason & Counted & { bookingRef: string | null; holderRef: string | null },
    { offers: Offer[]; contracts: Contract[] },
  ];
  /** The season's active contracts of the plan, oldest first. */
  'rights.contracts': [
    OfSeason & Counted & { planActivationId: string; page: Page },
    { contracts: Contract[]; nextCursor?: string },
  ];
  /** The offers in each state that has some. */
  'rights.count-offers': [OfSeason, { states: Partial<Record<OfferState, number>> }];

  /** A named call finds its import. The plan is published. */
  'rights.begin-import': [
    OfSeason & { successorPlanActivationId: string; dryRun: boolean; callId?: string },
    { import: Import; season: SeasonRecord; eventKeys: string[] },
  ];
  /** Rows from number `at` on; a repeated piece takes the place of the first. Refused once the import has ended. */
  'rights.import-rows': [
    { seasonKey: string; importId: string; at: number; rows: SeenRow[] },
    { receivedCount: number; acceptedCount: number },
  ];
  /** Decides the import. With `waitMs` it waits for the rights to be written. */
  'rights.end-import': [{ seasonKey: string; importId: string; rowCount: number; waitMs: number }, { import: Import }];
  'rights.import': [OfSeason & { importId: string }, { import: Import }];
  /** Some rows from number `at` on; `next` is null at the end. */
  'rights.rows': [OfSeason & { importId: string; at: number }, { rows: JudgedRow[]; next: number | null }];

  /**
   * One offer a contract: of `contractIds`, or of every active contract of the plan that has neither a booking nor an
   * open offer. All seats are reserved, or none: then refused with `conflict`, whose details list all conflicts.
   * `truncated`: further contracts have no offer yet.
   */
  'rights.offer': [
    OfSeason & { deadlineAt: number; successorPlanActivationId?: string; contractIds?: string[]; callId?: string },
    { offers: Offer[]; truncated: boolean },
  ];
  'rights.offers': [OfSeason, { offers: Offer[]; truncated: boolean }];
  'rights.get-offer': [OfOffer, { offer: OfferDetail }];
  'rights.move-offer': [OfOffer & OfferMove, { offer: OfferDetail }];
  /** In any organisation: the offer's id is the secret of its link. `seasonKey` bounds it to one season. */
  'rights.find-offer': [{ offerId: string; seasonKey?: string }, { offer: OfferDetail; season: SeasonRecord }];
  'rights.answer-offer': [{ offerId: string; seasonKey?: string; move: 'intend' | 'decline' }, { offer: OfferDetail }];
};
