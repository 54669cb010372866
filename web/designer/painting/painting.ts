/**
 * Painting: a category, a kind of accessibility, a picture of the view, a restricted view, a way without steps or a
 * tier for seats, rows, tables, booths and areas. The document stays small: a seat that equals its row has no entry,
 * and a target that covers all seats of a row changes the row. Painting back what was there gives the document as it
 * was. Pure.
 */
import { type AccessibilityKind, accessibilityKinds } from '@parterre/shared/charts/accessibility';
import type { ChartDocument, ChartObject } from '@parterre/shared/charts/document';
import { accessibilityOf, hasSeats, isSeller } from '@parterre/shared/charts/places';
import type { Edit } from '../document/editor.ts';
import { changeObjects, idOf } from '../document/objects.ts';
import type { Selection } from '../document/selection.ts';
import { changeOverrides, liveSeats, type SeatObject, type SeatOverride, withField } from './overrides.ts';
import { paintedTier, type TierPaint } from './tier-places.ts';

/** What belongs to places themselves. */
export type PlacePaint =
  | { kind: 'category'; key: string }
  | { kind: 'accessibility'; accessibility: AccessibilityKind; isOn: boolean }
  /** The address of a picture; null takes the picture away. */
  | { kind: 'view'; url: string | null }
  | { kind: 'restrictedView'; isOn: boolean }
  /** A way to the place without steps, or by a lift. */
  | { kind: 'way'; way: 'stepFree' | 'lift'; isOn: boolean };

export type PaintWhat = PlacePaint | TierPaint;

/** Whole objects, and seats of others. A brush hands over all targets of its gesture at each move. */
export type Targets = Pick<Selection, 'objects' | 'seats'>;

export function paint(targets: Targets, what: PaintWhat): Edit {
  return (document) => painted(document, targets, what);
}

export function painted(document: ChartDocument, targets: Targets, what: PaintWhat): ChartDocument {
  if (what.kind === 'tier') return paintedTier(document, targets, what);
  const { objects, seats } = targets;
  const ids = new Set([...objects, ...seats.keys()]);
  return changeObjects(document, ids, (object) =>
    paintedObject(object, objects.has(idOf(object)) ? null : seats.get(idOf(object))!, what),
  );
}

/** `indexes` null: the whole object. */
export function paintedObject(object: ChartObject, indexes: ReadonlySet<number> | null, what: PlacePaint): ChartObject {
  if (!isSeller(object)) return object;
  if (!hasSeats(object)) return paintedUnit(object, what);
  const live = liveSeats(object);
  const chosen = indexes === null ? live : live.filter((index) => indexes.has(index));
  if (chosen.length === 0 && indexes !== null) return object;
  const isWhole = chosen.length === live.length;
  switch (what.kind) {
    case 'category':
      return isWhole ? wholly(object, 'categoryKey', what.key) : partly(object, chosen, 'categoryKey', what.key);
    case 'accessibility':
      return changeOverrides(object, chosen, (override) => withKind(override, what.accessibility, what.isOn));
    case 'view':
      return inherited(object, live, chosen, 'viewFromSeatUrl', what.url ?? undefined);
    case 'restrictedView':
      return inherited(object, live, chosen, 'restrictedView', what.isOn || undefined);
    case 'way':
      return inherited(object, live, chosen, what.way, what.isOn || undefined);
  }
}

/** Booths, areas and tables that are one unit. Kinds of accessibility belong to seats. */
function paintedUnit(object: ChartObject, what: PlacePaint): ChartObject {
  if (what.kind === 'category') return withField(object, 'categoryKey', what.key);
  if (what.kind === 'view') return withField(object, 'viewFromSeatUrl', what.url ?? undefined);
  if (what.kind === 'way') return withField(object, what.way, what.isOn || undefined);
  if (what.kind === 'restrictedView') return withField(object, 'restrictedView', what.isOn || undefined);
  return object;
}

type OwnField = 'categoryKey' | 'viewFromSeatUrl' | 'restrictedView' | 'stepFree' | 'lift';

/** The object has the value, and no seat another. */
function wholly(object: SeatObject, name: OwnField, value: unknown): SeatObject {
  const seats = (object.overrides ?? []).map(({ index }) => index);
  return changeOverrides(withField(object, name, value), seats, (override) => withField(override, name, undefined));
}

function partly(object: SeatObject, chosen: readonly number[], name: OwnField, value: unknown): SeatObject {
  const own = value === (object as Record<string, unknown>)[name] ? undefined : value;
  return changeOverrides(object, chosen, (override) => withField(override, name, own));
}

/** A seat cannot be without a value that its object has. So the object's value goes to its other seats then. */
function inherited(
  object: SeatObject,
  live: readonly number[],
  chosen: readonly number[],
  name: Exclude<OwnField, 'categoryKey'>,
  value: unknown,
): SeatObject {
  if (chosen.length === live.length) return wholly(object, name, value);
  const shared = (object as Record<string, unknown>)[name];
  if (value !== undefined || shared === undefined) return partly(object, chosen, name, value);
  const others = new Set(live);
  for (const index of chosen) others.delete(index);
  const spread = changeOverrides(withField(object, name, undefined), others, (override) =>
    (override as Record<string, unknown>)[name] === undefined ? withField(override, name, shared) : override,
  );
  return changeOverrides(spread, chosen, (override) => withField(override, name, undefined));
}

/** The kinds of a seat, in their usual order. */
export function kindsOf(override: SeatOverride): AccessibilityKind[] {
  const bits = accessibilityOf(override);
  return accessibilityKinds.filter((_, bit) => (bits & (1 << bit)) !== 0);
}

/** `accessible` and `wheelchairSpaceType` stay while they tell the truth. */
function withKind(override: SeatOverride, kind: AccessibilityKind, isOn: boolean): SeatOverride {
  const before = kindsOf(override);
  if (before.includes(kind) === isOn) return override;
  const after = accessibilityKinds.filter((each) => (each === kind ? isOn : before.includes(each)));
  const bare = withField(override, 'accessibility', undefined);
  if (kindsOf(bare).join() === after.join()) return bare;
  if (after.length > 0) return withField(override, 'accessibility', after);
  return withField(withField(bare, 'accessible', undefined), 'wheelchairSpaceType', undefined);
}
