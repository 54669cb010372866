/**
 * A party that one press takes together. The next press moves the party, until the choice changes in another way; it
 * is taken back whole until then. The rule of parties comes with the size: the page loads it with the question.
 */
import type { PartyHouse } from '../rules/party.ts';
import type { Selection } from '../rules/selection.ts';

/** The functions of rules/party.ts. */
export type PartyRule = Pick<typeof import('../rules/party.ts'), 'hasNeighbours' | 'withParty'>;

type Setting = {
  house(): PartyHouse;
  selection(): Selection;
  isOpen(spot: number): boolean;
  /** False if the choice is refused, which is told. Forgets the party before. */
  select(wanted: Selection): boolean;
};

export function createParty({ house, selection, isOpen, select }: Setting) {
  let size = 1;
  let rule: PartyRule | null = null;
  /** The choice before the party, until the next change. */
  let before: Selection | null = null;

  return {
    size: () => size,
    setSize(wanted: number, ruleOfParties: PartyRule): void {
      size = wanted;
      rule = ruleOfParties;
    },
    /** Whether a press on this spot takes a party. */
    takes(spot: number): boolean {
      const { hall } = house();
      if (size < 2 || !rule?.hasNeighbours(hall, spot)) return false;
      return !selection().has(hall.labels[spot]!) && isOpen(spot);
    },
    /** The labels of the party around a spot; null if its row has no such run; none if the choice was refused. */
    take(spot: number): string[] | null {
      const from = before ?? selection();
      const wanted = rule?.withParty(house(), from, spot, size) ?? null;
      if (wanted === null) return null;
      if (!select(wanted)) return [];
      before = from;
      return [...wanted.keys()].filter((label) => !from.has(label));
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
