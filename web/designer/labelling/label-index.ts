/**
 * Which objects have a label, kept object by object: a change costs the labels of the changed objects alone. Two
 * objects that claim one label clash, and so do two seats of one object. An area claims its own label; the labels of
 * its places contain its id, and the publish issues compare them.
 *
 * Invariant: `#claims` has each label of `#labelsOf` as often as the objects claim it.
 */
import type { ChartDocument, ChartObject } from '@parterre/shared/charts/document';
import { isSeller, placesOf } from '@parterre/shared/charts/places';
import { everyObject, idOf } from '../document/objects.ts';

/** `label` of `objectId` is also a label of `otherId`, and so are `more` further labels. */
export type Clash = { objectId: string; otherId: string; label: string; more: number };

/** One id, or a list of ids. An object that claims the label twice stands in the list twice. */
type Claimants = string | string[];

export class LabelIndex {
  readonly #objects = new Map<string, ChartObject>();
  readonly #labelsOf = new Map<string, readonly string[]>();
  readonly #claims = new Map<string, Claimants>();
  readonly #shared = new Set<string>();

  constructor(document: ChartDocument) {
    this.update(document);
  }

  /** Objects that are the same as before cost a look each. */
  update(document: ChartDocument): void {
    const seen = new Set<string>();
    for (const object of everyObject(document)) {
      if (!isSeller(object)) continue;
      const id = idOf(object);
      seen.add(id);
      if (this.#objects.get(id) === object) continue;
      this.#drop(id);
      this.#objects.set(id, object);
      this.#claimAll(id, claimedBy(object));
    }
    if (seen.size === this.#objects.size) return;
    for (const id of [...this.#objects.keys()]) if (!seen.has(id)) this.#drop(id);
  }

  /** Every pair of objects that share labels, once, at most `most`. */
  clashes(most: number): Clash[] {
    const found = new Map<string, Clash>();
    for (const label of this.#shared) {
      const [first, ...others] = this.#claims.get(label) as string[];
      for (const other of others) addClash(found, other, first!, label);
      if (found.size >= most) break;
    }
    return [...found.values()].slice(0, most);
  }

  /** The first clash of each of these objects, as they are. */
  clashesOf(ids: ReadonlySet<string>): Clash[] {
    const found = new Map<string, Clash>();
    if (this.#shared.size === 0) return [];
    for (const id of ids) {
      for (const label of this.#labelsOf.get(id) ?? []) {
        if (!this.#shared.has(label)) continue;
        const others = [...(this.#claims.get(label) as string[])];
        others.splice(others.indexOf(id), 1);
        for (const other of others) addClash(found, id, other, label);
      }
    }
    return [...found.values()];
  }

  /** The clashes that there would be if these objects took the place of those with their ids. */
  clashesIf(objects: readonly ChartObject[]): Clash[] {
    const found = new Map<string, Clash>();
    const changed = new Set(objects.map(idOf));
    const proposed = new Map<string, string>();
    for (const object of objects) {
      const id = idOf(object);
      for (const label of claimedBy(object)) {
        const other = proposed.get(label) ?? this.#otherClaimant(label, changed);
        if (other !== null) addClash(found, id, other, label);
        else proposed.set(label, id);
      }
    }
    return [...found.values()];
  }

  /** The objects with at least one of these labels. */
  objectsWith(labels: readonly string[]): ChartObject[] {
    const ids = new Set(labels.flatMap((label) => this.#claims.get(label) ?? []));
    return [...ids].map((id) => this.#objects.get(id)!);
  }

  #otherClaimant(label: string, changed: ReadonlySet<string>): string | null {
    const claimants = this.#claims.get(label);
    if (claimants === undefined) return null;
    if (typeof claimants === 'string') return changed.has(claimants) ? null : claimants;
    return claimants.find((id) => !changed.has(id)) ?? null;
  }

  #claimAll(id: string, labels: readonly string[]): void {
    this.#labelsOf.set(id, labels);
    for (const label of labels) {
      const claimants = this.#claims.get(label);
      if (claimants === undefined) this.#claims.set(label, id);
      else {
        this.#shared.add(label);
        this.#claims.set(label, typeof claimants === 'string' ? [claimants, id] : [...claimants, id]);
      }
    }
  }

  #drop(id: string): void {
    for (const label of this.#labelsOf.get(id) ?? []) {
      const claimants = this.#claims.get(label)!;
      if (typeof claimants === 'string') this.#claims.delete(label);
      else {
        const rest = claimants.toSpliced(claimants.indexOf(id), 1);
        this.#claims.set(label, rest.length === 1 ? rest[0]! : rest);
        if (rest.length === 1) this.#shared.delete(label);
      }
    }
    this.#labelsOf.delete(id);
    this.#objects.delete(id);
  }
}

function addClash(found: Map<string, Clash>, objectId: string, otherId: string, label: string): void {
  const key = JSON.stringify([objectId, otherId]);
  const known = found.get(key);
  if (known) known.more++;
  else found.set(key, { objectId, otherId, label, more: 0 });
}

function claimedBy(object: ChartObject): string[] {
  if (!isSeller(object)) return [];
  return object.type === 'gaArea' ? [object.label] : placesOf(object).map(({ label }) => label);
}
