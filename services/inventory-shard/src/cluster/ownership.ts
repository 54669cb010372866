/**
 * Which partitions this process owns: it takes those that rendezvous hashing gives it, and hands over those that it gives
 * to another. Nothing in here decides who may write, the journal's epochs do (I3): a wrong belief costs time, no seat.
 *
 * States of a partition here: none → taking → serving → handing over → none; and lost → none, from any.
 *
 * Taking, when this member is the heir and nobody who is alive claims the partition: `Partition.open` fences (awaits the
 * log, for as long as it takes), then the commands are subscribed to (awaits the link), then the claim is announced, from
 * which front doors learn whom to ask, and the lease written (not awaited), which tells those who start later. Handing over, when another
 * member is the heir:
 * snapshots are stored while it still serves (awaits the object store, bounded), the subscriptions drained (awaits the
 * link; failing, what comes is answered `moved`), `Partition.handOver` finishes what is under way and releases the
 * partition in the log (bounded), and the next beat, sent at once, says so: the heir takes it.
 *
 * Who is alive: `members.ts`. A front door that finds nobody at a partition says so; the claimant is then asked twice,
 * and where NATS says both times that nobody listens there, it is forgotten without waiting for its silence. A claim of
 * another member on what is served here is a reason to look at the log, never to let go.
 *
 * A process that was stopped hears its own timer late: it forgives everybody's silence, and looks at the log of all it
 * serves. While the link is down nobody is swept.
 */
import type { Beat } from '@parterre/shared/beat';
import { type Clock, pause } from '@parterre/shared/clock';
import type { Logger } from '@parterre/shared/log';
import type { Partition } from '../partition/partition.ts';
import {
  handOverSnapshotsMs,
  heartbeatMs,
  memberPingPauseMs,
  memberSilenceMs,
  movesAtOnce,
  retakePauseMs,
  tailLookMs,
} from '../rules/state/bounds.ts';
import { Members } from './members.ts';
import { heirOf } from './placement.ts';

export type MemberBus = {
  announce(beat: Beat): void;
  /** Called once. */
  listen(handlers: { onBeat(beat: Beat): void; onOrphaned(partition: number): void }): void;
  /** `nobody`: the servers know of no listener under this id; `silent`: no answer in time, or the link is down. */
  ping(id: string): Promise<'here' | 'nobody' | 'silent'>;
};

/** In KV, a hint to shards that start and to operators: who took a partition, with which epoch, and where it runs. */
export type Lease = { owner: string; epoch: number; at: number; process: string };

export type Leases = {
  /** Throws when the bucket cannot be read. */
  all(): Promise<Map<number, Lease>>;
  /** Never throws: without a lease a shard that starts may fence an owner that lives, no more. */
  put(partition: number, lease: Lease): Promise<void>;
};

export type OwnershipPorts = {
  clock: Clock;
  log: Logger;
  /** This process' life: an id that no other has. */
  self: string;
  /** Where it runs, for operators: `host/pid`. */
  process: string;
  partitions: number;
  /** The region that has a partition; null for one of the default range. */
  regionOf(partition: number): string | null;
  /** Those whose partitions this process would rather own. */
  regions: readonly string[];
  bus: MemberBus;
  leases: Leases;
  /** `lost` is called when another owner has taken it. */
  createPartition(number: number, lost: () => void): Partition;
  /** Has commands delivered to the partition; the returned function ends that, once all that were sent are delivered. */
  deliverCommands(number: number, partition: Partition): Promise<() => Promise<void>>;
  linkIsUp(): boolean;
};

type Tenure = {
  readonly partition: Partition;
  stage: 'taking' | 'serving' | 'handing over';
  endDelivery: () => Promise<void>;
};

export class Ownership {
  readonly #ports: OwnershipPorts;
  readonly #members: Members;
  readonly #tenures = new Map<number, Tenure>();
  readonly #lostAt = new Map<number, number>();
  readonly #checking = new Set<string>();
  /** How often another owner took a partition from this one. */
  losses = 0;
  #heirs: (string | null)[] = [];
  #leaving = false;
  #stopped = false;
  #tickedAt = 0;
  #lookedAt = 0;

  constructor(ports: OwnershipPorts) {
    this.#ports = ports;
    this.#members = new Members(ports.self);
  }

  /** Joins the cluster; resolves when what is to be taken at once is taken. Throws when the leases cannot be read. */
  async start(): Promise<void> {
    const { bus, clock, leases } = this.#ports;
    bus.listen({ onBeat: (beat) => this.#onBeat(beat), onOrphaned: (number) => this.#onOrphaned(number) });
    this.#tickedAt = clock.elapsed();
    this.#announce();
    const byOwner = new Map<string, [number, number][]>();
    for (const [number, { owner, epoch }] of await leases.all()) {
      byOwner.set(owner, [...(byOwner.get(owner) ?? []), [number, epoch]]);
    }
    for (const [owner, owns] of byOwner) this.#members.presume(owner, owns, clock.elapsed());
    await Promise.all([...byOwner.keys()].map((owner) => this.#check(owner)));
    this.#reckon();
    this.#tick();
    while (this.#isTaking()) await pause(clock, memberPingPauseMs);
  }

  /** Members that live, this one among them. */
  memberCount(): number {
    return this.#members.size + 1;
  }

  /** All partitions that this process owns now. */
  owned(): { number: number; partition: Partition }[] {
    return [...this.#tenures].map(([number, { partition }]) => ({ number, partition }));
  }

  /** Leaves the cluster: every partition is handed over. */
  async stop(): Promise<void> {
    this.#leaving = true;
    this.#reckon();
    this.#announce();
    while (this.#tenures.size > 0) {
      this.#reconcile();
      await pause(this.#ports.clock, memberPingPauseMs / 10);
    }
    this.#stopped = true;
    this.#announce();
  }

  linkLost(): void {
    for (const { partition } of this.#tenures.values()) partition.connectionLost();
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
    // An idle owner hears nothing of its log: replaced by somebody who is gone since, it must find out by itself.
    if (hasSlept || now - this.#lookedAt >= tailLookMs) this.#lookAtLogs(now);
    if (this.#ports.linkIsUp() && this.#members.sweep(now)) this.#reckon();
    this.#announce();
    this.#reconcile();
    clock.after(heartbeatMs, () => this.#tick());
  }

  #lookAtLogs(now: number): void {
    this.#lookedAt = now;
    for (const { partition } of this.#tenures.values()) partition.suspect();
  }

  #announce(): void {
    const owns: Beat['owns'] = [];
    for (const [number, { partition, stage }] of this.#tenures) {
      if (stage !== 'taking') owns.push([number, partition.epoch]);
    }
    const { bus, self, regions } = this.#ports;
    bus.announce({ id: self, owns, regions, leaving: this.#leaving });
  }

  #onBeat(beat: Beat): void {
    if (this.#stopped || beat.id === this.#ports.self) return;
    if (this.#members.hear(beat, this.#ports.clock.elapsed())) this.#reckon();
    for (const [number, epoch] of beat.owns) {
      const tenure = this.#tenures.get(number);
      if (tenure && epoch > tenure.partition.epoch) tenure.partition.suspect();
    }
    this.#reconcile();
  }

  #onOrphaned(number: number): void {
    const claim = this.#members.claimOn(number);
    if (claim) void this.#check(claim.id);
    else this.#reconcile();
  }

  /** Forgets a member that nobody answers for, asked twice: its connection may just be coming back. */
  async #check(id: string): Promise<void> {
    if (this.#checking.has(id)) return;
    this.#checking.add(id);
    const first = await this.#ports.bus.ping(id);
    if (first === 'nobody') await pause(this.#ports.clock, memberPingPauseMs);
    const isGone = first === 'nobody' && (await this.#ports.bus.ping(id)) === 'nobody';
    this.#checking.delete(id);
    const wasHeard = this.#members.wasHeard(id);
    if (!isGone || this.#stopped || !this.#members.forget(id)) return;
    if (wasHeard) this.#ports.log.warn({ member: id }, 'nobody answers for this member, it is taken for dead');
    // Leases stay when their owner leaves: after every restart of all shards they name the ones before.
    else this.#ports.log.info({ member: id }, 'the owner that a lease names is not there any more');
    this.#reckon();
    this.#reconcile();
  }

  /** Works out anew who should own what. */
  #reckon(): void {
    const { partitions, regionOf, regions, self } = this.#ports;
    const candidates = this.#members.candidates();
    if (!this.#leaving) candidates.push({ id: self, regions });
    this.#heirs = Array.from({ length: partitions }, (_, number) => heirOf(number, regionOf(number), candidates));
  }

  #reconcile(): void {
    if (this.#stopped) return;
    // Whoever leaves has a deadline to be gone by.
    let room = this.#leaving ? this.#ports.partitions : movesAtOnce;
    for (const { stage } of this.#tenures.values()) if (stage === 'handing over') room--;
    for (const [number, heir] of this.#heirs.entries()) {
      const isHeir = heir === this.#ports.self;
      const tenure = this.#tenures.get(number);
      if (!tenure && isHeir && this.#mayTake(number)) void this.#take(number);
      if (tenure?.stage !== 'serving' || isHeir || room <= 0) continue;
      room--;
      void this.#handOver(number, tenure);
    }
  }

  #isTaking(): boolean {
    return [...this.#tenures.values()].some(({ stage }) => stage === 'taking');
  }

  #mayTake(number: number): boolean {
    const lostAt = this.#lostAt.get(number) ?? Number.NEGATIVE_INFINITY;
    return this.#ports.clock.elapsed() >= lostAt + retakePauseMs && this.#members.claimOn(number) === null;
  }

  async #take(number: number): Promise<void> {
    const { clock, leases, log, self } = this.#ports;
    const partition = this.#ports.createPartition(number, () => this.#onLost(number, tenure));
    const tenure: Tenure = { partition, stage: 'taking', endDelivery: async () => {} };
    this.#tenures.set(number, tenure);
    try {
      if (!(await partition.open())) return this.#drop(number, tenure);
      tenure.endDelivery = await this.#ports.deliverCommands(number, partition);
    } catch (error) {
      log.error({ err: error, partition: number }, 'partition could not be taken');
      return this.#drop(number, tenure);
    }
    if (this.#tenures.get(number) !== tenure) return this.#drop(number, tenure);
    tenure.stage = 'serving';
    log.info({ partition: number, epoch: partition.epoch }, 'partition taken');
    void leases.put(number, { owner: self, epoch: partition.epoch, at: clock.now(), process: this.#ports.process });
    this.#announce();
  }

  async #handOver(number: number, tenure: Tenure): Promise<void> {
    tenure.stage = 'handing over';
    try {
      await tenure.partition.snapshotAll(handOverSnapshotsMs);
      await tenure.endDelivery();
      await tenure.partition.handOver();
      this.#ports.log.info({ partition: number }, 'partition handed over');
    } catch (error) {
      this.#ports.log.error({ err: error, partition: number }, 'partition could not be handed over in good order');
    }
    this.#drop(number, tenure);
    this.#announce();
    this.#reconcile();
  }

  #onLost(number: number, tenure: Tenure): void {
    this.losses++;
    this.#lostAt.set(number, this.#ports.clock.elapsed());
    this.#drop(number, tenure);
    this.#announce();
  }

  #drop(number: number, tenure: Tenure): void {
    if (this.#tenures.get(number) === tenure) this.#tenures.delete(number);
    tenure.partition.close();
    tenure.endDelivery().catch((error) => this.#ports.log.warn({ err: error }, 'subscriptions were not ended'));
  }
}
