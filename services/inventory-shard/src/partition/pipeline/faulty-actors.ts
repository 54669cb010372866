/**
 * The actors of one partition whose state cannot be trusted: a rule threw, a part could not be encoded, or a commit
 * could not be sent. Nothing awaits here.
 *
 * States of an actor: faulty, while groups of it are in flight → reloaded by the pool. A fenced actor is reloaded only
 * after the next fence, since nobody knows before whether its part was sent.
 */
import type { Answer } from '@parterre/shared/protocol/commands';
import { refuse } from '@parterre/shared/protocol/errors';
import type { Journal } from '../../journal/journal.ts';
import { type Actor, type PendingReply, type RuleFault, replyOf } from '../actor.ts';
import type { ActorPool, PoolPorts } from '../actor-pool.ts';

const { refusal } = refuse('internal_error', 'The server has a fault. The fault is in the log of the inventory shard.');
export const internalError: Answer = { kind: 'refused', refusal };

type Ports = Pick<PoolPorts, 'log' | 'memory' | 'reply'>;

export class FaultyActors {
  readonly #ports: Ports;
  readonly #pool: ActorPool;
  readonly #journal: Journal;
  readonly #fenced = new Set<Actor>();

  constructor(ports: Ports, { pool, journal }: { pool: ActorPool; journal: Journal }) {
    this.#ports = ports;
    this.#pool = pool;
    this.#journal = journal;
  }

  /**
   * A bug in a rule must not leave a state that the journal does not have (I2). Nothing of this cut was appended. The
   * caller of the faulty command gets `internal_error`. The actor waits for its groups in flight; then the event is
   * folded anew, and the callers of its other commands ask again. No other event is touched.
   */
  onRuleFault(actor: Actor, { job, message, cause }: RuleFault): void {
    const { log, memory, reply } = this.#ports;
    log.error({ err: cause, eventKey: actor.eventKey, command: job?.envelope.command.type ?? null }, message);
    actor.phase = 'faulty';
    if (job) {
      actor.mailbox.splice(actor.mailbox.indexOf(job), 1);
      reply({ replyTo: job.replyTo, reply: replyOf(job.envelope, internalError), traced: job.traced });
    } else {
      // No command is to blame, and the same changes are due after the reload: the event waits between two tries.
      memory.troubles.note(actor.eventKey, this.#pool, cause);
    }
    if (actor.groupsInFlight === 0) this.#pool.reload(actor);
  }

  /**
   * The part of these replies is dropped. Behind the fence the event is folded anew, and its other callers ask again.
   */
  fenceOff(actor: Actor, replies: PendingReply[], answer: Answer, why: string): void {
    this.answerAll(replies, answer);
    actor.phase = 'faulty';
    this.#fenced.add(actor);
    this.#journal.breakOff(why);
  }

  /**
   * The sequence of the actor's next part, which follows `from`. Null when the log has groups of another owner: then
   * the actor is fenced off.
   */
  nextSequence(actor: Actor, from: number, replies: PendingReply[]): number | null {
    const { isOpen, nextSequence } = this.#journal;
    if (isOpen && from < nextSequence) return nextSequence;
    this.fenceOff(actor, replies, { kind: 'moved' }, 'the log has groups of another owner');
    return null;
  }

  answerAll(replies: readonly PendingReply[], answer: Answer): void {
    for (const { replyTo, reply, traced } of replies) {
      this.#ports.reply({ replyTo, reply: replyOf(reply, answer), traced });
    }
  }

  /** A faulty actor is reloaded once no group of it is in flight. */
  reload(actor: Actor): void {
    if (actor.phase !== 'faulty' || actor.isHeld || actor.groupsInFlight > 0 || this.#fenced.has(actor)) return;
    if (this.#pool.has(actor)) this.#pool.reload(actor);
  }

  /** Call this behind the fence. */
  reloadAll(): void {
    for (const actor of this.#fenced) if (this.#pool.has(actor)) this.#pool.reload(actor);
    this.#fenced.clear();
  }
}
