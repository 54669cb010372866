/**
 * One partition during one tenure of this process: the actors of its events, the journal they share, the pipeline between.
 *
 * States: opening → serving ⇄ recovering, and from each → released, the end. Commands wait in the mailboxes unless they
 * can be cut. A partition that is being handed over or is released takes none in and answers `moved`: nothing was done,
 * ask again, the next owner will answer.
 *
 * Opening: the journal fences (awaits the log, retried until it answers or the tenure is ended). Where the owner before
 * did not release the partition nothing is cut for `quietMs` more: until then it may still answer reads (journal.ts).
 *
 * Serving: actors with work stand in `ready`; `pump` cuts a group from the first while the append window has room, so
 * that while appends are in flight commands gather and the next group takes what is there (natural batching, no timer).
 * `pending` mirrors the journal's appends in flight, oldest first; replies leave when their group is durable (I2). A
 * cut without records (reads, refusals) rests on what was decided before it, so its replies leave behind the event's
 * last group in flight, and not before it is certain that the partition was ours (certain-answers.ts). A command that
 * names a chart comes to its mailbox when the chart is here (chart-preparations.ts).
 *
 * Recovering, when an append's end is unknown: nothing is cut. The journal fences again (awaits the log, retried
 * for ever, with pauses that grow; they also keep fences apart behind which no append succeeded, as on a full disk); then what stands in
 * the log was committed and is answered as such; actors with groups that did not land are dropped with their speculative state and loaded
 * anew, and those callers are told `moved`. If another owner's epoch stands there (I3), everything is answered `moved` and the partition
 * is released.
 *
 * Handing over: what was taken in is cut, appended and answered, for `handOverDrainMs` at most; what waits for events
 * that still load, or for a chart, is answered `moved`, and what is in flight even then gets no answer, since nobody knows it. Then the
 * release record (awaits the log; failing, the next owner stays quiet a little), and nothing is answered any more.
 */
import { pause } from '@parterre/shared/clock';
import type { Envelope } from '@parterre/shared/commands';
import { refuse } from '@parterre/shared/errors';
import { requestDeadlineMs, retryPauseMs, retryPauseMsMax } from '@parterre/shared/limits';
import type { FeedChange } from '@parterre/shared/records';
import type { Fence, Journal, JournalEvents } from '../journal/journal.ts';
import { handOverDrainMs, mailboxCommandsMax } from '../rules/state/bounds.ts';
import { type Actor, frontDoorOf, type Job, type PendingReply, replyOf } from './actor.ts';
import { ActorPool, type PoolPorts } from './actor-pool.ts';
import { Attempts } from './attempts.ts';
import { CertainAnswers } from './certain-answers.ts';
import { ChartPreparations } from './chart-preparations.ts';
import { Pipeline } from './pipeline.ts';

/** What a partition needs of the world. */
export type PartitionPorts = PoolPorts & {
  openJournal(events: JournalEvents): Journal;
  publishChange(eventKey: string, change: FeedChange): void;
  /** Another owner has taken the partition: no further command should come here. */
  lost(): void;
  /** Resolves when the NATS connection stands. */
  connected(): Promise<void>;
};

const { refusal: overloaded } = refuse(
  'overloaded',
  `More than ${mailboxCommandsMax} commands wait for this event. Try again.`,
  {
    retryable: true,
  },
);
const drainPollMs = 5;

type State = 'opening' | 'serving' | 'recovering' | 'released';

export class Partition {
  readonly #ports: PartitionPorts;
  readonly #journal: Journal;
  readonly #answers: CertainAnswers;
  readonly #pool: ActorPool;
  readonly #pipeline: Pipeline;
  readonly #attempts: Attempts;
  readonly #preparations: ChartPreparations;
  #state: State = 'opening';
  #takesIn = true;
  /** Nothing is cut before (`Clock.elapsed`). */
  #quietUntil = 0;
  /** Fences since an append was acknowledged, and when the last one stood. */
  #fencesInVain = 0;
  #fencedAt = 0;
  #epoch = 0;

  constructor(ports: PartitionPorts) {
    this.#ports = ports;
    this.#attempts = new Attempts(ports.clock);
    this.#preparations = new ChartPreparations(ports, (job) => {
      this.#queue(this.#pool.get(job.envelope.eventKey), job);
      this.pump();
    });
    this.#pool = new ActorPool(ports, (actor) => this.#pipeline.wake(actor));
    this.#journal = ports.openJournal({
      onCommitted: (sequence) => {
        this.#fencesInVain = 0;
        this.#pipeline.onCommitted(sequence);
      },
      onBroken: (why) => void this.#recover(why),
    });
    this.#answers = new CertainAnswers(this.#journal, ports.reply, () => this.pump());
    this.#pipeline = new Pipeline(ports, {
      journal: this.#journal,
      pool: this.#pool,
      answers: this.#answers,
      mayCut: () => this.#state === 'serving' && ports.clock.elapsed() >= this.#quietUntil,
    });
  }

  get state(): State {
    return this.#state;
  }

  /** What this tenure is addressed by, the same from `open()` on: later fences of its own have epochs of theirs. */
  get epoch(): number {
    return this.#epoch;
  }

  /**
   * Takes the partition over and starts loading the events that may have something to do by themselves. Resolves false
   * when the tenure was ended meanwhile.
   */
  async open(): Promise<boolean> {
    const fence = await this.#fence();
    if (!fence || this.state === 'released') return false;
    this.#epoch = fence.epoch;
    this.#keepQuiet(fence.quietMs);
    this.#state = 'serving';
    if (!this.#journal.isOpen) await this.#recover('lost while the partition was taken over');
    this.#pool.open();
    this.pump();
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

  /** Queues a command for its event. `pump()` must follow once the batch it came in is queued. */
  submit({ envelope, replyTo }: Omit<Job, 'receivedAt'>): void {
    const { clock, reply } = this.#ports;
    if (!this.#takesIn || this.#state === 'released') {
      reply({ replyTo, reply: replyOf(envelope, { kind: 'moved' }) });
      return;
    }
    if (!this.#attempts.isLatest(envelope, replyTo)) return;
    const actor = this.#pool.get(envelope.eventKey);
    if (envelope.attempt !== undefined && this.#isUnderWay(actor, envelope, replyTo)) return;
    const job: Job = { envelope, replyTo, receivedAt: clock.elapsed() };
    if (this.#preparations.isFor(job)) this.#preparations.take(job);
    else this.#queue(actor, job);
  }

  #queue(actor: Actor, job: Job): void {
    forgetLate(actor.mailbox, this.#ports.clock.elapsed());
    if (actor.mailbox.length >= mailboxCommandsMax) {
      const { envelope, replyTo } = job;
      this.#ports.reply({ replyTo, reply: replyOf(envelope, { kind: 'refused', refusal: overloaded }) });
      return;
    }
    actor.mailbox.push(job);
    this.#pipeline.enqueue(actor);
  }

  /** Cuts and appends groups while the window has room. */
  pump(): void {
    this.#pipeline.pump();
  }

  /**
   * Whether an earlier copy of a command still waits here, or its answer does. Then that one is done, and answered as this
   * one: what another caller did between two copies, the second must not undo, nor do what the first was refused (I5).
   */
  #isUnderWay(actor: Actor, envelope: Envelope, replyTo: string): boolean {
    const frontDoor = frontDoorOf(replyTo);
    const isTwin = (id: number, to: string): boolean => id === envelope.id && frontDoorOf(to) === frontDoor;
    const isItself = (job: Job): boolean => isTwin(job.envelope.id, job.replyTo);
    const waiting = actor.mailbox.find(isItself) ?? this.#preparations.find(isItself);
    if (waiting) {
      waiting.envelope = envelope;
      return true;
    }
    const isItsAnswer = ({ reply, replyTo: to }: PendingReply): boolean => isTwin(reply.id, to);
    const answer = this.#answers.find(isItsAnswer) ?? this.#pipeline.find(actor, isItsAnswer);
    if (answer) answer.reply.attempt = envelope.attempt!;
    return answer !== undefined;
  }

  /** The connection was lost: what is in flight has an unknown end. */
  connectionLost(): void {
    this.#journal.breakOff('the NATS connection was lost');
  }

  /** Another member says that it owns the partition, or this process did not run for a while: looks who owns it. */
  suspect(): void {
    void this.#answers.look();
  }

  /** Stores a snapshot of every settled event that has changed since its last one; stops waiting after `deadlineMs`. */
  async snapshotAll(deadlineMs: number): Promise<void> {
    await Promise.race([this.#pool.storeAll(), pause(this.#ports.clock, deadlineMs)]);
  }

  /** Ends the tenure in good order; call once no command is delivered here any more. */
  async handOver(): Promise<void> {
    const { clock } = this.#ports;
    const endsAt = clock.elapsed() + handOverDrainMs;
    this.#takesIn = false;
    this.#preparations.giveUp();
    this.pump();
    while (this.#isWorking() && clock.elapsed() < endsAt) await pause(clock, drainPollMs);
    if (this.state === 'released') return;
    this.#end();
    await this.#journal.release();
    this.#journal.close();
  }

  /** Ends the tenure at once. */
  close(): void {
    if (this.#state === 'released') return;
    this.#end();
    this.#journal.close();
  }

  #end(): void {
    this.#state = 'released';
    this.#preparations.giveUp();
    this.#pool.close();
    this.#pipeline.close();
    this.#answers.giveUp();
  }

  #isWorking(): boolean {
    if (this.#state !== 'serving') return this.#state !== 'released';
    return this.#pipeline.isBusy() || this.#answers.size > 0;
  }

  async #recover(why: string): Promise<void> {
    if (this.#state !== 'serving') return;
    this.#state = 'recovering';
    this.#ports.log.warn({ why, groups: this.#journal.inFlight }, 'journal broken, reconciling with the stream');
    do {
      const fence = await this.#fence();
      await this.#pipeline.reconcile((group) =>
        this.#untilReached('the end of an append cannot be read yet', () => this.#journal.landed(group)),
      );
      if (this.state === 'released') return;
      if (!fence) {
        this.#lose();
        return;
      }
      // The connection may have been lost again meanwhile.
    } while (!this.#journal.isOpen);
    this.#state = 'serving';
    this.#ports.log.info('journal reconciled');
    this.#answers.onConfirmed();
    this.pump();
  }

  /** Null when another owner has taken the partition, or the tenure was ended. */
  async #fence(): Promise<Fence | null> {
    const { clock } = this.#ports;
    // The first fence is the way in, and the second, after a first failure, comes at once.
    const wait = this.#fencedAt + pauseBefore(this.#fencesInVain - 1) - clock.elapsed();
    if (this.#fencesInVain > 1 && wait > 0) await pause(clock, wait);
    const fence = await this.#untilReached('partition cannot be fenced yet', () => this.#journal.open());
    this.#fencesInVain++;
    this.#fencedAt = clock.elapsed();
    return fence;
  }

  /** Tries again until the log can be reached; null when the tenure is ended meanwhile. */
  async #untilReached<T>(failure: string, ask: () => Promise<T>): Promise<T | null> {
    for (let tries = 1; ; tries++) {
      await this.#ports.connected();
      if (this.#state === 'released') return null;
      try {
        return await ask();
      } catch (error) {
        this.#ports.log.warn({ err: error }, failure);
        await pause(this.#ports.clock, pauseBefore(tries));
      }
    }
  }

  #lose(): void {
    this.#ports.log.warn('another owner has taken this partition');
    this.close();
    this.#ports.lost();
  }
}

/** Milliseconds before the next try of a row. */
function pauseBefore(tries: number): number {
  return Math.min(retryPauseMs * 2 ** (tries - 1), retryPauseMsMax);
}

/** Whoever sent these has been told 503: while nothing can be cut they would only keep others out. */
function forgetLate(mailbox: Job[], elapsed: number): void {
  if (mailbox.length === 0) return;
  const kept = mailbox.findIndex(({ receivedAt }) => elapsed - receivedAt < requestDeadlineMs);
  if (kept !== 0) mailbox.splice(0, kept < 0 ? mailbox.length : kept);
}
