/** Simulated shards and front doors: the services' own parts, on simulated processes, networks, streams and stores. */
import type { JetStreamManager } from '@nats-io/jetstream';
import { createPlanSource, PlanCompiler } from '@parterre/shared/charts/plans/plans';
import type { Caller, Command } from '@parterre/shared/protocol/commands';
import { done, type Fault, type Outcome } from '@parterre/shared/protocol/errors';
import { requestDeadlineMs } from '@parterre/shared/protocol/limits';
import type { EventConfig } from '@parterre/shared/protocol/records';
import { partitionOf, subjects } from '@parterre/shared/protocol/subjects';
import type { Logger } from '@parterre/shared/runtime/log';
import { createCommandBus } from '../../../services/frontdoor/src/shards/command-bus.ts';
import { createShardClient, type ShardClient } from '../../../services/frontdoor/src/shards/shard-client.ts';
import { createMemberBus } from '../../../services/inventory-shard/src/cluster/member-bus.ts';
import { Ownership } from '../../../services/inventory-shard/src/cluster/ownership.ts';
import { nothingAccepted } from '../../../services/inventory-shard/src/journal/accepted-losses.ts';
import { Journal } from '../../../services/inventory-shard/src/journal/appends.ts';
import { Remembered } from '../../../services/inventory-shard/src/journal/lost-records.ts';
import { PreparedEvents } from '../../../services/inventory-shard/src/journal/prepared-events.ts';
import { createRosterStore } from '../../../services/inventory-shard/src/journal/rosters.ts';
import { SharedParts } from '../../../services/inventory-shard/src/journal/shared-parts.ts';
import {
  createSnapshotStore,
  type SnapshotStore,
} from '../../../services/inventory-shard/src/journal/snapshots/snapshots.ts';
import type { Actor } from '../../../services/inventory-shard/src/partition/actor.ts';
import { Budgets } from '../../../services/inventory-shard/src/partition/budgets.ts';
import { deliverCommands } from '../../../services/inventory-shard/src/partition/commands.ts';
import { EventMemory, type Passivation } from '../../../services/inventory-shard/src/partition/event-memory.ts';
import { LoopTurn } from '../../../services/inventory-shard/src/partition/loop-turn.ts';
import { Partition } from '../../../services/inventory-shard/src/partition/partition.ts';
import { createOutgoing } from '../../../services/inventory-shard/src/partition/replies.ts';
import { Readers } from '../../../services/inventory-shard/src/readers/event-readers.ts';
import { ReaderThread } from '../../../services/inventory-shard/src/readers/reader-thread.ts';
import { SteadyClock } from '../../../services/inventory-shard/src/steady-clock/steady-clock.ts';
import { eventConfig } from '../../support/inventory/house.ts';
import { knownStream } from '../../support/journal/links.ts';
import { firstChart } from '../../support/model/reference/chart.ts';
import type { Faults } from '../faults.ts';
import { simulatedCompiler } from './compiler.ts';
import type { Evidence, Holder } from './evidence.ts';
import { createSimulatedLog, type SimulatedStream } from './log.ts';
import type { Network } from './network.ts';
import { SimulatedProcess } from './process.ts';
import { simulatedReader } from './reader.ts';
import type { Scheduler } from './scheduler.ts';
import { type SharedStore, StoreAccess } from './store.ts';

export type Cluster = {
  scheduler: Scheduler;
  faults: Faults;
  network: Network;
  streams: SimulatedStream[];
  store: SharedStore;
  /** Evidence outside the journal, in histories whose log lies. Null: no stream ever lies. */
  evidence: Evidence | null;
  /** The names of all holds that callers have asked for, each behind its event's key. */
  namesOfHolds: Set<string>;
  /** Called at moments that only some histories reach. */
  reached(moment: string): void;
  /** Called when the services' own code reports a bug. */
  onBug(what: string): void;
};

/** Its objects name no chunks, and no replica answers, so that every read goes to the object store. */
const noManager = {
  direct: { getMessage: () => Promise.reject(new Error('no replica')) },
} as unknown as JetStreamManager;

const snapshotsDeadlineMs = 1_000;

/** The memory bound, given the actors. */
class WatchedMemory extends EventMemory {
  readonly actors = new Set<Actor>();

  override used(actor: Actor, passivate: (actor: Actor) => Promise<Passivation>): void {
    this.actors.add(actor);
    super.used(actor, passivate);
  }

  override gone(actor: Actor): void {
    this.actors.delete(actor);
    super.gone(actor);
  }
}

export class Shard {
  readonly process: SimulatedProcess;
  readonly ownership: Ownership;
  readonly remembered: Remembered;
  isLeaving = false;
  readonly #memory: WatchedMemory;
  readonly #turn: LoopTurn;
  /** Never compares its clock with NATS, and follows its wall clock wherever it goes. */
  readonly followsWallClock: boolean;
  /** Compares the clock with NATS. */
  readonly #begin: () => Promise<void>;

  constructor(cluster: Cluster, id: string) {
    const { scheduler, faults, network, store, streams } = cluster;
    const process = new SimulatedProcess(scheduler, id, faults);
    const log = tracedLog(scheduler, process, cluster.onBug);
    const nats = network.connect(process);
    const access = new StoreAccess(scheduler, faults, process);
    const had = new Set<number>();
    this.process = process;
    const steady = new SteadyClock(process.clock, () => process.clock.elapsed(), log);
    this.followsWallClock = faults.strikes('wallClockShards');
    this.#begin = () => (this.followsWallClock ? Promise.resolve() : steady.begin(access.natsTime(streams)));
    const clock = this.followsWallClock ? process.clock : steady;
    this.#memory = new WatchedMemory({ clock, log, bytesMax: faults.now.memoryBytes });
    // Simulated work takes no time, so now and then the turn's clock says that much time has passed.
    const elapsed = (): number => clock.elapsed() + (faults.strikes('turnEnds') ? 1_000 : 0);
    this.#turn = new LoopTurn({ elapsed }, (run) => process.soon(run));
    const objects = access.objectStore(store);
    const stored = createSnapshotStore(objects, noManager, log, this.#turn);
    const counting: SnapshotStore = {
      ...stored,
      async load(...asked) {
        const snapshot = await stored.load(...asked);
        if (snapshot) cluster.reached('a snapshot is loaded');
        return snapshot;
      },
    };
    const { evidence } = cluster;
    const holder: Holder = { process, access, log };
    const snapshots = evidence?.snapshotsOf(counting) ?? counting;
    const reader = simulatedReader(scheduler.random, faults, process, () => cluster.reached('a reader thread answers'));
    const thread = new ReaderThread(clock, log, this.#turn, reader);
    const readers = new Readers(log, thread, faults.now.inlineUnitsMax);
    const compiler = simulatedCompiler(scheduler.random, faults, process, () => cluster.reached('a plan is compiled'));
    const plans = createPlanSource(access.catalog, new PlanCompiler(process.clock, log, compiler));
    // All replies go over NATS.
    const { reply, publishChange } = createOutgoing(nats, undefined, (run) => process.soon(run));
    const remembered = evidence?.forget(new Remembered()) ?? new Remembered();
    this.remembered = remembered;
    const prepared = new PreparedEvents(clock, (number, shared) => {
      const loader = access.loader(streams[number]!, plans, snapshots, this.#turn, shared, remembered);
      return evidence?.loaderOf(holder, loader, shared !== undefined) ?? loader;
    });
    this.ownership = new Ownership({
      clock,
      log,
      self: id,
      process: `host/${id}`,
      partitions: streams.length,
      regionOf: () => null,
      regions: [],
      linkAddress: null,
      bus: createMemberBus(nats, clock, id, log),
      leases: access.leases(store, () => {}),
      linkIsUp: () => process.linkIsUp,
      storage: () => ({ store: 'ok', disk: 'ok' }),
      createPartition: (number, lost) => {
        process.hasLost ||= had.has(number);
        had.add(number);
        const shared = new SharedParts(faults.now.unanchoredBytes);
        return new Partition({
          clock,
          log,
          plans,
          snapshots,
          rosters: createRosterStore(objects, number, log),
          remembered,
          accepted: nothingAccepted,
          stream: evidence?.streamOf(holder, number) ?? knownStream,
          memory: this.#memory,
          turn: this.#turn,
          readers,
          shared,
          sharedCommitsInFlightMax: faults.now.sharedCommitsInFlightMax,
          loader: prepared.loader(number, shared),
          openJournal: (events) => {
            const log = createSimulatedLog(scheduler, faults, process, streams[number]!);
            const low = (): number => shared.mark;
            return evidence?.journalOf(log, clock, id, events, low) ?? new Journal(log, clock, id, events, low);
          },
          reply,
          publishChange: (eventKey, change) => publishChange(subjects.feed(number, eventKey), change),
          lost,
          connected: () => process.whenConnected(),
        });
      },
      prepare: (number, events) => prepared.prepare(number, events),
      deliverCommands: (number, partition) =>
        deliverCommands({ nats, log }, number, partition, new Budgets(clock, reply)),
    });
    process.onLink((isUp) => (isUp ? this.ownership.linkRestored() : this.ownership.linkLost()));
  }

  get actors(): Iterable<Actor> {
    return this.#memory.actors;
  }

  /** A shard that cannot start ends, and its supervisor starts it again. */
  start(): void {
    this.#begin()
      .then(() => (this.isLeaving ? undefined : this.ownership.start()))
      .catch(() => this.process.crash('it could not start'));
  }

  /** Stores the snapshots and rosters of its partitions, as before a handover, and goes on serving. */
  storeSnapshots(): void {
    for (const { partition } of this.ownership.owned()) void partition.snapshotAll(snapshotsDeadlineMs);
  }

  leave(): void {
    this.isLeaving = true;
    this.ownership.stop().then(
      () => this.process.crash('it has left'),
      () => this.process.crash('it could not leave'),
    );
  }
}

const { hash: planHash } = firstChart;

/** Every third event is managed, the others belong to a platform. */
export function ownershipOf(eventKey: string): EventConfig['ownership'] {
  return eventKey.endsWith('2') ? 'managed' : 'platform';
}

export class FrontDoor {
  readonly process: SimulatedProcess;
  readonly #client: ShardClient;
  readonly #onBug: (what: string) => void;
  readonly #reached: Cluster['reached'];
  readonly #namesOfHolds: Set<string>;

  constructor({ scheduler, faults, network, streams, onBug, reached, namesOfHolds }: Cluster, name: string) {
    this.#onBug = onBug;
    this.#namesOfHolds = namesOfHolds;
    this.#reached = reached;
    this.process = new SimulatedProcess(scheduler, name, faults);
    const { clock } = this.process;
    const partitions = [...streams.keys()];
    this.#client = createShardClient({
      bus: createCommandBus(network.connect(this.process)),
      placement: ({ key }) => partitionOf(key, partitions),
      clock,
      configOf: async (eventKey) => {
        const ownership = ownershipOf(eventKey);
        return done(eventConfig({ eventKey, eventId: `evt_${eventKey}`, ownership, planHash, chartVersion: 1 }));
      },
      onVersion: () => {},
      atTurnEnd: (run) => this.process.soon(run),
      isHopeless: () => false,
      onFault: (fault: Fault) => onBug(`${name}: ${fault.message}`),
    });
  }

  /** Asks when the process has time for it; `hear` is called with the answer. */
  submit(eventKey: string, caller: Caller, command: Command, hear: (outcome: Outcome<unknown>) => void): void {
    const event = { key: eventKey, region: 'africa', organisationId: 'org_1' };
    this.process.soon(() => {
      // Routes name each hold anew, unless its caller names it. A repetition goes to the owner.
      const isNew = command.type === 'hold' && this.#isNewName(`${eventKey} ${command.holdId}`);
      const refused = isNew ? this.#client.refusalOf(event, caller, command) : null;
      if (refused) this.#reached('a front door refuses by itself');
      const deadlineAt = this.process.clock.elapsed() + requestDeadlineMs;
      const answer = refused ? Promise.resolve(refused) : this.#client.submit(event, caller, command, deadlineAt);
      (answer as Promise<Outcome<unknown>>)
        .then(hear)
        .catch((error: Error) => this.#onBug(error.stack ?? error.message));
    });
  }

  #isNewName(name: string): boolean {
    const isNew = !this.#namesOfHolds.has(name);
    this.#namesOfHolds.add(name);
    return isNew;
  }
}

/** `error` is for unexpected faults; in a simulation with enough faults these happen. */
const expectedErrors = [
  'the time of this shard is wrong',
  'the time of NATS differs',
  'the wall clock of this machine is wrong',
  'cannot be served',
  'the reader thread failed',
  'the plan compiler failed',
  'could not be taken',
  'could not be handed over',
  // To an owner that was replaced between its look at the log and its look at the snapshots.
  'snapshot is ahead of the journal',
];

function tracedLog(scheduler: Scheduler, process: SimulatedProcess, onBug: (what: string) => void): Logger {
  const note = (context: unknown, message: string): void => {
    if (!process.alive) return;
    const { err, ...more } = context as { err?: Error };
    scheduler.trace(`${process.name}: ${message} ${JSON.stringify(more)}${err ? ` (${err.message})` : ''}`);
    // Simulated faults are no TypeErrors: a fake lacks a method, or the code has a bug.
    if (err instanceof TypeError) onBug(`${process.name}: ${message} ${err.stack}`);
  };
  const take = (context: unknown, message?: string): void =>
    typeof context === 'string' ? note({}, context) : note(context, message ?? '');
  const log = {
    info: take,
    warn: take,
    error: (context: { err?: Error }, message: string) => {
      take(context, message);
      if (process.alive && !expectedErrors.some((known) => message.includes(known))) {
        onBug(`${process.name}: ${message} ${context.err?.stack ?? ''}`);
      }
    },
    child: () => log,
  };
  return log as unknown as Logger;
}
