/**
 * The partitions that this process owns. Rendezvous hashing (placement.ts) gives each partition an heir among the
 * members. This process takes the partitions whose heir it is, and hands over its partitions that have another heir.
 * This file does not decide which process may write: the journal's epochs do (I3). A wrong belief costs time, never a
 * seat.
 *
 * States of a partition here: none → taking → serving → handing over → none. A lost partition goes to none from any
 * state.
 *
 * Taking, when this member is the heir and no living member claims the partition: `Partition.open` fences (awaits the
 * log, without a time limit), then commands are subscribed to (awaits the link). The claim is then announced, so that
 * front doors address this owner. The lease is written (not awaited), so that shards that start later know the owner.
 *
 * Handing over, when another member is the heir: while the partition still serves, snapshots are stored and the heir
 * loads the events in use and folds them on (awaits the store and the heir, bounded). The subscriptions are drained
 * (awaits the link; if that fails, late commands are answered `moved`). `Partition.handOver` finishes the work under
 * way and gives up the partition in the log (bounded). The next beat, sent at once, no longer claims the partition, and
 * the heir takes it.
 *
 * `members.ts` knows which members are alive. A front door that finds no owner at a partition reports the partition as
 * orphaned. The claimant is then pinged. If NATS answers twice in a row that nobody listens, the claimant is forgotten
 * before its silence is over. The parent of a member's process tells its end at once. This end is certain, so the heirs
 * have a shorter quiet time (journal/tail.ts). If another member claims, with a higher epoch, a partition that is
 * served here, this owner looks at the log. It never gives up a partition because of a claim.
 *
 * A member that joins takes nothing before it has read the leases: until then it may not have heard every owner, and
 * would fence living owners. Where there are no leases, members may all be starting: each announces itself, and takes
 * nothing before it could hear a beat of each other (awaits `firstMeetingMs`).
 *
 * A process that was stopped notices that its own timer fires late. It then forgives every member's silence and looks
 * at the log of each partition it serves. While the link is down, or does not bring back this member's own beats (its
 * NATS server hangs), no member is forgotten for its silence.
 */
import type { Beat } from '@parterre/shared/protocol/beat';
import { type Clock, pause } from '@parterre/shared/runtime/clock';
import type { Logger } from '@parterre/shared/runtime/log';
import type { Partition } from '../partition/partition.ts';
import {
  firstMeetingMs,
  handOverSnapshotsMs,
  heartbeatMs,
  memberPingPauseMs,
  memberPingsMax,
  memberSilenceMs,
  movesAtOnce,
  retakePauseMs,
  tailLookMs,
} from './bounds.ts';
import type { Leases } from './leases.ts';
import { Members } from './members.ts';
import { heirOf } from './placement.ts';

export type MemberBus = {
  announce(beat: Omit<Beat, 'form'>): void;
  /** Called once. */
  listen(handlers: {
    onBeat(beat: Beat): void;
    onOrphaned(partition: number): void;
    /** Resolves when the events are loaded, as far as they can be. */
    onPrepare(partition: number, events: string[]): Promise<void>;
  }): void;
  /**
   * Asks the heir of the partition to load these events, and then to fold them on. Resolves when the heir has done so,
   * or cannot: no answer is waited for longer than `handOverPrepareMs`. Never throws.
   */
  prepare(heir: string, partition: number, events: string[]): Promise<void>;
  /** `nobody`: no listener exists under this id. `silent`: no answer came in time, or the link is down. */
  ping(id: string): Promise<'here' | 'nobody' | 'silent'>;
};

export type OwnershipPorts = {
  clock: Clock;
  log: Logger;
  /** The id of this process. No other process, past or present, has the same id. */
  self: string;
  /** Where this process runs, for operators: `host/pid`. */
  process: string;
  partitions: number;
  /** The region of a partition, or null for a partition of the default range. */
  regionOf(partition: number): string | null;
  /** The regions whose partitions this process prefers to own. */
  regions: readonly string[];
  /** The address for direct links of front doors, or null. */
  linkAddress: string | null;
  bus: MemberBus;
  leases: Leases;
  /** `lost` is called when another owner has taken the partition. */
  createPartition(number: number, lost: () => void): Partition;
  /** Loads events of a partition that this process is about to take. */
  prepare(number: number, events: readonly string[]): Promise<void>;
  /**
   * Starts the delivery of commands to the partition. The returned function ends it after every command already sent is
   * delivered.
   */
  deliverCommands(number: number, partition: Partition): Promise<() => Promise<void>>;
  /** False as well while the link brings no message. */
  linkIsUp(): boolean;
  /** The storage of the journal, its disk, and the number of halted events, for the beats. */
  storage(): Required<Pick<Beat, 'store' | 'disk'>> & Pick<Beat, 'haltedEvents'>;
};

type Term = {
  readonly partition: Partition;
  stage: 'taking' | 'serving' | 'handing over';
  endDelivery: () => Promise<void>;
};

export class Ownership {
  readonly #ports: OwnershipPorts;
  readonly #members: Members;
  readonly #terms = new Map<number, Term>();
  readonly #lostAt = new Map<number, number>();
  readonly #checking = new Set<string>();
  /** The number of partitions that other owners took from this process. */
  losses = 0;
  #heirs: (string | null)[] = [];
  /** False until the leases are read and their owners are heard or found dead. */
  #knowsOwners = false;
  #leaving = false;
  #stopped = false;
  #tickedAt = 0;
  #lookedAt = 0;

  constructor(ports: OwnershipPorts) {
    this.#ports = ports;
    this.#members = new Members(ports.self);
  }

  /**
   * Joins the cluster. Resolves when the partitions to take at once are taken. Throws when the leases cannot be read.
   * The first beat is sent when this member knows the owners and can take partitions: a member that hears the beat
   * hands partitions over at once.
   */
  async start(): Promise<void> {
    const { bus, clock, leases } = this.#ports;
    bus.listen({
      onBeat: (beat) => this.#onBeat(beat),
      onOrphaned: (number) => this.#onOrphaned(number),
      onPrepare: (number, events) => this.#ports.prepare(number, events),
    });
    const byOwner = new Map<string, [number, number][]>();
    const known = await leases.all();
    if (known.size === 0) await this.#meetOthers();
    for (const [number, { owner, epoch }] of known) {
      byOwner.set(owner, [...(byOwner.get(owner) ?? []), [number, epoch]]);
    }
    const inDoubt = [...byOwner].filter(([owner, owns]) => this.#members.presume(owner, owns, clock.elapsed()));
    await Promise.all(inDoubt.map(([owner]) => this.#check(owner)));
    this.#knowsOwners = true;
    this.#tickedAt = clock.elapsed();
    this.#reckon();
    this.#tick();
    while (this.#isTaking()) await pause(clock, memberPingPauseMs);
  }

  /**
   * A deployment without leases starts for the first time, perhaps with several members at once. Each hears the others
   * before it takes partitions. Otherwise the members take the same partitions, and fence each other.
   */
  async #meetOthers(): Promise<void> {
    this.#announce();
    await pause(this.#ports.clock, firstMeetingMs);
    this.#announce();
  }

  /** The number of living members, this one included. */
  memberCount(): number {
    return this.#members.size + 1;
  }

  /** The partitions that this process owns now. */
  owned(): { number: number; partition: Partition }[] {
    return [...this.#terms].map(([number, { partition }]) => ({ number, partition }));
  }

  /** Ends the term of a partition that cannot serve, and takes the partition again. */
  retake(number: number): void {
    const term = this.#terms.get(number);
    if (term) this.#drop(number, term);
    this.#reconcile();
  }

  /** Leaves the cluster after handing over every partition. */
  async stop(): Promise<void> {
    this.#leaving = true;
    this.#reckon();
    this.#announce();
    while (this.#terms.size > 0) {
      this.#reconcile();
      await pause(this.#ports.clock, memberPingPauseMs / 10);
    }
    this.#stopped = true;
    this.#announce();
  }

  /** The processes of these members have ended for certain. */
  membersEnded(ids: readonly string[]): void {
    const known = ids.filter((id) => this.#members.end(id));
    if (known.length === 0 || this.#stopped) return;
    this.#ports.log.warn({ members: known }, 'the processes of these members have ended');
    this.#reckon();
    this.#reconcile();
  }

  linkLost(): void {
    for (const { partition } of this.#terms.values()) partition.connectionLost();
  }

  /** The partition's stream has a new leader. */
  leaderElected(number: number): void {
    this.#terms.get(number)?.partition.leaderElected();
  }

  linkRestored(): void {
    this.#members.forgive(this.#ports.clock.elapsed());
    this.#announce();
  }

  #tick(): void {
    if (this.#stopped) return;
    const { clock } = this.#ports;
    const now = clock.elapsed();
    const hasSlept = now - this.#tickedAt > heartbeatMs + memberSilenceMs / 2;
    this.#tickedAt = now;
    if (hasSlept) this.#members.forgive(now);
    // An idle owner hears nothing from its log. If another owner replaced it and died, only a look at the log can tell.
    if (hasSlept || now - this.#lookedAt >= tailLookMs) this.#lookAtLogs(now);
    if (!this.#ports.linkIsUp()) this.#members.forgive(now);
    else if (this.#members.sweep(now)) this.#reckon();
    this.#announce();
    this.#reconcile();
    clock.after(heartbeatMs, () => this.#tick());
  }

  #lookAtLogs(now: number): void {
    this.#lookedAt = now;
    for (const { partition } of this.#terms.values()) partition.suspect();
  }

  #announce(): void {
    const owns: Beat['owns'] = [];
    let haltedPartitions = 0;
    for (const [number, { partition, stage }] of this.#terms) {
      if (stage === 'taking') continue;
      owns.push([number, partition.epoch]);
      if (partition.state === 'halted') haltedPartitions++;
    }
    const { bus, self, regions, linkAddress, storage } = this.#ports;
    const link = linkAddress === null ? {} : { link: linkAddress };
    bus.announce({ id: self, owns, regions, leaving: this.#leaving, ...link, ...storage(), haltedPartitions });
  }

  #onBeat(beat: Beat): void {
    if (this.#stopped || beat.id === this.#ports.self) return;
    if (this.#members.hear(beat, this.#ports.clock.elapsed())) this.#reckon();
    for (const [number, epoch] of beat.owns) {
      const term = this.#terms.get(number);
      if (term && epoch > term.partition.epoch) term.partition.suspect();
    }
    this.#reconcile();
  }

  #onOrphaned(number: number): void {
    const claim = this.#members.claimOn(number);
    if (claim) void this.#check(claim.id);
    else this.#reconcile();
  }

  async #check(id: string): Promise<void> {
    if (this.#checking.has(id)) return;
    this.#checking.add(id);
    const isGone = await this.#isGone(id);
    this.#checking.delete(id);
    const wasHeard = this.#members.wasHeard(id);
    if (!isGone || this.#stopped || !this.#members.forget(id)) return;
    if (wasHeard)
      this.#ports.log.warn({ member: id }, 'nobody listens under the id of this member, the member counts as dead');
    // A lease stays after its owner has left. After a restart of all shards, leases name the shards before the restart.
    else this.#ports.log.info({ member: id }, 'the owner in a lease has left the cluster');
    this.#reckon();
    this.#reconcile();
  }

  /**
   * Whether nobody listens under the member's id, twice in a row: after one failed ping the member's connection may
   * just be coming back. A ping that gets no answer may have been on its way when the member died, so the next one asks
   * again.
   */
  async #isGone(id: string): Promise<boolean> {
    let misses = 0;
    for (let pings = 0; pings < memberPingsMax; pings++) {
      const answer = await this.#ports.bus.ping(id);
      if (answer === 'here') return false;
      misses = answer === 'nobody' ? misses + 1 : 0;
      if (misses === 2) return true;
      if (answer === 'nobody') await pause(this.#ports.clock, memberPingPauseMs);
    }
    return false;
  }

  /** Computes the heir of every partition. */
  #reckon(): void {
    const { partitions, regionOf, regions, self } = this.#ports;
    const candidates = this.#members.candidates();
    if (!this.#leaving) candidates.push({ id: self, regions });
    this.#heirs = Array.from({ length: partitions }, (_, number) => heirOf(number, regionOf(number), candidates));
  }

  #reconcile(): void {
    if (this.#stopped || !this.#knowsOwners) return;
    // A leaving process has little time, so it hands over all partitions at once.
    let room = this.#leaving ? this.#ports.partitions : movesAtOnce;
    for (const { stage } of this.#terms.values()) if (stage === 'handing over') room--;
    for (const [number, heir] of this.#heirs.entries()) {
      const isHeir = heir === this.#ports.self;
      const term = this.#terms.get(number);
      if (!term && isHeir && this.#mayTake(number)) void this.#take(number);
      if (term?.stage !== 'serving' || isHeir || room <= 0) continue;
      room--;
      void this.#handOver(number, term);
    }
  }

  #isTaking(): boolean {
    return [...this.#terms.values()].some(({ stage }) => stage === 'taking');
  }

  #mayTake(number: number): boolean {
    const lostAt = this.#lostAt.get(number) ?? Number.NEGATIVE_INFINITY;
    return this.#ports.clock.elapsed() >= lostAt + retakePauseMs && this.#members.claimOn(number) === null;
  }

  async #take(number: number): Promise<void> {
    const { clock, leases, log, self } = this.#ports;
    const partition = this.#ports.createPartition(number, () => this.#onLost(number, term));
    const term: Term = { partition, stage: 'taking', endDelivery: async () => {} };
    this.#terms.set(number, term);
    try {
      if (!(await partition.open(this.#members.ended))) return this.#drop(number, term);
      term.endDelivery = await this.#ports.deliverCommands(number, partition);
    } catch (error) {
      log.error({ err: error, partition: number }, 'partition could not be taken');
      return this.#drop(number, term);
    }
    if (this.#terms.get(number) !== term) return this.#drop(number, term);
    term.stage = 'serving';
    log.info({ partition: number, epoch: partition.epoch }, 'partition taken');
    void leases.put(number, { owner: self, epoch: partition.epoch, at: clock.now(), process: this.#ports.process });
    this.#announce();
  }

  async #handOver(number: number, term: Term): Promise<void> {
    term.stage = 'handing over';
    try {
      await term.partition.snapshotAll(handOverSnapshotsMs);
      const heir = this.#heirs[number];
      if (heir) await this.#ports.bus.prepare(heir, number, term.partition.eventsInUse());
      await term.endDelivery();
      await term.partition.handOver();
      this.#ports.log.info({ partition: number }, 'partition handed over');
    } catch (error) {
      this.#ports.log.error({ err: error, partition: number }, 'partition could not be handed over in good order');
    }
    this.#drop(number, term);
    this.#announce();
    this.#reconcile();
  }

  #onLost(number: number, term: Term): void {
    this.losses++;
    this.#lostAt.set(number, this.#ports.clock.elapsed());
    this.#drop(number, term);
    this.#announce();
  }

  #drop(number: number, term: Term): void {
    if (this.#terms.get(number) === term) this.#terms.delete(number);
    term.partition.close();
    term.endDelivery().catch((error) => this.#ports.log.warn({ err: error }, 'subscriptions were not ended'));
  }
}
