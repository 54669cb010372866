/** The fields that several rows of direct links share (rows.ts). */
import type { LineItem } from '../answers.ts';
import type { Caller, Selection, Visitor } from '../commands.ts';
import type { PublicSale } from '../records.ts';

/**
 * `T`, whose fields are all named here. A new field must not be lost on the way: until a row or a text knows it, the
 * functions of this room do not compile.
 */
export type Whole<T, Names extends keyof T> = [Exclude<keyof T, Names>] extends [never] ? T : never;

/** `copy` is 0 for the first copy. */
export type RowHead<Kind extends number> = [
  kind: Kind,
  id: number,
  copy: number,
  eventKey: string,
  source: number,
  actor: string | null,
];

export const sources: readonly Caller['source'][] = ['server', 'buyer', 'operator', 'timer'];

export type CallerFields =
  | ('source' | 'actor' | 'accessSource' | 'reach' | 'override' | 'session')
  | ('partnerRef' | 'buyerRef' | 'visitor');

/** Whether the caller has nothing but a source and an actor. */
export function isPlain(caller: Caller): boolean {
  return caller.visitor === undefined && isPlainVisitor(caller);
}

/** Whether the caller has nothing but a source, an actor and a visitor. */
export function isPlainVisitor(caller: Whole<Caller, CallerFields>): boolean {
  return caller.accessSource === 'public' && caller.session === undefined && isWithoutMore(caller);
}

/** Whether the caller has nothing but a source, an actor, an access source, a session and a visitor. */
export function isWithoutMore({ reach, override, partnerRef, buyerRef }: Whole<Caller, CallerFields>): boolean {
  return reach === undefined && override === undefined && partnerRef === undefined && buyerRef === undefined;
}

/** A hold of a visitor has one more field in its row. */
export type VisitorRow = [isSession: boolean, address: string | null, bounds: PublicSale | null];

type VisitorFields = 'isSession' | 'address' | 'bounds';

export function rowOfVisitor({ isSession, address, bounds }: Whole<Visitor, VisitorFields>): VisitorRow {
  return [isSession ?? false, address ?? null, bounds ?? null];
}

export function visitorOfRow([isSession, address, bounds]: VisitorRow): Visitor {
  return {
    ...(isSession && { isSession: true as const }),
    ...(address !== null && { address }),
    ...(bounds !== null && { bounds }),
  };
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
