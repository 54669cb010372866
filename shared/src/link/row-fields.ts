/** The fields that several rows of direct links share (rows.ts). */
import type { LineItem } from '../answers.ts';
import type { Caller, Selection } from '../commands.ts';

/**
 * `T`, whose fields are all named here. A new field must not be lost on the way: until a row or a text knows it, the
 * functions of this room do not compile.
 */
export type Whole<T, Names extends keyof T> = [Exclude<keyof T, Names>] extends [never] ? T : never;

/** `attempt` is 0 for the first copy. */
export type RowHead<Kind extends number> = [
  kind: Kind,
  id: number,
  attempt: number,
  eventKey: string,
  source: number,
  actor: string | null,
];

export const sources: readonly Caller['source'][] = ['server', 'buyer', 'operator', 'timer'];

export type CallerFields =
  | ('source' | 'actor' | 'accessSource' | 'reach' | 'override' | 'session')
  | ('partnerRef' | 'buyerRef');

/** Whether the caller has nothing but a source and an actor. */
export function isPlain(caller: Whole<Caller, CallerFields>): boolean {
  return caller.accessSource === 'public' && caller.session === undefined && isWithoutMore(caller);
}

/** Whether the caller has nothing but a source, an actor, an access source and a session. */
export function isWithoutMore({ reach, override, partnerRef, buyerRef }: Whole<Caller, CallerFields>): boolean {
  return reach === undefined && override === undefined && partnerRef === undefined && buyerRef === undefined;
}

type SelectionFields = 'label' | 'tierId' | 'quantity' | 'times';

/** The labels of selections that name nothing else; null if a selection does. */
export function plainLabels(selections: readonly Selection[]): string | string[] | null {
  const isPlainToo = ({ tierId, quantity, times }: Whole<Selection, SelectionFields>): boolean =>
    tierId === undefined && quantity === undefined && times === undefined;
  if (!selections.every(isPlainToo)) return null;
  return selections.length === 1 ? selections[0]!.label : selections.map(({ label }) => label);
}

export function selectionsOf(labels: string | string[]): Selection[] {
  return typeof labels === 'string' ? [{ label: labels }] : labels.map((label) => ({ label }));
}

export type SeatFields =
  | ('label' | 'objectId' | 'objectType' | 'categoryKey' | 'tierId' | 'unitPrice' | 'currency' | 'bookingMode')
  | ('channelId' | 'accessSource' | 'releaseId')
  | ('quantity' | 'labels' | 'capacity' | 'minOccupancy' | 'maxOccupancy');

/** Whether the item has the fields alone that every item has. */
export function isSeat({ quantity, labels, capacity, minOccupancy, maxOccupancy }: LineItem): boolean {
  return (
    quantity === undefined &&
    labels === undefined &&
    capacity === undefined &&
    minOccupancy === undefined &&
    maxOccupancy === undefined
  );
}
