/**
 * The units that changed after each recent version, so that returning viewers get a delta. The list is bounded. A
 * viewer with a version before the list begins again with a snapshot.
 */
import { resumeDeltasKept } from '../feed-limits.ts';

/** The most units in all kept changes together. Beyond this bound a snapshot is smaller anyway. */
const UNITS_MAX = 250_000;

export class History {
  /** Every change after this version is kept. */
  knownSince = 0;
  private changes: { to: number; units: readonly number[] }[] = [];
  private unitCount = 0;

  note(to: number, units: readonly number[]): void {
    this.changes.push({ to, units });
    this.unitCount += units.length;
    while (this.changes.length > resumeDeltasKept || this.unitCount > UNITS_MAX) {
      const oldest = this.changes.shift()!;
      this.unitCount -= oldest.units.length;
      this.knownSince = oldest.to;
    }
  }

  startOver(version: number): void {
    this.knownSince = version;
    this.changes = [];
    this.unitCount = 0;
  }

  /** Units changed after `version`. */
  since(version: number): Set<number> {
    const units = new Set<number>();
    for (const change of this.changes) if (change.to > version) for (const unit of change.units) units.add(unit);
    return units;
  }
}
