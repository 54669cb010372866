/**
 * The reservations of an event: units that an operator keeps for somebody, under a name, until a time. A unit of an
 * active reservation is blocked and has the reservation's slot as its holder, so that nobody else takes or frees it.
 * Data alone; the room of reservations has the rules.
 *
 * A reservation is replaced, never changed in place, since captures share it. One that is over is known for
 * `reservationKeepMs`. Past `endedReservationsMax`, those that ended first are forgotten early (I8), by the records
 * alone (I6).
 */
import { endedReservationsMax, reservationKeepMs } from '@parterre/shared/protocol/limits';

export type Reservation = Readonly<{
  id: string;
  slot: number;
  name: string;
  note: string | null;
  /** Epoch milliseconds. The reservation ends by itself then. */
  until: number;
  createdAt: number;
  /** The caller who made it. */
  createdBy: string | null;
  state: 'active' | 'booked' | 'ended';
  /** The units that it has; the units that it had at its end; of a booked one, all units that were booked from it. */
  units: readonly number[];
  /** The units that were booked from it, by the reference. */
  booked: readonly { ref: string; units: readonly number[] }[];
  endedAt: number | null;
}>;

/** Reservations that one more that is over makes forgotten. Each adds one, so any number above 1 catches up. */
const forgottenAtOnce = 8;
const bytesOfObject = 400;
const bytesOfUnit = 8;

export class Reservations {
  readonly #active = new Map<string, Reservation>();
  /** In the order of their ends. */
  readonly #over = new Map<string, Reservation>();
  readonly #bySlot = new Map<number, Reservation>();
  /** The estimated bytes of all reservations. */
  bytes = 0;

  get isEmpty(): boolean {
    return this.#active.size + this.#over.size === 0;
  }

  /** The number of active reservations. */
  get size(): number {
    return this.#active.size;
  }

  get active(): ReadonlyMap<string, Reservation> {
    return this.#active;
  }

  get(id: string): Reservation | undefined {
    return this.#active.get(id) ?? this.#over.get(id);
  }

  /** The active reservation of this slot. */
  ofSlot(slot: number): Reservation | undefined {
    return this.#bySlot.get(slot);
  }

  /** The active ones, then those that are over in the order of their ends. */
  *values(): Generator<Reservation> {
    yield* this.#active.values();
    yield* this.#over.values();
  }

  /** For folds, and for the ways into a state: adds the reservation, or replaces the one of the same id. */
  put(reservation: Reservation): void {
    const { id, slot, state } = reservation;
    this.#forget(id, state === 'active');
    this.bytes += bytesOf(reservation);
    if (state === 'active') {
      this.#active.set(id, reservation);
      this.#bySlot.set(slot, reservation);
    } else {
      this.#over.set(id, reservation);
    }
  }

  /** For folds: the reservation is over. */
  end(reservation: Reservation): void {
    this.put(reservation);
    const { id, endedAt } = reservation;
    for (let left = forgottenAtOnce; left > 0; left--) {
      const oldest = this.#over.values().next().value!;
      const isKept = oldest.endedAt! + reservationKeepMs > endedAt! && this.#over.size <= endedReservationsMax;
      if (isKept || oldest.id === id) return;
      this.#forget(oldest.id, false);
    }
  }

  /** An active reservation that stays active keeps its place in the order. */
  #forget(id: string, staysActive: boolean): void {
    const known = this.get(id);
    if (!known) return;
    this.bytes -= bytesOf(known);
    this.#over.delete(id);
    if (staysActive) return;
    this.#active.delete(id);
    this.#bySlot.delete(known.slot);
  }
}

function bytesOf({ name, note, units, booked }: Reservation): number {
  const texts = 2 * (name.length + (note?.length ?? 0));
  const bookedUnits = booked.reduce((sum, part) => sum + part.units.length, 0);
  return bytesOfObject + texts + bytesOfUnit * (units.length + bookedUnits);
}

/** The reservation of this id, unless it was over `reservationKeepMs` ago: then it is forgotten. */
export function knownReservation(
  { reservations }: { reservations: Pick<Reservations, 'get'> },
  id: string,
  now: number,
): Reservation | undefined {
  const known = reservations.get(id);
  return known && known.endedAt !== null && known.endedAt + reservationKeepMs <= now ? undefined : known;
}
