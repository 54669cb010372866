/** The commands that wait for their event's next cut. */

import { refuse } from '@parterre/shared/protocol/errors';
import { requestDeadlineMs } from '@parterre/shared/protocol/limits';
import type { Clock } from '@parterre/shared/runtime/clock';
import { type Actor, type Job, type PendingReply, replyOf } from '../actor.ts';
import { mailboxCommandsMax } from '../bounds.ts';

const { refusal: overloaded } = refuse('overloaded', 'Too many calls wait for this event. Try again.', {
  retryable: true,
});

/** False if the mailbox is full (I8): the command is refused. */
export function putInMailbox(
  { mailbox, reads }: Actor,
  job: Job,
  { clock, reply }: { clock: Clock; reply(pending: PendingReply): void },
): boolean {
  forgetLate(mailbox, clock.elapsed());
  if (mailbox.length + reads.length >= mailboxCommandsMax) {
    reply({ replyTo: job.replyTo, reply: replyOf(job.envelope, { kind: 'refused', refusal: overloaded }) });
    return false;
  }
  mailbox.push(job);
  return true;
}

/** The senders of these commands already got 503. While nothing can be cut, the commands would only keep others out. */
function forgetLate(mailbox: Job[], elapsed: number): void {
  if (mailbox.length === 0) return;
  const kept = mailbox.findIndex(({ receivedAt }) => elapsed - receivedAt < requestDeadlineMs);
  if (kept !== 0) mailbox.splice(0, kept < 0 ? mailbox.length : kept);
}
