/**
 * What a front door asks of an event's actor, and what it gets back. One message carries the commands of one event-loop
 * turn to one partition; answers come back the same way, matched by `id`.
 */
import type { Refusal } from './errors.ts';
import type { Spent } from './fixed-windows.ts';
import type { AccessSource, EventConfig, EventMove, EventStatus, SectionStates } from './records.ts';

/** A unit a caller names: by label, or an area's own label with `quantity`. */
export type Selection = { label: string; tierId?: string | null; quantity?: number };

/** Who asks, for the audit trail and for attribution. Never a token. */
export type Caller = {
  /** `server` a secret key, `buyer` a browser, `operator` a console or dashboard, `timer` the owner's clock. */
  source: 'server' | 'buyer' | 'operator' | 'timer';
  /** The id of the key, user or session; null for the timer. */
  actor: string | null;
  accessSource: AccessSource;
};

/**
 * `callId` is made by the front door and names one call: the same call again, because its answer was lost, gets the first
 * answer and has no second effect (I5). A hold is named by its `holdId`.
 */
export type Command =
  /** First command of an event's life. Repeating it with the same `eventId` is harmless. */
  | { type: 'create'; config: EventConfig }
  /**
   * Holds every selection or none. `holdId` names the command: repeating it gives the first answer (I5).
   * `fingerprint` is set where the caller chose the name (Idempotency-Key): another fingerprint is a conflict.
   */
  | {
      type: 'hold';
      holdId: string;
      selections: Selection[];
      ttlMs?: number;
      replaceHoldId?: string;
      fingerprint?: string;
    }
  | { type: 'extend'; holdId: string; callId: string; ttlMs?: number }
  | { type: 'release'; holdId: string; callId: string; labels?: string[] }
  | { type: 'book'; callId: string; bookingRef: string; holdId: string; labels?: string[] }
  | { type: 'book-direct'; callId: string; bookingRef: string; selections: Selection[] }
  | { type: 'unbook'; callId: string; bookingRef: string; labels?: string[] }
  | { type: 'block'; callId: string; labels: string[]; releaseAt: number | null; reason: string | null }
  /** Frees blocked units; null means every one. */
  | { type: 'unblock'; callId: string; labels: string[] | null }
  | { type: 'set-hold-ttl'; callId: string; holdTtlMs: number | null }
  /** One step of the event's life; refused with `invalid_event_state` where it cannot be taken. */
  | { type: 'move'; callId: string; move: EventMove }
  /**
   * All that it names or nothing. Refused with reason `event_has_sales` when the currency would change under what is held
   * or was ever booked. `sectionStates` replaces all of them; ids of sections, logical sections and zones of the event's chart.
   */
  | { type: 'configure'; callId: string; currency?: string; sectionStates?: SectionStates }
  /** Moves the event to another published chart; a unit is the same one where its label is. */
  | {
      type: 'update-chart';
      callId: string;
      planHash: string;
      chartVersion: number;
      /** Only where nothing is held, booked or blocked: else refused with reason `event_in_use`. */
      onlyIfIdle?: true;
      acknowledgeDroppedAssignments?: boolean;
      reason?: string | null;
    }
  // Reads: answered from the actor, after all that they could have seen is journaled.
  | { type: 'inspect-hold'; holdId: string }
  | { type: 'count' }
  | { type: 'view' }
  | { type: 'report' }
  /** Counts one request. Asked of a budget, whose address stands where an event's key does; nothing is journaled. */
  | { type: 'spend'; limit: number; windowMs: number };

export type CommandType = Command['type'];

export type LineItem = {
  label: string;
  objectId: string;
  objectType: 'seat' | 'booth' | 'ga' | 'table';
  categoryKey: string;
  tierId: string | null;
  /** Major units of `currency`; per guest for a table sold as a whole. */
  unitPrice: number;
  currency: string;
  quantity?: number;
  /** The places of one GA line with a quantity. */
  labels?: string[];
  bookingMode: 'individual' | 'whole' | 'variable';
  capacity?: number;
  minOccupancy?: number;
  maxOccupancy?: number;
  channelId: string | null;
  accessSource: AccessSource;
  releaseId: string | null;
};

export type HeldAnswer = {
  holdId: string;
  expiresAt: number;
  items: LineItem[];
  labels: string[];
  currency: string;
};

export type HoldView = {
  holdId: string;
  status: 'active' | 'booked' | 'released' | 'expired';
  items: LineItem[];
  expiresAt: number;
  currency: string;
  extends: number;
  bookingRef: string | null;
  accessSource: AccessSource;
};

export type Counts = { free: number; held: number; booked: number; blocked: number };

/** What an event was after a move: `at` the time of the commit, `version` the number of the event's groups with it. */
export type MoveAnswer = { status: EventStatus; salesPaused: boolean; counts: Counts; at: number; version: number };

/** `updated` is false where the event was on this very chart already. */
export type ChartUpdateAnswer = {
  updated: boolean;
  planHash: string;
  chartVersion: number;
  seatTotal: number;
  counts: Counts;
  /** The time of the commit. */
  at: number;
};

/**
 * The whole map at `version` (the sequence of the event's last journaled group): two bits a unit in the plan's order,
 * four units a byte, lowest bits first; see `packStatuses`.
 */
export type EventView = {
  version: number;
  updatedAt: number;
  planHash: string;
  status: EventStatus;
  salesPaused: boolean;
  unitCount: number;
  statuses: Uint8Array;
};

export type StatusTotals = { total: number; free: number; held: number; booked: number; not_for_sale: number };

/** The inventory's part of a report, in the plan that `planHash` names; `bookedValue` in major units. Sections in the plan's order, `__ungrouped__` last. */
export type InventoryReport = {
  planHash: string;
  byStatus: Omit<StatusTotals, 'total'>;
  byCategory: ({ category: string; bookedValue: number } & StatusTotals)[];
  bySection: ({
    sectionId: string;
    sectionLabel: string;
    zoneId: string | null;
    bookedValue: number;
  } & StatusTotals)[];
  byAccessibility: ({ type: string; label: string } & StatusTotals)[];
};

/** The successful answer of each command. */
export type Answers = {
  create: { counts: Counts };
  hold: HeldAnswer;
  extend: { holdId: string; expiresAt: number; extends: number; items: LineItem[] };
  release: { released: string[] };
  book: { booked: string[] };
  'book-direct': { booked: string[] };
  unbook: { unbooked: string[] };
  block: { blocked: string[] };
  unblock: { unblocked: string[] };
  'set-hold-ttl': { holdTtlMs: number | null };
  move: MoveAnswer;
  /** What stands after it, `at` the time of the commit. */
  configure: { currency: string; sectionStates: SectionStates; at: number };
  'update-chart': ChartUpdateAnswer;
  'inspect-hold': HoldView;
  count: {
    counts: Counts;
    holdTtlMs: number | null;
    status: EventStatus;
    salesPaused: boolean;
    sectionStates: SectionStates;
    /** The chart that the event sells from just now; the catalog's record may lag. */
    planHash: string;
    /** Null where the event was made before its journal told. */
    chartVersion: number | null;
    /** The sequence of the last journaled group that the answer rests on. */
    version: number;
  };
  view: EventView;
  report: InventoryReport;
  spend: Spent;
};

/**
 * `attempt` counts the copies that are sent because nothing was heard of the ones before: any of them may arrive, in any
 * order. [1] Answers name the copy they are to: a success is one whichever copy it was, while a refusal of a copy that
 * was followed by another says nothing, since that one may succeed.
 */
export type Envelope = { id: number; eventKey: string; caller: Caller; command: Command; attempt?: number };

/**
 * `moved`: this process does not own the partition, nothing was done, ask again. `absent`: the event has no journal yet;
 * the front door creates it from the catalog's record and asks again.
 */
export type Reply = { id: number; attempt?: number } & Answer;

export type Answer =
  | { kind: 'ok'; value: unknown }
  | { kind: 'refused'; refusal: Refusal }
  | { kind: 'moved' }
  | { kind: 'absent' };
