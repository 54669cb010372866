/**
 * Safe mode's judgement of a draft over the published document (shared/src/chart/safe-changes.ts has the rule). Pure.
 */
import type { DesignerSession } from '@parterre/shared/catalog/scope';
import { draftSeatTotal } from '@parterre/shared/chart/compile';
import type { ChartDocument } from '@parterre/shared/chart/document';
import { isSeller, partsOf, type Seller } from '@parterre/shared/chart/places';
import { lostLabels } from '@parterre/shared/chart/safe-changes';
import { type Outcome, refuse } from '@parterre/shared/errors';
import { missingLabelsMax, unitsPerChartMax } from '@parterre/shared/limits';

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
