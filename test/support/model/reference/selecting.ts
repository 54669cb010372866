/**
 * Turns a caller's selections (labels, areas with a quantity) into claims on seats: all of them, or every reason
 * against.
 */

import type { Caller, Selection } from '@parterre/shared/protocol/commands';
import { wheelchairsOf } from '../../judge/companions.ts';
import { isForBuyers, isHiddenFromBuyers } from './availability.ts';
import { accessTo, asChooser, barred, channelPrice, nothingLeft, wrongScope } from './channels.ts';
import type { Category, ReferencePlace } from './chart.ts';
import { noteSoldOut, notSoldUnder, type Pricing, pricing } from './releases.ts';
import {
  type Claim,
  type Conflict,
  leftBehind,
  listingOf,
  once,
  placeOf,
  type Refused,
  unknownLabels,
  type World,
} from './world.ts';

export type SelectionOutcome = { claims: Claim[] } | { refused: Refused[] };
type Fault = { code: string; label: string };

/**
 * `mine`: claims of the replaced hold, whose seats are free for the call. `had`: claims of the caller's booking.
 * `releaseId`: the ticket release that an operator chose.
 * `takes`: seats that are for sale although they are not free.
 * `leavesListings`: seats that are listed for resale are not for this call.
 */
export type Terms = {
  caller: Caller;
  mine?: Claim[];
  had?: Claim[];
  releaseId?: string;
  leavesListings?: true;
  takes?: (label: string) => boolean;
};

export function choose(world: World, selections: Selection[], terms: Terms): SelectionOutcome {
  const { mine = [], releaseId } = terms;
  const prices = pricing(world, releaseId, mine);
  const chosen = chooseAt(world, selections, terms, prices);
  if (prices.refused.length > 0) {
    return { refused: [...prices.refused, ...('refused' in chosen ? chosen.refused : [])] };
  }
  if ('refused' in chosen || releaseId === undefined) return chosen;
  const unsold = notSoldUnder(world, chosen.claims, releaseId);
  return unsold.length > 0 ? { refused: unsold } : chosen;
}

function chooseAt(world: World, selections: Selection[], terms: Terms, prices: Pricing): SelectionOutcome {
  const { caller, mine = [], had = [], leavesListings, takes = () => false } = terms;
  const names = selections.map(({ label }) => label);
  const isHidden = (label: string): boolean => caller.source === 'buyer' && isHiddenFromBuyers(world, label);
  const labelsNamed = (name: string): string[] => (world.seats[name] ? [name] : (world.chart.areas[name] ?? []));
  const unknown = once(names.filter((name) => labelsNamed(name).length === 0));
  if (unknown.length > 0) return { refused: [unknownLabels(unknown)] };

  const isUnseen = (name: string): boolean =>
    labelsNamed(name).every(isHidden) && !labelsNamed(name).some((label) => labelsOf(mine).includes(label));
  const seen = names.filter((name) => !isUnseen(name));
  const kept = [...wrongScope(world, caller), ...barred(world, caller, seen, labelsOf(mine))];
  if (kept.length > 0) return { refused: kept.slice(0, 1) };

  const isTwice = (name: string, i: number): boolean => !!world.seats[name] && names.indexOf(name) < i;
  const faults: Fault[] = [];
  const conflicts: Refused['conflicts'] = [];
  const barredAreas: { label: string; isPaused: boolean }[] = [];
  const claims: Claim[] = [];
  const isOff = (label: string): boolean =>
    (caller.source === 'buyer' && !isForBuyers(world, placeOf(world, label))) ||
    accessTo(world, caller, label) !== 'yes';
  const isMine = (label: string): boolean => labelsOf(mine).includes(label);
  const isOffered = (label: string): boolean => !leavesListings && listingOf(world, label)?.heldBy === null;
  const isOpen = (label: string): boolean =>
    ((world.seats[label]!.status === 'free' || isOffered(label) || takes(label)) && !isOff(label)) || isMine(label);
  const inTheWay = (name: string): Conflict => {
    const status = listingOf(world, name) ? 'held' : world.seats[name]!.status;
    const isToldOff = isOff(name) || (caller.source === 'buyer' && status === 'blocked');
    return { label: name, status: isToldOff ? 'not_for_sale' : status };
  };
  if (seen.length < names.length) {
    const told = once(names).filter((name) => isUnseen(name) || (world.seats[name] && !isOpen(name)));
    const conflicts = told.map((name) => (isUnseen(name) ? { label: name, status: 'not_for_sale' } : inTheWay(name)));
    return { refused: [{ code: 'conflict', reason: 'conflict', conflicts }] };
  }
  if (names.some(isTwice)) return { refused: [{ code: 'invalid_request', reason: 'invalid_request' }] };
  for (const selection of selections) {
    const { label: name, quantity } = selection;
    if (world.seats[name]) {
      if (!isOpen(name)) conflicts.push(inTheWay(name));
      if (!takesGuests(world, selection)) faults.push({ code: 'invalid_quantity', label: name });
      claims.push(...claimsOn(world, selection, [name], terms, prices, faults));
      continue;
    }
    const all = world.chart.areas[name]!;
    const wanted = quantity ?? 1;
    if (wanted < 1) {
      faults.push({ code: 'invalid_quantity', label: name });
      continue;
    }
    const isTaken = (label: string): boolean => names.includes(label) || claims.some((each) => each.label === label);
    const free = all.filter((label) => isOpen(label) && !isTaken(label) && !listingOf(world, label));
    const { override: _, ...plain } = caller;
    const rankOf = (label: string): number => {
      if (isMine(label) || accessTo(world, asChooser(plain), label) === 'yes') return 0;
      return accessTo(world, plain, label) === 'yes' ? 1 : 2;
    };
    const spare = free.toSorted((one, other) => rankOf(one) - rankOf(other)).slice(0, wanted);
    if (spare.length < wanted) conflicts.push(shortOf(name, spare.length));
    if (spare.length === 0 && caller.source !== 'buyer') {
      const kept = all.filter((label) => world.seats[label]!.status === 'free');
      const why = kept.map((label) => accessTo(world, caller, label));
      if (kept.length > 0 && !why.includes('yes')) barredAreas.push({ label: name, isPaused: why.includes('paused') });
    }
    claims.push(...claimsOn(world, selection, spare, terms, prices, faults));
  }
  if (faults.length > 0) return { refused: refusedFor(faults) };
  const alone = caller.reason === undefined ? aloneAmong(world, claims, had, labelsOf(mine)) : [];
  if (alone.length > 0) return { refused: alone };
  const isNone = claims.length === 0 && conflicts.length > 0 && conflicts.every(({ available }) => available === 0);
  const stopped = barredAreas.filter(({ isPaused }) => isPaused === barredAreas.every((each) => each.isPaused));
  if (stopped.length > 0) {
    const code = stopped[0]!.isPaused ? 'channel_paused' : 'channel_access_denied';
    return { refused: [{ code, reason: code, labels: stopped.map(({ label }) => label) }] };
  }
  const nothing = isNone && caller.source === 'buyer' ? nothingLeft(world, caller) : null;
  if (nothing) return { refused: [nothing] };
  if (conflicts.length > 0) return { refused: [{ code: 'conflict', reason: 'conflict', conflicts }] };
  const left = leftBehind(world, labelsOf(claims));
  const isReached = (label: string): boolean => caller.source !== 'buyer' || accessTo(world, caller, label) === 'yes';
  const toldOf = (label: string) => ({ label, status: isReached(label) ? 'booked' : 'not_for_sale' });
  const told = left.filter((label) => !isHidden(label)).map(toldOf);
  if (left.length > 0) return { refused: [{ code: 'conflict', reason: 'resale_listing_whole', conflicts: told }] };
  return { claims };
}

/** A table that is sold as a whole takes a range of guests, every other place one guest. */
function takesGuests(world: World, { label, quantity }: Selection): boolean {
  const { guestsMin, guestsMax } = placeOf(world, label);
  return quantity === undefined || (quantity >= guestsMin && quantity <= guestsMax);
}

function claimsOn(
  world: World,
  selection: Selection,
  labels: string[],
  { caller, mine = [], releaseId }: Terms,
  prices: Pricing,
  faults: Fault[],
): Claim[] {
  const { label: name, quantity, tierId = null } = selection;
  const claims: Claim[] = [];
  for (const label of labels) {
    const place = placeOf(world, label);
    const category = categoryOf(world, place);
    const tier = tierFor(category, place, tierId);
    const fault = category.notForSale ? 'not_for_sale' : tier;
    if (typeof fault === 'string') {
      faults.push({ code: fault, label: name });
      return claims;
    }
    const asked = releaseId === undefined ? channelPrice(world, label, category.key, fault?.id ?? null) : undefined;
    const release = asked === undefined ? prices.next(category) : null;
    const price = asked ?? release?.price ?? fault?.price ?? category.price ?? 0;
    const channel = world.channelOf[label] ?? null;
    // Seats of the replaced hold that the caller could not take keep their access source.
    const had =
      accessTo(world, caller, label) === 'yes' ? undefined : mine.find((each) => each.label === label)?.source;
    const source = channel === null ? 'public' : (had ?? caller.accessSource);
    const guests = place.soldAs === 'individual' ? null : (quantity ?? place.guestsMax);
    claims.push({
      label,
      price,
      ...feesOf(category, fault, price),
      tier: fault?.id ?? null,
      guests,
      bundle: null,
      release: release?.id ?? null,
      channel,
      source,
    });
  }
  // Places of an area that are sold alike form one line.
  const isAlike = (one: Claim, other: Claim): boolean =>
    one.price === other.price &&
    JSON.stringify(one.fees) === JSON.stringify(other.fees) &&
    one.tier === other.tier &&
    one.release === other.release &&
    one.channel === other.channel;
  if (world.chart.areas[name] && quantity !== undefined) {
    for (const claim of claims) claim.bundle = claims.find((other) => isAlike(claim, other))!.label;
  }
  return claims;
}

/** Fees inside a price are never more than the price. */
function feesOf(category: Category, tier: ReferenceTier | null, price: number): Pick<Claim, 'fees' | 'allIn'> {
  const named = tier?.fees ?? category.fees ?? [];
  const isInside = tier?.allIn ?? category.allIn ?? false;
  let left = isInside ? price : Number.POSITIVE_INFINITY;
  const fees = named.flatMap(({ name, amount }) => {
    const part = Math.min(left, amount);
    left -= part;
    return part > 0 ? [{ name, amount: part }] : [];
  });
  return { fees, allIn: fees.length > 0 && isInside };
}

function categoryOf(world: World, place: ReferencePlace): Category {
  return world.chart.categories.find(({ key }) => key === place.category)!;
}

export function isSold(world: World, place: ReferencePlace): boolean {
  const category = categoryOf(world, place);
  return !category.notForSale && typeof tierFor(category, place, null) !== 'string';
}

type ReferenceTier = NonNullable<Category['tiers']>[number];

/**
 * The named tier, otherwise the first tier that applies, with companion tiers last. Null in a category without tiers.
 */
export function tierFor(
  { tiers = [] }: Category,
  place: ReferencePlace,
  asked: string | null,
): ReferenceTier | null | string {
  if (tiers.length === 0) return asked === null ? null : 'unknown_tier';
  if (asked !== null && !tiers.some(({ id }) => id === asked)) return 'unknown_tier';
  const fits = ({ applicability = {} }: ReferenceTier): boolean =>
    (!applicability.seatLabels || applicability.seatLabels.includes(place.label)) &&
    (!applicability.accessibility || applicability.accessibility.some((each) => place.kinds.includes(each)));
  const fitting = tiers.filter(fits);
  if (asked !== null) return fitting.find(({ id }) => id === asked) ?? 'ticket_option_not_applicable';
  const usual = fitting.find(({ restriction }) => restriction !== 'companion');
  const isCompanions = place.kinds.includes('companion') && !place.kinds.includes('wheelchair');
  return (isCompanions ? undefined : usual) ?? fitting[0] ?? 'ticket_option_not_applicable';
}

/** Each kind of fault names every label concerned. The reference does not define which kind comes first. */
function refusedFor(faults: Fault[]): Refused[] {
  return once(faults.map(({ code }) => code)).map((code) => {
    const labels = faults.filter((fault) => fault.code === code).map(({ label }) => label);
    return { code, reason: code, labels };
  });
}

/**
 * A companion's place, or a place at a companion tier, needs its wheelchair place, which takes three companions. The
 * call may leave no more companions of the booking alone than there were before. Once no ordinary place is left, a
 * companion's place is for everybody. `back`: the seats that the call gives back.
 */
export function aloneAmong(world: World, claims: Claim[], had: Claim[], back: string[] = []): Refused[] {
  const isCompanion = (claim: Claim): boolean => {
    const place = placeOf(world, claim.label);
    const tier = categoryOf(world, place).tiers?.find(({ id }) => id === claim.tier);
    return place.kinds.includes('companion') || tier?.restriction === 'companion';
  };
  if (!claims.some(isCompanion)) return [];
  const isOrdinaryLeft = (): boolean =>
    world.chart.places.some(({ label, kinds }) => {
      const isOpen = world.seats[label]!.status === 'free' || back.includes(label);
      return (
        isOpen &&
        kinds.length === 0 &&
        isSold(world, placeOf(world, label)) &&
        !claims.some((each) => each.label === label)
      );
    });
  const waysOf = (all: Claim[]): string[][] => {
    const isForWheelchairs = ({ label }: Claim): boolean => placeOf(world, label).kinds.includes('wheelchair');
    const wheelchairs = all.filter((claim) => !isCompanion(claim) && isForWheelchairs(claim));
    const places = (some: Claim[]): ReferencePlace[] => some.map(({ label }) => placeOf(world, label));
    return waysToPair(world, all.filter(isCompanion), places(wheelchairs));
  };
  const isNew = (label: string): boolean => claims.some((claim) => claim.label === label);
  const before = Math.min(...waysOf(had).map((alone) => alone.length));
  const ways = waysOf([...claims, ...had]).filter((alone) => alone.filter((label) => !isNew(label)).length <= before);
  const isForAll = (label: string): boolean => isCompanionsPlace(placeOf(world, label)) && !isOrdinaryLeft();
  // The booking may have a seat already that the call names.
  const told = ways.map((alone) => once(alone.filter((label) => isNew(label) && !isForAll(label))));
  const fewest = Math.min(...told.map(({ length }) => length));
  if (fewest === 0) return [];
  return told
    .filter(({ length }) => length === fewest)
    .map((labels) => ({ code: 'companion_pair_required', reason: 'companion_pair_required', labels }));
}

/** The companions that are left alone, for every possible pairing with their wheelchair places. */
function waysToPair(world: World, companions: Claim[], wheelchairs: ReferencePlace[]): string[][] {
  const room = wheelchairs.flatMap((place) => [place, place, place]);
  const pair = ([first, ...others]: Claim[], left: ReferencePlace[]): string[][] => {
    if (!first) return [[]];
    const place = placeOf(world, first.label);
    const its = once(left.filter((each) => isFor(world, place, each)).map(({ label }) => label));
    const paired = its.flatMap((label) => {
      const taken = left.findIndex((each) => each.label === label);
      return pair(others, left.toSpliced(taken, 1));
    });
    return [...pair(others, left).map((alone) => [first.label, ...alone]), ...paired];
  };
  return pair(companions, room);
}

/** Whether a companion's place, or a place at a companion tier, belongs to a wheelchair place. */
function isFor({ chart }: World, place: ReferencePlace, wheelchair: ReferencePlace): boolean {
  if (place.row === null || place.row !== wheelchair.row) return false;
  if (!isCompanionsPlace(place)) return Math.abs(wheelchair.index - place.index) === 1;
  const inRow = chart.places.filter(({ row }) => row === place.row);
  return wheelchairsOf(inRow, place.label, place.isChair ? 'ring' : 'row').includes(wheelchair.label);
}

export function isCompanionsPlace({ kinds }: ReferencePlace): boolean {
  return kinds.includes('companion') && !kinds.includes('wheelchair');
}

/** Gives the seats of these claims to a holder. */
export function take(world: World, claims: Claim[], status: 'held' | 'booked', owner: string): void {
  for (const { label } of claims) {
    const listing = listingOf(world, label);
    if (listing && status === 'held') listing.heldBy = owner;
    else world.seats[label] = { label, status, owner, freeAt: null };
  }
  noteSoldOut(world);
}

export function labelsOf(claims: Claim[]): string[] {
  return claims.map(({ label }) => label);
}

/** The places that an area's own label stands for. */
type PlacesOf = (area: string) => string[];

export type NamedLabels = { labels: string[]; areas: string[]; without: string[] };

/** `labels` has each seat once, `areas` the named areas, `without` the named areas that stand for no place. */
export function named(world: World, labels: string[], placesOf: PlacesOf): NamedLabels | { refused: Refused[] } {
  const areas = once(labels.filter((label) => world.chart.areas[label]));
  const without = areas.filter((area) => placesOf(area).length === 0);
  const isKnown = (label: string): boolean => !!(world.chart.areas[label] ?? world.seats[label]);
  const unknown = once(labels.filter((label) => !isKnown(label)));
  if (unknown.length > 0) return { refused: [unknownLabels(unknown)] };
  return {
    labels: once(labels.flatMap((label) => (areas.includes(label) ? placesOf(label) : [label]))),
    areas,
    without,
  };
}

export function placesAmong({ chart }: World, labels: string[]): PlacesOf {
  return (area) => chart.areas[area]!.filter((place) => labels.includes(place));
}

/** The conflict of a named area that has fewer places than requested. */
export function shortOf(area: string, available: number): Conflict {
  return { label: area, status: available === 0 ? 'sold_out' : 'not_enough', available };
}
