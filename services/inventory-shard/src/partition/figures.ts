/**
 * Counts what partitions do, for the metrics: plain numbers, which a scrape reads. Every hold passes here, so nothing
 * here builds a text or asks a clock.
 */
import type { CommandType } from '@parterre/shared/protocol/commands';
import type { JournalRecord } from '@parterre/shared/protocol/records';
import type { Clock } from '@parterre/shared/runtime/clock';
import { Durations, type Labels, RefusalCounts, type Sample } from '@parterre/shared/runtime/measures';
import { SECOND_MS } from '@parterre/shared/runtime/units';
import type { Actor, Cut } from './actor.ts';

const appendBoundsMs = [0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000];
const waitBoundsMs = [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000];

export type Places = { held: number; booked: number; freed: number };

type Answers = { done: number; refused: number; refusals: RefusalCounts };

export class Figures {
  /** From the send of an append to its ack. */
  readonly appends = new Durations(appendBoundsMs);
  /** How long the first command of each cut waited in its mailbox. */
  readonly waits = new Durations(waitBoundsMs);
  /** Places of durable records. */
  readonly places: Places = { held: 0, booked: 0, freed: 0 };
  readonly #answers = new Map<CommandType, Answers>();

  /** Answers without an effect count too. A command that another owner carries out counts there. */
  noteAnswers({ replies, inSteps }: Cut): void {
    for (const { reply, command = inSteps } of replies) {
      if (command === undefined) continue;
      if (reply.kind === 'ok') this.#answersTo(command).done++;
      else if (reply.kind === 'refused') {
        const answers = this.#answersTo(command);
        answers.refused++;
        answers.refusals.note(reply.refusal);
      }
    }
  }

  #answersTo(command: CommandType): Answers {
    const known = this.#answers.get(command);
    if (known) return known;
    const answers = { done: 0, refused: 0, refusals: new RefusalCounts() };
    this.#answers.set(command, answers);
    return answers;
  }

  notePlaces({ held, booked, freed }: Places): void {
    this.places.held += held;
    this.places.booked += booked;
    this.places.freed += freed;
  }

  *commands(): Iterable<Sample> {
    for (const [command, { done, refused }] of this.#answers) {
      yield [{ command, result: 'done' }, done];
      yield [{ command, result: 'refused' }, refused];
    }
  }

  *refusals(): Iterable<Sample> {
    for (const [command, { refusals }] of this.#answers) yield* refusals.samples({ command });
  }
}

/** Null where the records hold, book and free no place. */
export function placesIn(records: readonly JournalRecord[]): Places | null {
  let held = 0;
  let booked = 0;
  let freed = 0;
  for (const record of records) {
    switch (record.type) {
      case 'held':
        held += record.lines.length;
        break;
      case 'booked':
        booked += record.lines.length;
        break;
      case 'reservation-booked':
        booked += record.units.length;
        break;
      case 'released':
      case 'expired':
        freed += record.units.length - (record.kept?.length ?? 0);
        break;
      case 'unbooked':
        freed += record.units.length;
    }
  }
  return held + booked + freed === 0 ? null : { held, booked, freed };
}

const rateWindowMs = 60_000;

/** Commands by event. An event that was loaded again counts from nothing. */
type Mark = { at: number; commands: Map<string, number> };

/**
 * The events with the most commands. The rate of an event is that of the last one or two minutes, or of the time since
 * an earlier call, if no call came in these minutes.
 */
export class HotEvents {
  readonly #clock: Pick<Clock, 'elapsed'>;
  readonly #actors: () => Iterable<Actor>;
  #older: Mark;
  #newer: Mark;

  constructor(clock: Pick<Clock, 'elapsed'>, actors: () => Iterable<Actor>) {
    this.#clock = clock;
    this.#actors = actors;
    this.#older = { at: clock.elapsed(), commands: new Map() };
    this.#newer = this.#older;
  }

  /** At most `count` events by their commands a second, the hottest first. */
  rates(count: number): [labels: Labels, perSecond: number][] {
    const now = this.#clock.elapsed();
    if (now - this.#newer.at >= rateWindowMs) {
      this.#older = this.#newer;
      this.#newer = { at: now, commands: this.#counts() };
    }
    const { at, commands } = this.#older;
    const seconds = Math.max(1, now - at) / SECOND_MS;
    const rates: [string, number][] = [];
    for (const [eventKey, count] of this.#counts()) {
      const before = commands.get(eventKey) ?? 0;
      const more = count < before ? count : count - before;
      if (more > 0) rates.push([eventKey, more / seconds]);
    }
    rates.sort(([, a], [, b]) => b - a);
    return rates.slice(0, count).map(([event, rate]) => [{ event }, rate]);
  }

  #counts(): Map<string, number> {
    return new Map(Array.from(this.#actors(), ({ eventKey, commands }) => [eventKey, commands]));
  }
}
