/**
 * The buyers of `npm run bench -- ten`. They arrive at a steady rate, however slow the server is. A latency of an
 * opening counts from the due time of the arrival, a latency of a hold from the buyer's choice. Both include the wait
 * for one of the shared connections. Pages that open share other connections than pages that are open: a buyer who
 * holds waits behind no arrival but in the server. A call that is answered 503 is repeated a second later, and its
 * latency goes on.
 *
 * States of a buyer: opening → looking → choosing → paying → gone. A choice of a taken seat is refused, and the buyer
 * chooses again. A buyer who finds no free seat waits, and leaves when the sale is sold out, out of patience, or at the
 * end of the time. Of the buyers with a hold, half pay, 4 in 10 give the seats back, and 1 in 10 leaves and lets the
 * hold run out. A buyer who has waited for a seat pays. So the returned seats are sold before the end.
 *
 * Failure at each await: an unexpected answer, or a lost call, ends the buyer's visit, and is counted in `faults`. The
 * seats of such a buyer stay as the server has them, so the report shows them as not sold.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { type MapPage, openMap } from '../load/open-map.ts';
import { createPool, type Pool } from '../load/pool.ts';
import { expectSuccess, fieldOf, fromPage, statusOf, toEvent } from '../load/request.ts';
import type { Change } from '../viewers/feed-viewers.ts';
import { type Latency, latencyOf } from './openings.ts';
import { SeatMarket } from './seat-market.ts';

export type CrowdOrder = {
  port: number;
  /** Of pages that open, and as many of pages that are open. */
  connections: number;
  page: MapPage;
  secretKey: string;
  labels: string[];
  buyers: number;
  /** The time of all arrivals. */
  overMs: number;
  /** Of ten choices, the choices of taken seats. */
  takenOfTen: number;
};

export type CrowdReport = {
  seconds: number;
  opening: Latency;
  hold: Latency;
  refusal: Latency;
  /** Refused seats that looked free: an ended hold may be late. */
  refusedFree: number;
  /** Calls that were answered 503. */
  shed: number;
  booking: Latency;
  /** Buyers by the end of their visit. */
  ends: Record<VisitEnd, number>;
  /** The first holds of all seats. */
  changes: Change[];
  /** The bookings that were acknowledged: label and bookingRef. */
  promised: [string, string][];
  soldTwice: string[];
  /** Unexpected answers, with their numbers. */
  faults: Record<string, number>;
};

export type VisitEnd = 'paid' | 'released' | 'vanished' | 'impatient' | 'sold out' | 'failed';

/** Numbers of buyers whose maps have opened, and of buyers who have left. */
export type Turnover = { came: number[]; left: number[] };

const lookMs = { from: 500, to: 3_000 };
const payMs = { from: 500, to: 3_000 };
/** A look at the map after a refusal, or while nothing is free. */
const againMs = { from: 200, to: 700 };
const patienceMs = 3_000;
/** The hold of a buyer who leaves without a word. */
const vanishingTtlMs = 5_000;
/** After the end of a hold its seats are offered again so much later. */
const expiryMarginMs = 1_500;
/** As the server's Retry-After. */
const shedWaitMs = 1_000;
/** Beyond the last arrival. */
const lateMsMax = 40_000;

export type VisitPlan = { seats: number; end: 'paid' | 'released' | 'vanished'; isPatient: boolean };

/** Of ten buyers in a row five pay, four give back and one vanishes. Half of each want two seats. */
export function visitPlanOf(number: number): VisitPlan {
  const digit = number % 10;
  const end = digit % 2 === 0 ? 'paid' : digit === 9 ? 'vanished' : 'released';
  return { seats: Math.floor(number / 10) % 2 === 0 ? 1 : 2, end, isPatient: digit !== 0 };
}

type Hold = { holdId: string; labels: string[]; expiresAt: number };

const between = ({ from, to }: { from: number; to: number }): number => from + Math.random() * (to - from);
const now = (): number => performance.timeOrigin + performance.now();

type Latencies = Record<'opening' | 'hold' | 'refusal' | 'booking', number[]>;

function newLatencies(): Latencies {
  return { opening: [], hold: [], refusal: [], booking: [] };
}

export class Crowd {
  readonly #order: CrowdOrder;
  readonly #market: SeatMarket;
  readonly #pools: { opening: Pool; open: Pool };
  readonly #latencies = newLatencies();
  readonly #ends = { paid: 0, released: 0, vanished: 0, impatient: 0, 'sold out': 0, failed: 0 };
  readonly #changes: Change[] = [];
  readonly #faults = new Map<string, number>();
  #turnover: Turnover = { came: [], left: [] };
  #choices = 0;
  #refusedFree = 0;
  #shed = 0;
  #endsAt = 0;

  constructor(order: CrowdOrder) {
    this.#order = order;
    this.#market = new SeatMarket(order.labels);
    const { port, connections } = order;
    this.#pools = { opening: createPool(port, connections), open: createPool(port, connections) };
  }

  async run(): Promise<CrowdReport> {
    const { buyers, overMs } = this.#order;
    const startedAt = now();
    this.#endsAt = startedAt + overMs + lateMsMax;
    const visits: Promise<void>[] = [];
    for (let number = 0; number < buyers; number++) {
      const dueAt = startedAt + (overMs * number) / buyers;
      const early = dueAt - now();
      if (early > 0) await pause(early);
      visits.push(this.#visit(number, dueAt));
    }
    await Promise.all(visits);
    for (const pool of Object.values(this.#pools)) pool.end();
    return {
      seconds: (now() - startedAt) / 1000,
      opening: latencyOf(this.#latencies.opening),
      hold: latencyOf(this.#latencies.hold),
      refusal: latencyOf(this.#latencies.refusal),
      refusedFree: this.#refusedFree,
      shed: this.#shed,
      booking: latencyOf(this.#latencies.booking),
      ends: this.#ends,
      changes: this.#changes,
      promised: [...this.#market.bookings],
      soldTwice: this.#market.soldTwice,
      faults: Object.fromEntries(this.#faults),
    };
  }

  /** The buyers since the last call. */
  takeTurnover(): Turnover {
    const turnover = this.#turnover;
    this.#turnover = { came: [], left: [] };
    return turnover;
  }

  async #visit(number: number, dueAt: number): Promise<void> {
    try {
      const { token } = await openMap((request) => this.#ask(request, this.#pools.opening), this.#order.page);
      this.#latencies.opening.push(now() - dueAt);
      this.#turnover.came.push(number);
      await pause(between(lookMs));
      this.#ends[await this.#buy(number, token)] += 1;
    } catch (error) {
      const what = (error as Error).message;
      this.#faults.set(what, (this.#faults.get(what) ?? 0) + 1);
      this.#ends.failed += 1;
    }
    this.#turnover.left.push(number);
  }

  /** Repeats a call that the server sheds, until the end of the time. */
  async #ask(request: string, pool = this.#pools.open): Promise<string> {
    for (;;) {
      const answer = await answerOf(pool, request);
      if (statusOf(answer) !== 503 || now() > this.#endsAt) return answer;
      this.#shed += 1;
      await pause(shedWaitMs);
    }
  }

  async #buy(number: number, token: string): Promise<VisitEnd> {
    const { seats, end, isPatient } = visitPlanOf(number);
    const leavesAt = isPatient ? this.#endsAt : Math.min(this.#endsAt, now() + patienceMs);
    let hasWaited = false;
    for (;;) {
      const choice = this.#choose(seats);
      const plannedEnd = hasWaited ? 'paid' : end;
      if (choice.labels.length > 0) {
        const hold = await this.#hold(token, choice.labels, plannedEnd === 'vanished');
        if (hold) return this.#finish(number, token, hold, plannedEnd);
        if (choice.isOfFree) {
          this.#refusedFree += 1;
          this.#market.giveBack(choice.labels);
        }
      } else {
        hasWaited = true;
        if (this.#market.bookings.size === this.#order.labels.length) return 'sold out';
        if (now() >= leavesAt) return 'impatient';
      }
      await pause(between(againMs));
    }
  }

  /** No label if nothing is free. */
  #choose(seats: number): { labels: string[]; isOfFree: boolean } {
    if (!this.#market.hasFree) return { labels: [], isOfFree: true };
    const isOfTaken = this.#choices++ % 10 < this.#order.takenOfTen;
    const taken = isOfTaken ? this.#market.takenSeat(Math.random) : null;
    if (taken !== null) return { labels: [taken], isOfFree: false };
    return { labels: this.#market.takeFree(seats, Math.random), isOfFree: true };
  }

  /** Null for a refused hold. */
  async #hold(token: string, labels: string[], isVanishing: boolean): Promise<Hold | null> {
    const { page } = this.#order;
    const body = { labels, ...(isVanishing && { ttlMs: vanishingTtlMs }) };
    const sentAt = now();
    const answer = await this.#ask(fromPage(token, page.origin, page.event, 'hold', body));
    const answeredAt = now();
    const status = statusOf(answer);
    if (status === 409 && answer.includes('"code":"conflict"')) {
      this.#latencies.refusal.push(answeredAt - sentAt);
      return null;
    }
    expectSuccess('hold', answer);
    this.#latencies.hold.push(answeredAt - sentAt);
    const holdId = fieldOf(answer, 'holdId');
    const first = this.#market.held(labels, holdId);
    this.#changes.push(...first.map((label) => ({ label, sentAt, answeredAt })));
    return { holdId, labels, expiresAt: Number(/"expiresAt":(\d+)/.exec(answer)![1]) };
  }

  async #finish(number: number, token: string, hold: Hold, end: VisitPlan['end']): Promise<VisitEnd> {
    const { page, secretKey } = this.#order;
    const { holdId, labels, expiresAt } = hold;
    if (end === 'vanished') {
      setTimeout(() => this.#market.ended(labels, holdId), expiresAt + expiryMarginMs - now());
      return end;
    }
    await pause(between(payMs));
    if (end === 'released') {
      expectSuccess('release', await this.#ask(fromPage(token, page.origin, page.event, 'release', { holdId })));
      this.#market.ended(labels, holdId);
      return end;
    }
    const bookingRef = `ten-${number}`;
    const askedAt = now();
    expectSuccess('book', await this.#ask(toEvent(secretKey, page.event, 'book', { holdId, bookingRef })));
    this.#latencies.booking.push(now() - askedAt);
    this.#market.booked(labels, bookingRef);
    return end;
  }
}

function answerOf(pool: Pool, request: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const answered = (answer: string | null): null => {
      if (answer === null) reject(new Error('a lost call'));
      else resolve(answer);
      return null;
    };
    pool.call({ request, answered });
  });
}
