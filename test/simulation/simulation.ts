/**
 * One seed, one history: a cluster of simulated processes that run the services' own code, callers who want the same
 * seats, and faults. The invariants are checked after every step. At the end all faults are healed, and the cluster has
 * to come to rest, with every partition served, every call answered and every due hold ended.
 */
import type { FeedChange } from '@parterre/shared/protocol/feed-change';
import type { EventGroup } from '@parterre/shared/protocol/records';
import { decode } from '@parterre/shared/protocol/wire';
import { type Actor, isSettled } from '../../services/inventory-shard/src/partition/actor.ts';
import { START } from '../support/inventory/house.ts';
import { bytesOf } from './checks/fold.ts';
import { type Call, EventHistory } from './checks/history.ts';
import { JournalCheck } from './checks/journal-check.ts';
import { checkTime, timeErrorMsMax } from './checks/times.ts';
import { Client } from './clients.ts';
import { drawOfCrowd } from './crowds.ts';
import { drawCall } from './draws.ts';
import { Faults } from './faults.ts';
import { befall, wrongBy } from './mishaps.ts';
import { count, newTally, type Tally } from './tally.ts';
import { type Cluster, FrontDoor, Shard } from './world/cluster.ts';
import { SimulatedStream } from './world/log.ts';
import { Network } from './world/network.ts';
import { Scheduler, traceKeptDefault } from './world/scheduler.ts';

export type Verdict = {
  seed: number;
  steps: number;
  answers: number;
  /** Messages in all streams. */
  stored: number;
  traceHash: number;
  failure: string | null;
  trace: string[];
  tally: Tally;
};

/** The time in which the cluster must come to rest after the last fault. */
const restWithinMs = 30_000;
/** The time in which the first owners must open the events. */
const opensWithinMs = 30_000;
/** The time between two looks whether it is at rest. */
const looksEveryMs = 20;
/** The time for which it is then watched. */
const watchedForMs = 3_000;
/** The part of the histories that end with an heir, the time to store rosters before, and the longest watch. */
const isInherited = 0.2;
const storesWithinMs = 1_000;
const watchedHeirMs = 900_000;
/** The callers of a crowd, and the longest pause of a caller between two calls. */
const crowdCallers = 24;
const crowdThinkMs = 10;
/** The longest time from the end of a process to the notice of another. */
const toldWithinMs = 200;
/** The largest delay of a timer, plus the most that a shard's time may differ from the true time. */
const expiryWithinMs = 1_500 + timeErrorMsMax;

/** A quarter of the histories, by their seeds, so that the seeds of older cases keep their histories. */
function isCrowded(seed: number): boolean {
  return seed % 4 === 3;
}

/** `traceKept`: the number of lines at the end of the trace that a failure tells. */
export async function simulate(seed: number, traceKept = traceKeptDefault): Promise<Verdict> {
  const simulation = new Simulation(seed, traceKept);
  let failure: string | null = null;
  try {
    await simulation.run();
  } catch (error) {
    failure = error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
  const { steps, traceHash } = simulation.scheduler;
  const stored = simulation.cluster.streams.reduce((sum, stream) => sum + stream.lastSequence, 0);
  const trace = failure === null ? [] : simulation.scheduler.lastOfTrace();
  const { answers, tally } = simulation;
  return { seed, steps, answers, stored, traceHash, failure, trace, tally };
}

export class Simulation {
  readonly scheduler: Scheduler;
  readonly cluster: Cluster;
  readonly frontDoors: FrontDoor[];
  shards: Shard[] = [];
  readonly #clients: Client[];
  readonly #journals: JournalCheck[];
  readonly #histories = new Map<string, EventHistory>();
  readonly tally = newTally();
  readonly #compared = new WeakMap<Actor, number>();
  #lives = 0;
  #bug: string | null = null;
  isHealed = false;

  constructor(seed: number, traceKept: number) {
    this.scheduler = new Scheduler(seed, traceKept);
    const { random } = this.scheduler;
    const faults = new Faults(random, this.tally.faults);
    const network = new Network(this.scheduler, faults);
    const calls = new Map<string, Call>();
    // A busy history has commits of many events.
    const isBusy = random.chance(0.5);
    const partitions = isBusy ? 1 : random.pick([1, 2, 4]);
    const events = Array.from({ length: isBusy ? 4 : random.int(1, 4) }, (_, i) => `event-${i}`);
    for (const eventKey of events)
      this.#histories.set(eventKey, new EventHistory(eventKey, calls, !faults.doublesMessages, this.tally.moments));
    const checkGroup = (group: EventGroup): void =>
      checkTime(group, START + this.scheduler.now, faults.hasWallClockShards);
    this.#journals = Array.from(
      { length: partitions },
      (_, number) => new JournalCheck(number, this.#histories, checkGroup, this.tally.moments),
    );
    const streams = this.#journals.map(
      (check, number) =>
        new SimulatedStream(number, (stored) =>
          this.#observe(() => this.#note(check.take(stored, this.scheduler.now))),
        ),
    );
    network.onFeed = (sender, subject, data) =>
      this.#observe(() => this.#changeTold(subject, decode<FeedChange>(data), sender.hasLost));
    const store = { objects: new Map(), leases: new Map() };
    const onBug = (what: string): void => {
      this.#bug ??= what;
    };
    const reached = (moment: string): void => count(this.tally.moments, moment);
    const shared = { scheduler: this.scheduler, faults, network, streams, store };
    this.cluster = { ...shared, evidence: null, namesOfHolds: new Set(), reached, onBug };
    this.frontDoors = Array.from({ length: random.int(1, 2) }, (_, i) => new FrontDoor(this.cluster, `door-${i}`));
    const histories = [...this.#histories.values()];
    const draw = isCrowded(seed) ? drawOfCrowd : drawCall;
    const thinkMs = isCrowded(seed) ? crowdThinkMs : random.pick(isBusy ? [2, 10] : [20, 100, 500]);
    this.#clients = Array.from(
      { length: isCrowded(seed) ? crowdCallers : isBusy ? random.int(8, 12) : random.int(2, 6) },
      (_, i) =>
        new Client(
          {
            scheduler: this.scheduler,
            frontDoors: this.frontDoors,
            draw,
            histories,
            calls,
            answered: this.tally.successes,
          },
          `c${i}`,
          thinkMs,
        ),
    );
  }

  get answers(): number {
    return this.#clients.reduce((sum, { answers }) => sum + answers, 0);
  }

  async run(): Promise<void> {
    const { random } = this.scheduler;
    const { faults } = this.cluster;
    for (let i = random.int(1, 3); i > 0; i--) this.join();
    await this.#open();
    faults.begin();
    for (const client of this.#clients) client.start();
    const endsAt = this.scheduler.now + random.int(2_500, 8_000);
    const misfortune = (): void => {
      if (!this.isHealed && faults.now.mishaps.length > 0) befall(this, random.pick(faults.now.mishaps));
      this.scheduler.after(2 * faults.now.mishapEveryMs * random.next(), misfortune);
    };
    misfortune();
    await this.#runUntil(() => this.scheduler.now >= endsAt);
    await this.#comeToRest();
  }

  /** Creates the events and their first channels, without faults. */
  async #open(): Promise<void> {
    const [client] = this.#clients;
    for (const history of this.#histories.values()) {
      client!.open(history);
      await this.#runUntil(() => this.scheduler.now > opensWithinMs || history.isOpen);
    }
    await this.#runUntil(() => !client!.isWaiting);
    if (this.scheduler.now > opensWithinMs) throw new Error(`the events are not open after ${opensWithinMs} ms`);
  }

  /** A new process, with an id that no process had before. */
  join(): void {
    const shard = new Shard(this.cluster, `s${this.#lives++}`);
    const { random } = this.scheduler;
    if (this.cluster.faults.strikes('beginsWrong')) shard.process.wallOffset = wrongBy(random);
    this.shards.push(shard);
    shard.process.onEnd = () => this.#tellEnd(shard.process.name);
    this.scheduler.trace(`${shard.process.name} begins`);
    shard.start();
  }

  /** The parent of the shards tells the living shards, not over their links. */
  #tellEnd(id: string): void {
    const { cluster, scheduler } = this;
    if (cluster.faults.strikes('endUntold')) return;
    for (const { process, ownership } of this.shards) {
      if (!process.alive) continue;
      scheduler.after(scheduler.random.delay(0, toldWithinMs), () => process.soon(() => ownership.membersEnded([id])));
    }
  }

  #runUntil(isOver: () => boolean): Promise<void> {
    return this.scheduler.run(isOver, () => this.#afterStep());
  }

  /** Checks at the servers run inside a process's step: their exceptions end the history, not that step. */
  #observe(check: () => void): void {
    try {
      check();
    } catch (error) {
      this.#bug ??= error instanceof Error ? (error.stack ?? error.message) : String(error);
    }
  }

  #afterStep(): void {
    if (this.#bug !== null) throw new Error(this.#bug);
    for (const { process, actors } of this.shards) {
      if (!process.alive) continue;
      for (const actor of actors) if (isSettled(actor)) this.#compare(process.name, actor);
    }
  }

  /**
   * I6: an owner's state in memory, without anything in flight, equals the fold of the log. Checked once for each
   * version.
   */
  #compare(owner: string, actor: Actor): void {
    const state = actor.state!;
    if (this.#compared.get(actor) === state.version) return;
    this.#compared.set(actor, state.version);
    const folded = this.#histories.get(actor.eventKey)!.bytesAt(state.version);
    if (!folded) throw new Error(`${owner} has ${actor.eventKey} at ${state.version}, which the log has not`);
    if (Buffer.compare(folded, bytesOf(state)) !== 0) {
      throw new Error(`${owner} has another state of ${actor.eventKey} at ${state.version} than the log`);
    }
  }

  #note(line: string | null): void {
    if (line !== null) this.scheduler.trace(line);
  }

  #changeTold(subject: string, change: FeedChange, mayBeLost: boolean): void {
    const [, partition, eventKey] = subject.split('.') as [string, string, string];
    this.#journals[Number(partition)]!.changeTold(eventKey, change, mayBeLost);
  }

  async #comeToRest(): Promise<void> {
    const { scheduler, cluster } = this;
    scheduler.trace('everything is healed');
    this.isHealed = true;
    cluster.faults.heal();
    for (const { process } of [...this.shards, ...this.frontDoors]) process.heal();
    // Shards that follow their wall clocks leave.
    for (const shard of this.shards)
      if (shard.followsWallClock && shard.process.alive && !shard.isLeaving) shard.leave();
    if (!this.shards.some(({ process, isLeaving }) => process.alive && !isLeaving)) this.join();
    for (const client of this.#clients) client.stop();
    await this.#runUntilRest();
    const restedAt = scheduler.now;
    await this.#runUntil(() => scheduler.now >= restedAt + watchedForMs);
    await this.#runUntilRest();
    if (scheduler.random.chance(isInherited)) await this.#inherit();
  }

  /** All shards die, and an heir takes over. The holds end in time, although no command asks for their events. */
  async #inherit(): Promise<void> {
    const { scheduler } = this;
    const alive = this.shards.filter(({ process }) => process.alive);
    for (const shard of alive) shard.storeSnapshots();
    const storedAt = scheduler.now + storesWithinMs;
    await this.#runUntil(() => scheduler.now >= storedAt);
    for (const { process } of alive) process.crash('it is inherited');
    this.join();
    await this.#runUntilRest();
    const inheritedAt = scheduler.now;
    const hasHold = (): boolean =>
      [...this.#histories.values()].some((history) => history.overdue(Infinity).length > 0);
    await this.#runUntil(() => scheduler.now > inheritedAt + watchedHeirMs || !hasHold());
    await this.#runUntilRest();
  }

  async #runUntilRest(): Promise<void> {
    const since = this.scheduler.now;
    let looksAt = since;
    await this.#runUntil(() => {
      if (this.scheduler.now < looksAt) return false;
      looksAt = this.scheduler.now + looksEveryMs;
      return looksAt > since + restWithinMs || this.#unrest() === '';
    });
    const unrest = this.#unrest();
    if (unrest !== '') throw new Error(`not at rest ${restWithinMs} ms after all was healed: ${unrest}`);
  }

  /** The reason why the cluster is not at rest, in words. */
  #unrest(): string {
    const waiting = this.#clients.filter(({ isWaiting }) => isWaiting).length;
    if (waiting > 0) return `${waiting} calls without an answer`;
    const stopped = this.shards.find(({ process }) => process.alive && process.busyUntil > this.scheduler.now);
    if (stopped) return `${stopped.process.name} is stopped`;
    for (const [number, { owner }] of this.#journals.entries()) {
      const serves = this.shards.some(
        ({ process, ownership }) =>
          process.alive &&
          process.name === owner &&
          ownership.owned().some((each) => each.number === number && each.partition.state === 'serving'),
      );
      if (!serves) return `partition ${number} is without an owner: ${this.#claims()}`;
    }
    const overdue = [...this.#histories.values()].flatMap((history) =>
      history.overdue(START + this.scheduler.now - expiryWithinMs),
    );
    return overdue.length > 0 ? `nobody has ended ${overdue.join(', ')}` : '';
  }

  #claims(): string {
    const alive = this.shards.filter(({ process }) => process.alive);
    return alive
      .map(({ process, ownership }) => {
        const owned = ownership
          .owned()
          .map(({ number, partition }) => `${number} (${partition.state}, ${partition.epoch})`);
        return `${process.name} has ${owned.join(', ') || 'none'}`;
      })
      .join('; ');
  }
}
