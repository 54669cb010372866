/** The order in which a search looks at the objects of a plan, for each set of categories and each zone. */
import type { Plan, PlanObject } from '@parterre/shared/charts/plan';
import { finish, type Steps, sortedInSteps } from '../packed/packed.ts';
import { searchOrdersKept } from '../state/state.ts';
import { anyCategory, type SeatRows } from './seat-rows.ts';

/**
 * The categories of a query: an index in `plan.categories`, or `anyCategory`. Of several categories, `categories` has a
 * 1 for each, by index. `key` is equal for equal categories.
 */
export type CategoryScope = { category: number; categories: Uint8Array | null; key: string };

/** The scope of these categories of the plan, or of every category. */
export function scopeOf(plan: Plan, keys: readonly string[] = []): CategoryScope {
  const [category = anyCategory, ...others] = keys.map((key) => plan.categories.findIndex((each) => each.key === key));
  if (others.length === 0) return { category, categories: null, key: `${category}` };
  const categories = new Uint8Array(plan.categories.length);
  for (const index of [category, ...others]) categories[index] = 1;
  return { category: anyCategory, categories, key: categories.join('') };
}

/**
 * The parts of the house that a query names: a zone, sections by their own or logical ids, and rows by their labels or
 * display labels. `aisle` leaves rows alone. [the whole house]
 */
export type Divisions = {
  zoneId?: string;
  sectionIds?: readonly string[];
  rowLabels?: readonly string[];
  aisle?: boolean;
};

/** Whether an object is in the named parts of the house. */
export function isWithin(plan: Plan, object: PlanObject, divisions: Divisions): boolean {
  const { section, outlineId, zoneId: its } = object;
  const { zoneId, sectionIds, rowLabels, aisle } = divisions;
  if (zoneId !== undefined && its !== zoneId) return false;
  if (aisle && object.type !== 'row') return false;
  if (rowLabels !== undefined && !isRowNamed(object, rowLabels)) return false;
  if (sectionIds === undefined || sectionIds.includes(plan.sections[section]!.id)) return true;
  return outlineId !== null && sectionIds.includes(outlineId);
}

/** Rows may share a label: a label names all of them. */
export function isRowNamed({ type, label, name }: PlanObject, rowLabels: readonly string[]): boolean {
  return type === 'row' && (rowLabels.includes(label) || rowLabels.includes(name));
}

/** In each list the nearest come first. `seats` are strips of rows and of tables that are sold by the chair. */
export type SearchOrder = { seats: Int32Array; booths: Int32Array; tables: Int32Array; areas: Int32Array };

/** The last used order stands last. */
const orders = new WeakMap<SeatRows, Map<string, SearchOrder>>();

export function searchOrderOf(plan: Plan, rows: SeatRows, scope: CategoryScope, divisions: Divisions): SearchOrder {
  const { zoneId = '', sectionIds, rowLabels, aisle } = divisions;
  const isSimple = sectionIds === undefined && rowLabels === undefined && !aisle;
  const key = `${scope.key} ${isSimple ? zoneId : JSON.stringify([zoneId, sectionIds?.toSorted(), rowLabels?.toSorted(), aisle === true])}`;
  const kept = ordersOf(rows);
  const order = kept.get(key) ?? finish(compileSearchOrder(plan, rows, scope, divisions));
  keepOrder(kept, key, order);
  return order;
}

/** Makes the order of the usual query in steps: any category, in the whole house. */
export function* prepareSearchOrder(plan: Plan, rows: SeatRows): Steps<void> {
  const scope = scopeOf(plan);
  const key = `${scope.key} `;
  if (ordersOf(rows).has(key)) return;
  const order = yield* compileSearchOrder(plan, rows, scope, {});
  keepOrder(ordersOf(rows), key, order);
}

function ordersOf(rows: SeatRows): Map<string, SearchOrder> {
  let kept = orders.get(rows);
  if (!kept) {
    kept = new Map();
    orders.set(rows, kept);
  }
  return kept;
}

function keepOrder(kept: Map<string, SearchOrder>, key: string, order: SearchOrder): void {
  if (!kept.delete(key) && kept.size === searchOrdersKept) kept.delete(kept.keys().next().value!);
  kept.set(key, order);
}

/** Objects that are looked at in one step. */
const objectsPerStep = 5_000;

function* compileSearchOrder(
  plan: Plan,
  rows: SeatRows,
  scope: CategoryScope,
  divisions: Divisions,
): Steps<SearchOrder> {
  const strips = { seats: [] as number[], booths: [] as number[], tables: [] as number[], areas: [] as number[] };
  for (let object = 0; object < plan.objects.length; object++) {
    if (!isWithin(plan, plan.objects[object]!, divisions)) continue;
    const strip = stripFor(rows, object, scope);
    if (strip !== null) strips[sortOf(plan.objects[object]!)].push(strip);
    if (object % objectsPerStep === objectsPerStep - 1) yield;
  }
  const nearestFirst = (a: number, b: number): number => {
    const i = rows.objectOfStrip[a]!;
    const j = rows.objectOfStrip[b]!;
    return rows.nearest[i]! - rows.nearest[j]! || rows.idRank[i]! - rows.idRank[j]!;
  };
  const objectsOf = (sorted: number[]): Int32Array => Int32Array.from(sorted, (strip) => rows.objectOfStrip[strip]!);
  return {
    seats: Int32Array.from(yield* sortedInSteps(strips.seats, nearestFirst)),
    booths: objectsOf(yield* sortedInSteps(strips.booths, nearestFirst)),
    tables: objectsOf(yield* sortedInSteps(strips.tables, nearestFirst)),
    areas: objectsOf(yield* sortedInSteps(strips.areas, nearestFirst)),
  };
}

/** The strip of an object for the categories, or null. Several categories have the object's first strip. */
function stripFor(rows: SeatRows, object: number, { category, categories }: CategoryScope): number | null {
  const { firstStrip, categoryOfStrip } = rows;
  const first = firstStrip[object]!;
  const end = firstStrip[object + 1]!;
  if (category === anyCategory && categories === null) return first < end ? first : null;
  for (let strip = first; strip < end; strip++) {
    const its = categoryOfStrip[strip]!;
    if (categories === null ? its === category : its !== anyCategory && categories[its] === 1) {
      return categories === null ? strip : first;
    }
  }
  return null;
}

function sortOf({ type, bookingMode }: PlanObject): keyof SearchOrder {
  if (type === 'gaArea') return 'areas';
  if (type === 'booth') return 'booths';
  return bookingMode === 'individual' ? 'seats' : 'tables';
}
