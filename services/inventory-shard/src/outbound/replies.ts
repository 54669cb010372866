/**
 * Answers on their way back: those of one event-loop turn to one front door go as one message, as far as it fits (I8).
 * An answer that does not fit alone is replaced by a fault: what it tells of has been done all the same.
 */
import type { NatsConnection } from '@nats-io/transport-node';
import type { Reply } from '@parterre/shared/commands';
import { repliesBytesMax } from '@parterre/shared/limits';
import { encode } from '@parterre/shared/wire';
import { frontDoorOf, type PendingReply, replyOf } from '../actor.ts';

export function createReplies(
  nats: NatsConnection,
  atTurnEnd: (run: () => void) => void = setImmediate,
): (pending: PendingReply) => void {
  /** By front door: the reply subject without its batch number. */
  const outgoing = new Map<string, { subject: string; replies: Reply[] }>();

  function flush(): void {
    for (const { subject, replies } of outgoing.values()) {
      for (const payload of payloadsOf(replies)) nats.publish(subject, payload);
    }
    outgoing.clear();
  }

  return ({ replyTo, reply }) => {
    const frontDoor = frontDoorOf(replyTo);
    if (outgoing.size === 0) atTurnEnd(flush);
    const batch = outgoing.get(frontDoor);
    if (batch) batch.replies.push(reply);
    else outgoing.set(frontDoor, { subject: replyTo, replies: [reply] });
  };
}

/** One message, or halves of it until each fits. */
export function payloadsOf(replies: Reply[]): Uint8Array[] {
  const payload = encode(replies);
  if (payload.length <= repliesBytesMax) return [payload];
  if (replies.length === 1) return [encode([tooLarge(replies[0]!)])];
  const middle = replies.length >> 1;
  return [...payloadsOf(replies.slice(0, middle)), ...payloadsOf(replies.slice(middle))];
}

function tooLarge(reply: Reply): Reply {
  const message = 'The answer is too large to be sent. What was asked for has been done.';
  return replyOf(reply, { kind: 'refused', refusal: { code: 'internal_error', message } });
}
