/** Lists of named elements that two sides changed, merged element by element. Pure. */
import { type Fields, isSame } from './fields.ts';
import { mergeFields, type Side } from './merge-fields.ts';

/** Elements by their names, in the order of the list. The second element of a name gets another name. */
export type ElementsByName<T> = ReadonlyMap<string, T>;

export function named<T>(list: readonly T[], nameOf: (element: T) => string): ElementsByName<T> {
  const byName = new Map<string, T>();
  for (const element of list) {
    let name = nameOf(element);
    while (byName.has(name)) name += '\n';
    byName.set(name, element);
  }
  return byName;
}

export type ElementConflict<T> = {
  name: string;
  /** Fields that both changed. None where one side deleted the element that the other changed. */
  fields: string[];
  mine: T | null;
  theirs: T | null;
};

export type MergedElements<T> = {
  /** In no order. */
  elements: Map<string, T>;
  conflicts: ElementConflict<T>[];
  /** Names under which both sides added different elements. `elements` has theirs. */
  twice: string[];
};

/**
 * An element stays where one side changed it and the other deleted it. With `prefer` theirs, an element that they
 * deleted goes.
 */
export function mergeElements<T extends Fields>(
  base: ElementsByName<T>,
  mine: ElementsByName<T>,
  theirs: ElementsByName<T>,
  prefer: Side,
) {
  const merged: MergedElements<T> = { elements: new Map(), conflicts: [], twice: [] };
  const { elements, conflicts } = merged;
  for (const name of new Set([...base.keys(), ...theirs.keys(), ...mine.keys()])) {
    const was = base.get(name);
    const our = mine.get(name);
    const their = theirs.get(name);
    if (our === their || isSame(our, their)) {
      // Mine where both are the same: the page knows this object already.
      if (our) elements.set(name, our);
    } else if (isSame(was, our)) {
      if (their) elements.set(name, their);
    } else if (isSame(was, their)) {
      if (our) elements.set(name, our);
    } else if (was && our && their) {
      const { value, fields } = mergeFields(was, our, their, prefer);
      elements.set(name, value as T);
      if (fields.length > 0) conflicts.push({ name, fields, mine: our, theirs: their });
    } else if (our && their) {
      elements.set(name, their);
      merged.twice.push(name);
    } else {
      const kept = their ?? (prefer === 'mine' ? our : undefined);
      if (kept) elements.set(name, kept);
      conflicts.push({ name, fields: [], mine: our ?? null, theirs: their ?? null });
    }
  }
  return merged;
}

type Order = readonly string[];

/**
 * The names of `kept`, in the order of the side that moved elements. Where only the other list has a name, the name
 * follows the same name as it does there.
 */
export function mergeOrder(base: Order, mine: Order, theirs: Order, kept: ReadonlySet<string>, prefer: Side): string[] {
  const inMine = new Set(mine);
  const inTheirs = new Set(theirs);
  const common = (order: Order): string[] => order.filter((name) => inMine.has(name) && inTheirs.has(name));
  const inBase = new Set(base);
  const old = common(base);
  const isMoved = (side: Order): boolean =>
    common(side)
      .filter((name) => inBase.has(name))
      .some((name, position) => name !== old[position]);
  const isMine = isMoved(mine) && (prefer === 'mine' || !isMoved(theirs));
  const [lead, other] = isMine ? [mine, theirs] : [theirs, mine];
  const inLead = new Set(lead);
  /** The names that only the other list has, by the name before them. */
  const following = new Map<string | null, string[]>();
  let anchor: string | null = null;
  for (const name of other) {
    if (!kept.has(name)) continue;
    if (inLead.has(name)) anchor = name;
    else following.set(anchor, [...(following.get(anchor) ?? []), name]);
  }
  const order = [...(following.get(null) ?? [])];
  for (const name of lead) if (kept.has(name)) order.push(name, ...(following.get(name) ?? []));
  return order;
}
