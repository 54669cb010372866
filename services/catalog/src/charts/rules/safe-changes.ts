/**
 * Safe mode's judgement of a draft over the published document (shared/src/charts/safe-changes.ts has the rule). Pure.
 */

import { draftSeatTotal } from '@parterre/shared/charts/compile';
import type { ChartDocument } from '@parterre/shared/charts/document';
import { isSeller, partsOf, type Seller } from '@parterre/shared/charts/places';
import { lostLabels } from '@parterre/shared/charts/safe-changes';
import type { DesignerSession } from '@parterre/shared/protocol/catalog/scope';
import { type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { missingLabelsMax, unitsPerChartMax } from '@parterre/shared/protocol/limits';

/** Null where safe mode allows the draft. */
export function refusedBySafeMode(
  published: ChartDocument,
  draft: ChartDocument,
  safe: NonNullable<DesignerSession['safe']>,
): (Outcome<never> & { ok: false }) | null {
  // A draft may name any number of places. Too many are refused before they are made.
  if (draftSeatTotal(draft) > unitsPerChartMax) return refused([], draftSeatTotal(draft));
  const labels = lostLabels(sellersOf(published), sellersOf(draft), safe);
  return labels.length === 0 ? null : refused(labels.slice(0, missingLabelsMax), labels.length);
}

function refused(labels: string[], missingCount: number): Outcome<never> & { ok: false } {
  return refuse(
    'conflict',
    'Safe mode keeps the seats, labels and capacities of the published chart. Put back the seats that labels lists.',
    {
      reason: 'safe_mode',
      details: { labels, missingCount },
    },
  );
}

function sellersOf(document: ChartDocument): Seller[] {
  return partsOf(document).flatMap(({ objects }) => objects.filter(isSeller));
}
