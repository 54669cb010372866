/** The present statuses of a chart, kept from the feed's frames. Changes nothing but the state that it is given. */
import type { Hall } from './hall.ts';

/** `partly`: in a group, free in some performances and not in all. */
export const statusWords = ['free', 'held', 'booked', 'not_for_sale', 'partly'] as const;
export type StatusWord = (typeof statusWords)[number];
const codes = new Map<string, number>(statusWords.map((word, code) => [word, code]));

export type Statuses = {
  /** By spot, an index of `statusWords`. */
  of: Uint8Array;
  /** Free spots by block. */
  freeInBlock: Int32Array;
  /** Spots by block that are not for sale to this buyer. */
  closedInBlock: Int32Array;
  /** By block: grows with each change of one of its spots. */
  changesInBlock: Int32Array;
  /** Free places by area id. */
  freeInArea: Map<string, number>;
  version: number;
  /** The last known state of an event that sells nothing now, since its inventory has lost records. */
  isStale: boolean;
  /** The time has passed from which companions' places of sold wheelchair places are for all. */
  areCompanionsReleased: boolean;
};

export type SnapshotFrame = {
  type: 'snapshot';
  snapshotVersion: number;
  default: string;
  seats: Record<string, string>;
  hidden: string[];
  closed: string[];
  ga: Record<string, { free: number }>;
  /** Nothing is sold at present: the last known state of an event whose inventory has lost records. */
  stale?: true;
};

export type DeltaFrame = {
  type: 'delta';
  snapshotVersion: number;
  changes: { label: string; status: string }[];
  ga?: Record<string, { free: number }>;
};

/**
 * `unknown`: a label is not on this chart, so there is a newer chart. `turned`: the statuses have turned stale or fresh
 * again.
 */
export type Change = { spots: number[]; areas: string[]; unknown: boolean; turned: boolean };

export const placeOfArea = (label: string): boolean => label.startsWith('__sl_ga__');

export function noStatuses(hall: Hall): Statuses {
  return {
    of: new Uint8Array(hall.labels.length).fill(CLOSED),
    freeInBlock: new Int32Array(hall.blocks.length),
    closedInBlock: Int32Array.from(hall.blocks, ({ spots }) => spots.length),
    changesInBlock: new Int32Array(hall.blocks.length),
    freeInArea: new Map(),
    version: 0,
    isStale: false,
    areCompanionsReleased: false,
  };
}

/** The index of `not_for_sale`. */
export const CLOSED = codes.get('not_for_sale')!;

/** An unknown status reads as not for sale, so that an older page never offers units wrongly. */
const codeOf = (word: string): number => codes.get(word) ?? CLOSED;

/** Replaces everything; the result names the changes. */
export function takeSnapshot(statuses: Statuses, hall: Hall, frame: SnapshotFrame): Change {
  const usual = codeOf(frame.default);
  const isStale = frame.stale === true;
  const turned = isStale !== statuses.isStale;
  const change: Change = { spots: [], areas: takeAreas(statuses, frame.ga), unknown: false, turned };
  const next = new Uint8Array(statuses.of.length).fill(usual);
  for (const label of Object.keys(frame.seats)) {
    const spot = hall.spotOf.get(label);
    if (spot !== undefined) next[spot] = codeOf(frame.seats[label]!);
    else if (!placeOfArea(label)) change.unknown = true;
  }
  for (let spot = 0; spot < next.length; spot++) if (next[spot] !== statuses.of[spot]) change.spots.push(spot);
  for (const spot of change.spots) statuses.changesInBlock[hall.blockOf[spot]!]!++;
  statuses.of = next;
  statuses.version = frame.snapshotVersion;
  statuses.isStale = isStale;
  statuses.freeInBlock.fill(0);
  statuses.closedInBlock.fill(0);
  for (let spot = 0; spot < next.length; spot++) count(statuses, hall, spot, next[spot]!, 1);
  return change;
}

export function takeDelta(statuses: Statuses, hall: Hall, frame: DeltaFrame): Change {
  const change: Change = { spots: [], areas: takeAreas(statuses, frame.ga ?? {}), unknown: false, turned: false };
  if (frame.snapshotVersion < statuses.version) return change;
  statuses.version = frame.snapshotVersion;
  for (const { label, status } of frame.changes) {
    const spot = hall.spotOf.get(label);
    if (spot === undefined) {
      if (!placeOfArea(label)) change.unknown = true;
      continue;
    }
    const before = statuses.of[spot]!;
    const after = codeOf(status);
    if (before === after) continue;
    statuses.of[spot] = after;
    statuses.changesInBlock[hall.blockOf[spot]!]!++;
    count(statuses, hall, spot, before, -1);
    count(statuses, hall, spot, after, 1);
    change.spots.push(spot);
  }
  return change;
}

function count({ freeInBlock, closedInBlock }: Statuses, { blockOf }: Hall, spot: number, status: number, by: 1 | -1) {
  if (status === 0) freeInBlock[blockOf[spot]!]! += by;
  else if (status === CLOSED) closedInBlock[blockOf[spot]!]! += by;
}

function takeAreas(statuses: Statuses, areas: Record<string, { free: number }>): string[] {
  for (const id of Object.keys(areas)) statuses.freeInArea.set(id, areas[id]!.free);
  return Object.keys(areas);
}
