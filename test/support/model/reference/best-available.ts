/** Calls that let the event choose the places. */
import type { Caller, Command, SeatQuery, Selection } from '@parterre/shared/protocol/commands';
import { judge, type Spot } from '../../judge/best-places.ts';
import { wheelchairsOf } from '../../judge/companions.ts';
import { isForBuyers } from './availability.ts';
import { addTo } from './bookings.ts';
import { accessTo, asChooser, channelPrice, nothingLeft, reachOf, tooMany, wrongScope } from './channels.ts';
import type { ReferencePlace } from './chart.ts';
import { blockSeats } from './event-calls.ts';
import { heldAnswer, startHold } from './holds.ts';
import { pricing } from './releases.ts';
import { beforeOwnStart, notOnSale } from './sale-times.ts';
import { choose, isCompanionsPlace, isSold, labelsOf, tierFor } from './selecting.ts';
import {
  bookingNamed,
  type Claim,
  done,
  type Hold,
  holdNamed,
  isOnSale,
  itemsOf,
  noteLabels,
  type Prediction,
  type Refused,
  refused,
  unchanged,
  unknownLabels,
  type World,
} from './world.ts';

type Best = { parts: ReferencePlace[][]; guests: Map<string, number> } | { refused: Refused[] };

/** Which places the event chooses is the judge's matter (test/support/judge). Here stand the places that it judges. */
function bestAvailable(world: World, query: SeatQuery, asker: Caller): Best {
  const faults = [...wrongScope(world, asker), ...faultsOf(world, query)];
  if (faults.length > 0) return { refused: faults };
  const { accessible = [], accessibleSeats = 1, preventOrphans = true, near = [], aisle = false } = query;
  const { chart } = world;
  const qty = Math.min(query.qty, 50);
  const judged = judge(
    chart.places.map((place) => spotOf(world, query, asChooser(asker), place)),
    { qty, kinds: accessible, accessibleSeats, preventOrphans, near, grain: grainOf(chart.places), aisle },
  );
  if (typeof judged === 'string') {
    const nothing = judged === 'sold_out' ? nothingLeft(world, asker) : null;
    return { refused: [nothing ?? { code: 'conflict', reason: judged }] };
  }
  const parts = judged.map((names) => names.map((name) => chart.placeNamed.get(name)!));
  return { parts, guests: guestsOf(parts, qty) };
}

/** Every unit has one guest, and a table that is sold as a whole has the rest of its party. */
function guestsOf(parts: ReferencePlace[][], qty: number): Map<string, number> {
  const places = parts.flat();
  const tables = places.filter(({ soldAs }) => soldAs !== 'individual');
  let rest = qty - (places.length - tables.length);
  return new Map(
    tables.map(({ label, guestsMax }) => {
      const guests = Math.min(rest, guestsMax);
      rest -= guests;
      return [label, guests];
    }),
  );
}

function spotOf(world: World, query: SeatQuery, caller: Caller, place: ReferencePlace): Spot {
  const { chart, seats } = world;
  const { label, kinds, zone, index, category, objectId, guestsMin, guestsMax } = place;
  const { categoryKey, categoryKeys = categoryKey === undefined ? [] : [categoryKey], zoneId } = query;
  const isFreeForSome = seats[label]!.status === 'free';
  const isFree = isFreeForSome && isForBuyers(world, place) && accessTo(world, caller, label) === 'yes';
  const inRow = chart.places.filter(({ row }) => row === place.row);
  return {
    name: label,
    sort: sortOf(place),
    id: place.row ?? objectId.replace(/:0$/, ''),
    index,
    kinds,
    next: nextTo(chart.places, place),
    at: place,
    focus: (zone && chart.zones[zone]) || chart.focalPoint,
    isCompanion: isCompanions(world, place),
    guests: [place.soldAs === 'variable' ? guestsMin : 1, guestsMax],
    wheelchairs: isCompanionsPlace(place)
      ? wheelchairsOf(inRow, label, place.isChair ? 'ring' : 'row')
      : besides(chart.places, place),
    isFree: isFree && isSold(world, place),
    isFreeForSome: isFreeForSome && isSold(world, place),
    isWanted:
      (categoryKeys.length === 0 || categoryKeys.includes(category)) &&
      (zoneId === undefined || zone === zoneId) &&
      meets(world, query, place),
  };
}

const isOfRow = ({ row, isChair }: ReferencePlace): boolean => row !== null && !isChair;

/** The terms beside categories and zones, at the price of this moment. */
function meets(world: World, query: SeatQuery, place: ReferencePlace): boolean {
  const { rowLabels, aisle } = query;
  if (aisle && !isOfRow(place)) return false;
  if (rowLabels && !(isOfRow(place) && rowLabels.includes(rowLabelOf(place)))) return false;
  const category = world.chart.categories.find(({ key }) => key === place.category)!;
  const tier = tierFor(category, place, null);
  if (typeof tier === 'string') return false;
  const asked = channelPrice(world, place.label, category.key, tier?.id ?? null);
  const release = asked === undefined ? pricing(world, undefined, []).next(category) : null;
  return isInBounds(query, asked ?? release?.price ?? tier?.price ?? category.price ?? 0);
}

const isInBounds = ({ minUnitPrice = 0, maxUnitPrice = Infinity }: SeatQuery, price: number): boolean =>
  minUnitPrice <= price && price <= maxUnitPrice;

const rowLabelOf = ({ row }: ReferencePlace): string => row!.replace(/^row-/, '');

function sortOf({ soldAs, objectType }: ReferencePlace): Spot['sort'] {
  if (objectType === 'ga') return 'area';
  if (objectType === 'booth') return 'booth';
  return soldAs === 'individual' ? 'seat' : 'table';
}

/** Chairs stand all around their table. */
function nextTo(places: ReferencePlace[], { row, index, isChair }: ReferencePlace): string | null {
  if (row === null) return null;
  const inRow = places.filter((place) => place.row === row);
  const next = inRow.find((place) => place.index === index + 1) ?? (isChair ? inRow[0] : undefined);
  return next?.label ?? null;
}

/** As the shard: about the 65,536th part of the chart. */
function grainOf(places: ReferencePlace[]): number {
  const extents = (['x', 'y'] as const).map((axis) => {
    const values = places.map((place) => place[axis]);
    return (Math.max(...values) - Math.min(...values)) / 2;
  });
  return 2 ** (Math.ceil(Math.log2(Math.max(...extents))) - 16);
}

function faultsOf({ chart }: World, query: SeatQuery): Refused[] {
  const { categoryKey, categoryKeys, zoneId, near = [], rowLabels = [] } = query;
  const keys = categoryKeys ?? (categoryKey === undefined ? [] : [categoryKey]);
  const categories = keys.map((each) => chart.categories.find(({ key }) => key === each));
  const faults: string[] = [];
  if (categories.includes(undefined)) faults.push('invalid_request');
  if (categories.some((category) => category?.notForSale)) faults.push('not_for_sale');
  if (zoneId !== undefined && !(zoneId in chart.zones)) faults.push('invalid_request');
  const rows = chart.places.filter(isOfRow).map(rowLabelOf);
  if (rowLabels.some((label) => !rows.includes(label))) faults.push('invalid_request');
  const told = faults.map((code) => ({ code, reason: code }));
  const lacking = near.filter((label) => !chart.placeNamed.has(label));
  return lacking.length > 0 ? [...told, unknownLabels(lacking)] : told;
}

/** The neighbours of a place, on which a companion tier depends. */
function besides(places: ReferencePlace[], place: ReferencePlace): string[] {
  const before = places.filter((other) => nextTo(places, other) === place.label).map(({ label }) => label);
  const next = nextTo(places, place);
  return next === null ? before : [...before, next];
}

function isCompanions({ chart }: World, place: ReferencePlace): boolean {
  const tier = tierFor(chart.categories.find(({ key }) => key === place.category)!, place, null);
  const isForCompanions = typeof tier === 'object' && tier?.restriction === 'companion';
  return isForCompanions || isCompanionsPlace(place);
}

type Claims = { claims: Claim[] } | { refused: Refused[] };

const tooFewAtPrice: Claims = { refused: [{ code: 'conflict', reason: 'not_enough_together' }] };

/** A quota may end within a choice: then the search leaves out the categories of the places with another price. */
export function claimBest(world: World, query: SeatQuery, caller: Caller, had: Claim[] = []): Claims {
  let asked = query;
  for (let searches = 1; searches <= 4; searches++) {
    const chosen = claimOnce(world, asked, caller, had);
    if ('refused' in chosen) return searches === 1 ? chosen : tooFewAtPrice;
    const outside = chosen.claims.filter(({ price }) => !isInBounds(query, price));
    if (outside.length === 0) return chosen;
    const over = outside.map(({ label }) => world.chart.placeNamed.get(label)!.category);
    const { categoryKey, categoryKeys, ...rest } = asked;
    const all = world.chart.categories.filter(({ notForSale }) => !notForSale).map(({ key }) => key);
    const left = (categoryKeys ?? (categoryKey === undefined ? all : [categoryKey])).filter(
      (key) => !over.includes(key),
    );
    if (left.length === 0) return tooFewAtPrice;
    asked = { ...rest, categoryKeys: left };
  }
  return tooFewAtPrice;
}

function claimOnce(world: World, query: SeatQuery, caller: Caller, had: Claim[]): Claims {
  const best = bestAvailable(world, query, caller);
  if ('refused' in best) return best;
  const places = best.parts.flat();
  const standing = places.filter(({ objectType }) => objectType === 'ga').length;
  const selections: Selection[] = places
    .filter(({ objectType }) => objectType !== 'ga')
    .map(({ label, soldAs }) => ({ label, ...(soldAs === 'variable' && { quantity: best.guests.get(label)! }) }));
  if (standing > 0) selections.push({ label: 'Standing', quantity: standing });
  return choose(world, selections, { caller, had });
}

/** Neighbours and places of one area are one part. */
function partsAmong({ chart }: World, labels: readonly string[]): string[][] {
  const parts: ReferencePlace[][] = [];
  const isNextTo = (a: ReferencePlace, b: ReferencePlace): boolean =>
    nextTo(chart.places, a) === b.label ||
    nextTo(chart.places, b) === a.label ||
    (a.objectType === 'ga' && a.objectId === b.objectId);
  for (const label of labels) {
    const place = chart.placeNamed.get(label)!;
    const beside = parts.filter((part) => part.some((other) => isNextTo(other, place)));
    for (const part of beside) parts.splice(parts.indexOf(part), 1);
    parts.push([...beside.flat(), place]);
  }
  return parts.map((places) => places.map((place) => place.label));
}

/** Each further choice is that of an event whose earlier choices are taken. */
export function chooseBest(
  world: World,
  { query, count }: Command & { type: 'choose-best' },
  caller: Caller,
): Prediction {
  if (!isOnSale(world)) return refused('event_closed');
  const seats = structuredClone(world.seats);
  const house: World = { ...world, seats };
  const alternatives: object[] = [];
  while (alternatives.length < count) {
    const best = claimBest(house, query, caller);
    if ('refused' in best && alternatives.length === 0) return { ok: false, refused: best.refused };
    if ('refused' in best) break;
    const labels = labelsOf(best.claims);
    const claims = alternatives.length === 0 ? best.claims : best.claims.map((claim) => ({ ...claim, bundle: null }));
    alternatives.push({ labels, items: itemsOf(world, claims), parts: partsAmong(world, labels) });
    for (const label of labels) seats[label]!.status = 'blocked';
  }
  return unchanged({ alternatives, currency: world.currency });
}

export function holdBest(world: World, command: Command & { type: 'hold-best' }, caller: Caller): Prediction {
  const known = holdNamed(world, command.holdId);
  if (known) {
    const isSame = known.fingerprint === (command.fingerprint ?? null);
    return isSame ? unchanged(answerTo(world, known)) : refused('conflict', { reason: 'idempotency_key_reused' });
  }
  const closed = notOnSale(world, caller);
  if (closed) return { ok: false, refused: [closed] };
  const best = claimBest(world, command.query, caller);
  if ('refused' in best) return { ok: false, refused: best.refused };
  const excess = [...tooMany(world, caller, best.claims, []), ...beforeOwnStart(world, caller, best.claims)];
  if (excess.length > 0) return { ok: false, refused: excess };
  return done(answerTo(world, startHold(world, command, caller, best.claims)));
}

function answerTo(world: World, hold: Hold): object {
  return { ...heldAnswer(world, hold), parts: partsAmong(world, labelsOf(hold.claims)) };
}

export function blockBest(world: World, command: Command & { type: 'block-best' }, caller: Caller): Prediction {
  const { callId, releaseAt, query, fingerprint } = command;
  const best = bestAvailable(world, query, caller);
  const isPast = releaseAt !== null && releaseAt <= world.now;
  const faults: Refused[] = isPast ? [{ code: 'invalid_request', reason: 'invalid_request' }] : [];
  if ('refused' in best || isPast) {
    return { ok: false, refused: [...faults, ...('refused' in best ? best.refused : [])] };
  }
  const labels = best.parts.flat().map(({ label }) => label);
  blockSeats(world, labels, releaseAt);
  const told = noteLabels(world, callId, 'blocked', labels, fingerprint);
  return told.ok ? { ...told, answer: withParts(world, told.answer as { blocked: string[] }) } : told;
}

/** The answer to a block of the event's choice, also when the call is repeated. */
export function withParts(world: World, answer: { blocked: string[] }): object {
  return { ...answer, parts: partsAmong(world, answer.blocked) };
}

/** A reference has one choice. The same query gets the seats of the choice that are left; another query is refused. */
export function bookBest(world: World, command: Command & { type: 'book-best' }, caller: Caller): Prediction {
  const { bookingRef: ref, callId, query } = command;
  const shown = (claims: Claim[]): object => {
    return { labels: labelsOf(claims), items: itemsOf(world, claims), parts: partsAmong(world, labelsOf(claims)) };
  };
  const { qty, categoryKey, zoneId, accessible = [], ...more } = query;
  const asked = JSON.stringify([Math.min(qty, 50), categoryKey, zoneId, accessible.toSorted(), more, reachOf(caller)]);
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
