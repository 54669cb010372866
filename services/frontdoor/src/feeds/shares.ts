/**
 * Shares a bound of the front door between organisations (I8): its watched events, its viewers. An organisation may use
 * everything while there is room. At the bound the organisation that has the most gives way, one at a time, to every
 * organisation that has less. Of n organisations that ask for more than they get, each comes to an nth part, and an
 * organisation that asks for little gets all of it. shards/tenants.ts keeps a part free instead, because a command in
 * flight cannot be taken back. Watched events and viewers can be taken back: the front door tells a viewer to come
 * back.
 */
export class Shares {
  readonly #counts = new Map<string, number>();
  #total = 0;

  constructor(private readonly max: number) {}

  get total(): number {
    return this.#total;
  }

  isFull(): boolean {
    return this.#total >= this.max;
  }

  add(organisationId: string): void {
    this.#counts.set(organisationId, this.#of(organisationId) + 1);
    this.#total++;
  }

  remove(organisationId: string): void {
    const left = this.#of(organisationId) - 1;
    if (left > 0) this.#counts.set(organisationId, left);
    else this.#counts.delete(organisationId);
    this.#total--;
  }

  /**
   * The organisation that gives way to one more of `organisationId`; null if none has more. Two organisations with
   * equal parts take nothing from each other, so viewers are not sent back and forth.
   */
  yieldsTo(organisationId: string): string | null {
    let most = this.#of(organisationId) + 1;
    let largest: string | null = null;
    for (const [other, count] of this.#counts) {
      if (count <= most) continue;
      most = count;
      largest = other;
    }
    return largest;
  }

  #of(organisationId: string): number {
    return this.#counts.get(organisationId) ?? 0;
  }
}
