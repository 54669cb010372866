/** The requests of the load: buyers who hold a seat and book it, or who ask for a seat that is sold. */

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
      if (!isHold) return requestOf(token, event, 'book', { holdId, bookingRef: `order-${number}-${turn++}` });
      const seat = seats.next++;
      event = seats.events[seat % seats.events.length]!;
      const label = seats.labels[Math.floor(seat / seats.events.length)];
      return label === undefined ? null : requestOf(token, event, 'hold', { labels: [label] });
    },
    hear(answer) {
      expect(answer, 200);
      holdId = isHold ? holdIdOf(answer) : null;
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
      return requestOf(token, event, 'hold', { labels: [label] });
    },
    hear: (answer) => expect(answer, status),
  };
}

function requestOf(token: string, event: string, action: string, body: unknown): string {
  const text = JSON.stringify(body);
  const head = `Host: bench\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n`;
  return `POST /v1/events/${event}/${action} HTTP/1.1\r\n${head}Content-Length: ${text.length}\r\n\r\n${text}`;
}

function holdIdOf(answer: string): string {
  return (JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)) as { holdId: string }).holdId;
}

function expect(answer: string, status: number): void {
  if (!answer.startsWith(`HTTP/1.1 ${status}`)) throw new Error(`expected ${status}: ${answer}`);
}
