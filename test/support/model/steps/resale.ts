/** Steps of resale: listing booked seats, removing listings, and buying them. */
import fc from 'fast-check';
import { ownedBy } from '../reference/world.ts';
import { anyNumber, bookingOf, bookingPick, fresh, type Kind, kind, oneOf, refPick } from './steps.ts';

const whole = fc.record({ n: anyNumber, part: anyNumber, ref: refPick });

export const resaleKinds: readonly Kind[] = [
  kind(
    'list for resale',
    10,
    fc.record({ pick: bookingPick, size: fc.integer({ min: 1, max: 3 }), n: anyNumber }),
    (world, { pick, size, n }) => {
      const bookingRef = bookingOf(world, pick);
      if (bookingRef === null) return null;
      const has = ownedBy(world, `booking ${bookingRef}`);
      const labels = has.slice(n % 2, (n % 2) + size);
      if (n % 15 === 0) labels.push(oneOf(Object.keys(world.seats), n)!);
      if (labels.length === 0) return null;
      return {
        type: 'list-resale',
        callId: fresh(world, 'call'),
        listingId: fresh(world, 'lst'),
        bookingRef,
        labels: [...new Set(labels)],
      };
    },
  ),
  kind('remove from resale', 8, anyNumber, (world, n) => {
    const offered = world.listings.filter(({ heldBy }) => heldBy === null || n % 4 === 0);
    const listingId = n % 15 === 0 ? 'lst_nobody' : oneOf(offered, n)?.id;
    return listingId === undefined ? null : { type: 'remove-resale', callId: fresh(world, 'call'), listingId };
  }),
  kind(
    'hold a listing',
    18,
    whole,
    (world, { n, part }) => {
      // Mostly a whole listing that is not in checkout, sometimes with a seat beside it.
      const offered = world.listings.filter(({ heldBy }) => heldBy === null || part % 7 === 0);
      const found = oneOf(offered, n);
      if (!found) return null;
      const labels = part % 9 === 0 ? found.labels.slice(1) : [...found.labels];
      const spare = Object.values(world.seats).filter(({ status }) => status === 'free');
      if (part % 5 === 0 && spare.length > 0) labels.push(oneOf(spare, n)!.label);
      if (labels.length === 0) return null;
      return { type: 'hold', holdId: fresh(world, 'hld'), selections: labels.map((label) => ({ label })) };
    },
    true,
  ),
  kind('sell a listing held', 26, whole, (world, { n, ref, part }) => {
    const held = world.listings.filter(({ heldBy }) => heldBy !== null);
    const found = oneOf(held, n);
    if (!found) return null;
    const more = part % 6 === 0 ? { labels: found.labels.slice(0, 1) } : {};
    return { type: 'book', callId: fresh(world, 'call'), bookingRef: ref, holdId: found.heldBy!.slice(5), ...more };
  }),
  kind(
    'swap the hold of a listing',
    40,
    whole,
    (world, { n, part }) => {
      const found = oneOf(
        world.listings.filter(({ heldBy }) => heldBy !== null),
        n,
      );
      if (!found) return null;
      const labels = part % 4 === 0 ? found.labels.slice(1) : [...found.labels];
      const spare = Object.values(world.seats).filter(({ status }) => status === 'free');
      if (spare.length > 0) labels.push(oneOf(spare, n)!.label);
      if (labels.length === 0) return null;
      const selections = labels.map((label) => ({ label }));
      return { type: 'hold', holdId: fresh(world, 'hld'), selections, replaceHoldId: found.heldBy!.slice(5) };
    },
    true,
  ),
  kind('sell a listing at once', 4, whole, (world, { n, ref }) => {
    const offered = world.listings.filter(({ heldBy }) => heldBy === null || n % 4 === 0);
    const found = oneOf(offered, n);
    if (!found) return null;
    const selections = found.labels.map((label) => ({ label }));
    return { type: 'book-direct', callId: fresh(world, 'call'), bookingRef: ref, selections };
  }),
];
