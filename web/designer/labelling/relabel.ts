/**
 * Labels of many rows, tables, booths and areas at once, by a scheme and in an order on the map. The pieces of a
 * segmented row have one label. With the section in front, labels differ between sections, and buyers still read the
 * short label. Pure.
 */
import type { ChartDocument, ChartObject } from '@parterre/shared/chart/document';
import { spacingOf } from '@parterre/shared/chart/geometry';
import { sectionFinder } from '@parterre/shared/chart/membership';
import { isSeller, type Seller } from '@parterre/shared/chart/places';
import { nameOf } from '../../src/rules/names.ts';
import type { Edit } from '../document/editor.ts';
import { changeObjects, floorCountOf, idOf, objectsOn } from '../document/objects.ts';
import { placementOf } from '../document/placement.ts';
import { withField } from '../painting/overrides.ts';
import { type LabelScheme, labeller } from './schemes.ts';

/** `down`: the highest object on the map is the first. `list`: as the document lists them. */
export const labelOrders = ['down', 'up', 'right', 'left', 'list'] as const;

export type Relabelling = LabelScheme & {
  order: (typeof labelOrders)[number];
  withSection: boolean;
  /** Rows on one line, such as the two sides of an aisle, have one label. */
  joinsLines: boolean;
};

/** Rows whose middles differ by less than this share of their seat spacing stand on one line. */
const LINE_SHARE = 0.4;

export type NewLabel = { label: string; displayLabel: string | undefined };

/** By object id. Objects that do not sell are left out. */
export function newLabels(
  document: ChartDocument,
  ids: ReadonlySet<string>,
  { order, withSection, joinsLines, ...scheme }: Relabelling,
): Map<string, NewLabel> {
  const label = labeller(scheme);
  const labels = new Map<string, NewLabel>();
  for (let floor = 0; floor < floorCountOf(document); floor++) {
    const objects = objectsOn(document, floor);
    const chosen = objects.filter((object): object is Seller => ids.has(idOf(object)) && isSeller(object));
    if (chosen.length === 0) continue;
    const sectionOf = withSection ? sectionNamer(objects) : () => null;
    const placeOf = new Map<string, number>();
    const lineOf = joinsLines ? lineNamer(order) : () => null;
    for (const object of inOrder(chosen, order)) {
      const section = sectionOf(object);
      // Each section begins anew.
      const group = `${section ?? ''}\n${lineOf(object, section) ?? groupOf(object)}`;
      const counter = `${section ?? ''}`;
      const place = placeOf.get(group) ?? nextPlace(placeOf, counter);
      placeOf.set(group, place);
      const short = label(place);
      labels.set(object.id, {
        label: section === null ? short : `${section}-${short}`,
        displayLabel: section === null ? undefined : short,
      });
    }
  }
  return labels;
}

/** The counter of a section has a key of its own in the same map. */
function nextPlace(placeOf: Map<string, number>, counter: string): number {
  const next = placeOf.get(counter) ?? 0;
  placeOf.set(counter, next + 1);
  return next;
}

export function relabel(labels: ReadonlyMap<string, NewLabel>): Edit {
  return (document) =>
    changeObjects(document, new Set(labels.keys()), (object) => relabelledObject(object, labels.get(idOf(object))!));
}

export function relabelledObject(object: ChartObject, { label, displayLabel }: NewLabel): ChartObject {
  return withDisplayLabel(withField(object, 'label', label), displayLabel);
}

/** Pieces of a row are shown by the name of the whole row, which stands in each of them. */
function withDisplayLabel(object: ChartObject, displayLabel: string | undefined): ChartObject {
  const segment = (object as { segmentedRow?: object }).segmentedRow;
  if (!segment || !('displayLabel' in segment)) return withField(object, 'displayLabel', displayLabel);
  const shown = displayLabel ?? (object as { label: string }).label;
  return withField(object, 'segmentedRow', { ...segment, displayLabel: shown });
}

/** Names the line of each row, which come in their order: rows that begin a new line have a new name. */
function lineNamer(order: Relabelling['order']): (object: Seller, section: string | null) => string | null {
  const axis = axisOf(order);
  const lastOf = new Map<string | null, { at: number; name: string }>();
  return (object, section) => {
    if (object.type !== 'row' || axis === null) return null;
    const at = placementOf(object).centre[axis];
    const last = lastOf.get(section);
    const isSame = last !== undefined && Math.abs(at - last.at) < spacingOf(object) * LINE_SHARE;
    const name = isSame ? last.name : `line ${object.id}`;
    lastOf.set(section, { at, name });
    return name;
  };
}

function axisOf(order: Relabelling['order']): 'x' | 'y' | null {
  if (order === 'list') return null;
  return order === 'down' || order === 'up' ? 'y' : 'x';
}

function groupOf(object: Seller): string {
  const { groupId } = (object.type === 'row' && object.segmentedRow) || {};
  return typeof groupId === 'string' ? `group ${groupId}` : `object ${object.id}`;
}

function inOrder(objects: readonly Seller[], order: Relabelling['order']): readonly Seller[] {
  const along = axisOf(order);
  if (along === null) return objects;
  const across = along === 'y' ? 'x' : 'y';
  const sign = order === 'down' || order === 'right' ? 1 : -1;
  const at = (object: Seller) => placementOf(object).centre;
  return [...objects].sort((a, b) => sign * (at(a)[along] - at(b)[along]) || at(a)[across] - at(b)[across]);
}

function sectionNamer(objects: readonly ChartObject[]): (object: Seller) => string | null {
  const sections = objects.filter((object) => object.type === 'section');
  const find = sectionFinder(sections);
  return (object) => {
    const section = sections[find(placementOf(object).centre)];
    return section ? nameOf(section) : null;
  };
}
