/**
 * The divisions of a chart that availability rules and section states name: sections by their own id, sections with one
 * logical id, zones, and the places of no section. Pure.
 */
import type { ChartDocument } from '@parterre/shared/charts/document';

export type Division = { id: string; kind: 'section' | 'logical' | 'zone' | 'rest'; name: string };

export const restId = '__ungrouped__';

/** An id that two kinds share names both, and stands once. */
export function divisionsOf({ objects = [], floors = [], zones = [] }: ChartDocument): Division[] {
  const all = [...objects, ...floors.flatMap((floor) => floor.objects)];
  const sections = all.filter((object) => object.type === 'section');
  const logical = new Map<string, string[]>();
  for (const { logicalSectionId, displayLabel, label } of sections) {
    if (logicalSectionId === undefined) continue;
    logical.set(logicalSectionId, [...(logical.get(logicalSectionId) ?? []), displayLabel ?? label]);
  }
  const divisions: Division[] = [
    ...sections.map(({ id, displayLabel, label }) => ({ id, kind: 'section' as const, name: displayLabel ?? label })),
    ...[...logical].map(([id, names]) => ({ id, kind: 'logical' as const, name: [...new Set(names)].join(', ') })),
    ...zones.map((zone) => ({ id: zone.id, kind: 'zone' as const, name: nameOf(zone) })),
    { id: restId, kind: 'rest' as const, name: '' },
  ];
  return divisions.filter(({ id }, index) => divisions.findIndex((each) => each.id === id) === index);
}

function nameOf(zone: { id: string; name?: unknown; label?: unknown }): string {
  return [zone.name, zone.label].find((name) => typeof name === 'string' && name !== '')?.toString() ?? zone.id;
}
