/** From places that an operator has chosen to the selections of a call, and the words of a payment. Pure. */
import type { Selection } from '../../event/line-items.ts';

/** Ticket types by label; guests of tables by label; places of areas by the label of the area. */
export type Choice = {
  labels: Iterable<string>;
  tierOf: ReadonlyMap<string, string>;
  guestsOf: ReadonlyMap<string, number>;
  placesOf: ReadonlyMap<string, number>;
};

export function selectionsOf({ labels, tierOf, guestsOf, placesOf }: Choice): Selection[] {
  const seats = Array.from(labels, (label) => withTerms(label, tierOf, guestsOf.get(label)));
  const places = [...placesOf].filter(([, quantity]) => quantity > 0);
  return [...seats, ...places.map(([label, quantity]) => withTerms(label, tierOf, quantity))];
}

function withTerms(label: string, tierOf: ReadonlyMap<string, string>, quantity: number | undefined): Selection {
  const tierId = tierOf.get(label);
  return { label, ...(tierId !== undefined && { tierId }), ...(quantity !== undefined && { quantity }) };
}

/** Letters and digits that nobody confuses on paper or on the telephone. */
const signs = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
const REFERENCE_LENGTH = 8;

/** `random` has a byte for each sign. */
export function madeReference(random: Uint8Array): string {
  return `D-${Array.from(random.subarray(0, REFERENCE_LENGTH), (byte) => signs[byte % signs.length]).join('')}`;
}

export const randomReference = (): string => madeReference(crypto.getRandomValues(new Uint8Array(REFERENCE_LENGTH)));

/** “Cash · two programmes”; undefined for nothing. */
export function noteOf(payment: string, note: string): string | undefined {
  const parts = [payment, note].map((part) => part.trim()).filter((part) => part !== '');
  return parts.length === 0 ? undefined : parts.join(' · ');
}

/** Whether the choice on the map names other units than the hold has. An empty choice is no wish. */
export function isOtherChoice(chosen: ReadonlySet<string>, held: readonly string[]): boolean {
  return chosen.size > 0 && (chosen.size !== held.length || held.some((label) => !chosen.has(label)));
}
