/**
 * What a shard tells at the end of a turn: changes of events to whoever follows them, then answers, those to one front door
 * as one message, as far as it fits (I8). An answer that does not fit alone leaves in parts, since what it tells of has been
 * done and its caller must hear of it.
 *
 * A turn is what one piece of input from NATS sets off, and it ends with its microtasks: so this leaves in the same write
 * to the socket as the appends of that turn.
 */
import type { NatsConnection } from '@nats-io/transport-node';
import type { Reply, ReplyPart } from '@parterre/shared/commands';
import { replyPartBytes } from '@parterre/shared/limits';
import type { FeedChange } from '@parterre/shared/records';
import { encode } from '@parterre/shared/wire';
import { repliesBytesMax } from '../rules/state/bounds.ts';
import { frontDoorOf, type PendingReply } from './actor.ts';

export type Outgoing = {
  reply(pending: PendingReply): void;
  publishChange(subject: string, change: FeedChange): void;
};

export function createOutgoing(nats: NatsConnection, atTurnEnd: (run: () => void) => void = queueMicrotask): Outgoing {
  /** By front door: the reply subject without its batch number. */
  const answers = new Map<string, { subject: string; replies: Reply[] }>();
  let changes: { subject: string; change: FeedChange }[] = [];
  let isDue = false;

  function flushAtTurnEnd(): void {
    if (!isDue) atTurnEnd(flush);
    isDue = true;
  }

  /** The changes first: whoever reads the map right after his answer finds his own hold on it. */
  function flush(): void {
    isDue = false;
    for (const { subject, change } of changes) nats.publish(subject, encode(change));
    changes = [];
    for (const { subject, replies } of answers.values()) {
      for (const payload of payloadsOf(replies)) nats.publish(subject, payload);
    }
    answers.clear();
  }

  return {
    publishChange(subject, change) {
      changes.push({ subject, change });
      flushAtTurnEnd();
    },
    reply({ replyTo, reply }) {
      const frontDoor = frontDoorOf(replyTo);
      const batch = answers.get(frontDoor);
      if (batch) batch.replies.push(reply);
      else answers.set(frontDoor, { subject: replyTo, replies: [reply] });
      flushAtTurnEnd();
    },
  };
}

/** One message, or halves of it until each fits, or parts of one reply. */
export function payloadsOf(replies: Reply[]): Uint8Array[] {
  const payload = encode(replies);
  if (payload.length <= repliesBytesMax) return [payload];
  if (replies.length === 1) return partsOf(replies[0]!, payload).map((part) => encode(part));
  const middle = replies.length >> 1;
  return [...payloadsOf(replies.slice(0, middle)), ...payloadsOf(replies.slice(middle))];
}

function partsOf({ id, attempt }: Reply, payload: Uint8Array): ReplyPart[] {
  const of = Math.ceil(payload.length / replyPartBytes);
  return Array.from({ length: of }, (_, index) => {
    const bytes = payload.subarray(index * replyPartBytes, (index + 1) * replyPartBytes);
    return attempt === undefined ? { id, index, of, bytes } : { id, attempt, index, of, bytes };
  });
}
