/**
 * Counts the refusals of each event over the last hour, by code and reason, for its control room. Nothing is journaled.
 * A front door counts its own refusals, and the control room adds up all front doors (door-figures.ts).
 *
 * A refusal costs three lookups in maps and one increment in a ring of minutes. A success costs nothing. A refusal
 * counts if this front door knows the event that the address names: a caller that makes up keys fills no memory. A
 * refused caller of another organisation does not count, so no organisation learns of the callers of another.
 *
 * States of an event's tally: absent → counting → absent, when newer tallies need its room (`talliesMax`). States of a
 * minute: counting → kept for an hour → its place in the ring is cleared by the first refusal or reading that comes
 * later.
 */
import { refusalReasonsMax, refusalTalliesMax } from '@parterre/shared/protocol/limits';
import type { Clock } from '@parterre/shared/runtime/clock';
import { MINUTE_MS } from '@parterre/shared/runtime/units';

/** `count`: in the last hour. `lately`: in the last five minutes. `reason` null: the code has no reasons. */
export type RefusalCount = { code: string; reason: string | null; count: number; lately: number };

type CountedRefusal = {
  code: string;
  reason?: string | undefined;
  event?: string | undefined;
  organisation?: string | undefined;
};

const minutesKept = 60;
const minutesLately = 5;
const otherReason = 'other';

export class RefusalTallies {
  readonly #clock: Clock;
  readonly #organisationOf: (eventKey: string) => string | null;
  readonly #talliesMax: number;
  /** The event that got its tally last is the last. */
  readonly #tallies = new Map<string, Tally>();
  readonly #startedAt: number;

  /** `organisationOf` tells the organisation of an event that this front door knows, without waiting. */
  constructor(clock: Clock, organisationOf: (eventKey: string) => string | null, talliesMax = refusalTalliesMax) {
    this.#clock = clock;
    this.#organisationOf = organisationOf;
    this.#talliesMax = talliesMax;
    this.#startedAt = clock.now();
  }

  /** Never throws and never waits. */
  note({ event, organisation, code, reason }: CountedRefusal): void {
    if (event === undefined) return;
    const tally = this.#tallies.get(event) ?? this.#open(event);
    if (tally === null || (organisation !== undefined && organisation !== tally.organisation)) return;
    tally.note(this.#minute(), code, reason ?? '');
  }

  /** The most frequent first. */
  of(eventKey: string): RefusalCount[] {
    const counts = this.#tallies.get(eventKey)?.counts(this.#minute()) ?? [];
    return counts.sort((one, other) => other.count - one.count);
  }

  /** The counts have every refusal of this front door since then (epoch ms). */
  get since(): number {
    return Math.max(this.#startedAt, this.#clock.now() - minutesKept * MINUTE_MS);
  }

  #open(event: string): Tally | null {
    const organisation = this.#organisationOf(event);
    if (organisation === null) return null;
    if (this.#tallies.size >= this.#talliesMax) this.#tallies.delete(this.#tallies.keys().next().value!);
    const tally = new Tally(organisation, this.#minute());
    this.#tallies.set(event, tally);
    return tally;
  }

  #minute(): number {
    return Math.floor(this.#clock.elapsed() / MINUTE_MS);
  }
}

class Tally {
  readonly organisation: string;
  readonly #byCode = new Map<string, Map<string, Uint32Array>>();
  #rings = 0;
  #minute: number;

  constructor(organisation: string, minute: number) {
    this.organisation = organisation;
    this.#minute = minute;
  }

  note(minute: number, code: string, reason: string): void {
    if (minute !== this.#minute) this.#advance(minute);
    const ring = this.#byCode.get(code)?.get(reason) ?? this.#ring(code, reason);
    ring[minute % minutesKept]!++;
  }

  counts(minute: number): RefusalCount[] {
    if (minute !== this.#minute) this.#advance(minute);
    return [...this.#byCode].flatMap(([code, byReason]) =>
      [...byReason].flatMap(([reason, ring]) => {
        const count = ring.reduce((sum, each) => sum + each, 0);
        let lately = 0;
        for (let back = 0; back < minutesLately; back++) lately += ring[(minute + minutesKept - back) % minutesKept]!;
        return count === 0 ? [] : [{ code, reason: reason === '' ? null : reason, count, lately }];
      }),
    );
  }

  /** Past the bound a reason counts as `other` of its code, and a new code as `other`. */
  #ring(code: string, reason: string): Uint32Array {
    if (this.#rings >= refusalReasonsMax && reason !== otherReason) return this.#ringOf(code, otherReason);
    return this.#ringOf(code, reason);
  }

  #ringOf(code: string, reason: string): Uint32Array {
    const byReason = this.#byCode.get(code) ?? new Map<string, Uint32Array>();
    this.#byCode.set(code, byReason);
    const known = byReason.get(reason);
    if (known) return known;
    const ring = new Uint32Array(minutesKept);
    byReason.set(reason, ring);
    this.#rings++;
    return ring;
  }

  #advance(minute: number): void {
    const passed = Math.min(minute - this.#minute, minutesKept);
    for (const byReason of this.#byCode.values()) {
      for (const ring of byReason.values()) {
        for (let each = 1; each <= passed; each++) ring[(this.#minute + each) % minutesKept] = 0;
      }
    }
    this.#minute = minute;
  }
}
