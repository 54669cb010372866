/**
 * Commands that name a chart, until its plan is here: deciding is synchronous, and getting a plan is not. They wait beside
 * their event's mailbox, so that nobody waits behind them; commands that were sent at the same time have no order among
 * each other, and whoever wants one waits for his answers.
 *
 * States of a command: preparing → ready, when it is queued as if it had just come; or → refused, when the catalog does not
 * give the plan (worth another try: the plan of a published chart exists); or → given up with the partition, when its
 * caller is told `moved`, as those in the mailboxes are. What the await comes to after that is nobody's any more.
 * Past `chartPreparationsMax` of them the next is refused (I8).
 */
import { refuse } from '@parterre/shared/errors';
import type { Logger } from '@parterre/shared/log';
import type { PlanSource } from '@parterre/shared/plans';
import { changesChart } from '../rules/chart/chart-update.ts';
import { chartPreparationsMax } from '../rules/state/bounds.ts';
import { type Job, type PendingReply, replyOf } from './actor.ts';

export type PreparationPorts = { plans: PlanSource; log: Logger; reply(pending: PendingReply): void };

const { refusal: noPlan } = refuse('catalog_unavailable', 'The chart cannot be read just now. Try again.', {
  retryable: true,
});
const { refusal: tooMany } = refuse('overloaded', 'Too many events change their chart just now. Try again.', {
  retryable: true,
});

export class ChartPreparations {
  readonly #ports: PreparationPorts;
  readonly #onReady: (job: Job) => void;
  readonly #jobs = new Set<Job>();

  constructor(ports: PreparationPorts, onReady: (job: Job) => void) {
    this.#ports = ports;
    this.#onReady = onReady;
  }

  /** Whether the command of this job needs a plan that it has not. */
  isFor({ envelope, plan }: Job): boolean {
    return changesChart(envelope.command) && plan === undefined;
  }

  take(job: Job): void {
    if (this.#jobs.size >= chartPreparationsMax) {
      this.#ports.reply({ replyTo: job.replyTo, reply: replyOf(job.envelope, { kind: 'refused', refusal: tooMany }) });
      return;
    }
    this.#jobs.add(job);
    void this.#prepare(job);
  }

  find(isIt: (job: Job) => boolean): Job | undefined {
    for (const job of this.#jobs) if (isIt(job)) return job;
    return undefined;
  }

  giveUp(): void {
    const { reply } = this.#ports;
    for (const { replyTo, envelope } of this.#jobs) reply({ replyTo, reply: replyOf(envelope, { kind: 'moved' }) });
    this.#jobs.clear();
  }

  async #prepare(job: Job): Promise<void> {
    const { plans, log, reply } = this.#ports;
    const { command, eventKey } = job.envelope;
    if (!changesChart(command)) return;
    try {
      job.plan = await plans(command.planHash);
    } catch (error) {
      log.warn({ err: error, eventKey }, 'the chart that an event should move to cannot be read');
    }
    if (!this.#jobs.delete(job)) return;
    if (job.plan) this.#onReady(job);
    else reply({ replyTo: job.replyTo, reply: replyOf(job.envelope, { kind: 'refused', refusal: noPlan }) });
  }
}
