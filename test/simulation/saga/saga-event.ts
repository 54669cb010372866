/**
 * One event of a saga's history: the shard's own rules, a clock of its own, and a journal that outlives the process. A
 * command is decided and journaled in one step, as the partition's pipeline promises. While the shard is away, nothing
 * is decided. Its heir folds the journal anew.
 */
import type { Answer, Caller, Command } from '@parterre/shared/protocol/commands';
import type { EventGroup, JournalRecord } from '@parterre/shared/protocol/records';
import type { EventState } from '../../../services/inventory-shard/src/rules/state/event-state.ts';
import { newState } from '../../../services/inventory-shard/src/rules/state/state.ts';
import { foldGroup } from '../../../services/inventory-shard/src/rules/turn/apply.ts';
import {
  apply,
  applyConsequences,
  applyDue,
  decide,
  nextDeadline,
} from '../../../services/inventory-shard/src/rules/turn/turn.ts';
import { eventConfig, START, server, smallPlan } from '../../support/inventory/house.ts';
import type { Scheduler } from '../world/scheduler.ts';

/** `seq` counts the groups of the event, whose stream has no other event. */
export type SagaGroup = EventGroup & { seq: number };

/** Timers of a shard are late by up to this. */
const timerMsMax = 250;

export class SagaEvent {
  readonly key: string;
  readonly journal: SagaGroup[] = [];
  state: EventState;
  #awayUntil = 0;
  #cancelTimer = (): void => {};
  readonly #scheduler: Scheduler;
  readonly #skewMs: number;
  readonly #onGroup: (event: SagaEvent, group: SagaGroup) => void;

  constructor(
    key: string,
    scheduler: Scheduler,
    skewMs: number,
    onGroup: (event: SagaEvent, group: SagaGroup) => void,
  ) {
    this.key = key;
    this.#scheduler = scheduler;
    this.#skewMs = skewMs;
    this.#onGroup = onGroup;
    this.state = this.#empty();
  }

  get isAway(): boolean {
    return this.#scheduler.now < this.#awayUntil;
  }

  /** The shard dies, and an heir serves the event after this time. */
  die(awayMs: number): void {
    this.#scheduler.trace(`${this.key} is away for ${awayMs.toFixed(0)} ms`);
    this.#awayUntil = this.#scheduler.now + awayMs;
    this.#cancelTimer();
    this.#scheduler.at(this.#awayUntil, () => {
      if (this.isAway) return;
      this.state = this.#empty();
      for (const group of this.journal) foldGroup(this.state, group, group.seq, smallPlan);
      this.#tick();
    });
  }

  /** Null while the shard is away. */
  perform(command: Command, caller: Caller = server): Answer | null {
    if (this.isAway) return null;
    const now = this.#now();
    this.#append(now, applyDue(this.state, now));
    const decision = decide(this.state, command, caller, now);
    if (decision.ok && decision.records.length > 0) {
      const records = [...decision.records];
      for (const record of records) apply(this.state, record, now);
      applyConsequences(this.state, now, records);
      this.#append(now, records);
    }
    this.#armTimer();
    return decision.ok ? { kind: 'ok', value: decision.answer } : { kind: 'refused', refusal: decision.refusal };
  }

  #empty(): EventState {
    return newState(eventConfig({ eventKey: this.key, eventId: `evt_${this.key}` }), smallPlan);
  }

  /** A shard's time never goes back. */
  #now(): number {
    return Math.max(START + Math.floor(this.#scheduler.now) + this.#skewMs, this.journal.at(-1)?.at ?? 0);
  }

  #append(at: number, records: JournalRecord[]): void {
    if (records.length === 0) return;
    const from = this.journal.length;
    const group = { seq: from + 1, from, at, plan: smallPlan.hash, records };
    this.journal.push(group);
    this.#scheduler.trace(`${this.key} ${group.seq}: ${records.map(({ type }) => type).join(', ')}`);
    this.#onGroup(this, group);
  }

  #tick(): void {
    if (this.isAway) return;
    const now = this.#now();
    this.#append(now, applyDue(this.state, now));
    this.#armTimer();
  }

  #armTimer(): void {
    this.#cancelTimer();
    const next = nextDeadline(this.state);
    if (next === null) return;
    const inMs = next - START - this.#skewMs - this.#scheduler.now;
    this.#cancelTimer = this.#scheduler.after(Math.max(inMs, 0) + this.#scheduler.random.delay(0, timerMsMax), () =>
      this.#tick(),
    );
  }
}
