/**
 * The product's own fold of an event's journal, with the state at each position. A position is a number of records: the
 * state at a position is the fold of that many. The state after each group goes by way of a snapshot (I6). The snapshot
 * is kept, and the states at earlier positions are made of snapshots when they are asked for.
 */
import type { EventConfig, EventGroup } from '@parterre/shared/protocol/records';
import { decodeKept, encodeKept } from '@parterre/shared/protocol/wire';
import type { EventState } from '../../../services/inventory-shard/src/rules/state/event-state.ts';
import { newState } from '../../../services/inventory-shard/src/rules/state/state.ts';
import { apply, closeGroup } from '../../../services/inventory-shard/src/rules/turn/apply.ts';
import {
  capture,
  fromSnapshot,
  type Snapshot,
  toSnapshot,
} from '../../../services/inventory-shard/src/rules/turn/snapshot.ts';
import { firstChart, planNamed } from '../../support/model/reference/chart.ts';

/** A group whose records lead to the positions from `first + 1` to `last`. */
type Folded = { group: EventGroup; first: number; last: number; bytes: Uint8Array };

export class Fold {
  readonly #folded: Folded[] = [];
  readonly #byVersion = new Map<number, Uint8Array>();
  /** By position: the states that were asked for. */
  readonly #states = new Map<number, EventState>();
  #latest: EventState | null = null;
  #end = 0;

  /** The state after all records; null before the first. Only this class changes it. */
  get latest(): EventState | null {
    return this.#latest;
  }

  /** The position after all records. */
  get end(): number {
    return this.#end;
  }

  /** Begins the event. Its position is 0. */
  begin(config: EventConfig, at: number): void {
    this.#latest = newEvent(config, at);
  }

  /** Folds `count` records of a group. */
  take({ records, at, plan }: EventGroup, first: number, count: number): void {
    for (let i = first; i < first + count; i++) apply(this.#latest!, records[i]!, at, planNamed(plan));
    this.#end += count;
  }

  /** Ends the group at `sequence`, with all its records taken. Returns the state as the records made it. */
  close(group: EventGroup, sequence: number): EventState {
    const state = this.#latest!;
    closeGroup(state, sequence);
    const bytes = bytesOf(state);
    this.#folded.push({ group, first: this.#end - group.records.length, last: this.#end, bytes });
    this.#byVersion.set(sequence, bytes);
    this.#latest = stateIn(bytes, state.plan.hash);
    return state;
  }

  /** The snapshot of the state at a version of the event, or null if no group has the version. */
  bytesAt(version: number): Uint8Array | null {
    return this.#byVersion.get(version) ?? null;
  }

  /** The state at a position up to `end`; null without an event. */
  stateAt(position: number): EventState | null {
    if (position === this.#end) return this.#latest;
    const known = this.#states.get(position);
    if (known) return known;
    const made = this.#make(position);
    this.#states.set(position, made);
    return made;
  }

  #make(position: number): EventState {
    const nth = this.#folded.findIndex(({ last }) => last >= position);
    const { group, first, last, bytes } = this.#folded[nth]!;
    if (position === last) return stateIn(bytes, group.plan);
    const before = this.#folded[nth - 1];
    const state = before ? stateIn(before.bytes, before.group.plan) : newEvent(configIn(group), group.at);
    for (const record of group.records.slice(0, position - first))
      apply(state, record, group.at, planNamed(group.plan));
    return state;
  }
}

/** The state in the form in which two states are compared. */
export function bytesOf(state: EventState): Uint8Array {
  return encodeKept(toSnapshot(capture(state)));
}

function stateIn(bytes: Uint8Array, planHash: string): EventState {
  return fromSnapshot(decodeKept<Snapshot>(bytes), planNamed(planHash));
}

function newEvent(config: EventConfig, at: number): EventState {
  const state = newState(config, firstChart.plan);
  state.at = at;
  return state;
}

function configIn({ records: [first] }: EventGroup): EventConfig {
  if (first?.type !== 'created') throw new Error(`an event begins with ${first?.type}`);
  return first.config;
}
