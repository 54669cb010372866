/**
 * The reference's knowledge of an event: an object for each seat, plain lists of holds and bookings, nothing derived.
 * The files beside this file give the result of each call by the documented rules. They share nothing with the rules of
 * the shard.
 */
import type { ChannelDraft } from '@parterre/shared/protocol/commands';
import type {
  AvailabilityRules,
  TicketRelease as JournaledRelease,
  SetSaleSettings,
} from '@parterre/shared/protocol/records';
import { type Chart, firstChart, type ReferencePlace } from './chart.ts';

export const MINUTE = 60_000;
export const DAY = 24 * 60 * MINUTE;
export const START = 1_700_000_000_000;

export type Seat = {
  label: string;
  status: 'free' | 'held' | 'booked' | 'blocked';
  /** `hold h1`, `booking r1`, `offer sro_1` or `reservation rsv_1`. */
  owner: string | null;
  /** The time of a scheduled unblock. */
  freeAt: number | null;
};

/** A seat in a hold or booking, with its frozen terms. */
export type Claim = {
  label: string;
  price: number;
  fees: { name: string; amount: number }[];
  /** The price has the fees in it. */
  allIn: boolean;
  tier: string | null;
  guests: number | null;
  /** Equal for places that were requested together, by their area and a quantity. */
  bundle: string | null;
  release: string | null;
  /** The channel of the sale, null for public sale, and its access source. */
  channel: string | null;
  source: string;
};

export type Hold = {
  id: string;
  status: 'active' | 'booked' | 'released' | 'expired';
  createdAt: number;
  expiresAt: number;
  endedAt: number | null;
  extends: number;
  bookingRef: string | null;
  accessSource: string;
  /** The currency in which the hold was made. */
  currency: string;
  fingerprint: string | null;
  /** See `reachOf`. */
  reach: string;
  /** The session that counts the hold. */
  session: string | null;
  buyerRef: string | null;
  /** Every seat that was held. */
  claims: Claim[];
  /** Seats that left while others stayed, or at the end of a hold that was booked in part. */
  released: string[];
  expired: string[];
  /** The booked seats with their reference, while the chart has them. */
  booked: { ref: string; label: string }[];
  /** Every reference that booked seats of the hold, even if the chart has none of them any more. */
  bookedUnder: string[];
  /** The first `expiresAt`. */
  firstExpiresAt: number;
  /** The calls that extended it. */
  extendedBy: string[];
  /** By the call that released them. */
  releases: Record<string, string[]>;
};

export type Booking = {
  ref: string;
  accessSource: string;
  claims: Claim[];
  /** The seats that each call booked or cancelled. */
  calls: Record<string, string[]>;
  /** The query, and the seats chosen for it that are still booked. */
  chosen: { query: string; labels: string[] } | null;
  /** The time since which it has no seats. */
  cancelledAt: number | null;
};

/** Seats that an offer has reserved. One that ended has the seats that it freed or booked. */
export type Offer = {
  offerId: string;
  claims: Claim[];
  status: 'reserved' | 'over' | 'booked';
  ref: string | null;
  endedAt: number | null;
};

/** Seats that an operator keeps under a name. One that is over has the seats of its end, or all that were booked. */
export type Reservation = {
  id: string;
  name: string;
  note: string | null;
  until: number;
  createdAt: number;
  createdBy: string | null;
  state: 'active' | 'booked' | 'ended';
  labels: string[];
  booked: { ref: string; labels: string[] }[];
  endedAt: number | null;
};

/** The answer to a call to the event as a whole. `labels` stand under the field `as` of the answer. */
export type EventCall = {
  callId: string;
  labels: string[] | null;
  as: string;
  answer: object | null;
  fingerprint?: string;
};

export type Release = JournaledRelease & { soldOutAt: number | null };

/** `heldBy` is `hold h1` while this hold has the listing in checkout. */
export type Listing = { id: string; bookingRef: string; labels: string[]; heldBy: string | null };

export type Channel = {
  name: string;
  prices: ChannelDraft['priceOverrides'];
  pricingVersion: number;
  salesStartAt: number | null;
  isArchived: boolean;
  /** Where its seats went; null for public sale. */
  destination: string | null;
};

/** Channels of most histories, with their prices in the form of the wire. */
export const firstPrices = {
  c1: [{ categoryKey: 'stalls', tierId: null, price: 33 }],
  c2: [
    { categoryKey: 'circle', tierId: 'child', price: 7 },
    { categoryKey: 'floor', tierId: null, price: 3 },
  ],
};

export type World = {
  now: number;
  ownership: 'platform' | 'managed';
  currency: string;
  chart: Chart;
  chartVersion: number;
  /** Set once the event's journal names its chart. */
  chartId?: string;
  status: 'active' | 'closed' | 'archived' | 'deleted';
  salesPaused: boolean;
  holdTtlMs: number | null;
  sectionStates: Record<string, string>;
  saleSettings: SetSaleSettings;
  seats: Record<string, Seat>;
  holds: Hold[];
  bookings: Booking[];
  calls: EventCall[];
  listings: Listing[];
  offers: Offer[];
  reservations: Reservation[];
  /** The sums of exchanges with charges. */
  exchangeSums: { fees: number; waived: number } | null;
  /** The lock of a season on the event. */
  lockId: string | null;
  endedLocks: Set<string>;
  rules: AvailabilityRules;
  rulesVersion: number;
  releases: Release[];
  /** The name of every ticket release there was. */
  releaseNames: Record<string, string>;
  /** The number of sold-out records, and whether the last one still stands. */
  soldOut: { isTold: boolean; times: number };
  /** By label. A seat without a channel is public sale. */
  channelOf: Record<string, string>;
  pausedChannels: string[];
  /** By id. */
  channels: Record<string, Channel>;
  allocationVersion: number;
  sessionChanges: { id: string; by: number; at: number }[];
  /** The number of names given to calls so far. */
  names: number;
};

/** `prices` has the channels of the event, each with its prices. */
export function newWorld(ownership: World['ownership'], prices: Record<string, Channel['prices']> = {}): World {
  const channel = { pricingVersion: 1, salesStartAt: null, isArchived: false, destination: null };
  return {
    now: START,
    ownership,
    currency: 'EUR',
    chart: firstChart,
    chartVersion: 1,
    status: 'active',
    salesPaused: false,
    holdTtlMs: null,
    sectionStates: {},
    saleSettings: {},
    seats: Object.fromEntries(firstChart.places.map(({ label }) => [label, freeSeat(label)])),
    holds: [],
    bookings: [],
    calls: [],
    releases: [],
    releaseNames: {},
    listings: [],
    exchangeSums: null,
    offers: [],
    reservations: [],
    lockId: null,
    endedLocks: new Set(),
    rules: {},
    rulesVersion: 0,
    soldOut: { isTold: false, times: 0 },
    channelOf: {},
    pausedChannels: [],
    channels: Object.fromEntries(
      Object.entries(prices).map(([id, each]) => [id, { ...channel, name: channelNamed(id), prices: each }]),
    ),
    allocationVersion: 0,
    sessionChanges: [],
    names: 0,
  };
}

export function channelNamed(id: string): string {
  return `Channel ${id}`;
}

export function freeSeat(label: string): Seat {
  return { label, status: 'free', owner: null, freeAt: null };
}

export type Conflict = { label: string; status: string; available?: number; listingId?: string };

/** The parts of a refusal. `reason` is the code if there is no finer reason. */
export type Refused = {
  code: string;
  reason: string;
  labels?: string[];
  conflicts?: Conflict[];
  missingLabels?: string[];
  missingCount?: number;
  status?: string;
  bookingRef?: string;
};

/**
 * A prediction. Any of several faults of one call may be refused. `isNews` is false if nothing changes. `isNameOnly` is
 * true if the event remembers the name and the answer of the call, and nothing else changes.
 */
export type Prediction =
  | { ok: true; answer: object; isNews: boolean; isNameOnly?: boolean }
  | { ok: false; refused: Refused[] };

export function done(answer: object): Prediction {
  return { ok: true, answer, isNews: true };
}

/** The answer of a read, or of a call without effect. */
export function unchanged(answer: object): Prediction {
  return { ok: true, answer, isNews: false };
}

export function refused(code: string, more: Partial<Refused> = {}): Prediction {
  return { ok: false, refused: [{ code, reason: code, ...more }] };
}

/** Remembers the answer of a call for its repetition. */
export function note(world: World, callId: string, answer: object): Prediction {
  world.calls.push({ callId, labels: null, as: '', answer });
  return done(answer);
}

export function noteLabels(
  world: World,
  callId: string,
  as: EventCall['as'],
  labels: string[],
  fingerprint?: string,
): Prediction {
  world.calls.push({ callId, labels, as, answer: null, ...(fingerprint && { fingerprint }) });
  return done({ [as]: labels });
}

export function conflictOver(
  world: World,
  labels: string[],
  reason = 'conflict',
  more: Conflict[] = [],
  booked: { bookingRef?: string } = {},
): Prediction {
  const conflicts = [...labels.map((label) => ({ label, status: world.seats[label]!.status })), ...more];
  return refused('conflict', { reason, conflicts, ...booked });
}

export function placeOf({ chart }: World, label: string): ReferencePlace {
  return chart.placeNamed.get(label)!;
}

export function unknownLabels(labels: string[]): Refused {
  return { code: 'unknown_labels', reason: 'unknown_labels', labels };
}

export function once(labels: string[]): string[] {
  return [...new Set(labels)];
}

export function holdNamed(world: World, id: string): Hold | undefined {
  return world.holds.find((hold) => hold.id === id);
}

export function bookingNamed(world: World, ref: string): Booking | undefined {
  return knownBookings(world).find((booking) => booking.ref === ref);
}

/** A booking is forgotten a day after its cancellation. That the event had a booking is never forgotten. */
export function knownBookings({ bookings, now }: World): Booking[] {
  return bookings.filter(({ cancelledAt }) => cancelledAt === null || cancelledAt + DAY > now);
}

export function listingOf(world: World, label: string): Listing | undefined {
  return world.listings.find(({ labels }) => labels.includes(label));
}

/** The listed seats that would stay behind if these seats were taken. */
export function leftBehind(world: World, labels: string[]): string[] {
  const touched = world.listings.filter((listing) => listing.labels.some((label) => labels.includes(label)));
  return touched.flatMap((listing) => listing.labels).filter((label) => !labels.includes(label));
}

export function ownedBy(world: World, owner: string): string[] {
  return Object.values(world.seats)
    .filter((seat) => seat.owner === owner || listingOf(world, seat.label)?.heldBy === owner)
    .map(({ label }) => label);
}

export function countsOf(world: World): { free: number; held: number; booked: number; blocked: number } {
  const counts = { free: 0, held: 0, booked: 0, blocked: 0 };
  for (const { status } of Object.values(world.seats)) counts[status]++;
  return counts;
}

export function isOnSale({ status, salesPaused }: World): boolean {
  return status === 'active' && !salesPaused;
}

/** The price of one guest or place, with its fees on top. */
export function priceWithFees({ price, fees, allIn }: Pick<Claim, 'price' | 'fees' | 'allIn'>): number {
  return fees.reduce((sum, { amount }) => sum + (allIn ? 0 : amount), price);
}

/** A line item for each claim, one for each bundle. */
export function itemsOf(world: World, claims: Claim[], currency = world.currency): object[] {
  const alone = claims.filter(({ bundle }) => bundle === null).map((claim) => [claim]);
  // A bundle's name may be used again after its seat was freed. Seats sold on other terms are not part of the bundle.
  const bundled = claims.filter(({ bundle }) => bundle !== null);
  const nameOf = ({ bundle, price, tier, release, channel, source, fees }: Claim): string =>
    [bundle, price, tier, release, channel, source, JSON.stringify(fees)].join();
  const bundles = once(bundled.map(nameOf));
  const together = bundles.map((name) => bundled.filter((claim) => nameOf(claim) === name));
  return [...alone, ...together].map((lines) => itemOf(world, lines, currency));
}

function itemOf(world: World, claims: Claim[], currency: string): object {
  const [claim] = claims as [Claim];
  const place = placeOf(world, claim.label);
  const item = {
    label: claim.label,
    objectId: place.objectId,
    objectType: place.objectType,
    categoryKey: place.category,
    tierId: claim.tier,
    unitPrice: claim.price,
    currency,
    bookingMode: place.soldAs,
    channelId: claim.channel,
    accessSource: claim.source,
    releaseId: claim.release,
    ...(claim.fees.length > 0 && { fees: claim.fees, allIn: claim.allIn }),
  };
  if (claim.bundle !== null) {
    const area = Object.keys(world.chart.areas).find((name) => world.chart.areas[name]!.includes(claim.label));
    return { ...item, label: area, quantity: claims.length, labels: claims.map(({ label }) => label) };
  }
  if (place.soldAs === 'individual') return item;
  const { chairs: capacity, guestsMin: minOccupancy, guestsMax: maxOccupancy } = place;
  return { ...item, quantity: claim.guests, capacity, minOccupancy, maxOccupancy };
}
