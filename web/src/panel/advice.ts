/**
 * The part of the page that advises a buyer who chooses: “How many are you?”, the best seats, the areas, offers of
 * other pages, the event's rules, the meaning of the signs, the list of places. The page loads it once the map has
 * opened (side.ts).
 */
import { html, nothing, type TemplateResult } from 'lit-html';
import { isReleased } from '../rules/companions.ts';
import { sameSelection } from '../rules/selection.ts';
import { type BrokenRule, brokenRules, seatsAtFault } from '../rules/selection-rules.ts';
import type { House } from '../sale/house.ts';
import type { SaleState } from '../sale/sale-state.ts';
import type { Judged } from '../telling.ts';
import { areas } from './areas.ts';
import { createFinder } from './finder.ts';
import { linkedOffers } from './linked-offers.ts';
import type { PanelView } from './panel-view.ts';
import { party } from './party.ts';
import { createPlaceList } from './place-list.ts';
import { signs } from './signs.ts';

/** The rules that the choice breaks so far. */
export type JudgedChoice = Judged & { broken: readonly BrokenRule[] };

export function createAdvice() {
  const finder = createFinder();
  let before: ReadonlySet<string> = new Set();
  return {
    questions: (view: PanelView): TemplateResult =>
      html`${party(view)} ${view.sale.state.hold ? nothing : finder(view)}`,
    /** Behind the prices. */
    others: (view: PanelView): TemplateResult => html`${areas(view)} ${linkedOffers(view)} ${signs(view)}`,
    list: createPlaceList(),
    /** The set of marked seats is the same one while it has the same labels. */
    judge(house: House, state: Pick<SaleState, 'selection' | 'held' | 'hold'>): JudgedChoice {
      const broken = brokenNow(house, state);
      const marked = new Set(seatsAtFault(broken));
      if (marked.size !== before.size || [...marked].some((label) => !before.has(label))) before = marked;
      return { broken, marked: before, isForAll: (spot) => isReleased(house.hall, house.statuses, spot) };
    },
  };
}

/** A hold keeps the rules; but rules that refuse nothing stay in sight with the hold. */
function brokenNow(
  { hall, statuses, event }: House,
  { selection, held, hold }: Pick<SaleState, 'selection' | 'held' | 'hold'>,
): BrokenRule[] {
  const asRules = event.selectionRules ?? {};
  if (sameSelection(selection, held) && !asRules.highlightOnly) return [];
  return brokenRules(hall, statuses, selection, new Set(hold?.labels ?? []), asRules);
}
