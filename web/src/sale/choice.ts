/** The buyer's choice before the hold: every change of the selection by the buyer goes through here. */

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

  function toggle(spot: number): void {
    const label = hall().labels[spot]!;
    if (selection().has(label)) select(choose.without(selection(), label));
    else if (choose.isFree(statuses(), spot) || setting.own().has(label)) {
      select(choose.withChosen(selection(), choose.chosenSpot(hall(), spot)));
    }
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
    select(choose.withQuantity(selection(), label, quantity));
  }

  /** Refused with a message above the page's largest selection. */
  function select(wanted: choose.Selection): void {
    const { maxSelection } = setting;
    const before = choose.guestsIn(selection());
    const guests = choose.guestsIn(wanted);
    if (setting.isFixed()) setting.refuseChange();
    else if (guests > before && setting.isClosed()) setting.refuse({ code: 'event_closed' });
    else if (guests > Math.max(maxSelection, before)) {
      setting.refuse({ code: 'max_quantity_exceeded', maxQuantity: maxSelection });
    } else setting.select(wanted);
  }

  return {
    toggle,
    setArea,
    setQuantity,
    setTier: (label: string, tierId: string) => select(choose.withTier(selection(), label, tierId)),
    remove: (label: string) => select(choose.without(selection(), label)),
    clear: () => select(choose.nothing),
  };
}
