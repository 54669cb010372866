/** Things that two sides changed, until a person has chosen a side for each. */
import type { ChartDocument } from '@parterre/shared/charts/document';
import type { MergeConflict } from '../document/merge.ts';
import { withSide } from '../document/merge-choice.ts';
import type { Base } from './drafts.ts';
import type { Person } from './news.ts';

export type Choice = 'mine' | 'theirs';
/**
 * One thing that two sides changed. `people` are the others who saved since. The other side is these people's, or a
 * draft that this browser kept. `choice` is null until a person chooses.
 */
export type OpenConflict = {
  conflict: MergeConflict;
  people: readonly Person[];
  isDraft: boolean;
  choice: Choice | null;
};

export class Conflicts {
  #list: readonly OpenConflict[] = [];
  #baseAfter: Base | null = null;
  #whenChosen = () => {};

  get list(): readonly OpenConflict[] {
    return this.#list;
  }

  get areOpen(): boolean {
    return this.#list.length > 0;
  }

  /** After the choices the page has the base `baseAfter`, and calls `whenChosen`. A draft leaves the base: null. */
  open(conflicts: readonly MergeConflict[], people: readonly Person[], baseAfter: Base | null, whenChosen: () => void) {
    this.#list = conflicts.map((conflict) => ({ conflict, people, isDraft: baseAfter === null, choice: null }));
    this.#baseAfter = baseAfter;
    this.#whenChosen = whenChosen;
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
    const after = { document: settled, base: this.#baseAfter, whenChosen: this.#whenChosen };
    this.open([], [], null, () => {});
    return after;
  }
}
