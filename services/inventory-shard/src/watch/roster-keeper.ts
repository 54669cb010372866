/**
 * Stores a partition's roster from time to time, so that the next owner reads few messages behind it. A missing or old
 * roster costs the next owner time and nothing else. An owner that dies stores nothing at its end.
 *
 * States: idle → waiting, with the first group after a store → storing → idle. The store is due after a number of
 * groups or a time (bounds.ts). If it fails (awaits the object store), the next one is due as if it had succeeded.
 */
import type { Clock } from '@parterre/shared/runtime/clock';
import type { Roster, RosterStore } from '../journal/journal.ts';
import { rosterGroups, rosterWaitMs } from './bounds.ts';

export class RosterKeeper {
  readonly #clock: Clock;
  readonly #rosters: RosterStore;
  readonly #compose: () => Roster | null;
  #groups = 0;
  /** The entries of the last roster. */
  #entries = 0;
  #isStoring = false;
  #isClosed = false;
  #cancelTimer: (() => void) | null = null;

  /** `compose` gives null while the deadlines of the partition are not known. */
  constructor({ clock, rosters }: { clock: Clock; rosters: RosterStore }, compose: () => Roster | null) {
    this.#clock = clock;
    this.#rosters = rosters;
    this.#compose = compose;
  }

  /** The deadlines may have changed: a group was committed. */
  noteChange(): void {
    this.#groups++;
    if (this.#groups >= rosterGroups + this.#entries) void this.store();
    else this.#cancelTimer ??= this.#clock.after(rosterWaitMs + this.#entries, () => void this.store());
  }

  async store(): Promise<void> {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    this.#groups = 0;
    if (this.#isClosed) return;
    const roster = this.#isStoring ? null : this.#compose();
    if (!roster) {
      this.noteChange();
      return;
    }
    this.#entries = roster.events.length;
    this.#isStoring = true;
    await this.#rosters.store(roster);
    this.#isStoring = false;
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelTimer?.();
  }
}
