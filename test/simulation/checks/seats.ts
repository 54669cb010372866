/**
 * The holder of each unit, by a model apart from the shard's own: it takes records as they are journaled and finds
 * their faults (I1). It deliberately shares nothing with `apply`.
 */
import type { Plan } from '@parterre/shared/chart/plan';
import type { JournalRecord } from '@parterre/shared/records';
import { planNamed } from '../../support/inventory/house.ts';

type Owner = { held: string } | { booked: string } | 'blocked';

export class Seats {
  #owners = new Map<number, Owner>();
  readonly #holds = new Map<string, number>();

  /** Takes a record. Returns its fault, or null. */
  take(record: JournalRecord, at: number): string | null {
    switch (record.type) {
      case 'held':
        if (this.#holds.has(record.holdId)) return `${record.holdId} is held a second time`;
        this.#holds.set(record.holdId, record.expiresAt);
        return this.#give(
          record.lines.map(({ unit }) => unit),
          null,
          { held: record.holdId },
        );
      case 'extended':
        this.#holds.set(record.holdId, record.expiresAt);
        return this.#give(record.units, { held: record.holdId }, { held: record.holdId });
      case 'expired':
        if (at < this.#holds.get(record.holdId)!) return `${record.holdId} is ended before its time`;
        return this.#give(record.units, { held: record.holdId }, null);
      case 'released':
        return this.#give(record.units, { held: record.holdId }, null);
      case 'booked': {
        const from = record.holdId === null ? null : { held: record.holdId };
        return this.#give(
          record.lines.map(({ unit }) => unit),
          from,
          { booked: record.bookingRef },
        );
      }
      case 'unbooked':
        return this.#give(record.units, { booked: record.bookingRef }, null);
      case 'blocked': {
        const open = record.units.filter((unit) => this.#owners.get(unit) !== 'blocked');
        return this.#give(open, null, 'blocked');
      }
      case 'unblocked':
        return this.#give(record.units, 'blocked', null);
      case 'chart-updated':
        return this.#renumber(planNamed(record.from), planNamed(record.planHash));
      default:
        return null;
    }
  }

  /** Holds that were due at `now` and still have units. */
  overdue(now: number): string[] {
    const ids = new Set<string>();
    for (const owner of this.#owners.values()) if (owner !== 'blocked' && 'held' in owner) ids.add(owner.held);
    return [...ids].filter((id) => this.#holds.get(id)! <= now);
  }

  /** Seats keep their holder by name. A table that is sold as a whole differs from a seat of the same name. */
  #renumber(from: Plan, to: Plan): string | null {
    const nameOf = (plan: Plan, unit: number): string =>
      `${plan.labels.at(unit)} ${plan.objects[plan.objectOfUnit[unit]!]!.bookingMode === 'individual'}`;
    const units = new Map(to.labels.all().map((_, unit) => [nameOf(to, unit), unit]));
    const before = this.#owners;
    this.#owners = new Map();
    for (const [unit, owner] of before) {
      const now = units.get(nameOf(from, unit));
      if (now !== undefined) this.#owners.set(now, owner);
      else if (owner !== 'blocked') return `${from.labels.at(unit)} is lost to ${JSON.stringify(owner)} with its chart`;
    }
    return null;
  }

  #give(units: number[], from: Owner | null, to: Owner | null): string | null {
    for (const unit of units) {
      const owner = this.#owners.get(unit) ?? null;
      if (JSON.stringify(owner) !== JSON.stringify(from)) {
        return `unit ${unit} goes from ${JSON.stringify(from)} to ${JSON.stringify(to)}, but belongs to ${JSON.stringify(owner)}`;
      }
      if (to === null) this.#owners.delete(unit);
      else this.#owners.set(unit, to);
    }
    return null;
  }
}
