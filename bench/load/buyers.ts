/**
 * The requests of the load: buyers who hold a seat and book it, in one event or a group, or who ask for a sold seat.
 */
import { fieldOf, pageHeaders, postOf, toEvent } from './request.ts';

/** Seat n is in `events[n % events.length]`; its label is the next of `labels`. */
export type Seats = { events: string[]; labels: string[]; next: number };

/** A buyer on one connection: asks, hears the answer, and asks again. */
export type Buyer = {
  /** The next request; null if no seat is left to ask for. */
  ask(): string | null;
  /** Throws at any other status than the expected one. */
  hear(answer: string): void;
};

/** Holds the next seat and books it, again and again. `number` keeps the booking references of two buyers apart. */
export function sellingBuyer(seats: Seats, token: string, number: number): Buyer {
  let event = '';
  let holdId: string | null = null;
  let isHold = false;
  let turn = 0;
  return {
    ask() {
      isHold = holdId === null;
      if (!isHold) return toEvent(token, event, 'book', { holdId, bookingRef: `order-${number}-${turn++}` });
      const seat = seats.next++;
      event = seats.events[seat % seats.events.length]!;
      const label = seats.labels[Math.floor(seat / seats.events.length)];
      return label === undefined ? null : toEvent(token, event, 'hold', { labels: [label] });
    },
    hear(answer) {
      expect(answer, 200);
      holdId = isHold ? fieldOf(answer, 'holdId') : null;
    },
  };
}

/** A group on sale. Each buyer has one of the sessions. */
export type GroupOnSale = { key: string; origin: string; sessions: string[] };

/** A page holds the next seat of every event of the group, then the platform books the hold. */
export function groupBuyer(seats: Seats, token: string, group: GroupOnSale, number: number): Buyer {
  const { key, origin, sessions } = group;
  const asPage = pageHeaders(sessions[number % sessions.length]!, origin);
  const asPlatform = `Authorization: Bearer ${token}\r\n`;
  let held: string | null = null;
  let isHold = false;
  return {
    ask() {
      isHold = held === null;
      if (!isHold) {
        const body = { bookActionId: `book-${held}`, bookingRef: `group-${held}` };
        return postOf(`/v1/performance-groups/${key}/holds/${held}/book`, asPlatform, body);
      }
      const seat = seats.next++;
      const label = seats.labels[seat];
      held = `pghop_${seat}`;
      if (label === undefined) return null;
      return postOf(`/pub/performance-groups/${key}/hold`, asPage, { operationId: held, labels: [label] });
    },
    hear(answer) {
      expect(answer, isHold ? 201 : 200);
      if (!isHold) held = null;
      // A hold or booking under way has another status, or another state.
      if (!answer.includes(isHold ? '"state":"committed"' : '"state":"booked"')) throw new Error(answer);
    },
  };
}

/** Asks for seats that are sold, in turn. `status` is the contender's answer to such a hold. */
export function refusedBuyer(seats: Seats, token: string, status: number): Buyer {
  return {
    ask() {
      const seat = seats.next++;
      const event = seats.events[seat % seats.events.length]!;
      const label = seats.labels[Math.floor(seat / seats.events.length) % seats.labels.length];
      return toEvent(token, event, 'hold', { labels: [label] });
    },
    hear: (answer) => expect(answer, status),
  };
}

function expect(answer: string, status: number): void {
  if (!answer.startsWith(`HTTP/1.1 ${status}`)) throw new Error(`expected ${status}: ${answer}`);
}
