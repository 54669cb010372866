/**
 * The part of an event's state that large reads need, taken so that the event goes on meanwhile. `capture` runs in the
 * event's own turn: it copies columns, and takes holders and listings by reference. `packInSteps` makes bytes of them
 * later. `stateOf` makes a state of the bytes in another thread. A large read of that state gives the answer that the
 * event had at the capture.
 */
import type { Plan, PlanSection, UnitColumn } from '@parterre/shared/charts/plan';
import {
  type CapturedMap,
  finish,
  livingOf,
  PackedMap,
  packedInSteps,
  type Steps,
  unpackedInSteps,
} from '../packed/packed.ts';
import {
  bookingPacking,
  channelsFrom,
  type EventState,
  type Hold,
  holdPacking,
  type Listing,
  newState,
  putListing,
  type ReadState,
} from '../state/state.ts';

/** The part of a plan that large reads need, as plain data. */
export type ReadPlan = {
  hash: string;
  unitCount: number;
  categories: Plan['categories'];
  sections: readonly PlanSection[];
  sectionOfObject: Uint32Array;
  objectOfUnit: UnitColumn;
  categoryOfUnit: UnitColumn;
  accessibilityOfUnit: Uint8Array;
};

type Same = Pick<
  EventState,
  | ('config' | 'status' | 'salesPaused' | 'availability' | 'sectionStates' | 'bookedValue' | 'version' | 'at')
  | 'exchangeCharges'
> & {
  planHash: string;
  hidden: EventState['divisions']['hidden'];
  closed: EventState['divisions']['closed'];
  releaseUse: EventState['releaseUse'];
  channels: Pick<EventState['channels'], 'of' | 'version'> & { list: Parameters<typeof channelsFrom>[0] };
  statuses: Uint8Array;
  slotOf: Int32Array;
};

/** A capture as the event's own turn leaves it. */
export type Taken = Same & { holds: readonly Readonly<Hold>[]; bookings: CapturedMap; listings: readonly Listing[] };

/** A capture as bytes, for another thread. */
export type Captured = Same & {
  /** Active holds, each with its id first. */
  holds: Uint8Array;
  bookings: Uint8Array;
  /** Each listed unit, with the slot of the hold that has it in checkout. */
  listed: Uint8Array;
};

export function readPlanOf(plan: Plan): ReadPlan {
  const { hash, unitCount, categories, sections, objectOfUnit, categoryOfUnit, accessibilityOfUnit } = plan;
  const sectionOfObject = new Uint32Array(plan.objects.length);
  for (let index = 0; index < sectionOfObject.length; index++) sectionOfObject[index] = plan.objects[index]!.section;
  return {
    hash,
    unitCount,
    categories,
    sections,
    sectionOfObject,
    objectOfUnit,
    categoryOfUnit,
    accessibilityOfUnit,
  };
}

/** The plan for `stateOf`: it has the fields of a `ReadPlan` alone. */
export function planOf({ sectionOfObject, ...rest }: ReadPlan): Plan {
  const objects = Array.from(sectionOfObject, (section) => ({ section }));
  return { ...rest, objects } as unknown as Plan;
}

export function capture(state: ReadState): Taken {
  const { config, status, salesPaused, availability, sectionStates, bookedValue, version, at, exchangeCharges } = state;
  const { byId, of, version: channelsVersion } = state.channels;
  return {
    config,
    status,
    salesPaused,
    availability,
    sectionStates,
    bookedValue,
    version,
    at,
    exchangeCharges,
    planHash: state.plan.hash,
    hidden: state.divisions.hidden,
    closed: state.divisions.closed,
    releaseUse: new Map(state.releaseUse),
    channels: { list: [...byId.values()], of: of === null ? null : of.slice(), version: channelsVersion },
    statuses: state.statuses.slice(),
    slotOf: state.slotOf.slice(),
    holds: state.holds.capture(state.nextSlot),
    bookings: state.bookings.capture(),
    listings: [...state.listings.values()],
  } as Taken;
}

export function* packInSteps({ holds, bookings, listings, ...same }: Taken): Steps<Captured> {
  return {
    ...same,
    holds: yield* packedInSteps(holds, (to, hold) => {
      to.text(hold.id);
      holdPacking.pack(to, hold);
    }),
    bookings: yield* livingOf(bookings),
    listed: yield* packedInSteps(listings, (to, { units, heldBy }) => {
      to.units(units);
      to.whole(heldBy);
    }),
  };
}

/** The buffers that belong to this copy alone. */
export function buffersOf({ statuses, slotOf, holds, bookings, listed, channels }: Captured): ArrayBuffer[] {
  const columns = [statuses, slotOf, holds, bookings, listed, ...(channels.of ? [channels.of] : [])];
  // A small buffer may be a part of Node's pool, and other data is in the pool as well.
  return columns.filter(isAlone).map(({ buffer }) => buffer as ArrayBuffer);
}

function isAlone({ byteLength, buffer }: Uint8Array | Uint16Array | Int32Array): boolean {
  return byteLength > 0 && byteLength === buffer.byteLength;
}

export function stateOf(captured: Captured, plan: Plan): ReadState {
  const { planHash: _, hidden, closed, channels, holds, bookings, listed, ...same } = captured;
  const state: EventState = { ...newState(captured.config, plan), ...same };
  state.divisions = { hidden, closed, byObject: null, nextReveal: null };
  state.channels = channelsFrom(channels.list, channels.of, channels.version);
  finish(
    unpackedInSteps(listed, (from) => {
      // Large reads ask only for the units and their checkout.
      const id = String(state.listings.size);
      putListing(state, { id, bookingRef: '', units: from.units()!, heldBy: from.whole() });
    }),
  );
  finish(
    unpackedInSteps(holds, (from) => {
      const hold = holdPacking.unpack(from, from.text()!);
      state.holds.active.set(hold.id, hold);
    }),
  );
  state.bookings = PackedMap.from(bookingPacking, bookings);
  return state;
}
