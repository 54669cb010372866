/**
 * Opens the room of the watch: the events of a partition that are out of memory, and the times at which they act by
 * themselves.
 *
 * From `open()` on, each event with a journal is in exactly one of these states at any time, so that no deadline is
 * lost (the invariant of this room):
 *   unvisited   found by the survey, and its snapshot not looked at since (survey.ts)
 *   behind, due waits to be loaded in the background: it changed after its snapshot, or its deadline has come
 *   in trouble  could not be loaded, and waits for its next try
 *   asleep      settled in the journal; its timer stands at its next deadline
 *   at rest     like asleep, without a deadline; nothing is kept
 *   an actor    the owner of this watch knows its deadline
 * An event that becomes an actor leaves every other state. From then on, earlier reads of the event (the roster, the
 * list, the head of a snapshot) no longer count.
 *
 * `deadlines` tells the states for the roster of the partition. An event whose deadline is not known has the deadline
 * `atOnce`: the next owner loads it.
 */
import type { Clock } from '@parterre/shared/runtime/clock';
import type { RosterEntry } from '../journal/journal.ts';
import { type Findings, Survey, type SurveyPorts } from './survey.ts';

/** A deadline that has come for every clock. */
export const atOnce = 0;

type Sleeper = { wakeAt: number; at: number; cancel: () => void };

export type WatchPorts = SurveyPorts & {
  clock: Clock;
  /** The events asleep in this process. */
  count: { asleep: number };
  isActor(eventKey: string): boolean;
  /** An event waits to be loaded. */
  onWaiting(): void;
};

export class Watch {
  readonly #ports: WatchPorts;
  readonly #survey: Survey;
  readonly #due = new Set<string>();
  readonly #behind = new Set<string>();
  readonly #inTrouble = new Set<string>();
  readonly #asleep = new Map<string, Sleeper>();

  constructor(ports: WatchPorts) {
    const findings: Findings = {
      isKnown: (eventKey) => ports.isActor(eventKey) || this.#asleep.has(eventKey),
      sleeps: (eventKey, wakeAt, at) => this.sleepUntil(eventKey, wakeAt, at),
      isBehind: (eventKey) => {
        this.#behind.add(eventKey);
        ports.onWaiting();
      },
    };
    this.#ports = ports;
    this.#survey = new Survey(ports, findings);
  }

  /** Surveys the partition in the background, after a rest. `last` is the sequence of its fence. */
  open(last: number, restMs = 0): void {
    if (restMs > 0) this.#ports.clock.after(restMs, () => void this.#survey.run(last));
    else void this.#survey.run(last);
  }

  /** The number of events that wait to be loaded. */
  get waiting(): number {
    return this.#due.size + this.#behind.size;
  }

  /** The event to load next: an event with a deadline, if there is one. */
  next(): string | undefined {
    const [eventKey] = this.#due.size > 0 ? this.#due : this.#behind;
    return eventKey;
  }

  /** The event becomes an actor and leaves every state of the watch. */
  leave(eventKey: string): void {
    this.#survey.forget(eventKey);
    this.#due.delete(eventKey);
    this.#behind.delete(eventKey);
    this.#inTrouble.delete(eventKey);
    this.#rouse(eventKey);
  }

  /** The event waits for its next try. */
  noteTrouble(eventKey: string): void {
    this.#inTrouble.add(eventKey);
  }

  /** The event is to be loaded now. */
  wake(eventKey: string): void {
    this.#inTrouble.delete(eventKey);
    this.#due.add(eventKey);
    this.#ports.onWaiting();
  }

  /** `at` is the event's time. */
  sleepUntil(eventKey: string, wakeAt: number, at: number): void {
    const { clock, count } = this.#ports;
    // The event may be asleep already: it was loaded and left again before its snapshot was visited.
    this.#rouse(eventKey);
    const cancel = clock.after(wakeAt - clock.now(), () => {
      this.#rouse(eventKey);
      // A timer has a longest delay, and the clock may have been set back.
      if (clock.now() < wakeAt) this.sleepUntil(eventKey, wakeAt, at);
      else this.wake(eventKey);
    });
    this.#asleep.set(eventKey, { wakeAt, at, cancel });
    count.asleep++;
  }

  #rouse(eventKey: string): void {
    this.#asleep.get(eventKey)?.cancel();
    if (this.#asleep.delete(eventKey)) this.#ports.count.asleep--;
  }

  /** The deadlines of all events out of memory, or null while the survey runs. */
  deadlines(): RosterEntry[] | null {
    if (!this.#survey.isDone) return null;
    const entries: RosterEntry[] = [];
    for (const unknown of [this.#due, this.#behind, this.#inTrouble]) {
      for (const eventKey of unknown) entries.push([eventKey, atOnce, 0]);
    }
    for (const [eventKey, { wakeAt, at }] of this.#asleep) entries.push([eventKey, wakeAt, at]);
    return entries;
  }

  close(): void {
    this.#survey.end();
    for (const eventKey of [...this.#asleep.keys()]) this.#rouse(eventKey);
    this.#due.clear();
    this.#behind.clear();
    this.#inTrouble.clear();
  }
}
