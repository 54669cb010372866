/**
 * The buyers that sessions and servers name (`buyerRef`), and the places that each has now: in its active holds, and in
 * bookings. A place of a booking belongs to the buyer that it was booked for. Guests of a table and places of an area
 * count one by one. sales/buyer-limit.ts has the rule.
 *
 * `of` has the number of the buyer of each booked unit, 0 for none. Snapshots keep it. The counts follow from `of`, the
 * bookings and the active holds, and are in no snapshot. An event without named buyers has no column and no counts, and
 * its sales pay one look at an absent field.
 */
export class Buyers {
  /** By number. Number 0 is no buyer. */
  readonly #refs: string[] = [''];
  readonly #numbers = new Map<string, number>();
  readonly #places = new Map<string, number>();
  #of: Uint32Array | null = null;

  /** The number of buyers with places. */
  get size(): number {
    return this.#places.size;
  }

  /** The estimated bytes. */
  get bytes(): number {
    return (this.#of?.byteLength ?? 0) + perBuyer * (this.#refs.length - 1 + this.#places.size);
  }

  /** The places that the buyer has now. */
  placesOf(buyerRef: string): number {
    return this.#places.get(buyerRef) ?? 0;
  }

  /** All counts, for comparisons. */
  counts(): [buyerRef: string, places: number][] {
    return [...this.#places];
  }

  /** The buyer of a booked unit. */
  buyerOf(unit: number): string | null {
    const number = this.#of?.[unit] ?? 0;
    return number === 0 ? null : this.#refs[number]!;
  }

  /** For folds: the buyer has so many places more, or fewer. */
  change(buyerRef: string, by: number): void {
    const places = this.placesOf(buyerRef) + by;
    if (places > 0) this.#places.set(buyerRef, places);
    else this.#places.delete(buyerRef);
  }

  /** For folds: the unit of an event with `unitCount` units is booked for the buyer. */
  book(unit: number, buyerRef: string, places: number, unitCount: number): void {
    this.#of ??= new Uint32Array(unitCount);
    this.#of[unit] = this.#numberOf(buyerRef);
    this.change(buyerRef, places);
  }

  /** For folds: the unit is not booked any more. */
  free(unit: number, places: number): void {
    const buyerRef = this.buyerOf(unit);
    if (buyerRef === null) return;
    this.#of![unit] = 0;
    this.change(buyerRef, -places);
  }

  /** For folds: the same buyers on another plan. `placeOf` gives the unit there, negative for none. */
  moved(unitCount: number, placeOf: (unit: number) => number): Buyers {
    const next = new Buyers();
    for (const [buyerRef, places] of this.#places) next.#places.set(buyerRef, places);
    if (this.#of === null) return next;
    next.#of = new Uint32Array(unitCount);
    for (const [unit, number] of this.#of.entries()) {
      const place = number === 0 ? -1 : placeOf(unit);
      if (place >= 0) next.#of[place] = next.#numberOf(this.#refs[number]!);
    }
    return next;
  }

  capture(): CapturedBuyers {
    if (this.#of === null) return nobody;
    return { refs: [...this.#refs], of: new Uint8Array(this.#of.slice().buffer) };
  }

  /** Without counts. Copied, since decoded bytes may not be aligned. */
  static from(captured: CapturedBuyers): Buyers {
    const buyers = new Buyers();
    if (captured.of.length === 0) return buyers;
    buyers.#of = new Uint32Array(new Uint8Array(captured.of).buffer);
    for (const ref of captured.refs.slice(1)) buyers.#numberOf(ref);
    return buyers;
  }

  #numberOf(buyerRef: string): number {
    let number = this.#numbers.get(buyerRef);
    if (number === undefined) {
      number = this.#refs.push(buyerRef) - 1;
      this.#numbers.set(buyerRef, number);
    }
    return number;
  }
}

/** The buyers of booked units: `of` as bytes, little-endian, empty for none. */
export type CapturedBuyers = { refs: string[]; of: Uint8Array };

const nobody: CapturedBuyers = { refs: [], of: new Uint8Array(0) };

const perBuyer = 180;
