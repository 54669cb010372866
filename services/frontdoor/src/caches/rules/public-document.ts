/**
 * A chart document as anybody may keep it: what every buyer of the event sees while these divisions are hidden, and
 * nothing that only hidden parts use. `visibleDocument` leaves out hidden sections, zones and objects. This file also
 * leaves out:
 *
 * - categories, tiers, zones and floors that no visible part uses;
 * - shapes, texts and pictures inside the outline of a hidden section, or that name a hidden part by its id or words;
 * - the label of a hidden wheelchair place, and the tie of a row to a hidden piece of the same row;
 * - `template`, which has the sizes of the whole, `theme`, and fields of the document that this version of Parterre
 *   does not know, since they may name hidden parts.
 *
 * Pure.
 */
import { accessibilityKinds } from '@parterre/shared/charts/accessibility';
import type {
  Category,
  ChartDocument,
  ChartObject,
  Floor,
  Override,
  Section,
  Tier,
} from '@parterre/shared/charts/document';
import { sectionFinder } from '@parterre/shared/charts/membership';
import { isSeller, partsOf } from '@parterre/shared/charts/places';
import type { Plan, Point } from '@parterre/shared/charts/plan';
import { scopeState, scopeStatesOf } from '@parterre/shared/charts/scopes';
import { visibleDocument } from './visible-document.ts';

/** `plan` is the document's plan. */
export function publicDocument(document: ChartDocument, plan: Plan, hidden: readonly string[]): ChartDocument {
  const shown = visibleDocument(document, plan, hidden);
  if (hidden.length === 0) return shown;
  const secrets = secretsOf(document, shown);
  const states = scopeStatesOf(plan, { hidden: [...hidden], closed: [] }) ?? new Uint8Array(plan.objects.length);
  const isHidden = (label: string): boolean => {
    const unit = plan.labels.unitOf(label);
    return unit === undefined || states[plan.objectOfUnit[unit]!] === scopeState.hidden;
  };
  const part = (whole: readonly ChartObject[], objects: readonly ChartObject[]) =>
    withoutTies(whole, withoutHiddenDecor(whole, objects, secrets), isHidden);
  const floors = shown.floors
    ?.map((floor, index): Floor => ({ ...floor, objects: part(document.floors![index]!.objects, floor.objects) }))
    .filter((floor, index) => isStillUsed(document.floors![index]!.objects, floor.objects));
  const objects = document.floors?.length ? (floors?.[0]?.objects ?? []) : part(document.objects, shown.objects);
  const all = floors?.length ? floors.flatMap((floor) => floor.objects) : objects;
  const zonesInUse = new Set(all.flatMap((object) => (object.type === 'section' && object.zone) || []));
  return {
    ...knownFields(shown),
    categories: usedCategories(shown.categories, plan, states, all),
    objects,
    ...(floors && { floors }),
    ...(shown.zones && { zones: shown.zones.filter(({ id }) => zonesInUse.has(id)) }),
  };
}

/** The own ids of the sections of a document, each once. */
export function sectionIdsOf(document: ChartDocument): string[] {
  return [...new Set(objectsOf(document).flatMap((object) => (object.type === 'section' ? [object.id] : [])))];
}

function objectsOf(document: ChartDocument): ChartObject[] {
  return partsOf(document).flatMap(({ objects }) => objects);
}

function knownFields(document: ChartDocument): ChartDocument {
  const { version, name, venueType, focalPoint, priceUnit, missingPrices, categories, objects } = document;
  const { backgroundImage } = document;
  const known = { version, name, venueType, focalPoint, categories, objects };
  const optional = { priceUnit, missingPrices, backgroundImage };
  return { ...known, ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined)) };
}

/** The ids, and the words of sections and zones, that only hidden parts have. */
type Secrets = { ids: ReadonlySet<string>; words: ReadonlySet<string> };

function secretsOf(document: ChartDocument, shown: ChartDocument): Secrets {
  const [all, visible] = [namesIn(document), namesIn(shown)];
  const others = (names: Set<string>, known: Set<string>) => new Set([...names].filter((name) => !known.has(name)));
  return { ids: others(all.ids, visible.ids), words: others(all.words, visible.words) };
}

function namesIn(document: ChartDocument) {
  const ids = new Set<string>();
  const words = new Set<string>();
  for (const object of objectsOf(document)) {
    if (object.type !== 'section' && !isSeller(object)) continue;
    ids.add(object.id);
    if (object.type !== 'section') continue;
    const { logicalSectionId, label, displayLabel } = object;
    if (logicalSectionId !== undefined) ids.add(logicalSectionId);
    words.add(label);
    if (displayLabel !== undefined) words.add(displayLabel);
  }
  for (const { id, label } of document.zones ?? []) {
    ids.add(id);
    words.add(label);
  }
  return { ids, words };
}

/** `whole` is the floor with all its sections, `objects` the visible part of it. */
function withoutHiddenDecor(
  whole: readonly ChartObject[],
  objects: readonly ChartObject[],
  secrets: Secrets,
): ChartObject[] {
  const sections = whole.filter((object): object is Section => object.type === 'section');
  const visible = new Set(objects);
  const find = sectionFinder(sections);
  return objects.filter((object) => {
    if (object.type === 'section' || isSeller(object)) return true;
    return (
      !namesAny(object, secrets) &&
      pointsOf(object).every((point) => {
        const section = sections[find(point)];
        return section === undefined || visible.has(section);
      })
    );
  });
}

function namesAny(decor: ChartObject, { ids, words }: Secrets): boolean {
  const { type: _, id: __, label, text, ...fields } = decor as Record<string, unknown>;
  const isWord = (value: unknown) => typeof value === 'string' && words.has(value.trim());
  return isWord(label) || isWord(text) || Object.values(fields).some((value) => ids.has(value as string));
}

/** The points at which a decoration lies: the place that it names, and its middle. */
function pointsOf(decor: ChartObject): Point[] {
  const { center, origin, points, outline, x, y, width, height } = decor as Record<string, unknown>;
  const corners = [points, outline].flatMap((list) => (Array.isArray(list) ? list.filter(isPoint) : []));
  const named: Point[] = [center, origin, { x, y }].filter(isPoint);
  if (isPoint({ x, y }) && isNumber(width) && isNumber(height) && !isPoint(center)) {
    named.push({ x: (x as number) + width / 2, y: (y as number) + height / 2 });
  }
  if (corners.length === 0) return named;
  const middle = { x: 0, y: 0 };
  for (const corner of corners) {
    middle.x += corner.x / corners.length;
    middle.y += corner.y / corners.length;
  }
  return [...named, middle];
}

const isNumber = (value: unknown): value is number => Number.isFinite(value);

function isPoint(value: unknown): value is Point {
  const { x, y } = (value ?? {}) as { x?: unknown; y?: unknown };
  return isNumber(x) && isNumber(y);
}

/** A floor that has lost every seat and section goes with its decoration. A floor that never had any stays. */
function isStillUsed(whole: readonly ChartObject[], shown: readonly ChartObject[]): boolean {
  const isUse = (object: ChartObject) => object.type === 'section' || isSeller(object);
  return shown.some(isUse) || !whole.some(isUse);
}

/** The objects without the labels of hidden seats, and without the number of pieces of a row that is partly hidden. */
function withoutTies(
  whole: readonly ChartObject[],
  objects: readonly ChartObject[],
  isHidden: (label: string) => boolean,
): ChartObject[] {
  const visible = new Set(objects);
  const torn = new Set(whole.flatMap((object) => (visible.has(object) ? [] : [groupOf(object)])));
  torn.delete(undefined);
  return objects.map((object) => {
    if (object.type !== 'row' && object.type !== 'table') return object;
    const isTied = object.overrides?.some(({ companionOf }) => companionOf !== undefined && isHidden(companionOf));
    const free = isTied ? { ...object, overrides: object.overrides!.map((each) => untied(each, isHidden)) } : object;
    if (free.type !== 'row' || !torn.has(groupOf(free))) return free;
    const { componentCount: _, ...segmentedRow } = free.segmentedRow!;
    return { ...free, segmentedRow };
  });
}

function groupOf(object: ChartObject): unknown {
  return object.type === 'row' ? object.segmentedRow?.groupId : undefined;
}

function untied(override: Override, isHidden: (label: string) => boolean): Override {
  const { companionOf, ...rest } = override;
  return companionOf !== undefined && isHidden(companionOf) ? rest : override;
}

/** Of each category, the kinds of its visible places as bits; -1 without a visible place. */
function visibleKinds(plan: Plan, states: Uint8Array): Int16Array {
  const kinds = new Int16Array(plan.categories.length).fill(-1);
  for (let unit = 0; unit < plan.unitCount; unit++) {
    if (states[plan.objectOfUnit[unit]!] === scopeState.hidden) continue;
    const category = plan.categoryOfUnit[unit]!;
    kinds[category] = Math.max(kinds[category]!, 0) | plan.accessibilityOfUnit[unit]!;
  }
  return kinds;
}

/** A category stays if a visible place has it, or if a visible object names it. */
function usedCategories(
  categories: readonly Category[],
  plan: Plan,
  states: Uint8Array,
  objects: readonly ChartObject[],
): Category[] {
  const kinds = visibleKinds(plan, states);
  const kindsOf = new Map(plan.categories.map(({ key }, index) => [key, kinds[index]!]));
  const named = new Set(objects.flatMap((object) => (isSeller(object) ? categoriesOf(object) : [])));
  return categories
    .filter(({ key }) => (kindsOf.get(key) ?? -1) >= 0 || named.has(key))
    .map((category) => {
      if (!category.tiers) return category;
      const tiers = category.tiers.filter((tier) => isOfKinds(tier, plan, kindsOf.get(category.key) ?? -1));
      return tiers.length === category.tiers.length ? category : { ...category, tiers };
    });
}

function categoriesOf(object: ChartObject & { categoryKey?: unknown }): string[] {
  const overrides = object.type === 'row' || object.type === 'table' ? (object.overrides ?? []) : [];
  const keys = [object.categoryKey, ...overrides.map(({ categoryKey }) => categoryKey)];
  return keys.filter((key) => typeof key === 'string');
}

/** Whether a visible place has one of the kinds to which the tier applies. Its labels are visible ones already. */
function isOfKinds({ applicability }: Tier, plan: Plan, visible: number): boolean {
  const { accessibility = [], seatLabels = [] } = applicability ?? {};
  if (accessibility.length === 0) return true;
  const bits = accessibility.reduce((sum, kind) => sum | (1 << accessibilityKinds.indexOf(kind)), 0);
  if (seatLabels.length === 0) return visible > 0 && (visible & bits) !== 0;
  return seatLabels.some((label) => {
    const unit = plan.labels.unitOf(label);
    return unit !== undefined && (plan.accessibilityOfUnit[unit]! & bits) !== 0;
  });
}
