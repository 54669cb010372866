/** Steps in which the event chooses the seats. */
import type { Command, SeatQuery } from '@parterre/shared/protocol/commands';
import fc from 'fast-check';
import { knownBookings, type World } from '../reference/world.ts';
import { anyNumber, fresh, type Kind, kind, oneOf, recent, refPick, weighted } from './steps.ts';

const qty = weighted([1, 5], [2, 6], [3, 4], [4, 3], [6, 2], [8, 1], [60, 1]);
const kinds = weighted(['wheelchair', 4], ['companion', 2], ['hearing', 2], ['plus-size', 1]);
const queryPick = fc.record({
  qty,
  narrow: weighted(['nothing', 4], ['category', 3], ['zone', 3], ['both', 2]),
  accessible: fc.option(fc.uniqueArray(kinds, { minLength: 1, maxLength: 2 }), { freq: 3 }),
  seats: weighted([undefined, 5], [1, 1], [2, 2]),
  preventOrphans: weighted([undefined, 5], [false, 2]),
  hasNear: weighted([false, 5], [true, 2]),
  hasSeveral: weighted([false, 3], [true, 1]),
  rows: weighted([undefined, 16], [['A'], 2], [['C', 'M'], 1], [['B', 'nowhere'], 1]),
  prices: weighted([undefined, 6], [[0, 30], 1], [[20, 45], 1], [[11, 14], 1]),
  aisle: weighted([undefined, 6], [true, 1]),
  n: anyNumber,
});
type QueryPick = typeof queryPick extends fc.Arbitrary<infer T> ? T : never;

function queryOf(world: World, pick: QueryPick): SeatQuery {
  const { qty, narrow, accessible, seats, preventOrphans, hasNear, hasSeveral, rows, prices, aisle, n } = pick;
  const category = n % 30 === 0 ? 'nowhere' : oneOf(world.chart.categories, n)!.key;
  const zone = n % 30 === 1 ? 'attic' : oneOf(Object.keys(world.chart.zones), n)!;
  const isNarrow = narrow === 'category' || narrow === 'both';
  const other = oneOf(world.chart.categories, n + 1)!.key;
  const place = oneOf(world.chart.places, n)!;
  return {
    qty,
    ...(isNarrow && (hasSeveral ? { categoryKeys: [category, other] } : { categoryKey: category })),
    ...(seats !== undefined && accessible && { accessibleSeats: Math.min(seats, qty) }),
    ...(preventOrphans !== undefined && { preventOrphans }),
    ...(hasNear && { near: [place.label] }),
    ...(rows && { rowLabels: [...rows] }),
    ...(prices && { minUnitPrice: prices[0], maxUnitPrice: prices[1] }),
    ...(aisle && { aisle }),
    ...((narrow === 'zone' || narrow === 'both') && { zoneId: zone }),
    ...(accessible && { accessible }),
  };
}

function holdOfKind(name: string, weight: number, picks: fc.Arbitrary<QueryPick>): Kind {
  const picked = fc.record({ query: picks, isNamed: fc.boolean() });
  const make = (world: World, { query: pick, isNamed }: { query: QueryPick; isNamed: boolean }): Command => {
    const query = queryOf(world, pick);
    const more = isNamed ? { fingerprint: JSON.stringify(query) } : {};
    return { type: 'hold-best', holdId: fresh(world, 'hld'), query, ...more };
  };
  return kind(name, weight, picked, make, true);
}

const chosenUnder = (world: World, ref: string): boolean =>
  knownBookings(world).some((booking) => booking.ref === ref && booking.chosen !== null);

const narrowed = (narrow: QueryPick['narrow']): fc.Arbitrary<QueryPick> =>
  queryPick.map((pick) => ({ ...pick, narrow, accessible: null }));

export const bestKinds: readonly Kind[] = [
  holdOfKind('hold the best', 5, narrowed('nothing')),
  holdOfKind('hold the best of a category', 4, narrowed('category')),
  holdOfKind('hold the best of a zone', 4, narrowed('zone')),
  holdOfKind(
    'hold the best accessible',
    4,
    queryPick.filter(({ accessible }) => accessible !== null),
  ),
  kind(
    'choose among the best',
    3,
    fc.record({ pick: queryPick, count: fc.integer({ min: 1, max: 5 }) }),
    (world, { pick, count }) => ({ type: 'choose-best', query: queryOf(world, pick), count }),
    true,
  ),
  kind(
    'block the best',
    4,
    fc.record({ pick: queryPick, inMs: weighted([null, 8], [5_000, 4], [0, 1]), isNamed: fc.boolean() }),
    (world, { pick, inMs, isNamed }) => {
      const query = queryOf(world, pick);
      const more = isNamed ? { fingerprint: JSON.stringify(query) } : {};
      const releaseAt = inMs === null ? null : world.now + inMs;
      return { type: 'block-best', callId: fresh(world, 'call'), query, releaseAt, reason: null, ...more };
    },
  ),
  kind('book the best', 6, fc.record({ pick: queryPick, ref: refPick }), (world, { pick, ref }) => {
    // Mostly a reference without a choice, since a reference with one books nothing more.
    const bookingRef = chosenUnder(world, ref) && pick.n % 5 !== 0 ? `${ref}-best-${pick.n % 9}` : ref;
    return { type: 'book-best', callId: fresh(world, 'call'), bookingRef, query: queryOf(world, pick) };
  }),
  kind('book the best once more', 6, anyNumber, (world, n, sent) => {
    const known = recent(world, sent).filter(
      ({ command }) => command.type === 'book-best' && chosenUnder(world, command.bookingRef),
    );
    const found = oneOf(known, n);
    if (!found) return null;
    const { query, ...rest } = found.command as Command & { type: 'book-best' };
    const asked = n % 4 === 0 ? { ...query, qty: query.qty + 1 } : query;
    return { ...rest, callId: fresh(world, 'call'), query: asked };
  }),
  kind('cancel what the event chose', 8, anyNumber, (world, n) => {
    const found = oneOf(
      world.bookings.filter(({ chosen }) => chosen && chosen.labels.length > 0),
      n,
    );
    if (!found) return null;
    const { labels } = found.chosen!;
    const part = n % 3 === 0 ? labels.slice(0, 1) : labels;
    return { type: 'unbook', callId: fresh(world, 'call'), bookingRef: found.ref, labels: part };
  }),
  kind('block the best under a used name with another body', 2, anyNumber, (world, n, sent) => {
    const named = recent(world, sent).filter(({ command }) => command.type === 'block-best' && command.fingerprint);
    const found = oneOf(named, n);
    return found ? ({ ...found.command, fingerprint: 'another body' } as Command) : null;
  }),
];
