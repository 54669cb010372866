/**
 * The places of a tier: painted, and counted while they are. Painting names places by their labels, so a tier without
 * labels, which is for all places of its category, is for the painted places alone afterwards. The last place of a list
 * stays: a tier with an empty list would be for all places again. Pure.
 */
import { accessibilityKinds } from '@parterre/shared/charts/accessibility';
import type { Category, ChartDocument, ChartObject, Tier } from '@parterre/shared/charts/document';
import { hasSeats, isSeller, occupancyOf, placesOf, type Seller } from '@parterre/shared/charts/places';
import { placeOfArea } from '../../src/rules/statuses.ts';
import { everyObject, idOf } from '../document/objects.ts';
import type { Selection } from '../document/selection.ts';
import { labelsOf, restrictTier } from './applicability.ts';
import { changeCategory } from './categories.ts';
import { countsOf } from './counts.ts';
import { changeTier } from './tiers.ts';

export type TierPaint = { kind: 'tier'; category: string; tier: string; isOn: boolean };
type Targets = Pick<Selection, 'objects' | 'seats'>;

export function paintedTier(
  document: ChartDocument,
  targets: Targets,
  { category, tier, isOn }: TierPaint,
): ChartDocument {
  const labels = labelsAt(document, targets, category);
  if (labels.size === 0) return document;
  const change = (before: Tier): Tier => {
    const known = labelsOf(before);
    if (isOn) return restrictTier(before, 'seatLabels', [...new Set([...known, ...labels])]);
    const left = (known.length > 0 ? known : everyLabel(document, category)).filter((label) => !labels.has(label));
    return left.length > 0 ? restrictTier(before, 'seatLabels', left) : before;
  };
  return changeCategory(category, (before) => changeTier(before, tier, change))(document);
}

/** The tier is for all places of its category. */
export function forAllPlaces(tier: Tier): Tier {
  return restrictTier(tier, 'seatLabels', []);
}

/** The guests of the places that a tier is for. `objectsWith` gives the objects with one of these labels. */
export function tierGuests(
  document: ChartDocument,
  { category, tier }: { category: Category; tier: Tier },
  objectsWith: (labels: readonly string[]) => readonly ChartObject[],
): number {
  const labels = new Set(labelsOf(tier));
  const isForKinds = (tier.applicability?.accessibility ?? []).length > 0;
  if (labels.size === 0 && !isForKinds) return countsOf(document).categories.get(category.key) ?? 0;
  const test = testOf(tier);
  let guests = 0;
  for (const object of labels.size > 0 ? holders(document, [...labels], objectsWith) : everyObject(document)) {
    // Kinds are differences of single seats.
    if (!isSeller(object) || (isForKinds && !(hasSeats(object) && object.overrides))) continue;
    const { capacity } = occupancyOf(object);
    const isArea = object.type === 'gaArea' && labels.has(object.label);
    for (const { label, categoryKey, accessibility } of placesOf(object)) {
      if (categoryKey === category.key && test(isArea ? object.label : label, accessibility)) guests += capacity;
    }
  }
  return guests;
}

/** Objects with these labels. Places of areas are named by no index. */
function holders(
  document: ChartDocument,
  labels: readonly string[],
  objectsWith: (labels: readonly string[]) => readonly ChartObject[],
): Set<ChartObject> {
  const areas = labels.some(placeOfArea) ? [...everyObject(document)].filter(({ type }) => type === 'gaArea') : [];
  return new Set([...objectsWith(labels), ...areas]);
}

/** Whether a tier is for a place of its category. */
export function testOf(tier: Tier): (label: string, accessibility: number) => boolean {
  const labels = new Set(labelsOf(tier));
  const kinds = (tier.applicability?.accessibility ?? []).reduce(
    (bits, kind) => bits | (1 << accessibilityKinds.indexOf(kind)),
    0,
  );
  return (label, accessibility) =>
    (labels.size === 0 || labels.has(label)) && (kinds === 0 || (accessibility & kinds) !== 0);
}

/** The labels of the category's places among the targets. */
function labelsAt(document: ChartDocument, { objects, seats }: Targets, category: string): Set<string> {
  const labels = new Set<string>();
  for (const object of everyObject(document)) {
    const id = idOf(object);
    if (!isSeller(object) || !(objects.has(id) || seats.has(id))) continue;
    const indexes = objects.has(id) || !hasSeats(object) ? null : seats.get(id)!;
    for (const label of labelsIn(object, category, indexes)) labels.add(label);
  }
  return labels;
}

function everyLabel(document: ChartDocument, category: string): string[] {
  return [...everyObject(document)].flatMap((object) => (isSeller(object) ? labelsIn(object, category, null) : []));
}

function labelsIn(object: Seller, category: string, indexes: ReadonlySet<number> | null): string[] {
  if (object.type === 'gaArea') return object.categoryKey === category ? [object.label] : [];
  const places = placesOf(object).filter(
    ({ categoryKey, index }) => categoryKey === category && (indexes?.has(index) ?? true),
  );
  return places.map(({ label }) => label);
}
