/** What publishing lets pass, and what its author probably does not mean. Pure. */
import type { ChartDocument } from '@parterre/shared/charts/document';
import { isFocalPointLost } from '@parterre/shared/charts/focal-point';
import { draftSeatTotal, partsOf } from '@parterre/shared/charts/places';
import { publishWarnings } from '@parterre/shared/charts/publish-issues';
import { unitsPerChartMax } from '@parterre/shared/protocol/limits';
import { lostTierLabels } from '../labelling/tier-labels.ts';
import { overlapsOn } from './overlaps.ts';

export type Warning =
  /** A ticket type names places that its category does not have. */
  | { kind: 'tier'; category: string; tier: string; labels: readonly string[]; more: number }
  /** Best-available measures from a point far from the seats. `floor` null: the chart has no floors. */
  | { kind: 'focalPoint'; floor: number | null; name: string }
  | { kind: 'overlap'; ids: readonly [string, string] }
  /** `missing_price` of publishing: buyers cannot have the places of a category. */
  | { kind: 'price'; key: string; category: string };

/** Labels that a warning names. */
const NAMED_MAX = 5;
const OVERLAPS_MAX = 50;

/** None for a chart that is too large to be looked at. */
export function warningsOf(document: ChartDocument): Warning[] {
  if (draftSeatTotal(document) > unitsPerChartMax) return [];
  const parts = partsOf(document);
  const unpriced = new Set(publishWarnings(document).map(({ path }) => path));
  return [
    ...document.categories
      .filter(({ key }) => unpriced.has(`categories.${key}.price`))
      .map(({ key, label }): Warning => ({ kind: 'price', key, category: label })),
    ...parts.flatMap(({ floor, objects }, at): Warning[] => {
      const { focalPoint, name } = floor ?? { focalPoint: document.focalPoint, name: document.name };
      return isFocalPointLost(focalPoint, objects) ? [{ kind: 'focalPoint', floor: floor ? at : null, name }] : [];
    }),
    ...parts.flatMap(({ objects }) =>
      overlapsOn(objects, OVERLAPS_MAX).map((ids): Warning => ({ kind: 'overlap', ids })),
    ),
    ...lostTierLabels(document).map(
      ({ category, tier, labels }): Warning => ({
        kind: 'tier',
        category: category.label,
        tier: tier.name,
        labels: labels.slice(0, NAMED_MAX),
        more: Math.max(labels.length - NAMED_MAX, 0),
      }),
    ),
  ];
}
