/**
 * Tiers name their places by labels, so a seat with a new label keeps its tiers only if they name the new one. A label
 * that another seat has too stays in the tier beside the new one. Pure.
 */
import type { Category, ChartDocument, ChartObject, Tier } from '@parterre/shared/charts/document';
import { bookingModeOf, isSeller, placesOf, type Seller } from '@parterre/shared/charts/places';
import type { ObjectChange } from '../document/changes.ts';
import { isSame } from '../document/fields.ts';
import { everyObject, idOf } from '../document/objects.ts';
import { isRenamed } from '../document/safe-mode.ts';
import { labelsOf, restrictTier, tiersIn } from '../painting/applicability.ts';
import { withField } from '../painting/overrides.ts';

/** By old label. */
type Moved = ReadonlyMap<string, readonly string[]>;

/** The document after these changes, with tiers that follow them. */
export function withTierLabels(document: ChartDocument, changes: readonly ObjectChange[]): ChartDocument {
  const named = new Set(tiersIn(document).flatMap(({ tier }) => labelsOf(tier)));
  if (named.size === 0) return document;
  const renamed = changes.filter((change) => change.before && change.after && isRenamed(change));
  const moved = movedIn(renamed, named);
  if (moved.size === 0) return document;
  const kept = stillHeld(document, moved, renamed);
  const follow = (label: string): readonly string[] => {
    const now = moved.get(label);
    if (!now) return [label];
    return kept.has(label) ? [label, ...now] : now;
  };
  const categories = document.categories.map((category) => withTiers(category, follow));
  return { ...document, categories };
}

/** Whether the categories differ by tiers that follow these changes, and by nothing else. */
export function tiersFollow(before: ChartDocument, after: ChartDocument, changes: readonly ObjectChange[]): boolean {
  const followed = withTierLabels({ ...after, categories: before.categories }, changes);
  return isSame(followed.categories, after.categories);
}

/** Labels that a tier names and that no place of its category has: they have no effect. */
export type LostLabels = { category: Category; tier: Tier; labels: readonly string[] };

export function lostTierLabels(document: ChartDocument): LostLabels[] {
  const naming = tiersIn(document).filter(({ tier }) => labelsOf(tier).length > 0);
  if (naming.length === 0) return [];
  const labelsIn = new Map(naming.map(({ category }) => [category.key, new Set<string>()]));
  for (const object of everyObject(document)) {
    if (!isSeller(object)) continue;
    if (object.type === 'gaArea') labelsIn.get(object.categoryKey)?.add(object.label);
    for (const { label, categoryKey } of placesOf(object)) labelsIn.get(categoryKey)?.add(label);
  }
  return naming.flatMap(({ category, tier }) => {
    const labels = labelsOf(tier).filter((label) => !labelsIn.get(category.key)!.has(label));
    return labels.length > 0 ? [{ category, tier, labels }] : [];
  });
}

function withTiers(category: Category, follow: (label: string) => readonly string[]): Category {
  const tiers = category.tiers?.map((tier) => {
    const before = labelsOf(tier);
    return before.length === 0 ? tier : restrictTier(tier, 'seatLabels', [...new Set(before.flatMap(follow))]);
  });
  return tiers?.some((tier, at) => tier !== category.tiers![at]) ? withField(category, 'tiers', tiers) : category;
}

function movedIn(renamed: readonly ObjectChange[], named: ReadonlySet<string>): Moved {
  const moved = new Map<string, string[]>();
  for (const { before, after } of renamed) {
    if (!isSeller(before!) || !isSeller(after!) || !areAlike(before, after)) continue;
    const now = labelsByPlace(after);
    for (const [place, label] of labelsByPlace(before)) {
      const next = now.get(place);
      if (next === undefined || next === label || !named.has(label)) continue;
      moved.set(label, [...(moved.get(label) ?? []), next]);
    }
  }
  return moved;
}

/** A chair is no table, so a table that is sold in another way has other places. */
function areAlike(before: Seller, after: Seller): boolean {
  return before.type === after.type && bookingModeOf(before) === bookingModeOf(after);
}

/** Tiers name an area by its own label; the labels of its places never change. */
function labelsByPlace(object: Seller): Map<number, string> {
  if (object.type === 'gaArea') return new Map([[0, object.label]]);
  return new Map(placesOf(object).map(({ index, label }) => [index, label]));
}

/** The old labels that a seat had before and still has. */
function stillHeld(document: ChartDocument, moved: Moved, renamed: readonly ObjectChange[]): Set<string> {
  const held = new Set<string>();
  const changed = new Set(renamed.map(({ id }) => id));
  const stems = new Set([...moved.keys()].flatMap(stemsOf));
  for (const object of everyObject(document)) {
    if (!isSeller(object) || changed.has(idOf(object)) || !mayHold(object, stems, moved)) continue;
    for (const label of labelsByPlace(object).values()) if (moved.has(label)) held.add(label);
  }
  return held;
}

/** The labels of objects whose seats may have this label: A and A-1 for A-1-2, and the label itself. */
function stemsOf(label: string): string[] {
  const parts = label.split('-');
  return parts.map((_, count) => parts.slice(0, count + 1).join('-'));
}

/** Asked of every object, so no places are made for the answer. */
function mayHold(object: Seller, stems: ReadonlySet<string>, moved: Moved): boolean {
  if (stems.has(object.label)) return true;
  const { overrides } = object as ChartObject & { overrides?: readonly { label?: string }[] };
  return overrides?.some(({ label }) => label !== undefined && moved.has(label)) ?? false;
}
