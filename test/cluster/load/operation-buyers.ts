/**
 * Buyers who compete for a few seats of groups and seasons, through any number of front doors. Each buyer makes one
 * sale after the other: a hold of the same seats in every event, then a booking, a release or nothing. Some bookings of
 * a season are cancelled. Some sales are of single seats of the same events.
 *
 * A call without a final answer (none at all, 202, 503, 504) is repeated unchanged at any front door, or given up at
 * once: the servers have to end it. The buyer repeats each success once, and the answer has to be the same, but for the
 * words of places: a front door leaves them out while no catalog gives the plan. Each sale notes the answers that its
 * buyer got.
 */
import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type Call, callsOf, type OperationCalls } from './operation-calls.ts';
import type { OnSale } from './owners-on-sale.ts';

/** A sale of several events as its buyer knows it. `unknown`: the buyer gave up without a final answer. */
export type OperationSale = {
  owner: OnSale;
  operationId: string;
  labels: string[];
  held: 'held' | 'refused' | 'unknown';
  released: boolean;
  bookings: OperationBooking[];
};

/** `cancelled`: the outcome of its cancellation. */
export type OperationBooking = {
  actionId: string;
  bookingRef: string;
  outcome: 'booked' | 'refused' | 'unknown';
  cancelled: 'not asked' | 'cancelled' | 'refused' | 'unknown';
};

export type SingleSale = { eventKey: string; label: string; bookingRef: string; isBooked: boolean };

export type OperationLoadOptions = {
  urls: readonly string[];
  /** A secret key. */
  token: string;
  origin: string;
  owners: readonly OnSale[];
  seats: readonly string[];
  buyers: number;
};

export type OperationLoad = {
  sales: OperationSale[];
  singles: SingleSale[];
  /** Answers that a repetition of their call did not give again. */
  violations: string[];
  /** Confirmed bookings, and confirmed cancellations of them, by the kind of their owner. */
  counts(kind: OnSale['kind']): { booked: number; cancelled: number };
  /** Resolves when the buyers have ended their sales under way. */
  stop(): Promise<void>;
};

type Answer = { status: number; body: Record<string, unknown> & { retryable?: boolean; outcome?: string } };

const requestMs = 12_000;
const attemptsMax = 12;
const pauseMs = 300;
const thinkMsMax = 100;

export function runOperationBuyers(options: OperationLoadOptions): OperationLoad {
  const { urls, token, origin, owners, seats, buyers } = options;
  const load = { sales: [] as OperationSale[], singles: [] as SingleSale[], violations: [] as string[] };
  let running = true;
  const byKey = { Authorization: `Bearer ${token}` };

  /** Null where no attempt got a final answer. Some buyers leave what they have begun to the servers. */
  async function persist(call: Call): Promise<Answer | null> {
    const attempts = randomInt(3) === 0 ? 1 : attemptsMax;
    for (let attempt = 0; attempt < attempts; attempt++) {
      const answer = await post(pick(urls), call);
      if (answer && isFinal(answer)) return answer;
      await pause(pauseMs);
    }
    return null;
  }

  /** The final answer, which a repetition has to give again. */
  async function once(call: Call): Promise<Answer | null> {
    const first = await persist(call);
    if (first === null || !isSuccess(first)) return first;
    const again = await persist(call);
    if (again !== null && sold(again) !== sold(first)) {
      load.violations.push(`${call.path} ${JSON.stringify([call.body, first, again])}`);
    }
    return first;
  }

  async function sellOperation(buyer: number, turn: number): Promise<void> {
    const owner = pick(owners);
    const first = randomInt(seats.length - 1);
    const labels = seats.slice(first, first + randomInt(1, 3));
    const operationId = `${owner.kind === 'group' ? 'pghop' : 'sop'}_${buyer}-${turn}`;
    const sale: OperationSale = { owner, operationId, labels, held: 'unknown', released: false, bookings: [] };
    load.sales.push(sale);
    const asPage = { Authorization: `Bearer ${owner.sessions[buyer]}`, Origin: origin };
    const calls = callsOf(owner, operationId, { asPage, byKey });
    const held = await once(calls.hold(labels));
    if (held) sale.held = isSuccess(held) ? 'held' : 'refused';
    const wish = randomInt(100);
    if (sale.held === 'refused' || wish < 15) return;
    if (wish < 30) {
      const released = await persist(calls.release());
      sale.released = released !== null && isSuccess(released);
      return;
    }
    if (wish < 40 && owner.kind === 'group') await persist(calls.extend());
    const actions = wish < 50 ? ['one', 'two'] : ['one'];
    await Promise.all(actions.map((action) => book(sale, calls, `${buyer}-${turn}-${action}`)));
    if (wish >= 75 && owner.kind === 'season') await cancel(sale.bookings[0]!, calls);
  }

  async function book(sale: OperationSale, calls: OperationCalls, name: string): Promise<void> {
    const booking: OperationBooking = {
      actionId: `book-${name}`,
      bookingRef: `order-${name}`,
      outcome: 'unknown',
      cancelled: 'not asked',
    };
    sale.bookings.push(booking);
    const booked = await once(calls.book(booking));
    if (booked !== null) booking.outcome = isSuccess(booked) && stateOf(booked) === 'booked' ? 'booked' : 'refused';
  }

  async function cancel(booking: OperationBooking, calls: OperationCalls): Promise<void> {
    if (booking.outcome === 'refused') return;
    booking.cancelled = 'unknown';
    const told = await once(calls.cancel(booking));
    if (told !== null) booking.cancelled = stateOf(told) === 'cancelled' ? 'cancelled' : 'refused';
  }

  async function sellSingle(buyer: number, turn: number): Promise<void> {
    const eventKey = pick(pick(owners).eventKeys);
    const label = pick(seats);
    const at = `/v1/events/${eventKey}`;
    const held = await post(pick(urls), { path: `${at}/hold`, headers: byKey, body: { labels: [label] } });
    if (held === null || !isSuccess(held)) return;
    const bookingRef = `single-${buyer}-${turn}`;
    const sale = { eventKey, label, bookingRef, isBooked: false };
    load.singles.push(sale);
    const booked = await persist({
      path: `${at}/book`,
      headers: byKey,
      body: { holdId: held.body.holdId, bookingRef },
    });
    sale.isBooked = booked !== null && isSuccess(booked);
  }

  async function run(buyer: number): Promise<void> {
    for (let turn = 0; running; turn++) {
      await (randomInt(5) === 0 ? sellSingle(buyer, turn) : sellOperation(buyer, turn));
      await pause(randomInt(thinkMsMax));
    }
  }

  const ended = Promise.all(Array.from({ length: buyers }, (_, buyer) => run(buyer)));
  return {
    ...load,
    counts(kind) {
      const bookings = load.sales.filter(({ owner }) => owner.kind === kind).flatMap((sale) => sale.bookings);
      const count = (isIn: (booking: OperationBooking) => boolean) => bookings.filter(isIn).length;
      return {
        booked: count(({ outcome }) => outcome === 'booked'),
        cancelled: count(({ cancelled }) => cancelled === 'cancelled'),
      };
    },
    async stop() {
      running = false;
      await ended;
    },
  };
}

function isSuccess({ status }: Answer): boolean {
  return status === 200 || status === 201;
}

/** The state of the booking that the answer shows. */
function stateOf({ body }: Answer): string | undefined {
  return (body.booking as { state?: string } | undefined)?.state;
}

const words = new Set(['place', 'categoryLabel', 'tierName']);

/** An answer as text, without the words of places. */
function sold(answer: Answer): string {
  return JSON.stringify(answer, (key, value) => (words.has(key) ? undefined : value));
}

/** 202 is a call under way. */
function isFinal({ status, body }: Answer): boolean {
  return status !== 202 && status < 500 && body.retryable !== true && body.outcome === undefined;
}

/** Null where no answer came. */
async function post(url: string, { path, headers, body }: Call): Promise<Answer | null> {
  try {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      signal: AbortSignal.timeout(requestMs),
      body: JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as Answer['body'] };
  } catch {
    return null;
  }
}

function pick<T>(from: readonly T[]): T {
  return from[randomInt(from.length)]!;
}
