/**
 * A party that one press takes together. The next press moves the party, until the choice changes in another way; it
 * is taken back whole until then.
 */
import type { Hall } from '../rules/hall.ts';
import { hasNeighbours, partyAround } from '../rules/party.ts';
import * as choose from '../rules/selection.ts';

type Setting = {
  hall(): Hall;
  selection(): choose.Selection;
  isOpen(spot: number): boolean;
  /** False if the choice is refused, which is told. Forgets the party before. */
  select(wanted: choose.Selection): boolean;
  /** Whether the event's rules permit a choice. */
  keepsRules(selection: choose.Selection): boolean;
};

export function createParty({ hall, selection, isOpen, select, keepsRules }: Setting) {
  let size = 1;
  /** The choice before the party, until the next change. */
  let before: choose.Selection | null = null;
  const labelOf = (spot: number): string => hall().labels[spot]!;

  return {
    size: () => size,
    setSize(wanted: number): void {
      size = wanted;
    },
    /** Whether a press on this spot takes a party. */
    takes: (spot: number): boolean =>
      size > 1 && hasNeighbours(hall(), spot) && !selection().has(labelOf(spot)) && isOpen(spot),
    /** The labels of the party around a spot; null if its row has no such run; none if the choice was refused. */
    take(spot: number): string[] | null {
      const from = before ?? selection();
      const withThese = (spots: readonly number[]) =>
        spots.map((each) => choose.chosenSpot(hall(), each)).reduce(choose.withChosen, from);
      const spots = partyAround(hall(), spot, size, {
        isOpen: (each) => isOpen(each) && !from.has(labelOf(each)),
        keepsRules: (each) => keepsRules(withThese(each)),
      });
      if (spots === null) return null;
      if (!select(withThese(spots))) return [];
      before = from;
      return spots.map(labelOf);
    },
    isTaken: () => before !== null,
    undo(): void {
      if (before) select(before);
    },
    /** The choice has changed. */
    forget(): void {
      before = null;
    },
  };
}
