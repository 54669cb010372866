/**
 * The history of one event as its journal tells it, checked as it is written, and the callers' answers, checked against
 * it. A position is a number of records: the state at a position is the fold of that many.
 *
 * - I1: `seats.ts` finds no unit with two holders.
 * - I4, I6: a record equals the decision of its command in the state before it, whole, in one group.
 * - I5: a command with a repeatable name has an effect once, and none after its caller was answered.
 * - I2 and linearizability: one position explains an answer. It is not before the position that was known when the
 *   command was sent, nor behind the end of the log when the answer comes. A success with an effect needs that effect
 *   in the log.
 * - I7: a published change is the log's change at its version, and continues the version before.
 */
import type { Caller, Command } from '@parterre/shared/commands';
import type { Outcome, Refusal } from '@parterre/shared/errors';
import type { FeedChange, Group, UnitStatus } from '@parterre/shared/records';
import { changedDivisions } from '../../../services/inventory-shard/src/rules/availability/availability.ts';
import { PackedMap } from '../../../services/inventory-shard/src/rules/packed/packed-map.ts';
import { DeadlineHeap } from '../../../services/inventory-shard/src/rules/state/deadlines.ts';
import type { EventState } from '../../../services/inventory-shard/src/rules/state/event-state.ts';
import { Holds } from '../../../services/inventory-shard/src/rules/state/holds.ts';
import { bookingPacking, holdPacking } from '../../../services/inventory-shard/src/rules/state/packed-holders.ts';
import { newState } from '../../../services/inventory-shard/src/rules/state/state.ts';
import { apply, closeGroup } from '../../../services/inventory-shard/src/rules/turn/apply.ts';
import { changedUnits } from '../../../services/inventory-shard/src/rules/turn/changes.ts';
import { decide } from '../../../services/inventory-shard/src/rules/turn/decide.ts';
import { planNamed, planOfCommand, smallPlan } from '../../support/inventory/house.ts';
import { Seats } from './seats.ts';

/** One command to a front door. `caller.actor` is its name: records name their actor. */
export type Call = { name: string; eventKey: string; caller: Caller; command: Command; after: number };

type Execution = { position: number; end: number; answer: unknown };

/** Refusals that say nothing about the event. */
const inconclusive = new Set(['shard_unavailable', 'overloaded', 'catalog_unavailable']);
/** Repetitions of these have no further effect, so they need no name. */
const repeatable = new Set(['create']);

export class EventHistory {
  readonly eventKey: string;
  readonly #calls: Map<string, Call>;
  readonly #seats = new Seats();
  readonly #executions = new Map<string, Execution>();
  /** By position. */
  readonly #states: EventState[] = [];
  readonly #byVersion = new Map<number, { state: EventState; change: FeedChange }>();
  /** Calls with a clear answer: they must have no later effect. */
  readonly #ended = new Set<string>();
  readonly #toldOnce: boolean;
  #known = 0;

  /**
   * `calls`: all calls so far, by name. `toldOnce`: the network delivers no message twice, which no retry would
   * explain.
   */
  constructor(eventKey: string, calls: Map<string, Call>, toldOnce: boolean) {
    this.#toldOnce = toldOnce;
    this.eventKey = eventKey;
    this.#calls = calls;
  }

  /** The least position for every later answer: an answer has already shown it. */
  get known(): number {
    return this.#known;
  }

  get #end(): number {
    return Math.max(this.#states.length - 1, 0);
  }

  /** The state after the whole journal; null without one. */
  get latest(): EventState | null {
    return this.#states.at(-1) ?? null;
  }

  stateAt(version: number): EventState | null {
    return this.#byVersion.get(version)?.state ?? null;
  }

  overdue(now: number): string[] {
    return this.#seats.overdue(now);
  }

  /** Takes a group that was just stored. */
  take(group: Group, sequence: number): void {
    const from = this.latest?.version ?? 0;
    for (let i = 0; i < group.records.length; ) i += this.#takeExecution(group, i);
    const state = this.latest!;
    closeGroup(state, sequence);
    const updated = group.records.some((record) => record.type === 'chart-updated');
    if (updated && group.records.length > 1)
      throw new Error(`${this.eventKey} changes its chart together with other records`);
    if (group.plan !== state.plan.hash) throw new Error(`a group names ${group.plan}, the chart is ${state.plan.hash}`);
    const activeHolds = state.holds.active.size;
    const change: FeedChange = { from, to: sequence, at: group.at, ...changedUnits(state, group.records), activeHolds };
    const turned = group.records.findLast((record) => record.type === 'status-set');
    if (turned) {
      change.eventStatus = turned.status;
      change.salesPaused = turned.salesPaused ?? false;
    }
    const scopes = changedDivisions(state, group.records);
    if (scopes) change.scopes = scopes;
    if (updated) change.plan = group.plan;
    this.#byVersion.set(sequence, { state, change });
  }

  /** The records of one command, or one record of the clock. Returns their number. */
  #takeExecution(group: Group, first: number): number {
    const record = group.records[first]!;
    const name = record.by.actor;
    if (record.type === 'created') {
      if (this.latest) throw new Error(`${this.eventKey} is created twice`);
      this.#states.push(newState(record.config, smallPlan));
      this.#states[0]!.at = group.at;
    }
    if (name === null) return this.#takeRecords(group, first, 1);
    const call = this.#calls.get(name);
    if (!call) throw new Error(`nobody asked for ${JSON.stringify(record)}`);
    const decision = decide(this.latest!, call.command, call.caller, group.at, planOfCommand(call.command));
    if (!decision.ok) throw new Error(`${name} has an effect, though it is refused: ${decision.refusal.code}`);
    const count = decision.records.length;
    const records = group.records.slice(first, first + count);
    if (!isSame(records, decision.records)) {
      throw new Error(`${name} comes to ${text(decision.records)}, the group says ${text(records)}`);
    }
    if (!repeatable.has(call.command.type)) {
      if (this.#executions.has(name)) throw new Error(`${name} has a second effect`);
      if (this.#toldOnce && this.#ended.has(name)) throw new Error(`${name} has an effect after its answer`);
    }
    const position = this.#end;
    this.#takeRecords(group, first, count);
    this.#executions.set(name, { position, end: this.#end, answer: decision.answer });
    return count;
  }

  #takeRecords(group: Group, first: number, count: number): number {
    for (const record of group.records.slice(first, first + count)) {
      const wrong = this.#seats.take(record, group.at);
      if (wrong) throw new Error(`${this.eventKey}: ${wrong}`);
      const state = copyOf(this.latest!);
      apply(state, record, group.at, planNamed(group.plan));
      this.#states.push(state);
    }
    return count;
  }

  /** An answer has reached the caller. */
  answered(call: Call, outcome: Outcome<unknown>): void {
    if (!outcome.ok && inconclusive.has(outcome.refusal.code)) return;
    this.#ended.add(call.name);
    const isNamed = !repeatable.has(call.command.type);
    if (this.#toldOnce && isNamed && !outcome.ok && this.#executions.has(call.name)) {
      throw new Error(`${call.name} is refused, though it had an effect: ${text(outcome)}`);
    }
    const told = outcome.ok ? outcome.value : outcome.refusal;
    const execution = this.#executions.get(call.name);
    if (outcome.ok && execution && execution.position >= call.after && isSame(execution.answer, told)) {
      this.#known = Math.max(this.#known, execution.end);
      return;
    }
    for (let position = call.after; position <= this.#end; position++) {
      if (!this.#explains(call, outcome.ok, told, position)) continue;
      this.#known = Math.max(this.#known, position);
      return;
    }
    throw new Error(
      `nothing from position ${call.after} to ${this.#end} of ${call.eventKey} explains the answer to ` +
        `${call.name} ${text(call.command)}: ${text(outcome)}`,
    );
  }

  /** True when the command, without an effect, has this answer in the state at a position. */
  #explains({ command, caller }: Call, ok: boolean, told: unknown, position: number): boolean {
    const state = this.#states[position];
    if (!state) return false;
    // The only answer that depends on its time: a scheduled unblock in the past is refused.
    const now = isLate(told) ? Number.MAX_SAFE_INTEGER : state.at;
    const decision = decide(state, command, caller, now, planOfCommand(command));
    if (!decision.ok) return !ok && isSame(decision.refusal, told);
    return ok && decision.records.length === 0 && isSame(decision.answer, told);
  }

  /** A change is published to the front doors. */
  changeTold(change: FeedChange): void {
    const known = this.#byVersion.get(change.to);
    if (!known || !isSame(known.change, change)) {
      throw new Error(`${this.eventKey} is told to change by ${text(change)}, the journal says ${text(known?.change)}`);
    }
  }

  statusesAt(version: number): UnitStatus[] | null {
    const state = this.stateAt(version);
    return state ? ([...state.statuses] as UnitStatus[]) : null;
  }
}

/** A copy without the index of deadlines, deep enough that `apply` and `decide` leave the original alone. */
function copyOf(state: EventState): EventState {
  return {
    ...state,
    statuses: state.statuses.slice(),
    slotOf: state.slotOf.slice(),
    counts: [...state.counts],
    withheld: state.withheld && { ...state.withheld },
    thresholdBase: state.thresholdBase && { ...state.thresholdBase },
    holds: new Holds(
      new Map([...state.holds.active].map(([id, hold]) => [id, { ...hold }])),
      PackedMap.from(holdPacking, state.holds.ended.copyBytes()),
    ),
    bookings: PackedMap.from(bookingPacking, state.bookings.copyBytes()),
    blockedUntil: new Map(state.blockedUntil),
    calls: new Map(state.calls),
    namedCalls: new Map(state.namedCalls),
    deadlines: new DeadlineHeap(),
  };
}

function isLate(told: unknown): boolean {
  return (told as Partial<Refusal>).code === 'invalid_request';
}

/** A view names the version of the last group, and may show more: its content counts. */
function isSame(one: unknown, other: unknown): boolean {
  return text(one) === text(other);
}

function text(value: unknown): string {
  return JSON.stringify(value, (key, each) => {
    if (key === 'version') return undefined;
    if (each instanceof Uint8Array) return [...each];
    return each?.type === 'Buffer' ? each.data : each;
  });
}
