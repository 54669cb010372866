/**
 * What a session allows. An edit is judged by what it changes, whatever it is called: each change needs features, and
 * in safe mode the seats of the published chart keep their labels. Every session has the bound on places. Pure.
 */
import type { ChartDocument, ChartObject } from '@parterre/shared/charts/document';
import type { Sentence } from '../messages/words.ts';
import type { Changes, ObjectChange } from './changes.ts';
import { differing, type Fields, isFields, isSame } from './fields.ts';
import { placeCountOf, placesIn, placesMax } from './objects.ts';

/** Kinds of objects, to be drawn, moved, shaped and deleted. */
export const objectFeatures = ['rows', 'tables', 'booths', 'areas', 'sections', 'decor'] as const;

/**
 * The features that a session may switch off, by `features: { <name>: false }`. The first line has the kinds of
 * objects. The second line has the parts of the document and of its objects. The third line has commands of the page:
 * the page asks `has` before it offers them. Names that are not listed have no effect.
 */
export const features = [
  ...objectFeatures,
  ...([
    'labels',
    'categories',
    'painting',
    'accessibility',
    'views',
    'floors',
    'zones',
    'background',
    'venue',
  ] as const),
  ...(['export', 'templates', 'publish'] as const),
] as const;
export type Feature = (typeof features)[number];

export type Permissions = {
  readonly authority: 'read-only' | 'edit' | 'publish';
  /** Null in normal mode. */
  readonly safe: { readonly mayDelete: boolean; readonly mayChangeCapacity: boolean } | null;
  has(feature: Feature): boolean;
};

export const everythingAllowed: Permissions = { authority: 'publish', safe: null, has: () => true };

/** A refused edit: a sentence for people. */
export type Refusal = Sentence;

const featureOfType: Readonly<Record<string, Feature>> = {
  row: 'rows',
  table: 'tables',
  booth: 'booths',
  gaArea: 'areas',
  section: 'sections',
  shape: 'decor',
  text: 'decor',
  decorImage: 'decor',
};
const featureOfField: Readonly<Record<string, Feature>> = {
  label: 'labels',
  displayLabel: 'labels',
  seatLabelStart: 'labels',
  seatNumbering: 'labels',
  categoryKey: 'painting',
  accessibility: 'accessibility',
  accessible: 'accessibility',
  wheelchairSpaceType: 'accessibility',
  stepFree: 'accessibility',
  lift: 'accessibility',
  viewFromSeatUrl: 'views',
  restrictedView: 'views',
  zone: 'zones',
};
const featureOfPart: Readonly<Record<string, Feature>> = {
  categories: 'categories',
  priceUnit: 'categories',
  zones: 'zones',
  floors: 'floors',
  backgroundImage: 'background',
};

/** Null where the session allows the changes. Safe mode is judged by `SafeMode` (safe-mode.ts). */
export function refusedBySession(permissions: Permissions, changes: Changes): Refusal | null {
  if (permissions.authority === 'read-only') return { key: 'edit.readOnly' };
  if (features.every((feature) => permissions.has(feature))) return null;
  for (const feature of neededFor(changes)) {
    if (!permissions.has(feature)) return { key: 'edit.feature', values: { feature } };
  }
  return null;
}

/** Null where the chart has room for the changes. Changes that add no places cost a look at their objects alone. */
export function refusedBySize({ objects }: Changes, after: ChartDocument): Refusal | null {
  const countOf = (object: ChartObject | null) => (object ? placeCountOf(object) : 0);
  const added = objects.reduce((sum, change) => sum + countOf(change.after) - countOf(change.before), 0);
  const count = added > 0 ? placesIn(after) : 0;
  return count > placesMax ? { key: 'edit.tooLarge', values: { count, max: placesMax } } : null;
}

function* neededFor({ objects, fields }: Changes): Generator<Feature> {
  for (const name of fields) yield featureOfPart[name] ?? 'venue';
  for (const change of objects) yield* neededForObject(change);
}

function* neededForObject({ before, after }: ObjectChange): Generator<Feature> {
  const feature = featureOfType[(after ?? before)!.type]!;
  if (!before || !after) {
    yield feature;
    return;
  }
  for (const name of differing(before, after)) {
    if (name === 'overrides') yield* neededForSeats(before.overrides, after.overrides, feature);
    else yield featureFor(before.type, name);
  }
}

/** A change of this field of an object needs this feature. A decoration's text is drawn, and names nothing. */
export function featureFor(type: string, name: string): Feature {
  const feature = featureOfType[type]!;
  return feature === 'decor' ? feature : (featureOfField[name] ?? feature);
}

function* neededForSeats(before: unknown, after: unknown, feature: Feature): Generator<Feature> {
  const old = byIndex(before);
  const now = byIndex(after);
  for (const index of new Set([...old.keys(), ...now.keys()])) {
    const was = old.get(index) ?? {};
    const is = now.get(index) ?? {};
    if (isSame(was, is)) continue;
    for (const name of differing(was, is)) if (name !== 'index') yield featureOfField[name] ?? feature;
  }
}

function byIndex(overrides: unknown): Map<unknown, Fields> {
  return new Map((Array.isArray(overrides) ? overrides.filter(isFields) : []).map((each) => [each.index, each]));
}

/** A judge of edits in safe mode, made once for the published chart. */
export type SafeJudge = (changes: Changes, before: ChartDocument, after: ChartDocument) => Refusal | null;
