/**
 * Buyers who compete for a few seats of performance groups, through any number of front doors. Each buyer makes one sale
 * after the other: a hold of the same seats in every event, then a booking, a release or nothing. Some buyers sell single
 * seats of the same events.
 *
 * A call without a final answer (none at all, 202, 503, 504) is repeated unchanged at any front door, or given up at once:
 * the servers have to end it. A success is asked for once more: its repetition has to be the same. Each sale notes what its buyer was told.
 */
import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

export type GroupOnSale = { key: string; eventKeys: string[]; sessions: string[] };

/** A sale as its buyer knows it. `unknown`: the buyer gave up without a final answer. */
export type GroupSale = {
  group: GroupOnSale;
  operationId: string;
  labels: string[];
  held: 'held' | 'refused' | 'unknown';
  released: boolean;
  bookings: { actionId: string; bookingRef: string; outcome: 'booked' | 'refused' | 'unknown' }[];
};

export type SingleSale = { eventKey: string; label: string; bookingRef: string; isBooked: boolean };

export type GroupLoadOptions = {
  urls: readonly string[];
  /** A secret key. */
  token: string;
  origin: string;
  groups: readonly GroupOnSale[];
  seats: readonly string[];
  buyers: number;
};

export type GroupLoad = {
  sales: GroupSale[];
  singles: SingleSale[];
  /** Answers that a repetition of their call did not give again. */
  violations: string[];
  booked(): number;
  /** Resolves when the buyers have ended their sales under way. */
  stop(): Promise<void>;
};

type Answer = { status: number; body: Record<string, unknown> & { retryable?: boolean; outcome?: string } };
type Call = { path: string; headers: Record<string, string>; body: object };

const requestMs = 12_000;
const attemptsMax = 12;
const pauseMs = 300;
const thinkMsMax = 100;
const ttlMs = 600_000;

export function runGroupBuyers(options: GroupLoadOptions): GroupLoad {
  const { urls, token, origin, groups, seats, buyers } = options;
  const load = { sales: [] as GroupSale[], singles: [] as SingleSale[], violations: [] as string[] };
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
    if (again !== null && JSON.stringify(again) !== JSON.stringify(first)) {
      load.violations.push(`${call.path} ${JSON.stringify([call.body, first, again])}`);
    }
    return first;
  }

  async function sellGroup(buyer: number, turn: number): Promise<void> {
    const group = pick(groups);
    const first = randomInt(seats.length - 1);
    const labels = seats.slice(first, first + randomInt(1, 3));
    const operationId = `pghop_${buyer}-${turn}`;
    const sale: GroupSale = { group, operationId, labels, held: 'unknown', released: false, bookings: [] };
    load.sales.push(sale);
    const asPage = { Authorization: `Bearer ${group.sessions[buyer]}`, Origin: origin };
    const at = `/pub/performance-groups/${group.key}`;
    const held = await once({ path: `${at}/hold`, headers: asPage, body: { operationId, labels, ttlMs } });
    if (held) sale.held = isSuccess(held) ? 'held' : 'refused';
    const wish = randomInt(100);
    if (sale.held === 'refused' || wish < 15) return;
    if (wish < 30) {
      const released = await persist({ path: `${at}/operations/${operationId}/release`, headers: asPage, body: {} });
      sale.released = released !== null && isSuccess(released);
      return;
    }
    if (wish < 40) await persist({ path: `${at}/operations/${operationId}/extend`, headers: asPage, body: { ttlMs } });
    const actions = wish < 50 ? ['one', 'two'] : ['one'];
    await Promise.all(actions.map((action) => book(sale, `${buyer}-${turn}-${action}`)));
  }

  async function book(sale: GroupSale, name: string): Promise<void> {
    const booking: GroupSale['bookings'][number] = {
      ...{ actionId: `book-${name}`, bookingRef: `order-${name}` },
      outcome: 'unknown',
    };
    sale.bookings.push(booking);
    const { actionId: bookActionId, bookingRef } = booking;
    const path = `/v1/performance-groups/${sale.group.key}/holds/${sale.operationId}/book`;
    const booked = await once({ path, headers: byKey, body: { bookActionId, bookingRef } });
    if (booked === null) return;
    const { state } = (booked.body.booking ?? {}) as { state?: string };
    booking.outcome = isSuccess(booked) && state === 'booked' ? 'booked' : 'refused';
  }

  async function sellSingle(buyer: number, turn: number): Promise<void> {
    const [eventKey, label] = [pick(pick(groups).eventKeys), pick(seats)];
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
      await (randomInt(5) === 0 ? sellSingle(buyer, turn) : sellGroup(buyer, turn));
      await pause(randomInt(thinkMsMax));
    }
  }

  const ended = Promise.all(Array.from({ length: buyers }, (_, buyer) => run(buyer)));
  return {
    ...load,
    booked: () => load.sales.filter(({ bookings }) => bookings.some(({ outcome }) => outcome === 'booked')).length,
    async stop() {
      running = false;
      await ended;
    },
  };
}

function isSuccess({ status }: Answer): boolean {
  return status === 200 || status === 201;
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
