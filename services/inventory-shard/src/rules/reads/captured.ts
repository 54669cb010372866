/**
 * The part of an event's state that large reads need, copied so that the event goes on meanwhile. `capture` runs in the
 * event's own turn: columns are copied as bytes, and holders as packed bytes. `stateOf` makes a state of the copy in
 * another thread. A large read of that state gives the answer that the event had at the capture.
 */
import type { Plan, PlanSection, UnitColumn } from '@parterre/shared/chart/plan';
import { PackedMap, Packer, Unpacker } from '../packed/packed.ts';
import {
  bookingPacking,
  channelsFrom,
  type EventState,
  type Hold,
  holdPacking,
  newState,
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

export type Captured = Pick<
  EventState,
  'config' | 'status' | 'salesPaused' | 'availability' | 'sectionStates' | 'bookedValue' | 'version' | 'at'
> & {
  planHash: string;
  hidden: EventState['divisions']['hidden'];
  closed: EventState['divisions']['closed'];
  releaseUse: EventState['releaseUse'];
  channels: Pick<EventState['channels'], 'of' | 'version'> & { list: Parameters<typeof channelsFrom>[0] };
  listings: EventState['listings'];
  statuses: Uint8Array;
  slotOf: Int32Array;
  /** Active holds, each with its id first. */
  holds: Uint8Array;
  bookings: Uint8Array;
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

export function capture(state: ReadState): Captured {
  const { config, status, salesPaused, availability, sectionStates, bookedValue, version, at } = state;
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
    planHash: state.plan.hash,
    hidden: state.divisions.hidden as Captured['hidden'],
    closed: state.divisions.closed as Captured['closed'],
    releaseUse: state.releaseUse as Captured['releaseUse'],
    channels: { list: [...byId.values()], of: of === null ? null : of.slice(), version: channelsVersion },
    listings: state.listings as Captured['listings'],
    statuses: state.statuses.slice(),
    slotOf: state.slotOf.slice(),
    holds: packed(state.holds.active.values()),
    bookings: state.bookings.copyLiving(),
  } as Captured;
}

/** The buffers that belong to this copy alone. */
export function buffersOf({ statuses, slotOf, holds, bookings, channels }: Captured): ArrayBuffer[] {
  const columns = [statuses, slotOf, holds, bookings, ...(channels.of ? [channels.of] : [])];
  // A small buffer may be a part of Node's pool, and other data is in the pool as well.
  return columns.filter(isAlone).map(({ buffer }) => buffer as ArrayBuffer);
}

function isAlone({ byteLength, buffer }: Uint8Array | Uint16Array | Int32Array): boolean {
  return byteLength > 0 && byteLength === buffer.byteLength;
}

export function stateOf(captured: Captured, plan: Plan): ReadState {
  const { planHash: _, hidden, closed, channels, holds, bookings, listings, ...same } = captured;
  const state: EventState = { ...newState(captured.config, plan), ...same };
  state.divisions = { hidden, closed, byObject: null, nextReveal: null };
  state.channels = channelsFrom(channels.list, channels.of, channels.version);
  for (const listing of listings.values()) {
    state.listings.set(listing.id, listing);
    for (const unit of listing.units) state.listingOf.set(unit, listing);
  }
  for (const hold of unpacked(holds)) state.holds.active.set(hold.id, hold);
  state.bookings = PackedMap.from(bookingPacking, bookings);
  return state;
}

function packed(holds: Iterable<Readonly<Hold>>): Uint8Array {
  const packer = new Packer();
  for (const hold of holds) {
    packer.text(hold.id);
    holdPacking.pack(packer, hold);
  }
  return Uint8Array.prototype.slice.call(packer.bytes, 0, packer.length);
}

function* unpacked(bytes: Uint8Array): Generator<Hold> {
  const unpacker = new Unpacker();
  unpacker.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  while (unpacker.at < bytes.length) yield holdPacking.unpack(unpacker, unpacker.text()!);
}
