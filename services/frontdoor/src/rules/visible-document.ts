/** A chart document without what is hidden from buyers: the sections and zones, and the objects that sell in them. Pure. */
import type { ChartDocument, ChartObject } from '@parterre/shared/chart/document';
import type { Plan } from '@parterre/shared/chart/plan';
import { scopeState, scopeStatesOf } from '@parterre/shared/chart/scopes';

/** `plan` is the one of the document. */
export function visibleDocument(document: ChartDocument, plan: Plan, hidden: readonly string[]): ChartDocument {
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
    ...document,
    objects: document.objects.filter(isShown),
    ...(document.floors && {
      floors: document.floors.map((floor) => ({ ...floor, objects: floor.objects.filter(isShown) })),
    }),
    ...(document.zones && { zones: document.zones.filter(({ id }) => !scopes.has(id)) }),
  };
}
