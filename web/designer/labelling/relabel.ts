/**
 * Labels of many rows, tables, booths and areas at once, by a scheme and in an order on the map. The pieces of a
 * segmented row have one label. With the section in front, labels differ between sections, and buyers still read the
 * short label. Pure.
 */
import type { ChartDocument, ChartObject, Row } from '@parterre/shared/charts/document';
import { spacingOf } from '@parterre/shared/charts/geometry';
import { sectionFinder } from '@parterre/shared/charts/membership';
import { objectName } from '@parterre/shared/charts/place-names';
import { isSeller, type Seller } from '@parterre/shared/charts/places';
import type { Point } from '@parterre/shared/charts/plan';
import type { Edit } from '../document/editor.ts';
import { changeObjects, floorCountOf, idOf, objectsOn } from '../document/objects.ts';
import { placementOf } from '../document/placement.ts';
import { unitsOf } from '../edits/pieces.ts';
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
    const sectionOf = withSection ? sectionNamer(objects) : () => null;
    // Each section begins anew.
    for (const [section, sellers] of bySection(objects.filter(isSeller), sectionOf)) {
      const chosen = unitsIn(sellers).filter((unit) => unit.objects.some(({ id }) => ids.has(id)));
      const units = inOrder(chosen, order);
      for (const [place, line] of (joinsLines ? linesOf(units, order) : units.map((unit) => [unit])).entries()) {
        const short = label(place);
        const made: NewLabel = {
          label: section === null ? short : `${section}-${short}`,
          displayLabel: section === null ? undefined : short,
        };
        for (const { id } of line.flatMap((unit) => unit.objects)) if (ids.has(id)) labels.set(id, made);
      }
    }
  }
  return labels;
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

function bySection(
  sellers: readonly Seller[],
  sectionOf: (object: Seller) => string | null,
): Map<string | null, Seller[]> {
  const sections = new Map<string | null, Seller[]>();
  for (const object of sellers) {
    const section = sectionOf(object);
    const known = sections.get(section);
    if (known) known.push(object);
    else sections.set(section, [object]);
  }
  return sections;
}

/**
 * All pieces of a row are one unit, and any other object is a unit alone. The middle of a unit is the middle of its
 * seats: in a curved row the outer pieces stand higher than the piece between them.
 */
type Unit = { readonly objects: readonly Seller[]; readonly middle: Point };

function unitsIn(sellers: readonly Seller[]): Unit[] {
  return unitsOf(sellers).map((objects) => ({ objects: objects as Seller[], middle: middleOfUnit(objects) }));
}

function middleOfUnit(objects: readonly ChartObject[]): Point {
  const [first, ...others] = objects.map(placementOf);
  if (others.length === 0) return first!.centre;
  const placements = [first!, ...others];
  const seats = placements.reduce((sum, { x }) => sum + x.length, 0);
  // Rows without seats stand where they begin.
  if (seats === 0) return first!.centre;
  const middle = { x: 0, y: 0 };
  for (const { x, centre } of placements) {
    middle.x += (centre.x * x.length) / seats;
    middle.y += (centre.y * x.length) / seats;
  }
  return middle;
}

/** Units that share a label. They come in their order. Only rows share a line. */
function linesOf(units: readonly Unit[], order: Relabelling['order']): Unit[][] {
  const axis = axisOf(order);
  const lines: Unit[][] = [];
  let last: { line: Unit[]; at: number } | null = null;
  for (const unit of units) {
    const [row] = unit.objects;
    const at = axis === null || row?.type !== 'row' ? null : unit.middle[axis];
    const isSame = at !== null && last !== null && Math.abs(at - last.at) < spacingOf(row as Row) * LINE_SHARE;
    const line: Unit[] = isSame ? last!.line : [];
    if (!isSame) lines.push(line);
    line.push(unit);
    if (at !== null) last = { line, at };
  }
  return lines;
}

function axisOf(order: Relabelling['order']): 'x' | 'y' | null {
  if (order === 'list') return null;
  return order === 'down' || order === 'up' ? 'y' : 'x';
}

function inOrder(units: readonly Unit[], order: Relabelling['order']): readonly Unit[] {
  const along = axisOf(order);
  if (along === null) return units;
  const across = along === 'y' ? 'x' : 'y';
  const sign = order === 'down' || order === 'right' ? 1 : -1;
  return units.toSorted((a, b) => sign * (a.middle[along] - b.middle[along]) || a.middle[across] - b.middle[across]);
}

function sectionNamer(objects: readonly ChartObject[]): (object: Seller) => string | null {
  const sections = objects.filter((object) => object.type === 'section');
  const find = sectionFinder(sections);
  return (object) => {
    const section = sections[find(placementOf(object).centre)];
    return section ? objectName(section, null) : null;
  };
}
