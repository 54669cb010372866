/**
 * The journals whose projections stand still: their streams lack what was counted (I9). Each generation of the
 * projections has a list of its own, because a new generation counts the stream that is there.
 */
import type { ProjectionPosition } from '../store/rules/records.ts';

/** The streams of one generation, each with the position that its stream lacks; null where nothing was counted. */
export type HaltsOfGeneration = Map<string, ProjectionPosition | null>;

export class Halts {
  readonly #generations = new Map<number, HaltsOfGeneration>();

  of(generation: number): HaltsOfGeneration {
    const known = this.#generations.get(generation);
    if (known) return known;
    const halts: HaltsOfGeneration = new Map();
    this.#generations.set(generation, halts);
    return halts;
  }

  /** Nobody reads the journals for this generation any more. */
  drop(generation: number): void {
    this.#generations.delete(generation);
  }

  /** The streams that are halted in any generation. */
  streams(): Set<string> {
    return new Set([...this.#generations.values()].flatMap((halts) => [...halts.keys()]));
  }
}
