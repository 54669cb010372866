/**
 * The members of the cluster as this one hears them. A member lives while it is heard: it is forgotten after
 * `memberSilenceMs` of silence, when nobody answers for it, and when it has left. Times are `Clock.elapsed`.
 */
import type { Beat } from '@parterre/shared/beat';
import { memberSilenceMs, membersMax } from '../rules/state/bounds.ts';
import type { Candidate } from './placement.ts';

/** One that was never heard is known from a lease alone. */
type Member = Beat & { heardAt: number; everHeard: boolean };

export class Members {
  readonly #self: string;
  readonly #members = new Map<string, Member>();

  constructor(self: string) {
    this.#self = self;
  }

  get size(): number {
    return this.#members.size;
  }

  /** Takes a beat in; true when who may own partitions has changed by it. */
  hear(beat: Beat, now: number): boolean {
    if (beat.id === this.#self) return false;
    const before = this.#members.get(beat.id);
    if (beat.leaving && beat.owns.length === 0) return this.forget(beat.id);
    if (!before && this.#members.size >= membersMax) return false;
    this.#members.set(beat.id, { ...beat, heardAt: now, everHeard: true });
    return !before || before.leaving !== beat.leaving || String(before.regions) !== String(beat.regions);
  }

  /** A member that a lease speaks of: it gets the time of a silent one to be heard. */
  presume(id: string, owns: [number, number][], now: number): void {
    if (id !== this.#self && !this.#members.has(id)) {
      this.#members.set(id, { id, owns, regions: [], leaving: false, heardAt: now, everHeard: false });
    }
  }

  /** Whether it has told of itself, and is not only named by a lease that outlived it. */
  wasHeard(id: string): boolean {
    return this.#members.get(id)?.everHeard ?? false;
  }

  /** True when it was known. */
  forget(id: string): boolean {
    return this.#members.delete(id);
  }

  /** Forgets who was silent for too long; true when there was one. */
  sweep(now: number): boolean {
    let forgotten = false;
    for (const { id, heardAt } of this.#members.values()) {
      if (now - heardAt >= memberSilenceMs) forgotten = this.forget(id) || forgotten;
    }
    return forgotten;
  }

  /** It was this process, or its link, that did not hear: everybody's silence begins now. */
  forgive(now: number): void {
    for (const member of this.#members.values()) member.heardAt = now;
  }

  /** Who may own partitions, besides this one. */
  candidates(): Candidate[] {
    return [...this.#members.values()].filter(({ leaving }) => !leaving);
  }

  /** Whom else the partition belongs to, by what is heard: the claim with the highest epoch. */
  claimOn(partition: number): { id: string; epoch: number } | null {
    let claim: { id: string; epoch: number } | null = null;
    for (const { id, owns } of this.#members.values()) {
      for (const [number, epoch] of owns) {
        if (number === partition && (claim === null || epoch > claim.epoch)) claim = { id, epoch };
      }
    }
    return claim;
  }
}
