/**
 * The events of this process that cannot be served: their load failed, or the changes that time makes in them fail.
 * The pause between two tries of one event doubles, so that such events leave the turns of loading to others (I8).
 *
 * States of an event: untroubled → in trouble, by `note` → untroubled, by `clear` after the event's next turn. Callers
 * of an event in trouble do not start a load. An event whose journal has lost records (I9) is halted: its callers get
 * `journal_lost_records` at once, until a try finds what was lost, or the operator has accepted the loss. For
 * `troubleAnsweredMs` they are answered `moved` and ask again, since most troubles are short: a restart of the catalog,
 * an election among NATS servers. After that they get 503 at once.
 */

import type { Answer } from '@parterre/shared/protocol/commands';
import { refuse } from '@parterre/shared/protocol/errors';
import type { JournalRecord } from '@parterre/shared/protocol/records';
import type { Clock } from '@parterre/shared/runtime/clock';
import type { Logger } from '@parterre/shared/runtime/log';
import { LostRecords } from '../journal/journal.ts';
import { reloadPauseMs, reloadPauseMsMax, troubleAnsweredMs, troubledEventsMax } from './bounds.ts';

/**
 * `since` and `retryAt` are times of `Clock.elapsed`. `owner` is the pool of the event. `reason` is the cause of the
 * last failed try, for the operator.
 */
type Trouble = { owner: object; tries: number; since: number; retryAt: number; isHalted: boolean; reason: string };

const moved: Answer = { kind: 'moved' };

export const halted: Answer = {
  kind: 'refused',
  refusal: refuse(
    'journal_lost_records',
    'The inventory of this event has lost records, so nothing is sold. An operator must restore or accept the loss.',
  ).refusal,
};
const { refusal: cannotServe } = refuse(
  'shard_unavailable',
  'The inventory of this event cannot be loaded at present. Nothing was done. Try again later.',
  { retryable: true },
);

export class TroubledEvents {
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #troubles = new Map<string, Trouble>();

  constructor(clock: Clock, log: Logger) {
    this.#clock = clock;
    this.#log = log;
  }

  /** Notes and logs a failed try. The next try comes after a pause. */
  note(eventKey: string, owner: object, error: unknown): void {
    const now = this.#clock.elapsed();
    const known = this.#troubles.get(eventKey);
    const tries = (known?.tries ?? 0) + 1;
    const pauseMs = Math.min(reloadPauseMs * 2 ** (tries - 1), reloadPauseMsMax);
    if (known || this.#troubles.size < troubledEventsMax || error instanceof LostRecords) {
      const since = known?.since ?? now;
      const isHalted = error instanceof LostRecords;
      const reason = error instanceof Error ? error.message : String(error);
      this.#troubles.set(eventKey, { owner, tries, since, retryAt: now + pauseMs, isHalted, reason });
    }
    this.#log.error({ err: error, eventKey, tries, pauseMs }, 'the event cannot be served');
  }

  /** Notes an event of a halted partition. Nothing tries to load the event. */
  halt(eventKey: string, owner: object, reason: string): void {
    if (this.#troubles.has(eventKey) || this.#troubles.size >= troubledEventsMax) return;
    const since = this.#clock.elapsed();
    this.#troubles.set(eventKey, { owner, tries: 0, since, retryAt: since, isHalted: true, reason });
    this.#log.error({ eventKey, reason }, 'the event is halted with its partition');
  }

  /** The answer to a command that comes before the next try; null if the event may be tried now. */
  answer(eventKey: string): Answer | null {
    if (this.#troubles.size === 0) return null;
    const trouble = this.#troubles.get(eventKey);
    const now = this.#clock.elapsed();
    if (trouble?.isHalted) return halted;
    if (!trouble || now >= trouble.retryAt) return null;
    return now - trouble.since < troubleAnsweredMs ? moved : { kind: 'refused', refusal: cannotServe };
  }

  /**
   * How long the next try of the event must wait, in milliseconds. If too many events are in trouble, each further
   * event waits `reloadPauseMs`.
   */
  waitMs(eventKey: string): number {
    const trouble = this.#troubles.get(eventKey);
    if (trouble) return Math.max(0, trouble.retryAt - this.#clock.elapsed());
    return this.#troubles.size < troubledEventsMax ? 0 : reloadPauseMs;
  }

  /** Logs an event whose time stood in the future: an earlier owner had a wrong clock. */
  tellClockSet(eventKey: string, record: JournalRecord, at: number): void {
    if (record.type !== 'clock-set') return;
    this.#log.warn({ eventKey, backMs: record.from - at }, 'event time in the future was set back');
  }

  /** As `waitMs`, for an event whose pause may be over. */
  retryWaitMs(eventKey: string): number {
    const trouble = this.#troubles.get(eventKey);
    return trouble ? trouble.retryAt - this.#clock.elapsed() : 0;
  }

  clear(eventKey: string): void {
    if (this.#troubles.size > 0) this.#troubles.delete(eventKey);
  }

  /** The pool has given up its events. */
  clearOf(owner: object): void {
    for (const [eventKey, trouble] of this.#troubles) if (trouble.owner === owner) this.#troubles.delete(eventKey);
  }

  /** The event was loaded: the journal has all that its evidence names. */
  restored(eventKey: string): void {
    if (!this.#troubles.get(eventKey)?.isHalted) return;
    this.#log.info({ eventKey }, 'the journal of the event is whole again');
    this.#troubles.delete(eventKey);
  }

  /** Events that are halted because their journal has lost records. */
  halted(): string[] {
    return [...this.#troubles].filter(([, { isHalted }]) => isHalted).map(([eventKey]) => eventKey);
  }

  /** The halted events of a pool, each with the cause. */
  haltedOf(pool: object): { eventKey: string; reason: string }[] {
    const halts: { eventKey: string; reason: string }[] = [];
    for (const [eventKey, { owner, isHalted, reason }] of this.#troubles) {
      if (isHalted && owner === pool) halts.push({ eventKey, reason });
    }
    return halts;
  }

  get size(): number {
    return this.#troubles.size;
  }

  /** The failed tries of up to `most` events in trouble, by event. */
  tries(most: number): [eventKey: string, tries: number][] {
    const told: [string, number][] = [];
    for (const [eventKey, { tries }] of this.#troubles) {
      if (told.length >= most) break;
      told.push([eventKey, tries]);
    }
    return told;
  }
}
