/**
 * Histories whose journal lies (I9). A small cluster sells the seats of one to three events, with the faults of every
 * history. At a drawn moment the stream of one partition lies (lies.ts). At the end all faults are healed, often every
 * shard dies and an heir takes over, and each sold seat is asked for once more. `sales-check.ts` has the oracle.
 *
 * An event ends served or halted. An event halts only if its stream has lost a part of it, or if its whole partition is
 * halted by evidence of the stream. The owner's list has each halted event, and its map is stale or refused. A fifth of
 * the histories has no lie: nothing may halt there.
 *
 * `isCompared: false` plays the same histories without a comparison of evidence. Those must sell seats twice.
 */
import type { Answers } from '@parterre/shared/protocol/answers';
import type { Caller, Command } from '@parterre/shared/protocol/commands';
import type { Outcome } from '@parterre/shared/protocol/errors';
import { partitionOf } from '@parterre/shared/protocol/subjects';
import type { Partition } from '../../../services/inventory-shard/src/partition/partition.ts';
import { firstChart } from '../../support/model/reference/chart.ts';
import { Faults } from '../faults.ts';
import { befall } from '../mishaps.ts';
import type { Verdict } from '../simulation.ts';
import { count, newTally } from '../tally.ts';
import { type Cluster, FrontDoor, Shard } from '../world/cluster.ts';
import { Evidence, type EvidenceWatch, isInStream, readableHead } from '../world/evidence.ts';
import { SimulatedStream } from '../world/log.ts';
import { Network } from '../world/network.ts';
import { Scheduler, traceKeptDefault } from '../world/scheduler.ts';
import { drawLie, type LieKind, lieKinds } from './lies.ts';
import { type Sale, SalesCheck } from './sales-check.ts';

const honestShare = 0.2;
const labels = firstChart.places
  .filter(({ objectType, soldAs }) => objectType === 'seat' && soldAs === 'individual')
  .slice(0, 6)
  .map(({ label }) => label);
const server: Caller = { source: 'server', actor: null, accessSource: 'public' };
const opensWithinMs = 30_000;
const restWithinMs = 60_000;
const looksEveryMs = 20;
/** Each try of the last questions waits up to 10 s, and a halt needs one of that length. */
const lastTries = 8;
/** The words that a shard logs of a lie. Without a lie each is a bug. */
const lossErrors = [
  'the journal of this partition has lost its records',
  'the journal has lost records that it had acknowledged',
  'the event is halted with its partition',
];

/** The words that a shard logs of messages with a changed byte. No fold may take such a record. */
const unreadableErrors = ['the event cannot be served', 'shared commits cannot be read'];

export async function simulateLie(seed: number, isCompared = true, traceKept = traceKeptDefault): Promise<Verdict> {
  const lying = new Lying(seed, isCompared, traceKept);
  let failure: string | null = null;
  try {
    await lying.run();
  } catch (error) {
    failure = error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
  const { scheduler, answers, tally, cluster } = lying;
  const { steps, traceHash } = scheduler;
  const stored = cluster.streams.reduce((sum, stream) => sum + stream.lastSequence, 0);
  const trace = failure === null ? [] : scheduler.lastOfTrace();
  return { seed, steps, answers, stored, traceHash, failure, trace, tally };
}

class Lying {
  readonly scheduler: Scheduler;
  readonly cluster: Cluster;
  readonly frontDoors: FrontDoor[];
  readonly shards: Shard[] = [];
  readonly tally = newTally();
  answers = 0;
  readonly #check: SalesCheck;
  readonly #evidence: Evidence;
  readonly #events: string[];
  readonly #isCompared: boolean;
  #kind: LieKind | null = null;
  #lives = 0;
  #calls = 0;
  #waiting = 0;
  #isHealed = false;
  #bug: string | null = null;

  constructor(seed: number, isCompared: boolean, traceKept: number) {
    this.scheduler = new Scheduler(seed, traceKept);
    this.#isCompared = isCompared;
    const { scheduler } = this;
    const { random } = scheduler;
    const faults = new Faults(random, this.tally.faults);
    const network = new Network(scheduler, faults);
    const check = new SalesCheck(
      () => this.cluster,
      () => this.shards,
      isCompared,
      this.tally.moments,
    );
    this.#check = check;
    const watch: EvidenceWatch = {
      taking: (...term) => check.taking(...term),
      counted: (...answer) => check.counted(...answer),
      loads: (...load) => {
        const succeeds = check.loads(...load);
        return (...result) => this.#observe(() => succeeds(...result));
      },
    };
    this.#evidence = new Evidence(watch, isCompared);
    this.#events = Array.from({ length: random.int(1, 3) }, (_, i) => `event-${i}`);
    const streams: SimulatedStream[] = Array.from({ length: random.int(1, 2) }, (_, number) => {
      return new SimulatedStream(number, (stored) => this.#observe(() => check.stored(streams[number]!, stored)));
    });
    const pauseMs = random.pick([20, 300, 3_000]);
    for (const stream of streams) this.#evidence.follow(scheduler, stream, pauseMs);
    this.cluster = {
      scheduler,
      faults,
      network,
      streams,
      store: { objects: new Map(), leases: new Map() },
      evidence: this.#evidence,
      namesOfHolds: new Set(),
      reached: () => {},
      onBug: (what) => {
        const expected = this.#kind === 'middle' ? [...lossErrors, ...unreadableErrors] : lossErrors;
        if (!check.hasLied || !expected.some((known) => what.includes(known))) this.#bug ??= what;
      },
    };
    this.frontDoors = [new FrontDoor(this.cluster, 'door-0')];
  }

  async run(): Promise<void> {
    const { random } = this.scheduler;
    const { faults } = this.cluster;
    for (let i = random.int(1, 2); i > 0; i--) this.join();
    await this.#open();
    faults.begin();
    for (let buyers = random.int(2, 4); buyers > 0; buyers--) this.#buy(random.pick([5, 50]));
    this.#strike();
    await this.#pass(random.int(300, 2_500));
    if (!random.chance(honestShare)) this.#lie();
    await this.#pass(random.int(300, 4_000));
    if (await this.#comesToRest()) await this.#askOnceMore();
    count(this.tally.moments, this.#kind === null ? 'no lie' : `a lie: ${this.#kind}`);
  }

  /** A new process, with an id that no process had before. */
  join(): void {
    const shard = new Shard(this.cluster, `s${this.#lives++}`);
    const { process } = shard;
    this.shards.push(shard);
    process.onEnd = () => {
      for (const { process: other, ownership } of this.shards)
        if (other.alive) this.scheduler.after(50, () => other.soon(() => ownership.membersEnded([process.name])));
    };
    shard.start();
  }

  #strike(): void {
    const { faults } = this.cluster;
    const { random } = this.scheduler;
    if (!this.#isHealed && faults.now.mishaps.length > 0) befall(this, random.pick(faults.now.mishaps));
    this.scheduler.after(2 * faults.now.mishapEveryMs * random.next(), () => this.#strike());
  }

  async #open(): Promise<void> {
    for (const eventKey of this.#events) {
      let isOpen = false;
      const open = (): void =>
        this.#book(eventKey, labels[0]!, (outcome) => {
          isOpen = outcome.ok;
          if (!isOpen) open();
        });
      open();
      await this.#runUntil(() => this.scheduler.now > opensWithinMs || isOpen);
      if (!isOpen) throw new Error(`${eventKey} is not open after ${opensWithinMs} ms`);
    }
  }

  /** One buyer: mostly sales, also of sold seats, and cancellations. A wrong wall clock ends holds early. */
  #buy(thinkMs: number): void {
    const { random } = this.scheduler;
    this.scheduler.after(random.delay(1, thinkMs), () => {
      if (this.#isHealed) return;
      const eventKey = random.pick(this.#events);
      const label = random.pick(labels);
      const goOn = (): void => this.#buy(thinkMs);
      const sale = this.#check.saleOf(eventKey, label);
      if (sale && random.chance(0.4)) this.#cancel(sale, goOn);
      else if (!this.cluster.faults.hasWallClockShards && random.chance(0.3)) this.#hold(eventKey, label, goOn);
      else this.#book(eventKey, label, goOn);
    });
  }

  #book(eventKey: string, label: string, then: (outcome: Outcome<unknown>) => void): void {
    const call = this.#newName();
    this.#sell(call, eventKey, label, then, {
      type: 'book-direct',
      callId: call,
      bookingRef: `r-${call}`,
      selections: [{ label }],
    });
  }

  #hold(eventKey: string, label: string, then: () => void): void {
    const call = this.#newName();
    this.#sell(call, eventKey, label, then, { type: 'hold', holdId: `h-${call}`, selections: [{ label }] });
  }

  #newName(): string {
    return `c${this.#calls++}`;
  }

  #sell(
    call: string,
    eventKey: string,
    label: string,
    then: (outcome: Outcome<unknown>) => void,
    command: Command,
  ): void {
    const holder = command.type === 'hold' ? `h-${call}` : `r-${call}`;
    this.#ask(call, eventKey, command, (outcome) => {
      if (outcome.ok) this.#check.sold({ call, holder, eventKey, label });
      then(outcome);
    });
  }

  #cancel(sale: Sale, then: () => void): void {
    const { holder, eventKey } = sale;
    const call = this.#newName();
    this.#check.cancels(sale);
    const command: Command = holder.startsWith('h-')
      ? { type: 'release', callId: call, holdId: holder }
      : { type: 'unbook', callId: call, bookingRef: holder };
    this.#ask(call, eventKey, command, then);
  }

  #ask(name: string, eventKey: string, command: Command, then: (outcome: Outcome<unknown>) => void): void {
    const { scheduler, frontDoors, tally } = this;
    const caller: Caller = { ...server, actor: name };
    scheduler.trace(`${name} asks ${eventKey} ${JSON.stringify(command)}`);
    this.#waiting++;
    frontDoors[0]!.submit(eventKey, caller, command, (outcome) => {
      this.#waiting--;
      this.answers++;
      if (outcome.ok) count(tally.successes, command.type);
      scheduler.trace(`${name} hears ${JSON.stringify(outcome).slice(0, 200)}`);
      this.#observe(() => {
        if (!outcome.ok && outcome.refusal.code === 'journal_lost_records' && !this.#check.hasLied)
          throw new Error(`${eventKey} halts without a lie`);
        then(outcome);
      });
    });
  }

  #lie(): void {
    const { scheduler, cluster, shards } = this;
    const { random } = scheduler;
    const kind = random.pick(lieKinds);
    this.#kind = kind;
    const fate = random.pick(['live', 'are cut', 'die']);
    // A partition may have no event.
    const stream = random.pick(cluster.streams.filter(({ lastSequence }) => lastSequence > 2));
    const lying = kind === 'new storage' ? cluster.streams : [stream];
    if (fate === 'die') {
      for (const { process } of shards) process.crash('its NATS dies');
      scheduler.after(random.delay(50, 2_000), () => this.join());
    } else if (fate === 'are cut') {
      for (const { process } of shards) process.cut(random.delay(20, 2_000));
    }
    for (const each of lying) {
      const messages = drawLie(kind, each, random);
      scheduler.trace(`stream ${each.partition} lies: ${kind}, ${each.lastSequence} → ${messages.length}, all ${fate}`);
      this.#check.lies(kind, each, messages);
      each.lie(messages);
    }
    if (kind === 'new storage') {
      cluster.store.objects.clear();
      cluster.store.leases.clear();
      this.#evidence.identities.clear();
    }
    if (random.chance(0.15)) this.#evidence.isCatalogAway = true;
  }

  /**
   * Throws if the cluster does not come to rest. False for a partition that stays without service: its `middle` has
   * lost a message without which no owner can fence or go on. Such a partition sells nothing.
   */
  async #comesToRest(): Promise<boolean> {
    const { scheduler, cluster, shards } = this;
    const { random } = scheduler;
    scheduler.trace('everything is healed');
    this.#isHealed = true;
    cluster.faults.heal();
    for (const { process } of [...shards, ...this.frontDoors]) process.heal();
    if (random.chance(0.5)) {
      for (const { process } of shards) process.crash('it is inherited');
      this.join();
    } else if (!shards.some(({ process, isLeaving }) => process.alive && !isLeaving)) this.join();
    const since = scheduler.now;
    let looksAt = since;
    await this.#runUntil(() => {
      if (scheduler.now < looksAt) return false;
      looksAt = scheduler.now + looksEveryMs;
      return looksAt > since + restWithinMs || this.#unrest() === '';
    });
    const unrest = this.#unrest();
    if (unrest !== '' && this.#kind === 'middle' && this.#waiting === 0) {
      count(this.tally.moments, 'middle: a partition without service');
      return false;
    }
    if (unrest !== '') throw new Error(`not at rest ${restWithinMs} ms after all was healed: ${unrest}`);
    return true;
  }

  #unrest(): string {
    if (this.#waiting > 0) return `${this.#waiting} calls without an answer`;
    const without = this.cluster.streams.find(({ partition }) => this.#terms(partition).length === 0);
    return without ? `partition ${without.partition} is not served` : '';
  }

  /** The partition at each living shard that serves or has halted it. A shard may not know of its heir. */
  #terms(number: number): Partition[] {
    return this.shards.flatMap(({ process, ownership }) => {
      const owned = process.alive && ownership.owned().find((each) => each.number === number);
      return owned && (owned.partition.state === 'serving' || owned.partition.state === 'halted')
        ? [owned.partition]
        : [];
    });
  }

  /** Asks for the number of holds of each event, and then for each of its sold seats. */
  async #askOnceMore(): Promise<void> {
    for (const eventKey of this.#events) {
      const asked = await this.#askAtLast(eventKey, { type: 'count' });
      const lie = this.#check.lieOf(eventKey);
      if (asked === 'halted') await this.#checkHalt(eventKey);
      else if (asked === 'served') await this.#askForSold(eventKey);
      else if (lie?.kind !== 'middle') throw new Error(`${eventKey} is neither served nor halted`);
      count(this.tally.moments, `${lie?.kind ?? 'no lie'}: ${asked}`);
    }
  }

  async #askForSold(eventKey: string): Promise<void> {
    for (const { label } of this.#check.sales.filter((sale) => sale.eventKey === eventKey)) {
      let isAnswered = false;
      this.#book(eventKey, label, () => {
        isAnswered = true;
      });
      await this.#runUntil(() => isAnswered);
    }
  }

  /** A halt has its reason in the lie, stands in the owner's list, and shows no map but a stale one. */
  async #checkHalt(eventKey: string): Promise<void> {
    if (!this.#isCompared) return;
    const lie = this.#check.lieOf(eventKey);
    const stream = this.#streamOf(eventKey);
    let halts = this.#haltsOf(eventKey);
    // The partition may have moved since the answer. Its heir lists the event once somebody asks for it.
    for (let tries = 0; !halts && tries < lastTries; tries++) {
      await this.#pass(1_000);
      await this.#askAtLast(eventKey, { type: 'count' });
      halts = this.#haltsOf(eventKey);
    }
    if (!halts) throw new Error(`${eventKey} is halted, and no list of an owner has it`);
    if (halts.haltedBy !== null) {
      const isProven = this.#isLost(stream) || (lie?.hasLostFence && halts.haltedBy.includes('fence'));
      if (!isProven) throw new Error(`partition ${stream.partition} is halted: ${halts.haltedBy}`);
    } else if (!this.#check.isBroken(eventKey)) {
      throw new Error(`${eventKey} is halted, though its journal is whole`);
    }
    const seen = (await this.#lastAnswerTo(eventKey, { type: 'view' })) as Outcome<Answers['view']>;
    if (seen.ok ? seen.value.stale !== true : seen.refusal.code !== 'journal_lost_records')
      throw new Error(`${eventKey} is halted, and its map is told as ${JSON.stringify(seen).slice(0, 200)}`);
  }

  /** The list of an owner that has the event or its whole partition. */
  #haltsOf(eventKey: string) {
    return this.#terms(this.#streamOf(eventKey).partition)
      .map((partition) => partition.halts())
      .find(({ haltedBy, events }) => haltedBy !== null || events.some((event) => event.eventKey === eventKey));
  }

  /** The stream lacks what the catalog has counted, or names another identity. */
  #isLost(stream: SimulatedStream): boolean {
    const position = this.#evidence.counted.get(stream.partition);
    const known = this.#evidence.identities.get(stream.partition);
    if (position && !isInStream(stream, position)) return true;
    return stream.from(1).some(({ payload }) => {
      const head = readableHead(payload);
      return head !== null && 'stream' in head && head.stream !== known;
    });
  }

  async #askAtLast(eventKey: string, command: Command): Promise<'served' | 'halted' | 'in trouble'> {
    const outcome = await this.#lastAnswerTo(eventKey, command);
    if (outcome.ok) return 'served';
    return outcome.refusal.code === 'journal_lost_records' ? 'halted' : 'in trouble';
  }

  /** Asks again while the event cannot be reached: its partition may be moving. */
  async #lastAnswerTo(eventKey: string, command: Command): Promise<Outcome<unknown>> {
    for (let tries = 1; ; tries++) {
      let heard: Outcome<unknown> | null = null;
      this.#ask(this.#newName(), eventKey, command, (outcome) => {
        heard = outcome;
      });
      await this.#runUntil(() => heard !== null);
      const outcome = heard! as Outcome<unknown>;
      if (outcome.ok || outcome.refusal.code === 'journal_lost_records' || tries === lastTries) return outcome;
      await this.#pass(1_000);
    }
  }

  #streamOf(eventKey: string): SimulatedStream {
    const { streams } = this.cluster;
    return streams[partitionOf(eventKey, [...streams.keys()])]!;
  }

  #pass(forMs: number): Promise<void> {
    const endsAt = this.scheduler.now + forMs;
    return this.#runUntil(() => this.scheduler.now >= endsAt);
  }

  #runUntil(isOver: () => boolean): Promise<void> {
    return this.scheduler.run(isOver, () => {
      if (this.#bug !== null) throw new Error(this.#bug);
    });
  }

  /** Checks at the servers run inside a process's step: their exceptions end the history, not that step. */
  #observe(check: () => void): void {
    try {
      check();
    } catch (error) {
      this.#bug ??= error instanceof Error ? (error.stack ?? error.message) : String(error);
    }
  }
}
