/** The state of a sale, and its events. */

import type { Problem } from '../messages/problems.ts';
import type { Words } from '../messages/words.ts';
import type { Hall } from '../rules/hall.ts';
import type { Hold } from '../rules/hold.ts';
import type { HeldItem, Selection } from '../rules/selection.ts';
import type { SelectionRules } from '../rules/selection-rules.ts';
import type { Statuses } from '../rules/statuses.ts';
import type { Counter } from './counter.ts';
import type { KeptHold } from './kept-hold.ts';

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
  /** The selection's line items at their present prices, after a refusal of outdated prices. */
  quote: readonly HeldItem[] | null;
  /** The places of a hold whose time ended; null once the buyer has answered. */
  lost: Selection | null;
};

export type SaleEvents = {
  changed(): void;
  selectionChanged(): void;
  held(hold: Hold): void;
  holdEnded(why: 'expired' | 'released'): void;
  bought(labels: string[]): void;
  problem(problem: Problem, text: string): void;
  /** A refusal tells that prices or the state of sales are outdated. */
  outdated(): void;
  say(text: string): void;
};

export type SaleSetting = {
  counter: Counter;
  hall: () => Hall;
  statuses: () => Statuses;
  kept: KeptHold;
  maxSelection: number;
  words(): Words;
  /** The server's time. */
  now(): number;
  /** The cost of the selection as the buyer sees it; null while the page has no prices of its own. */
  total(): number | null;
  /** The event's rules for a choice. */
  rules(): SelectionRules;
  isClosed(): boolean;
  /** The sale is closed since it has not begun. */
  isAwaited?: (() => boolean) | undefined;
  /** The names of the performances that lack a label which another has free. */
  lackingOf(label: string): string[];
  events: SaleEvents;
};
