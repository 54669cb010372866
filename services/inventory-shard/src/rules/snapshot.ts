/**
 * A state as plain data and back: a cache of the fold up to `version`, never the truth (I6). What follows from the
 * rest (owner of each unit, counts, deadlines) is not stored but worked out again, so that it cannot disagree.
 *
 * In columns, and in two steps: `capture` runs in the event's own turn and copies only what may change after it; what
 * never changes in place (texts, and the lines of a hold or booking) it only points at. `toSnapshot` does the rest later.
 */
import type { Plan } from '@parterre/shared/chart/plan';
import {
  type AccessSource,
  type EventConfig,
  type EventStatus,
  type Line,
  packStatuses,
  type Release,
  type SectionStates,
  unpackStatuses,
} from '@parterre/shared/records';
import { joinLists, joinTexts, type Lists, splitLists, splitTexts, type Texts, toBytes, toFloat64 } from './columns.ts';
import { joinLines, type LineColumns, splitLines } from './line-columns.ts';
import {
  type Booking,
  type Call,
  type EventCall,
  type EventState,
  type Hold,
  type Listing,
  liveDeadlines,
  newState,
  type ReleaseUse,
} from './state.ts';

/** Of the form; snapshots of another one are passed over. */
export const snapshotVersion = 4;

/** The state's own fields. */
type Head = {
  v: typeof snapshotVersion;
  config: EventConfig;
  status: EventStatus;
  salesPaused: boolean;
  sectionStates: SectionStates;
  availability: EventState['availability'];
  releases: Release[];
  releaseUse: [string, ReleaseUse][];
  soldOut: boolean;
  listings: Listing[];
  holdTtlMs: number | null;
  version: number;
  groups: number;
  at: number;
  nextSlot: number;
  endedHolds: string[];
  blockedUntil: [number, number][];
  calls: [string, EventCall][];
};

/** Holds and then bookings, in the order of the state's maps, `numbersPerOwner` numbers and `textsPerOwner` texts each. */
export type CapturedState = {
  head: Head;
  holdCount: number;
  statuses: Uint8Array;
  slotOf: Int32Array;
  numbers: Float64Array;
  texts: (string | null)[];
  lines: Line[][];
  /** Units of the last call, null without one. */
  callUnits: (number[] | null)[];
};

export type Snapshot = Omit<Head, 'endedHolds'> & {
  endedHolds: Texts;
  holdCount: number;
  statuses: Uint8Array;
  numbers: Uint8Array;
  texts: Texts;
  callUnits: Lists;
  lines: LineColumns;
};

const numbersPerOwner = 7;
const textsPerOwner = 5;
const holdStatuses = ['active', 'booked', 'released', 'expired'] as const;
const accessSources: readonly AccessSource[] = ['public', 'promoter', 'partner', 'hosted_link', 'staff_override'];

export function capture(state: EventState): CapturedState {
  const { config, status, salesPaused, sectionStates, availability, releases, soldOut } = state;
  const { holdTtlMs, version, groups, at, nextSlot } = state;
  const owners = state.holds.size + state.bookings.size;
  const captured: CapturedState = {
    head: {
      v: snapshotVersion,
      config,
      status,
      salesPaused,
      sectionStates,
      availability,
      releases,
      releaseUse: [...state.releaseUse].map(([id, use]) => [id, { ...use }]),
      soldOut,
      listings: [...state.listings.values()].map((listing) => ({ ...listing })),
      holdTtlMs,
      version,
      groups,
      at,
      nextSlot,
      endedHolds: [...state.endedHolds],
      blockedUntil: [...state.blockedUntil],
      calls: [...state.calls],
    },
    holdCount: state.holds.size,
    statuses: packStatuses(state.statuses),
    slotOf: state.slotOf.slice(),
    numbers: new Float64Array(owners * numbersPerOwner),
    texts: new Array(owners * textsPerOwner),
    lines: new Array(owners),
    callUnits: new Array(owners),
  };
  let i = 0;
  for (const hold of state.holds.values()) captureHold(captured, i++, hold);
  for (const booking of state.bookings.values()) captureBooking(captured, i++, booking);
  return captured;
}

function captureHold({ numbers, texts, lines, callUnits }: CapturedState, i: number, hold: Hold): void {
  const n = i * numbersPerOwner;
  numbers[n] = hold.slot;
  numbers[n + 1] = accessSources.indexOf(hold.accessSource);
  numbers[n + 2] = hold.createdAt;
  numbers[n + 3] = hold.expiresAt;
  numbers[n + 4] = hold.endedAt ?? Number.NaN;
  numbers[n + 5] = hold.extends;
  numbers[n + 6] = holdStatuses.indexOf(hold.status);
  const t = i * textsPerOwner;
  texts[t] = hold.id;
  texts[t + 1] = hold.lastExtend;
  texts[t + 2] = hold.lastRelease?.callId ?? null;
  texts[t + 3] = hold.bookingRef;
  texts[t + 4] = hold.fingerprint;
  lines[i] = hold.lines;
  callUnits[i] = hold.lastRelease?.units ?? null;
}

function captureBooking({ numbers, texts, lines, callUnits }: CapturedState, i: number, booking: Booking): void {
  const n = i * numbersPerOwner;
  numbers[n] = booking.slot;
  numbers[n + 1] = accessSources.indexOf(booking.accessSource);
  numbers[n + 2] = booking.bookedAt;
  numbers[n + 3] = booking.updatedAt;
  const t = i * textsPerOwner;
  texts[t] = booking.ref;
  texts[t + 1] = null;
  texts[t + 2] = booking.lastCall?.callId ?? null;
  texts[t + 3] = null;
  texts[t + 4] = null;
  lines[i] = booking.lines;
  callUnits[i] = booking.lastCall?.units ?? null;
}

export function toSnapshot({ head, slotOf, numbers, texts, lines, callUnits, ...rest }: CapturedState): Snapshot {
  return {
    ...head,
    ...rest,
    endedHolds: joinTexts(head.endedHolds),
    numbers: toBytes(numbers),
    texts: joinTexts(texts),
    callUnits: joinLists(callUnits),
    lines: joinLines(lines, (unit, i) => slotOf[unit] === numbers[i * numbersPerOwner]),
  };
}

export function fromSnapshot(snapshot: Snapshot, plan: Plan): EventState {
  const state = newState(snapshot.config, plan);
  state.status = snapshot.status;
  state.salesPaused = snapshot.salesPaused;
  state.sectionStates = snapshot.sectionStates;
  state.availability = snapshot.availability;
  state.releases = snapshot.releases;
  state.releaseUse = new Map(snapshot.releaseUse);
  state.soldOut = snapshot.soldOut;
  for (const listing of snapshot.listings) {
    state.listings.set(listing.id, listing);
    for (const unit of listing.units) state.listingOf.set(unit, listing);
  }
  state.holdTtlMs = snapshot.holdTtlMs;
  state.version = snapshot.version;
  state.groups = snapshot.groups;
  state.at = snapshot.at;
  state.nextSlot = snapshot.nextSlot;
  state.statuses = unpackStatuses(snapshot.statuses, plan.unitCount);
  state.counts = [0, 0, 0, 0];
  for (const status of state.statuses) state.counts[status as 0 | 1 | 2 | 3]++;
  state.endedHolds = splitTexts(snapshot.endedHolds) as string[];
  state.blockedUntil = new Map(snapshot.blockedUntil);
  state.calls = new Map(snapshot.calls);
  for (const { units } of state.calls.values()) state.callUnits += units?.length ?? 0;
  readOwners(state, snapshot);
  state.deadlines = liveDeadlines(state);
  return state;
}

function readOwners(state: EventState, { holdCount, ...columns }: Snapshot): void {
  const numbers = toFloat64(columns.numbers);
  const texts = splitTexts(columns.texts);
  const callUnits = splitLists(columns.callUnits);
  const { lines, owned } = splitLines(columns.lines);
  let line = 0;
  for (let i = 0; i < lines.length; i++) {
    const n = i * numbersPerOwner;
    const t = i * textsPerOwner;
    const callId = texts[t + 2]!;
    const read: OwnerColumns = {
      numbers,
      n,
      texts,
      t,
      lines: lines[i]!,
      call: callId === null ? null : { callId, units: callUnits[i]! },
    };
    const owner = i < holdCount ? holdFrom(read) : bookingFrom(read);
    if (owner.kind === 'hold') state.holds.set(owner.id, owner);
    else state.bookings.set(owner.ref, owner);
    state.lineCount += owner.lines.length;
    for (const { unit } of owner.lines) if (owned[line++] === 1) state.slotOf[unit] = owner.slot;
  }
}

type OwnerColumns = {
  numbers: Float64Array;
  n: number;
  texts: (string | null)[];
  t: number;
  lines: Line[];
  call: Call | null;
};

function holdFrom({ numbers, n, texts, t, lines, call }: OwnerColumns): Hold {
  const endedAt = numbers[n + 4]!;
  return {
    kind: 'hold',
    id: texts[t]!,
    slot: numbers[n]!,
    status: holdStatuses[numbers[n + 6]!]!,
    createdAt: numbers[n + 2]!,
    expiresAt: numbers[n + 3]!,
    endedAt: Number.isNaN(endedAt) ? null : endedAt,
    extends: numbers[n + 5]!,
    lastExtend: texts[t + 1]!,
    lastRelease: call,
    bookingRef: texts[t + 3]!,
    accessSource: accessSources[numbers[n + 1]!]!,
    fingerprint: texts[t + 4]!,
    lines,
  };
}

function bookingFrom({ numbers, n, texts, t, lines, call }: OwnerColumns): Booking {
  return {
    kind: 'booking',
    ref: texts[t]!,
    slot: numbers[n]!,
    bookedAt: numbers[n + 2]!,
    updatedAt: numbers[n + 3]!,
    accessSource: accessSources[numbers[n + 1]!]!,
    lastCall: call,
    lines,
  };
}
