/**
 * The buyer's choice before the hold: every change of the selection by the buyer goes through here. Removed places come
 * back by `undo` until the next change.
 */

import type { Problem } from '../messages/problems.ts';
import type { Hall } from '../rules/hall.ts';
import * as choose from '../rules/selection.ts';
import type { Statuses } from '../rules/statuses.ts';

type Setting = {
  hall: () => Hall;
  statuses: () => Statuses;
  /** Places and guests. */
  maxSelection: number;
  isClosed(): boolean;
  /** True while the selection must stay as it is. */
  isFixed(): boolean;
  /** The seats of this page's hold. */
  own(): ReadonlySet<string>;
  selection(): choose.Selection;
  select(selection: choose.Selection): void;
  refuseChange(): void;
  refuse(problem: Problem): void;
};

export type Choice = ReturnType<typeof createChoice>;

export function createChoice(setting: Setting) {
  const { hall, statuses, selection } = setting;
  let removed: readonly choose.Chosen[] = [];

  const isOpen = (spot: number): boolean => choose.isFree(statuses(), spot) || setting.own().has(hall().labels[spot]!);

  function toggle(spot: number): void {
    const label = hall().labels[spot]!;
    if (selection().has(label)) remove(label);
    else if (isOpen(spot)) select(choose.withChosen(selection(), choose.chosenSpot(hall(), spot)));
  }

  /** `quantity` is the total number of places in the area. */
  function setArea(areaId: string, quantity: number): void {
    const known = choose.ofArea(selection(), areaId);
    const free = statuses().freeInArea.get(areaId) ?? 0;
    const wanted = Math.min(quantity, free);
    const chosen = wanted > 0 ? choose.chosenArea(hall(), areaId, wanted, free) : null;
    if (known) setQuantity(known.label, quantity);
    else if (chosen) select(choose.withChosen(selection(), chosen));
  }

  function setQuantity(label: string, quantity: number): void {
    const next = choose.withQuantity(selection(), label, quantity);
    if (next.has(label)) select(next);
    else remove(label);
  }

  /** Refused with a message above the page's largest selection. */
  function select(wanted: choose.Selection): boolean {
    const { maxSelection } = setting;
    const before = choose.guestsIn(selection());
    const guests = choose.guestsIn(wanted);
    if (setting.isFixed()) setting.refuseChange();
    else if (guests > before && setting.isClosed()) setting.refuse({ code: 'event_closed' });
    else if (guests > Math.max(maxSelection, before)) {
      setting.refuse({ code: 'max_quantity_exceeded', maxQuantity: maxSelection });
    } else {
      removed = [];
      setting.select(wanted);
      return true;
    }
    return false;
  }

  function remove(label: string): void {
    const gone = selection().get(label);
    if (gone && select(choose.without(selection(), label))) removed = [gone];
  }

  /** Chooses these places again, as far as they are still free. */
  function bringBack(places: readonly choose.Chosen[]): { selection: choose.Selection; gone: string[] } {
    const gone: string[] = [];
    let wanted = selection();
    for (const chosen of places) {
      const { spot, areaId, label, quantity } = chosen;
      const free = areaId === null ? 0 : (statuses().freeInArea.get(areaId) ?? 0);
      if (spot !== null ? isOpen(spot) : free >= quantity) {
        wanted = choose.withChosen(wanted, areaId === null ? chosen : { ...chosen, max: free });
      } else gone.push(label);
    }
    if (wanted !== selection()) select(wanted);
    return { selection: selection(), gone };
  }

  return {
    toggle,
    setArea,
    setQuantity,
    setTier: (label: string, tierId: string) => select(choose.withTier(selection(), label, tierId)),
    remove,
    clear() {
      const gone = [...selection().values()];
      if (select(choose.nothing)) removed = gone;
    },
    bringBack,
    /** The places of the last removal. */
    removed: () => removed,
    /** Another hold, or none: the removal belonged to the choice before. */
    forgetRemoved(): void {
      removed = [];
    },
    /** Takes the last removal back. */
    undo: () => bringBack(removed),
  };
}
