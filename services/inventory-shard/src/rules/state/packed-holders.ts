/**
 * Packs bookings and holds for `PackedMap`. Their lines come first, so that a reader of lines reads no further. A new
 * field of these types must be packed here: the type check at the end enforces that.
 */
import type { AccessSource, Line } from '@parterre/shared/records';
import type { PackedMap, Packer, Packing, Unpacker } from '../packed/packed.ts';
import type { Booking, Call, Chosen, Hold, Parted } from './holder.ts';

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

type Attribution = Pick<Hold, 'reach' | 'sessionId' | 'partnerRef' | 'buyerRef'>;

const noAttribution: Attribution = { reach: null, sessionId: null, partnerRef: null, buyerRef: null };

/** Most holds come from public sale and have none of these fields. */
function packAttribution(to: Packer, { reach, sessionId, partnerRef, buyerRef }: Attribution): void {
  const isPlain = reach === null && sessionId === null && partnerRef === null && buyerRef === null;
  to.whole(isPlain ? 0 : 1);
  if (isPlain) return;
  to.text(reach);
  to.text(sessionId);
  to.text(partnerRef);
  to.text(buyerRef);
}

function unpackAttribution(from: Unpacker): Attribution {
  if (from.whole() === 0) return noAttribution;
  return { reach: from.text(), sessionId: from.text(), partnerRef: from.text(), buyerRef: from.text() };
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
  const [released, expired] = [from.units()!, from.units()!];
  const booked = Array.from({ length: count - 1 }, () => ({ ref: from.text()!, units: from.units()! }));
  return { released, expired, booked };
}

/**
 * The fields of a line besides its unit. The price and the texts are written only where they differ from the line
 * before. `run`: the line is followed by a number of lines that differ only in their units, each unit one higher.
 */
const has = {
  price: 1,
  tier: 2,
  quantity: 4,
  group: 8,
  channel: 16,
  release: 32,
  sameTexts: 64,
  run: 128,
  source: 256,
} as const;
/** A run of fewer following lines is shorter when written line by line. */
const linesOfRunMin = 2;

function packLines(to: Packer, lines: readonly Line[]): void {
  to.whole(lines.length);
  let before: Line | undefined;
  for (let at = 0; at < lines.length; ) {
    const line = lines[at]!;
    const follow = followersOf(lines, at);
    const isRun = follow >= linesOfRunMin;
    to.step(line.unit - (before?.unit ?? -1));
    const form = formOf(line, before);
    to.whole(isRun ? form | has.run : form);
    if (form & has.price) to.amount(line.price);
    if (form & has.quantity) to.whole(line.quantity!);
    if (form & has.group) to.step(line.unit - line.group!);
    if (!(form & has.sameTexts)) {
      if (form & has.tier) to.text(line.tierId!);
      if (form & has.channel) to.text(line.channelId!);
      if (form & has.release) to.text(line.releaseId!);
    }
    if (form & has.source) to.whole(accessSources.indexOf(line.accessSource!));
    if (isRun) to.whole(follow);
    at += isRun ? 1 + follow : 1;
    before = lines[at - 1]!;
  }
}

function followersOf(lines: readonly Line[], at: number): number {
  let next = at + 1;
  while (next < lines.length && follows(lines[next]!, lines[next - 1]!)) next++;
  return next - at - 1;
}

function follows(line: Line, before: Line): boolean {
  return (
    line.unit === before.unit + 1 &&
    Object.is(line.price, before.price) &&
    line.group === before.group &&
    line.tierId === before.tierId &&
    line.quantity === before.quantity &&
    line.channelId === before.channelId &&
    line.releaseId === before.releaseId &&
    line.accessSource === before.accessSource
  );
}

function formOf(
  { price, tierId, quantity, group, channelId, releaseId, accessSource }: Line,
  before: Line | undefined,
): number {
  let form = 0;
  if (!Object.is(price, before?.price)) form |= has.price;
  if (tierId !== undefined) form |= has.tier;
  if (quantity !== undefined) form |= has.quantity;
  if (group !== undefined) form |= has.group;
  if (channelId !== undefined) form |= has.channel;
  if (releaseId !== undefined) form |= has.release;
  if (accessSource !== undefined) form |= has.source;
  const isSame = tierId === before?.tierId && channelId === before?.channelId && releaseId === before?.releaseId;
  return before && isSame ? form | has.sameTexts : form;
}

function unpackLines(from: Unpacker): Line[] {
  const lines = new Array<Line>(from.whole());
  const reader = new LineReader();
  for (let i = 0; i < lines.length; i++) lines[i] = reader.next(from, undefined);
  return lines;
}

/** Visits every booked line without building the bookings. `at` finds the booking with `keyAt` afterwards. */
export function eachBookedLine(
  bookings: Pick<PackedMap<Booking>, 'scan'>,
  visit: (line: Line, at: number) => void,
): void {
  let likely: Line | undefined;
  const reader = new LineReader();
  bookings.scan((packed, at) => {
    reader.begin();
    for (let left = packed.whole(); left > 0; left--) visit(reader.next(packed, likely), at);
    likely = reader.last ?? likely;
  });
}

/** Reads lines in the order they were packed. */
class LineReader {
  last: Line | undefined;
  /** Lines left of the run that `last` is in. */
  #left = 0;

  begin(): void {
    this.last = undefined;
    this.#left = 0;
  }

  /** `likely` has texts that are probably equal: comparing is quicker than building a new string. */
  next(from: Unpacker, likely: Line | undefined): Line {
    const before = this.last;
    if (this.#left > 0) {
      this.#left--;
      this.last = lineBehind(before!);
      return this.last;
    }
    const unit = (before?.unit ?? -1) + from.step();
    const form = from.whole();
    const line: Line = { unit, price: form & has.price ? from.amount() : before!.price };
    if (form & has.quantity) line.quantity = from.whole();
    if (form & has.group) line.group = unit - from.step();
    const isSame = (form & has.sameTexts) !== 0;
    if (form & has.tier) line.tierId = isSame ? before!.tierId! : from.textLike(likely?.tierId);
    if (form & has.channel) line.channelId = isSame ? before!.channelId! : from.textLike(likely?.channelId);
    if (form & has.release) line.releaseId = isSame ? before!.releaseId! : from.textLike(likely?.releaseId);
    if (form & has.source) line.accessSource = accessSources[from.whole()]!;
    this.#left = form & has.run ? from.whole() : 0;
    this.last = line;
    return line;
  }
}

/** The fields are written one by one, since a spread takes several times as long. */
function lineBehind({ unit, price, tierId, quantity, group, channelId, releaseId, accessSource }: Line): Line {
  const line: Line = { unit: unit + 1, price };
  if (quantity !== undefined) line.quantity = quantity;
  if (group !== undefined) line.group = group;
  if (tierId !== undefined) line.tierId = tierId;
  if (channelId !== undefined) line.channelId = channelId;
  if (releaseId !== undefined) line.releaseId = releaseId;
  if (accessSource !== undefined) line.accessSource = accessSource;
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
  | Exclude<keyof Line, 'unit' | 'price' | 'tierId' | 'quantity' | 'group' | 'channelId' | 'releaseId' | 'accessSource'>
  | Exclude<keyof Call, 'callId' | 'units'>
  | Exclude<keyof Parted, 'released' | 'expired' | 'booked'>
  | Exclude<keyof Parted['booked'][number], 'ref' | 'units'>
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
      | 'reach'
      | 'sessionId'
      | 'partnerRef'
      | 'buyerRef'
      | 'fingerprint'
      | 'firstExpiresAt'
      | 'parted'
      | 'lines'
    >;
true satisfies [Unwritten] extends [never] ? true : never;
