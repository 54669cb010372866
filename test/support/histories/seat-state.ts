/**
 * States of the model: one state that changes and can be undone, for the search; and all states along a journal at
 * once, for questions about any position. A seat or name in neither map is free, or unknown.
 */
import { type Change, type HoldState, type SeatView, statusOf } from './seat-model.ts';

type Cell =
  | { of: 'seat'; key: string; value: string }
  | { of: 'hold'; key: string; value: HoldState | undefined }
  | { of: 'booking'; key: string; value: string[] | undefined };

/** Two independent words of 32 bits each: 64 bits for states, and another 64 for sets of operations. */
export type Hash = [number, number];

export class SeatState implements SeatView {
  readonly seatTotal: number;
  /** Equal for equal states, even if different histories led to them. */
  readonly hash: Hash = [0, 0];
  readonly #owners = new Map<string, string>();
  readonly #holds = new Map<string, HoldState>();
  readonly #bookings = new Map<string, string[]>();
  /** Values before each write, newest last. */
  readonly #log: Cell[] = [];
  readonly #words = new Map<string, Hash>();
  readonly #onWrite: ((cell: Cell) => void) | null;

  constructor(seatTotal: number, onWrite: ((cell: Cell) => void) | null = null) {
    this.seatTotal = seatTotal;
    this.#onWrite = onWrite;
  }

  owner(label: string): string {
    return this.#owners.get(label) ?? 'free';
  }

  hold(holdId: string): HoldState | undefined {
    return this.#holds.get(holdId);
  }

  booking(bookingRef: string): string[] | undefined {
    return this.#bookings.get(bookingRef);
  }

  taken(): string[] {
    return takenOf(this.#owners);
  }

  version(version: number): number {
    return version;
  }

  /** Never refuses: a journal's changes have happened. Pass the earlier mark to `undo`. */
  apply(change: Change): void {
    switch (change.type) {
      case 'held': {
        const { holdId, labels, expiresAt } = change;
        const hold: HoldState = { status: 'active', labels, expiresAt, extends: 0, bookingRef: null };
        this.#set({ of: 'hold', key: holdId, value: hold });
        this.#give(labels, `held ${holdId}`);
        break;
      }
      case 'extended':
        this.#changeHold(change.holdId, (hold) => ({ expiresAt: change.expiresAt, extends: hold.extends + 1 }));
        break;
      case 'released':
      case 'expired':
        this.#give(change.labels, 'free');
        this.#changeHold(change.holdId, (hold) => this.#without(change, hold));
        break;
      case 'booked': {
        const { bookingRef, holdId, labels } = change;
        const lines = [...(this.booking(bookingRef) ?? []), ...labels];
        this.#set({ of: 'booking', key: bookingRef, value: lines });
        this.#give(labels, `booked ${bookingRef}`);
        this.#changeHold(holdId, (hold) => ({ bookingRef, ...(this.#isSpent(holdId, hold) && { status: 'booked' }) }));
        break;
      }
      case 'unbooked':
        this.#give(change.labels, 'free');
        break;
      case 'blocked':
        this.#give(change.labels, 'blocked');
        break;
      case 'unblocked':
        this.#give(change.labels, 'free');
        break;
      default:
        change satisfies never;
    }
  }

  mark(): number {
    return this.#log.length;
  }

  undo(mark: number): void {
    while (this.#log.length > mark) this.#write(this.#log.pop()!);
  }

  /** What remains of a hold after some of its seats were freed. */
  #without(change: Change & { type: 'released' | 'expired' }, hold: HoldState): Partial<HoldState> {
    if (this.#isSpent(change.holdId, hold)) return { status: hold.bookingRef === null ? change.type : 'booked' };
    return { labels: hold.labels.filter((label) => !change.labels.includes(label)) };
  }

  #isSpent(holdId: string, hold: HoldState): boolean {
    return !hold.labels.some((label) => this.owner(label) === `held ${holdId}`);
  }

  #changeHold(holdId: string, changes: (hold: HoldState) => Partial<HoldState>): void {
    const hold = this.hold(holdId);
    if (hold) this.#set({ of: 'hold', key: holdId, value: { ...hold, ...changes(hold) } });
  }

  #give(labels: string[], owner: string): void {
    for (const key of labels) this.#set({ of: 'seat', key, value: owner });
  }

  #set(cell: Cell): void {
    if (!this.#onWrite) this.#log.push(this.#read(cell));
    this.#write(cell);
    this.#onWrite?.(cell);
  }

  #read({ of, key }: Cell): Cell {
    if (of === 'seat') return { of, key, value: this.owner(key) };
    return of === 'hold' ? { of, key, value: this.hold(key) } : { of, key, value: this.booking(key) };
  }

  #write(cell: Cell): void {
    this.#mix(this.#read(cell));
    if (cell.of === 'seat') put(this.#owners, cell.key, cell.value === 'free' ? undefined : cell.value);
    else if (cell.of === 'hold') put(this.#holds, cell.key, cell.value);
    else put(this.#bookings, cell.key, cell.value);
    this.#mix(cell);
  }

  /** Adds a cell to the hash, or removes it; absent values count for nothing. */
  #mix({ of, key, value }: Cell): void {
    if (value === undefined || value === 'free') return;
    const word = wordOf(this.#words, `${of} ${key} ${typeof value === 'string' ? value : JSON.stringify(value)}`);
    this.hash[0] ^= word[0];
    this.hash[1] ^= word[1];
  }
}

/** A random word for each text, constant for as long as `words` lives. */
export function wordOf<K>(words: Map<K, Hash>, key: K): Hash {
  const known = words.get(key);
  if (known) return known;
  const word: Hash = [randomWord(), randomWord()];
  words.set(key, word);
  return word;
}

function randomWord(): number {
  return (Math.random() * 2 ** 32) | 0;
}

function put<V>(map: Map<string, V>, key: string, value: V | undefined): void {
  if (value === undefined) map.delete(key);
  else map.set(key, value);
}

function takenOf(owners: Iterable<[string, string]>): string[] {
  return Array.from(owners, ([label, owner]) => `${label} ${statusOf(owner)}`).sort();
}

type Track = { positions: number[]; values: Cell['value'][] };

/** Every state along a journal. Position 0 is before its first change, position i after change i. */
export class Timeline {
  readonly #tracks = {
    seat: new Map<string, Track>(),
    hold: new Map<string, Track>(),
    booking: new Map<string, Track>(),
  };
  readonly #state: SeatState;
  readonly #versionsAt: (position: number) => number[];
  #position = 0;

  /** `versionsAt` lists the possible versions of a map with the state of a position. */
  constructor(seatTotal: number, versionsAt: (position: number) => number[]) {
    this.#versionsAt = versionsAt;
    this.#state = new SeatState(seatTotal, (cell) => {
      const tracks = this.#tracks[cell.of];
      const track = tracks.get(cell.key) ?? { positions: [], values: [] };
      track.positions.push(this.#position);
      track.values.push(cell.value);
      tracks.set(cell.key, track);
    });
  }

  /** The state after all changes so far. */
  get last(): SeatView {
    return this.#state;
  }

  /** Goes on by one position; null stands for a record that changes no seat. */
  append(change: Change | null): void {
    this.#position++;
    if (change) this.#state.apply(change);
  }

  at(position: number): SeatView {
    const { seat, hold, booking } = this.#tracks;
    const owner = (label: string): string => (valueAt(seat.get(label), position) as string | undefined) ?? 'free';
    return {
      owner,
      hold: (holdId) => valueAt(hold.get(holdId), position) as HoldState | undefined,
      booking: (bookingRef) => valueAt(booking.get(bookingRef), position) as string[] | undefined,
      taken: () => {
        const owners = Array.from(seat.keys(), (label): [string, string] => [label, owner(label)]);
        return takenOf(owners.filter(([, now]) => now !== 'free'));
      },
      seatTotal: this.#state.seatTotal,
      version: (version) => {
        const versions = this.#versionsAt(position);
        return versions.includes(version) ? version : versions[0]!;
      },
    };
  }
}

/** The last value at or before a position. */
function valueAt(track: Track | undefined, position: number): Cell['value'] | undefined {
  if (!track) return undefined;
  const { positions, values } = track;
  let low = 0;
  let high = positions.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (positions[middle]! <= position) low = middle + 1;
    else high = middle;
  }
  return values[low - 1];
}
