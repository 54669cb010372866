/**
 * Bookings and holds as `PackedMap` keeps them. Their lines come first, so that who wants those reads no further. A field
 * that is added to one of these types must be written here: the types at the end see to it.
 */
import type { AccessSource, Line } from '@parterre/shared/records';
import type { PackedMap, Packing } from './packed-map.ts';
import type { Packer, Unpacker } from './packing.ts';
import type { Booking, Call, Chosen, Hold, Parted } from './state.ts';

const holdStatuses = ['active', 'booked', 'released', 'expired'] as const;
const accessSources: readonly AccessSource[] = ['public', 'promoter', 'partner', 'hosted_link', 'staff_override'];

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
    to.units(hold.parted?.released ?? null);
    to.units(hold.parted?.expired ?? null);
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
      parted: partedOf(from.units(), from.units()),
      lines,
    };
  },
};

function partedOf(released: number[] | null, expired: number[] | null): Parted | null {
  return released && expired && { released, expired };
}

/** What stands in a line beside its unit; the price and the texts only where they differ from those of the line before. */
const has = { price: 1, tier: 2, quantity: 4, group: 8, channel: 16, release: 32, sameTexts: 64 } as const;

function packLines(to: Packer, lines: readonly Line[]): void {
  to.whole(lines.length);
  let before: Line | undefined;
  for (const line of lines) {
    to.step(line.unit - (before?.unit ?? -1));
    const form = formOf(line, before);
    to.whole(form);
    if (form & has.price) to.amount(line.price);
    if (form & has.quantity) to.whole(line.quantity!);
    if (form & has.group) to.step(line.unit - line.group!);
    if (!(form & has.sameTexts)) {
      if (form & has.tier) to.text(line.tierId!);
      if (form & has.channel) to.text(line.channelId!);
      if (form & has.release) to.text(line.releaseId!);
    }
    before = line;
  }
}

function formOf({ price, tierId, quantity, group, channelId, releaseId }: Line, before: Line | undefined): number {
  let form = 0;
  if (!Object.is(price, before?.price)) form |= has.price;
  if (tierId !== undefined) form |= has.tier;
  if (quantity !== undefined) form |= has.quantity;
  if (group !== undefined) form |= has.group;
  if (channelId !== undefined) form |= has.channel;
  if (releaseId !== undefined) form |= has.release;
  const isSame = tierId === before?.tierId && channelId === before?.channelId && releaseId === before?.releaseId;
  return before && isSame ? form | has.sameTexts : form;
}

function unpackLines(from: Unpacker): Line[] {
  const lines = new Array<Line>(from.whole());
  let before: Line | undefined;
  for (let i = 0; i < lines.length; i++) {
    before = unpackLine(from, before, undefined);
    lines[i] = before;
  }
  return lines;
}

/** All lines that are booked, one by one, without making anything else of the bookings; `at` names the booking for `keyAt`. */
export function eachBookedLine(bookings: PackedMap<Booking>, visit: (line: Line, at: number) => void): void {
  let likely: Line | undefined;
  bookings.scan((packed, at) => {
    let before: Line | undefined;
    for (let left = packed.whole(); left > 0; left--) {
      before = unpackLine(packed, before, likely);
      visit(before, at);
    }
    likely = before ?? likely;
  });
}

/** `likely` has texts that are quicker to compare than to make anew. */
function unpackLine(from: Unpacker, before: Line | undefined, likely: Line | undefined): Line {
  const unit = (before?.unit ?? -1) + from.step();
  const form = from.whole();
  const line: Line = { unit, price: form & has.price ? from.amount() : before!.price };
  if (form & has.quantity) line.quantity = from.whole();
  if (form & has.group) line.group = unit - from.step();
  const isSame = (form & has.sameTexts) !== 0;
  if (form & has.tier) line.tierId = isSame ? before!.tierId! : from.textLike(likely?.tierId);
  if (form & has.channel) line.channelId = isSame ? before!.channelId! : from.textLike(likely?.channelId);
  if (form & has.release) line.releaseId = isSame ? before!.releaseId! : from.textLike(likely?.releaseId);
  return line;
}

function packCall(to: Packer, call: Call | null, lines: readonly Line[]): void {
  to.text(call?.callId ?? null);
  if (call) packUnits(to, call.units, lines);
}

function unpackCall(from: Unpacker, lines: readonly Line[]): Call | null {
  const callId = from.text();
  return callId === null ? null : { callId, units: unpackUnits(from, lines) };
}

/** Most calls were about the very units of the lines. */
function packUnits(to: Packer, units: readonly number[], lines: readonly Line[]): void {
  to.units(isOf(units, lines) ? null : units);
}

function unpackUnits(from: Unpacker, lines: readonly Line[]): number[] {
  return from.units() ?? lines.map(({ unit }) => unit);
}

function isOf(units: readonly number[], lines: readonly Line[]): boolean {
  return units.length === lines.length && units.every((unit, i) => unit === lines[i]!.unit);
}

type Unwritten =
  | Exclude<keyof Line, 'unit' | 'price' | 'tierId' | 'quantity' | 'group' | 'channelId' | 'releaseId'>
  | Exclude<keyof Call, 'callId' | 'units'>
  | Exclude<keyof Parted, 'released' | 'expired'>
  | Exclude<keyof Chosen, 'fingerprint' | 'units'>
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
      | 'fingerprint'
      | 'firstExpiresAt'
      | 'parted'
      | 'lines'
    >;
true satisfies [Unwritten] extends [never] ? true : never;
