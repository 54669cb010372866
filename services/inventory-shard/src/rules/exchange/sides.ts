/** The two sides of an exchange: the units that the booking gives up, and the lines that it has instead. */
import { labelsOf, type Plan } from '@parterre/shared/charts/plan';
import type { Command, ExchangeTarget, Selection } from '@parterre/shared/protocol/commands';
import { done, type Outcome, type Refusal, refuse } from '@parterre/shared/protocol/errors';
import type { Line } from '@parterre/shared/protocol/records';
import { chosenLines } from '../best-available/choosing.ts';
import { noSuchHold, whyNotHeld } from '../sales/sales.ts';
import {
  areaConflict,
  areaNamed,
  companionsOfHoldAlone,
  conflictsOf,
  conflictWith,
  linesFor,
  oneByOne,
  placesAmong,
  type Terms,
  unitsNamed,
} from '../selection/selection.ts';
import {
  type Booking,
  type Hold,
  heldLines,
  isBlocked,
  isFree,
  knownHold,
  listedAmong,
  quantityOfLines,
  type ReadState,
  unitsOfLines,
} from '../state/state.ts';

type From = (Command & { type: 'exchange' })['from'];

/**
 * The units behind `from`, each once. A conflict names every unit that the booking does not have, and every area where
 * the booking has too few places.
 */
export function unitsGivenUp(state: ReadState, booking: Readonly<Booking>, from: From): Outcome<number[]> {
  const { plan } = state;
  const has = unitsOfLines(heldLines(state, booking)).sort((a, b) => a - b);
  const named = new Set(from.map(({ label }) => plan.labels.unitOf(label)));
  const spare = placesAmong(plan, () => has.filter((unit) => !named.has(unit)));
  const wanted = quantitiesOf(plan, from);
  // The highest places go first: the lowest one names the line item.
  const places = unitsNamed(
    plan,
    from.map(({ label }) => label),
    (area) => spare(area).slice(-(wanted.get(area.label) ?? Number.POSITIVE_INFINITY)),
  );
  if (!places.ok) return places;
  const { units, areas } = places.value;
  const foreign = units.filter((unit) => state.slotOf[unit] !== booking.slot);
  const short = [...areas].filter((area) => spare(area).length < (wanted.get(area.label) ?? 1));
  if (foreign.length > 0 || short.length > 0) {
    const lacking = short.map((area) => areaConflict(area.label, spare(area).length));
    const conflicts = [...conflictsOf(state, foreign), ...lacking];
    return { ok: false, refusal: conflictWith(conflicts, 'not_owned_by_booking_ref') };
  }
  return partsOf(plan, booking, from) ?? done(units);
}

/** The places that the call takes of each area. An area without a quantity stands for all of its places. */
function quantitiesOf(plan: Plan, from: From): Map<string, number> {
  const wanted = new Map<string, number>();
  for (const { label, quantity = Number.POSITIVE_INFINITY } of from) {
    if (areaNamed(plan, label)) wanted.set(label, (wanted.get(label) ?? 0) + quantity);
  }
  for (const [label, quantity] of wanted) if (quantity === Number.POSITIVE_INFINITY) wanted.delete(label);
  return wanted;
}

/** A refusal if a quantity names a part of a unit: a table is given up with all its guests. */
function partsOf(plan: Plan, booking: Readonly<Booking>, from: From): Outcome<never> | null {
  const labels = from.flatMap(({ label, quantity }) => {
    const unit = plan.labels.unitOf(label);
    if (unit === undefined || quantity === undefined) return [];
    const sold = booking.lines.find((line) => line.unit === unit);
    return (sold?.quantity ?? 1) === quantity ? [] : [label];
  });
  if (labels.length === 0) return null;
  const why = `${labels[0]} is given up with all its guests. Leave its quantity out, or send the number that is booked.`;
  return refuse('invalid_quantity', why, { details: { labels } });
}

export type Taken = { lines: Line[]; hold: Readonly<Hold> | null };

/** The units that leave the booking, and the lines that come. */
export type Moved = { units: number[]; taken: Taken };

/**
 * The new lines, with as many places as the units that are given up. A seat that stands on both sides stays where it
 * is, with its tier and its price: the set of the booking's seats is permuted.
 */
export function movedBy(
  state: ReadState,
  booking: Readonly<Booking>,
  given: readonly number[],
  to: ExchangeTarget,
  terms: Terms,
): Outcome<Moved> {
  const permuted = withoutStaying(state, booking, given, to);
  if (!permuted.ok) return permuted;
  const { units, target } = permuted.value;
  const gone = new Set(units);
  const kept = booking.lines.filter(({ unit }) => !gone.has(unit));
  const taken = takenFrom(state, kept, target, terms);
  if (!taken.ok) return taken;
  const from = quantityOfLines(booking.lines.filter(({ unit }) => gone.has(unit)));
  const into = quantityOfLines(taken.value.lines);
  return from === into ? done({ units, taken: taken.value }) : { ok: false, refusal: unequal(from, into) };
}

/** The new lines, beside the lines that the booking keeps. */
export function takenFrom(state: ReadState, kept: readonly Line[], to: ExchangeTarget, terms: Terms): Outcome<Taken> {
  if ('holdId' in to) return heldBy(state, kept, to, terms);
  const own = { ...terms, had: kept };
  if ('query' in to) return withoutHold(chosenLines(state, to.query, own));
  const { fromBlock = false } = to;
  const mayTake = (unit: number): boolean => isFree(state, unit) || (fromBlock && isBlocked(state, unit));
  return withoutHold(linesFor(state, oneByOne(state.plan, to.selections), mayTake, { ...own, fromBlock }));
}

function withoutHold(lines: Outcome<Line[]>): Outcome<Taken> {
  return lines.ok ? done({ lines: lines.value, hold: null }) : lines;
}

/** Both sides without the units that stand on both. Refused if a unit would stay with other terms, or none moves. */
function withoutStaying(
  { plan }: ReadState,
  booking: Readonly<Booking>,
  given: readonly number[],
  to: ExchangeTarget,
): Outcome<{ units: number[]; target: ExchangeTarget }> {
  if (!('selections' in to)) return done({ units: [...given], target: to });
  const gone = new Set(given);
  const staying = to.selections.filter(({ label }) => gone.has(plan.labels.unitOf(label) ?? -1));
  if (staying.length === 0) return done({ units: [...given], target: to });
  const selections = to.selections.filter((selection) => !staying.includes(selection));
  const changed = staying.filter((selection) => !isAsSold(booking, plan.labels.unitOf(selection.label)!, selection));
  if (changed.length > 0 || selections.length === 0) return onBothSides(changed.length > 0 ? changed : staying);
  const stays = new Set(staying.map(({ label }) => plan.labels.unitOf(label)!));
  return done({ units: given.filter((unit) => !stays.has(unit)), target: { ...to, selections } });
}

/** Whether the selection leaves the unit as it was sold. An absent field asks for no change. */
function isAsSold(booking: Readonly<Booking>, unit: number, { tierId, quantity, price }: Selection): boolean {
  const line = booking.lines.find((sold) => sold.unit === unit)!;
  const hasTier = tierId === undefined || tierId === (line.tierId ?? null);
  const hasGuests = quantity === undefined || quantity === (line.quantity ?? 1);
  return hasTier && hasGuests && (price === undefined || price === line.price);
}

/** A seat stays where it is without an exchange. */
function onBothSides(selections: readonly Selection[]): Outcome<never> {
  const issues = [...new Set(selections.map(({ label }) => label))].map((label) => ({
    path: 'to',
    message: `${label} is in from too, so it stays as it was sold. Leave it out of both, or name another unit.`,
  }));
  const why = 'A unit is given up and taken in the same call. Mend the labels that the issues list.';
  return refuse('invalid_request', why, { details: { issues } });
}

/**
 * The lines of an active hold, or its named part, at their frozen prices. Units of a resale listing are not exchanged.
 */
function heldBy(
  state: ReadState,
  kept: readonly Line[],
  { holdId, labels }: Extract<ExchangeTarget, { holdId: string }>,
  { caller, now }: Terms,
): Outcome<Taken> {
  const { plan } = state;
  const hold = knownHold(state, holdId, now);
  if (!hold) return noSuchHold;
  const held = heldLines(state, hold);
  const places = placesAmong(plan, () => unitsOfLines(held));
  const named = labels ? unitsNamed(plan, labels, places) : null;
  if (named && !named.ok) return named;
  const wanted = new Set(named?.value.units ?? unitsOfLines(held.length > 0 ? held : hold.lines));
  const lines = held.filter(({ unit }) => wanted.has(unit));
  const has = new Set(unitsOfLines(lines));
  const listed = new Set(listedAmong(state, [...has]));
  const inTheWay = [...wanted].filter((unit) => !has.has(unit) || listed.has(unit));
  const without = named?.value.without ?? [];
  if (inTheWay.length > 0 || without.length > 0 || hold.status !== 'active') {
    const conflicts = [...conflictsOf(state, inTheWay), ...without.map((label) => areaConflict(label, 0))];
    // A console that exchanges may not read bookings, so it learns no reference.
    const [reason] = whyNotHeld(hold, inTheWay);
    return { ok: false, refusal: conflictWith(conflicts, reason) };
  }
  const alone = companionsOfHoldAlone(state, hold, lines, { caller, had: kept, now });
  if (alone.length === 0) return done({ lines, hold });
  const why = 'A companion place is taken only with its wheelchair place. Name both.';
  return refuse('companion_pair_required', why, { details: { labels: labelsOf(plan, alone) } });
}

export function unequal(from: number, into: number): Refusal {
  const message = `from gives up ${from} and to takes ${into}. Name as many places in to as in from.`;
  return refuse('invalid_request', message, { details: { issues: [{ path: 'to', message }] } }).refusal;
}
