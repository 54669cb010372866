/**
 * The buyer's choice before the hold: every change of the selection by the buyer goes through here. Removed places come
 * back by `undo` until the next change.
 */

import type { Problem } from '../messages/problems.ts';
import type { Hall } from '../rules/hall.ts';
import * as choose from '../rules/selection.ts';
import type { SelectionRules } from '../rules/selection-rules.ts';
import { type Statuses, statusWords } from '../rules/statuses.ts';
import { createParty } from './party-choice.ts';

type Setting = {
  hall: () => Hall;
  statuses: () => Statuses;
  /** Places and guests. */
  maxSelection: number;
  isClosed(): boolean;
  isAwaited?: (() => boolean) | undefined;
  /** True while the selection must stay as it is. */
  isFixed(): boolean;
  /** The seats of this page's hold. */
  own(): ReadonlySet<string>;
  selection(): choose.Selection;
  /** The selection of this page's hold. */
  held(): choose.Selection;
  rules(): SelectionRules;
  select(selection: choose.Selection): void;
  refuseChange(): void;
  refuse(problem: Problem): void;
  /** Others have taken these places. */
  tellGone(labels: readonly string[]): void;
};

export type Choice = ReturnType<typeof createChoice>;

type Judge = (chosen: choose.ChosenPlace) => boolean;

function closedBy({ statuses, isAwaited }: Setting): Problem {
  if (statuses().isStale) return { code: 'journal_lost_records' };
  return { code: isAwaited?.() ? 'sales_not_started' : 'event_closed' };
}

/** The end of this page's own hold may be missing on the map. */
function mayBeFree(statuses: Statuses, { spot, areaId }: choose.ChosenPlace): boolean {
  if (spot === null) return areaId !== null;
  return !['booked', 'not_for_sale'].includes(statusWords[statuses.of[spot]!]!);
}

const houseOf = ({ hall, statuses, own, rules }: Setting) => ({
  hall: hall(),
  statuses: statuses(),
  own: own(),
  rules: rules(),
});

export function createChoice(setting: Setting) {
  const { hall, statuses, selection, held } = setting;
  let removed: readonly choose.ChosenPlace[] = [];

  const isOpen = (spot: number): boolean => choose.isFree(statuses(), spot) || setting.own().has(hall().labels[spot]!);

  function toggle(spot: number): void {
    const label = hall().labels[spot]!;
    if (selection().has(label)) remove(label);
    else if (isOpen(spot)) select(choose.withChosen(selection(), choose.chosenSpot(hall(), spot)));
  }

  const party = createParty({ house: () => houseOf(setting), selection, isOpen, select });

  /** The places of an area that nobody has, and those of this page's hold. */
  const openIn = (areaId: string, label: string): number =>
    (statuses().freeInArea.get(areaId) ?? 0) + (held().get(label)?.quantity ?? 0);

  /** The most guests or places that a chosen row can have now. */
  function mostOf({ areaId, label, quantity, max }: choose.ChosenPlace): number {
    return areaId === null ? max : Math.max(openIn(areaId, label), quantity);
  }

  /** `quantity` is the total number of places in the area. */
  function setArea(areaId: string, quantity: number): void {
    const known = choose.ofArea(selection(), areaId);
    const area = choose.chosenArea(hall(), areaId, quantity);
    if (known) setQuantity(known.label, quantity);
    else if (area) {
      const wanted = Math.min(quantity, openIn(areaId, area.label));
      if (wanted > 0) select(choose.withChosen(selection(), { ...area, quantity: wanted }));
    }
  }

  function setQuantity(label: string, quantity: number): void {
    const chosen = selection().get(label);
    if (!chosen) return;
    const next = choose.withQuantity(selection(), label, Math.min(quantity, mostOf(chosen)));
    if (next.has(label)) select(next);
    else remove(label);
  }

  /** Refused with a message above the page's largest selection. */
  function select(wanted: choose.Selection): boolean {
    const { maxSelection } = setting;
    const before = choose.guestsIn(selection());
    const guests = choose.guestsIn(wanted);
    if (setting.isFixed()) setting.refuseChange();
    else if (guests > before && setting.isClosed()) setting.refuse(closedBy(setting));
    else if (guests > Math.max(maxSelection, before)) {
      setting.refuse({ code: 'max_quantity_exceeded', maxQuantity: maxSelection });
    } else {
      removed = [];
      party.forget();
      setting.select(wanted);
      return true;
    }
    return false;
  }

  function remove(label: string): void {
    const gone = selection().get(label);
    if (gone && select(choose.without(selection(), label))) removed = [gone];
  }

  const isStillFree = ({ spot, areaId, label, quantity }: choose.ChosenPlace): boolean =>
    spot !== null ? isOpen(spot) : areaId !== null && openIn(areaId, label) >= quantity;

  /** Chooses these places again; the answer is those that it leaves out, null if the choice was refused. */
  function bringBack(places: readonly choose.ChosenPlace[], isLeft: Judge): choose.ChosenPlace[] | null {
    const back = places.filter(isLeft);
    if (back.length > 0 && !select(back.reduce(choose.withChosen, selection()))) return null;
    return places.filter((each) => !back.includes(each));
  }

  return {
    toggle,
    party,
    /** Chooses these places beside the choice. */
    add: (places: choose.Selection) => select([...places.values()].reduce(choose.withChosen, selection())),
    setArea,
    setQuantity,
    setTier: (label: string, tierId: string) => select(choose.withTier(selection(), label, tierId)),
    mostOf,
    openIn,
    remove,
    clear() {
      const gone = [...selection().values()];
      if (select(choose.nothing)) removed = gone;
    },
    /** Chooses the places of an ended hold; the answer is those that are surely gone, null if it was refused. */
    bringBack: (places: readonly choose.ChosenPlace[]) => bringBack(places, (place) => mayBeFree(statuses(), place)),
    /** The places of the last removal. */
    removed: () => removed,
    /** Another hold, or none: the removal belonged to the choice before. */
    forgetRemoved(): void {
      removed = [];
      party.forget();
    },
    /** Takes the last removal back, as far as its places are still free. */
    undo(): void {
      const gone = bringBack(removed, isStillFree) ?? [];
      if (gone.length === removed.length) removed = [];
      if (gone.length > 0) setting.tellGone(gone.map(({ label }) => label));
    },
    /** The chart has changed. */
    moveTo(now: Hall): void {
      party.forget();
      removed = [...choose.movedTo(now, new Map(removed.map((each) => [each.label, each]))).values()];
    },
  };
}
