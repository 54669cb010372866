/**
 * A chart document as buyers may read it. It lacks hidden sections and zones, their objects, the labels of these
 * objects, and prices that are only for these objects. It also lacks the record of the event's own changes, which names
 * hidden objects. Pure.
 */
import type { Category, ChartDocument, ChartObject } from '@parterre/shared/charts/document';
import type { Plan } from '@parterre/shared/charts/plan';
import { scopeState, scopeStatesOf } from '@parterre/shared/charts/scopes';

/** `plan` is the document's plan. */
export function visibleDocument(document: ChartDocument, plan: Plan, hidden: readonly string[]): ChartDocument {
  const { eventAdjustments: _, ...shown } = document;
  if (hidden.length === 0) return shown as ChartDocument;
  const scopes = new Set(hidden);
  const states = scopeStatesOf(plan, { hidden: [...hidden], closed: [] });
  const gone = new Set<string>();
  for (const [index, { id }] of plan.objects.entries()) if (states?.[index] === scopeState.hidden) gone.add(id);
  const isHidden = (scope: string | undefined): boolean => scope !== undefined && scopes.has(scope);
  const isShown = (object: ChartObject): boolean => {
    if (object.type === 'section') {
      return !isHidden(object.id) && !isHidden(object.logicalSectionId) && !isHidden(object.zone);
    }
    return !('id' in object && gone.has(object.id as string));
  };
  return {
    ...(shown as ChartDocument),
    categories: states ? document.categories.map((each) => visibleCategory(each, plan, states)) : document.categories,
    objects: document.objects.filter(isShown),
    ...(document.floors && {
      floors: document.floors.map((floor) => ({ ...floor, objects: floor.objects.filter(isShown) })),
    }),
    ...(document.zones && { zones: document.zones.filter(({ id }) => !scopes.has(id)) }),
  };
}

/** A tier whose units are all hidden is left out as a whole. An empty list would make it a tier for all units. */
function visibleCategory(category: Category, plan: Plan, states: Uint8Array): Category {
  const { tiers } = category;
  if (!tiers?.some(({ applicability }) => applicability?.seatLabels?.length)) return category;
  const isShown = (label: string): boolean => {
    const unit = plan.labels.unitOf(label);
    const object = unit === undefined ? plan.areaByLabel.get(label) : plan.objectOfUnit[unit];
    return object !== undefined && states[object] !== scopeState.hidden;
  };
  const visible = tiers.flatMap((tier) => {
    const labels = tier.applicability?.seatLabels;
    if (!labels?.length) return [tier];
    const seatLabels = labels.filter(isShown);
    return seatLabels.length === 0 ? [] : [{ ...tier, applicability: { ...tier.applicability, seatLabels } }];
  });
  return { ...category, tiers: visible };
}
