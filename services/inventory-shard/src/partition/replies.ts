/**
 * Sends messages at the end of a turn: first the changes of events to their feeds, then answers. All answers to one
 * front door leave as one message. Answers that do not fit leave in further messages (I8). An answer that is encoded
 * already is a message of its own. An answer that does not fit alone leaves in parts: its command has been performed,
 * and its caller must learn the outcome.
 *
 * Answers leave over the front door's direct link where it has one (links/), else over NATS.
 *
 * A turn is the work that one input causes, and it ends with its microtasks. The messages thus leave in the
 * same socket write as the appends of the turn.
 */
import type { NatsConnection } from '@nats-io/transport-node';
import type { Reply, ReplyPart } from '@parterre/shared/protocol/commands';
import type { FeedChange } from '@parterre/shared/protocol/feed-change';
import { replyPartBytes } from '@parterre/shared/protocol/limits';
import { Encoded, encode, encodeEndingIn, encodeShaped } from '@parterre/shared/protocol/wire';
import { frontDoorOf, type PendingReply } from './actor.ts';
import { repliesBytesMax } from './bounds.ts';
import { endCommand } from './command-spans.ts';

export type Outgoing = {
  reply(pending: PendingReply): void;
  publishChange(subject: string, change: FeedChange): void;
};

/** The direct links of front doors. */
export type DirectAnswers = {
  /** The front door's link, for this turn. Null without one. */
  linkOf(frontDoor: string): AnswerLink | null;
};

/** Takes encoded replies. */
type AnswerLink = { answer(payload: Uint8Array): void };

const noLinks: DirectAnswers = { linkOf: () => null };

export function createOutgoing(
  nats: NatsConnection,
  links: DirectAnswers = noLinks,
  atTurnEnd: (run: () => void) => void = queueMicrotask,
): Outgoing {
  /**
   * One for each front door, which is the reply subject without its batch number. A list: a `Map` that is cleared at
   * each turn keeps its old replies reachable.
   */
  let answers: { frontDoor: string; subject: string; replies: Reply[] }[] = [];
  let changes: { subject: string; change: FeedChange }[] = [];
  let isDue = false;

  function flushAtTurnEnd(): void {
    if (!isDue) atTurnEnd(flush);
    isDue = true;
  }

  /** Changes leave first: a caller that reads the map right after the answer finds its own hold there. */
  function flush(): void {
    isDue = false;
    for (const { subject, change } of changes) nats.publish(subject, encode(change));
    changes = [];
    for (const { frontDoor, subject, replies } of answers) {
      const link = links.linkOf(frontDoor);
      for (const payload of payloadsOf(replies, link ? encodeShaped : encode)) {
        if (link) link.answer(payload);
        else nats.publish(subject, payload);
      }
    }
    answers = [];
  }

  return {
    publishChange(subject, change) {
      changes.push({ subject, change });
      flushAtTurnEnd();
    },
    reply(pending) {
      const { replyTo, reply } = pending;
      if (pending.traced) endCommand(pending.traced, reply);
      const frontDoor = frontDoorOf(replyTo);
      let batch = answers.find((each) => each.frontDoor === frontDoor);
      if (batch === undefined) {
        batch = { frontDoor, subject: replyTo, replies: [] };
        answers.push(batch);
      }
      batch.replies.push(reply);
      flushAtTurnEnd();
    },
  };
}

/** One message, or halves until each half fits, or parts of one reply. */
export function payloadsOf(replies: Reply[], pack = encode): Uint8Array[] {
  if (replies.length > 1 && replies.some(isEncoded)) {
    const rest = replies.filter((reply) => !isEncoded(reply));
    const alone = replies.filter(isEncoded).flatMap((reply) => payloadsOf([reply]));
    return rest.length === 0 ? alone : [...payloadsOf(rest, pack), ...alone];
  }
  const payload = payloadOf(replies, pack);
  if (payload.length <= repliesBytesMax) return [payload];
  if (replies.length === 1) return partsOf(replies[0]!, payload).map((part) => encode(part));
  const middle = replies.length >> 1;
  return [...payloadsOf(replies.slice(0, middle), pack), ...payloadsOf(replies.slice(middle), pack)];
}

function isEncoded(reply: Reply): reply is Reply & { kind: 'ok'; value: Encoded } {
  return reply.kind === 'ok' && reply.value instanceof Encoded;
}

function payloadOf(replies: Reply[], pack: typeof encode): Uint8Array {
  const [first] = replies;
  if (first === undefined || !isEncoded(first)) return pack(replies);
  const { value, ...head } = first;
  return encodeEndingIn(head, 'value', value);
}

function partsOf({ id, copy }: Pick<ReplyPart, 'id' | 'copy'>, payload: Uint8Array): ReplyPart[] {
  const of = Math.ceil(payload.length / replyPartBytes);
  return Array.from({ length: of }, (_, index) => {
    const bytes = payload.subarray(index * replyPartBytes, (index + 1) * replyPartBytes);
    return copy === undefined ? { id, index, of, bytes } : { id, copy, index, of, bytes };
  });
}
