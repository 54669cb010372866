/**
 * Orders of one seat that move between two nights again and again, to seats that other orders want too. A call without
 * a clear answer is repeated under its Idempotency-Key, as the desks of the box office do. In the end every order has
 * one seat, on the night that it was told, and no seat is pinned.
 *
 * States of an order: on one night → asked to move → clear: on the other night, or refused and where it was.
 */
import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { pinnedSlot } from '../../../services/inventory-shard/src/rules/state/state.ts';
import type { FoldedEvent } from '../../support/partition/journal-fold.ts';
import { type Access, call } from './aftermath.ts';
import { clearExchange } from './box-office.ts';

type Order = { ref: string; night: number; seat: string; moves: number };

type Travellers = {
  /** The exchanges between the nights so far. */
  moves(): number;
  stop(): Promise<void>;
  /** Violations in the folded journals of the two nights. */
  violationsIn(nights: readonly FoldedEvent[]): string[];
};

const thinkMsMax = 100;

export async function openTravellers(
  urls: readonly string[],
  access: Access,
  { eventKeys, seats, orders: count }: { eventKeys: readonly string[]; seats: readonly string[]; orders: number },
): Promise<Travellers> {
  const violations: string[] = [];
  const orders = Array.from({ length: count }, (_, n): Order => {
    return { ref: `order-${n}`, night: n % 2, seat: seats[n]!, moves: 0 };
  });
  for (const { ref, night, seat } of orders) {
    await call(access, 'POST', `/v1/events/${eventKeys[night]}/book`, { labels: [seat], bookingRef: ref });
  }
  let running = true;

  async function travel(order: Order): Promise<void> {
    for (let turn = 0; running; turn++) {
      const seat = seats[randomInt(seats.length)]!;
      const from = [order.seat];
      const to = { eventKey: eventKeys[1 - order.night], labels: [seat] };
      const body = { bookingRef: order.ref, from, to, fee: 1 };
      const key = `${order.ref}-${turn}`;
      const told = await clearExchange(urls, access, eventKeys[order.night]!, { key, body, violations });
      if (told !== null) Object.assign(order, { night: 1 - order.night, seat, moves: order.moves + 1 });
      await pause(randomInt(thinkMsMax));
    }
  }

  const travelling = orders.map(travel);
  return {
    moves: () => orders.reduce((sum, { moves }) => sum + moves, 0),
    async stop() {
      running = false;
      await Promise.all(travelling);
    },
    violationsIn: (nights) => [...violations, ...differences(nights, orders)],
  };
}

/** Every booking is whole, and none is on two nights. */
function differences(nights: readonly FoldedEvent[], orders: readonly Order[]): string[] {
  const wrong = nights.flatMap(({ violations, state }) => {
    const pinned = [...state.listings.values()].filter(({ heldBy }) => heldBy === pinnedSlot);
    return [...violations, ...pinned.map(({ bookingRef }) => `a seat of ${bookingRef} is still pinned`)];
  });
  for (const { ref, night, seat } of orders) {
    const has = nights.flatMap(({ state }, n) =>
      (state.bookings.get(ref)?.lines ?? []).map(({ unit }) => `${state.plan.labels.at(unit)} on night ${n}`),
    );
    if (has.join() !== `${seat} on night ${night}`)
      wrong.push(`${ref} was told ${seat} on night ${night}, and has ${has}`);
  }
  return wrong;
}
