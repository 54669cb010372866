/**
 * Finds the events of a partition that may act by themselves, when an owner opens the partition. The owner's commands
 * do not wait for the survey.
 *
 * The roster of an earlier owner (journal/rosters.ts) names the deadlines as they stood at one sequence of the stream.
 * The events with a message behind that sequence are the tail. For the tail alone the survey reads the heads of
 * snapshots. Events at rest cost nothing. Without a roster, or with a tail above `rosterTailMax`, the survey lists all
 * events of the stream and reads the head of each. The first owner of a partition does this.
 *
 * States: reading the roster → reading the tail, or listing → visiting → done. Failure at each await: the roster is
 * read up to `rosterTries` times (the object store), and then counts as missing. The tail and the list are asked for
 * until the answer comes or the survey ends (the stream). An event whose head cannot be read counts as changed.
 *
 * Meanwhile commands make actors. The survey reports no event that is an actor or asleep: the owner knows its deadline
 * already. An actor that has left to rest may be woken once in vain.
 */
import { type Clock, pause } from '@parterre/shared/runtime/clock';
import type { Logger } from '@parterre/shared/runtime/log';
import type {
  EventLoader,
  JournaledEvent,
  Roster,
  RosterStore,
  SnapshotHead,
  SnapshotStore,
} from '../journal/journal.ts';
import { isInFuture } from '../rules/turn/turn.ts';
import { headsAtOnce, rosterTailMax, rosterTries, surveyPauseMs } from './bounds.ts';

export type SurveyPorts = {
  clock: Clock;
  log: Logger;
  loader: Pick<EventLoader, 'events' | 'changed'>;
  snapshots: Pick<SnapshotStore, 'head'>;
  rosters: RosterStore;
  /** The turns of one process to read heads. */
  reading<T>(read: () => Promise<T>): Promise<T>;
};

/** The results of a survey, told one by one. */
export type Findings = {
  /** True for an event that is an actor or asleep. */
  isKnown(eventKey: string): boolean;
  /** The event is settled in the journal. `at` is its time. */
  sleeps(eventKey: string, wakeAt: number, at: number): void;
  /** Only a load tells the event's deadline. */
  isBehind(eventKey: string): void;
};

export class Survey {
  readonly #ports: SurveyPorts;
  readonly #findings: Findings;
  readonly #unvisited = new Map<string, JournaledEvent>();
  #state: 'new' | 'listing' | 'visiting' | 'ended' = 'new';

  constructor(ports: SurveyPorts, findings: Findings) {
    this.#ports = ports;
    this.#findings = findings;
  }

  /** True once the deadline of every event is found, or known to need a load. */
  get isDone(): boolean {
    return this.#state === 'visiting' && this.#unvisited.size === 0;
  }

  /** `last` is the sequence of the fence, behind which only this owner appends. */
  async run(last: number): Promise<void> {
    if (this.#hasEnded()) return;
    this.#state = 'listing';
    const roster = await this.#roster(last);
    const listed = await this.#untilAnswered(() => this.#listed(roster, last));
    if (listed === null || this.#hasEnded()) return;
    for (const event of listed) {
      if (!this.#findings.isKnown(event.eventKey)) this.#unvisited.set(event.eventKey, event);
    }
    if (roster) this.#tell(roster, listed);
    this.#state = 'visiting';
    const events = this.#unvisited.values();
    await Promise.all(Array.from({ length: headsAtOnce }, () => this.#visit(events)));
  }

  /** The event became an actor. */
  forget(eventKey: string): void {
    this.#unvisited.delete(eventKey);
  }

  end(): void {
    this.#state = 'ended';
    this.#unvisited.clear();
  }

  #hasEnded(): boolean {
    return this.#state === 'ended';
  }

  async #roster(last: number): Promise<Roster | null> {
    const { clock, log, rosters } = this.#ports;
    for (let tries = 1; !this.#hasEnded(); tries++) {
      try {
        const roster = await rosters.load();
        return roster && roster.upTo <= last && last - roster.upTo <= rosterTailMax ? roster : null;
      } catch (error) {
        if (tries >= rosterTries) {
          log.warn({ err: error }, 'the roster of the partition cannot be read: all its events are listed');
          return null;
        }
        await pause(clock, surveyPauseMs);
      }
    }
    return null;
  }

  #listed(roster: Roster | null, last: number): Promise<JournaledEvent[]> {
    const { loader } = this.#ports;
    return roster ? loader.changed(roster.upTo, last) : loader.events(last);
  }

  /** Null when the survey ends meanwhile. */
  async #untilAnswered<T>(ask: () => Promise<T>): Promise<T | null> {
    while (!this.#hasEnded()) {
      try {
        return await ask();
      } catch (error) {
        this.#ports.log.warn({ err: error }, 'the events of the partition cannot be listed yet');
        await pause(this.#ports.clock, surveyPauseMs);
      }
    }
    return null;
  }

  #tell(roster: Roster, tail: readonly JournaledEvent[]): void {
    const changed = new Set(tail.map(({ eventKey }) => eventKey));
    for (const [eventKey, wakeAt, at] of roster.events) {
      if (!changed.has(eventKey) && !this.#findings.isKnown(eventKey)) this.#found(eventKey, wakeAt, at);
    }
  }

  async #visit(events: Iterator<JournaledEvent>): Promise<void> {
    const { reading, snapshots } = this.#ports;
    for (let next = events.next(); !next.done; next = events.next()) {
      const event = next.value;
      const { eventKey } = event;
      // An unreadable head counts as changed: the event is loaded, and a fault of its snapshot is logged there.
      const head = await reading(() => snapshots.head(eventKey)).catch(() => null);
      // A command asked for the event meanwhile, or the survey has ended.
      if (!this.#unvisited.delete(eventKey)) continue;
      if (!head || !isCurrent(head, event)) this.#findings.isBehind(eventKey);
      else this.#found(eventKey, head.wakeAt, head.at);
    }
  }

  /** An event whose time stands in the future is loaded, and is to be set back. */
  #found(eventKey: string, wakeAt: number | null, at: number): void {
    if (isInFuture(at, this.#ports.clock.now())) this.#findings.isBehind(eventKey);
    else if (wakeAt !== null) this.#findings.sleeps(eventKey, wakeAt, at);
  }
}

/**
 * The journal is never cut: without shared commits, the number of its groups tells as much as the sequence of the last.
 */
function isCurrent(head: SnapshotHead, event: JournaledEvent): boolean {
  return 'groups' in event ? head.groups === event.groups : head.sequence === event.sequence;
}
