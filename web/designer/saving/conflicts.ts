/** Things that two sides changed, until a person has chosen a side for each. */
import type { ChartDocument } from '@parterre/shared/chart/document';
import type { MergeConflict } from '../document/merge.ts';
import { withSide } from '../document/merge-choice.ts';
import type { Base } from './drafts.ts';

export type Choice = 'mine' | 'theirs';
/** One thing that two sides changed. `choice` is null until a person chooses. */
export type OpenConflict = { conflict: MergeConflict; choice: Choice | null };

export class Conflicts {
  #list: readonly OpenConflict[] = [];
  #baseAfter: Base | null = null;
  #then = () => {};

  get list(): readonly OpenConflict[] {
    return this.#list;
  }

  get areOpen(): boolean {
    return this.#list.length > 0;
  }

  /** After the choices the page has the base `baseAfter`, null for its present one, and calls `then`. */
  open(conflicts: readonly MergeConflict[], baseAfter: Base | null, then: () => void): void {
    this.#list = conflicts.map((conflict) => ({ conflict, choice: null }));
    this.#baseAfter = baseAfter;
    this.#then = then;
  }

  choose(index: number, choice: Choice): void {
    this.#list = this.#list.map((each, at) => (at === index ? { ...each, choice } : each));
  }

  /** The document with the choices. A conflict without a choice stays as the merge left it. */
  settle(document: ChartDocument) {
    const settled = this.#list.reduce(
      (before, { conflict, choice }) => (choice === null ? before : withSide(before, conflict, choice)),
      document,
    );
    const after = { document: settled, base: this.#baseAfter, then: this.#then };
    this.open([], null, () => {});
    return after;
  }
}
