/**
 * The times at which the held units of one event become free, so that a map shows a seat as free from this millisecond
 * on, also before the journaled expiry arrives. The units of a hold stand in the second of its end, so that a look
 * reads the units of past seconds only, and empties these seconds. Until the first end a look reads nothing: every
 * opening of a map looks. Nothing is awaited.
 *
 * States of a unit: unknown → until → over → unknown. The journaled expiry, or any other change of the unit, ends its
 * entry. An extension that arrives late takes an over unit back to until.
 */
import type { HeldUntil } from '@parterre/shared/protocol/held-until';
import { unitStatus } from '@parterre/shared/protocol/records';
import { SECOND_MS } from '@parterre/shared/runtime/units';

export class HeldTimes {
  private readonly until = new Map<number, HeldUntil>();
  private readonly bySecond = new Map<number, Set<number>>();
  private readonly over = new Set<number>();
  /** No hold ends before. */
  private soonest = Number.POSITIVE_INFINITY;

  startOver(held: readonly HeldUntil[]): void {
    this.until.clear();
    this.bySecond.clear();
    this.over.clear();
    this.soonest = Number.POSITIVE_INFINITY;
    for (const each of held) this.note(each);
  }

  /** Returns the units among them that were over. */
  note(hold: HeldUntil): number[] {
    const { expiresAt, units } = hold;
    const second = Math.floor(expiresAt / SECOND_MS);
    const back: number[] = [];
    this.soonest = Math.min(this.soonest, expiresAt);
    for (const unit of units) {
      this.drop(unit);
      this.until.set(unit, hold);
      into(this.bySecond, second, unit);
      if (this.over.delete(unit)) back.push(unit);
    }
    return back;
  }

  /** The unit is held no longer, or its status is known anew. */
  forget(unit: number): void {
    this.drop(unit);
    this.over.delete(unit);
  }

  private drop(unit: number): void {
    const hold = this.until.get(unit);
    if (hold === undefined) return;
    this.until.delete(unit);
    const second = Math.floor(hold.expiresAt / SECOND_MS);
    const inSecond = this.bySecond.get(second);
    inSecond?.delete(unit);
    if (inSecond?.size === 0) this.bySecond.delete(second);
  }

  /** The units that `shown` shows as held: all of them, and those of each mark. */
  countByMark(shown: Uint8Array): { total: number; byMark: Map<string, number> } {
    let total = 0;
    const byMark = new Map<string, number>();
    for (const [unit, { mark }] of this.until) {
      if (shown[unit] !== unitStatus.held) continue;
      total++;
      if (mark !== undefined) byMark.set(mark, (byMark.get(mark) ?? 0) + 1);
    }
    return { total, byMark };
  }

  /** The units that have come to their end since the last look. */
  due(now: number): number[] {
    const due: number[] = [];
    if (now < this.soonest) return due;
    for (const [second, units] of [...this.bySecond]) {
      if (second * SECOND_MS > now) continue;
      for (const unit of units) if (this.until.get(unit)!.expiresAt <= now) due.push(unit);
    }
    for (const unit of due) {
      this.drop(unit);
      this.over.add(unit);
    }
    this.soonest = this.nextEnd();
    return due;
  }

  private nextEnd(): number {
    let first = Number.POSITIVE_INFINITY;
    for (const second of this.bySecond.keys()) first = Math.min(first, second);
    let soonest = Number.POSITIVE_INFINITY;
    for (const unit of this.bySecond.get(first) ?? []) soonest = Math.min(soonest, this.until.get(unit)!.expiresAt);
    return soonest;
  }
}

function into(sets: Map<number, Set<number>>, second: number, unit: number): void {
  const known = sets.get(second);
  if (known) known.add(unit);
  else sets.set(second, new Set([unit]));
}
