/**
 * Two documents that were made from one, merged object by object, field by field. Nothing is dropped: where both
 * sides changed the same field the merged document has one of them, and a conflict tells both. An element that one side
 * deleted and the other changed stays. Pure, but for fresh ids.
 */
import type { ChartDocument, ChartObject } from '@parterre/shared/charts/document';
import { nameOf } from '@parterre/shared/charts/document';
import { type Collision, collisionsOf } from './collisions.ts';
import { differing, type Fields, isSame } from './fields.ts';
import { withSamePoints } from './focal-points.ts';
import { mergeFields, type Side } from './merge-fields.ts';
import {
  type ElementConflict,
  type ElementsByName,
  type MergedElements,
  mergeElements,
  mergeOrder,
  named,
} from './merge-lists.ts';
import { everyObject, floorCountOf, freshIds, objectsOn, type Used, usedBy } from './objects.ts';

/**
 * How two sides meet:
 * - people: mine stands where both changed a field. Two new objects of one id are two objects.
 * - draft: as people, but new objects of one id are one object. The draft's page had saved an earlier form of it.
 * - undo: theirs stands wherever both changed something, and labels that meet are not looked for.
 */
export type Way = 'people' | 'draft' | 'undo';

type Kind = 'object' | 'category' | 'zone' | 'floor' | 'document';

export type MergeConflict = {
  readonly kind: Kind;
  /** Null for the document. */
  readonly id: string | null;
  /** The fields that both changed; none where one side deleted what the other changed. */
  readonly fields: readonly string[];
  /** The whole element of each side, for `floor` the floor's id alone; null where this side deleted it. */
  readonly mine: Fields | null;
  readonly theirs: Fields | null;
};

/** A change of the other side. */
export type TheirChange = {
  readonly kind: Kind;
  readonly id: string | null;
  readonly how: 'added' | 'changed' | 'deleted';
  readonly fields: readonly string[];
  /** The label or name, for people. */
  readonly label: string;
  /** The type of an object; null for the others. */
  readonly type: ChartObject['type'] | null;
};

export type Merged = {
  readonly document: ChartDocument;
  readonly conflicts: readonly MergeConflict[];
  readonly theirs: readonly TheirChange[];
  /** Labels that only the merge brings together. */
  readonly collisions: readonly Collision[];
  /** My new objects that have another id now, because theirs has an object of the same id. */
  readonly renamed: ReadonlyMap<string, string>;
};

type Lists = {
  floors: ElementsByName<Fields>;
  objects: ElementsByName<Placed>;
  categories: ElementsByName<Fields>;
  zones: ElementsByName<Fields>;
};
/** An object with its floor as a field: null where there are no floors. */
type Placed = { readonly object: ChartObject; readonly floor: string | null };

/** A person may choose another side of a conflict with `withSide` (merge-choice.ts). */
export function mergeDocuments(
  base: ChartDocument,
  mine: ChartDocument,
  theirs: ChartDocument,
  way: Way = 'people',
): Merged {
  const nothing = { conflicts: [], collisions: [], renamed: new Map<string, string>() };
  if (mine === theirs || isSame(mine, theirs)) return { ...nothing, document: mine, theirs: news(base, theirs) };
  if (base === theirs || isSame(base, theirs)) return { ...nothing, document: mine, theirs: [] };
  if (base === mine || isSame(base, mine)) return { ...nothing, document: theirs, theirs: news(base, theirs) };
  return mergeBoth(base, mine, theirs, way);
}

function mergeBoth(base: ChartDocument, ours: ChartDocument, others: ChartDocument, way: Way): Merged {
  const [mine, theirs] = withSamePoints(ours, others);
  const prefer = way === 'undo' ? 'theirs' : 'mine';
  const sides = { base: listsOf(base), mine: listsOf(mine), theirs: listsOf(theirs) };
  const fields = mergeFields(ownFields(base), ownFields(mine), ownFields(theirs), prefer);
  const objects = mergeObjects(sides, prefer);
  const renamed = way === 'people' ? renameMine(objects, mine, theirs) : joinTwice(objects, sides, way);
  const uses = usesOf(objects.placed, mine, theirs);
  const categories = mergeList('category', sides, prefer, uses);
  const zones = mergeList('zone', sides, prefer, uses);
  const floors = mergeList('floor', sides, prefer);
  const document = assemble(
    fields.value,
    { categories: categories.merged, zones: zones.merged, floors: floors.merged },
    objects.placed,
    sides,
    prefer,
  );
  const ofDocument = { kind: 'document', id: null, fields: fields.fields, mine, theirs } as const;
  return {
    document,
    conflicts: [
      ...(fields.fields.length > 0 ? [ofDocument] : []),
      ...categories.conflicts,
      ...zones.conflicts,
      ...objects.conflicts,
      // After the objects: a floor that its side deleted goes once no object is left on it.
      ...floors.conflicts,
    ],
    theirs: news(base, others),
    collisions: way === 'undo' ? [] : collisionsOf(document, mine, theirs),
    renamed,
  };
}

type Sides = { base: Lists; mine: Lists; theirs: Lists };
const listNames = { category: 'categories', zone: 'zones', floor: 'floors' } as const;

/** `uses` has what the merged objects use that a side did not use. */
function mergeList(
  kind: keyof typeof listNames,
  { base, mine, theirs }: Sides,
  prefer: Side,
  uses?: Record<Side, () => Used>,
): { merged: Fields[]; conflicts: MergeConflict[] } {
  const name = listNames[kind];
  const old = base[name];
  const one = mine[name];
  const other = theirs[name];
  const merged = mergeElements(old, one, other, prefer);
  const twice = merged.twice.map((id) => bothAdded(id, one.get(id)!, other.get(id)!, prefer, merged.elements));
  const inUse = uses && kind !== 'floor' ? keepUsed(merged, old, one, other, (side) => uses[side]()[kind]) : [];
  const conflicts = [...merged.conflicts, ...twice, ...inUse];
  const kept = new Set(merged.elements.keys());
  const order = mergeOrder([...old.keys()], [...one.keys()], [...other.keys()], kept, prefer);
  return {
    merged: order.map((id) => merged.elements.get(id)!),
    conflicts: conflicts.map((each) => ({ kind, id: each.name, ...withoutName(each) })),
  };
}

/** Keeps what one side deleted while objects of the other side began to use it. */
function keepUsed(
  { elements }: MergedElements<Fields>,
  base: ElementsByName<Fields>,
  mine: ElementsByName<Fields>,
  theirs: ElementsByName<Fields>,
  newlyUsed: (deletedBy: Side) => ReadonlySet<string>,
): ElementConflict<Fields>[] {
  const found: ElementConflict<Fields>[] = [];
  for (const name of base.keys()) {
    const our = mine.get(name) ?? null;
    const their = theirs.get(name) ?? null;
    const left = our ?? their;
    if (elements.has(name) || !left || !newlyUsed(our ? 'theirs' : 'mine').has(name)) continue;
    elements.set(name, left);
    found.push({ name, fields: [], mine: our, theirs: their });
  }
  return found;
}

function usesOf(
  placed: ReadonlyMap<string, Placed>,
  mine: ChartDocument,
  theirs: ChartDocument,
): Record<Side, () => Used> {
  const since = (before: ChartDocument) => (): Used => {
    const now = usedBy(Array.from(placed.values(), ({ object }) => object));
    const then = usedBy(everyObject(before));
    const fresh = (names: ReadonlySet<string>, old: ReadonlySet<string>) => [...names].filter((name) => !old.has(name));
    return { category: new Set(fresh(now.category, then.category)), zone: new Set(fresh(now.zone, then.zone)) };
  };
  return { mine: since(mine), theirs: since(theirs) };
}

function withoutName<T>({ name: _, ...rest }: ElementConflict<T>): Omit<ElementConflict<T>, 'name'> {
  return rest;
}

/** Two different categories, zones or floors of one name: field by field, with nothing before. */
function bothAdded(
  name: string,
  mine: Fields,
  theirs: Fields,
  prefer: Side,
  elements: Map<string, Fields>,
): ElementConflict<Fields> {
  const { value, fields } = mergeFields({}, mine, theirs, prefer);
  elements.set(name, value);
  return { name, fields, mine, theirs };
}

function listsOf(document: ChartDocument): Lists {
  const byName = (list: readonly Fields[]): ElementsByName<Fields> => named(list, (element) => nameOf(element) ?? '');
  const placed: Placed[] = [];
  for (let floor = 0; floor < floorCountOf(document); floor++) {
    const id = document.floors?.[floor]?.id ?? null;
    for (const object of objectsOn(document, floor)) placed.push({ object, floor: id });
  }
  return {
    floors: byName((document.floors ?? []).map(({ objects: _, ...floor }) => floor)),
    // Decoration without an id is known by its content.
    objects: named(placed, ({ object }) => (typeof object.id === 'string' ? object.id : `\n${JSON.stringify(object)}`)),
    categories: byName(document.categories),
    zones: byName(document.zones ?? []),
  };
}

/** The fields of the document beside its lists. */
function ownFields({ objects: _, floors, categories: __, zones, ...fields }: ChartDocument): Fields {
  // An empty list of floors or zones is a field of its own.
  return { ...fields, ...(floors?.length === 0 && { floors }), ...(zones?.length === 0 && { zones }) };
}

type MergedObjects = { placed: Map<string, Placed>; conflicts: MergeConflict[]; twice: string[] };

function mergeObjects(sides: Sides, prefer: Side): MergedObjects {
  const base = sides.base.objects;
  const mine = sides.mine.objects;
  const theirs = sides.theirs.objects;
  const alone = (side: ElementsByName<Placed>) => new Map([...side].map(([name, { object }]) => [name, object]));
  const { elements, conflicts, twice } = mergeElements<ChartObject>(alone(base), alone(mine), alone(theirs), prefer);
  const placed = new Map<string, Placed>();
  const found: MergeConflict[] = conflicts.map((each) => ({ kind: 'object', id: each.name, ...withoutName(each) }));
  for (const [name, object] of elements) {
    const [was, our, their] = [base, mine, theirs].map((side) => side.get(name)?.floor);
    const isMine = our !== undefined && (their === undefined || their === was);
    const isBoth = our !== undefined && their !== undefined && was !== undefined && our !== was && their !== was;
    if (isBoth && our !== their) {
      found.push({ kind: 'object', id: name, fields: ['floor'], mine: { floor: our }, theirs: { floor: their } });
    }
    placed.set(name, { object, floor: (isMine || (isBoth && prefer === 'mine') ? our : (their ?? our)) ?? null });
  }
  return { placed, conflicts: found, twice };
}

/** My new objects under ids that they gave too get fresh ids. Nobody else knows mine yet. */
function renameMine({ placed, twice }: MergedObjects, mine: ChartDocument, theirs: ChartDocument): Map<string, string> {
  const renamed = new Map<string, string>();
  if (twice.length === 0) return renamed;
  const idFor = freshIds(mine);
  const alsoFor = freshIds(theirs);
  const mineById = listsOf(mine).objects;
  for (const id of twice) {
    const { object, floor } = mineById.get(id)!;
    const fresh = idFor(alsoFor(object.type));
    renamed.set(id, fresh);
    placed.set(fresh, { object: { ...object, id: fresh } as ChartObject, floor });
  }
  return renamed;
}

/** New objects of one id are one object: merged for a draft, left as theirs for an undo. Each is told. */
function joinTwice(merged: MergedObjects, { mine, theirs }: Sides, way: 'draft' | 'undo'): Map<string, string> {
  for (const id of merged.twice) {
    const our = mine.objects.get(id)!;
    const their = theirs.objects.get(id)!;
    const { value, fields } = mergeFields({}, our.object, their.object, 'mine');
    if (way === 'draft') merged.placed.set(id, { ...our, object: value as ChartObject });
    if (way === 'undo' || fields.length > 0) {
      merged.conflicts.push({ kind: 'object', id, fields, mine: our.object, theirs: their.object });
    }
  }
  return new Map();
}

function assemble(
  fields: Fields,
  { categories, zones, floors }: Record<'categories' | 'zones' | 'floors', Fields[]>,
  placed: ReadonlyMap<string, Placed>,
  sides: Sides,
  prefer: Side,
): ChartDocument {
  const namesOn = new Map<string | null, Set<string>>();
  const known = new Set(floors.map((floor) => nameOf(floor)));
  for (const [name, { floor }] of placed) {
    // The floor of a kept object comes back; without any floors there is the venue alone.
    if (floor !== null && floors.length > 0 && !known.has(floor)) {
      floors.push(sides.theirs.floors.get(floor) ?? sides.mine.floors.get(floor)!);
      known.add(floor);
    }
    const on = floors.length === 0 ? null : (floor ?? nameOf(floors[0]));
    namesOn.set(on, (namesOn.get(on) ?? new Set()).add(name));
  }
  const orderOf = ({ objects }: Lists) => [...objects.keys()];
  const old = orderOf(sides.base);
  const one = orderOf(sides.mine);
  const other = orderOf(sides.theirs);
  const objectsOf = (floor: string | null): ChartObject[] => {
    const kept = namesOn.get(floor) ?? new Set<string>();
    const within = (order: string[]) => order.filter((name) => kept.has(name));
    const order = mergeOrder(within(old), within(one), within(other), kept, prefer);
    // Objects under a fresh id stand in no list.
    for (const name of kept) if (!sides.mine.objects.has(name) && !sides.theirs.objects.has(name)) order.push(name);
    return order.map((name) => placed.get(name)!.object);
  };
  const whole = floors.map((floor) => ({ ...floor, objects: objectsOf(nameOf(floor)) }));
  return {
    ...fields,
    categories,
    ...(zones.length > 0 && { zones }),
    ...(whole.length > 0 && { floors: whole }),
    objects: whole[0]?.objects ?? objectsOf(null),
  } as unknown as ChartDocument;
}

/** The changes of the other side. */
function news(base: ChartDocument, theirs: ChartDocument): TheirChange[] {
  const before = listsOf(base);
  const after = listsOf(theirs);
  const changes: TheirChange[] = [];
  const compare = (kind: Kind, old: ElementsByName<Fields>, now: ElementsByName<Fields>): void => {
    for (const id of new Set([...old.keys(), ...now.keys()])) {
      const was = old.get(id);
      const is = now.get(id);
      if (was === is || isSame(was, is)) continue;
      const { label, name, displayLabel, type } = (is ?? was) as Fields & Partial<ChartObject>;
      const how = was ? (is ? 'changed' : 'deleted') : 'added';
      changes.push({
        kind,
        id,
        how,
        fields: was && is ? differing(was, is) : [],
        label: String(displayLabel || label || name || id),
        type: kind === 'object' ? type! : null,
      });
    }
  };
  const flat = ({ objects }: Lists): ElementsByName<Fields> =>
    new Map([...objects].map(([id, { object }]) => [id, object]));
  compare('object', flat(before), flat(after));
  for (const [kind, list] of [
    ['category', 'categories'],
    ['zone', 'zones'],
    ['floor', 'floors'],
  ] as const) {
    compare(kind, before[list], after[list]);
  }
  const fields = differing(ownFields(base), ownFields(theirs));
  const chart = { kind: 'document', id: null, how: 'changed', label: theirs.name, type: null } as const;
  if (fields.length > 0) changes.push({ ...chart, fields });
  return changes;
}
