/** Packs the lines of holds and bookings for `PackedMap`. */
import { priceWithFees, thawedFees } from '@parterre/shared/protocol/money';
import type { AccessSource, Line } from '@parterre/shared/protocol/records';
import { finish, type PackedMap, type Packer, type Steps, type Unpacker } from '../packed/packed.ts';
import { type Booking, CancelledBookings } from './holder.ts';

export const accessSources: readonly AccessSource[] = [
  'public',
  'promoter',
  'partner',
  'hosted_link',
  'staff_override',
];

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
  fees: 512,
} as const;
/** A run of fewer following lines is shorter when written line by line. */
const linesOfRunMin = 2;
const bookingsPerStep = 250;

export function packLines(to: Packer, lines: readonly Line[]): void {
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
      if (form & has.fees) to.text(line.fees!);
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
    line.accessSource === before.accessSource &&
    line.fees === before.fees
  );
}

function formOf(
  { price, tierId, quantity, group, channelId, releaseId, accessSource, fees }: Line,
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
  if (fees !== undefined) form |= has.fees;
  const isSame = tierId === before?.tierId && channelId === before?.channelId && releaseId === before?.releaseId;
  return before && isSame && fees === before.fees ? form | has.sameTexts : form;
}

export function unpackLines(from: Unpacker): Line[] {
  const lines = new Array<Line>(from.whole());
  const reader = new LineReader();
  for (let i = 0; i < lines.length; i++) lines[i] = reader.next(from, undefined);
  return lines;
}

/** The price of every guest, without fees on top. */
export function lineValue({ price, quantity = 1 }: Line): number {
  return price * quantity;
}

/** Units count one by one, and a table that is sold as a whole counts its guests. */
export function quantityOfLines(lines: readonly Line[]): number {
  let sum = 0;
  for (const { quantity = 1 } of lines) sum += quantity;
  return sum;
}

/** The sum that a buyer pays for the lines: the price of every guest, and the fees on top. */
export function totalOfLines(lines: readonly Line[]): number {
  return lines.reduce((sum, line) => sum + lineTotal(line), 0);
}

function lineTotal(line: Line): number {
  if (line.fees === undefined) return lineValue(line);
  return priceWithFees(line.price, thawedFees(line.fees)) * (line.quantity ?? 1);
}

/** Visits every booked line without building the bookings. `at` finds the booking with `keyAt` afterwards. */
export function eachBookedLine(
  bookings: Pick<PackedMap<Booking>, 'scanInSteps'>,
  visit: (line: Line, at: number) => void,
): void {
  finish(eachBookedLineInSteps(bookings, visit));
}

/** The bookings must not change between the steps. */
export function eachBookedLineInSteps(
  bookings: Pick<PackedMap<Booking>, 'scanInSteps'>,
  visit: (line: Line, at: number) => void,
): Steps<void> {
  let likely: Line | undefined;
  const reader = new LineReader();
  return bookings.scanInSteps((packed, at) => {
    reader.begin();
    for (let left = packed.whole(); left > 0; left--) visit(reader.next(packed, likely), at);
    likely = reader.last ?? likely;
  });
}

/** The cancelled bookings among these. The map may not change between the steps. */
export function* cancelledInSteps(
  bookings: Pick<PackedMap<Booking>, 'scanInSteps' | 'keyAt' | 'get'>,
): Steps<CancelledBookings> {
  const empty: number[] = [];
  yield* bookings.scanInSteps((packed, at) => {
    if (packed.whole() === 0) empty.push(at);
  });
  const cancelled = new CancelledBookings();
  for (const [n, at] of empty.entries()) {
    const { ref, updatedAt } = bookings.get(bookings.keyAt(at))!;
    cancelled.add(ref, updatedAt);
    if (n % bookingsPerStep === 0) yield;
  }
  return cancelled;
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
    if (form & has.fees) line.fees = isSame ? before!.fees! : from.textLike(likely?.fees);
    if (form & has.source) line.accessSource = accessSources[from.whole()]!;
    this.#left = form & has.run ? from.whole() : 0;
    this.last = line;
    return line;
  }
}

/** The fields are written one by one, since a spread takes several times as long. */
function lineBehind({ unit, price, tierId, quantity, group, channelId, releaseId, accessSource, fees }: Line): Line {
  const line: Line = { unit: unit + 1, price };
  if (quantity !== undefined) line.quantity = quantity;
  if (group !== undefined) line.group = group;
  if (tierId !== undefined) line.tierId = tierId;
  if (channelId !== undefined) line.channelId = channelId;
  if (releaseId !== undefined) line.releaseId = releaseId;
  if (accessSource !== undefined) line.accessSource = accessSource;
  if (fees !== undefined) line.fees = fees;
  return line;
}
