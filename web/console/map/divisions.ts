/** The divisions of a chart that can be hidden from buyers or closed to them: sections, zones, and the rest. Pure. */
import type { ChartDocument } from '@parterre/shared/charts/document';
import { partsOf } from '@parterre/shared/charts/places';
import type { Hall } from '../../src/rules/hall.ts';
import { type Counts, sumOf, type TrueStatuses } from '../event/hall/true-statuses.ts';

/** `names` are those of its sections on the map; empty for a zone and for the rest. */
export type Division = { id: string; name: string; kind: 'section' | 'zone' | 'rest'; names: readonly string[] };

const REST = '__ungrouped__';

type Named = { label: string; displayLabel?: string | undefined };
const nameOf = ({ displayLabel, label }: Named): string => displayLabel || label;

/** Sections that share a logical id are one division. */
export function divisionsOf(document: ChartDocument): Division[] {
  const sections = new Map<string, string[]>();
  for (const { objects } of partsOf(document)) {
    for (const object of objects) {
      if (object.type !== 'section') continue;
      const id = object.logicalSectionId ?? object.id;
      const names = sections.get(id) ?? [];
      if (!names.includes(nameOf(object))) names.push(nameOf(object));
      sections.set(id, names);
    }
  }
  const zones = document.zones ?? [];
  return [
    ...Array.from(sections, ([id, names]): Division => ({ id, name: names.join(' · '), kind: 'section', names })),
    ...zones.map(({ id, label }): Division => ({ id, name: label, kind: 'zone', names: [] })),
    { id: REST, name: '', kind: 'rest', names: [''] },
  ];
}

/** The seats of a division by status; null for a zone. */
export function countsIn({ names }: Division, hall: Hall, { inBlock }: TrueStatuses): Counts | null {
  if (names.length === 0) return null;
  return sumOf(inBlock.filter((_, block) => names.includes(hall.blocks[block]!.label)));
}
