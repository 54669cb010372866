/**
 * One partition during one term of this process as its owner: the actors of its events, their common journal, and the
 * pipeline between them.
 *
 * States: opening → serving ⇄ recovering, opening or recovering → halted, and from each → ended. Commands wait in the
 * mailboxes until they can be cut. A partition that is handed over or ended takes in no command and answers `moved`:
 * nothing was done, ask again, the next owner answers.
 *
 * Opening: the journal fences (awaits the log, and retries until the log answers or the term ends). If the previous
 * owner may still answer reads, nothing is cut for `quietMs` more (journal/appends.ts).
 *
 * Serving: actors with work stand in line. `pump` cuts a group from the first actor while the append window has room.
 * While appends are in flight, commands gather, and the next group takes all of them (natural batching, no timer). The
 * pipeline keeps the groups in flight, oldest first. Replies leave when their group is durable (I2). A cut without
 * records (reads, refusals) rests on earlier decisions. Its replies leave after the event's last group in flight, and
 * only when it is certain that this process still owned the partition (certain-answers.ts). A command that names a
 * chart reaches its event's mailbox when the chart's plan has come (intake/chart-preparations.ts), and a command that
 * may change refusals when no pledge to front doors runs (intake/pledges.ts).
 *
 * Halted: the stream is missing or another, though the deployment knows it, its end cannot be read, or it lacks a
 * message that the catalog has counted, or the fence with which this term began (I9). The partition appends nothing,
 * and answers every command with `journal_lost_records`, until the operator opens it (cluster/acceptances.ts). Then
 * each event is compared with the catalog, and those whose parts are lost stay halted.
 *
 * Recovering, when the outcome of an append is unknown: nothing is cut. The journal fences again (awaits the log, and
 * retries without end). The pauses between retries grow, and end when the log's stream has elected a leader. They also
 * separate fences between which no append succeeded, for example on a full disk. Groups that stand in the log were
 * committed, and their callers get their answers. Actors with groups that did not land are dropped with their
 * speculative state and loaded anew, and the callers of these groups are answered `moved`. If another owner's epoch
 * stands in the log (I3), everything is answered `moved` and the partition ends its term. The term also ends when the
 * stream is gone, or its end cannot be read. Groups in flight then get no answer, and the next term is halted, unless
 * the stream is whole again.
 *
 * Handing over: commands that were taken in are cut, appended and answered, for at most `handOverDrainMs`. Commands
 * that wait for a loading event or for a chart are answered `moved`. Groups that are still in flight after that time
 * get no answer, since their outcome is unknown. The journal then appends the record that gives up the partition
 * (awaits the log; without it, the next owner stays quiet for `fenceQuietMs`). After that record nothing is answered.
 */

import { Fault } from '@parterre/shared/protocol/errors';
import { retryPauseMs, retryPauseMsMax } from '@parterre/shared/protocol/limits';
import type { LossToAccept, LossToRestore } from '@parterre/shared/protocol/loss-acceptance';
import type { PartitionStatus } from '@parterre/shared/protocol/shard-status';
import { pause, pauseUnless } from '@parterre/shared/runtime/clock';
import { feedWatchedMs, showsWatcher } from '@parterre/shared/runtime/feed-watch';
import { isStreamMissing } from '@parterre/shared/runtime/stored-message';
import { tracing } from '@parterre/shared/runtime/tracing';
import {
  type AcceptedLosses,
  type Fence,
  type HistoryPosition,
  type Journal,
  type JournalEvents,
  type LostAppend,
  preparedPerPartitionMax,
} from '../journal/journal.ts';
import { type Acceptance, acceptLoss, fill, type SayFilled } from './acceptance.ts';
import { type Actor, type Job, replyOf } from './actor.ts';
import { ActorPool, type PoolPorts } from './actor-pool.ts';
import { haltedEventsNamed, handOverDrainMs, surveyRestMs } from './bounds.ts';
import { CertainAnswers } from './certain-answers.ts';
import { traceJob } from './command-spans.ts';
import { Figures } from './figures.ts';
import { ChartPreparations } from './intake/chart-preparations.ts';
import { CommandCopies, isUnderWay } from './intake/command-copies.ts';
import { putInMailbox } from './intake/mailbox.ts';
import { Pledges } from './intake/pledges.ts';
import { Pipeline, type PipelinePorts } from './pipeline/pipeline.ts';
import { type Restoration, restoreLoss } from './restoration.ts';
import { halted } from './troubled-events.ts';

export type { SayFilled } from './acceptance.ts';
export { inventoryMemoryMbDefault, troubledEventsNamed } from './bounds.ts';
export { Budgets } from './budgets.ts';
export { type DeliveryPorts, deliverCommands, type Take } from './commands.ts';
export { EventMemory } from './event-memory.ts';
export { Figures, HotEvents } from './figures.ts';
export { LoopTurn } from './loop-turn.ts';
export { createOutgoing } from './replies.ts';

/** The partition's needs from outside. */
export type PartitionPorts = PoolPorts &
  PipelinePorts & {
    openJournal(events: JournalEvents): Journal;
    /** Another owner has taken the partition. No further command should be delivered here. */
    lost(): void;
    /** Resolves when the NATS connection is up. */
    connected(): Promise<void>;
    /** Of all partitions of the process. [figures of its own] */
    figures?: Figures;
    /** Losses that an operator has accepted. */
    accepted: AcceptedLosses;
    /**
     * `loss`: the stream is missing, or its end cannot be read; null for neither. `isAnother`: the deployment knows
     * this partition's stream by another identity. `counted`: the catalog's position in the stream, null without an
     * answer. The operator opens the partition for positions up to `acceptedUpTo`. `noteShort`: the stream lacks
     * messages that somebody knew, so each event is compared with the catalog when it is loaded.
     */
    stream: {
      loss(): Promise<string | null>;
      isAnother(identity: string): Promise<boolean>;
      counted(): Promise<HistoryPosition | null>;
      acceptedUpTo(): Promise<number>;
      noteShort(): void;
    };
  };

const drainPollMs = 5;

type State = 'opening' | 'serving' | 'recovering' | 'halted' | 'ended';

export class Partition {
  readonly #ports: PartitionPorts;
  readonly #journal: Journal;
  readonly #answers: CertainAnswers;
  readonly #pool: ActorPool;
  readonly #pipeline: Pipeline;
  readonly #copies: CommandCopies;
  readonly #preparations: ChartPreparations;
  readonly #pledges: Pledges;
  /** Aborted when the log's stream has a new leader. */
  #election = new AbortController();
  #state: State = 'opening';
  #takesIn = true;
  /** Null unless the partition is halted. */
  #haltedBy: string | null = null;
  /** The index of shared commits is being read, without which no event is. */
  #isIndexed = false;
  /** Nothing is cut before this time (`Clock.elapsed`). */
  #quietUntil = 0;
  /** The number of fences since the last acknowledged append, and the time of the last fence. */
  #fencesInVain = 0;
  #fencedAt = 0;
  #epoch = 0;
  /** The beginning of the trouble from which the partition recovers. Null while it does not recover. */
  #recoveringSince: number | null = null;
  /** When an append was acknowledged last, `Clock.elapsed`. */
  committedAt = Number.NEGATIVE_INFINITY;

  constructor(ports: PartitionPorts) {
    const { figures = new Figures() } = ports;
    this.#ports = ports;
    this.#copies = new CommandCopies(ports.clock);
    this.#preparations = new ChartPreparations(ports, (job) => {
      this.#queue(this.#pool.get(job.envelope.eventKey), job);
      this.pump();
    });
    this.#pool = new ActorPool(ports, (actor) => this.#pipeline.wake(actor));
    this.#journal = ports.openJournal({
      onCommitted: (sequence, sentAt) => {
        this.#fencesInVain = 0;
        this.committedAt = ports.clock.elapsed();
        figures.appends.note(this.committedAt - sentAt);
        this.#pipeline.onCommitted(sequence);
      },
      onBroken: (why, cause) => void this.#recover(why, cause),
    });
    this.#pledges = new Pledges(ports, this.#journal, (jobs) => {
      for (const job of jobs) this.#put(this.#pool.get(job.envelope.eventKey), job);
      this.pump();
    });
    this.#answers = new CertainAnswers(this.#journal, ports.reply, () => this.pump());
    this.#pipeline = new Pipeline(ports, {
      journal: this.#journal,
      pool: this.#pool,
      answers: this.#answers,
      pledges: this.#pledges,
      figures,
      mayCut: () => this.#state === 'serving' && ports.clock.elapsed() >= this.#quietUntil,
    });
  }

  get state(): State {
    return this.#state;
  }

  /** For the operator: why the partition is halted, and its halted events as far as they are known. */
  halts(): Pick<PartitionStatus, 'haltedBy' | 'haltedEvents' | 'events'> {
    const halts = this.#ports.memory.troubles.haltedOf(this.#pool);
    return { haltedBy: this.#haltedBy, haltedEvents: halts.length, events: halts.slice(0, haltedEventsNamed) };
  }

  /** The version of an event that is in memory; null for any other. */
  loadedVersion(eventKey: string): number | null {
    return this.#pool.find(eventKey)?.state?.version ?? null;
  }

  /** When the oldest command that waits for its event came (`Clock.elapsed`). Null while none waits. */
  get oldestCommandAt(): number | null {
    return this.#pool.oldestCommandAt();
  }

  /** Since when an append has no ack (`Clock.elapsed`). Null while none waits. */
  get unackedSince(): number | null {
    return this.#recoveringSince ?? this.#journal.unackedSince;
  }

  /**
   * The epoch that addresses this term. It stays the same from `open()` on, although later fences of the term take
   * epochs of their own.
   */
  get epoch(): number {
    return this.#epoch;
  }

  /**
   * Takes the partition over and starts to watch the deadlines of its events. Resolves with false when the term was
   * ended meanwhile. `ended`: owners whose processes have ended for certain.
   */
  async open(ended?: ReadonlySet<string>): Promise<boolean> {
    const { stream } = this.#ports;
    const damage = await this.#untilReached('the stream cannot be looked for yet', () => stream.loss());
    if (damage) return this.#halt(damage);
    const fence = await this.#fence(ended);
    if (!fence || this.state === 'ended') return false;
    this.#epoch = fence.epoch;
    const loss = await this.#untilReached('the stream cannot be compared yet', () => this.#lossOf(fence));
    this.#isIndexed = true;
    void this.#pool.index.fill(fence.low, this.#journal.nextSequence - 1);
    if (loss) return this.#halt(loss);
    if ((this.state as State) === 'ended') return false;
    this.#pledges.begin(fence.epoch);
    this.#keepQuiet(fence.quietMs);
    this.#state = 'serving';
    if (!this.#journal.isOpen) await this.#recover('broken while the partition was taken over');
    if ((this.state as State) !== 'serving') return (this.state as State) === 'halted';
    this.#pool.open(this.#journal.nextSequence - 1, surveyRestMs);
    this.pump();
    return true;
  }

  /** The stream's loss, by what the deployment and the catalog know of it; null without one. */
  async #lossOf(fence: Fence): Promise<string | null> {
    const { stream } = this.#ports;
    const counted = stream.counted();
    if (await stream.isAnother(fence.stream)) return 'the stream is another';
    const position = await counted;
    if (position === null) return null;
    if (position.sequence <= (await stream.acceptedUpTo())) {
      stream.noteShort();
      return null;
    }
    if (await this.#journal.has(position)) return null;
    return `the catalog has counted message ${position.sequence}, which the stream lacks`;
  }

  #halt(why: string): true {
    this.#state = 'halted';
    this.#haltedBy = why;
    this.#ports.log.error(
      { why },
      'the journal of this partition has lost its records: nothing is sold here until an operator decides',
    );
    return true;
  }

  #keepQuiet(quietMs: number): void {
    this.#quietUntil = this.#ports.clock.elapsed() + quietMs;
    if (quietMs > 0) this.#ports.clock.after(quietMs, () => this.#endQuiet());
  }

  #endQuiet(): void {
    const left = this.#quietUntil - this.#ports.clock.elapsed();
    if (left > 0) this.#ports.clock.after(left, () => this.#endQuiet());
    else this.pump();
  }

  /** Queues a command for its event. Call `pump()` after the whole batch of the command is queued. */
  submit({ envelope, replyTo }: Omit<Job, 'receivedAt'>): void {
    const { clock, reply } = this.#ports;
    if (!this.#takesIn || this.#state === 'ended') {
      reply({ replyTo, reply: replyOf(envelope, { kind: 'moved' }) });
      return;
    }
    if (!this.#copies.isLatest(envelope, replyTo)) return;
    const { troubles } = this.#ports.memory;
    if (this.#haltedBy !== null) troubles.halt(envelope.eventKey, this.#pool, this.#haltedBy);
    const inTrouble = this.#haltedBy === null ? troubles.answer(envelope.eventKey) : halted;
    if (inTrouble) {
      this.#pool.answer({ envelope, replyTo }, inTrouble);
      return;
    }
    const actor = this.#pool.get(envelope.eventKey);
    if (showsWatcher(envelope.command)) actor.watchedUntil = clock.elapsed() + feedWatchedMs;
    if (envelope.copy !== undefined && this.#isUnderWay(actor, { envelope, replyTo })) return;
    const job: Job = { envelope, replyTo, receivedAt: clock.elapsed() };
    if (tracing !== null && envelope.trace !== undefined) traceJob(tracing, job, envelope.trace);
    if (this.#preparations.isFor(job)) this.#preparations.take(job);
    else this.#queue(actor, job);
  }

  #queue(actor: Actor, job: Job): void {
    if (!this.#pledges.holdsBack(job)) this.#put(actor, job);
  }

  #put(actor: Actor, job: Job): void {
    if (putInMailbox(actor, job, this.#ports)) this.#pipeline.enqueue(actor);
  }

  /** Whether an operator's decision on an event can be carried out, or shown where it `isDryRun`. */
  takesDecisions(isDryRun: boolean): boolean {
    return this.#state === 'serving' || (isDryRun && this.#state === 'halted' && this.#isIndexed);
  }

  /** Opens an event without its lost records, at the word of the operator (I9). */
  acceptLoss(loss: LossToAccept, say: SayFilled): Promise<Acceptance> {
    return acceptLoss(this.#deciding(), loss, say);
  }

  /** Opens an event with the records that other evidence still has, at the word of the operator (I9). */
  restoreLoss(loss: LossToRestore, say: SayFilled): Promise<Restoration> {
    return restoreLoss(this.#deciding(), loss, say);
  }

  /** Appends commits without a part until the stream ends behind `to`. */
  fillTo(to: number, say: SayFilled): ReturnType<typeof fill> {
    return fill(this.#deciding(), to, say);
  }

  #deciding() {
    const parts = { pool: this.#pool, pipeline: this.#pipeline, journal: this.#journal };
    const { troubles } = this.#ports.memory;
    return { ...this.#ports, ...parts, troubles, hasEnded: () => this.#state === 'ended' };
  }

  /** Cuts and appends groups while the window has room. */
  pump(): void {
    this.#pipeline.pump();
  }

  #isUnderWay(actor: Actor, { envelope, replyTo }: Omit<Job, 'receivedAt'>): boolean {
    const { mailbox, reads } = actor;
    return isUnderWay(envelope, replyTo, {
      jobs: (is) => mailbox.find(is) ?? reads.find(is) ?? this.#preparations.find(is) ?? this.#pledges.find(is),
      answers: (is) => this.#answers.find(is) ?? this.#pipeline.find(actor, is),
    });
  }

  /** The connection was lost. The outcome of every append in flight is unknown. */
  connectionLost(): void {
    this.#journal.breakOff('the NATS connection was lost');
  }

  /**
   * The partition's stream has a new leader. Appends that were sent to the leader before may be lost, so the partition
   * does not wait for their deadline. A partition that waits for its log asks again at once.
   */
  leaderElected(): void {
    if (this.#journal.inFlight > 0) this.#journal.breakOff('the stream has a new leader');
    this.#election.abort();
    this.#election = new AbortController();
  }

  /**
   * Another member claims the partition, or this process did not run for a while. Looks at the log to find the owner.
   */
  suspect(): void {
    void this.#answers.look();
  }

  /**
   * Stores a snapshot of every settled event that has changed since its last snapshot, and the roster. Stops waiting
   * after `deadlineMs`.
   */
  async snapshotAll(deadlineMs: number): Promise<void> {
    await Promise.race([this.#pool.storeAll(), pause(this.#ports.clock, deadlineMs)]);
  }

  /** The events that an heir should prepare, the most recently used first. */
  eventsInUse(): string[] {
    return this.#pool.inUse(preparedPerPartitionMax);
  }

  /** Ends the term in good order. Call this when no command is delivered here any more. */
  async handOver(): Promise<void> {
    const { clock } = this.#ports;
    const endsAt = clock.elapsed() + handOverDrainMs;
    this.#takesIn = false;
    this.#giveUpWaiting();
    this.pump();
    while ((this.#isWorking() && clock.elapsed() < endsAt) || this.#pledges.isBound()) await pause(clock, drainPollMs);
    if (this.state === 'ended') return;
    this.#end();
    // An owner before this one may still answer reads. The next owner has to wait for its lease, as this one does.
    if (clock.elapsed() >= this.#quietUntil) await this.#journal.handOver();
    this.#journal.close();
  }

  /** Ends the term at once. */
  close(): void {
    if (this.#state === 'ended') return;
    this.#end();
    this.#journal.close();
  }

  #end(): void {
    this.#state = 'ended';
    this.#giveUpWaiting();
    this.#pool.close();
    this.#pipeline.close();
    this.#answers.giveUp();
  }

  #giveUpWaiting(): void {
    this.#preparations.giveUp();
    this.#pledges.giveUp();
  }

  #isWorking(): boolean {
    if (this.#state !== 'serving') return this.#state !== 'ended' && this.#state !== 'halted';
    return this.#pipeline.isBusy() || this.#answers.size > 0;
  }

  async #recover(why: string, cause?: unknown): Promise<void> {
    if (this.#state !== 'serving') return;
    this.#state = 'recovering';
    this.#recoveringSince ??= this.#journal.unackedSince ?? this.#ports.clock.elapsed();
    this.#ports.log.warn(
      { why, err: cause, groups: this.#journal.inFlight },
      'the outcome of an append is unknown: the partition fences and reads its stream',
    );
    do {
      const fence = await this.#fence();
      if (fence?.lost) this.#tellLost(fence.lost);
      await this.#pipeline.reconcile((group) =>
        this.#untilReached('the outcome of an append cannot be read yet', () => this.#journal.landed(group)),
      );
      if (this.state === 'ended') return;
      if (!fence) {
        this.#lose('another shard has taken this partition');
        return;
      }
      if (fence.lost) this.#pool.reloadAll();
      if (fence.lost?.isBeforeTerm) {
        this.#haltTerm();
        return;
      }
      // The connection may have been lost again.
    } while (!this.#journal.isOpen);
    this.#state = 'serving';
    this.#recoveringSince = null;
    this.#ports.log.info('journal reconciled');
    this.#answers.onConfirmed();
    this.pump();
  }

  /** The log has lost an append of this owner. Each event is loaded anew, and is served where the log has its parts. */
  #tellLost({ sequence }: LostAppend): void {
    this.#ports.log.error(
      { sequence },
      'the journal has lost records that it had acknowledged: events whose parts are lost halt',
    );
    this.#ports.stream.noteShort();
  }

  /**
   * The log lacks what stood there when this owner took the partition. Events that were not in use since have no
   * evidence here.
   */
  #haltTerm(): void {
    this.#recoveringSince = null;
    this.#giveUpWaiting();
    this.#answers.giveUp();
    this.#halt('the stream lacks the fence of its owner');
  }

  /** Null when another owner has taken the partition, or the term was ended. */
  async #fence(ended?: ReadonlySet<string>): Promise<Fence | null> {
    const { clock } = this.#ports;
    // The first fence opens the partition. The second fence, after a first failure, comes without a pause.
    const wait = this.#fencedAt + pauseBefore(this.#fencesInVain - 1) - clock.elapsed();
    if (this.#fencesInVain > 1 && wait > 0) await pause(clock, wait);
    const fence = await this.#untilReached('partition cannot be fenced yet', () => this.#openJournal(ended));
    this.#fencesInVain++;
    this.#fencedAt = clock.elapsed();
    return fence;
  }

  /** A stream with a loss gives null too. Its term has ended then, and its events' memory is evidence. */
  async #openJournal(ended?: ReadonlySet<string>): Promise<Fence | null> {
    try {
      return await this.#journal.open(ended);
    } catch (error) {
      const mayBeLoss = error instanceof Fault || isStreamMissing(error);
      const loss = mayBeLoss ? await this.#ports.stream.loss() : null;
      if (loss === null) throw error;
      if (this.#state === 'ended') return null;
      this.#pool.remember();
      this.#lose(`${loss}: the term ends`);
      return null;
    }
  }

  /** Tries again until the log can be reached. Null when the term is ended meanwhile. */
  async #untilReached<T>(failure: string, ask: () => Promise<T>): Promise<T | null> {
    for (let tries = 1; ; tries++) {
      await this.#ports.connected();
      if (this.#state === 'ended') return null;
      try {
        return await ask();
      } catch (error) {
        this.#ports.log.warn({ err: error }, failure);
        const { signal } = this.#election;
        await pauseUnless(signal, this.#ports.clock, pauseBefore(tries));
        if (signal.aborted) tries = 0;
      }
    }
  }

  #lose(why: string): void {
    this.#ports.log.warn(why);
    this.close();
    this.#ports.lost();
  }
}

/** The pause after this many failures in a row, in milliseconds. */
function pauseBefore(tries: number): number {
  return Math.min(retryPauseMs * 2 ** (tries - 1), retryPauseMsMax);
}
