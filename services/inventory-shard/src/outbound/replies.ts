/** Answers on their way back: those of one event-loop turn to one front door go as one message. */
import type { NatsConnection } from '@nats-io/transport-node';
import type { Reply } from '@parterre/shared/commands';
import { encode } from '@parterre/shared/wire';
import type { PendingReply } from '../actor.ts';

export function createReplies(nats: NatsConnection): (pending: PendingReply) => void {
  /** By front door: the reply subject without its batch number. */
  const outgoing = new Map<string, { subject: string; replies: Reply[] }>();

  function flush(): void {
    for (const { subject, replies } of outgoing.values()) nats.publish(subject, encode(replies));
    outgoing.clear();
  }

  return ({ replyTo, reply }) => {
    const frontDoor = replyTo.slice(0, replyTo.lastIndexOf('.'));
    if (outgoing.size === 0) setImmediate(flush);
    const batch = outgoing.get(frontDoor);
    if (batch) batch.replies.push(reply);
    else outgoing.set(frontDoor, { subject: replyTo, replies: [reply] });
  };
}
