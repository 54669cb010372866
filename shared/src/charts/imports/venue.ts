/**
 * A venue as a file describes it, before it is a chart document. Each format fills this form, and assemble.ts makes the
 * document of it. Positions are absolute on their floor, in units of the file; y grows downward, degrees turn
 * clockwise. Null stands for a fact that the file does not tell: nothing here is invented.
 */
import type { AccessibilityKind, Way } from '../accessibility.ts';
import type { Point } from '../plan.ts';

export type FoundSeat = Point & {
  /** The part of the seat's label after the label of its row. */
  number: string;
  /** The whole label, where the file tells it and it is not made of row and number. */
  label: string | null;
  categoryKey: string | null;
  /** Absent where the file has no prices; null where it has none for this seat. In whole units, with a fraction. */
  price?: number | null;
  kinds: readonly AccessibilityKind[];
  /** [null] */
  way?: Way | null;
  displayLabel: string | null;
  viewUrl: string | null;
  isRestrictedView: boolean;
};

/** The name by which people find an object again in the file: its id, else its label. */
type Sourced = { source: string; section: string | null };

export type FoundRow = Sourced & {
  type: 'row';
  label: string;
  /** The file names no row, as in a box. `label` is then the section's, and stands once in the labels of the seats. */
  isNameless?: boolean;
  displayLabel: string | null;
  seats: FoundSeat[];
  extra: Record<string, unknown>;
};

export type FoundTable = Sourced & {
  type: 'table';
  label: string;
  displayLabel: string | null;
  center: Point;
  shape: { kind: 'round'; radius: number } | { kind: 'rect'; width: number; height: number };
  rotation: number;
  seats: FoundSeat[];
  categoryKey: string | null;
  booking: { mode: 'individual' | 'whole' | 'variable'; minOccupancy: number | null; maxOccupancy: number | null };
  extra: Record<string, unknown>;
};

export type FoundBooth = Sourced & {
  type: 'booth';
  label: string;
  displayLabel: string | null;
  center: Point;
  width: number;
  height: number;
  rotation: number;
  categoryKey: string | null;
  extra: Record<string, unknown>;
};

export type FoundArea = Sourced & {
  type: 'gaArea';
  label: string;
  displayLabel: string | null;
  points: Point[];
  capacity: number;
  categoryKey: string | null;
  extra: Record<string, unknown>;
};

/** `label` is also the name by which objects say that they are in this section. */
export type FoundSection = {
  type: 'section';
  source: string;
  label: string;
  displayLabel: string | null;
  /** Null where the file has none: the outline then follows from the seats. */
  outline: Point[] | null;
  zone: string | null;
  extra: Record<string, unknown>;
};

/** Drawn, never sold. `fields` have no positions or sizes. */
export type FoundDecor = {
  type: 'shape' | 'text' | 'decorImage';
  source: string;
  place: { points: Point[] } | { center: Point; width: number | null; height: number | null; rotation: number };
  /** The height of a text. */
  fontSize: number | null;
  fields: Record<string, unknown>;
};

export type FoundSeller = FoundRow | FoundTable | FoundBooth | FoundArea;
export type FoundItem = FoundSeller | FoundSection | FoundDecor;

export type FoundFloor = {
  name: string;
  focalPoint: Point | null;
  items: FoundItem[];
  /** Only where the chart has several floors. */
  background?: FoundPicture | null;
};

export type FoundPicture = { url: string; center: Point; width: number; height: number; opacity: number | null };

export type FoundVenue = {
  name: string;
  /** Prices are in whole units, with a fraction. */
  categories: { key: string; label: string; color: string | null; price?: number }[];
  /** The digits of the minor unit in which the chart counts; null for one that counts in whole units. */
  priceDigits: number | null;
  zones: { id: string; label: string; color: string | null; focalPoint: Point | null }[];
  /** Whether the file itself puts the label of the section before the labels of its rows. */
  areSectionsInLabels: boolean;
  /** One nameless floor where the file has no floors. */
  floors: FoundFloor[];
  background: FoundPicture | null;
};

export function isFoundSeller(item: FoundItem): item is FoundSeller {
  return item.type === 'row' || item.type === 'table' || item.type === 'booth' || item.type === 'gaArea';
}
