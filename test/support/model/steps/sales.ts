/** Steps of buyers and counters: holds, changes of holds, and bookings. */
import type { Command, Selection } from '@parterre/shared/protocol/commands';
import fc from 'fast-check';
import { MINUTE, ownedBy, placeOf, type Release, type World } from '../reference/world.ts';
import {
  anyNumber,
  bookingOf,
  bookingPick,
  byAreas,
  fresh,
  holdOf,
  holdPick,
  type Kind,
  kind,
  oneOf,
  recent,
  refPick,
  seatOf,
  seatPick,
  seatPicks,
  seatsOf,
  weighted,
} from './steps.ts';

const ttlMs = weighted([undefined, 12], [1, 1], [4_000, 3], [5 * MINUTE, 2], [90 * MINUTE, 1]);
const selectionPick = fc.record({
  seat: seatPick,
  tier: weighted([undefined, 10], ['adult', 2], ['child', 3], ['local', 2], ['wheel', 2], ['carer', 2], ['senior', 1]),
  quantity: weighted([undefined, 12], [1, 1], [2, 2], [4, 3], [9, 1]),
});
type SelectionPick = typeof selectionPick extends fc.Arbitrary<infer T> ? T : never;

export const selectionPicks = fc.array(selectionPick, { minLength: 1, maxLength: 4, size: 'max' });

/** Mostly a fitting selection: a tier in a category with tiers, a quantity for guests. */
export function selectionOf(world: World, { seat, tier, quantity }: SelectionPick, n: number): Selection {
  const label = seatOf(world, seat);
  const place = world.chart.places.find((each) => each.label === label);
  const tiers = world.chart.categories.find(({ key }) => key === place?.category)?.tiers ?? [];
  const takesTier = tiers.length > 0 || n % 23 === 0;
  const takesGuests = place?.soldAs === 'variable' || n % 19 === 0;
  return {
    label,
    ...(takesTier && tier !== undefined && { tierId: tier }),
    ...(takesGuests && quantity !== undefined && { quantity }),
  };
}

const areaPick = fc.record({ quantity: fc.integer({ min: 1, max: 6 }), more: fc.option(selectionPick), n: anyNumber });

function areaSelections(
  world: World,
  { quantity, more, n }: { quantity: number; more: SelectionPick | null; n: number },
): Selection[] {
  const label = oneOf(Object.keys(world.chart.areas), n)!;
  const area = { label, quantity: n % 17 === 0 ? 40 : quantity };
  return more ? [area, selectionOf(world, more, n)] : [area];
}

function plain(labels: string[]): Selection[] {
  return labels.map((label) => ({ label }));
}

function holdCommand(world: World, selections: Selection[], more: object): Command {
  return { type: 'hold', holdId: fresh(world, 'hld'), selections, ...more };
}

const holds: Kind[] = [
  kind(
    'hold labels',
    10,
    fc.record({ seats: seatPicks, ttlMs }),
    (world, { seats, ttlMs }) => holdCommand(world, plain(seatsOf(world, seats)), { ...(ttlMs && { ttlMs }) }),
    true,
  ),
  kind(
    'hold selections',
    8,
    fc.record({ picks: selectionPicks, n: anyNumber, isNamed: fc.boolean() }),
    (world, { picks, n, isNamed }) => {
      const selections = picks.map((pick) => selectionOf(world, pick, n));
      return holdCommand(world, selections, isNamed ? { fingerprint: JSON.stringify(selections) } : {});
    },
    true,
  ),
  kind(
    'hold places of an area',
    6,
    areaPick,
    (world, picked) => holdCommand(world, areaSelections(world, picked), {}),
    true,
  ),
  kind(
    'swap a hold',
    7,
    fc.record({ hold: holdPick, seats: seatPicks, keep: anyNumber }),
    (world, { hold, seats, keep }) => {
      const replaceHoldId = holdOf(world, hold);
      if (replaceHoldId === null) return null;
      const mine = ownedBy(world, `hold ${replaceHoldId}`).slice(0, keep % 3);
      const labels = [...new Set([...mine, ...seatsOf(world, seats)])];
      return holdCommand(world, plain(labels), { replaceHoldId });
    },
    true,
  ),
  kind('hold under a used name with another body', 2, anyNumber, (world, n, sent) => {
    const found = oneOf(
      recent(world, sent).filter(({ command }) => command.type === 'hold' && command.fingerprint !== undefined),
      n,
    );
    return found ? ({ ...found.command, fingerprint: 'another body' } as Command) : null;
  }),
  kind(
    'extend',
    10,
    fc.record({ hold: holdPick, ttlMs }),
    (world, { hold, ttlMs }) => {
      const holdId = holdOf(world, hold);
      return holdId === null ? null : { type: 'extend', holdId, callId: fresh(world, 'call'), ...(ttlMs && { ttlMs }) };
    },
    true,
  ),
  kind('extend once more', 20, anyNumber, (world, n) => {
    const worn = world.holds.filter((each) => each.status === 'active' && each.extends > 0);
    const most = Math.max(...worn.map((each) => each.extends));
    const found = oneOf(
      worn.filter((each) => each.extends === most),
      n,
    );
    return found ? { type: 'extend', holdId: found.id, callId: fresh(world, 'call') } : null;
  }),
  kind(
    'release a hold',
    4,
    holdPick,
    (world, hold) => {
      const holdId = holdOf(world, hold);
      return holdId === null ? null : { type: 'release', holdId, callId: fresh(world, 'call') };
    },
    true,
  ),
  kind(
    'release a part',
    5,
    fc.record({ hold: holdPick, part: partPick() }),
    (world, { hold, part }) => {
      const holdId = holdOf(world, hold);
      if (holdId === null) return null;
      return { type: 'release', holdId, callId: fresh(world, 'call'), labels: partOf(world, `hold ${holdId}`, part) };
    },
    true,
  ),
  kind('inspect a hold', 3, holdPick, (world, hold) => {
    const holdId = holdOf(world, hold);
    return holdId === null ? null : { type: 'inspect-hold', holdId };
  }),
  kind('inspect a hold of long ago', 2, anyNumber, (world, n) => {
    const found = oneOf(
      world.holds.filter(({ status }) => status !== 'active'),
      n,
    );
    return found ? { type: 'inspect-hold', holdId: found.id } : null;
  }),
];

/** Some seats of a holder, and sometimes a seat of another; places sometimes by their area. */
function partPick(): fc.Arbitrary<{
  size: number;
  byArea: boolean;
  other: typeof seatPick extends fc.Arbitrary<infer T> ? T | null : never;
}> {
  const byArea = weighted([false, 3], [true, 1]);
  return fc.record({ size: fc.integer({ min: 1, max: 3 }), byArea, other: fc.option(seatPick, { freq: 5 }) });
}

function partOf(
  world: World,
  owner: string,
  { size, byArea, other }: { size: number; byArea: boolean; other: Parameters<typeof seatOf>[1] | null },
): string[] {
  const part = ownedBy(world, owner).slice(0, size);
  if (other || part.length === 0) part.push(seatOf(world, other ?? { n: size, of: 'any' }));
  return byArea ? byAreas(world, part) : [...new Set(part)];
}

const bookings: Kind[] = [
  kind('book a hold', 9, fc.record({ hold: holdPick, bookingRef: refPick }), (world, { hold, bookingRef }) => {
    const holdId = holdOf(world, hold);
    return holdId === null ? null : { type: 'book', callId: fresh(world, 'call'), bookingRef, holdId };
  }),
  kind(
    'book a part of a hold',
    6,
    fc.record({ hold: holdPick, bookingRef: refPick, part: partPick() }),
    (world, { hold, bookingRef, part }) => {
      const holdId = holdOf(world, hold);
      if (holdId === null) return null;
      const labels = partOf(world, `hold ${holdId}`, part);
      return { type: 'book', callId: fresh(world, 'call'), bookingRef, holdId, labels };
    },
  ),
  kind('book a hold once more', 3, anyNumber, (world, n, sent) => {
    const found = oneOf(
      recent(world, sent).filter(({ command }) => command.type === 'book'),
      n,
    );
    return found ? ({ ...found.command, callId: fresh(world, 'call') } as Command) : null;
  }),
  kind('book labels', 5, fc.record({ seats: seatPicks, bookingRef: refPick }), (world, { seats, bookingRef }) => {
    const selections = plain(seatsOf(world, seats));
    return { type: 'book-direct', callId: fresh(world, 'call'), bookingRef, selections };
  }),
  kind(
    'book selections',
    4,
    fc.record({ picks: selectionPicks, area: fc.option(areaPick), n: anyNumber, bookingRef: refPick }),
    (world, { picks, area, n, bookingRef }) => {
      const selections = [
        ...picks.map((pick) => selectionOf(world, pick, n)),
        ...(area ? areaSelections(world, area) : []),
      ];
      return { type: 'book-direct', callId: fresh(world, 'call'), bookingRef, selections };
    },
  ),
  kind(
    'import bookings',
    4,
    fc.record({ seats: seatPicks, refs: fc.tuple(refPick, refPick), price: fc.nat(50) }),
    (world, { seats, refs, price }) => {
      const named = seatsOf(world, seats).filter((label) => placeOf(world, label) !== undefined);
      const sales = named.map((label, at) => ({ label, bookingRef: refs[at % 2]!, price }));
      if (sales.length === 0) return null;
      return { type: 'import-bookings', callId: fresh(world, 'call'), sales, fingerprint: JSON.stringify(sales) };
    },
  ),
  kind('book all that is left', 14, refPick, (world, bookingRef) => {
    const left = Object.values(world.seats).filter(({ status }) => status === 'free');
    if (left.length === 0 || left.length > 12) return null;
    const selections = plain(left.map(({ label }) => label));
    return { type: 'book-direct', callId: fresh(world, 'call'), bookingRef, selections };
  }),
  kind('unbook a booking', 3, bookingPick, (world, pick) => {
    const bookingRef = bookingOf(world, pick);
    return bookingRef === null ? null : { type: 'unbook', callId: fresh(world, 'call'), bookingRef };
  }),
  kind('unbook a part', 7, fc.record({ pick: bookingPick, part: partPick() }), (world, { pick, part }) => {
    const bookingRef = bookingOf(world, pick);
    if (bookingRef === null) return null;
    const labels = partOf(world, `booking ${bookingRef}`, part);
    return { type: 'unbook', callId: fresh(world, 'call'), bookingRef, labels };
  }),
];

/** Free seats that a ticket release prices: up to its quota plus one. */
function seatsUnder({ chart, seats }: World, { categoryKey, quota }: Release, n: number): string[] {
  const tiered = chart.categories.filter(({ tiers = [], notForSale }) => tiers.length > 0 || notForSale);
  const fits = chart.places.filter(({ label, category }) => {
    const isPriced = categoryKey === null ? tiered.every(({ key }) => key !== category) : category === categoryKey;
    return isPriced && seats[label]!.status === 'free';
  });
  return fits.slice(0, 1 + (n % ((quota ?? 2) + 1))).map(({ label }) => label);
}

const counters: Kind[] = [
  kind('book at a counter', 3, fc.record({ seats: seatPicks, bookingRef: refPick }), (world, { seats, bookingRef }) => {
    if (world.ownership !== 'platform' && seats.length > 1) return null;
    const selections = plain(seatsOf(world, seats));
    return { type: 'box-book', callId: fresh(world, 'call'), bookingRef, selections };
  }),
  kind(
    'sell at a counter',
    6,
    fc.record({
      picks: selectionPicks,
      area: fc.option(areaPick),
      n: anyNumber,
      bookingRef: refPick,
      release: weighted(['none', 3], ['any', 6], ['unknown', 1]),
    }),
    (world, { picks, area, n, bookingRef, release }) => {
      if (world.ownership !== 'managed' && n % 5 !== 0) return null;
      const bound = world.releases.filter(({ quota, action }) => quota !== null && action === 'buy');
      const some = n % 3 === 0 || bound.length === 0 ? world.releases : bound;
      const chosen = release === 'any' ? oneOf(some, n) : undefined;
      const releaseId = release === 'unknown' ? 'rel_nobody' : chosen?.id;
      const selections =
        chosen && n % 4 !== 0
          ? plain(seatsUnder(world, chosen, n))
          : [
              ...picks.slice(0, 1 + (n % 2)).map((pick) => selectionOf(world, pick, n)),
              ...(area ? areaSelections(world, area) : []),
            ];
      if (selections.length === 0) return null;
      const more = releaseId === undefined ? {} : { releaseId };
      return {
        type: 'box-office-sale',
        callId: fresh(world, 'call'),
        bookingRef,
        selections,
        ...more,
      };
    },
  ),
];

export const salesKinds: readonly Kind[] = [...holds, ...bookings, ...counters];
