/**
 * The members of the cluster, as this member hears them. A member is forgotten after `memberSilenceMs` of silence, when
 * nobody listens under its id, when it has left, and when its process has ended. Times are `Clock.elapsed`.
 */
import type { Beat } from '@parterre/shared/protocol/beat';
import { endedMembersMax, memberSilenceMs, membersMax } from './bounds.ts';
import type { Candidate } from './placement.ts';

/** A member that was never heard (`everHeard` is false) is known from a lease alone. */
type Member = Omit<Beat, 'form'> & { heardAt: number; everHeard: boolean };

export class Members {
  readonly #self: string;
  readonly #members = new Map<string, Member>();
  /** The latest last. A beat that comes later was sent before the end. */
  readonly #ended = new Set<string>();

  constructor(self: string) {
    this.#self = self;
  }

  get size(): number {
    return this.#members.size;
  }

  /** Takes a beat in. True when the beat changes which members may own partitions. */
  hear(beat: Beat, now: number): boolean {
    if (beat.id === this.#self || this.#ended.has(beat.id)) return false;
    const before = this.#members.get(beat.id);
    if (beat.leaving && beat.owns.length === 0) return this.forget(beat.id);
    if (!before && this.#members.size >= membersMax) return false;
    this.#members.set(beat.id, { ...beat, heardAt: now, everHeard: true });
    return !before || before.leaving !== beat.leaving || String(before.regions) !== String(beat.regions);
  }

  /**
   * Adds a member that a lease names. It has `memberSilenceMs` to be heard. False when the member's process has ended.
   */
  presume(id: string, owns: [number, number][], now: number): boolean {
    if (this.#ended.has(id)) return false;
    if (id !== this.#self && !this.#members.has(id)) {
      this.#members.set(id, { id, owns, regions: [], leaving: false, heardAt: now, everHeard: false });
    }
    return true;
  }

  /** The member's process has ended for certain. True when the member was known. */
  end(id: string): boolean {
    const [oldest] = this.#ended;
    if (oldest !== undefined && this.#ended.size >= endedMembersMax) this.#ended.delete(oldest);
    this.#ended.add(id);
    return this.forget(id);
  }

  /** The ids of the latest processes that have ended for certain. */
  get ended(): ReadonlySet<string> {
    return this.#ended;
  }

  /**
   * Whether the member has sent a beat. A member without a beat is known from a lease alone, and the lease may be old.
   */
  wasHeard(id: string): boolean {
    return this.#members.get(id)?.everHeard ?? false;
  }

  /** True when the member was known. */
  forget(id: string): boolean {
    return this.#members.delete(id);
  }

  /** Forgets members that were silent for too long. True when a member was forgotten. */
  sweep(now: number): boolean {
    let forgotten = false;
    for (const { id, heardAt } of this.#members.values()) {
      if (now - heardAt >= memberSilenceMs) forgotten = this.forget(id) || forgotten;
    }
    return forgotten;
  }

  /**
   * Call this when this process could not hear beats: it was stopped, or its link was down. The silence of every member
   * begins anew.
   */
  forgive(now: number): void {
    for (const member of this.#members.values()) member.heardAt = now;
  }

  /** The other members that may own partitions. */
  candidates(): Candidate[] {
    return [...this.#members.values()].filter(({ leaving }) => !leaving);
  }

  /** The other member that claims the partition, by its beats or lease. The claim with the highest epoch counts. */
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
