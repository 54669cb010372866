/**
 * Pledges that refusals stand. With the refusal of a booked unit an owner may pledge its front door: for `ms` from the
 * time when the front door asked, no command is carried out that could change this refusal
 * (rules/sales/staying-booked.ts). Until then the front door refuses the unit by itself.
 *
 * A pledge holds for one event. While it runs, commands that may change refusals wait here, beside their event's
 * mailbox, and no further pledge is made. Sales go on. So a command waits for one pledge at most.
 *
 * States of an event: silent → pledged (until `until`) → silent. Pledged → waiting, at the first command that has to
 * wait → silent, at `until`: the waiting commands are queued. Each command that may change refusals raises the event's
 * number of changes, which every pledge carries. A front door that gets a pledge with another number drops all refusals
 * of the event that it keeps.
 *
 * Why a refused caller could have been refused by the owner at the same moment:
 * - The front door counts from its question, the owner from its decision, which comes later. The owner keeps
 *   each pledge for a sixth longer (56 ms for a pledge of 48 ms), since the clocks of two machines run at different
 *   rates.
 * - Nothing that may change refusals stands in the mailbox when the pledge is made, and none comes there before the
 *   pledge ends. Time changes no refusal of an event that gets pledges.
 * - The refusal leaves behind the groups that it rests on (I2), so no later failure takes back the booking.
 * - A pledge ends within the read lease of its decision. An owner that takes over unasked carries out nothing within
 *   the lease. An owner that hands over waits for its pledges before its last record.
 *
 * Failures: the partition ends, and the waiting commands are answered `moved`, as in mailboxes. A pledge that is lost
 * on its way costs the front door a question. An actor is folded anew: this file keeps its pledges, and the actor does
 * not.
 */

import type { Stand } from '@parterre/shared/protocol/commands';
import { refuse } from '@parterre/shared/protocol/errors';
import type { Clock } from '@parterre/shared/runtime/clock';
import type { Journal } from '../../journal/journal.ts';
import { mayChangeRefusals, staysTrue } from '../../rules/sales/sales.ts';
import { type Actor, type Job, type PendingReply, replyOf } from '../actor.ts';
import { pledgedEventsMax, pledgeWaitsMax, standsMsMax, standsMsMin } from '../bounds.ts';

export type PledgePorts = { clock: Clock; reply(pending: PendingReply): void };

/** An event with a pledge. `until` is in `Clock.elapsed`. */
type PledgedEvent = { until: number; changes: number; waiting: Job[] };

const { refusal: tooMany } = refuse('overloaded', 'Too many changes of events wait. Try again.', { retryable: true });

/** Of the time that the front door counts. */
const ownersShare = 7 / 6;

export class Pledges {
  readonly #ports: PledgePorts;
  readonly #journal: Pick<Journal, 'leaseLeft'>;
  readonly #onReady: (jobs: readonly Job[]) => void;
  readonly #events = new Map<string, PledgedEvent>();
  #epoch = 0;
  #changes = 0;
  #waits = 0;
  #lastUntil = 0;
  #isOver = false;

  /** `onReady` queues all of the jobs before any of them is carried out, so that no pledge comes between them. */
  constructor(ports: PledgePorts, journal: Pick<Journal, 'leaseLeft'>, onReady: (jobs: readonly Job[]) => void) {
    this.#ports = ports;
    this.#journal = journal;
    this.#onReady = onReady;
  }

  /** Call this once, before the first cut. The epoch is that of the term. */
  begin(epoch: number): void {
    this.#epoch = epoch;
  }

  /** Adds pledges to the refusals of a cut. `decidedAt` is in `Clock.elapsed`. */
  pledge(actor: Actor, replies: readonly PendingReply[], decidedAt: number): void {
    let stands: Stand | null = null;
    for (const { reply, command } of replies) {
      if (reply.kind !== 'refused' || command !== 'hold' || !staysTrue(actor.state!, reply.refusal)) continue;
      stands ??= this.#standFor(actor, replies, decidedAt);
      if (stands === null) return;
      reply.stands = stands;
    }
  }

  /** Whether the job waits here. Otherwise it is to be queued now. */
  holdsBack(job: Job): boolean {
    const { eventKey, command } = job.envelope;
    const event = mayChangeRefusals(command.type) ? this.#events.get(eventKey) : undefined;
    if (!event) return false;
    if (event.waiting.length === 0 && this.#ports.clock.elapsed() >= event.until) {
      event.changes = ++this.#changes;
      return false;
    }
    if (this.#waits >= pledgeWaitsMax) {
      this.#ports.reply({ replyTo: job.replyTo, reply: replyOf(job.envelope, { kind: 'refused', refusal: tooMany }) });
      return true;
    }
    this.#waits++;
    if (event.waiting.push(job) === 1) this.#await(event);
    return true;
  }

  /** Whether a pledge still runs. */
  isBound(): boolean {
    return this.#ports.clock.elapsed() < this.#lastUntil;
  }

  find(matches: (job: Job) => boolean): Job | undefined {
    if (this.#waits === 0) return undefined;
    for (const { waiting } of this.#events.values()) {
      const found = waiting.find(matches);
      if (found) return found;
    }
    return undefined;
  }

  /** From now on no pledge is made. The pledges that were made still bind. */
  giveUp(): void {
    this.#isOver = true;
    for (const event of this.#events.values()) {
      for (const { replyTo, envelope } of event.waiting.splice(0)) {
        this.#ports.reply({ replyTo, reply: replyOf(envelope, { kind: 'moved' }) });
      }
    }
    this.#waits = 0;
  }

  #standFor({ eventKey, mailbox }: Actor, replies: readonly PendingReply[], decidedAt: number): Stand | null {
    const ms = Math.min(standsMsMax, Math.floor(this.#journal.leaseLeft(decidedAt)));
    if (this.#isOver || ms < standsMsMin) return null;
    if (replies.some(({ command }) => mayChangeRefusals(command))) return null;
    if (mailbox.some(({ envelope }) => mayChangeRefusals(envelope.command.type))) return null;
    const event = this.#events.get(eventKey) ?? this.#add(eventKey, decidedAt);
    if (event === null || event.waiting.length > 0) return null;
    event.until = Math.max(event.until, decidedAt + ms * ownersShare);
    this.#lastUntil = Math.max(this.#lastUntil, event.until);
    return [ms, this.#epoch, event.changes];
  }

  #add(eventKey: string, now: number): PledgedEvent | null {
    if (this.#events.size >= pledgedEventsMax) {
      for (const [key, { until, waiting }] of this.#events) {
        if (waiting.length === 0 && until <= now) this.#events.delete(key);
      }
      if (this.#events.size >= pledgedEventsMax) return null;
    }
    const event = { until: 0, changes: ++this.#changes, waiting: [] };
    this.#events.set(eventKey, event);
    return event;
  }

  /** A timer may fire early. */
  #await(event: PledgedEvent): void {
    const left = event.until - this.#ports.clock.elapsed();
    if (left > 0) {
      this.#ports.clock.after(left, () => this.#await(event));
      return;
    }
    event.changes = ++this.#changes;
    const jobs = event.waiting.splice(0);
    this.#waits -= jobs.length;
    this.#onReady(jobs);
  }
}
