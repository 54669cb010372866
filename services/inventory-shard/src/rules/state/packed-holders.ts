/**
 * Packs bookings and holds for `PackedMap`. Their lines come first, so that a reader of lines reads no further. A new
 * field of these types must be packed here: the type check at the end enforces that.
 */
import type { Line } from '@parterre/shared/protocol/records';
import type { Packer, Packing, Unpacker } from '../packed/packed.ts';
import type { Booking, Call, ChosenUnits, Hold, Parted } from './holder.ts';
import { accessSources, packLines, unpackLines } from './packed-lines.ts';
import { noVisitors } from './visitors.ts';

const holdStatuses = ['active', 'booked', 'released', 'expired'] as const;

export const bookingPacking: Packing<Booking> = {
  keyOf: (booking) => booking.ref,
  pack(to, booking) {
    packLines(to, booking.lines);
    to.whole(booking.slot);
    to.whole(accessSources.indexOf(booking.accessSource));
    to.whole(booking.bookedAt);
    to.step(booking.updatedAt - booking.bookedAt);
    packCall(to, booking.lastCall, booking.lines);
    to.text(booking.chosen?.fingerprint ?? null);
    if (booking.chosen) packUnits(to, booking.chosen.units, booking.lines);
  },
  unpack(from, ref) {
    const lines = unpackLines(from);
    const slot = from.whole();
    const accessSource = accessSources[from.whole()]!;
    const bookedAt = from.whole();
    const updatedAt = bookedAt + from.step();
    const lastCall = unpackCall(from, lines);
    const fingerprint = from.text();
    const chosen = fingerprint === null ? null : { fingerprint, units: unpackUnits(from, lines) };
    return { kind: 'booking', ref, slot, bookedAt, updatedAt, accessSource, lastCall, chosen, lines };
  },
};

export const holdPacking: Packing<Hold> = {
  keyOf: (hold) => hold.id,
  pack(to, hold) {
    packLines(to, hold.lines);
    to.whole(hold.slot);
    to.whole(holdStatuses.indexOf(hold.status) * accessSources.length + accessSources.indexOf(hold.accessSource));
    to.whole(hold.createdAt);
    to.step(hold.expiresAt - hold.createdAt);
    to.whole(hold.endedAt === null ? 0 : 1 + hold.endedAt - hold.createdAt);
    to.whole(hold.extends);
    to.text(hold.lastExtend);
    packCall(to, hold.lastRelease, hold.lines);
    to.text(hold.bookingRef);
    to.text(hold.fingerprint);
    to.step(hold.firstExpiresAt - hold.expiresAt);
    packParted(to, hold.parted);
    packAttribution(to, hold);
  },
  unpack(from, id) {
    const lines = unpackLines(from);
    const slot = from.whole();
    const both = from.whole();
    const createdAt = from.whole();
    const expiresAt = createdAt + from.step();
    const ended = from.whole();
    return {
      kind: 'hold',
      id,
      slot,
      status: holdStatuses[Math.floor(both / accessSources.length)]!,
      createdAt,
      expiresAt,
      endedAt: ended === 0 ? null : createdAt + ended - 1,
      extends: from.whole(),
      lastExtend: from.text(),
      lastRelease: unpackCall(from, lines),
      bookingRef: from.text(),
      accessSource: accessSources[both % accessSources.length]!,
      fingerprint: from.text(),
      firstExpiresAt: expiresAt + from.step(),
      parted: unpackParted(from),
      ...unpackAttribution(from),
      lines,
    };
  },
};

type Attribution = Pick<Hold, 'reach' | 'sessionId' | 'partnerRef' | 'buyerRef' | 'visitors'>;

const noAttribution: Attribution = {
  reach: null,
  sessionId: null,
  partnerRef: null,
  buyerRef: null,
  visitors: noVisitors,
};

/** Most holds come from public sale and have none of these fields. */
function packAttribution(to: Packer, { reach, sessionId, partnerRef, buyerRef, visitors }: Attribution): void {
  const isPlain =
    reach === null && sessionId === null && partnerRef === null && buyerRef === null && visitors.length === 0;
  to.whole(isPlain ? 0 : 1 + visitors.length);
  if (isPlain) return;
  to.text(reach);
  to.text(sessionId);
  to.text(partnerRef);
  to.text(buyerRef);
  for (const visitor of visitors) to.text(visitor);
}

function unpackAttribution(from: Unpacker): Attribution {
  const length = from.whole() - 1;
  if (length < 0) return noAttribution;
  const reach = from.text();
  const sessionId = from.text();
  const partnerRef = from.text();
  const buyerRef = from.text();
  const visitors = length === 0 ? noVisitors : Array.from({ length }, () => from.text()!);
  return { reach, sessionId, partnerRef, buyerRef, visitors };
}

/** Begins with the number of booked parts plus one. */
function packParted(to: Packer, parted: Parted | null): void {
  to.whole(parted ? 1 + parted.booked.length : 0);
  if (!parted) return;
  to.units(parted.released);
  to.units(parted.expired);
  for (const { ref, units } of parted.booked) {
    to.text(ref);
    to.units(units);
  }
}

function unpackParted(from: Unpacker): Parted | null {
  const count = from.whole();
  if (count === 0) return null;
  const released = from.units()!;
  const expired = from.units()!;
  const booked = Array.from({ length: count - 1 }, () => ({ ref: from.text()!, units: from.units()! }));
  return { released, expired, booked };
}

function packCall(to: Packer, call: Call | null, lines: readonly Line[]): void {
  to.text(call?.callId ?? null);
  if (call) packUnits(to, call.units, lines);
}

function unpackCall(from: Unpacker, lines: readonly Line[]): Call | null {
  const callId = from.text();
  return callId === null ? null : { callId, units: unpackUnits(from, lines) };
}

/** Most calls name exactly the units of the lines. */
function packUnits(to: Packer, units: readonly number[], lines: readonly Line[]): void {
  to.units(areUnitsOf(units, lines) ? null : units);
}

function unpackUnits(from: Unpacker, lines: readonly Line[]): number[] {
  return from.units() ?? lines.map(({ unit }) => unit);
}

function areUnitsOf(units: readonly number[], lines: readonly Line[]): boolean {
  return units.length === lines.length && units.every((unit, i) => unit === lines[i]!.unit);
}

type Unwritten =
  | Exclude<
      keyof Line,
      'unit' | 'price' | 'tierId' | 'quantity' | 'group' | 'channelId' | 'releaseId' | 'accessSource' | 'fees'
    >
  | Exclude<keyof Call, 'callId' | 'units'>
  | Exclude<keyof Parted, 'released' | 'expired' | 'booked'>
  | Exclude<keyof Parted['booked'][number], 'ref' | 'units'>
  | Exclude<keyof ChosenUnits, 'fingerprint' | 'units'>
  | Exclude<
      keyof Booking,
      'kind' | 'ref' | 'slot' | 'bookedAt' | 'updatedAt' | 'accessSource' | 'lastCall' | 'chosen' | 'lines'
    >
  | Exclude<
      keyof Hold,
      | 'kind'
      | 'id'
      | 'slot'
      | 'status'
      | 'createdAt'
      | 'expiresAt'
      | 'endedAt'
      | 'extends'
      | 'lastExtend'
      | 'lastRelease'
      | 'bookingRef'
      | 'accessSource'
      | 'reach'
      | 'sessionId'
      | 'partnerRef'
      | 'buyerRef'
      | 'visitors'
      | 'fingerprint'
      | 'firstExpiresAt'
      | 'parted'
      | 'lines'
    >;
true satisfies [Unwritten] extends [never] ? true : never;
