/**
 * Reach masks: a reach as a table by channel number, so that one look-up tests a unit. While nothing is assigned there
 * is no mask and nothing to look up. Masks are a lookup beside the state.
 */
import type { Reach } from '@parterre/shared/protocol/records';
import { type Lookup, lookupOf, type ReadState, reachMasksKept } from '../state/state.ts';

/**
 * A caller's access to the units of a channel. `paused`: the caller would have access if the channel were not paused.
 */
const access = { none: 0, granted: 1, paused: 2 } as const;

export type ReachMask = {
  /** Equal for callers who may select the same units. */
  key: string;
  /** By channel number, 0 for public sale: a value of `access`. */
  accessTo: Uint8Array;
  of: Uint16Array | null;
  /** By object: 1 if some of its units are in the mask. Null before the first look-up. */
  objects: Uint8Array | null;
};

type MasksByKey = Map<string, ReachMask>;

/**
 * The masks of one assignment of the event's units, rebuilt when the channels change. The last used mask comes last.
 */
class ReachMasks implements Lookup {
  version = -1;
  channelCount = 0;
  of: Uint16Array | null = null;
  byKey: MasksByKey = new Map();
  readonly #objectCount: number;

  constructor(objectCount: number) {
    this.#objectCount = objectCount;
  }

  reset(version: number, channelCount: number, of: Uint16Array | null): void {
    [this.version, this.channelCount, this.of] = [version, channelCount, of];
    this.byKey = new Map();
  }

  /** A mask does not depend on statuses. */
  unitsChanged(): void {}

  /** An upper estimate that is cheap to compute. */
  get bytes(): number {
    return this.byKey.size * (this.#objectCount + this.channelCount);
  }
}

function newReachMasks({ plan }: ReadState): ReachMasks {
  return new ReachMasks(plan.objects.length);
}

export const publicOnly: Reach = { channelIds: [], includePublic: true };

/** The mask of a reach. Null if the reach has every unit. */
export function maskFor(state: ReadState, reach: Reach): ReachMask | null {
  const { channels } = state;
  if (channels.of === null && reach.includePublic) return null;
  return maskNamed(state, keyOf(reach) ?? '', () => accessTable(channels, reach));
}

/** The units that only an override gives to a caller of this reach. */
export function outsideOf(state: ReadState, reach: Reach): ReachMask {
  const invert = (each: number): number => (each === access.granted ? access.none : access.granted);
  return maskNamed(state, `!${keyOf(reach) ?? ''}`, () => accessTable(state.channels, reach).map(invert));
}

/** Past `reachMasksKept` masks, the least recently used mask makes room. */
function maskNamed(state: ReadState, key: string, accessTo: () => Uint8Array): ReachMask {
  const byKey = masksOf(state);
  let mask = byKey.get(key);
  if (mask) byKey.delete(key);
  else if (byKey.size === reachMasksKept) byKey.delete(byKey.keys().next().value!);
  mask ??= { key, accessTo: accessTo(), of: state.channels.of, objects: null };
  byKey.set(key, mask);
  return mask;
}

function masksOf(state: ReadState): MasksByKey {
  const { version, ids, of } = state.channels;
  const lookup = lookupOf(state, newReachMasks);
  if (lookup.version !== version || lookup.of !== of || lookup.channelCount !== ids.length) {
    lookup.reset(version, ids.length, of);
  }
  return lookup.byKey;
}

function accessTable({ ids, byId }: ReadState['channels'], { channelIds, includePublic }: Reach): Uint8Array {
  const reached = new Set(channelIds);
  const table = new Uint8Array(1 + ids.length);
  table[0] = includePublic ? access.granted : access.none;
  for (const [i, id] of ids.entries()) {
    if (reached.has(id)) table[i + 1] = byId.get(id)!.state === 'paused' ? access.paused : access.granted;
  }
  return table;
}

export function isIn(mask: ReachMask | null, unit: number): boolean {
  return mask === null || accessOf(mask, unit) === access.granted;
}

/** See `ReachMask.objects`. Computed once for each assignment of units. */
export function objectsInMask({ plan }: ReadState, mask: ReachMask): Uint8Array {
  if (mask.objects) return mask.objects;
  mask.objects = new Uint8Array(plan.objects.length);
  for (let unit = 0; unit < plan.unitCount; unit++) {
    if (isIn(mask, unit)) mask.objects[plan.objectOfUnit[unit]!] = 1;
  }
  return mask.objects;
}

/** Whether only a pause keeps the unit from the caller. */
export function isPausedIn(mask: ReachMask, unit: number): boolean {
  return accessOf(mask, unit) === access.paused;
}

function accessOf({ accessTo, of }: ReachMask, unit: number): number {
  return accessTo[of === null ? 0 : of[unit]!]!;
}

/** A key that is equal for reaches of the same channels. Null for public sale only. */
export function keyOf(reach: Reach | undefined): string | null {
  if (reach === undefined || (reach.includePublic && reach.channelIds.length === 0)) return null;
  const { channelIds, includePublic } = reach;
  const ids = channelIds.length > 1 ? [...new Set(channelIds)].sort() : channelIds;
  return `${includePublic ? '+' : '-'}${ids.join(' ')}`;
}
