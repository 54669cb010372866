/** The best seats left, found by trying every run of every row. */
import type { Caller, Command, SeatQuery } from '@parterre/shared/commands';
import { isForBuyers } from './availability.ts';
import { addTo } from './bookings.ts';
import { accessTo, asChooser, nothingLeft, reachOf, tooMany, wrongScope } from './channels.ts';
import type { Place } from './chart.ts';
import { blockSeats } from './event-calls.ts';
import { heldAnswer, startHold } from './holds.ts';
import { aloneAmong, choose, labelsOf, tierFor } from './selecting.ts';
import {
  bookingNamed,
  type Claim,
  done,
  holdNamed,
  isOnSale,
  itemsOf,
  noteLabels,
  type Refused,
  refused,
  type Told,
  unchanged,
  type World,
} from './world.ts';

type Best = { labels: string[]; area?: string } | { refused: Refused[] };

export function bestAvailable(world: World, query: SeatQuery, asker: Caller): Best {
  const faults = [...wrongScope(world, asker), ...faultsOf(world, query)];
  if (faults.length > 0) return { refused: faults };
  const caller = asChooser(asker);
  const isInReach = ({ label }: Place): boolean => accessTo(world, caller, label) === 'yes';
  const { categoryKey, zoneId } = query;
  const qty = Math.min(query.qty, 50);
  const covered = world.chart.places.filter(
    (place) =>
      isSold(world, place) &&
      (categoryKey === undefined || place.category === categoryKey) &&
      (zoneId === undefined || place.zone === zoneId),
  );
  const open = covered.filter(
    (place) => world.seats[place.label]!.status === 'free' && isForBuyers(world, place) && isInReach(place),
  );
  const isInRow = ({ row, isChair }: Place): boolean => row !== null && !isChair;
  const kinds = query.accessible ?? [];
  const inRows = bestSeats(world, open.filter(isInRow), kinds, qty, isInReach);
  const isAlone = ({ soldAs, objectType }: Place): boolean => soldAs === 'individual' && objectType !== 'ga';
  const others = bestSeats(
    world,
    open.filter((place) => !isInRow(place) && isAlone(place)),
    kinds,
    qty,
    isInReach,
  );
  const standing = kinds.length > 0 ? [] : open.filter(({ objectType }) => objectType === 'ga').slice(0, qty);
  // Tables and booths are searched only if the rows give nothing at all, and areas only after these.
  const best = [inRows, others, standing].find((places) => places.length > 0) ?? [];
  const nothing = best.length === 0 ? nothingLeft(world, asker) : null;
  if (nothing) return { refused: [nothing] };
  if (best.length < qty) {
    return { refused: [{ code: 'conflict', reason: best.length === 0 ? 'sold_out' : 'not_enough_together' }] };
  }
  return { labels: best.map(({ label }) => label), ...(best === standing && { area: 'Standing' }) };
}

function faultsOf({ chart }: World, { categoryKey, zoneId }: SeatQuery): Refused[] {
  const category = chart.categories.find(({ key }) => key === categoryKey);
  const faults: string[] = [];
  if (categoryKey !== undefined && !category) faults.push('invalid_request');
  if (category?.notForSale) faults.push('not_for_sale');
  if (zoneId !== undefined && !(zoneId in chart.zones)) faults.push('invalid_request');
  return faults.map((code) => ({ code, reason: code }));
}

function isSold({ chart }: World, place: Place): boolean {
  const category = chart.categories.find(({ key }) => key === place.category)!;
  return !category.notForSale && typeof tierFor(category, place, null) !== 'string';
}

/** `open` are the free seats that the query covers. */
function bestSeats(
  world: World,
  open: Place[],
  kinds: string[],
  qty: number,
  isInReach: (place: Place) => boolean,
): Place[] {
  const isNamed = (place: Place): boolean => place.kinds.some((kind) => kinds.includes(kind));
  const suits = (run: Place[]): boolean => kinds.length === 0 || run.some(isNamed);
  const wanted = open.filter((place) => place.kinds.length === 0 || isNamed(place));
  const runs = wanted
    .flatMap((first) => runFrom(first, wanted, qty) ?? [])
    .filter((run) => isPaired(world, run) && suits(run));
  const clean = runs.filter((run) => !strandsOne(world, run, isInReach));
  const choice = clean.length > 0 ? clean : runs;
  if (choice.length > 0) return nearestFirst(world, choice)[0]!;
  const singles = wanted.map((place) => [place]).filter((run) => isPaired(world, run));
  const nearest = nearestFirst(world, singles).flat();
  const best = nearest.slice(0, qty);
  if (suits(best)) return best;
  const named = nearest.find(isNamed);
  return named ? [named, ...best.slice(0, qty - 1)] : [];
}

/** `qty` neighbours beginning with `first`. */
function runFrom(first: Place, among: Place[], qty: number): Place[][] | null {
  const run = Array.from({ length: qty }, (_, i) =>
    among.find(({ row, index }) => row !== null && row === first.row && index === first.index + i),
  );
  const isAlone = first.row === null && qty === 1;
  if (isAlone) return [[first]];
  return run.every((place) => place !== undefined) ? [run as Place[]] : null;
}

/** Every companion of the run has a wheelchair place in the run. */
function isPaired(world: World, run: Place[]): boolean {
  const claims = run.map((place): Claim => {
    const tier = tierFor(world.chart.categories.find(({ key }) => key === place.category)!, place, null);
    const id = tier && typeof tier === 'object' ? tier.id : null;
    return {
      label: place.label,
      price: 0,
      tier: id,
      guests: null,
      bundle: null,
      release: null,
      channel: null,
      source: 'public',
    };
  });
  return aloneAmong(world, claims, []).length === 0;
}

/** Whether the run leaves a single free seat in reach, of any category and kind for sale, on either side. */
function strandsOne(world: World, run: Place[], isInReach: (place: Place) => boolean): boolean {
  const isFree = (index: number): boolean => {
    const seat = world.chart.places.find(({ row, index: at }) => row !== null && row === run[0]!.row && at === index);
    return !!seat && isSold(world, seat) && isInReach(seat) && world.seats[seat.label]!.status === 'free';
  };
  const [first, last] = [run[0]!.index, run.at(-1)!.index];
  return (isFree(first - 1) && !isFree(first - 2)) || (isFree(last + 1) && !isFree(last + 2));
}

/**
 * Ordered by the distance of the run's middle from the focal point of its zone, otherwise of the chart; then by row id
 * and seat.
 */
function nearestFirst({ chart }: World, runs: Place[][]): Place[][] {
  const distance = (run: Place[]): number => {
    const focus = (run[0]!.zone && chart.zones[run[0]!.zone]) || chart.focalPoint;
    const middle = (of: 'x' | 'y'): number => run.reduce((sum, place) => sum + place[of], 0) / run.length;
    return (middle('x') - focus.x) ** 2 + (middle('y') - focus.y) ** 2;
  };
  const name = (run: Place[]): string => run[0]!.row ?? run[0]!.objectId;
  return runs.toSorted((a, b) => {
    const byDistance = distance(a) - distance(b);
    if (Math.abs(byDistance) > 1e-6) return byDistance;
    return name(a) < name(b) ? -1 : name(a) > name(b) ? 1 : a[0]!.index - b[0]!.index;
  });
}

export function claimBest(
  world: World,
  query: SeatQuery,
  caller: Caller,
  had: Claim[] = [],
): { claims: Claim[] } | { refused: Refused[] } {
  const best = bestAvailable(world, query, caller);
  if ('refused' in best) return best;
  const { labels, area } = best;
  const selections = area ? [{ label: area, quantity: labels.length }] : labels.map((label) => ({ label }));
  return choose(world, selections, { caller, had });
}

export function holdBest(world: World, command: Command & { type: 'hold-best' }, caller: Caller): Told {
  const known = holdNamed(world, command.holdId);
  if (known) {
    const isSame = known.fingerprint === (command.fingerprint ?? null);
    return isSame ? unchanged(heldAnswer(world, known)) : refused('conflict', { reason: 'idempotency_key_reused' });
  }
  if (!isOnSale(world)) return refused('event_closed');
  const best = claimBest(world, command.query, caller);
  if ('refused' in best) return { ok: false, refused: best.refused };
  const excess = tooMany(world, caller, best.claims, []);
  if (excess.length > 0) return { ok: false, refused: excess };
  return done(heldAnswer(world, startHold(world, command, caller, best.claims)));
}

export function blockBest(world: World, command: Command & { type: 'block-best' }, caller: Caller): Told {
  const { callId, releaseAt, query, fingerprint } = command;
  const best = bestAvailable(world, query, caller);
  const isPast = releaseAt !== null && releaseAt <= world.now;
  const faults: Refused[] = isPast ? [{ code: 'invalid_request', reason: 'invalid_request' }] : [];
  if ('refused' in best || isPast) {
    return { ok: false, refused: [...faults, ...('refused' in best ? best.refused : [])] };
  }
  blockSeats(world, best.labels, releaseAt);
  return noteLabels(world, callId, 'blocked', best.labels, fingerprint);
}

/** A reference has one choice. The same query gets the seats of the choice that are left; another query is refused. */
export function bookBest(world: World, command: Command & { type: 'book-best' }, caller: Caller): Told {
  const { bookingRef: ref, callId, query } = command;
  const shown = (claims: Claim[]): object => {
    return { labels: labelsOf(claims), items: itemsOf(world, claims) };
  };
  const { qty, categoryKey, zoneId, accessible = [] } = query;
  const asked = JSON.stringify([Math.min(qty, 50), categoryKey, zoneId, accessible.toSorted(), reachOf(caller)]);
  const known = bookingNamed(world, ref);
  if (known?.chosen?.query === asked) {
    const { labels } = known.chosen;
    if (labels.length === 0) return refused('conflict', { reason: 'booking_cancelled' });
    const left = known.claims.filter(({ label }) => labels.includes(label));
    return unchanged(shown(left));
  }
  const faults = faultsOf(world, query);
  if (faults.length > 0) return { ok: false, refused: faults };
  if (known?.chosen) return refused('conflict', { reason: 'booking_ref_in_use' });
  if (!isOnSale(world)) return refused('event_closed');
  const best = claimBest(world, query, caller);
  if ('refused' in best) return { ok: false, refused: best.refused };
  const booking = addTo(world, ref, callId, best.claims, caller.accessSource);
  booking.chosen = { query: asked, labels: labelsOf(best.claims) };
  return done(shown(best.claims));
}
