/**
 * The history of one event as its journal tells it, checked as it is written, and the callers' answers, checked against
 * it. Positions are those of `fold.ts`.
 *
 * - I1: `oracle.ts` has the same holder of each seat, the same prices and the same use of quotas after each group.
 * - I4, I6: a record equals the decision of its command in the state before it, whole, in one group.
 * - I5: a command with a repeatable name has an effect once, and none after its caller was answered.
 * - I2 and linearizability: one position explains an answer. It is not before the position that was known when the
 *   command was sent, nor behind the end of the log when the answer comes. A success with an effect needs that effect
 *   in the log.
 * - I7: a published change is the log's change at its version, and continues the version before.
 */
import type { Plan } from '@parterre/shared/charts/plan';
import type { Caller, Command } from '@parterre/shared/protocol/commands';
import type { Outcome, Refusal } from '@parterre/shared/protocol/errors';
import type { FeedChange } from '@parterre/shared/protocol/feed-change';
import type { EventGroup } from '@parterre/shared/protocol/records';
import { perhapsCarriedOut } from '../../../services/frontdoor/src/shards/command-repeats.ts';
import { changesChart } from '../../../services/inventory-shard/src/rules/chart/chart.ts';
import type { EventState } from '../../../services/inventory-shard/src/rules/state/event-state.ts';
import { feedChangeOf } from '../../../services/inventory-shard/src/rules/turn/changes.ts';
import { decide } from '../../../services/inventory-shard/src/rules/turn/decide.ts';
import { withNames } from '../../../services/inventory-shard/src/rules/turn/named-places.ts';
import { planNamed } from '../../support/model/reference/chart.ts';
import type { Sent } from '../../support/model/steps/steps.ts';
import { count } from '../tally.ts';
import { ownershipOf } from '../world/cluster.ts';
import { isAlike } from './alike.ts';
import { chartMoments } from './chart-moments.ts';
import { Fold } from './fold.ts';
import { Oracle } from './oracle.ts';

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
  /** Callers draw their next calls from its world. */
  readonly oracle: Oracle;
  /** The calls so far, for calls that repeat earlier calls. */
  readonly sent: Sent[] = [];
  /** The effects of each call, mostly one. */
  readonly #executions = new Map<string, Execution[]>();
  /** Positions between the records of one command: nobody sees the state there (I4). */
  readonly #within = new Set<number>();
  readonly #fold = new Fold();
  /** By version: the change that is published. */
  readonly #changes = new Map<number, FeedChange>();
  /** Calls with a clear answer: they must have no later effect. */
  readonly #ended = new Set<string>();
  readonly #toldOnce: boolean;
  readonly #moments: Map<string, number>;
  /** Callers may call: the event has its first channels. */
  isOpen = false;
  #known = 0;

  /**
   * `calls`: all calls so far, by name. `toldOnce`: the network delivers no message twice, which no retry would
   * explain. `moments` counts changes of the chart, see `chart-moments.ts`.
   */
  constructor(eventKey: string, calls: Map<string, Call>, toldOnce: boolean, moments: Map<string, number>) {
    this.#toldOnce = toldOnce;
    this.#moments = moments;
    this.eventKey = eventKey;
    this.oracle = new Oracle(ownershipOf(eventKey));
    this.#calls = calls;
  }

  /** The least position for every later answer: an answer has already shown it. */
  get known(): number {
    return this.#known;
  }

  /** The owner's state at a version in the form of a snapshot; null if the journal has no such version. */
  bytesAt(version: number): Uint8Array | null {
    return this.#fold.bytesAt(version);
  }

  overdue(now: number): string[] {
    return this.oracle.overdue(now);
  }

  /** Takes a group that was just stored. */
  take(group: EventGroup, sequence: number): void {
    const from = this.#fold.latest?.version ?? 0;
    if (group.from !== undefined && group.from !== from)
      throw new Error(`part ${sequence} follows ${group.from}, not ${from}`);
    if (group.records[0]?.type === 'clock-set') this.oracle.setClock(group.at);
    else this.oracle.pass(group.at);
    for (let i = 0; i < group.records.length; ) i += this.#takeExecution(group, i);
    const state = this.#fold.close(group, sequence);
    const updated = group.records.some((record) => record.type === 'chart-updated');
    const ofChart = new Set(['chart-updated', 'chart-set', 'renumbered']);
    if (updated && group.records.some(({ type }) => !ofChart.has(type)))
      throw new Error(`${this.eventKey} changes its chart together with other records`);
    if (group.plan !== state.plan.hash) throw new Error(`a group names ${group.plan}, the chart is ${state.plan.hash}`);
    if (updated) for (const moment of chartMoments(this.oracle.world)) count(this.#moments, moment);
    const soldOuts = group.records.filter(({ type }) => type === 'sold-out').length;
    const difference = this.oracle.differenceFrom(state, soldOuts);
    if (difference !== null) throw new Error(`${this.eventKey}, by the oracle: ${difference}`);
    this.#changes.set(sequence, feedChangeOf(state, group.records, { from, to: sequence, at: group.at }));
  }

  /** The records of one command, or one record of the clock. Returns their number. */
  #takeExecution(group: EventGroup, first: number): number {
    const record = group.records[first]!;
    const name = record.by.actor;
    if (record.type === 'created') {
      if (this.#fold.latest) throw new Error(`${this.eventKey} is created twice`);
      this.#fold.begin(record.config, group.at);
    }
    if (name === null) {
      this.#fold.take(group, first, 1);
      return 1;
    }
    const call = this.#calls.get(name);
    if (!call) throw new Error(`nobody asked for ${JSON.stringify(record)}`);
    const decision = decide(this.#fold.latest!, call.command, call.caller, group.at, planOfCommand(call.command));
    if (!decision.ok) throw new Error(`${name} has an effect, though it is refused: ${decision.refusal.code}`);
    const count = decision.records.length;
    const records = group.records.slice(first, first + count);
    if (!isAlike(records, decision.records)) {
      throw new Error(`${name} comes to ${text(decision.records)}, the group says ${text(records)}`);
    }
    if (!repeatable.has(call.command.type)) {
      if (this.#executions.has(name)) throw new Error(`${name} has a second effect`);
      if (this.#toldOnce && this.#ended.has(name)) throw new Error(`${name} has an effect after its answer`);
    }
    const fault = this.oracle.take(call.command, call.caller);
    if (fault !== null) throw new Error(`${name} ${text(call.command)} ${fault}`);
    const position = this.#fold.end;
    this.#fold.take(group, first, count);
    const execution = { position, end: this.#fold.end, answer: decision.answer };
    for (let inner = position + 1; inner < this.#fold.end; inner++) this.#within.add(inner);
    this.#executions.set(name, [...(this.#executions.get(name) ?? []), execution]);
    return count;
  }

  /** An answer has reached the caller. */
  answered(call: Call, outcome: Outcome<unknown>): void {
    if (!outcome.ok && inconclusive.has(outcome.refusal.code)) {
      if (promisesNoEffect(call, outcome.refusal)) this.#mustHaveNoEffect(call, outcome);
      return;
    }
    this.#ended.add(call.name);
    const isNamed = !repeatable.has(call.command.type);
    if (this.#toldOnce && isNamed && !outcome.ok && this.#mustRemember(call)) {
      throw new Error(`${call.name} is refused, though it had an effect: ${text(outcome)}`);
    }
    const told = outcome.ok ? outcome.value : outcome.refusal;
    const execution = this.#executions
      .get(call.name)
      ?.find(({ position, answer }) => position >= call.after && isAlike(answer, told));
    if (outcome.ok && execution) {
      this.#known = Math.max(this.#known, execution.end);
      return;
    }
    if (!outcome.ok) this.#demandRefusal(call, outcome.refusal);
    for (let position = call.after; position <= this.#fold.end; position++) {
      if (this.#within.has(position)) continue;
      if (!this.#explains(call, outcome.ok, told, position)) continue;
      this.#known = Math.max(this.#known, position);
      return;
    }
    throw new Error(
      `nothing from position ${call.after} to ${this.#fold.end} of ${call.eventKey} explains the answer to ` +
        `${call.name} ${text(call.command)}: ${text(outcome)}`,
    );
  }

  /**
   * Whether a copy of the call must get the answer of its effect. A copy of `book-best` hears of a cancellation, and a
   * copy of `reserve` of the end of its offer.
   */
  #mustRemember({ name, command }: Call): boolean {
    const effects = this.#executions.get(name);
    const hearsOfEnd = command.type === 'book-best' || command.type === 'reserve';
    return effects !== undefined && !(hearsOfEnd && effects.at(-1)!.end < this.#fold.end);
  }

  /** The caller may repeat the call under another name, so the call had no effect and never has one. */
  #mustHaveNoEffect(call: Call, outcome: Outcome<unknown>): void {
    if (!this.#toldOnce) return;
    if (this.#executions.has(call.name)) throw new Error(`${call.name} had an effect: ${text(outcome)}`);
    this.#ended.add(call.name);
  }

  /** True when the command, without an effect, has this answer in the state at a position. */
  #explains({ command, caller }: Call, ok: boolean, told: unknown, position: number): boolean {
    const state = this.#fold.stateAt(position);
    if (!state) return false;
    return timesFrom(state, command, told).some((now) => {
      const decision = decide(state, command, caller, now, planOfCommand(command));
      if (!decision.ok) return !ok && isAlike(withNames(state, caller, decision.refusal), told);
      return ok && decision.records.length === 0 && isAlike(decision.answer, told);
    });
  }

  /** A refusal that only the present state explains is the oracle's refusal too. */
  #demandRefusal({ name, command, caller, after }: Call, refusal: Refusal): void {
    const state = this.#fold.latest;
    if (!state || after !== this.#fold.end) return;
    if (this.oracle.refuses(command, caller, refusal, timesFrom(state, command, refusal))) return;
    throw new Error(`${name} ${text(command)} is refused, though not by the oracle: ${text(refusal)}`);
  }

  /** A change is published to the front doors. */
  changeTold(change: FeedChange): void {
    const known = this.#changes.get(change.to);
    // The anchor of an event out of memory does not tell the number of holds, which it leaves as it is.
    if (!isAlike(known, { activeHolds: known?.activeHolds, ...change })) {
      throw new Error(`${this.eventKey} is told to change by ${text(change)}, the journal says ${text(known)}`);
    }
  }
}

/**
 * The times that matter to a decision after `at`: ticket releases and sales begin and end without a record. A scheduled
 * unblock in the past is refused at any later time, and so is a command behind its `actsUntil`. An archived event
 * answers an extension that would not lengthen the hold, and refuses the same extension once time has passed. At the
 * end of a hold each extension lengthens the hold, if any extension does.
 */
function timesFrom({ at, releases, config, channels, holds }: EventState, command: Command, told: unknown): number[] {
  const turns = [
    command.type === 'extend' ? holds.get(command.holdId)?.expiresAt : undefined,
    ...releases.flatMap(({ startsAt, endsAt }) => [startsAt, endsAt]),
    ...[config.salesStartAt, config.salesEndAt],
    ...Array.from(channels.byId.values(), ({ salesStartAt }) => salesStartAt),
  ];
  const later = turns.filter((time) => time != null && time > at) as number[];
  return [at, ...later.sort((a, b) => a - b), ...(isLate(told) ? [Number.MAX_SAFE_INTEGER] : [])];
}

/** The plan that a command names. */
function planOfCommand(command: Command): Plan | undefined {
  return changesChart(command) ? planNamed(command.planHash) : undefined;
}

function isLate(told: unknown): boolean {
  const { code, reason } = told as Partial<Refusal>;
  return code === 'invalid_request' || reason === 'too_late';
}

function text(value: unknown): string {
  return JSON.stringify(value, (_, each) => (each instanceof Uint8Array ? [...each] : each));
}

/** A retryable refusal of a call that its caller could not repeat if it had been carried out. */
function promisesNoEffect({ command }: Call, { retryable }: Refusal): boolean {
  return retryable === true && perhapsCarriedOut(command).refusal.outcome === 'unknown';
}
