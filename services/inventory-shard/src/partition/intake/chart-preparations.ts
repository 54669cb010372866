/**
 * Commands that name a chart wait here until the chart's plan has come. Deciding is synchronous, and fetching a plan is
 * not. The waiting commands stand beside their event's mailbox and hold up no other command. Commands that are sent at
 * the same time have no order among each other. A caller that needs an order waits for each answer.
 *
 * States of a command: preparing → ready (the command is queued as if it had just come), or → refused (the catalog
 * cannot give the plan; a retry may succeed, because the plan of a published chart exists), or → given up with the
 * partition (its caller is answered `moved`, like callers in the mailboxes). A plan that arrives later is ignored. Past
 * `chartPreparationsMax` waiting commands the next command is refused (I8).
 */

import type { PlanSource } from '@parterre/shared/charts/plans/plans';
import { refuse } from '@parterre/shared/protocol/errors';
import type { Logger } from '@parterre/shared/runtime/log';
import { changesChart } from '../../rules/chart/chart.ts';
import { type Job, type PendingReply, replyOf } from '../actor.ts';
import { chartPreparationsMax } from '../bounds.ts';

export type PreparationPorts = { plans: PlanSource; log: Logger; reply(pending: PendingReply): void };

const { refusal: noPlan } = refuse('catalog_unavailable', 'The catalog cannot give the chart now. Try again later.', {
  retryable: true,
});
const { refusal: tooMany } = refuse('overloaded', 'Too many events change their chart now. Try again later.', {
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

  /** Whether the job's command names a chart whose plan is not here yet. */
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

  find(matches: (job: Job) => boolean): Job | undefined {
    for (const job of this.#jobs) if (matches(job)) return job;
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
      log.warn({ err: error, eventKey }, 'the new chart of an event cannot be read');
    }
    if (!this.#jobs.delete(job)) return;
    if (job.plan) this.#onReady(job);
    else reply({ replyTo: job.replyTo, reply: replyOf(job.envelope, { kind: 'refused', refusal: noPlan }) });
  }
}
