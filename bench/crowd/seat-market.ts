/**
 * The seats of a sale as its crowd knows them: which are free, and which hold has each of the others. A seat is taken
 * from the free ones before its hold is asked for, so no two buyers choose one free seat. Pure, with chance as an
 * argument.
 */

/** From 0 up to, and without, 1. */
type Chance = () => number;

/** Tries to find a taken seat by chance. Where nearly all seats are free, a buyer chooses a free one. */
const takenTriesMax = 8;

export class SeatMarket {
  readonly #free: string[] = [];
  /** The labels of `#free`. */
  readonly #isFree = new Set<string>();
  /** By label. */
  readonly #holds = new Map<string, string>();
  /** Each label that was held once, in the order of the first holds. */
  readonly #everHeld: string[] = [];
  readonly #known = new Set<string>();
  readonly #bookings = new Map<string, string>();
  /** Labels that two bookings have. */
  readonly soldTwice: string[] = [];

  constructor(labels: readonly string[]) {
    this.giveBack(labels);
  }

  get hasFree(): boolean {
    return this.#free.length > 0;
  }

  /** Up to `count` free seats, which nobody else is offered now. */
  takeFree(count: number, chance: Chance): string[] {
    const taken: string[] = [];
    while (taken.length < count && this.#free.length > 0) {
      const at = Math.floor(chance() * this.#free.length);
      const label = this.#free[at]!;
      this.#free[at] = this.#free.at(-1)!;
      this.#free.pop();
      this.#isFree.delete(label);
      // A buyer who chose this seat while it was taken may have got it since.
      if (!this.#holds.has(label)) taken.push(label);
    }
    return taken;
  }

  /** A seat that a hold or a booking has; null if chance finds none. */
  takenSeat(chance: Chance): string | null {
    for (let tries = 0; tries < takenTriesMax && this.#everHeld.length > 0; tries++) {
      const label = this.#everHeld[Math.floor(chance() * this.#everHeld.length)]!;
      if (this.#holds.has(label)) return label;
    }
    return null;
  }

  /** The labels that are held for the first time. */
  held(labels: readonly string[], holdId: string): string[] {
    const first = labels.filter((label) => !this.#known.has(label));
    for (const label of labels) this.#holds.set(label, holdId);
    for (const label of first) this.#known.add(label);
    this.#everHeld.push(...first);
    return first;
  }

  booked(labels: readonly string[], bookingRef: string): void {
    for (const label of labels) {
      if (this.#bookings.has(label)) this.soldTwice.push(label);
      this.#bookings.set(label, bookingRef);
    }
  }

  /** The seats are free again, unless another hold has them by now. */
  ended(labels: readonly string[], holdId: string): void {
    const own = labels.filter((label) => this.#holds.get(label) === holdId);
    for (const label of own) this.#holds.delete(label);
    this.giveBack(own);
  }

  /** Seats that were chosen and not held are free again. */
  giveBack(labels: readonly string[]): void {
    for (const label of labels) {
      if (this.#isFree.has(label)) continue;
      this.#isFree.add(label);
      this.#free.push(label);
    }
  }

  /** By label. */
  get bookings(): ReadonlyMap<string, string> {
    return this.#bookings;
  }
}

/** A seat as the server's report has it. */
export type ReportedSeat = { label: string; status: string; bookingRef: string };

/** The faults of the report. Its seats are compared with the bookings that the server promised to the buyers. */
export function faultsOfReport(reported: readonly ReportedSeat[], promised: ReadonlyMap<string, string>): string[] {
  const faults: string[] = [];
  const rows = new Map(reported.map((seat) => [seat.label, seat]));
  if (rows.size !== reported.length) faults.push(`${reported.length - rows.size} seats stand in the report twice`);
  const unsold = reported.filter(({ status }) => status !== 'booked');
  if (unsold.length > 0) faults.push(`${unsold.length} of ${reported.length} seats are not sold`);
  const lost = [...promised].filter(([label, bookingRef]) => rows.get(label)?.bookingRef !== bookingRef);
  if (lost.length > 0) faults.push(`${lost.length} seats are not of the buyer who was promised them (${lost[0]![0]})`);
  const unknown = reported.filter(({ label, status }) => status === 'booked' && !promised.has(label));
  if (unknown.length > 0) faults.push(`${unknown.length} seats are booked without a promise (${unknown[0]!.label})`);
  return faults;
}
