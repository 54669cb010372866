/**
 * Lookups are caches that rules derive from a state, such as the free runs of its rows. They stand beside the state and
 * are not part of it: deciding may make and refresh them, and no snapshot has them. Folds tell them every unit whose
 * status changes. A new plan drops them.
 */
import type { ReadState } from './event-state.ts';

export type Lookup = {
  /** These units have a new status. */
  unitsChanged(units: readonly number[], areFree: boolean): void;
  /** The estimated memory in bytes. */
  readonly bytes: number;
};

type StateLookup = { make: (state: ReadState) => Lookup; lookup: Lookup };

const besides = new WeakMap<ReadState, StateLookup[]>();

/** The state's lookup of one kind. `make` identifies the kind and is called once for each state. */
export function lookupOf<L extends Lookup>(state: ReadState, make: (state: ReadState) => L): L {
  const kept = besides.get(state);
  if (kept) for (let i = 0; i < kept.length; i++) if (kept[i]!.make === make) return kept[i]!.lookup as L;
  const lookup = make(state);
  if (kept) kept.push({ make, lookup });
  else besides.set(state, [{ make, lookup }]);
  return lookup;
}

export function tellLookups(state: ReadState, units: readonly number[], areFree: boolean): void {
  const kept = besides.get(state);
  if (kept) for (let i = 0; i < kept.length; i++) kept[i]!.lookup.unitsChanged(units, areFree);
}

/** Drops all lookups, since the state has another plan. */
export function dropLookups(state: ReadState): void {
  besides.delete(state);
}

export function bytesOfLookups(state: ReadState): number {
  return besides.get(state)?.reduce((bytes, { lookup }) => bytes + lookup.bytes, 0) ?? 0;
}
