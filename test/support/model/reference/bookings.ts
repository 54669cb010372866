/** Booking a hold or labels, and unbooking. */
import type { Caller, Command, Selection } from '@parterre/shared/protocol/commands';
import { free } from './endings.ts';
import { isByHand } from './event-calls.ts';
import { endListing } from './resale.ts';
import {
  aloneAmong,
  choose,
  labelsOf,
  type NamedLabels,
  named,
  placesAmong,
  shortOf,
  take,
  tierFor,
} from './selecting.ts';
import {
  type Booking,
  bookingNamed,
  type Claim,
  conflictOver,
  done,
  type Hold,
  holdNamed,
  isOnSale,
  itemsOf,
  leftBehind,
  ownedBy,
  type Prediction,
  placeOf,
  priceWithFees,
  type Refused,
  refused,
  unchanged,
  type World,
} from './world.ts';

export function book(world: World, command: Command & { type: 'book' }): Prediction {
  const { bookingRef: ref, holdId, callId } = command;
  const found = holdNamed(world, holdId);
  const items = (labels: string[]): { items?: object[] } => {
    if (!found) return {};
    return {
      items: itemsOf(
        world,
        found.claims.filter(({ label }) => labels.includes(label)),
        found.currency,
      ),
    };
  };
  const again = firstAnswer(world, ref, callId);
  if (again) return unchanged({ booked: again, ...items(again) });
  if (!found) return refused('hold_not_found');
  const before = found.booked.filter((part) => part.ref === ref).map(({ label }) => label);
  const wanted = wantedOf(world, found, command, before);
  if ('refused' in wanted) return { ok: false, refused: wanted.refused };
  const has = ownedBy(world, `hold ${holdId}`);
  const isOurs = (label: string): boolean => world.seats[label]!.owner === `booking ${ref}`;
  // Seats that the reference once booked from this hold are not booked again, even after a cancellation.
  const isDone = (label: string): boolean => isOurs(label) || before.includes(label);
  const open = wanted.labels.filter((label) => !isDone(label) || has.includes(label));
  const isReplay = wanted.labels.length > 0 || found.bookedUnder.includes(ref);
  if (open.length === 0 && wanted.without.length === 0 && isReplay) {
    return unchanged({ booked: [], ...items(wanted.labels) });
  }
  const isHeld = (label: string): boolean => has.includes(label);
  const inTheWay = open.filter((label) => !isHeld(label));
  if (inTheWay.length > 0 || wanted.without.length > 0 || found.status !== 'active') {
    const missing = wanted.without.map((area) => shortOf(area, 0));
    const part = found.booked.find(({ label }) => inTheWay.includes(label));
    const why = whyOver(found);
    if (why !== 'conflict' || !part) return conflictOver(world, inTheWay, why, missing);
    return conflictOver(world, inTheWay, 'hold_booked', missing, { bookingRef: part.ref });
  }
  const own = open.filter(isOurs);
  if (own.length > 0) return conflictOver(world, own, 'own_resale_listing');
  const left = leftBehind(world, open);
  if (left.length > 0) return conflictOver(world, left, 'resale_listing_whole');
  const shown = items(wanted.labels);
  const claims = found.claims.filter(({ label }) => open.includes(label));
  const alone = aloneAmong(world, claims, bookingNamed(world, ref)?.claims ?? []);
  // A companion's place that was held alone, or whose pair a change of chart parted, is booked as it was held.
  const isPairedHere = aloneAmong(world, found.claims, []).length === 0;
  if (alone.length > 0 && isPairedHere) return { ok: false, refused: alone };
  bookOf(found, ref, claims);
  addTo(world, ref, callId, claims, found.accessSource);
  if (ownedBy(world, `hold ${holdId}`).length === 0) {
    found.status = 'booked';
    found.endedAt = world.now;
  }
  return done({ booked: labelsOf(claims), ...shown });
}

/**
 * The named seats. An area stands for the places that the hold has there or that this reference booked there. Without
 * labels, an active hold means the seats that it has, and an ended hold means the seats that the reference booked.
 * Nobody booked expired seats, so a call for all of an expired hold is no repetition.
 */
function wantedOf(
  world: World,
  hold: Hold,
  { labels, bookingRef }: Pick<Command & { type: 'book' }, 'labels' | 'bookingRef'>,
  before: string[],
): NamedLabels | { refused: Refused[] } {
  const { id, status, claims, released } = hold;
  const has = ownedBy(world, `hold ${id}`);
  const had = labelsOf(claims).filter((label) => !released.includes(label));
  if (labels) {
    const placesOf = placesAmong(world, [...has, ...before]);
    return named(world, labels, (area) => {
      const places = placesOf(area);
      return places.length > 0 ? places : placesAmong(world, had)(area);
    });
  }
  const isReplay = hold.bookedUnder.includes(bookingRef) && whyOver(hold) !== 'hold_expired';
  const all = status === 'active' ? has : isReplay ? before : had;
  return { labels: all, areas: [], without: [] };
}

/** Notes seats that a reference books from the hold. */
export function bookOf(hold: Hold, ref: string, claims: Claim[]): void {
  hold.bookingRef = ref;
  if (!hold.bookedUnder.includes(ref)) hold.bookedUnder.push(ref);
  hold.booked.push(...claims.map(({ label }) => ({ ref, label })));
}

function whyOver({ status, expired }: Hold): string {
  if (status === 'expired' || expired.length > 0) return 'hold_expired';
  return status === 'released' ? 'hold_released' : 'conflict';
}

export function bookDirect(world: World, command: Command & { type: 'book-direct' }, caller: Caller): Prediction {
  return withItems(world, command, caller, isOnSale(world));
}

type Sale = { bookingRef: string; callId: string; selections: Selection[]; releaseId?: string; fromBlock?: true };

function bookSelections(world: World, sale: Sale, caller: Caller, isOpen: boolean): Prediction {
  const { bookingRef: ref, callId, releaseId } = sale;
  const again = firstAnswer(world, ref, callId);
  if (again) return unchanged({ booked: again });
  const { open } = splitByReference(world, ref, sale.selections);
  // A companion sits with any wheelchair place of the booking.
  const had = bookingNamed(world, ref)?.claims ?? [];
  if (open.length === 0) return unchanged({ booked: [] });
  if (!isOpen) return refused('event_closed');
  const takes = (label: string): boolean => sale.fromBlock === true && isByHand(world, label);
  const chosen = choose(world, open, { caller, had, takes, ...(releaseId !== undefined && { releaseId }) });
  if ('refused' in chosen) return { ok: false, refused: chosen.refused };
  addTo(world, ref, callId, chosen.claims, caller.accessSource);
  return done({ booked: labelsOf(chosen.claims) });
}

/** Sales of an older system, of named seats: each stands or fails alone, at any time and at the price that was paid. */
export function importBookings(
  world: World,
  { sales, callId, fingerprint }: Command & { type: 'import-bookings' },
  caller: Caller,
): Prediction {
  const faults: { at: number; code: string }[] = [];
  const made = new Map<string, Claim[]>();
  for (const [at, { label, bookingRef, price }] of sales.entries()) {
    const place = world.chart.placeNamed.get(label);
    const seat = world.seats[label];
    if (!place || !seat) {
      faults.push({ at, code: 'label_not_found' });
      continue;
    }
    const taken = [...made].find(([, claims]) => labelsOf(claims).includes(label))?.[0];
    const owner = taken === undefined ? seat.owner : `booking ${taken}`;
    const status = taken === undefined ? seat.status : 'booked';
    if (status === 'booked' && owner === `booking ${bookingRef}`) continue;
    const category = world.chart.categories.find(({ key }) => key === place.category)!;
    if (status !== 'free' || category.notForSale) {
      const codes = {
        booked: 'seat_booked',
        held: 'seat_held',
        blocked: 'seat_not_for_sale',
        free: 'seat_not_for_sale',
      };
      faults.push({ at, code: codes[status] });
      continue;
    }
    const tier = tierFor(category, place, null);
    const claim: Claim = {
      label,
      price,
      fees: [],
      allIn: false,
      tier: tier !== null && typeof tier === 'object' ? tier.id : null,
      guests: place.soldAs === 'individual' ? null : place.guestsMax,
      bundle: null,
      release: null,
      channel: world.channelOf[label] ?? null,
      source: world.channelOf[label] === undefined ? 'public' : caller.accessSource,
    };
    made.set(bookingRef, [...(made.get(bookingRef) ?? []), claim]);
  }
  for (const [ref, claims] of made) addTo(world, ref, callId, claims, caller.accessSource);
  world.calls.push({ callId, labels: null, as: '', answer: { faults }, ...(fingerprint && { fingerprint }) });
  return { ...done({ faults }), ...(made.size === 0 && { isNameOnly: true }) };
}

/** Counter sales go on while sales to buyers are closed. */
export function boxBook(world: World, command: Command & { type: 'box-book' }, caller: Caller): Prediction {
  if (world.ownership !== 'platform') return refused('not_platform_owned');
  return counterSale(world, command, caller);
}

export function boxOfficeSale(
  world: World,
  command: Command & { type: 'box-office-sale' },
  caller: Caller,
): Prediction {
  if (world.ownership !== 'managed') return refused('not_managed');
  return counterSale(world, command, caller);
}

function counterSale(world: World, command: Sale, caller: Caller): Prediction {
  const told = withItems(world, command, caller, true);
  if (!told.ok) return told;
  const { items } = told.answer as { items: SoldItem[] };
  const total = items.reduce(
    (sum, { unitPrice: price, fees = [], allIn = false, quantity = 1 }) =>
      sum + priceWithFees({ price, fees, allIn }) * quantity,
    0,
  );
  return { ...told, answer: { ...told.answer, total, currency: world.currency } };
}

type SoldItem = { unitPrice: number; quantity?: number; fees?: Claim['fees']; allIn?: boolean };

/** The sale with the items of all seats that the call names, seats sold before included. */
function withItems(world: World, sale: Sale, caller: Caller, isOpen: boolean): Prediction {
  const { had } = splitByReference(world, sale.bookingRef, sale.selections);
  const told = bookSelections(world, sale, caller, isOpen);
  if (!told.ok) return told;
  const { booked } = told.answer as { booked: string[] };
  const isShown = (claim: Claim): boolean => had.includes(claim) || (told.isNews && booked.includes(claim.label));
  const claims = bookingNamed(world, sale.bookingRef)?.claims.filter(isShown) ?? [];
  return { ...told, answer: { booked, items: itemsOf(world, claims) } };
}

/**
 * Splits a call into the seats that the booking has and the open rest. A seat is found by its label. An area claims as
 * many places as all selections ask for. Selections with a tier claim places of this tier first; selections without a
 * tier claim places of the tier that they would get.
 */
function splitByReference(world: World, ref: string, selections: Selection[]): { open: Selection[]; had: Claim[] } {
  const claims = bookingNamed(world, ref)?.claims ?? [];
  const had = claims.filter((claim) => selections.some(({ label }) => label === claim.label));
  const found = new Map<Selection, number>();
  const isOfArea = ({ label }: Selection): boolean => world.chart.areas[label] !== undefined;
  for (const isTiered of [true, false]) {
    for (const selection of selections.filter(isOfArea)) {
      const { label, tierId = null, quantity = 1 } = selection;
      if ((tierId !== null) !== isTiered) continue;
      const fits = (claim: Claim): boolean => claim.tier === (tierId ?? tierUnnamed(world, claim));
      const mine = claims
        .filter((claim) => world.chart.areas[label]!.includes(claim.label) && fits(claim) && !had.includes(claim))
        .slice(0, quantity);
      had.push(...mine);
      found.set(selection, mine.length);
    }
  }
  const open = selections.flatMap((selection) => {
    const { label, quantity = 1 } = selection;
    if (!isOfArea(selection)) return claims.some((claim) => claim.label === label) ? [] : [selection];
    const left = quantity - found.get(selection)!;
    if (left === quantity) return [selection];
    return left === 0 ? [] : [{ ...selection, quantity: left }];
  });
  return { open, had };
}

/**
 * The tier at which a place is sold if the call names none. If the chart has lost the place's tier, that tier counts.
 */
function tierUnnamed(world: World, { label, tier }: Claim): string | null {
  const place = placeOf(world, label);
  const category = world.chart.categories.find(({ key }) => key === place.category)!;
  const isKnown = tier !== null && category.tiers?.some(({ id }) => id === tier);
  const usual = tierFor(category, place, null);
  return isKnown && usual !== null && typeof usual === 'object' ? usual.id : tier;
}

/** The labels of the first answer, if the call is a repetition. */
export function firstAnswer(world: World, ref: string, callId: string): string[] | undefined {
  return bookingNamed(world, ref)?.calls[callId];
}

export function addTo(world: World, ref: string, callId: string, claims: Claim[], accessSource: string): Booking {
  sellListed(world, labelsOf(claims));
  let booking = bookingNamed(world, ref);
  if (!booking) {
    booking = { ref, accessSource, claims: [], calls: {}, chosen: null, cancelledAt: null } satisfies Booking;
    world.bookings = [...world.bookings.filter((each) => each.ref !== ref), booking];
  }
  booking.claims.push(...claims);
  booking.cancelledAt = null;
  booking.calls[callId] = labelsOf(claims);
  take(world, claims, 'booked', `booking ${ref}`);
  return booking;
}

/** Removes listed seats from the bookings that offered them. */
function sellListed(world: World, labels: string[]): void {
  for (const listing of world.listings.filter((each) => each.labels.some((label) => labels.includes(label)))) {
    endListing(world, listing);
    const seller = bookingNamed(world, listing.bookingRef)!;
    dropFrom(world, seller, listing.labels);
  }
}

export function dropFrom(world: World, booking: Booking, labels: string[]): void {
  booking.claims = booking.claims.filter(({ label }) => !labels.includes(label));
  if (booking.claims.length === 0) booking.cancelledAt = world.now;
  if (booking.chosen) booking.chosen.labels = booking.chosen.labels.filter((label) => !labels.includes(label));
}

export function unbook(world: World, command: Command & { type: 'unbook' }): Prediction {
  const { bookingRef: ref, callId } = command;
  if (world.ownership !== 'platform') return refused('not_platform_owned');
  const booking = bookingNamed(world, ref);
  if (!booking) return refused('booking_not_found');
  const again = firstAnswer(world, ref, callId);
  if (again) return unchanged({ unbooked: again });
  let labels = labelsOf(booking.claims);
  if (command.labels) {
    const asked = named(world, command.labels, placesAmong(world, labels));
    if ('refused' in asked) return { ok: false, refused: asked.refused };
    const isMine = (label: string): boolean => world.seats[label]!.owner === `booking ${ref}`;
    const foreign = asked.labels.filter((label) => !isMine(label) && world.seats[label]!.status !== 'free');
    if (foreign.length > 0) return conflictOver(world, foreign, 'not_owned_by_booking_ref');
    labels = asked.labels.filter(isMine);
  }
  if (labels.length === 0) return unchanged({ unbooked: [] });
  const offered = world.listings.filter((listing) => listing.labels.some((label) => labels.includes(label)));
  const inCheckout = offered.filter(({ heldBy }) => heldBy !== null).flatMap((listing) => listing.labels);
  if (inCheckout.length > 0) return conflictOver(world, inCheckout, 'resale_in_checkout');
  for (const listing of offered) endListing(world, listing);
  free(world, labels);
  dropFrom(world, booking, labels);
  booking.calls[callId] = labels;
  return done({ unbooked: labels });
}
