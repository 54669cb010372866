/**
 * The chosen places of a hall, by label and by spot: the label names a place in calls and over charts, the spot finds
 * it quickly on the map. Labels that the chart lacks stay chosen, so that a newer chart may have them.
 */
import type { Hall } from '../../../src/rules/hall.ts';
import { type Counts, countsOf, type TrueStatuses, trueStatuses } from './true-statuses.ts';

export class HallSelection {
  #labels: ReadonlySet<string> = new Set();
  #hall: Hall | null = null;
  /** By spot, 1 for a chosen one. */
  #isChosen = new Uint8Array();
  #inBlock = new Int32Array();
  #areas = new Set<number>();
  #unknown = 0;

  get labels(): ReadonlySet<string> {
    return this.#labels;
  }

  /** Labels that the chart lacks. */
  get unknown(): number {
    return this.#unknown;
  }

  has(spot: number): boolean {
    return this.#isChosen[spot] === 1;
  }

  hasArea(area: number): boolean {
    return this.#areas.has(area);
  }

  inBlock(block: number): number {
    return this.#inBlock[block] ?? 0;
  }

  /** The spots and areas that look different now. */
  choose(labels: Iterable<string>, hall: Hall | null = this.#hall): { spots: number[]; areas: number[] } {
    const before = { isChosen: this.#isChosen, areas: this.#areas };
    this.#labels = new Set(labels);
    this.#hall = hall;
    this.#isChosen = new Uint8Array(hall?.labels.length ?? 0);
    this.#inBlock = new Int32Array(hall?.blocks.length ?? 0);
    this.#areas = new Set();
    this.#unknown = 0;
    if (!hall) return { spots: [], areas: [] };
    for (const label of this.#labels) {
      const spot = hall.spotOf.get(label);
      if (spot !== undefined) {
        this.#isChosen[spot] = 1;
        this.#inBlock[hall.blockOf[spot]!]!++;
      } else {
        const area = hall.areas.findIndex((each) => each.label === label);
        if (area >= 0) this.#areas.add(area);
        else this.#unknown++;
      }
    }
    const spots: number[] = [];
    for (let spot = 0; spot < this.#isChosen.length; spot++) {
      if (this.#isChosen[spot] !== (before.isChosen[spot] ?? 0)) spots.push(spot);
    }
    const areas = [...hall.areas.keys()].filter((area) => before.areas.has(area) !== this.#areas.has(area));
    return { spots, areas };
  }

  /** Places by status: an area counts with all of its places. */
  counts({ of, inArea }: TrueStatuses): Counts {
    const sum = new Int32Array(trueStatuses.length);
    for (let spot = 0; spot < this.#isChosen.length; spot++) if (this.#isChosen[spot] === 1) sum[of[spot]!]!++;
    for (const area of this.#areas) for (let code = 0; code < sum.length; code++) sum[code]! += inArea[area]![code]!;
    return countsOf(sum);
  }
}
