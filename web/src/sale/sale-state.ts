/** The state of a sale, and its events. */

import type { Problem } from '../messages/problems.ts';
import type { Hold } from '../rules/hold.ts';
import type { HeldItem, Selection } from '../rules/selection.ts';

export type Busy = 'hold' | 'extend' | 'release' | 'resume';
type Notice = { kind: 'problem' | 'news'; text: string; code?: string };

export type Bought = { items: HeldItem[]; leftOut: string[] };

export type SaleState = {
  selection: Selection;
  hold: Hold | null;
  /** The hold's selection, to compare with later changes. */
  held: Selection;
  /** The purchase from the hold, and the selection that was left out of it. */
  bought: Bought | null;
  busy: Busy | null;
  notice: Notice | null;
};

export type SaleEvents = {
  changed(): void;
  selectionChanged(): void;
  held(hold: Hold): void;
  holdEnded(why: 'expired' | 'released'): void;
  bought(labels: string[]): void;
  problem(problem: Problem, text: string): void;
  /** A call was refused because sales are closed. */
  closed(): void;
  say(text: string): void;
};
